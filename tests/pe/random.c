/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of several threads on each PE, checked against a serial model.
 *
 *   area     bytes that one thread of one PE alone writes and reads, with a copy at
 *            that thread: puts, gets and atomics on the same bytes have a fence or a
 *            quiet between them, reading what was written needs a quiet
 *   streams  data with a signal, and data, fence, flag: the target watches all the
 *            time, numbers come in order and each finds its data complete
 *   shared   words that all change: sums, parities, tickets
 *
 * PE_SEED     which programs [1]
 * PE_ROUNDS   number of rounds [as many as there is time for]
 * PE_SECONDS  for how long [1.5]; from a third of it on, but at most after a minute,
 *             no more memory and descriptors may be used if it is 10 or more
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/clock.h"
#include "tests/support/random_lane.h"
#include "tests/support/usage.h"

#define SECONDS 1.5
#define OPS 200u
/* More than all threads draw in one round. */
#define TICKETS ((size_t)MAX_PES * THREADS * (OPS + 1))

static struct shared *shared, *given;
static uint8_t *tickets, *go_on;
static struct worker workers[THREADS];
static uint64_t round_now, n_payloads;
static int hot, stop_watching;

static void send_signal(struct worker *w, int pe)
{
    size_t at, nbytes;
    uint64_t x = draw(w);
    unsigned char *local = payload(w, pe, BY_SIGNAL, &at, &nbytes);
    uint64_t *word = &mine(w)->stream[BY_SIGNAL].word;
    int sig_op = x % 2 ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET;
    uint64_t signal = x % 2 ? 1 : w->to[pe].sent[BY_SIGNAL];
    if (local == NULL) return;
    if (nbytes == 0 && x & 2)
        nvshmemx_signal_op(word, signal, sig_op, pe);
    else
        (x & 4 ? nvshmem_putmem_signal : nvshmem_putmem_signal_nbi)(
            mine(w)->stream[BY_SIGNAL].bytes + at, local, nbytes, word, signal, sig_op, pe);
    if (nbytes > 0 && x & 4) memset(local, GARBAGE, nbytes);
}

/* Data to some PEs, one fence, a flag to each of them. */
static void send_flags(struct worker *w)
{
    bool told[MAX_PES] = {false};
    uint64_t x = draw(w);
    for (int pe = 0; pe < pe_n; pe++) {
        size_t at, nbytes, half;
        unsigned char *local, *remote;
        if (x >> pe & 1 || (local = payload(w, pe, BY_FENCE, &at, &nbytes)) == NULL) continue;
        told[pe] = true;
        remote = mine(w)->stream[BY_FENCE].bytes + at;
        half = x >> 10 & 1 ? nbytes / 2 : 0;
        nvshmem_putmem(remote, local, half, pe);
        nvshmem_putmem_nbi(remote + half, local + half, nbytes - half, pe);
    }
    fence(w);
    for (int pe = 0; pe < pe_n; pe++) {
        uint64_t *flag = &mine(w)->stream[BY_FENCE].word, number = w->to[pe].sent[BY_FENCE];
        if (!told[pe]) continue;
        switch (draw(w) % 6) {
        case 0: nvshmem_uint64_p(flag, number, pe); break;
        case 1: nvshmem_uint64_atomic_add(flag, 1, pe); break;
        case 2: nvshmemx_signal_op(flag, number, NVSHMEM_SIGNAL_SET, pe); break;
        case 3: nvshmemx_signal_op(flag, 1, NVSHMEM_SIGNAL_ADD, pe); break;
        default: nvshmem_uint64_atomic_set(flag, number, pe); break;
        }
    }
}

/* The words that all change, n times. */
static void change_shared(struct worker *w, int pe, unsigned n)
{
    struct shared *by_me = &w->to[pe].given, *s = shared;
    uint64_t bit = UINT64_C(1) << (pe_me * THREADS + w->number);
    for (unsigned i = 0; i < n; i++) {
        uint64_t x = draw(w), seen;
        by_me->sum += x;
        by_me->sum32 += (uint32_t)x;
        by_me->parity ^= x;
        by_me->parity32 ^= (uint32_t)x;
        nvshmem_uint64_atomic_xor(&s->parity, x, pe);
        nvshmem_uint32_atomic_xor(&s->parity32, (uint32_t)x, pe);
        nvshmem_uint64_atomic_add(&s->sum, x, pe);
        nvshmem_uint32_atomic_fetch_add(&s->sum32, (uint32_t)x, pe);
        seen = nvshmem_uint64_atomic_fetch_xor(&s->own_bits, bit, pe);
        PE_EQUAL(seen & bit, w->to[pe].own_bits);
        w->to[pe].own_bits ^= bit;
    }
    by_me->signals++;
    nvshmemx_signal_op(&s->signals, 1, NVSHMEM_SIGNAL_ADD, pe);
    by_me->tickets++;
    nvshmem_uint8_p(&tickets[nvshmem_uint64_atomic_fetch_inc(&s->tickets, pe) % TICKETS], 1, pe);
}

static void *work(void *worker)
{
    struct worker *w = worker;
    bool mapped = nvshmem_ptr(shared, hot) != NULL;
    w->random = seed * 1000003 + round_now * 1009 + (uint64_t)(pe_me * THREADS + w->number);
    /* All at once on one PE: long where one takes nanoseconds. */
    change_shared(w, hot, mapped ? 400 : 4);
    for (unsigned i = 0; i < OPS; i++) {
        uint64_t x = draw(w);
        int pe = x >> 50 & 1 ? hot : (int)((x >> 20) % (uint64_t)pe_n);
        switch (x % 16) {
        case 0: case 1: case 2: case 3: case 4: access_area(w, pe, true); break;
        case 5: case 6: access_area(w, pe, false); break;
        case 7: case 8: case 9: change_area(w, pe); break;
        case 10: change_shared(w, pe, 1); break;
        case 11: case 12: send_signal(w, pe); break;
        case 13: case 14: send_flags(w); break;
        default: (x >> 30 & 1 ? fence : quiet)(w); break;
        }
    }
    return NULL;
}

/* Look at one stream: read up to its number, check what belongs to each. */
static void look(const struct lane *lane, int stream, uint64_t *seen, size_t *at)
{
    uint64_t now = nvshmem_signal_fetch(&lane->stream[stream].word);
    if (!PE_TRUE(now >= *seen && now - *seen <= OPS)) return;
    while (*seen < now) {
        uint64_t s = stream_seed(pe_me, lane, stream, ++*seen);
        size_t nbytes = payload_bytes(s);
        if (!PE_TRUE(*at + nbytes <= STREAM)) return;
        PE_FILLED(lane->stream[stream].bytes + *at, nbytes, s);
        n_payloads++;
        *at += nbytes;
    }
}

/* The target's side of the streams, all the time of a round and once after it. */
static void *watch(void *unused)
{
    static uint64_t seen[MAX_PES * THREADS][STREAMS];
    size_t at[MAX_PES * THREADS][STREAMS] = {{0}};
    bool last;
    (void)unused;
    do {
        last = __atomic_load_n(&stop_watching, __ATOMIC_ACQUIRE);
        for (int i = 0; i < pe_n * THREADS; i++)
            for (int stream = 0; stream < STREAMS; stream++)
                look(&lanes[i], stream, &seen[i][stream], &at[i][stream]);
        pe_yield_cpu();
    } while (!last);
    for (int i = 0; i < pe_n * THREADS; i++)
        for (int stream = 0; stream < STREAMS; stream++)
            PE_EQUAL(seen[i][stream], lanes[i].want[stream]);
    return NULL;
}

static void add_given(struct shared *total, const struct shared *more)
{
    total->sum += more->sum;
    total->parity ^= more->parity;
    total->tickets += more->tickets;
    total->signals += more->signals;
    total->own_bits |= more->own_bits;
    total->sum32 += more->sum32;
    total->parity32 ^= more->parity32;
}

/* Tell each PE what it should find. */
static void report(void)
{
    for (int pe = 0; pe < pe_n; pe++) {
        struct shared total = {0};
        for (int i = 0; i < THREADS; i++) {
            struct worker *w = &workers[i];
            uint64_t want[STREAMS + 1];
            memcpy(want, w->to[pe].sent, sizeof(w->to[pe].sent));
            want[STREAMS] = hash(w->to[pe].model);
            nvshmem_uint64_put(mine(w)->want, want, STREAMS + 1, pe);
            w->to[pe].given.own_bits = w->to[pe].own_bits;
            add_given(&total, &w->to[pe].given);
            memset(&w->to[pe].given, 0, sizeof(total));
            memset(w->to[pe].stream_at, 0, sizeof(w->to[pe].stream_at));
        }
        nvshmem_putmem(&given[pe_me], &total, sizeof(total), pe);
    }
}

static void verify(void)
{
    struct shared want = {0};
    for (int i = 0; i < pe_n * THREADS; i++)
        PE_EQUAL(hash(lanes[i].area), lanes[i].want[STREAMS]);
    for (int pe = 0; pe < pe_n; pe++) add_given(&want, &given[pe]);
    PE_EQUAL(shared->sum, want.sum);
    PE_EQUAL(shared->parity, want.parity);
    PE_EQUAL(shared->tickets, want.tickets);
    PE_EQUAL(shared->signals, want.signals);
    PE_EQUAL(shared->own_bits, want.own_bits);
    PE_EQUAL(shared->sum32, want.sum32);
    PE_EQUAL(shared->parity32, want.parity32);
    PE_ALL(tickets, want.tickets, 1);
    memset(tickets, 0, TICKETS);
    shared->sum = shared->parity = shared->tickets = shared->signals = 0;
    shared->sum32 = shared->parity32 = 0;
}

/* The origin's view of what it wrote. */
static void read_back(struct worker *w)
{
    unsigned char *local = room(w, AREA);
    for (int pe = 0; pe < pe_n; pe++) {
        nvshmem_getmem(local, mine(w)->area, AREA, pe);
        PE_EQUAL(agree(local, w->to[pe].model, AREA), AREA);
    }
}

/* Returns whether PE 0 wants another round. */
static bool run_round(bool another)
{
    pthread_t thread[THREADS], watcher;
    uint64_t state = seed + round_now;
    int n = 1 + (int)(pe_random(&state) % THREADS);
    hot = (int)(pe_random(&state) % (uint64_t)pe_n);
    stop_watching = 0;
    PE_NEED(pthread_create(&watcher, NULL, watch, NULL) == 0);
    for (int i = 0; i < n; i++)
        PE_NEED(pthread_create(&thread[i], NULL, work, &workers[i]) == 0);
    for (int i = 0; i < n; i++) PE_NEED(pthread_join(thread[i], NULL) == 0);
    report();
    if (pe_me == 0)
        for (int pe = 0; pe < pe_n; pe++) nvshmem_uint8_p(go_on, another, pe);
    nvshmem_barrier_all();
    __atomic_store_n(&stop_watching, 1, __ATOMIC_RELEASE);
    PE_NEED(pthread_join(watcher, NULL) == 0);
    for (int i = 0; i < THREADS; i++) settle(&workers[i]);
    verify();
    for (int i = 0; i < THREADS && round_now % 4 == 0; i++) read_back(&workers[i]);
    /* Before the barrier: after it PE 0 may write that of the next round. */
    another = *go_on;
    nvshmem_barrier_all();
    return another;
}

static void prepare(void)
{
    lanes = pe_alloc(sizeof(*lanes) * THREADS * (size_t)pe_n);
    shared = pe_alloc(sizeof(*shared));
    given = pe_alloc(sizeof(*given) * (size_t)pe_n);
    tickets = pe_alloc(TICKETS);
    go_on = pe_alloc(1);
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].arena = malloc(ARENA);
        PE_NEED(workers[i].arena != NULL);
        for (int pe = 0; pe < pe_n; pe++) {
            workers[i].to[pe].model = calloc(1, AREA);
            PE_NEED(workers[i].to[pe].model != NULL);
        }
    }
}

/* As many rounds as were asked for, or as there is time for. */
static void run_rounds(uint64_t rounds, double seconds)
{
    double start = now(), warm = start + (seconds < 180 ? seconds / 3 : 60);
    struct usage before = {-1, 0, 0};
    bool another = true;
    while (another) {
        round_now++;
        pe_step("PE_SEED=%llu, round %llu", (unsigned long long)seed,
                (unsigned long long)round_now);
        another = run_round(rounds > 0 ? round_now < rounds : now() < start + seconds);
        if (seconds >= 10 && before.kib < 0 && now() > warm) before = usage_now();
    }
    if (before.kib >= 0) usage_check(&before, USAGE_GROWTH_KIB);
}

int main(void)
{
    const char *seed_text = getenv("PE_SEED"), *rounds = getenv("PE_ROUNDS");
    const char *seconds = getenv("PE_SECONDS");
    seed = seed_text != NULL ? strtoull(seed_text, NULL, 0) : 1;
    pe_start("random");
    PE_NEED(pe_n <= MAX_PES);
    prepare();
    run_rounds(rounds != NULL ? strtoull(rounds, NULL, 0) : 0,
               seconds != NULL ? atof(seconds) : SECONDS);
    if (pe_me == 0)
        printf("random: PE_SEED=%llu, %llu rounds, %llu payloads\n", (unsigned long long)seed,
               (unsigned long long)round_now, (unsigned long long)n_payloads);
    return pe_finish();
}
