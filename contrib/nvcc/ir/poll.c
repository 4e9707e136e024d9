/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Before each instruction that a loop may poll with, a volatile or atomic load or an atomic
 * whose result is used: a call by which the host device lets other threads run, now and then.
 * Before it, because behind one that takes a lock others would find it taken.  A fence is such an
 * instruction where a loop has no other one: it reads plain variables anew, as in
 * while (*flag == 0) __threadfence();
 */
#include "loop.h"

static bool looks(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return LLVMGetVolatile(instruction) ||
               LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
        return LLVMGetFirstUse(instruction) != NULL;
    return false;
}

static bool polls(LLVMValueRef instruction)
{
    if (ash_ir_is_fence(instruction))
        return ash_ir_in_loop(LLVMGetInstructionParent(instruction)) &&
               !ash_ir_loop_has(LLVMGetInstructionParent(instruction), looks);
    return looks(instruction);
}

static void visit(struct ash_ir *ir, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ir->context), NULL, 0, false);

    if (!polls(instruction))
        return;
    ash_ir_before(ir, instruction);
    LLVMSetCurrentDebugLocation2(ir->builder, LLVMInstructionGetDebugLoc(instruction));
    ash_ir_call(ir, ash_ir_function(ir, "ash_kernel_polled", type), NULL, 0);
}

void ash_ir_polls(struct ash_ir *ir)
{
    ash_ir_each(ir, visit);
}
