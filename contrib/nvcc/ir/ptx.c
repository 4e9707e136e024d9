/* SPDX-License-Identifier: BSD-3-Clause */
#include "ir.h"
void ash_ir_ptx(struct ash_ir *ir) { (void)ir; }
