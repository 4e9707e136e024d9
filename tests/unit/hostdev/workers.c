/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs the threads of a grid, and on which lines they get replies: workers, which
 * come and go, and reply lines, of which each thread has one.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device/channel/reply.h"
#include "device/hostdev/kernel.h"
#include "tests/unit/hostdev/gate.h"
#include "tests/unit/hostdev_launch.h"

static void nothing(void *arg) { (void)arg; }

/* Reply lines. */

static uint32_t line_of[4096];
static struct ash_reply replies[ASH_REPLY_LINES] __attribute__((aligned(64)));

/* The reply comes at once: nobody but this thread has the line. */
static void note_line(void *arg)
{
    uint32_t aux;
    struct ash_pending_reply pending = ash_reply_expect(&aux);
    line_of[blockIdx.x * blockDim.x + threadIdx.x] = aux - 1;
    ash_reply_send(pending.line, aux);
    gather(arg);
    if (ash_reply_value(pending, "test", 0, 0, 0) != aux) abort();
}

static void test_reply_lines_are_unique(void **state)
{
    struct gate gate = {0, 0, 0};
    unsigned char *used = calloc(ASH_REPLY_LINES, 1);
    uint32_t i;
    assert_non_null(used);
    ash_state.replies = replies;
    used[dev_context()->reply] = 1;
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    assert_int_equal(launch(note_line, 16, 256, &gate), 0);
    for (i = 0; i < 4096; i++) {
        assert_true(line_of[i] < ASH_REPLY_LINES);
        assert_int_equal(used[line_of[i]]++, 0);
    }
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    free(used);
}

static void *attach_twice(void *lines)
{
    ((uint32_t *)lines)[0] = dev_context()->reply;
    ((uint32_t *)lines)[1] = dev_context()->reply;
    return NULL;
}

static void test_posix_thread_gives_its_line_back(void **state)
{
    uint32_t mine = dev_context()->reply, other[2] = {mine, ~mine};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, attach_twice, other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_not_equal(other[0], mine);
    assert_int_equal(other[0], other[1]);
    assert_int_equal(ash_hostdev_replies_taken(), 1);
    assert_ptr_equal(ash_context_current, ash_hostdev_attach());
    ash_hostdev_detach();
    assert_int_equal(ash_hostdev_replies_taken(), 0);
}

/* Workers. */

static pthread_t worker_of[6][64];

static void note_worker(void *arg)
{
    pthread_t self = pthread_self();
    worker_of[blockIdx.x][threadIdx.x] = self;
    /* Otherwise the first worker might do it all, before the others come. */
    ash_kernel_grid_sync();
    __syncthreads();
    __syncwarp();
    if (!pthread_equal(self, pthread_self())) worker_of[blockIdx.x][threadIdx.x] = 0;
}

static void test_blocks_stay_on_workers(void **state)
{
    uint32_t block, thread, changes = 0;
    ash_hostdev_workers = 3;
    assert_int_equal(launch(note_worker, 6, 64, NULL), 0);
    for (block = 0; block < 6; block++) {
        for (thread = 0; thread < 64; thread++)
            assert_true(pthread_equal(worker_of[block][thread], worker_of[block][0]));
        if (block > 0) changes += !pthread_equal(worker_of[block][0], worker_of[block - 1][0]);
    }
    assert_int_equal(changes, 2);
    assert_true(pthread_equal(worker_of[0][0], pthread_self()));
}

static void *launch_often(void *arg)
{
    struct gate gate;
    uint32_t i;
    for (i = 0; i < 50; i++) {
        memset(&gate, 0, sizeof(gate));
        if (launch(gather, i % 7 + 1, 32, &gate) != 0) (void)dev_fetch_add64(arg, 1);
    }
    return NULL;
}

static void test_launches_from_two_threads(void **state)
{
    uint64_t failed = 0;
    pthread_t thread;
    ash_hostdev_workers = 3;
    assert_int_equal(pthread_create(&thread, NULL, launch_often, &failed), 0);
    (void)launch_often(&failed);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(failed, 0);
}

static uint32_t posix_threads(void)
{
    unsigned n = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "Threads: %u", &n) == 1) break;
    }
    if (file != NULL) (void)fclose(file);
    return n;
}

/* A joined thread may be in the kernel's list a moment longer: the time limit ends the wait. */
static void expect_posix_threads(uint32_t n)
{
    while (posix_threads() != n)
        (void)usleep(1000);
}

static void test_workers_stop_and_start_again(void **state)
{
    uint32_t i, before;
    (void)usleep(100000); /* for threads of the tests before */
    before = posix_threads();
    for (i = 0; i < 5; i++) {
        ash_hostdev_workers = 4;
        assert_int_equal(launch(nothing, 4, 4, NULL), 0);
        assert_int_equal(posix_threads(), before + 3);
        ash_hostdev_stop();
        expect_posix_threads(before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOSTDEV_TEST(test_reply_lines_are_unique),
        HOSTDEV_TEST(test_posix_thread_gives_its_line_back),
        HOSTDEV_TEST(test_blocks_stay_on_workers),
        HOSTDEV_TEST(test_launches_from_two_threads),
        HOSTDEV_TEST(test_workers_stop_and_start_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
