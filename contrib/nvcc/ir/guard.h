/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What guard.c and whole.c both ask of a value of K.step.
 */
#ifndef ANYSHMEM_NVCC_GUARD_H
#define ANYSHMEM_NVCC_GUARD_H

#include "loop.h"

/* How a value depends on the thread's x. */
enum ash_growth { ASH_SAME, ASH_BY_ONE, ASH_OTHERWISE };
/* `depth`: how many operators lie around it; 0 outside of guard.c. */
enum ash_growth ash_guard_growth(const struct ash_step *step, LLVMValueRef value, int depth);

/* The thread's x, or its number. */
bool ash_guard_is_place(const struct ash_step *step, LLVMValueRef value);
/* What a load of a uniform has before the step stores it: the number of its parameter; else 0. */
unsigned ash_guard_uniform(const struct ash_step *step, LLVMValueRef load);
/* Of an instruction that K.run can have as well; else 0. */
LLVMOpcode ash_guard_opcode(const struct ash_step *step, LLVMValueRef value);
/* The number behind extensions, which keep the order. */
LLVMValueRef ash_guard_unextended(const struct ash_step *step, LLVMValueRef value,
                                  bool *is_signed);

#endif
