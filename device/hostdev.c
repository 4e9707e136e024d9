/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of POSIX threads, reply lines, and what a waiting thread does.
 */
#include "device/hostdev.h"
#include "device/target.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev_observe.h"
#include "device/request.h"

_Static_assert(ASH_REPLY_LINES <= ASH_REPLY_MAX, "a request can name every reply line");

/* A waiting POSIX thread yields this often, then it sleeps. */
#define YIELDS 1000u
/*
 * Yields of a thread, in whatever waits and tests, before it sleeps; one that came back
 * at once counts for less, for nobody else wanted the CPU.
 */
#define YIELDS_AWAKE 256u
#define YIELDS_ALONE 16u
#define ALONE_NS 1000u
/* A yield that takes this long: others had the CPU for a slice, and may have more of them. */
#define SLICE_NS 1000000u
/* Where there are more PEs than CPUs, of so many yields one is timed. */
#define YIELDS_TIMED 4u
/* Turns of the proxy's work that found none between two yields, where the CPUs suffice. */
#define TURNS_PER_YIELD 8u
#define SLEEP_MIN_NS 20000u
#define SLEEP_MAX_NS 500000u
#define SLEEP_STEP_NS 1000u

__thread struct ash_context *ash_context_current __attribute__((tls_model("initial-exec")));
__thread bool ash_hostdev_runs_grid __attribute__((tls_model("initial-exec")));

/*
 * Lines given back are used first, so that few lines are touched; behind them
 * come the lines that nobody had yet, from n_fresh.
 */
static struct {
    pthread_mutex_t lock;
    uint32_t n_fresh;
    uint32_t n_back;
    uint32_t back[ASH_REPLY_LINES];
} lines = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_error;

void ash_hostdev_fail(const char *text)
{
    const struct ash_fault fault = {.kind = ASH_FAULT_HOST_DEVICE, .argument = text};
    ash_state.on_fault(&fault);
    abort();
}

/* Signals are for the program's own threads. */
int ash_hostdev_thread(pthread_t *ret_thread, void *(*run)(void *), void *argument,
                       const char *name)
{
    sigset_t all, saved;
    int rc;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &saved);
    rc = pthread_create(ret_thread, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (rc == 0) (void)pthread_setname_np(*ret_thread, name);
    return -rc;
}

bool ash_hostdev_join(pthread_t thread, int64_t seconds)
{
    struct timespec until;
    if (seconds == 0) return pthread_join(thread, NULL) == 0;
#if defined(ASH_TOOL_TSAN)
    /* ThreadSanitizer 14 does not see the other join, and ends what starts the library twice. */
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
#else
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0;
#endif
}

int ash_hostdev_replies_take(uint32_t n, uint32_t *ret_replies)
{
    uint32_t n_back, n_fresh, i;
    (void)pthread_mutex_lock(&lines.lock);
    n_back = n < lines.n_back ? n : lines.n_back;
    n_fresh = n - n_back;
    if (n_fresh > ASH_REPLY_LINES - lines.n_fresh) {
        (void)pthread_mutex_unlock(&lines.lock);
        return -ENOMEM;
    }
    lines.n_back -= n_back;
    memcpy(ret_replies, &lines.back[lines.n_back], n_back * sizeof(*ret_replies));
    for (i = n_back; i < n; i++)
        ret_replies[i] = lines.n_fresh++;
    (void)pthread_mutex_unlock(&lines.lock);
    return 0;
}

void ash_hostdev_replies_give(uint32_t n, const uint32_t *replies)
{
    (void)pthread_mutex_lock(&lines.lock);
    memcpy(&lines.back[lines.n_back], replies, n * sizeof(*replies));
    lines.n_back += n;
    (void)pthread_mutex_unlock(&lines.lock);
}

uint32_t ash_hostdev_replies_taken(void)
{
    uint32_t n;
    (void)pthread_mutex_lock(&lines.lock);
    n = lines.n_fresh - lines.n_back;
    (void)pthread_mutex_unlock(&lines.lock);
    return n;
}

/* Reserve a reply line.  Aborts when all are taken. */
static uint32_t reply_take(void)
{
    uint32_t reply;
    if (ash_hostdev_replies_take(1, &reply) != 0)
        ash_hostdev_fail("more threads wait for answers than there are reply lines");
    return reply;
}

void ash_hostdev_reply_renew(struct ash_context *context)
{
    context->reply = reply_take();
}

static void reply_give(uint32_t reply)
{
    ash_hostdev_replies_give(1, &reply);
}

/* Destructors of the program's own keys may still call us: they attach anew. */
static void context_end(void *pointer)
{
    struct ash_context *context = pointer;
    ash_context_current = NULL;
    /* Cancelled: an answer that comes late must not be taken for the next owner's. */
    if (!context->asks) reply_give(context->reply);
    free(context);
}

static void key_make(void)
{
    key_error = pthread_key_create(&key, context_end);
}

struct ash_context *ash_hostdev_attach(void)
{
    struct ash_context *context = ash_context_current;
    if (context != NULL) return context;
    (void)pthread_once(&key_once, key_make);
    context = malloc(sizeof(*context));
    if (context == NULL || key_error != 0 || pthread_setspecific(key, context) != 0)
        ash_hostdev_fail("no memory for the context of a thread");
    context->reply = reply_take();
    context->in_grid = false;
    context->asks = false;
    context->observed = NULL;
    ash_context_current = context;
    return context;
}

void ash_hostdev_detach(void)
{
    struct ash_context *context = ash_context_current;
    if (context == NULL || context->in_grid) return;
    (void)pthread_setspecific(key, NULL);
    context_end(context);
}

uint32_t ash_hostdev_pauses = ASH_HOSTDEV_PAUSES;
uint32_t ash_hostdev_crowd = 1;
/* Slices that others had while this POSIX thread yielded. */
static __thread uint32_t slices __attribute__((tls_model("initial-exec")));

/* Not where a thread can be cancelled: before a wait is noted, it may have a place in the ring. */
static void nap_here(const struct timespec *time)
{
    int state;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, time, NULL);
    (void)pthread_setcancelstate(state, NULL);
}

/*
 * Linux puts off who yields, each time by a whole slice, and forgets that when the
 * thread sleeps.  Threads that yield for long and never sleep, as a loop of tests
 * does, leave each other without a CPU for seconds.  A sleep takes 50 us, so where
 * nobody else wants the CPU, which Linux sees as well, it would only be late.
 */
void ash_hostdev_give_way(void)
{
    static __thread uint32_t put_off __attribute__((tls_model("initial-exec")));
    static __thread uint32_t yields __attribute__((tls_model("initial-exec")));
    const struct timespec moment = {0, 1};
    /* More PEs than CPUs: somebody does want it. */
    bool may_be_alone = ash_hostdev_crowd <= 1;
    bool timed = may_be_alone || yields++ % YIELDS_TIMED == 0;
    uint64_t began = timed ? ash_now_ns() : 0, took;
    (void)sched_yield();
    took = timed ? ash_now_ns() - began : 0;
    if (took >= SLICE_NS) slices++;
    put_off += may_be_alone && took < ALONE_NS ? 1 : YIELDS_ALONE;
    if (put_off < YIELDS_AWAKE * YIELDS_ALONE) return;
    put_off = 0;
    nap_here(&moment);
}

/* The proxy's work is likely what we wait for: better than waking it. */
static void help_or_give_way(uint32_t turns)
{
    bool spare = ash_hostdev_crowd <= 1 && turns % TURNS_PER_YIELD != 0;
    if (ash_state.help != NULL && (ash_state.help() || spare)) return;
    ash_hostdev_give_way();
}

void ash_hostdev_rest(uint32_t turns)
{
    struct timespec time = {0, SLEEP_MAX_NS};
    if (turns < YIELDS) {
        help_or_give_way(turns);
        return;
    }
    if (turns == YIELDS && ash_state.hand_over != NULL) ash_state.hand_over();
    if (turns - YIELDS < (SLEEP_MAX_NS - SLEEP_MIN_NS) / SLEEP_STEP_NS)
        time.tv_nsec = SLEEP_MIN_NS + (long)(turns - YIELDS) * SLEEP_STEP_NS;
    /* A signal may end the sleep early: the caller looks again anyway. */
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

bool ash_hostdev_yield(uint32_t turns)
{
    struct ash_context *context = ash_context_current;
    uint32_t before = slices;
    if (context != NULL && context->in_grid)
        ash_hostdev_switch(context, turns);
    else
        ash_hostdev_rest(turns);
    return slices != before;
}

/* A full counter of a non-blocking eventfd (EAGAIN) wakes the proxy as well. */
void ash_hostdev_wake(int fd)
{
    static const uint64_t one = 1;
    int cancel;
    /* A thread that is cancelled here has told that it would wake the proxy. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    while (write(fd, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
    (void)pthread_setcancelstate(cancel, NULL);
}
