/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of this PE.  on_fault is set from the beginning: a fault before the start is
 * reported, too. */
#include "device/target/target.h"
#include "lib/base/fault.h"

struct ash_state ash_state __attribute__((aligned(64))) = {.on_fault = ash_fault_report};
