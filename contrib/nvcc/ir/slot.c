/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one block of instructions has from another one goes through memory, a slot for each value,
 * so that a thread can go on in the middle of the kernel.  LLVM makes values of them again, where
 * no barrier is in between.
 */
#include <stdlib.h>

#include "loop.h"

static LLVMValueRef new_slot(struct ash_ir *ir, struct ash_step *step, LLVMTypeRef type)
{
    LLVMPositionBuilder(ir->builder, step->entry, LLVMGetFirstInstruction(step->entry));
    return LLVMBuildAlloca(ir->builder, type, "");
}

static bool is_phi(LLVMValueRef instruction)
{
    return LLVMIsAPHINode(instruction) != NULL;
}

static void phi_to_slot(struct ash_ir *ir, struct ash_step *step, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMValueRef slot = new_slot(ir, step, type), at = phi;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMPositionBuilderBefore(
            ir->builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(ir->builder, LLVMGetIncomingValue(phi, i), slot);
    }
    /* Behind all phis: each has its value before one of them is stored again. */
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilder(ir->builder, block, at);
    LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(ir->builder, type, slot, ""));
    LLVMInstructionEraseFromParent(phi);
}

void ash_step_phis_to_slots(struct ash_ir *ir, struct ash_step *step)
{
    size_t n;
    LLVMValueRef *phis = ash_step_collect(step, is_phi, &n);

    for (size_t i = 0; i < n; i++)
        phi_to_slot(ir, step, phis[i]);
    free(phis);
}

static bool has_value(LLVMValueRef instruction)
{
    return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

/* A user in another block, or NULL. */
static LLVMValueRef user_elsewhere(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(value))
            return LLVMGetUser(use);
    return NULL;
}

static void value_to_slot(struct ash_ir *ir, struct ash_step *step, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef slot = new_slot(ir, step, type), user;

    while ((user = user_elsewhere(value))) {
        LLVMPositionBuilderBefore(ir->builder, user);
        LLVMValueRef load = LLVMBuildLoad2(ir->builder, type, slot, "");
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == value)
                LLVMSetOperand(user, (unsigned)i, load);
    }
    LLVMPositionBuilderBefore(ir->builder, LLVMGetNextInstruction(value));
    LLVMBuildStore(ir->builder, value, slot);
}

/* The entry's are there in each state. */
void ash_step_values_to_slots(struct ash_ir *ir, struct ash_step *step)
{
    size_t n;
    LLVMValueRef *values = ash_step_collect(step, has_value, &n);

    for (size_t i = 0; i < n; i++)
        if (LLVMGetInstructionParent(values[i]) != step->entry && user_elsewhere(values[i]))
            value_to_slot(ir, step, values[i]);
    free(values);
}
