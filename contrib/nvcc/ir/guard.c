/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guards: "if (i < n)" where i grows by one from a thread to the next in x.  What holds for the
 * first and the last thread of a row holds for all between them; there the loop over x needs no
 * test, and so can be vectorized.
 */
#include "guard.h"

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
unsigned ash_guard_uniform(const struct ash_step *step, LLVMValueRef load)
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

LLVMOpcode ash_guard_opcode(const struct ash_step *step, LLVMValueRef value)
{
    return is_at_entry(step, value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

/* The thread's x, or its number. */
bool ash_guard_is_place(const struct ash_step *step, LLVMValueRef value)
{
    return value == ash_step_extra(step, ASH_STEP_WHERE) ||
           value == ash_step_extra(step, ASH_STEP_NUMBER);
}

enum ash_growth ash_guard_growth(const struct ash_step *step, LLVMValueRef value, int depth)
{
    enum ash_growth a, b;

    if (ash_guard_is_place(step, value))
        return ASH_BY_ONE;
    if (!LLVMIsAInstruction(value))
        return ASH_SAME;
    if (ash_guard_uniform(step, value))
        return ASH_SAME;
    if (!is_at_entry(step, value) || !ash_step_is_pure(step, value) || LLVMIsALoadInst(value))
        return ASH_OTHERWISE;
    if (depth == DEPTH || LLVMIsAAllocaInst(value))
        return ASH_OTHERWISE;
    a = ash_guard_growth(step, operand(value, 0), depth + 1);
    b = LLVMGetNumOperands(value) > 1 ? ash_guard_growth(step, operand(value, 1), depth + 1)
                                      : ASH_SAME;
    for (int i = 2; i < LLVMGetNumOperands(value); i++)
        if (ash_guard_growth(step, operand(value, (unsigned)i), depth + 1) != ASH_SAME)
            return ASH_OTHERWISE;
    if (a == ASH_SAME && b == ASH_SAME)
        return ASH_SAME;
    switch (ash_guard_opcode(step, value)) {
    case LLVMAdd: return a != ASH_BY_ONE || b != ASH_BY_ONE ? (a > b ? a : b) : ASH_OTHERWISE;
    case LLVMSub: return b == ASH_SAME ? a : ASH_OTHERWISE;
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt: return a;
    default: return ASH_OTHERWISE;
    }
}

/* The number behind extensions, which keep the order. */
LLVMValueRef ash_guard_unextended(const struct ash_step *step, LLVMValueRef value, bool *is_signed)
{
    for (;;) {
        if (ash_guard_opcode(step, value) == LLVMSExt)
            *is_signed = true;
        else if (ash_guard_opcode(step, value) == LLVMZExt)
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

/* A comparison of what grows by one with what is the same for all. */
static bool is_leaf(const struct ash_step *step, LLVMValueRef c)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    bool unused;
    enum ash_growth a =
        ash_guard_growth(step, ash_guard_unextended(step, operand(c, 0), &unused), 0);
    enum ash_growth b =
        ash_guard_growth(step, ash_guard_unextended(step, operand(c, 1), &unused), 0);

    return p != LLVMIntEQ && p != LLVMIntNE && depends_on_place(step, c, 0) && a != ASH_OTHERWISE &&
           b != ASH_OTHERWISE && (a == ASH_SAME || b == ASH_SAME);
}

/* "and" and "or", which may be a select: the operator, and its two operands. */
static LLVMOpcode joins(const struct ash_step *step, LLVMValueRef c, LLVMValueRef *ret_parts)
{
    LLVMOpcode op = ash_guard_opcode(step, c);
    bool is_and = op == LLVMSelect && LLVMIsAConstantInt(operand(c, 2)) &&
                  LLVMConstIntGetZExtValue(operand(c, 2)) == 0;
    bool is_or = op == LLVMSelect && LLVMIsAConstantInt(operand(c, 1)) &&
                 LLVMConstIntGetZExtValue(operand(c, 1)) == 1;

    if (op != LLVMAnd && op != LLVMOr && !is_and && !is_or)
        return (LLVMOpcode)0;
    ret_parts[0] = operand(c, 0);
    ret_parts[1] = operand(c, is_or ? 2 : 1);
    return op == LLVMAnd || is_and ? LLVMAnd : LLVMOr;
}

/* A condition that is `wanted` for a row if it is for the row's ends. */
static bool is_guard(const struct ash_step *step, LLVMValueRef c, bool wanted, int depth)
{
    LLVMValueRef parts[2];
    LLVMOpcode op = joins(step, c, parts);

    if (depth == DEPTH)
        return false;
    if (ash_guard_opcode(step, c) == LLVMICmp)
        return is_leaf(step, c);
    if (ash_guard_opcode(step, c) == LLVMXor && LLVMIsAConstantInt(operand(c, 1)))
        return is_guard(step, operand(c, 0), !wanted, depth + 1);
    return op && (op == LLVMAnd) == wanted && is_guard(step, parts[0], wanted, depth + 1) &&
           is_guard(step, parts[1], wanted, depth + 1);
}

/* A thread that comes here ends. */
static bool leads_out(const struct ash_step *step, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned n = 0;

    ASH_EACH_INSTRUCTION(i, block) n += !LLVMIsACastInst(i) && !LLVMIsAGetElementPtrInst(i);
    return LLVMIsAReturnInst(end) && n <= 1 + step->n_uniforms;
}

/* Whether most threads have the condition: those that it lets in. */
static bool is_wanted(const struct ash_step *step, LLVMValueRef branch)
{
    LLVMValueRef c = LLVMGetCondition(branch), parts[2];
    LLVMOpcode op = joins(step, c, parts);
    bool unused;

    if (leads_out(step, LLVMGetSuccessor(branch, 0)))
        return false;
    if (op || ash_guard_opcode(step, c) != LLVMICmp || leads_out(step, LLVMGetSuccessor(branch, 1)))
        return op != LLVMOr;
    return is_less(LLVMGetICmpPredicate(c)) ==
           (ash_guard_growth(step, ash_guard_unextended(step, operand(c, 1), &unused), 0) ==
            ASH_SAME);
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
        wanted = is_wanted(step, end);
        if (!is_guard(step, c, wanted, 0))
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
