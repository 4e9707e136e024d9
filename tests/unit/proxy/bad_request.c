/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy trusts no request: each bad one ends the program with a message
 * that says what is wrong with it.
 *
 * Each case runs in a child, a job of one PE whose own heap goes through the
 * channel, the proxy and UCX as well.  Its message is printed for tests/api/requests.sh.
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
#include "lib/symmetric/heap.h"
#include "tests/unit/child.h"

#define LIMIT_SECONDS 20

struct bad {
    const char *name, *message;
    uint64_t word[8];
};

#define PUT(pe, aux) ASH_WORD0(ASH_OP_PUT, 0, pe, aux)
/* 1 GiB, and what a heap has beside NVSHMEM_SYMMETRIC_SIZE. */
#define HEAP ((UINT64_C(1) << 30) + ASH_HEAP_ROOM)
static char source[4096];

static const struct bad cases[] = {
    {"no operation", "no operation", {ASH_WORD0(ASH_OP_NONE, 0, 0, 0)}},
    {"unknown operation", "unknown operation", {ASH_WORD0(ASH_OPS, 0, 0, 0), 8, 8}},
    {"pe", "PE out of range", {PUT(1, 0), 64, 1, 0}},
    {"largest pe", "PE out of range", {PUT(ASH_MAX_PES - 1, 0), 64, 1, 0}},
    {"put past the end", "outside the symmetric heap", {PUT(0, 0), 64, 1, HEAP - 63}},
    {"put far outside", "outside the symmetric heap", {PUT(0, 0), 64, 1, ASH_OFFSET_MASK}},
    {"put of too much", "outside the symmetric heap", {PUT(0, 0), UINT64_MAX, 1, 4096}},
    {"put of nothing", "nothing to copy", {PUT(0, 0), 0, 1, 0}},
    {"put from nowhere", "nothing to copy", {PUT(0, 0), 8, 0, 0}},
    {"put from the last byte", "address overflow", {PUT(0, 0), 8, UINT64_MAX, 0}},
    {"reply line", "no such reply line", {PUT(0, ASH_REPLY_LINES + 1), 64, 1, 0}},
    {"largest reply line", "no such reply line", {PUT(0, ASH_AUX_REPLY_MASK), 64, 1, 0}},
    {"get past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_GET, 0, 0, 0), 2, 1, HEAP - 1}},
    {"inline of nothing", "inline length", {ASH_WORD0(ASH_OP_INLINE, 0, 0, 0), 1, 2, 0}},
    {"inline of 49", "inline length", {ASH_WORD0(ASH_OP_INLINE, 0, 0, 49), 1, 2, 0}},
    {"inline past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_INLINE, 0, 0, 16), 1, 2, HEAP - 15}},
    {"atomic not aligned", "not aligned", {ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, 4}},
    {"atomic of 2 bytes not aligned", "not aligned", {ASH_WORD0(ASH_OP_SUM, 1, 0, 0), 0, 1, 5}},
    {"atomic of 1 byte", "no atomic of this width", {ASH_WORD0(ASH_OP_SET, 0, 0, 0), 0, 1, 4}},
    {"first atomic", "no atomic of this width", {ASH_WORD0(ASH_OP_FETCH, 0, 0, 1), 0, 1, 4}},
    {"last atomic", "no atomic of this width", {ASH_WORD0(ASH_OP_FETCH_SUM, 0, 0, 1), 0, 1, 4}},
    {"atomic past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_ADD, 2, 0, 0), 0, 1, HEAP}},
    {"fetch without reply", "no reply line",
     {ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 0), 0, 1, 8}},
    {"g without reply", "no reply line", {ASH_WORD0(ASH_OP_G, 3, 0, 0), 0, 1, 8}},
    {"g past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_G, 3, 0, 1), 0, 1, HEAP - 7}},
    {"put with signal past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 8, 1, HEAP - 7, 1, 8}},
    {"put of nothing with signal", "nothing to copy",
     {ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 0, 1, 0, 1, 8}},
    {"signal past the end", "outside the symmetric heap",
     {ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 8, 1, 0, 1, HEAP}},
    {"signal not aligned", "not aligned",
     {ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0), 8, 1, 0, 1, 4}},
};
#define N_CASES (sizeof(cases) / sizeof(cases[0]))

/* In the child: does not return. */
static void send(const void *what)
{
    const struct bad *bad = what;
    uint64_t words[8];
    memcpy(words, bad->word, sizeof(words));
    /* Else cmocka's handler would go on with its next test, in the child. */
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    alarm(LIMIT_SECONDS);
    setenv("ANYSHMEM_DISABLE_DIRECT", "all", 1);
    setenv("NVSHMEM_SYMMETRIC_SIZE", "1G", 1);
    nvshmem_init();
    /* An address that may be read: 1 in a case stands for any valid one. */
    if (words[2] == 1) words[2] = (uintptr_t)source;
    ash_channel_push_long(ash_state.channel, words);
    nvshmem_quiet();
    _exit(0);
}

/* True if the message names the error, the operation, the PE and the offset. */
static bool is_told(const struct bad *bad, const char *text)
{
    struct ash_request request;
    char operation[32], place[64];
    memcpy(request.word, bad->word, sizeof(request.word));
    snprintf(operation, sizeof(operation), "bad request: op %u (", ash_request_op(&request));
    snprintf(place, sizeof(place), "), pe %u, offset %llu, ", ash_request_pe(&request),
             (unsigned long long)ash_request_offset(&request));
    return strstr(text, operation) != NULL && strstr(text, place) != NULL &&
           strstr(text, bad->message) != NULL;
}

static void one(void **state)
{
    const struct bad *bad = *state;
    char text[4096];
    const char *told;
    int status;
    run_child(send, bad, text, sizeof(text), &status);
    /* The error comes after the warning that there is no launcher. */
    told = strstr(text, "error: ");
    if (told != NULL) printf("# told: %s: anyshmem: %s", bad->name, told);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != ASH_EXIT_FATAL || !is_told(bad, text))
        fail_msg("status 0x%x, wanted \"%s\", got: %s", status, bad->message, text);
}

int main(void)
{
    struct CMUnitTest tests[N_CASES];
    for (size_t i = 0; i < N_CASES; i++) tests[i] = case_test(cases[i].name, one, &cases[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
