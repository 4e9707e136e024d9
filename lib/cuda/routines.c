/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the host's routines do on the GPU: launches, and operations on CUDA streams.  The
 * driver does an operation if it can; otherwise a module launches a kernel for it.
 */
#include <nvshmemx.h>

#include "device/target/target.h"
#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/cuda/gpu.h"

/*
 * Streams 0..2 and kernels are those of the current context.  A thread without one uses the
 * library's meanwhile, because CUDA's runtime would take device 0.
 */
static bool borrow_context(void)
{
    void *context = NULL;
    if (ash_cuda.context_current(&context) == 0 && context != NULL) return false;
    return ash_cuda.context_push(ash_gpu.context) == 0;
}

static void give_context_back(bool borrowed)
{
    void *context;
    if (borrowed) (void)ash_cuda.context_pop(&context);
}

static struct ash_module *find(const void *kernel)
{
    struct ash_module *m;
    bool borrowed;
    ash_cuda_lock();
    borrowed = borrow_context();
    m = ash_modules_find(kernel);
    give_context_back(borrowed);
    ash_cuda_unlock();
    return m;
}

static bool knows(const void *func)
{
    return find(func) != NULL;
}

static int result(const char *function, const struct ash_module *m, int error)
{
    if (error == 0) return NVSHMEMX_SUCCESS;
    ash_log(ASH_LOG_ERROR, "%s: CUDA: %s", function, m->error_text(error));
    return NVSHMEMX_ERROR_INTERNAL;
}

static int launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    struct ash_module *m = find(func);
    bool borrowed = borrow_context();
    int rc = m->launch(config, func, args);
    give_context_back(borrowed);
    return result("nvshmemx_collective_launch", m, rc);
}

static int grid_size(const void *func, dim3 block, size_t shared_nbytes, int *ret_blocks)
{
    struct ash_module *m = find(func);
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    bool borrowed;
    int rc;
    if (threads == 0 || threads > UINT32_MAX || ret_blocks == NULL)
        return NVSHMEMX_ERROR_INVALID_VALUE;
    borrowed = borrow_context();
    rc = m->grid_size(func, (uint32_t)threads, shared_nbytes, ret_blocks);
    give_context_back(borrowed);
    return result("nvshmemx_collective_launch_query_gridsize", m, rc);
}

/* Where a symmetric address of another PE is mapped here, or NULL. */
static unsigned char *mapped(const void *address, int pe)
{
    const struct ash_state *s = dev_state;
    unsigned char *peer = s->peer[pe];
    return peer != NULL ? peer + ((const unsigned char *)address - s->heap) : NULL;
}

/* Pinned or registered host memory; not the GPU's, and not memory that no kernel can read. */
static bool is_host_memory(uint64_t address)
{
    unsigned type = 0;
    return ash_cuda.pointer_attribute(&type, ASH_CUDA_MEMORY_TYPE, address) == 0 &&
           type == ASH_CUDA_MEMORY_HOST;
}

/* Do a put or get as a copy in the stream: 0 or CUDA's error; -1: a copy cannot do it. */
static int copy(const struct ash_stream_op *op, void *stream)
{
    bool put = op->kind == ASH_STREAM_PUT;
    uint64_t to = (uintptr_t)op->copy.dest, from = (uintptr_t)op->copy.source;
    uint64_t nbytes = op->copy.nbytes;
    unsigned char *there = mapped(put ? op->copy.dest : op->copy.source, op->copy.pe);
    if (nbytes == 0) return 0;
    if (there == NULL) return -1;
    if (put)
        to = (uintptr_t)there;
    else
        from = (uintptr_t)there;
    if (to == from) return 0;
    /* On this PE itself, source and destination may overlap, which the driver does not allow. */
    if (to - from < nbytes || from - to < nbytes) return -1;
    /*
     * A copy from host to host is synchronous: the driver waits for the stream, which
     * may itself wait for what the caller does next.
     */
    if (is_host_memory(put ? from : to)) return -1;
    return ash_cuda.copy(to, from, nbytes, stream);
}

/* Let the stream itself wait for a word of the heap to have one value; -1: it cannot. */
static int wait(const struct ash_stream_op *op, void *stream)
{
    const struct ash_state *s = dev_state;
    uint64_t address = (uintptr_t)op->wait.variable;
    unsigned width = op->wait.kind.width;
    int capturing = 0;
    if (op->wait.cmp != NVSHMEM_CMP_EQ || (width != 4 && width != 8) || address % width != 0)
        return -1;
    if (address - (uintptr_t)s->heap >= s->heap_size) return -1;
    /* Such a wait cannot be captured in a graph. */
    if (ash_cuda.stream_capturing(stream, &capturing) != 0 || capturing != 0) return -1;
    if (width == 4)
        return ash_cuda.wait_value32(stream, address, (uint32_t)op->wait.value, ASH_CUDA_WAIT_EQ);
    if (!ash_gpu.wait_value64) return -1;
    return ash_cuda.wait_value64(stream, address, op->wait.value, ASH_CUDA_WAIT_EQ);
}

static int by_driver(const struct ash_stream_op *op, void *stream)
{
    switch (op->kind) {
    case ASH_STREAM_PUT:
    case ASH_STREAM_GET: return copy(op, stream);
    case ASH_STREAM_WAIT: return wait(op, stream);
    case ASH_STREAM_CALL: return ash_cuda.host_function(stream, op->call.function, op->call.arg);
    default: return -1;
    }
}

static void by_module(const struct ash_stream_op *op, cudaStream_t stream)
{
    struct ash_module *m;
    int rc;
    ash_cuda_lock();
    m = ash_modules_first();
    ash_cuda_unlock();
    if (m == NULL)
        ash_fatal("%s: stream %p: this needs a kernel, and the program is not linked with "
                  "libanyshmem_device", op->function, (void *)stream);
    if (ash_modules_pending()) ash_cuda_open();
    rc = m->stream_op(op, stream);
    if (rc != 0)
        ash_fatal("%s: stream %p: CUDA: %s", op->function, (void *)stream, m->error_text(rc));
}

static void stream_op(const struct ash_stream_op *op, cudaStream_t stream)
{
    bool borrowed = borrow_context();
    int rc;
    rc = by_driver(op, stream);
    if (rc > 0)
        ash_fatal("%s: stream %p: %s", op->function, (void *)stream, ash_cuda_text(rc));
    if (rc < 0) by_module(op, stream);
    give_context_back(borrowed);
}

static int stream_state(cudaStream_t stream, bool wait_for_it)
{
    bool borrowed = borrow_context();
    int rc = wait_for_it ? ash_cuda.stream_wait(stream) : ash_cuda.stream_query(stream);
    give_context_back(borrowed);
    switch (rc) {
    case 0: return NVSHMEMX_SUCCESS;
    case ASH_CUDA_NOT_READY: return ANYSHMEMX_ERROR_NOT_READY;
    case ASH_CUDA_INVALID_HANDLE: return NVSHMEMX_ERROR_INVALID_VALUE;
    /* The errors in a host function, and for a stream that is being captured. */
    case ASH_CUDA_NOT_PERMITTED:
    case ASH_CUDA_CAPTURE_UNSUPPORTED: return NVSHMEMX_ERROR_NOT_SUPPORTED;
    default:
        ash_log(ASH_LOG_ERROR, "stream %p: %s", (void *)stream, ash_cuda_text(rc));
        return NVSHMEMX_ERROR_INTERNAL;
    }
}

const struct ash_gpu_routines ash_cuda_routines = {.knows = knows,
                                                   .launch = launch,
                                                   .grid_size = grid_size,
                                                   .stream_op = stream_op,
                                                   .stream_state = stream_state,
                                                   .check_device_change =
                                                       ash_cuda_check_device_change};
