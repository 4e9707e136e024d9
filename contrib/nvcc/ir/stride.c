/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops in which all threads go on by the size of the grid, or of the block: "for (i = index;
 * i < n; i += size)".  Threads run through one turn of it, one after another, before the next
 * turn, as if a barrier were in it: so neighbours in memory are visited one after another.  How
 * far a thread has gone is the same for all (uniform.c).
 */
#include <stdlib.h>

#include "loop.h"

struct stride {
    LLVMValueRef phi, start, size;
    LLVMBasicBlockRef before, latch;
};

static bool is_known(const struct ash_step *step, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) == step->entry;
}

/* The size of the grid or a block, or a product of such, but no number. */
static bool is_size(const struct ash_step *step, LLVMValueRef value, int depth)
{
    for (unsigned i = ASH_STEP_WHERE + 6; i < ASH_STEP_NUMBER; i++)
        if (value == ash_step_extra(step, i))
            return true;
    if (!LLVMIsAInstruction(value) || depth == 8)
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (is_size(step, LLVMGetOperand(value, (unsigned)i), depth + 1))
            return true;
    return false;
}

static bool is_stride(const struct ash_step *step, LLVMValueRef phi, struct stride *ret_stride)
{
    LLVMTypeRef type = LLVMTypeOf(phi);

    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64 ||
        LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i), start = LLVMGetIncomingValue(phi, !i);
        unsigned other;

        if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
            continue;
        other = LLVMGetOperand(next, 0) == phi;
        if (LLVMGetOperand(next, !other) != phi)
            continue;
        *ret_stride = (struct stride){ phi, start, LLVMGetOperand(next, other),
                                       LLVMGetIncomingBlock(phi, !i),
                                       LLVMGetIncomingBlock(phi, i) };
        if (is_known(step, start) && is_known(step, ret_stride->size) &&
            is_size(step, ret_stride->size, 0))
            return true;
    }
    return false;
}

/* Each thread comes to the loop once, and no barrier nor a loop of the kind is in it. */
static bool is_outermost(const struct ash_step *step, const struct stride *stride)
{
    LLVMBasicBlockRef header = LLVMGetInstructionParent(stride->phi);

    if (ash_ir_in_loop(stride->before) || !ash_ir_in_loop(header))
        return false;
    for (unsigned i = 0; i < step->n_barriers; i++)
        if (ash_ir_in_same_loop(header, LLVMGetInstructionParent(step->barriers[i])))
            return false;
    return true;
}

/* i becomes start + turns * size; the number of turns is the same in all threads. */
static void transform(struct ash_ir *ir, struct ash_step *step, const struct stride *stride)
{
    LLVMBasicBlockRef header = LLVMGetInstructionParent(stride->phi);
    LLVMTypeRef type = LLVMTypeOf(stride->phi), word = ash_ir_int(ir, 32);
    LLVMValueRef none = LLVMConstInt(word, 0, false), at = stride->phi, turns, value, next;

    LLVMPositionBuilderBefore(ir->builder, stride->phi);
    turns = LLVMBuildPhi(ir->builder, word, "");
    LLVMPositionBuilderBefore(ir->builder, LLVMGetBasicBlockTerminator(stride->latch));
    next = LLVMBuildAdd(ir->builder, turns, LLVMConstInt(word, 1, false), "");
    LLVMAddIncoming(turns, &none, (LLVMBasicBlockRef[]){ stride->before }, 1);
    LLVMAddIncoming(turns, &next, (LLVMBasicBlockRef[]){ stride->latch }, 1);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilder(ir->builder, header, at);
    value = LLVMBuildMul(ir->builder, ash_ir_convert(ir, turns, type), stride->size, "");
    value = LLVMBuildAdd(ir->builder, stride->start, value, "");
    LLVMReplaceAllUsesWith(stride->phi, value);
    LLVMInstructionEraseFromParent(stride->phi);
    step->turns = realloc(step->turns, (step->n_turns + 1) * sizeof(*step->turns));
    if (!step->turns)
        ash_ir_die("no memory");
    step->turns[step->n_turns++] = (struct ash_turn){ header, 0 };
}

/* One loop of the block's; its other variables are the threads' own. */
static void look_at(struct ash_ir *ir, struct ash_step *step, LLVMBasicBlockRef block)
{
    struct stride stride;

    ASH_EACH_INSTRUCTION(i, block)
    {
        if (!LLVMIsAPHINode(i))
            return;
        if (!is_stride(step, i, &stride) || !is_outermost(step, &stride))
            continue;
        transform(ir, step, &stride);
        return;
    }
}

void ash_step_strides(struct ash_ir *ir, struct ash_step *step)
{
    ASH_EACH_BLOCK(b, step->function)
        if (b != step->entry)
            look_at(ir, step, b);
}
