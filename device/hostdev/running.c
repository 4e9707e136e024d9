/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list of the grids that run, under a lock, which a report holds while it reads the fibers of
 * their workers.  What these write meanwhile is read as it is: a report may be a moment late.
 */
#include "device/hostdev/running.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "device/hostdev/grid.h"
#include "device/hostdev/loop.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ash_grid *first;

void ash_grid_runs(struct ash_grid *grid)
{
    (void)pthread_mutex_lock(&lock);
    grid->next = first;
    first = grid;
    (void)pthread_mutex_unlock(&lock);
}

struct ash_stacks *ash_worker_ended(struct ash_worker *worker)
{
    struct ash_stacks *stacks;
    (void)pthread_mutex_lock(&lock);
    stacks = worker->stacks;
    worker->stacks = NULL;
    (void)pthread_mutex_unlock(&lock);
    return stacks;
}

void ash_worker_loops(struct ash_worker *worker, const struct ash_loop *loop)
{
    (void)pthread_mutex_lock(&lock);
    worker->loop = loop;
    (void)pthread_mutex_unlock(&lock);
}

void ash_grid_ended(struct ash_grid *grid)
{
    struct ash_grid **link = &first;
    (void)pthread_mutex_lock(&lock);
    while (*link != NULL && *link != grid) link = &(*link)->next;
    if (*link != NULL) *link = grid->next;
    (void)pthread_mutex_unlock(&lock);
}

void ash_grids_forget(void)
{
    (void)pthread_mutex_init(&lock, NULL);
    first = NULL;
}

static const char *const names[ASH_WAITS] = {
    [ASH_WAITS_FOR_BLOCK] = "__syncthreads",   [ASH_WAITS_FOR_WARP] = "__syncwarp",
    [ASH_WAITS_FOR_GROUP] = "its group, in a routine",
    [ASH_WAITS_FOR_BARRIER] = "bar.sync",      [ASH_WAITS_FOR_GRID] = "the grid's barrier",
    [ASH_WAITS_FOR_POLL] = "what it polls",    [ASH_WAITS_FOR_LANES] = "__syncwarp",
    [ASH_WAITS_FOR_SHUFFLE] = "__shfl_sync",   [ASH_WAITS_FOR_VOTE] = "__ballot_sync and the like",
    [ASH_WAITS_FOR_MATCH] = "__match_sync",    [ASH_WAITS_FOR_REDUCE] = "__reduce_sync",
    [ASH_WAITS_FOR_ACTIVE] = "__activemask"};

/* Of a thread that runs, `waiting` may be a place on its stack that has something else now. */
static struct ash_waiting_group group_of(const struct ash_grid_fiber *fiber)
{
    const struct ash_waiting *waiting = __atomic_load_n(&fiber->waiting, __ATOMIC_ACQUIRE);
    struct ash_waiting_group group;
    memset(&group, 0, sizeof(group));
    group.block = fiber->where.block;
    group.thread = fiber->where.thread;
    group.n = 1;
    if (waiting == NULL || waiting->what >= ASH_WAITS || names[waiting->what] == NULL) return group;
    group.what = names[waiting->what];
    group.detail = waiting->detail;
    group.site = waiting->site;
    return group;
}

static bool is_same(const struct ash_waiting_group *a, const struct ash_waiting_group *b)
{
    return memcmp(&a->block, &b->block, sizeof(a->block)) == 0 && a->what == b->what &&
           a->detail == b->detail && a->site == b->site;
}

static void add(struct ash_running_grid *to, const struct ash_grid_fiber *fiber)
{
    struct ash_waiting_group group = group_of(fiber);
    uint32_t i = 0;
    to->n_threads++;
    while (i < to->n_groups && !is_same(&to->group[i], &group)) i++;
    if (i == ASH_REPORT_GROUPS) {
        to->n_others++;
    } else if (i == to->n_groups) {
        to->group[to->n_groups++] = group;
    } else {
        to->group[i].n++;
    }
}

/* A block that is a loop: which thread has its turn is not known. */
static void add_loop(struct ash_running_grid *to, const struct ash_loop *loop)
{
    struct ash_waiting_group group;
    memset(&group, 0, sizeof(group));
    group.block = loop->block;
    group.n = loop->grid->block_threads;
    to->n_threads += group.n;
    if (to->n_groups == ASH_REPORT_GROUPS)
        to->n_others += group.n;
    else
        to->group[to->n_groups++] = group;
}

static void add_worker(struct ash_running_grid *to, const struct ash_worker *worker)
{
    const struct ash_stacks *stacks = worker->stacks;
    uint32_t i;
    if (worker->loop != NULL) add_loop(to, worker->loop);
    for (; stacks != NULL; stacks = stacks->next)
        for (i = 0; i < stacks->n_made; i++)
            if (stacks->fiber[i].warp != NULL) add(to, &stacks->fiber[i]);
}

void ash_grids_describe(void (*each)(const struct ash_running_grid *grid))
{
    const struct ash_grid *grid;
    uint32_t i;
    (void)pthread_mutex_lock(&lock);
    for (grid = first; grid != NULL; grid = grid->next) {
        struct ash_running_grid described;
        memset(&described, 0, sizeof(described));
        described.name = grid->launch->name;
        described.grid_dim = grid->launch->grid_dim;
        described.block_dim = grid->launch->block_dim;
        for (i = 0; i < grid->n_workers; i++) add_worker(&described, &grid->workers[i]);
        each(&described);
    }
    (void)pthread_mutex_unlock(&lock);
}

static void place_of_loop(struct ash_loop *loop, const char **ret_name,
                          struct ash_waiting_group *ret_place)
{
    memset(ret_place, 0, sizeof(*ret_place));
    *ret_name = loop->grid->launch->name;
    ret_place->block = loop->block;
    ret_place->thread = ash_loop_where(loop)->thread;
    ret_place->n = loop->thread != ASH_LOOP_NO_THREAD;
}

bool ash_hostdev_place(const char **ret_name, struct ash_waiting_group *ret_place)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    if (ash_loop_current != NULL) {
        place_of_loop(ash_loop_current, ret_name, ret_place);
        return true;
    }
    if (self == NULL) return false;
    *ret_name = self->worker->grid->launch->name;
    *ret_place = group_of(self);
    /* Who calls does not poll now. */
    if (self->waiting == &self->polling) ret_place->what = NULL;
    return true;
}

bool ash_hostdev_in_kernel(void)
{
    return ash_loop_current != NULL || ash_grid_caller() != NULL;
}

bool ash_hostdev_overflows(const void *address, size_t *ret_nbytes)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    uintptr_t distance;
    if (self == NULL) return false;
    *ret_nbytes = self->fiber.nbytes;
    distance = (uintptr_t)self->fiber.stack - (uintptr_t)address - 1;
    return distance < (uintptr_t)sysconf(_SC_PAGESIZE);
}

static bool is_in(const void *address, const void *start, size_t nbytes, uintptr_t *ret_start,
                  size_t *ret_nbytes)
{
    if ((uintptr_t)address - (uintptr_t)start >= nbytes) return false;
    *ret_start = (uintptr_t)start;
    *ret_nbytes = nbytes;
    return true;
}

bool ash_hostdev_owns(const void *address, uintptr_t *ret_start, size_t *ret_nbytes)
{
    const struct ash_grid_fiber *self = ash_grid_caller();
    const struct ash_stacks *stacks;
    const struct ash_shared *shared;
    const struct ash_block *block;
    if (self == NULL) return false;
    block = self->warp->block;
    for (stacks = self->worker->stacks; stacks != NULL; stacks = stacks->next)
        if (is_in(address, stacks, stacks->nbytes, ret_start, ret_nbytes)) return true;
    for (shared = block->variables; shared != NULL; shared = shared->next)
        if (is_in(address, shared->memory, shared->nbytes, ret_start, ret_nbytes)) return true;
    return block->shared != NULL &&
           is_in(address, block->shared, self->worker->grid->launch->shared_nbytes, ret_start,
                 ret_nbytes);
}
