/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks a launch, runs it as a grid, and copies it for a queue.
 */
#include "device/hostdev/launch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/grid.h"
#include "device/state/state.h"

/* Vectors and structures of programs ask for no more. */
#define VALUE_ALIGNMENT 128u

const uint32_t ash_hostdev_resident_max = ASH_RESIDENT_MAX;
bool (*ash_kernel_find)(const void *func, struct ash_launch *ret_launch);
void (*ash_launch_look)(bool begins);

int ash_launch_check(const struct ash_launch *launch)
{
    struct ash_grid grid;
    return ash_grid_describe(&grid, launch);
}

static void configure(void)
{
    if (ash_state.n_pes == 0 && ash_hostdev_configure != NULL) ash_hostdev_configure();
}

int ash_launch_run(const struct ash_launch *launch)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ash_grid grid;
    int cancel, rc = ash_grid_describe(&grid, launch);
    (void)pthread_once(&once, configure);
    if (rc != 0) return rc;
    /* A thread that is cancelled in here would leave a grid behind that is on its stack. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (ash_launch_look != NULL) ash_launch_look(true);
    rc = ash_grid_launch(&grid);
    if (ash_launch_look != NULL) ash_launch_look(false);
    (void)pthread_setcancelstate(cancel, NULL);
    return rc;
}

/* So many bytes, up to where the next value may begin. */
static size_t aligned(size_t nbytes)
{
    return (nbytes + VALUE_ALIGNMENT - 1) & ~(size_t)(VALUE_ALIGNMENT - 1);
}

/* One block of memory: the launch, the pointers, the values, the name. */
struct ash_kept_launch *ash_launch_copy(const struct ash_launch *launch)
{
    const char *name = launch->name != NULL ? launch->name : "";
    size_t args_at = aligned(sizeof(struct ash_kept_launch));
    size_t values_at = aligned(args_at + launch->n_args * sizeof(void *));
    size_t nbytes = values_at, name_nbytes = strlen(name) + 1;
    struct ash_kept_launch *kept;
    char *memory;
    uint32_t i;
    for (i = 0; i < launch->n_args; i++) nbytes += aligned(launch->sizes[i]);
    if (posix_memalign((void **)&memory, VALUE_ALIGNMENT, nbytes + name_nbytes) != 0) return NULL;
    kept = (struct ash_kept_launch *)(void *)memory;
    *kept = (struct ash_kept_launch){.launch = *launch, .n_users = 1};
    if (launch->name != NULL) kept->launch.name = memcpy(memory + nbytes, name, name_nbytes);
    kept->launch.args = (void **)(void *)(memory + args_at);
    nbytes = values_at;
    for (i = 0; i < launch->n_args; i++) {
        kept->launch.args[i] = memcpy(memory + nbytes, launch->args[i], launch->sizes[i]);
        nbytes += aligned(launch->sizes[i]);
    }
    return kept;
}

void ash_launch_keep(struct ash_kept_launch *kept)
{
    (void)__atomic_fetch_add(&kept->n_users, 1, __ATOMIC_RELAXED);
}

/* The release and the acquire: what each user did comes before the memory is freed. */
void ash_launch_drop(struct ash_kept_launch *kept)
{
    if (__atomic_sub_fetch(&kept->n_users, 1, __ATOMIC_ACQ_REL) == 0) free(kept);
}
