/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of POSIX threads, each found by a thread-local pointer and freed by the destructor
 * of a key; reply lines, from a list under a lock.
 */
#include "device/hostdev/hostdev.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "device/hostdev/fiber.h"
#include "device/state/state.h"

__thread struct ash_context *ash_context_current __attribute__((tls_model("initial-exec")));

/*
 * Lines given back are used first, so that few lines are touched; then the lines that
 * no context has had yet, from n_fresh on.
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

void ash_hostdev_fail_kernel(const char *text)
{
    const struct ash_fault fault = {.kind = ASH_FAULT_KERNEL, .argument = text};
    ash_state.on_fault(&fault);
    abort();
}

/* All signals are blocked in the thread: they are for the program's own threads.  But not those of
 * what a thread itself does wrong, which would end the program without a word.  abort() is one of
 * them: from glibc 2.41 on, it ends the program at once where its signal is blocked. */
int ash_hostdev_thread(pthread_t *ret_thread, void *(*run)(void *), void *argument,
                       const char *name)
{
    sigset_t all, saved;
    int rc;
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGSEGV);
    (void)sigdelset(&all, SIGBUS);
    (void)sigdelset(&all, SIGFPE);
    (void)sigdelset(&all, SIGILL);
    (void)sigdelset(&all, SIGABRT);
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
    /* ThreadSanitizer 14 does not see the other join, and ends a program that starts the library
     * twice. */
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

/* Take a reply line.  Ends the job if all are taken. */
static uint32_t reply_take(void)
{
    uint32_t reply;
    if (ash_hostdev_replies_take(1, &reply) != 0)
        ash_hostdev_fail("more threads wait for replies than there are reply lines");
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

/* Destructors of the program's own keys may still call the library: they attach anew. */
static void context_end(void *pointer)
{
    struct ash_context *context = pointer;
    ash_context_current = NULL;
    /* Not if it was cancelled in a wait: a late reply must not be taken for the next owner's. */
    if (!context->awaits_reply) reply_give(context->reply);
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
        ash_hostdev_fail("out of memory for the context of a thread");
    context->reply = reply_take();
    context->in_grid = false;
    context->awaits_reply = false;
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
