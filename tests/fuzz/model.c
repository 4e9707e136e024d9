/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/model.h"

#include <string.h>

const char *const model_rule_text[MODEL_RULE_COUNT] = {
#define X(NAME, TEXT) TEXT,
    MODEL_RULES(X)
#undef X
};

/* Memory as it should be. */
static unsigned char heap[WORLD_PES][WORLD_HEAP], arena[WORLD_ARENA], stage[WORLD_STAGE];
static uint64_t sequence[ASH_CLIENTS][WORLD_LINES], value[ASH_CLIENTS][WORLD_LINES];
static uint64_t released[WORLD_BUFFERS];

void model_read(const struct ash_request *request, struct model_request *r)
{
    const uint64_t *w = request->word;
    uint64_t aux = w[0] >> 28 & 0xfffff;
    r->word = w;
    r->op = w[0] & 0x3f;
    r->width = 1u << (w[0] >> 6 & 3);
    r->pe = (unsigned)(w[0] >> 8 & 0xfffff);
    r->reply = r->op == ASH_OP_INLINE ? 0 : (unsigned)(aux & 0x7ffff);
    r->inline_bytes = (unsigned)aux;
    r->add = aux >> 19 != 0;
    r->nbytes = r->compare = w[1];
    r->local = r->operand = w[2];
    r->offset = w[3] & 0xffffffffffff;
    r->signal = w[4];
    r->signal_offset = w[5] & 0xffffffffffff;
}

bool model_copies(unsigned op)
{
    return op == ASH_OP_PUT || op == ASH_OP_GET || op == ASH_OP_PUT_SIGNAL;
}

static uint32_t broken_stage(const struct model_request *r)
{
    unsigned __int128 begin = r->local, end = begin + r->nbytes;
    uint64_t s = (uintptr_t)world_stage, buffer = UINT64_C(1) << WORLD_BUFFER_SHIFT;
    if (end <= s || begin >= s + WORLD_STAGE) return 0;
    if (begin < s) return 1u << RULE_PARTLY;
    return (r->local - s) / buffer == ((uint64_t)end - 1 - s) / buffer && end <= s + WORLD_STAGE
               ? 0 : 1u << RULE_BUFFER;
}

static uint32_t broken_copy(const struct model_request *r, unsigned client)
{
    uint32_t rules = 0;
    if (r->nbytes == 0 || r->local == 0) rules |= 1u << RULE_NOTHING;
    if (world_outside(r->offset, r->nbytes)) rules |= 1u << RULE_HEAP;
    if ((unsigned __int128)r->local + r->nbytes > UINT64_MAX) rules |= 1u << RULE_END;
    if (client == ASH_GPU && rules == 0) rules |= broken_stage(r);
    if (r->op != ASH_OP_PUT_SIGNAL) return rules;
    if (r->signal_offset % 8 != 0) rules |= 1u << RULE_ALIGNED;
    if (world_outside(r->signal_offset, 8)) rules |= 1u << RULE_HEAP;
    return rules;
}

static uint32_t broken_variable(const struct model_request *r)
{
    uint32_t rules = 0;
    if (world_is_atomic(r->op) && r->width < 2) rules |= 1u << RULE_WIDTH;
    if (world_fetches(r->op) && r->reply == 0) rules |= 1u << RULE_NO_LINE;
    if (r->offset % r->width != 0) rules |= 1u << RULE_ALIGNED;
    if (world_outside(r->offset, r->width)) rules |= 1u << RULE_HEAP;
    return rules;
}

/* A fence, a quiet, or a doorbell, for a context that does not exist. */
static bool has_no_memory(const struct model_request *r)
{
    return r->op == ASH_OP_FENCE || r->op == ASH_OP_QUIET || r->op == ASH_OP_DOORBELL;
}

uint32_t model_broken(const struct model_request *r, unsigned client)
{
    uint32_t rules = 0, lines = client == ASH_GPU ? WORLD_LINES - 1 : WORLD_LINES;
    if (r->op == ASH_OP_NONE) return 1u << RULE_NONE;
    if (r->op >= ASH_OPS) return 1u << RULE_OP;
    if (has_no_memory(r)) return 0;
    if (r->pe >= WORLD_PES) rules |= 1u << RULE_PE;
    if (r->reply > lines) rules |= 1u << RULE_REPLY;
    if (model_copies(r->op)) return rules | broken_copy(r, client);
    if (r->op == ASH_OP_INLINE) {
        if (r->inline_bytes < 1 || r->inline_bytes > 48) rules |= 1u << RULE_INLINE;
        if (world_outside(r->offset, r->inline_bytes)) rules |= 1u << RULE_HEAP;
        return rules;
    }
    if (r->op != ASH_OP_G) return rules | broken_variable(r);
    if (r->reply == 0) rules |= 1u << RULE_NO_LINE;
    if (world_outside(r->offset, r->width)) rules |= 1u << RULE_HEAP;
    return rules;
}

unsigned model_ranges(const struct model_request *r, const struct world *world, unsigned client,
                      struct model_range *ret)
{
    unsigned n = 0;
    uint64_t length = model_copies(r->op) ? r->nbytes
                      : r->op == ASH_OP_INLINE ? r->inline_bytes : r->width;
    bool reads = r->op == ASH_OP_GET || r->op == ASH_OP_G;
    if (has_no_memory(r)) return 0;
    ret[n++] = (struct model_range){(uintptr_t)world_heap[r->pe] + r->offset, length, true, !reads};
    if (model_copies(r->op)) ret[n++] = (struct model_range){r->local, r->nbytes, false, false};
    if (r->op == ASH_OP_PUT_SIGNAL)
        ret[n++] = (struct model_range){(uintptr_t)world_heap[r->pe] + r->signal_offset, 8, true,
                                        true};
    if (r->reply != 0)
        ret[n++] = (struct model_range){(uintptr_t)&world->client[client].replies[r->reply - 1],
                                        sizeof(struct ash_reply), false, false};
    return n;
}

void model_reset(const struct world *world)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++) memcpy(heap[pe], world_heap[pe], WORLD_HEAP);
    memcpy(arena, world_arena, sizeof(arena));
    memcpy(stage, world_stage, sizeof(stage));
    memcpy(released, world->released, sizeof(released));
    for (unsigned c = 0; c < ASH_CLIENTS; c++)
        for (unsigned i = 0; i < WORLD_LINES; i++) {
            sequence[c][i] = world->client[c].replies[i].sequence;
            value[c][i] = world->client[c].replies[i].value;
        }
}

/* Where the model keeps what is at this address of PE 0. */
static unsigned char *local_of(uint64_t address)
{
    if (address - (uintptr_t)world_arena < WORLD_ARENA)
        return arena + (address - (uintptr_t)world_arena);
    if (address - (uintptr_t)world_stage < WORLD_STAGE)
        return stage + (address - (uintptr_t)world_stage);
    return heap[0] + (address - (uintptr_t)world_heap[0]);
}

static uint64_t new_value(const struct model_request *r, uint64_t old)
{
    switch (r->op) {
    case ASH_OP_P:
    case ASH_OP_SET:
    case ASH_OP_SWAP:
    case ASH_OP_SIGNAL_SET: return r->operand;
    case ASH_OP_COMPARE_SWAP:
        return ((old ^ r->compare) & (UINT64_MAX >> (64 - 8 * r->width))) == 0 ? r->operand : old;
    case ASH_OP_ADD:
    case ASH_OP_FETCH_ADD:
    case ASH_OP_SIGNAL_ADD: return old + r->operand;
    case ASH_OP_AND:
    case ASH_OP_FETCH_AND: return old & r->operand;
    case ASH_OP_OR:
    case ASH_OP_FETCH_OR: return old | r->operand;
    case ASH_OP_XOR:
    case ASH_OP_FETCH_XOR: return old ^ r->operand;
    case ASH_OP_SUM:
    case ASH_OP_FETCH_SUM: return world_sum(r->width, old, r->operand);
    default: return old;
    }
}

static uint64_t do_variable(const struct model_request *r)
{
    uint64_t old = 0, new;
    memcpy(&old, heap[r->pe] + r->offset, r->width);
    new = new_value(r, old);
    memcpy(heap[r->pe] + r->offset, &new, r->width);
    return old;
}

static void do_put_signal(const struct model_request *r)
{
    uint64_t word;
    memmove(heap[r->pe] + r->offset, local_of(r->local), r->nbytes);
    memcpy(&word, heap[r->pe] + r->signal_offset, 8);
    word = r->add ? word + r->signal : r->signal;
    memcpy(heap[r->pe] + r->signal_offset, &word, 8);
}

void model_do(const struct model_request *r, unsigned client)
{
    uint64_t inlined[6] = {r->word[1], r->word[2], r->word[4], r->word[5], r->word[6], r->word[7]};
    unsigned char *there;
    uint64_t old = 0;
    if (has_no_memory(r)) return;
    there = heap[r->pe] + r->offset;
    switch (r->op) {
    case ASH_OP_PUT: memmove(there, local_of(r->local), r->nbytes); break;
    case ASH_OP_GET: memmove(local_of(r->local), there, r->nbytes); break;
    case ASH_OP_PUT_SIGNAL: do_put_signal(r); break;
    case ASH_OP_INLINE: memcpy(there, inlined, r->inline_bytes); break;
    default: old = do_variable(r); break;
    }
    if (client == ASH_GPU && model_copies(r->op) && r->op != ASH_OP_GET &&
        r->local - (uintptr_t)world_stage < WORLD_STAGE)
        released[(r->local - (uintptr_t)world_stage) >> WORLD_BUFFER_SHIFT]++;
    if (r->reply == 0) return;
    sequence[client][r->reply - 1]++;
    value[client][r->reply - 1] = world_fetches(r->op) || r->op == ASH_OP_G ? old : UINT64_MAX;
}

static void same(const char *what, unsigned number, const void *is, const void *should,
                 size_t nbytes)
{
    const unsigned char *a = is, *b = should;
    size_t i = 0;
    if (memcmp(is, should, nbytes) == 0) return;
    while (a[i] == b[i]) i++;
    fuzz_finding("%s %u + %zu is 0x%02x, not 0x%02x", what, number, i, a[i], b[i]);
}

void model_compare(const struct world *world)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++)
        same("the heap of PE", pe, world_heap[pe], heap[pe], WORLD_HEAP);
    same("local memory", 0, world_arena, arena, sizeof(arena));
    same("the stage", 0, world_stage, stage, sizeof(stage));
    same("staging buffers given back", 0, world->released, released, sizeof(released));
    for (unsigned c = 0; c < ASH_CLIENTS; c++)
        for (unsigned i = 0; i < WORLD_LINES; i++) {
            const struct ash_reply *line = &world->client[c].replies[i];
            same("replies on line", i, &line->sequence, &sequence[c][i], 8);
            /* What the reply to a put says is that it is done, no value. */
            if (value[c][i] == UINT64_MAX) continue;
            same("the value on line", i, &line->value, &value[c][i], 8);
        }
}
