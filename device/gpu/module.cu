/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's part of libanyshmem_device.a: a constructor registers this device link with
 * libanyshmem.so, because only the link's own CUDA runtime knows its kernels and its state.
 *
 * Everything here belongs to one device link, so nothing is visible outside the
 * program or library that it is linked into.
 */
#define ASH_DEVICE_LIBRARY 1
#include "device/gpu/module.h"
#include "device/stream/run.h"

#define LINK_LOCAL __attribute__((visibility("hidden")))

/* Threads of a block that copies or is in a collective, and the bytes for which one more block
 * copies. */
#define COPY_THREADS 256u
#define COPY_BYTES UINT64_C(16384)
/* The most blocks of a copy, so that it leaves room for kernels that run at the same time. */
#define COPY_BLOCKS 64u

static_assert(sizeof(struct ash_stream_op) == 88, "the library's operation has the same size");

/* The most attributes of a program's launch. */
#define ATTRIBUTES_MAX 31u

/* A copy of a host string as a kernel's argument, where the kernel can read it. */
struct stream_name {
    char text[ASH_FAULT_FUNCTION];
};

/* Runs a copy: each block copies its part.  One with strides has one block. */
static __global__ void __launch_bounds__(COPY_THREADS)
    run_copy(struct ash_stream_op op, const __grid_constant__ struct stream_name name)
{
    op.function = name.text;
    if (ash_stream_part(&op, blockIdx.x, gridDim.x)) ash_stream_run_copy(ASH_SCOPE_BLOCK, &op);
}

static __global__ void __launch_bounds__(COPY_THREADS)
    run_collective(struct ash_stream_op op, const __grid_constant__ struct stream_name name)
{
    ash_stream_run_collective(ASH_SCOPE_BLOCK, name.text, &op.collective);
}

static __global__ void run_alone(struct ash_stream_op op,
                                 const __grid_constant__ struct stream_name name)
{
    op.function = name.text;
    ash_stream_run_alone(&op);
}

static const void *const kernels[] = {(const void *)run_copy, (const void *)run_collective,
                                      (const void *)run_alone};

static int launch_kernel(const void *kernel, const struct ash_stream_op *op, uint32_t blocks,
                         uint32_t threads, cudaStream_t stream)
{
    struct ash_stream_op argument = *op;
    struct stream_name name = {};
    void *arguments[] = {&argument, &name};
    strncpy(name.text, op->function, sizeof(name.text) - 1);
    return cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, stream);
}

static int queue_copy(const struct ash_stream_op *op, cudaStream_t stream)
{
    uint64_t blocks = op->copy.nbytes / COPY_BYTES;
    if (blocks < 1) blocks = 1;
    if (blocks > COPY_BLOCKS) blocks = COPY_BLOCKS;
    return launch_kernel((const void *)run_copy, op, (uint32_t)blocks, COPY_THREADS, stream);
}

/* For data that several blocks copy: one kernel puts it and the next one signals, in the order of
 * the stream. */
static int queue_put_signal(const struct ash_stream_op *op, cudaStream_t stream)
{
    struct ash_stream_op part = *op;
    int error;
    part.kind = ASH_STREAM_PUT;
    error = queue_copy(&part, stream);
    if (error != cudaSuccess) return error;
    part.kind = ASH_STREAM_SIGNAL;
    return launch_kernel((const void *)run_alone, &part, 1, 1, stream);
}

static int module_stream_op(const struct ash_stream_op *op, void *stream)
{
    cudaStream_t s = (cudaStream_t)stream;
    switch (op->kind) {
    case ASH_STREAM_CALL: return cudaLaunchHostFunc(s, op->call.function, op->call.arg);
    case ASH_STREAM_PUT_SIGNAL:
        return op->copy.nbytes < 2 * COPY_BYTES ? queue_copy(op, s) : queue_put_signal(op, s);
    case ASH_STREAM_PUT:
    case ASH_STREAM_GET: return queue_copy(op, s);
    case ASH_STREAM_IPUT:
    case ASH_STREAM_IGET: return launch_kernel((const void *)run_copy, op, 1, COPY_THREADS, s);
    case ASH_STREAM_COLLECTIVE:
        return launch_kernel((const void *)run_collective, op, 1, COPY_THREADS, s);
    default: return launch_kernel((const void *)run_alone, op, 1, 1, s);
    }
}

/*
 * cudaFuncGetAttributes would take any address for a kernel of the driver's, but
 * cudaGetFuncBySymbol looks it up among the kernels of this runtime.  After a sticky error,
 * such as a fault in a kernel, every call fails.  Then this returns true, so that a kernel
 * is not taken for one of the host device, and its launch reports the error.
 */
static bool module_knows(const void *func)
{
    cudaFunction_t found;
    if (cudaGetFuncBySymbol(&found, func) != cudaErrorInvalidDeviceFunction) return true;
    /* The error is not the program's, which may ask for its own last error later. */
    (void)cudaGetLastError();
    return false;
}

/*
 * CUDA loads a kernel when it is first asked for, and may then wait for all running
 * kernels: indefinitely, if one of those waits for this kernel.  So this asks for all
 * kernels early.
 */
static int module_state_address(void **ret_address)
{
    struct cudaFuncAttributes attributes;
    int error = cudaErrorInvalidDeviceFunction;
    if (module_knows(kernels[0])) error = cudaSuccess;
    for (const void *kernel : kernels)
        if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess) error = cudaGetSymbolAddress(ret_address, ash_device_state);
    if (error != cudaSuccess) (void)cudaGetLastError();
    return error;
}

/* Adds the attribute of a cooperative launch, unless the caller has set it. */
static int module_launch(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    cudaLaunchAttribute attributes[ATTRIBUTES_MAX + 1] = {};
    cudaLaunchConfig_t all = *config;
    if (config->numAttrs > ATTRIBUTES_MAX) return cudaErrorInvalidValue;
    all.attrs = attributes;
    attributes[config->numAttrs].id = cudaLaunchAttributeCooperative;
    attributes[config->numAttrs].val.cooperative = 1;
    all.numAttrs++;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        attributes[i] = config->attrs[i];
        if (attributes[i].id == cudaLaunchAttributeCooperative) all.numAttrs = config->numAttrs;
    }
    return cudaLaunchKernelExC(&all, func, args);
}

static int module_grid_size(const void *func, uint32_t block_threads, size_t shared_nbytes,
                            int *ret_blocks)
{
    int device, n_sms, blocks, error;
    error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&n_sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, func, (int)block_threads,
                                                              shared_nbytes);
    if (error == cudaSuccess) *ret_blocks = blocks * n_sms;
    return error;
}

static const char *module_error_text(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

/* nvshmem.h refers to this symbol, so that the linker takes this file from the archive. */
extern "C" {
LINK_LOCAL extern struct ash_module anyshmem_device_module;
struct ash_module anyshmem_device_module = {
    ASH_MODULE_VERSION,   sizeof(struct ash_state), sizeof(struct ash_stream_op),
    module_state_address, module_knows,             module_launch,
    module_grid_size,     module_stream_op,         module_error_text,
    nullptr};
}

__attribute__((constructor)) static void module_begin(void)
{
    anyshmem_module_register(&anyshmem_device_module);
}

__attribute__((destructor)) static void module_end(void)
{
    anyshmem_module_unregister(&anyshmem_device_module);
}
