/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the device and the context, starts and stops the parts of lib/cuda in it, and moves
 * them when the program uses another device.
 */
#include "lib/cuda/cuda.h"

#include <string.h>

#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/cuda/gpu.h"

/* This PE's index among the PEs of its node. */
static int local_rank(const struct ash_bootstrap *bootstrap)
{
    uint32_t i = 0;
    while (i < bootstrap->n_local && bootstrap->local_pes[i] != bootstrap->pe) i++;
    return (int)i;
}

/*
 * The program has not required a GPU, so it is no error that there is none.  But CUDA's calls
 * will fail, and many programs do not look: one PE says for all why nothing is computed.
 */
static int go_without(const struct ash_bootstrap *bootstrap, const struct ash_cuda_reason *reason)
{
    if (reason->usual && bootstrap->pe == 0 && ash_modules_any())
        ash_log(ASH_LOG_WARN,
                "the program has CUDA kernels, and there is no GPU for them (%s): they will not "
                "run; docs/porting.md has how to compile it for CPUs; ANYSHMEM_DEVICE=cpu omits "
                "this line",
                reason->text);
    else
        ash_log(reason->usual ? ASH_LOG_INFO : ASH_LOG_WARN,
                "ANYSHMEM_DEVICE=auto: %s; this PE runs without a GPU", reason->text);
    return 0;
}

int ash_cuda_choose(const struct ash_bootstrap *bootstrap, int device, bool *ret_used)
{
    struct ash_cuda_reason reason;
    int count;
    *ret_used = ash_gpu.used = false;
    if (ash_env.device == ASH_DEVICE_CPU) return 0;
    if (ash_env.device == ASH_DEVICE_AUTO && !ash_modules_any() && !ash_cuda_context_is_current())
        return 0;
    if (ash_cuda_load(&count, &reason) != 0) {
        if (ash_env.device == ASH_DEVICE_AUTO) return go_without(bootstrap, &reason);
        ash_log(ASH_LOG_ERROR, "ANYSHMEM_DEVICE=cuda: %s; ANYSHMEM_DEVICE=cpu runs without a GPU",
                reason.text);
        return ASH_ERROR_CUDA;
    }
    if (device >= count) {
        ash_log(ASH_LOG_ERROR, "nvshmemx_init_attr: cuda_device_id %d: there are devices 0..%d",
                device, count - 1);
        return ASH_ERROR_BAD_VALUE;
    }
    memset(&ash_gpu, 0, sizeof(ash_gpu));
    ash_gpu.device = device >= 0 ? device : local_rank(bootstrap) % count;
    ash_gpu.used = *ret_used = true;
    return 0;
}

/* Use this context, which is current: find its device, make a stream.  0, or an error, logged. */
static int take_context(void *context)
{
    int value = 0, rc = ash_cuda.context_device(&ash_gpu.device);
    void *primary;
    if (rc != 0) return ash_cuda_failed("cuCtxGetDevice", rc);
    rc = ash_cuda_retain(ash_gpu.device, context, &primary);
    if (rc != 0) return ash_cuda_failed("cuDevicePrimaryCtxRetain", rc);
    ash_gpu.context = context;
    rc = ash_cuda.stream_create(&ash_gpu.stream, ASH_CUDA_STREAM_NON_BLOCKING);
    if (rc != 0) return ash_cuda_failed("cuStreamCreate", rc);
    rc = ash_cuda.device_attribute(&value, ASH_CUDA_HOST_NATIVE_ATOMIC, ash_gpu.device);
    ash_gpu.native_atomics = rc == 0 && value != 0;
    rc = ash_cuda.device_attribute(&value, ASH_CUDA_WAIT_VALUE64, ash_gpu.device);
    ash_gpu.wait_value64 = rc == 0 && value != 0;
    return 0;
}

/* The current context; if there is none, the chosen device's primary one, which is made current. */
static int find_context(void **ret_context)
{
    int rc = ash_cuda.context_current(ret_context);
    if (rc == 0 && *ret_context != NULL) return 0;
    rc = ash_cuda.device_get(&ash_gpu.device, ash_gpu.device);
    if (rc != 0) return ash_cuda_failed("cuDeviceGet", rc);
    rc = ash_cuda_retain(ash_gpu.device, NULL, ret_context);
    if (rc != 0) return ash_cuda_failed("cuDevicePrimaryCtxRetain", rc);
    rc = ash_cuda.context_set(*ret_context);
    if (rc != 0) return ash_cuda_failed("cuCtxSetCurrent", rc);
    ash_cuda_keep_for_good(ash_gpu.device);
    return 0;
}

static void log_device(void)
{
    char name[128] = "";
    if (ash_log_level < ASH_LOG_INFO) return;
    (void)ash_cuda.device_name(name, sizeof(name), ash_gpu.device);
    ash_log(ASH_LOG_INFO, "GPU %d, %s%s", ash_gpu.device, name,
            ash_gpu.native_atomics ? ", its atomics are atomic for CPUs" : "");
}

/* Undo all that was done, each part in the context where it was done; parts may be missing. */
static void close_gpu(void)
{
    struct ash_cuda_visit visit = ash_cuda_enter(ash_gpu.context);
    if (visit.pushed && ash_cuda_alive()) {
        ash_cuda_own_free();
        if (ash_gpu.stream != NULL) (void)ash_cuda.stream_destroy(ash_gpu.stream);
    }
    ash_gpu.stream = NULL;
    ash_cuda_leave(visit);
    visit = ash_cuda_enter(ash_gpu.home);
    ash_cuda_shared_free();
    ash_cuda_unregister();
    ash_cuda_leave(visit);
    ash_cuda_release_all();
    ash_gpu.used = false;
}

static int open_gpu(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes)
{
    int rc = take_context(ash_gpu.home);
    if (rc == 0) rc = ash_cuda_register(heap, peer, n_pes);
    if (rc == 0) rc = ash_cuda_shared_make();
    if (rc == 0) rc = ash_cuda_own_make();
    return rc;
}

int ash_cuda_start(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes,
                   struct ash_proxy *proxy)
{
    struct ash_cuda_visit visit;
    int rc;
    if (!ash_gpu.used) return 0;
    rc = find_context(&ash_gpu.home);
    if (rc == 0) {
        visit = ash_cuda_enter(ash_gpu.home);
        rc = open_gpu(heap, peer, n_pes);
        ash_cuda_leave(visit);
    }
    if (rc != 0) {
        close_gpu();
        return rc;
    }
    ash_gpu.proxy = proxy;
    ash_cuda_poison_word(&ash_gpu.shared->poison);
    ash_proxy_attach_gpu(proxy, &(struct ash_proxy_gpu){
                                    .channel = &ash_gpu.channel,
                                    .replies = ash_gpu.shared->replies,
                                    .n_replies = ASH_GPU_REPLIES,
                                    .stage = ash_gpu.stage,
                                    .n_stage = ASH_GPU_STAGE_BUFFERS,
                                    .stage_shift = ASH_GPU_STAGE_SHIFT,
                                    .stage_released = ash_gpu.shared->stage_released,
                                    .fault = &ash_gpu.shared->fault,
                                    .peer = peer,
                                    .watch = ash_cuda_watch});
    log_device();
    return 0;
}

void ash_cuda_open(void)
{
    struct ash_cuda_visit visit;
    struct ash_state state;
    int rc;
    if (!ash_gpu.used) return;
    ash_cuda_lock();
    visit = ash_cuda_enter(ash_gpu.context);
    rc = ash_cuda_state(&state);
    if (rc != 0) ash_cuda_lost("the GPU's state", rc);
    ash_modules_open(&state);
    ash_cuda_leave(visit);
    ash_gpu_routines = &ash_cuda_routines;
    ash_cuda_unlock();
}

void ash_cuda_drain(void)
{
    struct ash_cuda_visit visit;
    int rc;
    if (!ash_gpu.used || !ash_cuda_alive()) return;
    visit = ash_cuda_enter(ash_gpu.context);
    rc = ash_cuda.context_wait();
    ash_cuda_leave(visit);
    if (rc != 0 && !ash_cuda_is_gone(rc)) ash_cuda_lost("nvshmem_finalize", rc);
}

void ash_cuda_stop(void)
{
    /* All zero: a kernel that runs after the end finds the library closed. */
    static const struct ash_state closed;
    struct ash_cuda_visit visit;
    if (!ash_gpu.used) return;
    ash_gpu_routines = NULL;
    ash_proxy_detach_gpu(ash_gpu.proxy);
    ash_cuda_lock();
    ash_cuda_poison_word(NULL);
    visit = ash_cuda_enter(ash_gpu.context);
    if (ash_cuda_alive()) ash_modules_open(&closed);
    ash_modules_forget();
    ash_cuda_leave(visit);
    close_gpu();
    ash_cuda_unlock();
}

/* Move to another context; kernels in flight must end before their state is moved. */
static void move(const char *function, void *context)
{
    static const struct ash_state closed;
    void *old_context = ash_gpu.context, *old_stream = ash_gpu.stream;
    struct ash_cuda_visit visit = ash_cuda_enter(old_context);
    struct ash_state state;
    int rc = ash_cuda.context_wait();
    if (rc != 0) ash_cuda_lost(function, rc);
    ash_modules_open(&closed);
    ash_cuda_leave(visit);
    visit = ash_cuda_enter(context);
    rc = take_context(context);
    if (rc == 0) rc = ash_cuda_check_heaps();
    if (rc == 0) rc = ash_cuda_own_move(old_context, old_stream);
    if (rc != 0) ash_fatal("%s: the program's new CUDA device %d cannot be used", function,
                           ash_gpu.device);
    rc = ash_cuda_state(&state);
    if (rc != 0) ash_cuda_lost(function, rc);
    ash_modules_open(&state);
    ash_cuda_leave(visit);
    log_device();
}

void ash_cuda_check_device_change(const char *function)
{
    void *context = NULL;
    if (!ash_gpu.used) return;
    if (ash_cuda.context_current(&context) == 0 && context != NULL && context != ash_gpu.context) {
        ash_cuda_lock();
        if (context != ash_gpu.context) move(function, context);
        ash_cuda_unlock();
    } else if (ash_modules_pending()) {
        ash_cuda_open();
    }
}
