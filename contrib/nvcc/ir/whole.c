/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a row of threads is what its guards let in: the conditions for its first and its last
 * thread, and that no number wraps around between them.
 */
#include <stdlib.h>

#include "guard.h"

static LLVMValueRef operand(LLVMValueRef value, unsigned i)
{
    return LLVMGetOperand(value, i);
}

/* Values of the step's entry as K.run has them for one thread. */
struct copies {
    struct ash_ir *ir;
    const struct ash_step *step;
    LLVMValueRef *arguments;
};

static LLVMValueRef copy_of(const struct copies *copies, LLVMValueRef value)
{
    unsigned n = copies->step->n_args + ASH_STEP_EXTRA;
    LLVMValueRef copy;
    LLVMValueRef part[8];
    int n_parts = LLVMIsAInstruction(value) ? LLVMGetNumOperands(value) : 0;

    for (unsigned i = 0; i < n; i++)
        if (value == LLVMGetParam(copies->step->function, i))
            return copies->arguments[i];
    if (!LLVMIsAInstruction(value) || n_parts > 8)
        return value;
    if (ash_guard_uniform(copies->step, value))
        return ash_ir_convert(copies->ir,
                              copies->arguments[copies->step->n_args +
                                                ash_guard_uniform(copies->step, value)],
                              LLVMTypeOf(value));
    for (int i = 0; i < n_parts; i++)
        part[i] = copy_of(copies, operand(value, (unsigned)i));
    copy = LLVMInstructionClone(value);
    for (int i = 0; i < n_parts; i++)
        LLVMSetOperand(copy, (unsigned)i, part[i]);
    LLVMInsertIntoBuilder(copies->ir->builder, copy);
    return copy;
}

static LLVMValueRef both(struct ash_ir *ir, LLVMValueRef a, LLVMValueRef b)
{
    return a ? LLVMBuildAnd(ir->builder, a, b, "") : b;
}

/* A number that grows does not wrap around, as it is compared or extended. */
static LLVMValueRef number_grows(const struct copies *first, const struct copies *last,
                                 LLVMValueRef number, bool is_signed, LLVMValueRef holds)
{
    const struct ash_step *step = first->step;
    struct ash_ir *ir = first->ir;
    LLVMOpcode op;

    holds = both(ir, holds,
                 LLVMBuildICmp(ir->builder, is_signed ? LLVMIntSLE : LLVMIntULE,
                               copy_of(first, number), copy_of(last, number), ""));
    while (!ash_guard_is_place(step, number)) {
        op = ash_guard_opcode(step, number);
        number = operand(number, op == LLVMAdd &&
                                     ash_guard_growth(step, operand(number, 0), 0) != ASH_BY_ONE);
        if (op == LLVMSExt || op == LLVMZExt)
            return number_grows(first, last, number, op == LLVMSExt, holds);
    }
    return holds;
}

/* All numbers in the condition. */
static LLVMValueRef grows(const struct copies *first, const struct copies *last,
                          LLVMValueRef condition, LLVMValueRef holds)
{
    if (ash_guard_opcode(first->step, condition) != LLVMICmp) {
        for (int i = 0; i < LLVMGetNumOperands(condition); i++)
            if (ash_guard_opcode(first->step, operand(condition, (unsigned)i)))
                holds = grows(first, last, operand(condition, (unsigned)i), holds);
        return holds;
    }
    for (unsigned i = 0; i < 2; i++) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        bool is_signed = p >= LLVMIntSGT;
        LLVMValueRef number = ash_guard_unextended(first->step, operand(condition, i), &is_signed);

        if (ash_guard_growth(first->step, number, 0) == ASH_BY_ONE)
            holds = number_grows(first, last, number, is_signed, holds);
    }
    return holds;
}

LLVMValueRef ash_guards_whole(struct ash_ir *ir, const struct ash_step *step,
                              const struct ash_guards *guards, LLVMValueRef *arguments,
                              LLVMValueRef last_x, unsigned state)
{
    unsigned n = step->n_args + ASH_STEP_EXTRA, number = step->n_args + ASH_STEP_NUMBER;
    LLVMValueRef *at_last = ash_ir_alloc(n * sizeof(*at_last)), holds = NULL;
    struct copies first = { ir, step, arguments }, last = { ir, step, at_last };

    for (unsigned i = 0; i < n; i++)
        at_last[i] = arguments[i];
    at_last[step->n_args + ASH_STEP_WHERE] = last_x;
    at_last[number] = LLVMBuildAdd(ir->builder, arguments[number],
                                   ash_ir_convert(ir, last_x, ash_ir_int(ir, 64)), "");
    for (unsigned i = 0; i < guards->n; i++) {
        const struct copies *ends[2] = { &first, &last };

        if (guards->state[i] != 0 && guards->state[i] != state)
            continue;
        for (unsigned e = 0; e < 2; e++) {
            LLVMValueRef is = copy_of(ends[e], guards->condition[i]);
            holds = both(ir, holds, guards->wanted[i] ? is : LLVMBuildNot(ir->builder, is, ""));
        }
        holds = grows(&first, &last, guards->condition[i], holds);
    }
    free(at_last);
    return holds;
}
