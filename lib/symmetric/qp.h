/* SPDX-License-Identifier: BSD-3-Clause */
/* The handles of queue pairs (nvshmemx_qp_create). */
#ifndef ASH_LIB_SYMMETRIC_QP_H
#define ASH_LIB_SYMMETRIC_QP_H

/* The end: no handle is used any more. */
void ash_qps_stop(void);

#endif
