/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sequence lock for each entry: `use` grows by 4 with each wait, through free, taken,
 * filled, and free again with the next number.  A reader that finds it filled, and finds
 * the same value after it has copied, has a copy of one wait (W0 -> V0).
 */
#include "device/hostdev/wait_table.h"

#include <pthread.h>
#include <string.h>

#include "device/hostdev/clock.h"
#include "device/hostdev/grid.h"
#include "device/state/state.h"

#define TAKEN 1u
#define FILLED 2u
#define STATES 4u
#define UNLISTED (ASH_WAIT_ENTRIES + 1)
#define WORDS (sizeof(struct ash_wait_entry) / sizeof(uint64_t))

_Static_assert(sizeof(struct ash_wait_entry) % sizeof(uint64_t) == 0, "copied in words");

static struct {
    /* Written by: any thread that takes a free entry, then its owner.  Read by: all. */
    uint64_t use;
    /* A struct ash_wait_entry.  Written by: the owner.  Read by: all. */
    uint64_t word[WORDS];
} table[ASH_WAIT_ENTRIES + 1];

/* Waits of all threads that found no entry.  Read and written by: all. */
static uint32_t unlisted;

void (*ash_hostdev_wait_hook)(void);

/* The calling thread's waits that found no entry; the variable's address names the thread. */
static __thread uint32_t own_unlisted __attribute__((tls_model("initial-exec")));
/* The calling thread's end gives its entries back. */
static __thread bool watched __attribute__((tls_model("initial-exec")));

/* What the calling thread's cancelability was before hold_caller. */
static __thread int kept_state __attribute__((tls_model("initial-exec")));
static __thread bool held __attribute__((tls_model("initial-exec")));

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_error;

static uint64_t owner_of_caller(void) { return (uintptr_t)&own_unlisted; }

static bool is_callers(uint32_t number)
{
    const size_t owner = offsetof(struct ash_wait_entry, owner) / sizeof(uint64_t);
    return __atomic_load_n(&table[number].use, __ATOMIC_ACQUIRE) % STATES == (TAKEN | FILLED) &&
           __atomic_load_n(&table[number].word[owner], __ATOMIC_RELAXED) == owner_of_caller();
}

/* The thread ends, so it has left all waits that it still has in the table. */
static void leave_all(void *unused)
{
    (void)unused;
    watched = false;
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++)
        if (is_callers(i)) ash_hostdev_wait_unregister(i);
    __atomic_fetch_sub(&unlisted, own_unlisted, __ATOMIC_RELAXED);
    own_unlisted = 0;
}

static void key_make(void) { key_error = pthread_key_create(&key, leave_all); }

/* A key's destructor is the only thing that runs however a thread ends. */
static void watch_caller(void)
{
    if (watched) return;
    (void)pthread_once(&key_once, key_make);
    watched = true;
    if (key_error == 0) (void)pthread_setspecific(key, &table);
}

/*
 * Take a free entry; 0 if there is none.  The acquire pairs with the release of the entry in
 * ash_hostdev_wait_unregister: its last owner is done with it.
 */
static uint32_t take(void)
{
    static uint32_t next;
    uint32_t first = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < ASH_WAIT_ENTRIES; i++) {
        uint32_t number = (first + i) % ASH_WAIT_ENTRIES + 1;
        uint64_t use = __atomic_load_n(&table[number].use, __ATOMIC_RELAXED);
        if (use % STATES == 0 &&
            __atomic_compare_exchange_n(&table[number].use, &use, use + TAKEN, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return number;
    }
    return 0;
}

/* `use` of an entry that the caller has taken: no other thread changes it. */
static uint64_t own_use(uint32_t number)
{
    return __atomic_load_n(&table[number].use, __ATOMIC_RELAXED);
}

static void fill(uint32_t number, const struct ash_wait_entry *entry)
{
    uint64_t words[WORDS];
    memcpy(words, entry, sizeof(words));
    /* Pairs with the acquire fence in ash_hostdev_wait_read: a reader that saw one of the words
     * below sees that the entry is taken when it reads `use` again. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (size_t i = 0; i < WORDS; i++)
        __atomic_store_n(&table[number].word[i], words[i], __ATOMIC_RELAXED);
    /* W0 pairs with V0: a reader that sees the entry filled sees all words. */
    __atomic_store_n(&table[number].use, own_use(number) + FILLED, __ATOMIC_RELEASE); /* W0 */
}

/* Fill in where in a grid the caller is. */
static void locate(struct ash_wait_entry *entry)
{
    const struct anyshmem_thread *where = anyshmem_this_thread();
    const struct anyshmem_index *b = &where->block, *t = &where->thread;
    entry->block = entry->thread = -1;
    if (!ash_hostdev_in_grid()) return;
    entry->block = (int32_t)(b->x + where->grid_dim.x * (b->y + where->grid_dim.y * b->z));
    entry->thread = (int32_t)(t->x + where->block_dim.x * (t->y + where->block_dim.y * t->z));
}

/* Keep the caller from being cancelled in a wait that is bound (state/wait_info.h). */
static void hold_caller(void)
{
    if (!held && !ash_hostdev_in_grid())
        held = pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &kept_state) == 0;
}

static void release_caller(void)
{
    if (held) (void)pthread_setcancelstate(kept_state, NULL);
    held = false;
}

/* A wait that lasts is a deadlock if it is in a signal handler, and the signal has interrupted its
 * thread in the proxy's work. */
static void check_interrupted(const struct ash_wait_info *info)
{
    const struct ash_fault fault = {
        .kind = ASH_FAULT_INTERRUPTED,
        .function = info->function != NULL ? info->function : "a routine"};
    if (info->kind < ASH_WAIT_FOR_CALL && ash_state.interrupted != NULL && ash_state.interrupted())
        ash_state.on_fault(&fault);
}

uint32_t ash_hostdev_wait_register(const struct ash_wait_info *info)
{
    struct ash_wait_entry entry = {.info = *info, .owner = owner_of_caller()};
    uint32_t number;
    check_interrupted(info);
    number = take();
    if (ash_hostdev_wait_hook != NULL) ash_hostdev_wait_hook();
    if (info->bound) hold_caller();
    watch_caller();
    if (number == 0) {
        own_unlisted++;
        __atomic_fetch_add(&unlisted, 1, __ATOMIC_RELAXED);
        return UNLISTED;
    }
    entry.began = (int64_t)ash_now_ns();
    locate(&entry);
    fill(number, &entry);
    return number;
}

void ash_hostdev_wait_unregister(uint32_t number)
{
    release_caller();
    if (number == UNLISTED) {
        own_unlisted--;
        __atomic_fetch_sub(&unlisted, 1, __ATOMIC_RELAXED);
        return;
    }
    /* Pairs with the acquire in take. */
    __atomic_store_n(&table[number].use, own_use(number) - TAKEN - FILLED + STATES,
                     __ATOMIC_RELEASE);
}

bool ash_hostdev_wait_read(uint32_t number, struct ash_wait_entry *ret_entry, uint64_t *ret_use)
{
    uint64_t words[WORDS], use = __atomic_load_n(&table[number].use, __ATOMIC_ACQUIRE); /* V0 */
    if (use % STATES != (TAKEN | FILLED)) return false;
    for (size_t i = 0; i < WORDS; i++)
        words[i] = __atomic_load_n(&table[number].word[i], __ATOMIC_RELAXED);
    /* Pairs with the release fence in fill: if a word is of a later wait, `use` has changed. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&table[number].use, __ATOMIC_RELAXED) != use) return false;
    memcpy(ret_entry, words, sizeof(*ret_entry));
    *ret_use = use;
    return true;
}

uint32_t ash_hostdev_waits_unlisted(void)
{
    return __atomic_load_n(&unlisted, __ATOMIC_RELAXED);
}

/* A signal handler may have forked within a wait: that wait's entry stays, its thread is here. */
void ash_hostdev_waits_forget(void)
{
    for (uint32_t i = 1; i <= ASH_WAIT_ENTRIES; i++)
        if (!is_callers(i)) table[i].use = (table[i].use + STATES - 1) / STATES * STATES;
    unlisted = own_unlisted;
}

static uint32_t begin(enum ash_wait_kind kind, const char *function, const char *argument)
{
    const struct ash_wait_info info = {
        .function = function, .argument = argument, .kind = (uint8_t)kind};
    return ash_hostdev_wait_register(&info);
}

uint32_t ash_hostdev_register_call(const char *function, const char *argument)
{
    return begin(ASH_WAIT_FOR_CALL, function, argument);
}

uint32_t ash_hostdev_register_work(const char *function, const char *argument)
{
    return begin(ASH_WAIT_FOR_WORK, function, argument);
}
