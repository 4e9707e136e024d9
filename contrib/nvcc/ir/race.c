/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ThreadSanitizer must know of CUDA's memory model.  Volatile accesses are atomic there; and
 * it does not know fences, which kernels use (__threadfence), so that every atomic access
 * orders what a fence beside it would.
 */
#include "ir.h"

#include <string.h>

/* A number or pointer that CPUs load and store at once. */
static bool is_whole(struct ash_ir *ir, LLVMTypeRef type, unsigned alignment)
{
    unsigned long long nbytes = LLVMABISizeOfType(ir->layout, type);

    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) != nbytes * 8)
            return false;
        break;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: break;
    default: return false;
    }
    return nbytes <= 8 && alignment >= nbytes;
}

static void order_access(struct ash_ir *ir, LLVMValueRef access, LLVMTypeRef type,
                         LLVMAtomicOrdering order)
{
    LLVMAtomicOrdering now = LLVMGetOrdering(access);

    if (now == LLVMAtomicOrderingMonotonic ||
        (now == LLVMAtomicOrderingNotAtomic && LLVMGetVolatile(access) &&
         is_whole(ir, type, LLVMGetAlignment(access))))
        LLVMSetOrdering(access, order);
}

/* LLVM 14 cannot change the order of one that is there. */
static void order_update(struct ash_ir *ir, LLVMValueRef update)
{
    if (LLVMGetOrdering(update) != LLVMAtomicOrderingMonotonic)
        return;
    ash_ir_before(ir, update);
    LLVMValueRef other = LLVMBuildAtomicRMW(
        ir->builder, LLVMGetAtomicRMWBinOp(update), LLVMGetOperand(update, 0),
        LLVMGetOperand(update, 1), LLVMAtomicOrderingAcquireRelease, false);
    LLVMReplaceAllUsesWith(update, other);
    LLVMInstructionEraseFromParent(update);
}

static void visit(struct ash_ir *ir, LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction)) {
        order_access(ir, instruction, LLVMTypeOf(instruction), LLVMAtomicOrderingAcquire);
    } else if (LLVMIsAStoreInst(instruction)) {
        order_access(ir, instruction, LLVMTypeOf(LLVMGetOperand(instruction, 0)),
                     LLVMAtomicOrderingRelease);
    } else if (LLVMIsAAtomicRMWInst(instruction)) {
        order_update(ir, instruction);
    } else if (LLVMIsAAtomicCmpXchgInst(instruction)) {
        LLVMSetCmpXchgSuccessOrdering(instruction, LLVMAtomicOrderingAcquireRelease);
        LLVMSetCmpXchgFailureOrdering(instruction, LLVMAtomicOrderingAcquire);
    }
}

void ash_ir_races(struct ash_ir *ir)
{
    if (ir->sanitize && strcmp(ir->sanitize, "thread") == 0)
        ash_ir_each(ir, visit);
}
