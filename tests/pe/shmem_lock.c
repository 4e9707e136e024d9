/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM's locks: what a lock protects is changed by one thread at a time, PEs get a lock in the
 * order in which they have asked for it, and a test of a lock gets it when it is free alone.
 */
#include <pthread.h>
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

#define LOCKS 5
#define THREADS 3
#define ROUNDS 40

/* What a lock protects, on one PE: two numbers that are equal, and the last one to change them. */
struct guarded {
    long count, again, last;
};

static long *locks;
static struct guarded *guarded;

/* A change without atomics: only the lock keeps another one from coming between. */
static void change(int lock, long by)
{
    int pe = lock % pe_n;
    struct guarded now;
    shmem_getmem(&now, &guarded[lock], sizeof(now), pe);
    PE_EQUAL(now.again, now.count);
    now.count += by;
    shmem_long_p(&guarded[lock].count, now.count, pe);
    if (now.count % 8 == 0) pe_sleep_us(50);
    shmem_long_put(&guarded[lock].again, &now.count, 1, pe);
    shmem_long_p(&guarded[lock].last, pe_me, pe);
}

static void take(long *lock, unsigned form)
{
    if (form % 3 != 0)
        shmem_set_lock(lock);
    else
        while (shmem_test_lock(lock) != 0) pe_yield_cpu();
}

/* Several locks, now and then two at once: always the lower one first. */
static void *work(void *number)
{
    uint64_t random = (uint64_t)pe_me * 1000 + *(unsigned *)number;
    for (unsigned round = 0; round < ROUNDS; round++) {
        int lock = (int)(pe_random(&random) % LOCKS), other = lock;
        if (pe_random(&random) % 4 == 0)
            other = lock + (int)(pe_random(&random) % (uint64_t)(LOCKS - lock));
        take(&locks[lock], (unsigned)pe_random(&random));
        if (other != lock) take(&locks[other], (unsigned)pe_random(&random));
        change(lock, 1);
        if (other != lock) change(other, 1);
        if (other != lock) shmem_clear_lock(&locks[other]);
        shmem_clear_lock(&locks[lock]);
        shmem_atomic_add(&guarded[LOCKS].count, other == lock ? 1 : 2, 0);
    }
    return NULL;
}

static void exclude(unsigned n_threads)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    long sum = 0;
    pe_step("%u threads of each PE change what locks protect", n_threads);
    memset(guarded, 0, (LOCKS + 1) * sizeof(*guarded));
    shmem_barrier_all();
    for (unsigned i = 0; i < n_threads; i++) {
        numbers[i] = i;
        PE_NEED(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (unsigned i = 0; i < n_threads; i++) PE_NEED(pthread_join(threads[i], NULL) == 0);
    shmem_barrier_all();
    for (int i = 0; i < LOCKS; i++) sum += shmem_g(&guarded[i].count, i % pe_n);
    PE_EQUAL(sum, shmem_g(&guarded[LOCKS].count, 0));
    PE_TRUE(sum >= (long)n_threads * ROUNDS * pe_n);
    shmem_barrier_all();
    /* Free locks are zero again, on all PEs. */
    for (int i = 0; i < LOCKS; i++) PE_EQUAL(locks[i], 0);
    shmem_barrier_all();
}

/* True if this PE is the last one in the queue of the lock, as some PE's word says. */
static bool is_last(const long *lock)
{
    for (int pe = 0; pe < pe_n; pe++) {
        long word = shmem_g(lock, pe);
        int32_t halves[2];
        memcpy(halves, &word, sizeof(word));
        if (halves[0] == pe_me + 1) return true;
    }
    return false;
}

static void *wait_for_lock(void *lock)
{
    shmem_set_lock(lock);
    PE_EQUAL(shmem_atomic_fetch_inc(&guarded[0].count, 0), pe_me);
    shmem_clear_lock(lock);
    return NULL;
}

/* PE 0 has the lock; each other PE asks for it when the one before is in the queue. */
static void in_order(long *lock, int *turn)
{
    pthread_t waiter;
    pe_step("the order of arrival");
    guarded[0] = (struct guarded){0};
    *turn = pe_me == 1;
    shmem_barrier_all();
    if (pe_me == 0) shmem_set_lock(lock);
    shmem_barrier_all();
    if (pe_me > 0) {
        PE_EQUAL(shmem_test_lock(lock), 1);
        shmem_int_wait_until(turn, SHMEM_CMP_EQ, 1);
        PE_NEED(pthread_create(&waiter, NULL, wait_for_lock, lock) == 0);
        while (!is_last(lock)) pe_yield_cpu();
        if (pe_me + 1 < pe_n) shmem_int_p(turn, 1, pe_me + 1);
    }
    shmem_barrier_all();
    if (pe_me == 0) {
        PE_EQUAL(shmem_atomic_fetch_inc(&guarded[0].count, 0), 0);
        shmem_clear_lock(lock);
    } else {
        PE_NEED(pthread_join(waiter, NULL) == 0);
    }
    shmem_barrier_all();
    if (pe_me == 0) PE_EQUAL(guarded[0].count, pe_n);
    PE_EQUAL(*lock, 0);
    shmem_barrier_all();
}

static void *test_lock(void *lock)
{
    PE_EQUAL(shmem_test_lock(lock), 1);
    return NULL;
}

static void *clear_lock(void *lock)
{
    shmem_clear_lock(lock);
    return NULL;
}

static void in_thread(void *(*what)(void *), long *lock)
{
    pthread_t thread;
    PE_NEED(pthread_create(&thread, NULL, what, lock) == 0 && pthread_join(thread, NULL) == 0);
}

/* One PE after the other has the lock; the others and its own threads do not get it. */
static void test(long *lock)
{
    pe_step("tests of a lock");
    for (int holder = 0; holder < pe_n; holder++) {
        shmem_barrier_all();
        if (pe_me == holder) PE_EQUAL(shmem_test_lock(lock), 0);
        shmem_barrier_all();
        if (pe_me != holder) PE_EQUAL(shmem_test_lock(lock), 1);
        if (pe_me == holder) in_thread(test_lock, lock);
        shmem_barrier_all();
        /* The PE has the lock, and any of its threads may release it. */
        if (pe_me == holder) in_thread(clear_lock, lock);
    }
    shmem_barrier_all();
    PE_EQUAL(*lock, 0);
}

int main(void)
{
    int *turn;
    pe_start("shmem_lock");
    locks = pe_alloc(LOCKS * sizeof(*locks));
    guarded = pe_alloc((LOCKS + 1) * sizeof(*guarded));
    turn = pe_alloc(sizeof(*turn));
    exclude(1);
    for (int i = 0; i < LOCKS; i++) {
        test(&locks[i]);
        in_order(&locks[i], turn);
    }
    exclude(THREADS);
    nvshmem_free(turn);
    nvshmem_free(guarded);
    nvshmem_free(locks);
    return pe_finish();
}
