/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What K.run is made of: run.c has its parts, row.c its loops over threads.
 */
#ifndef ANYSHMEM_NVCC_RUN_H
#define ANYSHMEM_NVCC_RUN_H

#include "loop.h"

/* Threads are not at one place: no state. */
#define ASH_APART 256u

struct ash_run {
    struct ash_ir *ir;
    struct ash_step *step;
    LLVMValueRef function, any;
    struct ash_guards guards;
    /* Of K.step; and with structures as they lie in the launch. */
    LLVMValueRef *values;
    LLVMValueRef *by_value;
    LLVMValueRef dims[3];
    /* Each thread's next state; all of them ORed and ANDed; what all threads have. */
    LLVMValueRef next, any_bits, all_bits, state;
    /* The same of uniforms; where K.step leaves them, inlined or not. */
    LLVMValueRef any_of[ASH_UNIFORMS], all_of[ASH_UNIFORMS], uniform[ASH_UNIFORMS];
    LLVMValueRef out, out_of_any;
};

static inline LLVMBasicBlockRef ash_run_block(struct ash_run *run)
{
    return LLVMAppendBasicBlockInContext(run->ir->context, run->function, "");
}

static inline LLVMValueRef ash_run_word(struct ash_run *run, unsigned bits,
                                        unsigned long long value)
{
    return LLVMConstInt(ash_ir_int(run->ir, bits), value, false);
}

static inline LLVMValueRef *ash_run_extra(struct ash_run *run, unsigned which)
{
    return &run->values[run->step->n_args + which];
}

/* All threads: from a state that is a constant, or each from where it is. */
void ash_run_all(struct ash_run *run);
void ash_run_all_anywhere(struct ash_run *run);

#endif
