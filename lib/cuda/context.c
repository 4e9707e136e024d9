/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU's context and who may use it: a lock, calls of the driver with that context
 * current, and the primary contexts that are kept until the end.
 */
#include <pthread.h>

#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/cuda/gpu.h"

struct ash_cuda_gpu ash_gpu;
static pthread_mutex_t gpu_mutex = PTHREAD_MUTEX_INITIALIZER;

void ash_cuda_lock(void) { pthread_mutex_lock(&gpu_mutex); }
bool ash_cuda_try_lock(void) { return pthread_mutex_trylock(&gpu_mutex) == 0; }
void ash_cuda_unlock(void) { pthread_mutex_unlock(&gpu_mutex); }
void ash_cuda_lock_anew(void) { gpu_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

struct ash_cuda_visit ash_cuda_enter(void *context)
{
    struct ash_cuda_visit visit = {ASH_CUDA_CAPTURE_RELAXED, false};
    /* This fails if the driver or the context is gone; all calls that follow then fail, too. */
    (void)ash_cuda.capture_mode(&visit.mode);
    visit.pushed = ash_cuda.context_push(context) == 0;
    return visit;
}

void ash_cuda_leave(struct ash_cuda_visit visit)
{
    void *context;
    if (visit.pushed) (void)ash_cuda.context_pop(&context);
    (void)ash_cuda.capture_mode(&visit.mode);
}

int ash_cuda_failed(const char *what, int error)
{
    ash_log(ASH_LOG_ERROR, "%s: %s", what, ash_cuda_text(error));
    return ASH_ERROR_CUDA;
}

void ash_cuda_lost(const char *function, int error)
{
    ash_fatal("%s: the GPU has failed: %s; if a kernel of this program did it, compute-sanitizer "
              "shows which", function, ash_cuda_text(error));
}

/*
 * Devices whose primary contexts are never released, as a bit mask: they were made
 * current in a thread of the program, which may have allocated memory in them.
 */
static uint64_t kept_for_good;

static uint64_t bit_of(int device) { return UINT64_C(1) << (device & 63); }

/*
 * Retain the primary context of a device until the end, so that it outlives what this library
 * makes in it; only if it is `wanted`, or if that is NULL.  *ret_context is the primary context.
 * A context that is not the primary one belongs to the program.
 */
int ash_cuda_retain(int device, const void *wanted, void **ret_context)
{
    uint64_t kept = ash_gpu.retained | kept_for_good;
    int rc = ash_cuda.primary_retain(ret_context, device);
    if (rc != 0) return rc;
    if ((kept & bit_of(device)) || (wanted != NULL && wanted != *ret_context))
        return ash_cuda.primary_release(device);
    ash_gpu.retained |= bit_of(device);
    return 0;
}

void ash_cuda_keep_for_good(int device)
{
    kept_for_good |= bit_of(device);
    ash_gpu.retained &= ~bit_of(device);
}

void ash_cuda_release_all(void)
{
    for (int device = 0; device < 64; device++)
        if (ash_gpu.retained & bit_of(device)) (void)ash_cuda.primary_release(device);
    ash_gpu.retained = 0;
}

bool ash_cuda_alive(void)
{
    unsigned flags;
    /* The call may also return an error of a kernel; active stays 1 then. */
    int active = 1;
    /* A context that the program made has no such state. */
    if (((ash_gpu.retained | kept_for_good) & bit_of(ash_gpu.device)) == 0) return true;
    return !ash_cuda_is_gone(ash_cuda.primary_state(ash_gpu.device, &flags, &active)) &&
           active != 0;
}
