/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of any content come to PE 0, which also sends requests to other PEs
 * and waits for their replies: against the model.  PEs 1 and 2 are played here.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/cause.h"
#include "tests/fuzz/fake_ucx.h"
#include "tests/fuzz/message_model.h"

const char fuzz_name[] = "message";
const char *const fuzz_wanted[] = {
#define X(NAME, TEXT) TEXT,
    MESSAGE_RULES(X)
#undef X
    "messages", "replies", "requests", "quiets", NULL};
const unsigned long fuzz_executions = 120000;

#define STEPS_MAX 24
#define EARLY_MAX 8

static struct model_letter letter;
static const struct ash_proxy *proxy;
static unsigned n_early;

/* What leaves PE 0 is looked at, and goes no further. */
static bool on_wire(unsigned from, unsigned to, const void *header, size_t header_length,
                    const void *data, size_t nbytes)
{
    static struct model_letter sent;
    if (from % WORLD_PES != 0 || header_length != sizeof(sent.message) || nbytes > LETTER_MAX)
        fuzz_finding("a message of a wrong form");
    memcpy(&sent.message, header, header_length);
    if (nbytes > 0) memcpy(sent.payload, data, nbytes);
    sent.nbytes = nbytes;
    message_model_sent(to % WORLD_PES, &sent);
    return false;
}

static uint64_t any_offset(struct fuzz_input *in)
{
    uint64_t kind = ~fuzz_take(in, 1), at = fuzz_take(in, 2);
    switch (kind % 64) {
    case 0: return at % WORLD_HEAP;
    case 1: return WORLD_HEAP - at % 32;
    case 2: return UINT64_MAX - at % 32;
    case 3: return WORLD_HEAP + at % 32;
    case 4: return fuzz_take(in, 8);
    default: return at % WORLD_HEAP & ~UINT64_C(7);
    }
}

static uint64_t any_number(struct fuzz_input *in)
{
    uint64_t value = fuzz_take(in, 2);
    return value < 4096 ? value : value * UINT64_C(0x9e3779b97f4a7c15);
}

/* Its turn, most of the time. */
static uint64_t any_seq(struct fuzz_input *in, unsigned pe)
{
    uint64_t kind = ~fuzz_take(in, 1), next = message_model_handled(pe) + 1;
    switch (kind % 64) {
    case 0: return next - 1;
    case 1: return next + ASH_MESSAGE_AHEAD_MAX - kind / 64 % 2;
    case 2: return fuzz_take(in, 8);
    case 3: return 0;
    case 4:
    case 5:
    case 6:
    case 7: return n_early++ < EARLY_MAX ? next + 1 + kind / 64 % 3 : next;
    default: return next;
    }
}

/* The number of a transfer under way that waits for no reply: a quiet's flush; or 1. */
static uint64_t other_cookie(void)
{
    for (uint32_t chunk = 0; chunk < proxy->n_chunks; chunk++)
        for (unsigned i = 0; i < ASH_XFER_CHUNK; i++) {
            const struct ash_xfer *xfer = &proxy->chunks[chunk][i];
            if (xfer->conn != NULL && xfer->replies == 0) return xfer->cookie;
        }
    return 1;
}

static const struct model_request *any_request(uint64_t number)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        const struct model_request *q = &model_requests[(i + number) % REQUESTS];
        if (q->pe != 0 && q->cookie != 0) return q;
    }
    return NULL;
}

/* The right reply to what is requested, or something near it. */
static void make_reply(struct fuzz_input *in)
{
    uint64_t number = fuzz_take(in, 1), wrong = ~fuzz_take(in, 1) % 64;
    const struct model_request *q = any_request(number);
    struct ash_message *m = &letter.message;
    uint64_t left;
    m->seq = 0;
    m->compare = 0;
    if (q == NULL) {
        m->cookie = other_cookie();
        letter.nbytes = 0;
        return;
    }
    m->cookie = q->cookie;
    m->source_pe = wrong == 0 ? 3 - q->pe : q->pe;
    m->compare = wrong == 1 ? any_number(in) : 0;
    if (!q->is_amo && q->nbytes > ASH_FRAGMENT_SIZE)
        m->compare += ASH_FRAGMENT_SIZE * (number % ((q->nbytes - 1) / ASH_FRAGMENT_SIZE + 1));
    left = q->nbytes > m->compare ? q->nbytes - m->compare : 1;
    letter.nbytes = q->is_amo ? 0 : left < ASH_FRAGMENT_SIZE ? left : ASH_FRAGMENT_SIZE;
    if (wrong == 2) letter.nbytes++;
    if (wrong == 3 && letter.nbytes > 0) letter.nbytes--;
    if (wrong == 4) m->cookie += UINT64_C(1) << 24;
    if (wrong == 5) m->cookie++;
    if (wrong == 6) m->cookie = other_cookie();
}

static uint64_t any_kind(struct fuzz_input *in)
{
    uint64_t kind = fuzz_take(in, 1);
    if (kind >= 252) return kind == 252 ? 0 : kind == 253 ? ASH_MESSAGE_KINDS : kind;
    /* A reply only where somebody waits for it, most of the time. */
    if (kind < 240) {
        kind = kind % (ASH_MESSAGE_KINDS - 1) + 1;
        if (kind == ASH_MESSAGE_REPLY && any_request(0) == NULL) return ASH_MESSAGE_PUT;
        return kind == ASH_MESSAGE_FAILURE ? ASH_MESSAGE_APPLY : kind;
    }
    return kind % (ASH_MESSAGE_KINDS - 1) + 1;
}

static size_t any_nbytes(struct fuzz_input *in, unsigned kind)
{
    uint64_t value = fuzz_take(in, 1);
    if (kind == ASH_MESSAGE_PUT) return value == 255 ? 0 : value == 254 ? LETTER_MAX : value + 1;
    if (kind == ASH_MESSAGE_FAILURE) return sizeof(struct ash_cause) - (value % 4 == 3);
    return value == 255;
}

static void fill_fields(struct fuzz_input *in, struct ash_message *m)
{
    static const uint8_t likely[8] = {ASH_OP_NONE, ASH_OP_SIGNAL_SET, ASH_OP_SIGNAL_ADD, ASH_OP_P,
                                      ASH_OP_FETCH_ADD, ASH_OP_COMPARE_SWAP, ASH_OP_FETCH_SUM,
                                      ASH_OP_FETCH_XOR};
    uint64_t op = fuzz_take(in, 1), width = fuzz_take(in, 1);
    m->kind = (uint8_t)any_kind(in);
    m->op = (uint8_t)(op < 24 ? op * 11 : likely[op % (m->kind == ASH_MESSAGE_PUT ? 3 : 8)]);
    m->width = (uint8_t)(width < 16 ? width : width < 128 ? 4 : 8);
    m->wants_ack = width >= 240 ? (uint8_t)(width - 239) : 0;
    m->offset = any_offset(in);
    m->signal_offset = any_offset(in);
    m->operand = m->kind == ASH_MESSAGE_GET ? fuzz_take(in, 3) % (ASH_FRAGMENT_SIZE + 64)
                                            : any_number(in);
    m->compare = any_number(in);
    m->cookie = any_number(in);
    /* A request names itself by its cookie, most of the time. */
    if (m->kind == ASH_MESSAGE_APPLY && op >= 32 && !world_fetches(m->op)) m->cookie = 0;
    if (m->kind == ASH_MESSAGE_ACK && m->compare % 16 != 0)
        m->operand %= message_model_acked_max(m->source_pe) + 1;
}

/* Up to four changes; now and then one is cut short, or something follows it. */
static void make_changes(struct fuzz_input *in)
{
    static const uint8_t ops[8] = {ASH_OP_INLINE, ASH_OP_INLINE, ASH_OP_P, ASH_OP_SET,
                                   ASH_OP_ADD, ASH_OP_XOR, ASH_OP_SUM, ASH_OP_SIGNAL_ADD};
    uint64_t number = fuzz_take(in, 1), wrong = ~fuzz_take(in, 1) % 64;
    letter.nbytes = 0;
    letter.message.cookie = wrong == 0;
    for (uint64_t i = 0; i <= number % 4; i++) {
        uint64_t what = fuzz_take(in, 1), width = fuzz_take(in, 1);
        uint64_t put = width % 16 == 0 ? 4 * width : width % 50;
        struct ash_change change = {.offset = any_offset(in),
                                    .width = (uint16_t)(width < 8 ? width : width < 16 ? 264 : 8),
                                    .op = (uint8_t)(what < 8 ? what * 31 : ops[what % 8])};
        if (change.op == ASH_OP_INLINE) change.width = (uint16_t)put;
        memcpy(letter.payload + letter.nbytes, &change, sizeof(change));
        for (size_t k = sizeof(change); k < ash_change_nbytes(&change); k++)
            letter.payload[letter.nbytes + k] = (unsigned char)(number + 5 * k);
        letter.nbytes += ash_change_nbytes(&change);
    }
    if (wrong >= 1 && wrong < 4) letter.nbytes -= wrong * 8 - 1;
    if (wrong == 4) {
        memset(letter.payload + letter.nbytes, 0, 20);
        letter.nbytes += number % 20;
    }
    if (wrong == 5) letter.nbytes = 0;
}

/* Of PE 0..3 or any, and of a kind that there is, or not. */
static void make_cause(struct fuzz_input *in)
{
    struct ash_cause cause;
    uint64_t number = fuzz_take(in, 1);
    memset(&cause, 'x', sizeof(cause));
    cause.kind = (uint32_t)number % 6;
    cause.pe = number < 128 ? (uint32_t)number % 5 : UINT32_MAX;
    memcpy(letter.payload, &cause, sizeof(cause));
}

static void make_letter(struct fuzz_input *in)
{
    struct ash_message *m = &letter.message;
    uint64_t wrong = ~fuzz_take(in, 1) % 256, n, number = fuzz_take(in, 1);
    memset(m, 0, sizeof(*m));
    memcpy(m->key, world_key, sizeof(m->key));
    m->source_pe = (uint32_t)(number % WORLD_PES);
    letter.header_length = sizeof(*m);
    letter.rendezvous = false;
    fill_fields(in, m);
    m->seq = any_seq(in, m->source_pe);
    letter.nbytes = any_nbytes(in, m->kind);
    if (m->kind == ASH_MESSAGE_REPLY) make_reply(in);
    for (n = 0; n < letter.nbytes; n++) letter.payload[n] = (unsigned char)(n * 7 + number);
    if (m->kind == ASH_MESSAGE_FAILURE) make_cause(in);
    if (m->kind == ASH_MESSAGE_CHANGES) make_changes(in);
    switch (wrong) {
    case 0: letter.header_length = number; break;
    case 1: letter.rendezvous = true; break;
    case 2: m->source_pe = WORLD_PES; break;
    case 3: m->source_pe = (uint32_t)any_number(in) | 1u << 31; break;
    case 4:
    case 5:
    case 6:
    case 7: m->key[wrong & 1] ^= UINT64_C(1) << number % 64; break;
    default: break;
    }
}

static void deliver(void *unused)
{
    (void)unused;
    unsigned char header[sizeof(letter.message) + 256] = {0};
    memcpy(header, &letter.message, sizeof(letter.message));
    fake_ucx_deliver(0, header, letter.header_length, letter.payload, letter.nbytes,
                     letter.rendezvous);
}

/* What the library says of the refused message names a rule that it breaks. */
static void check_refusal(uint32_t rules)
{
    /* Without a watch the job ends at once for a cause that a message brings. */
    if (strncmp(fuzz_said, "proxy: ", 7) != 0 && strncmp(fuzz_said, "PE ", 3) != 0)
        fuzz_finding("it says: %s", fuzz_said);
    for (unsigned i = 0; i < MESSAGE_RULE_COUNT; i++) {
        if (!(rules >> i & 1) || strstr(fuzz_said, message_rule_text[i]) == NULL) continue;
        fuzz_count(message_rule_text[i]);
        return;
    }
    fuzz_finding("rules 0x%x are broken, but it says: %s", rules, fuzz_said);
}

static void print_case(uint32_t rules)
{
    const struct ash_message *m = &letter.message;
    if (!fuzz_verbose) return;
    fprintf(stderr, "PE %u, seq %llu, kind %u, op %u, width %u, offset %llu, signal at %llu, "
                    "operand %llu, compare %llu, cookie %llu, %zu bytes: breaks 0x%x\n",
            m->source_pe, (unsigned long long)m->seq, m->kind, m->op, m->width,
            (unsigned long long)m->offset, (unsigned long long)m->signal_offset,
            (unsigned long long)m->operand, (unsigned long long)m->compare,
            (unsigned long long)m->cookie, letter.nbytes, rules);
}

/* False if the job has ended. */
static bool receive(struct world *world)
{
    uint32_t rules = message_model_receive(&letter);
    print_case(rules);
    if (fuzz_refused(deliver, NULL) != (rules != 0))
        fuzz_finding("rules 0x%x are broken, but it says: %s", rules, fuzz_said);
    if (rules != 0) check_refusal(rules);
    if (rules != 0) return false;
    fuzz_count(letter.message.kind == ASH_MESSAGE_REPLY ? "replies" : "messages");
    ash_proxy_iterate(world->proxy[0]);
    return true;
}

/* PE 0 sends a request to another one. */
static void request(struct world *world, struct fuzz_input *in)
{
    static const uint8_t ops[4] = {ASH_OP_GET, ASH_OP_G, ASH_OP_FETCH_ADD, ASH_OP_PUT};
    uint64_t what = fuzz_take(in, 1), n = fuzz_take(in, 2) % 20000 + 1, at = fuzz_take(in, 2);
    unsigned line = (unsigned)(what >> 4) % WORLD_LINES, op = ops[what % 4];
    struct model_request q = {.pe = 1 + (what >> 2) % 2, .width = what & 128 ? 8 : 4,
                               .line = op == ASH_OP_GET ? line : line + 1, .nbytes = n};
    struct ash_request request = {{ASH_WORD0(op, q.width == 8 ? 3 : 2, q.pe, q.line), n,
                                   (uintptr_t)world_arena + at % (WORLD_ARENA - n), 1024}};
    if (op == ASH_OP_GET) q.local = (unsigned char *)(uintptr_t)request.word[2];
    if (op == ASH_OP_G) q.nbytes = q.width;
    q.is_amo = op == ASH_OP_FETCH_ADD;
    if (op != ASH_OP_PUT)
        message_model_requests(&q);
    else
        request.word[0] = ASH_WORD0(op, 0, q.pe, 0);
    world_push(&world->client[ASH_HOST], &request);
    ash_proxy_iterate(world->proxy[0]);
    fuzz_count("requests");
}

static void request_quiet(struct world *world)
{
    const struct ash_request quiet = {{ASH_OP_QUIET}};
    world_push(&world->client[ASH_HOST], &quiet);
    ash_proxy_iterate(world->proxy[0]);
    fuzz_count("quiets");
}

static void right_letter(unsigned pe, unsigned kind)
{
    memset(&letter, 0, sizeof(letter));
    memcpy(letter.message.key, world_key, sizeof(world_key));
    letter.header_length = sizeof(letter.message);
    letter.message.source_pe = pe;
    letter.message.kind = (uint8_t)kind;
}

/* Every request gets its reply, and what was sent is done: then a quiet is, too. */
static void reply_to_all(struct world *world)
{
    const struct ash_channel_progress *progress = &world->client[ASH_HOST].progress;
    struct fuzz_input none = {NULL, 0};
    for (unsigned n = 0; any_request(0) != NULL; n++) {
        right_letter(0, ASH_MESSAGE_REPLY);
        letter.message.operand = n;
        make_reply(&none);
        if (!receive(world)) fuzz_finding("a right reply is refused: %s", fuzz_said);
    }
    request_quiet(world);
    for (unsigned turns = 0; turns < 4; turns++)
        for (unsigned pe = 1; pe < WORLD_PES; pe++) {
            right_letter(pe, ASH_MESSAGE_ACK);
            letter.message.operand = message_model_acked_max(pe);
            if (!receive(world)) fuzz_finding("a right ACK is refused: %s", fuzz_said);
        }
    if (progress->completed != progress->next) fuzz_finding("a quiet does not come to its end");
}

static void abandon(struct world *world)
{
    world_abandon(world);
    message_model_start();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct fuzz_input in = {data, nbytes};
    struct world *world = world_use(WORLD_MESSAGES);
    fake_ucx_seed(0);
    fake_ucx_wire = on_wire;
    proxy = world->proxy[0];
    n_early = 0;
    message_model_reset(world);
    for (unsigned i = 0; i < STEPS_MAX && in.left > 0; i++) {
        uint64_t what = fuzz_take(&in, 1) % 16;
        if (what == 15) request_quiet(world);
        if (what >= 12 && what < 15) request(world, &in);
        if (what >= 12) continue;
        make_letter(&in);
        if (receive(world)) continue;
        message_model_compare(world, true);
        abandon(world);
        return 0;
    }
    reply_to_all(world);
    message_model_compare(world, false);
    if (message_model_busy()) abandon(world);
    return 0;
}
