/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One kernel for each routine whose machine code is looked at: by sass.sh, which
 * counts what its usual path does, and by registers.sh.
 *
 * The routines are compiled into the kernels here.  In programs they are
 * functions of libanyshmem_device.a, made from the same text.
 */
#include "device/api/api.h"

__constant__ struct ash_state ash_device_state;

#define KERNEL extern "C" __global__ void

KERNEL kernel_p(uint64_t *dest, uint64_t value, int pe) { ash_p("p", dest, &value, 8, pe); }

KERNEL kernel_add(uint64_t *dest, uint64_t value, int pe)
{
    ash_amo("add", ASH_OP_ADD, dest, 8, value, 0, pe);
}

KERNEL kernel_fetch_add(uint64_t *dest, uint64_t value, int pe, uint64_t *ret_old)
{
    *ret_old = ash_amo("fetch_add", ASH_OP_FETCH_ADD, dest, 8, value, 0, pe);
}

KERNEL kernel_g(const uint64_t *source, int pe, uint64_t *ret_value)
{
    uint64_t value;
    ash_g("g", &value, source, 8, pe);
    *ret_value = value;
}

/* Whether the source is in the heap is seen at run time: both ways are in these. */
KERNEL kernel_put(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_put_bytes(ASH_SCOPE_THREAD, "put", dest, source, nbytes, pe, false);
}

KERNEL kernel_put_blocking(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_put_bytes(ASH_SCOPE_THREAD, "put", dest, source, nbytes, pe, true);
}

KERNEL kernel_put_warp(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_put_bytes(ASH_SCOPE_WARP, "put_warp", dest, source, nbytes, pe, false);
}

KERNEL kernel_put_block(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_put_bytes(ASH_SCOPE_BLOCK, "put_block", dest, source, nbytes, pe, false);
}

KERNEL kernel_get(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_get_bytes(ASH_SCOPE_THREAD, "get", dest, source, nbytes, pe, true);
}

KERNEL kernel_get_block(void *dest, const void *source, uint64_t nbytes, int pe)
{
    ash_get_bytes(ASH_SCOPE_BLOCK, "get_block", dest, source, nbytes, pe, true);
}

KERNEL kernel_put_signal(void *dest, const void *source, uint64_t nbytes, uint64_t *sig_addr,
                         uint64_t signal, int pe)
{
    struct ash_put_signal put = {{dest, source, nbytes, 1, pe, false},
                                 {sig_addr, signal, NVSHMEM_SIGNAL_SET}};
    ash_put_signal_bytes(ASH_SCOPE_THREAD, "put_signal", &put);
}

KERNEL kernel_put_signal_block(void *dest, const void *source, uint64_t nbytes,
                               uint64_t *sig_addr, uint64_t signal, int pe)
{
    struct ash_put_signal put = {{dest, source, nbytes, 1, pe, false},
                                 {sig_addr, signal, NVSHMEM_SIGNAL_SET}};
    ash_put_signal_bytes(ASH_SCOPE_BLOCK, "put_signal_block", &put);
}

KERNEL kernel_signal(uint64_t *sig_addr, uint64_t signal, int pe)
{
    ash_signal("signal_op", sig_addr, signal, NVSHMEM_SIGNAL_ADD, pe);
}

KERNEL kernel_fence(void) { ash_fence_call("fence"); }

KERNEL kernel_quiet(void) { ash_quiet_call("quiet"); }

KERNEL kernel_wait_until(const uint64_t *ivar, uint64_t value)
{
    struct ash_kind kind = {8, false};
    ash_wait("wait_until", "ivar", ivar, kind, NVSHMEM_CMP_EQ, value);
}

KERNEL kernel_test(const uint64_t *ivar, uint64_t value, int *ret_met)
{
    struct ash_kind kind = {8, false};
    *ret_met = ash_test("test", ivar, kind, NVSHMEM_CMP_EQ, value);
}

KERNEL kernel_barrier_all(void) { ash_barrier_all("barrier_all"); }
