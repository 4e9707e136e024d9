/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a job with a GPU.  A thread of the proxy detects kernels that failed; when the
 * job ends for another reason, a word in shared memory makes waiting kernels end as well.
 */
#include "device/target/target.h"
#include "lib/base/end.h"
#include "lib/cuda/gpu.h"

/*
 * The word that waiting kernels poll, or NULL.  Written by: the thread that starts or ends the
 * library.  Read by: any thread that ends the process, and the proxy's thread for the GPU.
 */
static uint32_t *poison_word;

void ash_cuda_poison_word(uint32_t *word)
{
    /* Pairs with the acquires below: a thread that sees the word sees it initialized. */
    __atomic_store_n(&poison_word, word, __ATOMIC_RELEASE);
    /* Never taken back: the end of a job may be about to call it, and it looks at the word. */
    ash_poison_hook = ash_cuda_poison;
}

void ash_cuda_poison(void)
{
    uint32_t *word = __atomic_load_n(&poison_word, __ATOMIC_ACQUIRE);
    if (word != NULL) __atomic_store_n(word, 1, __ATOMIC_RELEASE);
}

void ash_cuda_forked(void)
{
    ash_cuda_lock_anew();
    ash_cuda_poison_word(NULL);
    ash_gpu_routines = NULL;
    ash_gpu.used = false;
}

/*
 * An error of a kernel stays in its context, so any call returns it; this one queries a
 * stream in which nothing runs.
 */
void ash_cuda_watch(void)
{
    const uint32_t *word = __atomic_load_n(&poison_word, __ATOMIC_ACQUIRE);
    struct ash_cuda_visit visit;
    int rc = 0;
    /* The library or the process is ending anyway. */
    if (word == NULL || __atomic_load_n(word, __ATOMIC_RELAXED) != 0) return;
    if (!ash_cuda_try_lock()) return;
    if (ash_cuda_alive()) {
        visit = ash_cuda_enter(ash_gpu.context);
        rc = ash_cuda.stream_query(ash_gpu.stream);
        ash_cuda_leave(visit);
        /* The program may have reset its device meanwhile, which has destroyed the stream. */
        if (rc == ASH_CUDA_NOT_READY || ash_cuda_is_gone(rc) || !ash_cuda_alive()) rc = 0;
    }
    ash_cuda_unlock();
    if (rc != 0) ash_cuda_lost("a kernel", rc);
}
