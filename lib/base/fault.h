/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports faults of device routines (device/state/state.h), and ends the job.
 */
#ifndef ASH_LIB_BASE_FAULT_H
#define ASH_LIB_BASE_FAULT_H

#include "device/state/state.h"

/* Report a fault of a device routine, and end the job; called as ash_state.on_fault. */
void ash_fault_report(const struct ash_fault *fault);

/* Report a fault of a GPU, with its block and thread, likewise; trusts no string of the box. */
_Noreturn void ash_fault_report_gpu(const struct ash_fault_box *box);

#endif
