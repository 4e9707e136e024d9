/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/pe/mixed_control.h"

#include <sched.h>

#include "tests/support/pe.h"

/* How the others add. */
enum path { BY_CPU, BY_AMO, BY_MESSAGE, PATHS };
static const char *const names[PATHS] = {"CPUs", "UCX's atomics", "messages"};

/* Additions of all others in one try. */
#define ADDS 2000u
#define ADDS_BY_CPU 100000u
#define TRIES 200
#define PAYLOAD 48u

/* What all PEs do to a hot word that they do not map; and each of the others at a time. */
#define HOT 1200u
#define HOT_MAPPED 1000u
#define OVERSUBSCRIBED 16

/* Symmetric; what counts is PE 0's. */
static struct control {
    uint64_t word, n_others, n_ready, another, n_begun;
} *control;
static unsigned char *payloads;

uint64_t mixed_hot(void (*one)(int pe), int pe, int n_others)
{
    static uint64_t *n_there;
    uint64_t n = 0;
    if (n_there == NULL) n_there = pe_alloc(sizeof(*n_there));
    /* Nobody looks at it for the last time's sake any more. */
    nvshmem_barrier_all();
    if (pe_me == pe) *n_there = 0;
    nvshmem_barrier_all();
    if (nvshmem_ptr(n_there, pe) == NULL) {
        /* If oversubscribed, each of them waits for all who map it to be let run. */
        for (; n < HOT / (unsigned)pe_n; n++) one(pe);
        nvshmem_quiet();
        nvshmem_uint64_atomic_inc(n_there, pe);
        return n;
    }
    do {
        for (unsigned i = 0; i < HOT_MAPPED; i++, n++) one(pe);
        /* Those that bring the others' operations need a core, too; for long if oversubscribed. */
        if (pe_n > OVERSUBSCRIBED)
            pe_sleep_us(1000);
        else
            sched_yield();
    } while (nvshmem_uint64_atomic_fetch(n_there, pe) < (uint64_t)n_others);
    return n;
}

static void add_one(enum path path)
{
    static const unsigned char payload[PAYLOAD];
    unsigned char *room = payloads + (size_t)pe_me * PAYLOAD;
    if (path == BY_MESSAGE)
        nvshmem_putmem_signal(room, payload, PAYLOAD, &control->word, 1, NVSHMEM_SIGNAL_ADD, 0);
    else
        nvshmem_uint64_atomic_add(&control->word, 1, 0);
}

/* By PE 0.  No addition: a load and a store.  Returns how many until the others are ready. */
static uint64_t add_badly(uint64_t n_others)
{
    uint64_t n = 0;
    /* Not before this PE is at it: they need less time than it takes to come here. */
    for (int pe = 1; pe < pe_n; pe++) nvshmem_uint64_atomic_inc(&control->n_begun, pe);
    while (nvshmem_signal_fetch(&control->n_ready) < n_others) {
        for (int i = 0; i < 100; i++, n++) {
            uint64_t value = __atomic_load_n(&control->word, __ATOMIC_RELAXED);
            if (i == 99) sched_yield();
            __atomic_store_n(&control->word, value + 1, __ATOMIC_RELAXED);
        }
    }
    return n;
}

/* One try; PE 0 returns how many additions are not to be found. */
static uint64_t lose(enum path path, bool adds, uint64_t n_others)
{
    static uint64_t n_tries;
    uint64_t each = (path == BY_CPU ? ADDS_BY_CPU : ADDS) / n_others, n = n_others * each;
    if (pe_me == 0) control->word = control->n_ready = 0;
    nvshmem_barrier_all();
    if (pe_me == 0) n += add_badly(n_others);
    if (pe_me != 0) nvshmem_uint64_wait_until(&control->n_begun, NVSHMEM_CMP_EQ, ++n_tries);
    for (uint64_t i = 0; adds && i < each; i++) add_one(path);
    nvshmem_quiet();
    if (adds) nvshmem_uint64_atomic_inc(&control->n_ready, 0);
    nvshmem_barrier_all();
    return n - control->word;
}

/* How many PEs add over a path; all PEs learn it. */
static uint64_t count_others(bool adds)
{
    control->n_others = 0;
    nvshmem_barrier_all();
    if (adds) nvshmem_uint64_atomic_inc(&control->n_others, 0);
    nvshmem_barrier_all();
    return nvshmem_uint64_g(&control->n_others, 0);
}

void mixed_control(void)
{
    bool direct;
    control = pe_alloc(sizeof(*control));
    payloads = pe_alloc((size_t)pe_n * PAYLOAD);
    direct = nvshmem_ptr(control, 0) != NULL;
    for (enum path path = 0; path < PATHS; path++) {
        bool adds = pe_me != 0 && direct == (path == BY_CPU), another = true;
        uint64_t lost = 0, n_others = count_others(adds);
        pe_step("control: PE 0 adds badly, others by %s", names[path]);
        for (int i = 0; i < TRIES && another && n_others > 0; i++) {
            lost += lose(path, adds, n_others);
            for (int pe = 0; pe < pe_n && pe_me == 0; pe++)
                nvshmem_uint64_p(&control->another, lost == 0, pe);
            nvshmem_barrier_all();
            another = control->another != 0;
            nvshmem_barrier_all();
        }
        if (pe_me == 0 && n_others > 0) PE_TRUE(lost > 0);
        nvshmem_barrier_all();
    }
}
