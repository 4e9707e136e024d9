/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The _on_stream entry points, but for collectives (collective_on_stream.c): each checks its
 * arguments and queues an operation.
 *
 * The arguments are checked in the call, so that an error is reported while the caller is
 * still there.  Later the stream's thread, or a kernel on a CUDA stream, runs the operation
 * by the routine that any device thread would call.
 */
#include <nvshmemx.h>

#include "device/api/wait_set_entry.h"
#include "device/routine/element.h"
#include "device/routine/rma.h"
#include "device/routine/signal.h"
#include "device/routine/strided.h"
#include "device/stream/stream.h"

/* put, get, p, g. */

/* Queue a copy, with or without a signal, whose arguments were checked. */
static void queue_copy(enum ash_stream_kind kind, const char *function,
                       const struct ash_stream_copy *copy, cudaStream_t stream)
{
    struct ash_stream_op op = {.kind = kind, .function = function, .copy = *copy};
    ash_stream_queue(&op, stream);
}

static void queue_put(const char *function, const struct ash_stream_copy *copy,
                      cudaStream_t stream)
{
    (void)ash_check_copy(function, "dest", copy->dest, "source", copy->source, copy->nbytes,
                         copy->pe);
    queue_copy(ASH_STREAM_PUT, function, copy, stream);
}

static void queue_get(const char *function, const struct ash_stream_copy *copy,
                      cudaStream_t stream)
{
    (void)ash_check_copy(function, "source", copy->source, "dest", copy->dest, copy->nbytes,
                         copy->pe);
    queue_copy(ASH_STREAM_GET, function, copy, stream);
}

static void queue_iput(const char *function, const struct ash_strided *copy, cudaStream_t stream)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_IPUT, .function = function, .strided = *copy};
    uint64_t offset;
    (void)ash_check_iput(function, copy, &offset);
    ash_stream_queue(&op, stream);
}

static void queue_iget(const char *function, const struct ash_strided *copy, cudaStream_t stream)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_IGET, .function = function, .strided = *copy};
    uint64_t offset;
    (void)ash_check_iget(function, copy, &offset);
    ash_stream_queue(&op, stream);
}

/* It returns the value, so nothing is queued: when the stream has come here, the caller reads. */
static void stream_g(const char *function, void *ret_value, const void *source, unsigned width,
                     int pe, cudaStream_t stream)
{
    int rc;
    ash_check_pe(function, pe);
    (void)ash_check_there(function, "source", source, width, pe);
    rc = ash_stream_drain(stream);
    if (rc != NVSHMEMX_SUCCESS)
        ash_raise(rc == NVSHMEMX_ERROR_INVALID_VALUE ? ASH_FAULT_STREAM : ASH_FAULT_STREAM_WAIT,
                  function, "stream", (uint64_t)(uintptr_t)stream, 0);
    ash_g(function, ret_value, source, width, pe);
}

static void queue_p(const char *function, void *dest, const void *value, unsigned width, int pe,
                    cudaStream_t stream)
{
    struct ash_stream_op op = {
        .kind = ASH_STREAM_P,
        .function = function,
        .p = {.dest = dest, .bits = ash_bits_load(value, width), .width = width, .pe = pe}};
    ash_check_pe(function, pe);
    (void)ash_check_there(function, "dest", dest, width, pe);
    ash_stream_queue(&op, stream);
}

/* Signals. */

static void queue_put_signal(const char *function, const struct ash_stream_copy *copy,
                             cudaStream_t stream)
{
    (void)ash_check_signal_op(function, copy->sig_op);
    (void)ash_check_copy(function, "dest", copy->dest, "source", copy->source, copy->nbytes,
                         copy->pe);
    (void)ash_check_variable(function, "sig_addr", copy->sig_addr, 8);
    queue_copy(ASH_STREAM_PUT_SIGNAL, function, copy, stream);
}

void nvshmemx_signal_op_on_stream(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe,
                                  cudaStream_t stream)
{
    static const char function[] = "nvshmemx_signal_op_on_stream";
    const struct ash_stream_copy alone = {
        .sig_addr = sig_addr, .signal = signal, .sig_op = sig_op, .pe = pe};
    (void)ash_check_signal_op(function, sig_op);
    ash_check_pe(function, pe);
    (void)ash_check_variable(function, "sig_addr", sig_addr, 8);
    queue_copy(ASH_STREAM_SIGNAL, function, &alone, stream);
}

/* 25 types, 5 sizes, bytes. */

#define ASH_DEFINE_COPY(WORK, NAME, TYPE, BYTES, BLOCKING) \
    void NAME##_on_stream(TYPE *dest, const TYPE *source, size_t nelems, int pe, \
                          cudaStream_t stream) \
    { \
        const struct ash_stream_copy copy = { \
            .dest = dest, \
            .source = source, \
            .nbytes = ash_check_size(#NAME "_on_stream", nelems, BYTES), \
            .pe = pe, \
            .blocking = BLOCKING}; \
        WORK(#NAME "_on_stream", &copy, stream); \
    }
#define ASH_DEFINE_SIGNAL(NAME, TYPE, BYTES, BLOCKING) \
    void NAME##_on_stream(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
                          uint64_t signal, int sig_op, int pe, cudaStream_t stream) \
    { \
        const struct ash_stream_copy copy = { \
            dest, source, ash_check_size(#NAME "_on_stream", nelems, BYTES), \
            sig_addr, signal, sig_op, pe, BLOCKING}; \
        queue_put_signal(#NAME "_on_stream", &copy, stream); \
    }
#define ASH_DEFINE_STRIDED(WORK, NAME, TYPE, BYTES) \
    void NAME##_on_stream(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
                          size_t nelems, int pe, cudaStream_t stream) \
    { \
        const struct ash_strided copy = {dest, source, dst, sst, nelems, BYTES, pe}; \
        WORK(#NAME "_on_stream", &copy, stream); \
    }
#define ASH_DEFINE(PUT, GET, TYPE, BYTES) \
    ASH_DEFINE_COPY(queue_put, PUT, TYPE, BYTES, true) \
    ASH_DEFINE_COPY(queue_put, PUT##_nbi, TYPE, BYTES, false) \
    ASH_DEFINE_COPY(queue_get, GET, TYPE, BYTES, true) \
    ASH_DEFINE_COPY(queue_get, GET##_nbi, TYPE, BYTES, false) \
    ASH_DEFINE_SIGNAL(PUT##_signal, TYPE, BYTES, true) \
    ASH_DEFINE_SIGNAL(PUT##_signal_nbi, TYPE, BYTES, false)
#define X(NAME, TYPE) \
    ASH_DEFINE(nvshmemx_##NAME##_put, nvshmemx_##NAME##_get, TYPE, sizeof(TYPE)) \
    void nvshmemx_##NAME##_p_on_stream(TYPE *dest, TYPE value, int pe, cudaStream_t stream) \
    { \
        queue_p("nvshmemx_" #NAME "_p_on_stream", dest, &value, sizeof(TYPE), pe, stream); \
    } \
    TYPE nvshmemx_##NAME##_g_on_stream(const TYPE *source, int pe, cudaStream_t stream) \
    { \
        TYPE value; \
        stream_g("nvshmemx_" #NAME "_g_on_stream", &value, source, sizeof value, pe, stream); \
        return value; \
    } \
    ASH_DEFINE_STRIDED(queue_iput, nvshmemx_##NAME##_iput, TYPE, sizeof(TYPE)) \
    ASH_DEFINE_STRIDED(queue_iget, nvshmemx_##NAME##_iget, TYPE, sizeof(TYPE))
NVSHMEM_RMA_TYPES(X)
#undef X
#define X(SIZE) \
    ASH_DEFINE(nvshmemx_put##SIZE, nvshmemx_get##SIZE, void, SIZE / 8) \
    ASH_DEFINE_STRIDED(queue_iput, nvshmemx_iput##SIZE, void, SIZE / 8) \
    ASH_DEFINE_STRIDED(queue_iget, nvshmemx_iget##SIZE, void, SIZE / 8)
NVSHMEM_SIZES(X)
#undef X
ASH_DEFINE(nvshmemx_putmem, nvshmemx_getmem, void, 1)
#undef ASH_DEFINE
#undef ASH_DEFINE_STRIDED
#undef ASH_DEFINE_SIGNAL
#undef ASH_DEFINE_COPY

/* Waits: 14 types, and signals. */

static void queue_wait(const char *function, const char *argument, const void *variable,
                       struct ash_kind kind, int cmp, uint64_t value, cudaStream_t stream)
{
    struct ash_stream_op op = {
        .kind = ASH_STREAM_WAIT,
        .function = function,
        .wait = {.variable = variable, .value = value, .kind = kind, .cmp = cmp}};
    ash_check_wait(function, argument, variable, kind, cmp);
    ash_stream_queue(&op, stream);
}

#define X(NAME, TYPE) \
    void nvshmemx_##NAME##_wait_until_on_stream(TYPE *ivar, int cmp, TYPE cmp_value, \
                                                cudaStream_t stream) \
    { \
        queue_wait("nvshmemx_" #NAME "_wait_until_on_stream", "ivar", ivar, ASH_KIND(TYPE), cmp, \
                   (uint64_t)cmp_value, stream); \
    } \
    void nvshmemx_##NAME##_wait_on_stream(TYPE *ivar, TYPE cmp_value, cudaStream_t stream) \
    { \
        queue_wait("nvshmemx_" #NAME "_wait_on_stream", "ivar", ivar, ASH_KIND(TYPE), \
                   NVSHMEM_CMP_NE, (uint64_t)cmp_value, stream); \
    }
NVSHMEM_SYNC_TYPES(X)
#undef X

void nvshmemx_signal_wait_until_on_stream(uint64_t *sig_addr, int cmp, uint64_t cmp_val,
                                          cudaStream_t stream)
{
    queue_wait("nvshmemx_signal_wait_until_on_stream", "sig_addr", sig_addr, ASH_KIND(uint64_t),
               cmp, cmp_val, stream);
}

static void queue_wait_set(const struct ash_wait_set *set, cudaStream_t stream)
{
    struct ash_stream_op op = {
        .kind = ASH_STREAM_WAIT_SET, .function = set->function, .wait_set = {.set = *set}};
    ash_check_wait_set(set);
    if (!set->many_values) memcpy(&op.wait_set.value, set->values, set->kind.width);
    ash_stream_queue(&op, stream);
}

#define ASH_DEFINE(NAME, TYPE, SUFFIX, PARAMETER, VALUES, MANY) \
    void nvshmemx_##NAME##_wait_until_all##SUFFIX##_on_stream( \
        TYPE *ivars, size_t nelems, const int *status, int cmp, PARAMETER, cudaStream_t stream) \
    { \
        ASH_WAIT_SET("nvshmemx_" #NAME "_wait_until_all" #SUFFIX "_on_stream", TYPE, ASH_SAME, \
                     VALUES, MANY); \
        queue_wait_set(&set, stream); \
    }
#define X(NAME, TYPE) \
    ASH_DEFINE(NAME, TYPE, , TYPE cmp_value, &cmp_value, false) \
    ASH_DEFINE(NAME, TYPE, _vector, TYPE *cmp_values, cmp_values, true)
NVSHMEM_SYNC_TYPES(X)
#undef X
#undef ASH_DEFINE

/* Order. */

static void queue_quiet(const char *function, cudaStream_t stream)
{
    struct ash_stream_op op = {.kind = ASH_STREAM_QUIET, .function = function};
    ash_check_started(function);
    ash_stream_queue(&op, stream);
}

void nvshmemx_quiet_on_stream(cudaStream_t stream)
{
    queue_quiet("nvshmemx_quiet_on_stream", stream);
}

void nvshmemx_flush_on_stream(cudaStream_t stream)
{
    queue_quiet("nvshmemx_flush_on_stream", stream);
}

/* The program's own functions. */

int anyshmemx_launch_host_func(cudaStream_t stream, void (*fn)(void *arg), void *arg)
{
    static const char function[] = "anyshmemx_launch_host_func";
    struct ash_stream_op op = {
        .kind = ASH_STREAM_CALL, .function = function, .call = {.function = fn, .arg = arg}};
    ash_check_started(function);
    if (fn == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    return ash_stream_push(stream, &op);
}
