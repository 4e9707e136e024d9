/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of lib/cuda share: the GPU of this PE.
 *
 *   context.c   its context, the lock, primary contexts that are kept
 *   cuda.c      which device; start and end
 *   driver.c    the driver's library
 *   memory.c    memory that the GPU sees
 *   own.c       memory that only the GPU uses, and its copy of the state
 *   module.c    the modules of device code, which get the state
 *   routines.c  launches and operations on streams
 *   poison.c    failures of the GPU, and the end of waiting kernels
 */
#ifndef ASH_LIB_CUDA_GPU_H
#define ASH_LIB_CUDA_GPU_H

#include "device/gpu/module.h"
#include "device/hostdev/gpu_routes.h"
#include "device/stream/op.h"
#include "lib/cuda/cuda.h"
#include "lib/cuda/driver.h"

/* Reply lines, and staging buffers and log2 of the bytes of each.  Numbers are powers of two. */
#define ASH_GPU_REPLIES 4096u
#define ASH_GPU_STAGE_BUFFERS 64u
#define ASH_GPU_STAGE_SHIFT 16u
/* A warp takes a slot for each of its 32 threads before it fills any of them. */
#define ASH_GPU_SLOTS_MIN 64u

/* What GPU and CPU share, in registered host memory.  Slots and staging buffers follow. */
struct ash_gpu_shared {
    struct ash_channel_progress progress;
    struct ash_reply replies[ASH_GPU_REPLIES];
    uint64_t stage_released[ASH_GPU_STAGE_BUFFERS];
    struct ash_fault_box fault __attribute__((aligned(128)));
    uint32_t poison __attribute__((aligned(128)));
} __attribute__((aligned(128)));

/* Memory of the GPU.  Tables follow: n_pes addresses of heaps, n_pes PEs for each team. */
struct ash_gpu_own {
    struct ash_channel channel;
    uint64_t reply_ticket __attribute__((aligned(128)));
    uint64_t stage_ticket __attribute__((aligned(128)));
    uint32_t fault_taken __attribute__((aligned(128)));
    uint64_t reply_released[ASH_GPU_REPLIES] __attribute__((aligned(128)));
} __attribute__((aligned(128)));

struct ash_cuda_gpu {
    /* Set, with `device`, by ash_cuda_choose; the rest by ash_cuda_start. */
    bool used;
    /* The device's handle, and the context on it that the program uses. */
    int device;
    void *context;
    /* The first context, in which host memory is registered. */
    void *home;
    /* A stream for copies and queries that do not wait for kernels. */
    void *stream;
    /* Devices whose primary contexts are retained until the end, as a bit mask. */
    uint64_t retained;
    bool wait_value64;
    bool native_atomics;

    /* Registered heaps: this PE's and the mapped ones. */
    unsigned char *const *peer;
    uint32_t n_pes;
    unsigned char *heap;
    uint64_t heap_nbytes;
    uint32_t n_registered;

    struct ash_gpu_shared *shared;
    size_t shared_nbytes;
    struct ash_slot *slots;
    unsigned char *stage;
    uint64_t n_slots;
    /* Address and size of the GPU's own memory. */
    uint64_t own;
    uint64_t own_nbytes;
    /* The host's copy of the GPU's channel, of which the proxy uses a part. */
    struct ash_channel channel;
    struct ash_proxy *proxy;
};

extern struct ash_cuda_gpu ash_gpu;

/* Around calls of the driver: `context` is current, and a stream capture of the program
 * does not forbid any call.  Each enter has its leave, unless the process ends in between. */
struct ash_cuda_visit {
    int mode;
    bool pushed;
};
struct ash_cuda_visit ash_cuda_enter(void *context);
void ash_cuda_leave(struct ash_cuda_visit visit);

/* One thread at a time changes the GPU's data.  ash_cuda_watch only tries to take the lock,
 * and does nothing if another thread has it. */
void ash_cuda_lock(void);
bool ash_cuda_try_lock(void);
void ash_cuda_unlock(void);
/* In a forked child, which lacks the thread that may have held the lock. */
void ash_cuda_lock_anew(void);

/* Copy from the host to an address of the device, and wait for that copy alone. */
int ash_cuda_copy(void *to, const void *from, size_t nbytes);

/* Is the context still there?  Not at the end of a program, or after a reset of the device. */
bool ash_cuda_alive(void);

/* Log an error of the driver in the call `what`; returns ASH_ERROR_CUDA. */
int ash_cuda_failed(const char *what, int error);

/* The GPU has failed: log that, then end the job. */
_Noreturn void ash_cuda_lost(const char *function, int error);

/*
 * Keep the primary context of a device until the end: 0, or an error of the driver.  For
 * good: beyond the end of the library, for a thread of the program has it current.
 */
int ash_cuda_retain(int device, const void *wanted, void **ret_context);
void ash_cuda_keep_for_good(int device);
void ash_cuda_release_all(void);

/* memory.c, with the context current.  0, or an error that was logged. */
int ash_cuda_register(struct ash_memory *heap, unsigned char *const *peer, uint32_t n_pes);
int ash_cuda_check_heaps(void);
void ash_cuda_unregister(void);
int ash_cuda_shared_make(void);
void ash_cuda_shared_free(void);

/* own.c, likewise. */
int ash_cuda_own_make(void);
/* Move it to another device, with the counters that the GPU has in it. */
int ash_cuda_own_move(void *old_context, void *old_stream);
void ash_cuda_own_free(void);
/* ash_state for the GPU; copies the teams' tables to its memory. */
int ash_cuda_state(struct ash_state *ret_state);

/* module.c; the lock is held. */
bool ash_modules_any(void);
/* Has a module been registered whose runtime was not ready for the state? */
bool ash_modules_pending(void);
/* Copy the state to all modules.  Errors end the program. */
void ash_modules_open(const struct ash_state *state);
struct ash_module *ash_modules_first(void);
struct ash_module *ash_modules_find(const void *kernel);
void ash_modules_forget(void);

/* routines.c */
extern const struct ash_gpu_routines ash_cuda_routines;

/* poison.c */
void ash_cuda_watch(void);
void ash_cuda_poison_word(uint32_t *word);

/* Does this error say that the driver or the context is gone, as at the end of a program? */
static inline bool ash_cuda_is_gone(int error)
{
    return error == ASH_CUDA_DEINITIALIZED || error == ASH_CUDA_INVALID_CONTEXT ||
           error == ASH_CUDA_CONTEXT_IS_DESTROYED;
}

#endif
