/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list under a mutex: few locks are in use at a time.
 */
#include "device/hostdev/lock_table.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t mutex;
    struct ash_lock_use *first;
} table = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct ash_lock_use *find(const void *lock)
{
    struct ash_lock_use *use = table.first;
    while (use != NULL && use->lock != lock) use = use->following;
    return use;
}

static struct ash_lock_use *add(const void *lock)
{
    struct ash_lock_use *use = (struct ash_lock_use *)calloc(1, sizeof(*use));
    if (use == NULL) return NULL;
    use->lock = lock;
    use->following = table.first;
    table.first = use;
    return use;
}

static void drop(struct ash_lock_use *use)
{
    struct ash_lock_use **link = &table.first;
    while (*link != use) link = &(*link)->following;
    *link = use->following;
    free(use);
}

struct ash_lock_use *ash_hostdev_lock_enter(const void *lock, uint32_t *ret_ticket)
{
    struct ash_lock_use *use;
    pthread_mutex_lock(&table.mutex);
    use = find(lock);
    if (use == NULL) use = add(lock);
    if (use != NULL) *ret_ticket = use->next++;
    pthread_mutex_unlock(&table.mutex);
    return use;
}

struct ash_lock_use *ash_hostdev_lock_try(const void *lock, bool *ret_busy)
{
    struct ash_lock_use *use = NULL;
    pthread_mutex_lock(&table.mutex);
    *ret_busy = find(lock) != NULL;
    if (!*ret_busy) use = add(lock);
    if (use != NULL) use->next++;
    pthread_mutex_unlock(&table.mutex);
    return use;
}

void ash_hostdev_lock_acquired(struct ash_lock_use *use)
{
    pthread_mutex_lock(&table.mutex);
    use->held = true;
    pthread_mutex_unlock(&table.mutex);
}

struct ash_lock_use *ash_hostdev_lock_release(const void *lock)
{
    struct ash_lock_use *use;
    pthread_mutex_lock(&table.mutex);
    use = find(lock);
    if (use != NULL && !use->held) use = NULL;
    if (use != NULL) use->held = false;
    pthread_mutex_unlock(&table.mutex);
    return use;
}

bool ash_hostdev_lock_leave(struct ash_lock_use *use)
{
    bool others;
    pthread_mutex_lock(&table.mutex);
    others = use->turn + 1 != use->next;
    __atomic_store_n(&use->turn, use->turn + 1, __ATOMIC_RELEASE);
    if (!others) drop(use);
    pthread_mutex_unlock(&table.mutex);
    return others;
}

void ash_hostdev_locks_forget(void)
{
    pthread_mutex_lock(&table.mutex);
    while (table.first != NULL) drop(table.first);
    pthread_mutex_unlock(&table.mutex);
}
