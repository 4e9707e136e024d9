/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guards: "if (i < n)" where i grows by one from a thread to the next in x.  What holds for the
 * first and the last thread of a row holds for all between them; there the loop over x needs no
 * test, and so can be vectorized.
 */
#include <stdlib.h>

#include "loop.h"

#define GUARDS (sizeof(((struct ash_guards *)0)->condition) / sizeof(LLVMValueRef))
/* Nested operators of a condition, at most. */
#define DEPTH 12

static LLVMValueRef operand(LLVMValueRef value, unsigned i)
{
    return LLVMGetOperand(value, i);
}

/* The state whose place a block begins at, or 0. */
static unsigned state_of(const struct ash_step *step, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < step->n_barriers; i++)
        if (step->behind[i] == block)
            return i + 1;
    return 0;
}

/* What a load of a uniform has before the step stores it: the number of its parameter; else 0. */
static unsigned uniform_of(const struct ash_step *step, LLVMValueRef load)
{
    LLVMValueRef variable = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;

    for (unsigned i = 0; i < step->n_uniforms; i++) {
        if (step->uniforms[i].variable != variable)
            continue;
        for (LLVMValueRef at = load; at; at = LLVMGetPreviousInstruction(at))
            if (LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == variable)
                return 0;
        return state_of(step, LLVMGetInstructionParent(load)) ? ASH_STEP_UNIFORM + i : 0;
    }
    return 0;
}

/* A place where K.run can compute it as well: it depends on parameters alone. */
static bool is_at_entry(const struct ash_step *step, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;

    return block && (block == step->entry || state_of(step, block) > 0);
}

static LLVMOpcode opcode(const struct ash_step *step, LLVMValueRef value)
{
    return is_at_entry(step, value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

/* How a value depends on the thread's x. */
enum growth { SAME, BY_ONE, OTHERWISE };

/* The thread's x, or its number. */
static bool is_place(const struct ash_step *step, LLVMValueRef value)
{
    return value == ash_step_extra(step, ASH_STEP_WHERE) ||
           value == ash_step_extra(step, ASH_STEP_NUMBER);
}

static enum growth growth_of(const struct ash_step *step, LLVMValueRef value, int depth)
{
    enum growth a, b;

    if (is_place(step, value))
        return BY_ONE;
    if (!LLVMIsAInstruction(value))
        return SAME;
    if (uniform_of(step, value))
        return SAME;
    if (!is_at_entry(step, value) || !ash_step_is_pure(step, value) || LLVMIsALoadInst(value))
        return OTHERWISE;
    if (depth == DEPTH || LLVMIsAAllocaInst(value))
        return OTHERWISE;
    a = growth_of(step, operand(value, 0), depth + 1);
    b = LLVMGetNumOperands(value) > 1 ? growth_of(step, operand(value, 1), depth + 1) : SAME;
    for (int i = 2; i < LLVMGetNumOperands(value); i++)
        if (growth_of(step, operand(value, (unsigned)i), depth + 1) != SAME)
            return OTHERWISE;
    if (a == SAME && b == SAME)
        return SAME;
    switch (opcode(step, value)) {
    case LLVMAdd: return a != BY_ONE || b != BY_ONE ? (a > b ? a : b) : OTHERWISE;
    case LLVMSub: return b == SAME ? a : OTHERWISE;
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt: return a;
    default: return OTHERWISE;
    }
}

/* The number behind extensions, which keep the order. */
static LLVMValueRef unextended(const struct ash_step *step, LLVMValueRef value, bool *is_signed)
{
    for (;;) {
        if (opcode(step, value) == LLVMSExt)
            *is_signed = true;
        else if (opcode(step, value) == LLVMZExt)
            *is_signed = false;
        else
            return value;
        value = operand(value, 0);
    }
}

/* What depends on arguments alone is for the whole kernel, and no guard. */
static bool depends_on_place(const struct ash_step *step, LLVMValueRef value, int depth)
{
    for (unsigned i = ASH_STEP_WHERE; i <= ASH_STEP_NUMBER; i++)
        if (value == ash_step_extra(step, i))
            return true;
    for (int i = 0; is_at_entry(step, value) && i < LLVMGetNumOperands(value); i++)
        if (depth < DEPTH && depends_on_place(step, operand(value, (unsigned)i), depth + 1))
            return true;
    return false;
}

static bool is_less(LLVMIntPredicate p)
{
    return p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
}

/* Whether threads go on where the condition is true; false: it is no guard.  The leaves are
 * comparisons of what grows by one with what is the same for all. */
static bool is_guard(const struct ash_step *step, LLVMValueRef c, int depth, bool *ret_wanted)
{
    LLVMOpcode op = opcode(step, c);
    bool first, second, unused;

    if (depth == DEPTH || !op)
        return false;
    if (op == LLVMICmp) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(c);
        enum growth a = growth_of(step, unextended(step, operand(c, 0), &unused), 0);
        enum growth b = growth_of(step, unextended(step, operand(c, 1), &unused), 0);

        *ret_wanted = is_less(p) == (b == SAME);
        return p != LLVMIntEQ && p != LLVMIntNE && depends_on_place(step, c, 0) &&
               a != OTHERWISE && b != OTHERWISE && (a == SAME || b == SAME);
    }
    if (op == LLVMSelect && LLVMIsAConstantInt(operand(c, 2)))
        return is_guard(step, operand(c, 0), depth + 1, &first) && first &&
               is_guard(step, operand(c, 1), depth + 1, &second) && second &&
               LLVMConstIntGetZExtValue(operand(c, 2)) == 0 && (*ret_wanted = true);
    if (op == LLVMSelect && LLVMIsAConstantInt(operand(c, 1)))
        return is_guard(step, operand(c, 0), depth + 1, &first) && !first &&
               is_guard(step, operand(c, 2), depth + 1, &second) && !second &&
               LLVMConstIntGetZExtValue(operand(c, 1)) == 1 && !(*ret_wanted = false);
    if (op == LLVMXor && LLVMIsAConstantInt(operand(c, 1))) {
        if (!is_guard(step, operand(c, 0), depth + 1, &first))
            return false;
        *ret_wanted = !first;
        return true;
    }
    if (op != LLVMAnd && op != LLVMOr)
        return false;
    *ret_wanted = op == LLVMAnd;
    return is_guard(step, operand(c, 0), depth + 1, &first) && first == *ret_wanted &&
           is_guard(step, operand(c, 1), depth + 1, &second) && second == *ret_wanted;
}

void ash_step_guards(struct ash_ir *ir, struct ash_step *step, struct ash_guards *ret_guards)
{
    struct ash_guards *guards = ret_guards;

    guards->n = 0;
    ASH_EACH_BLOCK(b, step->function)
    {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b), c;
        bool wanted;

        if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || guards->n == GUARDS)
            continue;
        c = LLVMGetCondition(end);
        if (!is_guard(step, c, 0, &wanted))
            continue;
        guards->condition[guards->n] = c;
        guards->state[guards->n] = state_of(step, b);
        guards->wanted[guards->n++] = wanted;
        LLVMPositionBuilderBefore(ir->builder, end);
        LLVMSetCondition(end, LLVMBuildSelect(ir->builder, ash_step_extra(step, ASH_STEP_WHOLE),
                                              LLVMConstInt(ash_ir_int(ir, 1), wanted, false), c,
                                              ""));
    }
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
    if (uniform_of(copies->step, value))
        return ash_ir_convert(copies->ir,
                              copies->arguments[copies->step->n_args +
                                                uniform_of(copies->step, value)],
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
    while (!is_place(step, number)) {
        op = opcode(step, number);
        number = operand(number, op == LLVMAdd &&
                                     growth_of(step, operand(number, 0), 0) != BY_ONE);
        if (op == LLVMSExt || op == LLVMZExt)
            return number_grows(first, last, number, op == LLVMSExt, holds);
    }
    return holds;
}

/* All numbers in the condition. */
static LLVMValueRef grows(const struct copies *first, const struct copies *last,
                          LLVMValueRef condition, LLVMValueRef holds)
{
    if (opcode(first->step, condition) != LLVMICmp) {
        for (int i = 0; i < LLVMGetNumOperands(condition); i++)
            if (opcode(first->step, operand(condition, (unsigned)i)))
                holds = grows(first, last, operand(condition, (unsigned)i), holds);
        return holds;
    }
    for (unsigned i = 0; i < 2; i++) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        bool is_signed = p >= LLVMIntSGT;
        LLVMValueRef number = unextended(first->step, operand(condition, i), &is_signed);

        if (growth_of(first->step, number, 0) == BY_ONE)
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
