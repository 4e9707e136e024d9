/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many PEs there are for each CPU of this one: a job of four on one node, of which
 * this process is PE 0, and children are the others.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/bootstrap/bootstrap.h"
#include "lib/base/error.h"
#include "lib/start/job.h"
#include "lib/bootstrap/record.h"
#include "tests/unit/unit.h"

#define PES 4
#define RECORD_MAX 1024
#define HEAP (UINT64_C(1) << 20)

static unsigned char records[PES][RECORD_MAX];
static size_t record_nbytes;
static uint32_t publishing;
static pid_t children[PES];
static uint32_t local_pes[PES] = {0, 1, 2, 3};
/* This process's CPUs, the first of them, and the others. */
static cpu_set_t all, first, others;

static int publish(const void *record, size_t nbytes)
{
    assert_true(nbytes <= RECORD_MAX);
    memcpy(records[publishing], record, nbytes);
    record_nbytes = nbytes;
    return 0;
}

static int get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    *ret_record = malloc(record_nbytes);
    if (*ret_record == NULL) return ASH_ERROR_NO_MEMORY;
    memcpy(*ret_record, records[pe], record_nbytes);
    *ret_nbytes = record_nbytes;
    return 0;
}

static struct ash_bootstrap job_of(uint32_t pe)
{
    return (struct ash_bootstrap){.pe = pe, .n_pes = PES, .local_pes = local_pes, .n_local = PES};
}

static void use(const cpu_set_t *cpus)
{
    assert_int_equal(sched_setaffinity(0, sizeof(*cpus), cpus), 0);
}

/* PE `pe`, which is this process or a child with these CPUs, publishes its record. */
static void make(uint32_t pe, const cpu_set_t *cpus)
{
    const struct ash_memory memory = {.file = {.fd = 5, .size = HEAP},
                                      .base = (unsigned char *)HEAP};
    const struct ash_fd_passing passing = {{0, 0}, {0, 0}};
    struct ash_bootstrap b = job_of(pe);
    struct ash_record *record = (void *)records[pe];
    use(cpus);
    publishing = pe;
    assert_int_equal(ash_record_publish(&b, &memory, &passing, NULL), 0);
    if (pe == 0) return;
    children[pe] = fork();
    if (children[pe] == 0) {
        alarm(60);
        for (;;) (void)pause();
    }
    assert_true(children[pe] > 0);
    record->pid = children[pe];
}

static int end_children(void **state)
{
    for (unsigned pe = 1; pe < PES; pe++) {
        if (children[pe] <= 0) continue;
        (void)kill(children[pe], SIGKILL);
        (void)waitpid(children[pe], NULL, 0);
        children[pe] = 0;
    }
    use(&all);
    return 0;
}

static double load(void)
{
    struct ash_bootstrap b = job_of(0);
    assert_int_equal(ash_job_check(&b), 0);
    return ash_job_load();
}

/* PEs 1 to 3, and this one as the last, for its CPUs are looked at afterwards. */
static void make_job(const cpu_set_t *mine, const cpu_set_t *theirs)
{
    for (uint32_t pe = 1; pe < PES; pe++) make(pe, theirs);
    make(0, mine);
}

static void test_all_pes_on_all_cpus(void **state)
{
    make_job(&all, &all);
    assert_true(load() == PES / (double)CPU_COUNT(&all));
}

static void test_all_pes_bound_to_one_cpu(void **state)
{
    make_job(&first, &first);
    assert_true(load() == PES);
}

/* A part of each of the others, for they use the other CPUs as well. */
static void test_one_pe_is_bound(void **state)
{
    make_job(&first, &all);
    assert_true(load() == 1 + (PES - 1) / (double)CPU_COUNT(&all));
}

static void test_pes_on_different_cpus(void **state)
{
    if (CPU_COUNT(&all) < 2) skip();
    make_job(&first, &others);
    assert_true(load() == 1);
}

/* Who is bound said so itself: the number of its process is not needed. */
static void test_pes_in_other_pid_namespaces(void **state)
{
    make_job(&first, &others);
    for (uint32_t pe = 1; pe < PES; pe++) {
        struct ash_record *record = (void *)records[pe];
        record->pid_space = 0;
        record->cpu = -1;
    }
    assert_true(load() == PES);
    if (CPU_COUNT(&all) != 2) return;
    make_job(&first, &others);
    for (uint32_t pe = 1; pe < PES; pe++) ((struct ash_record *)(void *)records[pe])->pid_space = 0;
    assert_true(load() == 1);
}

static void *start_bound(void *ret_load)
{
    use(&first);
    *(double *)ret_load = load();
    return NULL;
}

/* The PE's own main thread does not count, where another thread starts the library. */
static void test_thread_bound_to_a_cpu(void **state)
{
    double found = 0;
    pthread_t thread;
    if (CPU_COUNT(&all) < 2) skip();
    make_job(&all, &others);
    use(&others);
    assert_int_equal(pthread_create(&thread, NULL, start_bound, &found), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(found == 1);
}

static int find_cpus(void **state)
{
    static const struct ash_bootstrap_backend backend = {
        .name = "job", .publish = publish, .get = get};
    size_t cpu = 0;
    ash_bootstrap_choose(&backend, NULL);
    /* More CPUs than such a set has: not a machine for this test. */
    if (sched_getaffinity(0, sizeof(all), &all) != 0) exit(77);
    while (!CPU_ISSET(cpu, &all)) cpu++;
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    CPU_XOR(&others, &all, &first);
    if (CPU_COUNT(&others) == 0) others = all;
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, end_children)
    const struct CMUnitTest tests[] = {
        TEST(test_all_pes_on_all_cpus),
        TEST(test_all_pes_bound_to_one_cpu),
        TEST(test_one_pe_is_bound),
        TEST(test_pes_on_different_cpus),
        TEST(test_pes_in_other_pid_namespaces),
        TEST(test_thread_bound_to_a_cpu),
    };
    return cmocka_run_group_tests(tests, find_cpus, NULL);
}
