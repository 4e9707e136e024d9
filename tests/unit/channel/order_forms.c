/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each form of fence and quiet sends what its name says, and a quiet waits for the answer: whatever
 * reaches another PE in the end, the order of two messages to it may be right by chance.
 */
#include <nvshmemx.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "device/channel/channel.h"
#include "device/hostdev/clock.h"
#include "tests/unit/unit.h"

#define SHIFT 4u
#define LIMIT_S 10.0

static struct {
    struct ash_channel channel;
    struct ash_channel_progress progress;
    struct ash_slot slots[1u << SHIFT];
} ring __attribute__((aligned(128)));

/* A call of another thread; its end. */
static void (*called)(void);
static uint64_t done;

static int qp[2] = {2, 3};
static void qp_fence(void) { nvshmemx_qp_fence(0, qp, 2); }
static void qp_fence_warp(void) { nvshmemx_qp_fence_warp(0, qp, 2); }
static void qp_fence_block(void) { nvshmemx_qp_fence_block(0, qp, NVSHMEMX_QP_ALL); }
static void qp_quiet(void) { nvshmemx_qp_quiet(NVSHMEMX_PE_ALL, qp, 2); }
static void qp_quiet_warp(void) { nvshmemx_qp_quiet_warp(0, NULL, NVSHMEMX_QP_ALL); }
static void qp_quiet_block(void) { nvshmemx_qp_quiet_block(0, qp, 1); }

static const struct form {
    const char *name;
    void (*call)(void);
    unsigned op;
} forms[] = {
    {"fence", nvshmem_fence, ASH_OP_FENCE},
    {"qp_fence", qp_fence, ASH_OP_FENCE},
    {"qp_fence_warp", qp_fence_warp, ASH_OP_FENCE},
    {"qp_fence_block", qp_fence_block, ASH_OP_FENCE},
    {"quiet", nvshmem_quiet, ASH_OP_QUIET},
    {"qp_quiet", qp_quiet, ASH_OP_QUIET},
    {"qp_quiet_warp", qp_quiet_warp, ASH_OP_QUIET},
    {"qp_quiet_block", qp_quiet_block, ASH_OP_QUIET},
    {"flush", nvshmemx_flush, ASH_OP_QUIET},
    {"flush_warp", nvshmemx_flush_warp, ASH_OP_QUIET},
    {"flush_block", nvshmemx_flush_block, ASH_OP_QUIET},
};

static bool done_within(double seconds)
{
    double end = ash_seconds() + seconds;
    while (dev_load_acquire64(&done) == 0 && ash_seconds() < end) sched_yield();
    return dev_load_acquire64(&done) != 0;
}

static void *call(void *unused)
{
    called();
    dev_store_release64(&done, 1);
    return unused;
}

static unsigned pop_soon(const char *name)
{
    struct ash_request request;
    double end = ash_seconds() + LIMIT_S;
    while (!ash_channel_pop(&ring.channel, &request)) {
        if (ash_seconds() > end) fail_msg("%s: no request within %g s", name, LIMIT_S);
        sched_yield();
    }
    return ash_request_op(&request);
}

/* Behind a request, from a thread of its own. */
static void one_form(const struct form *form)
{
    pthread_t thread;
    memset(&ring, 0, sizeof(ring));
    ash_channel_init(&ring.channel, ring.slots, SHIFT, &ring.progress, -1, 0);
    ash_channel_push(&ring.channel, ASH_WORD0(ASH_OP_P, 3, 0, 0), 0, 1, 64);
    called = form->call;
    done = 0;
    assert_int_equal(pthread_create(&thread, NULL, call, NULL), 0);
    assert_int_equal(pop_soon(form->name), ASH_OP_P);
    if (pop_soon(form->name) != form->op) fail_msg("%s sends something else", form->name);
    if (form->op == ASH_OP_QUIET && done_within(0.02)) fail_msg("%s does not wait", form->name);
    ash_channel_complete(&ring.channel, 2);
    if (!done_within(LIMIT_S)) fail_msg("%s does not return", form->name);
    pthread_join(thread, NULL);
}

static void test_each_form(void **state)
{
    ash_state.n_pes = 1;
    ash_state.channel = &ring.channel;
    for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) one_form(&forms[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_form)};
    alarm(60); /* a wait inside the channel has no limit of its own */
    return cmocka_run_group_tests_name("order_forms", tests, NULL, NULL);
}
