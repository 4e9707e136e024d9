/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU's bad requests, its faults and its failures end the program with a
 * message.  Each case runs in a child.
 */
#include <signal.h>
#include <stdio.h>

#include "tests/unit/child.h"
#include "tests/unit/gpu_proxy.h"

struct bad {
    const char *name, *message;
    /* Added to word 2: 1: the stage, 2: memory of its own. */
    int where;
    uint64_t word[8];
};

#define PUT(aux) ASH_WORD0(ASH_OP_PUT, 0, 0, aux)
#define GET ASH_WORD0(ASH_OP_GET, 0, 0, 0)
#define PUT_SIGNAL ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 0, 0)

static const struct bad cases[] = {
    {"put out of its buffer", "not within a staging buffer", 1, {PUT(0), BUFFER_BYTES + 1, 0, 0}},
    {"put across buffers", "not within a staging buffer", 1, {PUT(0), 64, BUFFER_BYTES - 63, 0}},
    {"put past the last buffer", "not within a staging buffer", 1,
     {PUT(0), 64, BUFFERS * BUFFER_BYTES - 63, 0}},
    {"put into the stage", "only partly in the stage", 1, {PUT(0), 64, (uint64_t)-63, 0}},
    {"put over all of it", "only partly in the stage", 1,
     {PUT(0), (BUFFERS + 1) * BUFFER_BYTES, (uint64_t)-8, 0}},
    {"get across buffers", "not within a staging buffer", 1, {GET, 64, 2 * BUFFER_BYTES - 63, 0}},
    {"put with signal across buffers", "not within a staging buffer", 1,
     {PUT_SIGNAL, 64, BUFFER_BYTES - 63, 0, 1, 8}},
    {"a line of the host alone", "no such reply line", 2, {PUT(GPU_LINES + 1), 64, 0, 0}},
    {"put past the end", "outside the symmetric heap", 2, {PUT(0), 64, 0, HEAP_BYTES - 63}},
    {"pe", "PE out of range", 2, {ASH_WORD0(ASH_OP_PUT, 0, 1, 0), 64, 0, 0}},
    {"atomic not aligned", "not aligned", 0, {ASH_WORD0(ASH_OP_ADD, 3, 0, 0), 0, 1, 4}},
    {"fetch without reply", "no reply line", 0,
     {ASH_WORD0(ASH_OP_FETCH_ADD, 3, 0, 0), 0, 1, 8}},
    {"signal past the end", "outside the symmetric heap", 2, {PUT_SIGNAL, 8, 0, 0, 1, HEAP_BYTES}},
    {"no operation", "unknown operation", 0, {ASH_WORD0(ASH_OPS, 0, 0, 0), 8, 8}},
};
#define N_CASES (sizeof(cases) / sizeof(cases[0]))

/* What is just in order goes through. */
static void allowed(void)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        give(&gpu, (struct ash_request){{PUT(0), BUFFER_BYTES, (uintptr_t)stage[i], 0}});
    give(&gpu, (struct ash_request){{PUT(GPU_LINES), 1, (uintptr_t)stage[1] - 1, 0}});
    give(&gpu, (struct ash_request){{PUT(0), 8, (uintptr_t)memory.base, 8}});
    give(&host, (struct ash_request){{PUT(GPU_LINES + 1), 64, (uintptr_t)memory.base, 128}});
    gpu_quiet();
    wait_for(&host_replies[GPU_LINES].sequence, 1);
    if (released[0] != 2) fail_msg("not given back");
}

/* In the child: does not return. */
static void run_case(const struct bad *bad)
{
    struct ash_request request;
    memcpy(request.word, bad->word, sizeof(request.word));
    if (bad->where == 1) request.word[2] += (uintptr_t)stage;
    if (bad->where == 2) request.word[2] += (uintptr_t)memory.base;
    allowed();
    give(&gpu, request);
    gpu_quiet();
}

struct fault {
    const char *name, *message;
    struct ash_fault_box box;
};

#define LONG_NAME "nvshmem_a_routine_whose_name_fills_all_the_bytes_that_there_are_" /* 64 */
#define LONG_ARGUMENT "sixteen_bytes_it"

static const struct fault faults[] = {
    {"fault: pe", "nvshmem_int_p: pe 7 is out of range: this job has PEs 0..1 "
                  "(GPU: block 3,2,1, thread 31,5,4)",
     {"nvshmem_int_p", "pe", ASH_FAULT_PE, 7, 0, {3, 2, 1}, {31, 5, 4}, 1}},
    {"fault: negative pe", "pe -1 is out of range",
     {"nvshmem_int_p", "pe", ASH_FAULT_PE, UINT64_MAX, 0, {0}, {0}, 1}},
    {"fault: range", "nvshmem_putmem: dest 0x1234 (64 bytes) is outside the symmetric heap [",
     {"nvshmem_putmem", "dest", ASH_FAULT_RANGE, 0x1234, 64, {0}, {0}, 1}},
    {"fault: cmp", "nvshmem_wait: cmp 9 is not one of NVSHMEM_CMP_EQ..NVSHMEM_CMP_GE (0..5) "
                   "(GPU: block 0,0,0, thread 0,0,0)",
     {"nvshmem_wait", "cmp", ASH_FAULT_CMP, 9, 0, {0}, {0}, 1}},
    {"fault: names without an end",
     "nvshmem_a_routine_whose_name_fills_all_the_bytes_that_there_are: sixteen_bytes_i is NULL (",
     {"", "", ASH_FAULT_NULL, 0, 0, {0}, {0}, 1}},
    {"fault: no names", "a device routine: an argument is NULL (GPU: block",
     {"", "", ASH_FAULT_NULL, 0, 0, {0}, {0}, 1}},
};
#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

/* As a GPU does it: the rest, then `ready`.  The proxy may sleep meanwhile. */
static void run_fault(const struct fault *fault)
{
    struct ash_fault_box whole = fault->box;
    ash_state.n_pes = 2;
    ash_state_set_heap(&ash_state, memory.base, memory.file.size);
    allowed();
    usleep(20000);
    if (strstr(fault->name, "without an end") != NULL) {
        memcpy(whole.function, LONG_NAME, sizeof(whole.function));
        memcpy(whole.argument, LONG_ARGUMENT, sizeof(whole.argument));
    }
    memcpy(&box, &whole, offsetof(struct ash_fault_box, ready));
    __atomic_store_n(&box.ready, 1, __ATOMIC_RELEASE);
    usleep(5000000);
}

/* A case or a fault, and where the requests go. */
struct trial {
    const void *what;
    bool is_fault;
    enum path path;
};

static void in_child(const void *arg)
{
    const struct trial *trial = arg;
    /* cmocka would go on with its next test, in the child. */
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    alarm((unsigned)LIMIT_SECONDS);
    start_path(trial->path);
    attach();
    if (ash_proxy_start(proxy) != 0) _exit(1);
    if (trial->is_fault)
        run_fault(trial->what);
    else
        run_case(trial->what);
    _exit(0);
}

static void expect(const void *what, bool is_fault, enum path path, const char *message)
{
    const struct trial trial = {what, is_fault, path};
    char text[4096];
    int status;
    run_child(in_child, &trial, text, sizeof(text), &status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != ASH_EXIT_FATAL ||
        strstr(text, message) == NULL)
        fail_msg("status 0x%x, wanted \"%s\", got: %s", status, message, text);
}

static void test_case(void **state)
{
    const struct bad *bad = *state;
    for (enum path path = DIRECT; path < PATHS; path++) expect(bad, false, path, bad->message);
}

static void test_fault(void **state)
{
    const struct fault *fault = *state;
    expect(fault, true, DIRECT, fault->message);
}

int main(void)
{
    struct CMUnitTest tests[N_CASES + N_FAULTS];
    for (size_t i = 0; i < N_CASES; i++) tests[i] = case_test(cases[i].name, test_case, &cases[i]);
    for (size_t i = 0; i < N_FAULTS; i++)
        tests[N_CASES + i] = case_test(faults[i].name, test_fault, &faults[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
