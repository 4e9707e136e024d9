/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages with the job's key that no proxy sends: each ends the PE that receives it, with an
 * error that says what is wrong with the message, and changes nothing in the heap.
 *
 * Each case runs in a child, whose text is printed for tests/api/requests.sh.
 */
#include <signal.h>
#include <stdio.h>

#include "tests/unit/child.h"
#include "tests/unit/proxy/foreign_message.h"

#define CANNOT_BE "sent an invalid message: "

struct bad {
    const char *name, *text;
    struct ash_message message;
    size_t nbytes;
    /* How often it is sent; 0: once. */
    unsigned times;
};

#define APPLY(OP, WIDTH, OFFSET) \
    .kind = ASH_MESSAGE_APPLY, .op = OP, .width = WIDTH, .offset = OFFSET
#define CASE(NAME, TEXT, N_BYTES, TIMES, ...) \
    {NAME, TEXT, {.key = {1, 2}, __VA_ARGS__}, N_BYTES, TIMES}

static const struct bad cases[] = {
    CASE("of a kind that there is not", CANNOT_BE "kind 99, .*: no such kind", 0, 0, .kind = 99),
    CASE("an operation that there is not", "unknown operation", 0, 0, APPLY(ASH_OPS, 8, 64)),
    CASE("a variable behind the heap", "outside the symmetric heap", 0, 0,
         APPLY(ASH_OP_SIGNAL_SET, 8, HEAP_BYTES)),
    CASE("a variable that is not aligned", "width or alignment", 0, 0,
         APPLY(ASH_OP_SIGNAL_SET, 8, 60)),
    CASE("a variable of 3 bytes", "width or alignment", 0, 0, APPLY(ASH_OP_SIGNAL_SET, 3, 64)),
    CASE("an atomic that wants its old value nowhere", "an unexpected or missing cookie", 0, 0,
         APPLY(ASH_OP_FETCH_ADD, 8, 64)),
    CASE("bytes behind an atomic", "unexpected payload", 8, 0,
         APPLY(ASH_OP_SIGNAL_SET, 8, 64)),
    CASE("a put of nothing", "nothing to copy", 0, 0, .kind = ASH_MESSAGE_PUT, .offset = 64),
    CASE("a put that leaves the heap", "outside the symmetric heap", 8, 0,
         .kind = ASH_MESSAGE_PUT, .offset = HEAP_BYTES - 7),
    CASE("a put with a signal that leaves the heap", "outside the symmetric heap", 8, 0,
         .kind = ASH_MESSAGE_PUT, .op = ASH_OP_SIGNAL_SET, .width = 8, .offset = 64,
         .signal_offset = HEAP_BYTES),
    CASE("a put with another operation than a signal", "unknown operation", 8, 0,
         .kind = ASH_MESSAGE_PUT, .op = ASH_OP_ADD, .width = 8, .offset = 64),
    CASE("several changes, none of them there", "nothing to copy", 0, 0,
         .kind = ASH_MESSAGE_CHANGES),
    CASE("several changes, the first one cut short", "a change of invalid length", 15, 0,
         .kind = ASH_MESSAGE_CHANGES),
    CASE("several changes, the first one of an operation that there is not", "unknown operation",
         24, 0, .kind = ASH_MESSAGE_CHANGES),
    CASE("several changes that want a value", "an unexpected or missing cookie", 24, 0,
         .kind = ASH_MESSAGE_CHANGES, .cookie = 5),
    CASE("a get of more than a fragment", "a fragment of invalid length", 0, 0,
         .kind = ASH_MESSAGE_GET, .operand = ASH_FRAGMENT_SIZE + 1),
    CASE("a get that requests an acknowledgement", "an ACK that is not for it", 0, 0,
         .kind = ASH_MESSAGE_GET, .wants_ack = 1, .operand = 8),
    CASE("an unexpected reply", "an unexpected reply", 0, 0,
         .kind = ASH_MESSAGE_REPLY, .cookie = 5),
    CASE("the same message twice", "duplicate message", 0, 2, APPLY(ASH_OP_SET, 8, 128)),
    CASE("a message far ahead of its turn", "sequence number too far ahead", 0, 0,
         .seq = UINT64_MAX,
         APPLY(ASH_OP_SIGNAL_SET, 8, 64)),
    CASE("an acknowledgement of what was not sent",
         "PE 0 acknowledged messages that were not sent", 0, 0,
         .kind = ASH_MESSAGE_ACK, .operand = 1),
};
#define N_CASES (sizeof(cases) / sizeof(cases[0]))

/* In the child: does not return. */
static void send_bad(const void *what)
{
    static const unsigned char payload[64] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct bad *bad = what;
    struct ash_message message = bad->message;
    double end;
    if (message.seq == 0) message.seq = 1;
    signal(SIGSEGV, SIG_DFL);
    alarm((unsigned)LIMIT_SECONDS);
    (void)start(NULL);
    for (unsigned i = 0; i < (bad->times == 0 ? 1 : bad->times); i++)
        send_header(&message, sizeof(message), payload, bad->nbytes, UCP_AM_SEND_FLAG_EAGER);
    end = ash_seconds() + LIMIT_SECONDS / 4;
    while (ash_seconds() < end && word(64) == 0) work();
    _exit(word(64) == 0 ? 0 : 1);
}

/* True if `text` contains `pattern`, in which one ".*" stands for any text. */
static bool has(const char *text, const char *pattern)
{
    const char *rest = strstr(pattern, ".*");
    char first[128];
    if (rest == NULL) return strstr(text, pattern) != NULL;
    snprintf(first, sizeof(first), "%.*s", (int)(rest - pattern), pattern);
    text = strstr(text, first);
    return text != NULL && strstr(text, rest + 2) != NULL;
}

static void one(void **state)
{
    const struct bad *bad = *state;
    char text[4096];
    int status;
    run_child(send_bad, bad, text, sizeof(text), &status);
    printf("# told: %s: %.*s\n", bad->name, (int)strcspn(text, "\n"), text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != ASH_EXIT_FATAL || !has(text, bad->text))
        fail_msg("status 0x%x, wanted \"%s\", got: %s", status, bad->text, text);
}

int main(void)
{
    struct CMUnitTest tests[N_CASES];
    for (size_t i = 0; i < N_CASES; i++) tests[i] = case_test(cases[i].name, one, &cases[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
