/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points with a queue pair: the forms of the plain ones, with one more parameter.  There is
 * one way to each PE, so it says nothing.
 */
#ifndef ASH_DEVICE_API_QP_H
#define ASH_DEVICE_API_QP_H

#include <nvshmem/qp.h>

#include "device/api/entry.h"
#include "device/routine/barrier.h"

NVSHMEM_BEGIN_DECLS

#define ASH_FIRST_QP
#define ASH_LAST_QP , nvshmemx_qp_handle_t qp_index __attribute__((unused))
#define ASH_PE_QP(function) pe

/* put, get, p, g and put with signal: 25 types, by a thread, a warp and a block. */

#define ASH_DEFINE(PUT, GET, TYPE) \
    ASH_ENTRY_COPY(QP, PUT, TYPE, sizeof(TYPE), put, true) \
    ASH_ENTRY_COPY(QP, PUT##_nbi, TYPE, sizeof(TYPE), put, false) \
    ASH_ENTRY_COPY(QP, GET, TYPE, sizeof(TYPE), get, true) \
    ASH_ENTRY_COPY(QP, GET##_nbi, TYPE, sizeof(TYPE), get, false) \
    ASH_ENTRY_PUT_SIGNAL(QP, PUT##_signal, TYPE, sizeof(TYPE), ASH_SAME, true) \
    ASH_ENTRY_PUT_SIGNAL(QP, PUT##_signal_nbi, TYPE, sizeof(TYPE), ASH_SAME, false) \
    ASH_ENTRIES_GROUPS(QP, PUT, GET, TYPE, sizeof(TYPE))
#define X(NAME, TYPE) \
    ASH_DEFINE(nvshmemx_qp_##NAME##_put, nvshmemx_qp_##NAME##_get, TYPE) \
    ASH_ENTRY_P(QP, nvshmemx_qp_##NAME##_p, TYPE) \
    ASH_ENTRY_G(QP, nvshmemx_qp_##NAME##_g, TYPE)
NVSHMEM_RMA_TYPES(X)
#undef X
#undef ASH_DEFINE

NVSHMEM_ROUTINE void nvshmemx_qp_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe,
                                           nvshmemx_qp_handle_t qp_index)
{
    (void)qp_index;
    ash_signal("nvshmemx_qp_signal_op", sig_addr, signal, sig_op, pe);
}

/* Order of one PE's operations on some queue pairs: that of all. */

#define ASH_DEFINE(VERB, SUFFIX, SCOPE) \
    NVSHMEM_ROUTINE void nvshmemx_qp_##VERB##SUFFIX(int pe, nvshmemx_qp_handle_t *qp_handle, \
                                                    int num_qps) \
    { \
        (void)pe, (void)qp_handle, (void)num_qps; \
        ash_##VERB##_group(SCOPE, "nvshmemx_qp_" #VERB #SUFFIX); \
    }
ASH_DEFINE(quiet, , ASH_SCOPE_THREAD)
ASH_DEFINE(quiet, _warp, ASH_SCOPE_WARP)
ASH_DEFINE(quiet, _block, ASH_SCOPE_BLOCK)
ASH_DEFINE(fence, , ASH_SCOPE_THREAD)
ASH_DEFINE(fence, _warp, ASH_SCOPE_WARP)
ASH_DEFINE(fence, _block, ASH_SCOPE_BLOCK)
#undef ASH_DEFINE

NVSHMEM_END_DECLS

#endif
