/* SPDX-License-Identifier: BSD-3-Clause */
#include "ir.h"
void ash_ir_abi(struct ash_ir *ir) { (void)ir; }
