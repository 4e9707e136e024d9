/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The POSIX threads that run grids: made when first needed, kept until the end.
 *
 * The thread that launches is a worker itself, so a grid of one block wakes no
 * thread.  One launch at a time uses the pool (grid.c has the lock).
 */
#include "device/hostdev/cpus.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/wait_table.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

struct pool_thread {
    pthread_t id;
    /* Posted when `worker` has been set: to a worker, or to NULL to end. */
    sem_t start;
    /* Written by: the thread that launches, before it posts.  Read by: this thread. */
    struct ash_worker *worker;
};

static struct pool_thread threads[ASH_WORKERS_MAX - 1];
static uint32_t n_threads;
/* Posted by each thread that has done its part. */
static sem_t done;

uint32_t ash_hostdev_workers;

static void sem_wait_always(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

static void *pool_main(void *pointer)
{
    struct pool_thread *self = pointer;
    for (;;) {
        sem_wait_always(&self->start);
        if (self->worker == NULL) return NULL;
        ash_worker_run(self->worker);
        (void)sem_post(&done);
    }
}

static int pool_add(void)
{
    struct pool_thread *thread = &threads[n_threads];
    if (n_threads == 0 && sem_init(&done, 0, 0) != 0) return -errno;
    if (sem_init(&thread->start, 0, 0) != 0) return -errno;
    if (ash_hostdev_thread(&thread->id, pool_main, thread, "anyshmem-dev") != 0) {
        (void)sem_destroy(&thread->start);
        return -EAGAIN;
    }
    n_threads++;
    return 0;
}

uint32_t ash_pool_grow(uint32_t wanted)
{
    uint32_t n = ash_hostdev_workers != 0 ? ash_hostdev_workers : ash_cpus_count();
    if (n == 0) n = 1;
    if (n > ASH_WORKERS_MAX) n = ASH_WORKERS_MAX;
    if (n > wanted) n = wanted;
    if (n - 1 <= n_threads) return n;
    while (n_threads < n - 1 && pool_add() == 0) {
    }
    return n_threads + 1;
}

/* Wait until one thread has done its part. */
static void wait_for_part(void)
{
    uint32_t wait;
    if (sem_trywait(&done) == 0) return;
    wait = ash_hostdev_register_work("nvshmemx_collective_launch", "threads of its kernel");
    sem_wait_always(&done);
    ash_hostdev_wait_unregister(wait);
}

void ash_pool_run(struct ash_worker *workers, uint32_t n)
{
    uint32_t i;
    for (i = 1; i < n; i++) {
        threads[i - 1].worker = &workers[i];
        (void)sem_post(&threads[i - 1].start);
    }
    ash_worker_run(&workers[0]);
    for (i = 1; i < n; i++)
        wait_for_part();
}

void ash_pool_stop(void)
{
    uint32_t i;
    if (n_threads == 0) return;
    for (i = 0; i < n_threads; i++) {
        threads[i].worker = NULL;
        (void)sem_post(&threads[i].start);
    }
    for (i = 0; i < n_threads; i++) {
        (void)pthread_join(threads[i].id, NULL);
        (void)sem_destroy(&threads[i].start);
    }
    (void)sem_destroy(&done);
    n_threads = 0;
}
