/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests of any content, through the ring, the proxies and messages, against
 * the model: what must be refused is refused, in words that name one of the
 * rules it breaks, and changes nothing; all else does what it should and nothing
 * more.  Requests whose memory does not overlap are under way at the same time.
 */
#include "device/routine/amo.h"
#include "tests/fuzz/fake_ucx.h"
#include "tests/fuzz/model.h"

#include <stdio.h>
#include <string.h>

const char fuzz_name[] = "request";
const char *const fuzz_wanted[] = {
#define X(NAME, TEXT) TEXT,
    MODEL_RULES(X)
#undef X
    "put", "get", "p", "g", "inline put", "put with signal", "quiet", "fence", NULL};
const unsigned long fuzz_executions = 120000;

#define STEPS_MAX 40
#define RANGES 256

/* Memory of what is under way, and whose it is. */
static struct {
    struct model_range range;
    unsigned client;
    /* That client has sent a fence since. */
    bool passed;
} held[RANGES];
static unsigned n_held;

static uint64_t any_offset(struct fuzz_input *in, unsigned width)
{
    uint64_t kind = ~fuzz_take(in, 1), value = fuzz_take(in, 2);
    switch (kind % 128) {
    case 0: return value % WORLD_HEAP;
    case 1: return WORLD_HEAP - value % 64;
    case 2: return WORLD_HEAP + value % 64;
    case 3: return ASH_OFFSET_MASK - value % 64;
    case 4: return value << 32 | fuzz_take(in, 4);
    default:
        /* Half of them are the same few words: what is under way there, only a fence orders. */
        if (kind & 32) return value % 4 * 8;
        return value % WORLD_HEAP / width * width;
    }
}

static uint64_t any_length(struct fuzz_input *in)
{
    uint64_t kind = ~fuzz_take(in, 1), value = fuzz_take(in, 2);
    switch (kind % 128) {
    case 0: return 0;
    case 1: return WORLD_HEAP - value % 64;
    case 2: return WORLD_HEAP + value % 64;
    case 3: return UINT64_MAX - value % 64;
    case 4: return fuzz_take(in, 8);
    case 5:
    case 6:
    case 7:
    case 8: return value % WORLD_HEAP;
    default: return value % 200 + 1;
    }
}

static uint64_t any_local(struct fuzz_input *in, uint64_t nbytes)
{
    uint64_t kind = ~fuzz_take(in, 1), value = fuzz_take(in, 2);
    switch (kind % 64) {
    case 0: return 0;
    case 1: return UINT64_MAX - value % 512;
    case 2: return (uintptr_t)world_stage - value % 300;
    case 3: return (uintptr_t)world_stage + WORLD_STAGE - value % 300;
    case 4: return (uintptr_t)world_stage + value % WORLD_STAGE;
    case 5:
    case 6:
        /* It ends where a buffer does, or a byte off. */
        return (uintptr_t)world_stage +
               (value % WORLD_BUFFERS + 1) * (WORLD_STAGE / WORLD_BUFFERS) -
               nbytes + (value >> 8) % 3 - 1;
    case 7:
    case 8:
    case 9: return (uintptr_t)world_stage + value % WORLD_BUFFERS * (WORLD_STAGE / WORLD_BUFFERS);
    case 10:
    case 11:
    case 12:
    case 13: return (uintptr_t)world_heap[0] + value % WORLD_HEAP;
    default: return (uintptr_t)world_arena + value % (WORLD_ARENA - nbytes % WORLD_ARENA);
    }
}

static uint64_t any_aux(struct fuzz_input *in, unsigned op)
{
    uint64_t kind = ~fuzz_take(in, 1), add = kind & 128 ? ASH_AUX_ADD : 0;
    if (op == ASH_OP_INLINE) {
        if (kind % 128 == 0) return fuzz_take(in, 3) & 0xfffff;
        return kind % 64 == 1 ? kind % 128 == 1 ? 49 : 0 : kind % 48 + 1;
    }
    switch (kind % 64) {
    case 0: return fuzz_take(in, 3) & 0xfffff;
    case 1: return (WORLD_LINES + 1) | add;
    case 2: return WORLD_LINES | add;
    case 3: return add;
    default:
        /* A request that needs no reply may name a line as well. */
        if (op != ASH_OP_G && !ash_amo_fetches(op) && kind & 4) return add;
        return (kind >> 3) % (WORLD_LINES - 1) + 1;
    }
}

/* All bits of it, from few bytes; small ones now and then. */
static uint64_t any_operand(struct fuzz_input *in)
{
    uint64_t value = fuzz_take(in, 2);
    return value < 4096 ? value : value * UINT64_C(0x9e3779b97f4a7c15);
}

/* No quiet waits for an uncounted signal, so none would tell when it is there. */
static struct ash_request counted(struct ash_request request)
{
    unsigned op = ash_request_op(&request);
    if (ash_op_class(op) == ASH_CLASS_SIGNAL)
        request.word[0] &= ~((uint64_t)ASH_AUX_UNCOUNTED << ASH_AUX_SHIFT);
    return request;
}

static struct ash_request any_request(struct fuzz_input *in)
{
    struct ash_request request;
    uint64_t kind = fuzz_take(in, 1), op = kind % (ASH_OPS - 1) + 1, pe = fuzz_take(in, 1);
    uint64_t width = kind & 3;
    if (kind == 0xff)
        for (unsigned i = 0; i < 8; i++) request.word[i] = fuzz_take(in, 8);
    if (kind == 0xff) return counted(request);
    if (kind >= 0xe8) op = ASH_OP_FENCE;
    if (kind >= 0xfc) op = kind == 0xfc ? 0 : ASH_OPS + pe % 41;
    pe = pe < 250 ? pe % WORLD_PES : pe == 250 ? WORLD_PES : fuzz_take(in, 3);
    if (ash_op_class((unsigned)op) == ASH_CLASS_ATOMIC && kind < 0xe0) width |= 2;
    request.word[0] = ASH_WORD0(op, width, pe & 0xfffff, any_aux(in, (unsigned)op));
    request.word[3] = any_offset(in, 1u << width);
    if (model_copies((unsigned)op)) {
        request.word[1] = any_length(in);
        request.word[2] = any_local(in, request.word[1]);
    } else {
        request.word[1] = any_operand(in);
        request.word[2] = any_operand(in);
    }
    request.word[4] = any_operand(in);
    request.word[5] = any_offset(in, 8);
    request.word[6] = ~request.word[1];
    request.word[7] = ~request.word[4];
    return counted(request);
}

static bool within(uint64_t address, uint64_t nbytes, const void *memory, uint64_t size)
{
    uint64_t at = address - (uintptr_t)memory;
    return at <= size && nbytes <= size - at;
}

/* Nobody can check the caller's own memory: it must be some. */
static void be_real(struct ash_request *request, struct model_request *r)
{
    if (!model_copies(r->op) || within(r->local, r->nbytes, world_arena, WORLD_ARENA) ||
        within(r->local, r->nbytes, world_stage, WORLD_STAGE))
        return;
    /* A copy within the own heap: both sides may overlap, but not with the signal. */
    if (within(r->local, r->nbytes, world_heap[0], WORLD_HEAP) && r->op != ASH_OP_PUT_SIGNAL)
        return;
    request->word[2] = (uintptr_t)world_arena + r->local % (WORLD_ARENA - r->nbytes + 1);
    model_read(request, r);
}

static bool overlap(const struct model_range *a, const struct model_range *b)
{
    return a->at < b->at + b->nbytes && b->at < a->at + a->nbytes;
}

/* Wait for what is under way on the same memory. */
static void make_way(struct world *world, unsigned client, const struct model_range *ranges,
                     unsigned n)
{
    bool clear = n_held + n <= RANGES;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n_held; k++)
            if (overlap(&ranges[i], &held[k].range) &&
                !(ranges[i].at_target && held[k].passed && held[k].client == client))
                clear = false;
    if (clear) return;
    world_settle(world);
    n_held = 0;
}

/* After a fence a client may put to where it has put before, and get from there. */
static void fence(unsigned client)
{
    for (unsigned k = 0; k < n_held; k++)
        if (held[k].client == client && held[k].range.fenced) held[k].passed = true;
}

static void iterate(void *world) { world_iterate(world); }

static void expect_refusal(struct world *world, uint32_t rules)
{
    if (!fuzz_refused(iterate, world)) fuzz_finding("accepted, though it breaks rules 0x%x", rules);
    for (unsigned i = 0; i < MODEL_RULE_COUNT; i++) {
        if (!(rules >> i & 1) || strstr(fuzz_said, model_rule_text[i]) == NULL) continue;
        if (strstr(fuzz_said, "proxy: bad request: op ") != fuzz_said) break;
        fuzz_count(model_rule_text[i]);
        model_compare(world);
        world_abandon(world);
        return;
    }
    fuzz_finding("rules 0x%x are broken, but it says: %s", rules, fuzz_said);
}

static void print_case(const struct model_request *r, unsigned client, uint32_t rules)
{
    if (!fuzz_verbose) return;
    fprintf(stderr, "%s: %s, width %u, PE %u, reply %u, offset %llu, word 1 %llu, word 2 %llu, "
                    "signal %llu at %llu; breaks 0x%x\n", client == ASH_GPU ? "GPU" : "host",
            ash_op_name(r->op), r->width, r->pe, r->reply, (unsigned long long)r->offset,
            (unsigned long long)r->nbytes, (unsigned long long)r->local,
            (unsigned long long)r->signal, (unsigned long long)r->signal_offset, rules);
}

/* False if the job has ended. */
static bool step(struct world *world, struct fuzz_input *in)
{
    unsigned client = fuzz_take(in, 1) % 4 == 3 ? ASH_GPU : ASH_HOST, n;
    struct ash_request request = any_request(in);
    struct model_range ranges[4];
    struct model_request r;
    uint32_t rules;
    model_read(&request, &r);
    rules = model_broken(&r, client);
    print_case(&r, client, rules);
    if (rules != 0) {
        world_settle(world);
        model_compare(world);
        world_push(&world->client[client], &request);
        expect_refusal(world, rules);
        return false;
    }
    be_real(&request, &r);
    n = model_ranges(&r, world, client, ranges);
    make_way(world, client, ranges, n);
    for (unsigned i = 0; i < n; i++) {
        held[n_held].range = ranges[i];
        held[n_held].passed = false;
        held[n_held++].client = client;
    }
    world_push(&world->client[client], &request);
    model_do(&r, client);
    if (r.op == ASH_OP_FENCE) fence(client);
    world_iterate(world);
    fuzz_count(ash_op_name(r.op));
    return true;
}

static void check_quiet(struct world *world, unsigned client)
{
    struct ash_request quiet = {{ASH_OP_QUIET}};
    uint64_t ticket = ash_channel_ticket(&world->client[client].channel);
    world_push(&world->client[client], &quiet);
    for (unsigned turns = 0; world->client[client].progress.completed <= ticket; turns++) {
        if (turns > 10000) fuzz_finding("a quiet does not come to its end");
        world_iterate(world);
    }
    /* Both clients' requests are complete now, not only some turns later. */
    model_compare(world);
    world_settle(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct fuzz_input in = {data, nbytes};
    struct world *world = world_use((enum world_path)(fuzz_take(&in, 1) % WORLD_PATHS));
    fake_ucx_seed(fuzz_take(&in, 2));
    n_held = 0;
    model_reset(world);
    for (unsigned i = 0; i < STEPS_MAX && in.left > 0; i++)
        if (!step(world, &in)) return 0;
    check_quiet(world, ASH_HOST);
    check_quiet(world, ASH_GPU);
    model_compare(world);
    return 0;
}
