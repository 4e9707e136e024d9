/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The POSIX threads that run grids: made when first needed, kept until the end.
 *
 * The thread that launches is a worker itself, so a grid of one block wakes no thread, and a grid
 * for which all threads are busy goes on.  A thread of the pool may come late to a short grid: then
 * its part has been taken back, and it waits for the next one.
 */
#include "device/hostdev/cpus.h"
#include "device/hostdev/grid.h"
#include "device/hostdev/wait_table.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

struct pool_thread {
    pthread_t id;
    /* Posted when `worker` was set, and to end. */
    sem_t start;
    /* Its next part; it has one, or is in it.  Written and read by: all threads, under
     * pool_lock. */
    struct ash_worker *worker;
    bool busy;
};

/* For all of the below. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool_thread threads[ASH_WORKERS_MAX - 1];
static uint32_t n_threads;
static bool ending;

uint32_t ash_hostdev_workers;

static void sem_wait_always(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

/* Take the thread's part, or NULL if that was taken back; false: it ends. */
static bool part_take(struct pool_thread *self, struct ash_worker **ret_worker)
{
    bool go_on;
    (void)pthread_mutex_lock(&pool_lock);
    *ret_worker = self->worker;
    self->worker = NULL;
    go_on = *ret_worker != NULL || !ending;
    (void)pthread_mutex_unlock(&pool_lock);
    return go_on;
}

static void *pool_main(void *pointer)
{
    struct pool_thread *self = pointer;
    struct ash_worker *worker;
    for (;;) {
        sem_t *done;
        sem_wait_always(&self->start);
        if (!part_take(self, &worker)) return NULL;
        if (worker == NULL) continue;
        done = &worker->grid->done;
        ash_worker_run(worker);
        (void)pthread_mutex_lock(&pool_lock);
        self->busy = false;
        (void)pthread_mutex_unlock(&pool_lock);
        /* The last use of the grid. */
        (void)sem_post(done);
    }
}

static struct pool_thread *pool_add(void)
{
    struct pool_thread *thread = &threads[n_threads];
    thread->worker = NULL;
    thread->busy = false;
    if (sem_init(&thread->start, 0, 0) != 0) return NULL;
    if (ash_hostdev_thread(&thread->id, pool_main, thread, "anyshmem-dev") != 0) {
        (void)sem_destroy(&thread->start);
        return NULL;
    }
    n_threads++;
    return thread;
}

static uint32_t workers_max(void)
{
    uint32_t n = ash_hostdev_workers != 0 ? ash_hostdev_workers : ash_cpus_count();
    if (n == 0) n = 1;
    return n > ASH_WORKERS_MAX ? ASH_WORKERS_MAX : n;
}

uint32_t ash_pool_workers(uint32_t n_blocks)
{
    uint32_t n;
    if (n_blocks == 1) return 1;
    n = workers_max();
    return n > n_blocks ? n_blocks : n;
}

/* A thread that has nothing to do, or NULL.  The caller holds pool_lock. */
static struct pool_thread *pool_idle(uint32_t max)
{
    uint32_t i;
    for (i = 0; i < n_threads; i++)
        if (!threads[i].busy) return &threads[i];
    return n_threads < max && !ending ? pool_add() : NULL;
}

/* Divide the grid among the caller and as many threads as there are, and give them their parts;
 * returns the number of workers.  thread_of[i] is worker i's one. */
static uint32_t parts_give(struct ash_grid *grid, struct ash_worker *workers, uint32_t max,
                           struct pool_thread **thread_of)
{
    uint32_t i, n = 1;
    (void)pthread_mutex_lock(&pool_lock);
    while (n < max && (thread_of[n] = pool_idle(max - 1)) != NULL) thread_of[n++]->busy = true;
    ash_grid_divide(grid, workers, n);
    for (i = 1; i < n; i++) {
        thread_of[i]->worker = &workers[i];
        (void)sem_post(&thread_of[i]->start);
    }
    (void)pthread_mutex_unlock(&pool_lock);
    return n;
}

/* Take a part back that its thread has not begun; false if it has. */
static bool part_take_back(struct pool_thread *thread, const struct ash_worker *worker)
{
    bool taken = false;
    (void)pthread_mutex_lock(&pool_lock);
    if (thread->worker == worker) {
        thread->worker = NULL;
        thread->busy = false;
        taken = true;
    }
    (void)pthread_mutex_unlock(&pool_lock);
    return taken;
}

/* Wait until one thread has done its part. */
static void wait_for_part(struct ash_grid *grid)
{
    uint32_t wait;
    if (sem_trywait(&grid->done) == 0) return;
    wait = ash_hostdev_register_work("nvshmemx_collective_launch", "threads of its kernel");
    sem_wait_always(&grid->done);
    ash_hostdev_wait_unregister(wait);
}

void ash_pool_run(struct ash_grid *grid, struct ash_worker *workers, uint32_t n)
{
    struct pool_thread *thread_of[ASH_WORKERS_MAX];
    uint32_t i, given = 0;
    if (n > 1)
        n = parts_give(grid, workers, n, thread_of);
    else
        ash_grid_divide(grid, workers, 1);
    ash_grid_runs(grid);
    ash_worker_run(&workers[0]);
    for (i = 1; i < n; i++) {
        if (part_take_back(thread_of[i], &workers[i]))
            ash_worker_run(&workers[i]);
        else
            given++;
    }
    for (i = 0; i < given; i++) wait_for_part(grid);
}

void ash_pool_stop(void)
{
    uint32_t i;
    (void)pthread_mutex_lock(&pool_lock);
    ending = true;
    (void)pthread_mutex_unlock(&pool_lock);
    for (i = 0; i < n_threads; i++) (void)sem_post(&threads[i].start);
    for (i = 0; i < n_threads; i++) {
        (void)pthread_join(threads[i].id, NULL);
        (void)sem_destroy(&threads[i].start);
    }
    (void)pthread_mutex_lock(&pool_lock);
    n_threads = 0;
    ending = false;
    (void)pthread_mutex_unlock(&pool_lock);
}
