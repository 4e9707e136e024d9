/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of device routines (device/state/state.h) in words.
 */
#ifndef ASH_LIB_BASE_FAULT_H
#define ASH_LIB_BASE_FAULT_H

#include "device/state/state.h"

/* The message of a device routine's fault, then the end: state.on_fault. */
void ash_fault_report(const struct ash_fault *fault);

/* The same for a fault of a GPU, with its block and thread; trusts no string of the box. */
_Noreturn void ash_fault_report_gpu(const struct ash_fault_box *box);

#endif
