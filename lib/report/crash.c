/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL: a kernel's fault ends the program with a
 * message.  It runs on a stack of its own, because the kernel's may be what is too small.
 */
#include "lib/report/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "device/hostdev/running.h"
#include "lib/base/fault.h"
#include "lib/base/place.h"

#define CALLS 32
#define TEXT 256

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* Who had them before. */
static struct sigaction before[N_SIGNALS];

bool (*ash_crash_wait)(const void *address);
bool (*ash_crash_look)(const struct ash_crash *crash, char *ret_text, size_t nbytes);

static const void *program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

static bool is_write(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return false;
#endif
}

/* The calls from the one on that the signal has interrupted. */
static int calls_of(const void *site, void **ret_calls)
{
    int n = backtrace(ret_calls, CALLS), i;
    for (i = 0; i < n; i++)
        if (ret_calls[i] == site) break;
    if (i == n) return 0;
    memmove(ret_calls, ret_calls + i, (size_t)(n - i) * sizeof(*ret_calls));
    return n - i;
}

static void describe(int number, const siginfo_t *info, const struct ash_crash *crash,
                     char *ret_text, size_t nbytes)
{
    size_t stack_nbytes;
    switch (number) {
    case SIGFPE:
        snprintf(ret_text, nbytes, "division of an integer by zero, which has no result on a GPU");
        return;
    case SIGILL: snprintf(ret_text, nbytes, "trap, or an instruction that there is not"); return;
    default: break;
    }
    if (ash_hostdev_overflows(crash->address, &stack_nbytes))
        snprintf(ret_text, nbytes, "the stack of %zu bytes is too small, see "
                                   "ANYSHMEM_HOSTDEV_STACK: overflow",
                 stack_nbytes);
    else if (info->si_code == SI_KERNEL)
        snprintf(ret_text, nbytes, "illegal memory access, to an address that no memory can have");
    else
        snprintf(ret_text, nbytes, "illegal memory access: %s of 0x%" PRIxPTR,
                 crash->write ? "write" : "read", (uintptr_t)crash->address);
}

/* As the system would have done it without this handler. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    size_t i = 0;
    while (signals[i] != number) i++;
    if (before[i].sa_flags & SA_SIGINFO) {
        before[i].sa_sigaction(number, info, context);
    } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
        before[i].sa_handler(number);
    } else {
        /* The access is made again, and ends the program. */
        (void)sigaction(number, &before[i], NULL);
        if (info->si_code <= 0) (void)raise(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    char text[TEXT], more[TEXT] = "", place[ASH_PLACE_TEXT], all[2 * TEXT + ASH_PLACE_TEXT + 8];
    struct ash_fault fault = {.kind = ASH_FAULT_KERNEL, .argument = all};
    struct ash_crash crash = {.address = info->si_addr, .write = is_write(context)};
    struct ash_waiting_group unused;
    const char *name;
    void *calls[CALLS];
    /* Somebody has sent it. */
    bool sent = info->si_code <= 0;
    if (!sent && number == SIGSEGV && ash_crash_wait != NULL && ash_crash_wait(info->si_addr))
        return;
    crash.site = program_counter(context);
    crash.n_calls = sent ? 0 : calls_of(crash.site, calls);
    crash.calls = calls;
    if (!sent && ash_crash_look != NULL && number != SIGFPE && number != SIGILL &&
        ash_crash_look(&crash, more, sizeof(more)))
        return;
    if (sent || !ash_hostdev_place(&name, &unused)) {
        pass_on(number, info, context);
        return;
    }
    describe(number, info, &crash, text, sizeof(text));
    /* The place is that of the byte before, so of this instruction. */
    ash_place_text((const char *)crash.site + 1, place, sizeof(place));
    snprintf(all, sizeof(all), "%s%s at %s", text, more, place);
    ash_fault_report(&fault);
}

/* UCX has a handler of its own, which only prints; no program asked for it. */
static bool is_free(const struct sigaction *action)
{
    Dl_info info;
    if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL) return true;
    return dladdr((void *)(uintptr_t)action->sa_sigaction, &info) != 0 &&
           info.dli_fname != NULL && strstr(info.dli_fname, "/libucs") != NULL;
}

static void take_signals(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *unused[1];
    size_t i;
    /* The first call loads a library. */
    (void)backtrace(unused, 1);
    sigemptyset(&action.sa_mask);
    for (i = 0; i < N_SIGNALS; i++)
        if (sigaction(signals[i], NULL, &before[i]) == 0 && is_free(&before[i]))
            (void)sigaction(signals[i], &action, NULL);
}

bool ash_crash_take_signals(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct sigaction now;
    (void)pthread_once(&once, take_signals);
    return sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
           now.sa_sigaction == on_fault;
}
