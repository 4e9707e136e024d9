/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of a PE with a GPU: which device, if any, and what is left where it
 * fails.  Each start is that of a process of its own.
 */
#include "tests/unit/gpu/cuda_child.h"

/* Where a start fails does not matter: all that was made is given back. */
static const char *fails_at;

static void start_in_vain(void)
{
    int provided;
    setenv("FAKE_CUDA_FAIL", fails_at, 1);
    if (nvshmem_init_thread(NVSHMEM_THREAD_MULTIPLE, &provided) == 0) _exit(97);
    if (ash_gpu_routines != NULL || ash_gpu.used) _exit(96);
    _exit(things_left());
}

static void test_failed_start_gives_all_back(void **state)
{
    static const char *const places[] = {
        "primary_retain:46", "context_set:709",  "context_device:1", "stream_create:2",
        "host_register:2:1", "host_address:1:1", "host_register:2:2", "host_address:1:2",
        "alloc:2",           "copy_to:1:1",      "copy_to:1:2",      "host_register:2:3"};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        int status;
        const char *text;
        fails_at = places[i];
        text = end_of(start_in_vain, &status);
        if (status != 0) fail_msg("%s: status %d: %s", places[i], status, text);
        assert_non_null(strstr(text, "error: "));
    }
}

/* Which PE uses a GPU if none was asked for. */
static void start_and_log(void)
{
    int device = -1;
    nvshmem_init();
    if (ash_gpu_routines != NULL) (void)ash_cuda.context_device(&device);
    nvshmem_finalize();
    _exit(device < 0 ? 50 : device);
}

static void start_with_module(void)
{
    anyshmem_module_register(&module);
    start_and_log();
}

static void start_with_context(void)
{
    int count;
    struct ash_cuda_reason reason;
    void *context;
    if (ash_env_load() != 0 || ash_cuda_load(&count, &reason) != 0) _exit(97);
    if (ash_cuda.primary_retain(&context, 1) != 0 || ash_cuda.context_set(context) != 0) _exit(96);
    start_and_log();
}

static void start_with_driver(void)
{
    if (dlopen(getenv("ANYSHMEM_TEST_CUDA_DRIVER"), RTLD_NOW) == NULL) _exit(97);
    start_and_log();
}

/* The device that was used, 50 for none; and what was said. */
static void check_auto(void (*body)(void), const char *name, const char *value, int wanted,
                       const char *said)
{
    int status;
    const char *text, *old = getenv(name);
    setenv("ANYSHMEM_DEVICE", "auto", 1);
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    if (old != NULL) old = strdup(old);
    setenv(name, value, 1);
    text = end_of(body, &status);
    if (status != wanted)
        fail_msg("%s=%s: %d instead of %d: %s", name, value, status, wanted, text);
    if (said == NULL && *text != '\0') fail_msg("%s=%s: %s", name, value, text);
    if (said != NULL && strstr(text, said) == NULL) fail_msg("no \"%s\" in: %s", said, text);
    unsetenv(name);
    if (old != NULL) setenv(name, old, 1);
    free((void *)(uintptr_t)old);
    set_environment();
    unsetenv("FAKE_CUDA_DEVICES");
}

static void test_device_is_chosen_automatically(void **state)
{
    static const char without[] = "this PE runs without a GPU";
    static const char kernels[] = "warn: the program has CUDA kernels, and there is no GPU";
    check_auto(start_and_log, "NOTHING", "", 50, NULL);
    check_auto(start_with_driver, "NOTHING", "", 50, NULL);
    check_auto(start_with_module, "NOTHING", "", 0, NULL);
    check_auto(start_with_context, "NOTHING", "", 1, NULL);
    /* No GPU: what every machine without one has, and what somebody should look at. */
    check_auto(start_with_module, "ANYSHMEM_TEST_CUDA_DRIVER", "/nowhere", 50, kernels);
    check_auto(start_with_module, "FAKE_CUDA_DEVICES", "0", 50, kernels);
    check_auto(start_and_log, "ANYSHMEM_TEST_CUDA_DRIVER", "/nowhere", 50, NULL);
    check_auto(start_with_module, "FAKE_CUDA_VERSION", "11080", 50, without);
    check_auto(start_with_module, "FAKE_CUDA_FAIL", "init:803", 50, without);
    check_auto(start_with_module, "ANYSHMEM_DEVICE", "cpu", 50, NULL);
    check_auto(start_with_context, "ANYSHMEM_DEVICE", "cpu", 50, NULL);
}

/* nvshmemx_init_attr names the device; only whole attributes count. */
static int wanted_device;
static bool without_version;

static void start_on_device(void)
{
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    int device = 50;
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    if (nvshmemx_get_uniqueid(&id) != 0) _exit(97);
    if (nvshmemx_set_attr_uniqueid_args(0, 1, &id, &attr) != 0) _exit(96);
    attr.args.cuda_device_id = wanted_device;
    if (without_version) attr.args.version = 0;
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) != 0) _exit(95);
    (void)ash_cuda.context_device(&device);
    nvshmem_finalize();
    _exit(device);
}

static void test_device_of_attributes(void **state)
{
    int status;
    const char *text;
    wanted_device = 1;
    text = end_of(start_on_device, &status);
    if (status != 1) fail_msg("status %d: %s", status, text);
    wanted_device = -1;
    text = end_of(start_on_device, &status);
    if (status != 0) fail_msg("status %d: %s", status, text);
    wanted_device = 7;
    text = end_of(start_on_device, &status);
    assert_int_equal(status, 95);
    assert_non_null(strstr(text, "cuda_device_id 7: there are devices 0..1"));
    without_version = true;
    end_of(start_on_device, &status);
    assert_int_equal(status, 0);
}

/* The context that init made current is there after finalize, for the program and for init. */
static void start_again(void)
{
    uint64_t address = 0;
    nvshmem_init();
    nvshmem_finalize();
    if (ash_cuda.alloc(&address, 8) != 0 || ash_cuda.free(address) != 0) _exit(97);
    nvshmem_init();
    if (ash_gpu_routines == NULL) _exit(96);
    nvshmem_finalize();
    _exit(things_left());
}

static void test_start_after_finalize(void **state)
{
    int status;
    const char *text;
    text = end_of(start_again, &status);
    if (status != 0) fail_msg("status %d: %s", status, text);
}

/* A thread of the parent may hold the lock; in the child there is none to give it back. */
static void fork_with_lock(void)
{
    int status;
    pid_t child;
    nvshmem_init();
    ash_cuda_lock();
    child = fork();
    if (child == 0) {
        alarm(10);
        anyshmem_module_unregister(&module);
        _exit(0);
    }
    ash_cuda_unlock();
    if (waitpid(child, &status, 0) != child || status != 0) _exit(97);
    nvshmem_finalize();
    _exit(0);
}

static void test_fork_while_the_lock_is_held(void **state)
{
    int status;
    const char *text;
    text = end_of(fork_with_lock, &status);
    if (status != 0) fail_msg("status %d: %s", status, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failed_start_gives_all_back),
        cmocka_unit_test(test_device_is_chosen_automatically),
        cmocka_unit_test(test_device_of_attributes),
        cmocka_unit_test(test_start_after_finalize),
        cmocka_unit_test(test_fork_while_the_lock_is_held),
    };
    set_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
