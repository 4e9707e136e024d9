/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the threads of tests/unit/gpu/path.c do: one operation at random.
 */
#ifndef TESTS_UNIT_GPU_STEPS_H
#define TESTS_UNIT_GPU_STEPS_H

#include "tests/unit/gpu/world.h"

#define MAX_TICKETS 65536u

/* A thread, or one thread of a block; a block has one worker's area. */
struct worker {
    pthread_t thread;
    enum ash_scope scope;
    struct model_group *group;
    unsigned rank, area;
    uint64_t added, finished;
};

struct step {
    uint64_t kind, pe, offset, nbytes, seed, blocking;
    unsigned char *source;
};

static unsigned char drawn[PES][MAX_TICKETS];

/* Symmetric addresses are those of the own heap. */
static unsigned char *symmetric(uint64_t offset) { return world.heap[0] + offset; }

static uint64_t random_put_size(void)
{
    uint64_t buffer = UINT64_C(1) << model_state.gpu.stage_shift;
    switch (model_next() % 4) {
    case 0: return model_next() % (ASH_INLINE_MAX + 4) + 1;
    case 1: return (model_next() % (MAX_PUT / buffer) + 1) * buffer;
    default: return model_next() % MAX_PUT + 1;
    }
}

/* Put, with a signal or without, from a source that is given up as soon as is allowed. */
static void put_step(const struct worker *w, const struct step *step)
{
    unsigned char *dest = symmetric(step->offset);
    bool staged = ash_stages(step->source, step->nbytes), with_signal = step->kind == 1;
    int pe = (int)step->pe;
    struct ash_put_signal put = {
        {dest, step->source, step->nbytes, 1, pe, step->blocking},
        {shared_word(world.heap[0], SIGNAL), step->seed, NVSHMEM_SIGNAL_SET}};
    if (with_signal)
        ash_put_signal_bytes(w->scope, "put_signal", &put);
    else
        ash_put_bytes(w->scope, "put", dest, step->source, step->nbytes, pe, step->blocking);
    if (dev_group_rank(w->scope) == 0 && (staged || step->blocking || step->pe < world.mapped))
        memset(step->source, 0xee, step->nbytes);
}

static void get_step(const struct worker *w, const struct step *step)
{
    if (dev_group_rank(w->scope) == 0) memset(step->source, 0, step->nbytes);
    dev_group_sync(w->scope);
    ash_get_bytes(w->scope, "get", step->source, symmetric(step->offset), step->nbytes,
                  (int)step->pe, step->blocking);
    if (dev_group_rank(w->scope) != 0) return;
    if (!step->blocking) ash_quiet("test");
    if (!is_filled(step->source, step->nbytes, step->seed)) bad("get", step->pe, step->nbytes);
}

/* 1, 2, 4 or 8 bytes, aligned or not, by thread. */
static void element_step(const struct step *step)
{
    unsigned width = 1u << step->nbytes % 4;
    unsigned char value[8], back[8];
    fill(value, width, step->seed);
    ash_p("p", symmetric(step->offset), value, width, (int)step->pe);
    if (!step->blocking) return;
    ash_quiet("test");
    ash_g("g", back, symmetric(step->offset), width, (int)step->pe);
    if (memcmp(value, back, width) != 0) bad("g", step->pe, width);
}

/* Each number is drawn once: no reply goes astray. */
static void amo_step(struct worker *w, const struct step *step)
{
    int pe = (int)step->pe;
    uint64_t *dest = shared_word(world.heap[0], TICKETS), old, add = step->seed % 1000;
    old = ash_amo("fetch_add", ASH_OP_FETCH_ADD, dest, 8, 1, 0, pe);
    if (old >= MAX_TICKETS || drawn[step->pe][old]++ != 0) bad("fetch_add", step->pe, old);
    w->added += add;
    ash_amo("add", ASH_OP_ADD, shared_word(world.heap[0], SUM), 8, add, 0, pe);
}

/* The first word is ahead of the second one, whatever way each of them goes. */
static void order_step(const struct worker *w, const struct step *step, uint64_t n)
{
    int pe = (int)step->pe;
    if (w->area != 0) return;
    ash_amo("set", ASH_OP_SET, shared_word(world.heap[0], AHEAD), 8, n, 0, pe);
    ash_fence();
    if (pe < (int)world.mapped && dev_load_acquire64(shared_word(world.heap[pe], AHEAD)) != n)
        bad("a fence did not wait for the atomic before it", n, 0);
    ash_p("p", shared_word(world.heap[0], BEHIND), &n, 8, pe);
}

/* Everything that was put since the last one is in place; then it is overwritten. */
static void compare_area(const struct step *log, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint64_t nbytes = log[i].kind == 3 ? 1u << log[i].nbytes % 4 : log[i].nbytes;
        unsigned char *at = world.heap[log[i].pe] + log[i].offset;
        if (!is_filled(at, nbytes, log[i].seed)) bad("put", log[i].kind, nbytes);
        memset(at, 0, nbytes);
    }
}

/* A source, or the place for a get: of the heap or of nobody's but this thread. */
static unsigned char *local_memory(const struct worker *w, uint64_t used, unsigned char *own)
{
    if (model_next() % 2) return own + used;
    return symmetric((MAX_WORKERS + w->area) * AREA + used);
}

static struct step random_step(const struct worker *w, uint64_t used, unsigned char *own)
{
    struct step step;
    step.kind = model_next() % (w->scope == ASH_SCOPE_THREAD ? 6 : 3);
    step.pe = model_next() % PES;
    step.nbytes = random_put_size();
    step.seed = model_next();
    step.blocking = model_next() % 2;
    step.offset = w->area * AREA + used;
    step.source = local_memory(w, used, own);
    if (step.kind < 2 || step.kind == 3) {
        if (step.kind == 1) {
            step.seed = dev_fetch_add64(&world.n_checks, 1) % MAX_CHECKS;
            world.checks[step.seed] = (struct check){step.pe, step.offset, step.nbytes, step.seed};
        }
        fill(step.source, step.nbytes, step.seed);
    } else if (step.kind == 2) {
        step.seed = 0;
        step.offset = CONSTANT;
    }
    return step;
}

static void run_step(struct worker *w, const struct step *step, uint64_t n)
{
    switch (step->kind) {
    case 0:
    case 1: put_step(w, step); break;
    case 2: get_step(w, step); break;
    case 3: element_step(step); break;
    case 4: amo_step(w, step); break;
    default: order_step(w, step, n); break;
    }
}

#endif
