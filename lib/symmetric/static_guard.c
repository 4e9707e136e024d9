/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Protects one piece at a time, and lets threads wait in the handler of SIGSEGV.
 */
#include "lib/symmetric/static_guard.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/hostdev/clock.h"
#include "lib/base/log.h"
#include "lib/report/crash.h"

/* A write that is refused so often for no reason of ours is an error of the program's. */
#define REFUSALS 1000u
/* How often, and at what distance, it is looked whether a thread still blocks SIGSEGV: one second,
 * for it may be off its CPU. */
#define LOOKS 5000u
#define LOOK_NS 200000u

/* The piece that is protected now; 0 bytes: none is.  Written by: the thread that moves.  Read by:
 * the handler, on any thread. */
static struct {
    uintptr_t begin;
    uint64_t nbytes;
    int protection;
    pthread_t mover;
    /* The mover itself has written to it: it is copied once more. */
    bool disturbed;
    /* All addresses that were protected until now. */
    uintptr_t low, high;
} guarded;

static bool is_guarded(uintptr_t address)
{
    uint64_t nbytes = __atomic_load_n(&guarded.nbytes, __ATOMIC_ACQUIRE);
    return address - __atomic_load_n(&guarded.begin, __ATOMIC_RELAXED) < nbytes;
}

/* In the handler of SIGSEGV: true, the access is to be made again. */
static bool wait_for_piece(const void *pointer)
{
    static __thread uintptr_t last __attribute__((tls_model("initial-exec")));
    static __thread unsigned refusals __attribute__((tls_model("initial-exec")));
    uintptr_t address = (uintptr_t)pointer;
    if (address - guarded.low >= guarded.high - guarded.low) return false;
    if (is_guarded(address) && pthread_equal(pthread_self(), guarded.mover)) {
        guarded.disturbed = true;
        return mprotect((void *)guarded.begin, guarded.nbytes, guarded.protection) == 0;
    }
    while (is_guarded(address)) sched_yield();
    refusals = address == last ? refusals + 1 : 0;
    last = address;
    return refusals < REFUSALS;
}

/* A thread that runs, and blocks SIGSEGV: the system would end the program when it writes to what
 * is protected.  One that sleeps does not write. */
static bool blocks_segv_now(const char *task)
{
    char path[64], line[128], state = 'R';
    uint64_t blocked = 0;
    FILE *file;
    snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", task);
    file = fopen(path, "re");
    /* The thread has ended. */
    if (file == NULL) return false;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "State: %c", &state) == 1) continue;
        if (sscanf(line, "SigBlk: %" SCNx64, &blocked) == 1) break;
    }
    fclose(file);
    return state != 'S' && (blocked >> (SIGSEGV - 1) & 1) != 0;
}

/* A thread that has waited for a piece blocks it until its handler has returned. */
static bool blocks_segv(const char *task)
{
    unsigned most = guarded.high != 0 ? LOOKS : 1;
    for (unsigned looks = 0; looks < most; looks++) {
        if (!blocks_segv_now(task)) return false;
        ash_sleep_ns(LOOK_NS);
    }
    return true;
}

/*
 * The first call of a function may write its address to a table.  Where this library is linked
 * into the program, that table is moved as well, so all that is called while it is read-only is
 * called once before.
 */
static void bind_calls(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) (void)mprotect(memory, page, PROT_READ);
    if (memory != MAP_FAILED) (void)madvise(memory, page, MADV_DONTNEED);
    (void)syscall(SYS_gettid);
    if (memory != MAP_FAILED) (void)munmap(memory, page);
    (void)!pread(-1, NULL, 0, 0);
    (void)lseek(-1, 0, SEEK_DATA);
    (void)pthread_self();
    sched_yield();
}

enum ash_static_guard ash_static_guard_choose(void)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *task;
    unsigned n = 0;
    bool blocked = false;
    if (tasks == NULL) return ASH_STATIC_COMPARED;
    while ((task = readdir(tasks)) != NULL) {
        if (task->d_name[0] == '.') continue;
        n++;
        /* The caller's own mask does not matter. */
        if ((pid_t)atoi(task->d_name) != gettid()) blocked |= blocks_segv(task->d_name);
    }
    closedir(tasks);
    if (n == 1) return ASH_STATIC_ALONE;
    if (blocked || !ash_crash_take_signals()) {
        ash_log(ASH_LOG_INFO, "static variables are moved without protection: SIGSEGV is %s",
                blocked ? "blocked by a thread that runs" : "the program's");
        return ASH_STATIC_COMPARED;
    }
    bind_calls();
    ash_crash_wait = wait_for_piece;
    return ASH_STATIC_PROTECTED;
}

void ash_static_guard_block(sigset_t *ret_before)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    (void)pthread_sigmask(SIG_SETMASK, &all, ret_before);
}

int ash_static_guard_begin(enum ash_static_guard guard, unsigned char *begin, uint64_t nbytes,
                           int protection)
{
    uintptr_t first = (uintptr_t)begin;
    guarded.disturbed = false;
    if (guard != ASH_STATIC_PROTECTED) return 0;
    guarded.mover = pthread_self();
    guarded.protection = protection;
    if (guarded.low == 0 || first < guarded.low) guarded.low = first;
    if (first + nbytes > guarded.high) guarded.high = first + nbytes;
    __atomic_store_n(&guarded.begin, first, __ATOMIC_RELAXED);
    /* Pairs with the acquire in is_guarded. */
    __atomic_store_n(&guarded.nbytes, nbytes, __ATOMIC_RELEASE);
    return mprotect(begin, nbytes, protection & ~PROT_WRITE) == 0 ? 0 : errno;
}

bool ash_static_guard_disturbed(void) { return guarded.disturbed; }

void ash_static_guard_end(enum ash_static_guard guard, int error)
{
    if (error != 0 && guard == ASH_STATIC_PROTECTED)
        (void)mprotect((void *)guarded.begin, guarded.nbytes, guarded.protection);
    __atomic_store_n(&guarded.nbytes, 0, __ATOMIC_RELEASE);
}
