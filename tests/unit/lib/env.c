/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment: sizes, bad values and their messages, unknown names.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "lib/base/env.h"
#include "lib/base/error.h"
#include "tests/unit/unit.h"

static void test_sizes(void **state)
{
    static const struct {
        const char *text;
        uint64_t size;
    } good[] = {{"0", 0},
                {"1048576", 1048576},
                {"64k", 65536},
                {"1.5G", UINT64_C(1610612736)},
                {"512m", UINT64_C(536870912)},
                {"2T", UINT64_C(2199023255552)},
                {"1GiB", UINT64_C(1073741824)},
                {"3KB", 3072},
                {"7b", 7},
                {"0.25k", 256},
                {"3.1m", 3250586}};
    static const char *const bad[] = {"",     "abc", "-1",   "1.",   ".5",  "1x",
                                      "1.5",  "1.5b", "1 G",   "1GG",
                                      "1e9",  "0x10", "1.5.5", "99999999999g",
                                      "18446744073709551616", "20000000t"};
    uint64_t size;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        if (!ash_size_parse(good[i].text, &size)) fail_msg("%s is refused", good[i].text);
        assert_int_equal(size, good[i].size);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (ash_size_parse(bad[i], &size)) fail_msg("\"%s\" is accepted", bad[i]);
}

/* Load the environment with NAME=value; what was written to stderr. */
static const char *load_with(const char *name, const char *value, int *ret_rc)
{
    static char text[4096];
    int fds[2], kept = dup(STDERR_FILENO);
    ssize_t got;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    dup2(fds[1], STDERR_FILENO);
    setenv(name, value, 1);
    *ret_rc = ash_env_load();
    unsetenv(name);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(fds[1]);
    got = read(fds[0], text, sizeof(text) - 1);
    text[got > 0 ? got : 0] = '\0';
    close(fds[0]);
    return text;
}

static void test_defaults(void **state)
{
    int rc;
    assert_string_equal(load_with("PATH_OF_NOBODY", "1", &rc), "");
    assert_int_equal(rc, 0);
    assert_int_equal(ash_env.symmetric_size, UINT64_C(1) << 30);
    assert_int_equal(ash_env.channel_slots, 1024);
    assert_int_equal(ash_env.disable_direct, ASH_DIRECT_ON);
    assert_int_equal(ash_env.remote, ASH_REMOTE_RMA);
    assert_string_equal(ash_env.proxy_cpus, "");
}

static void test_valid_values_are_taken(void **state)
{
    int rc;
    load_with("NVSHMEM_SYMMETRIC_SIZE", "1.5G", &rc);
    assert_int_equal(rc, 0);
    assert_int_equal(ash_env.symmetric_size, UINT64_C(1610612736));
    load_with("ANYSHMEM_DISABLE_DIRECT", "all", &rc);
    assert_int_equal(ash_env.disable_direct, ASH_DIRECT_OFF);
    load_with("NVSHMEM_DISABLE_P2P", "yes", &rc);
    assert_int_equal(ash_env.disable_direct, ASH_DIRECT_SELF);
    load_with("ANYSHMEM_REMOTE", "AM", &rc);
    assert_int_equal(ash_env.remote, ASH_REMOTE_AM);
    load_with("ANYSHMEM_CHANNEL_SLOTS", "2", &rc);
    assert_int_equal(ash_env.channel_slots, 2);
}

/* In each variable: scripts write NAME= where they have nothing to say. */
static void test_an_empty_value_is_the_default(void **state)
{
    static const char *const names[] = {
#define ENV(field, kind, name, otherwise, accepted, help) name,
#define TEST_SETTING(field, kind, name, otherwise, accepted) name,
#include "lib/base/env.def"
#undef TEST_SETTING
#undef ENV
        "ANYSHMEM_OF_NOBODY"};
    struct ash_env defaults;
    int rc;
    assert_int_equal(ash_env_load(), 0);
    defaults = ash_env;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *text = load_with(names[i], "", &rc);
        if (rc != 0 || *text != '\0' || memcmp(&ash_env, &defaults, sizeof(defaults)) != 0)
            fail_msg("%s, empty: rc %d, message %s", names[i], rc, text);
    }
}

static void test_invalid_values_are_refused(void **state)
{
    static const struct {
        const char *name, *value, *accepted;
    } bad[] = {{"NVSHMEM_SYMMETRIC_SIZE", "abc", "1.5G"},
               {"NVSHMEM_SYMMETRIC_SIZE", "0", "1..1t"},
               {"NVSHMEM_SYMMETRIC_SIZE", "2t", "1..1t"},
               {"ANYSHMEM_DISABLE_DIRECT", "maybe", "0|1|all"},
               {"ANYSHMEM_CHANNEL_SLOTS", "3", "power of two"},
               {"ANYSHMEM_CHANNEL_SLOTS", "1", "2..65536"},
               {"ANYSHMEM_CHANNEL_SLOTS", "131072", "2..65536"},
               {"ANYSHMEM_INIT_TIMEOUT", "-1", "0..86400"},
               {"ANYSHMEM_INIT_TIMEOUT", "1x", "a number"},
               {"NVSHMEM_DISABLE_P2P", "2", "0 or 1"},
               {"NVSHMEM_SYMMETRIC_SIZE", "99999999999g", "1.5G"},
               {"ANYSHMEM_TEST_START_TICKET", "soon", "0..4194304t"},
               {"NVSHMEM_DEBUG", "LOUD", "WARN|INFO"}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char wanted[128];
        int rc;
        const char *text = load_with(bad[i].name, bad[i].value, &rc);
        snprintf(wanted, sizeof(wanted), "%s=%s:", bad[i].name, bad[i].value);
        if (rc != ASH_ERROR_BAD_VALUE || strstr(text, wanted) == NULL ||
            strstr(text, bad[i].accepted) == NULL)
            fail_msg("%s %s: rc %d, message %s", bad[i].name, bad[i].value, rc, text);
    }
}

static void test_unknown_names(void **state)
{
    int rc;
    const char *text;
    text = load_with("NVSHMEM_SYMETRIC_SIZE", "1G", &rc);
    assert_int_equal(rc, 0);
    assert_non_null(strstr(text, "did you mean NVSHMEM_SYMMETRIC_SIZE?"));
    text = load_with("ANYSHMEM_REMOT", "am", &rc);
    assert_non_null(strstr(text, "did you mean ANYSHMEM_REMOTE?"));
    text = load_with("ANYSHMEM_COMPLETELY_UNLIKE_THE_OTHERS", "1", &rc);
    assert_non_null(strstr(text, "unknown variable"));
    assert_null(strstr(text, "did you mean"));
    assert_string_equal(load_with("NVSHMEM_IBGDA_NUM_RC_PER_PE", "4", &rc), "");
    assert_string_equal(load_with("NVSHMEMTEST_USE_MPI_LAUNCHER", "1", &rc), "");
    /* Not hidden behind the names of NVSHMEM that are ignored. */
    text = load_with("NVSHMEM_DISABLE_P2", "1", &rc);
    assert_non_null(strstr(text, "did you mean NVSHMEM_DISABLE_P2P?"));
    /* The first PE warns for all. */
    setenv("PMIX_RANK", "3", 1);
    assert_string_equal(load_with("ANYSHMEM_REMOT", "am", &rc), "");
    unsetenv("PMIX_RANK");
}

/* Variables of NVSHMEM 3.8 that have no meaning here: programs that set them start silently. */
static void test_nvshmem_s_own_names(void **state)
{
    static const char *const names[] = {
        "ASSERT_ATOMICS_SYNC", "BARRIER_DISSEM_KVAL", "BARRIER_TG_DISSEM_KVAL", "BCAST_ALGO",
        "BCAST_TREE_KVAL", "BOOTSTRAP", "BOOTSTRAP_MPI_PLUGIN", "BOOTSTRAP_PLUGIN",
        "BOOTSTRAP_PMI", "BOOTSTRAP_PMI2_PLUGIN", "BOOTSTRAP_PMIX_PLUGIN", "BOOTSTRAP_PMI_PLUGIN",
        "BOOTSTRAP_SHMEM_MODE", "BOOTSTRAP_SHMEM_PLUGIN", "BOOTSTRAP_TWO_STAGE",
        "BOOTSTRAP_UID_PLUGIN",
        "BOOTSTRAP_UID_SESSION_ID", "BOOTSTRAP_UID_SOCK_FAMILY", "BYPASS_ACCESSIBILITY_CHECK",
        "BYPASS_FLUSH", "CPU_AFFINITY", "CUDA_LIMIT_STACK_SIZE", "CUDA_PATH",
        "CUMEM_GRANULARITY", "DEBUG_ATTACH_DELAY", "DEBUG_SUBSYS", "DISABLE_CE_COLLECTIVES",
        "DISABLE_CUDA_VMM", "DISABLE_DATA_DIRECT", "DISABLE_GDRCOPY",
        "DISABLE_IB_NATIVE_ATOMICS", "DISABLE_LOCAL_ONLY_PROXY", "DISABLE_MNNVL",
        "DISABLE_NCCL", "DISABLE_NVLS", "DISABLE_NVLS_SHARING", "DISABLE_SELF_WRITE_CE_COLL",
        "ENABLE_ALIGNED_MALLOC", "ENABLE_ERROR_CHECKS", "ENABLE_LOGICAL_ENDPOINT",
        "ENABLE_NIC_PE_MAPPING", "ENABLE_RAIL_OPT",
        "EXTERNAL_SHARING_PCIE_SWITCH_NIC_EXCLUSIVE", "FCOLLECT_ALGO",
        "FCOLLECT_LL128_THRESHOLD", "FCOLLECT_LL_THRESHOLD", "FCOLLECT_NTHREADS",
        "FCOLLECT_NVLS_THRESHOLD", "GPUNETIO_ENABLE_GDAKI", "GPUNETIO_RC_MAP_BY",
        "G_BUF_SIZE", "G_COALESCING_BUF_SIZE", "HCA_LIST", "HCA_PE_MAPPING", "HCA_PREFIX",
        "HEAP_KIND", "IBGDA_ENABLE_MULTI_PORT", "IB_ENABLE_IBGDA", "IB_GID_INDEX",
        "IGNORE_CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "INFO_HIDDEN", "LIBFABRIC_PROVIDER",
        "LIMIT_PTR_P2P_ACCESS", "MAX_CTAS", "MAX_MEMORY_PER_GPU", "MAX_NICS_PER_PE",
        "MAX_P2P_GPUS", "MAX_PEER_STREAMS", "MAX_TEAMS", "MNNVL_OVERRIDE_MC_CLIQUE_ID",
        "NETDEVS_POLICY", "NVTX", "PROXY_REQUEST_BATCH_MAX", "QP_DEPTH", "REDMAXLOC_ALGO",
        "REDUCESCATTER_ALGO", "REDUCESCATTER_NTHREADS", "REDUCESCATTER_NVLS_THRESHOLD",
        "REDUCE_ALGO", "REDUCE_NTHREADS", "REDUCE_NVLS_THRESHOLD", "REDUCE_RECEXCH_KVAL",
        "REDUCE_SCRATCH_SIZE", "REGION_MAX_SLOTS", "REMOTE_TRANSPORT", "SRQ_DEPTH",
        "TMA_MAX_BLOCKS", "TMA_POLICY", "TRANSPORT_BATCH_MAX_OPS", "UCX_TLS",
        "UCX_ZCOPY_THRESH"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char name[64];
        int rc;
        const char *text;
        snprintf(name, sizeof(name), "NVSHMEM_%s", names[i]);
        text = load_with(name, "1", &rc);
        if (rc != 0 || *text != '\0') fail_msg("%s: rc %d, message %s", name, rc, text);
    }
}

/* A value with a line break does not make two lines of a message. */
static void test_line_break_in_a_value_is_escaped(void **state)
{
    int rc;
    const char *text = load_with("NVSHMEM_SYMMETRIC_SIZE", "1\nG", &rc);
    assert_non_null(strstr(text, "NVSHMEM_SYMMETRIC_SIZE=1?G:"));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

/* AT_SECURE: the program has other rights than its user's. */
static unsigned long secure;
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_SECURE ? secure : 0;
}

static void test_other_rights_than_the_user_s_are_refused(void **state)
{
    static const struct ash_env none;
    const char *text, wanted[] = "anyshmem: error: the program has other rights than its user";
    int rc;
    ash_env = none;
    secure = 1;
    text = load_with("NVSHMEM_DEBUG_FILE", "/dev/null", &rc);
    secure = 0;
    assert_int_equal(rc, ASH_ERROR_BAD_VALUE);
    assert_memory_equal(text, wanted, sizeof(wanted) - 1);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_memory_equal(&ash_env, &none, sizeof(none));
}

static void test_print_with_defaults(void **state)
{
    char *text = NULL;
    size_t nbytes = 0;
    int rc;
    FILE *to = open_memstream(&text, &nbytes);
    load_with("ANYSHMEM_DISABLE_DIRECT", "all", &rc);
    ash_env_print(to);
    fclose(to);
    assert_non_null(strstr(text, "NVSHMEM_SYMMETRIC_SIZE=1073741824  # default 1G"));
    assert_non_null(strstr(text, "ANYSHMEM_DISABLE_DIRECT=all  # default 0"));
    assert_non_null(strstr(text, "ANYSHMEM_PROXY_CPUS=  # default empty"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_valid_values_are_taken),
        cmocka_unit_test(test_an_empty_value_is_the_default),
        cmocka_unit_test(test_invalid_values_are_refused),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_nvshmem_s_own_names),
        cmocka_unit_test(test_other_rights_than_the_user_s_are_refused),
        cmocka_unit_test(test_print_with_defaults),
        cmocka_unit_test(test_line_break_in_a_value_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
