/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests with random bits wrong: the job goes on, if the changed request is valid, or
 * ends with the message of a bad request; nothing else may happen.
 *
 * Each case is a child, a job of one PE whose own heap is reached through the
 * channel, the proxy and UCX.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvshmem.h>

#include "device/channel/channel.h"
#include "lib/base/cause.h"
#include "tests/unit/child.h"

#define LIMIT_SECONDS 20
#define HEAP 65536u
#define CHILDREN 12
#define REQUESTS 400
/* On average one of this many requests has wrong bits. */
#define SELDOM 8

struct job {
    const char *remote;
    unsigned seed;
    /* Some bits of some requests are wrong. */
    bool corrupts;
};

static unsigned char memory[2 * HEAP];

static bool copies(unsigned op)
{
    return op == ASH_OP_PUT || op == ASH_OP_GET || op == ASH_OP_PUT_SIGNAL;
}

static struct ash_request right_request(void)
{
    static const unsigned ops[] = {ASH_OP_PUT, ASH_OP_GET, ASH_OP_PUT_SIGNAL, ASH_OP_ADD,
                                   ASH_OP_INLINE, ASH_OP_P, ASH_OP_FETCH_XOR, ASH_OP_SIGNAL_ADD,
                                   ASH_OP_FENCE, ASH_OP_SET};
    unsigned op = ops[random() % 10];
    unsigned aux = op == ASH_OP_INLINE ? 16 : op == ASH_OP_FETCH_XOR ? 1 : 0;
    return (struct ash_request){{ASH_WORD0(op, 3, 0, aux), (uint64_t)random() % 4096 + 1,
                                 (uintptr_t)memory, (uint64_t)random() % 7000 * 8, 1,
                                 (uint64_t)random() % 8000 * 8}};
}

/* Flip one to three bits outside the tags. */
static void corrupt(struct ash_request *request)
{
    for (long n = random() % 3; n >= 0; n--) {
        static const unsigned char words[] = {0, 0, 1, 3, 4, 5};
        unsigned word = words[random() % 6], bits = word == 0 || word == 3 ? 48 : 64;
        request->word[word] ^= UINT64_C(1) << random() % bits;
    }
    /* The proxy cannot check an address of the caller's own memory, so this one stays valid. */
    if (copies(ash_request_op(request))) request->word[2] = (uintptr_t)memory;
}

/* In the child: does not return. */
static void run(const void *what)
{
    const struct job *job = what;
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    alarm(LIMIT_SECONDS);
    srandom(job->seed);
    setenv("ANYSHMEM_DISABLE_DIRECT", "all", 1);
    setenv("ANYSHMEM_REMOTE", job->remote, 1);
    setenv("NVSHMEM_SYMMETRIC_SIZE", "64K", 1);
    nvshmem_init();
    for (int i = 0; i < REQUESTS; i++) {
        struct ash_request request = right_request();
        if (job->corrupts && random() % SELDOM == 0) corrupt(&request);
        ash_channel_push_long(ash_state.channel, request.word);
    }
    nvshmem_quiet();
    _exit(0);
}

static void test_corrupted_requests_complete_or_are_refused(void **state)
{
    const char *remote = *state;
    unsigned ended = 0;
    for (unsigned seed = 1; seed <= CHILDREN; seed++) {
        const struct job job = {remote, seed, true};
        char text[4096];
        int status;
        run_child(run, &job, text, sizeof(text), &status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != ASH_EXIT_FATAL ||
            strstr(text, "error: proxy: bad request: op ") == NULL)
            fail_msg("seed %u: status 0x%x: %s", seed, status, text);
        ended++;
    }
    assert_true(ended > CHILDREN / 2);
}

/* The same requests without a wrong bit are valid. */
static void test_uncorrupted_requests_complete(void **state)
{
    const struct job job = {*state, 1, false};
    char text[4096];
    int status;
    run_child(run, &job, text, sizeof(text), &status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("status 0x%x: %s", status, text);
}

int main(void)
{
#define TEST(function, remote) \
    {#function " " remote, function, NULL, NULL, (void *)(uintptr_t)(remote)}
    const struct CMUnitTest tests[] = {
        TEST(test_uncorrupted_requests_complete, "rma"),
        TEST(test_corrupted_requests_complete_or_are_refused, "rma"),
        TEST(test_uncorrupted_requests_complete, "am"),
        TEST(test_corrupted_requests_complete_or_are_refused, "am"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
