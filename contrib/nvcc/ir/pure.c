/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What depends on parameters alone goes to the step's entry, from where each state has it: it
 * needs no place in a thread's frame, and a loop over threads knows how it grows from one thread
 * to the next.
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

/* A parameter that is a kernel's argument by value, of which the kernel only reads. */
static bool is_only_read(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsALoadInst(user) && !LLVMGetVolatile(user))
            continue;
        if (LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) != pointer)
            continue;
        if ((!LLVMIsABitCastInst(user) && !LLVMIsAGetElementPtrInst(user)) || !is_only_read(user))
            return false;
    }
    return true;
}

static bool is_read_of_argument(const struct ash_step *step, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);

    if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
        return false;
    while (LLVMIsABitCastInst(pointer) || LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    for (unsigned i = 0; i < step->n_args; i++)
        if (pointer == LLVMGetParam(step->function, i))
            return ash_ir_by_value(step->kernel, i) && is_only_read(pointer);
    return false;
}

/* Division by a number that is neither 0 nor -1 cannot trap. */
static bool divides_safely(LLVMValueRef instruction)
{
    LLVMValueRef by = LLVMGetOperand(instruction, 1);

    return LLVMIsAConstantInt(by) && LLVMConstIntGetSExtValue(by) != 0 &&
           LLVMConstIntGetSExtValue(by) != -1;
}

/* The same for all threads of a block. */
static bool is_shared_address(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &(size_t){ 0 }) : "";

    return strcmp(name, "ash_kernel_shared") == 0 || strcmp(name, "anyshmem_shared") == 0;
}

bool ash_step_is_pure(const struct ash_step *step, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr: return true;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return divides_safely(i);
    case LLVMLoad: return is_read_of_argument(step, i);
    case LLVMCall: return is_shared_address(i);
    default: return false;
    }
}

static bool is_at_entry(const struct ash_step *step, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) == step->entry;
}

static bool can_go(const struct ash_step *step, LLVMValueRef i)
{
    if (!ash_step_is_pure(step, i))
        return false;
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (!is_at_entry(step, LLVMGetOperand(i, (unsigned)n)))
            return false;
    return true;
}

/* The entry has no end yet. */
void ash_step_hoist(struct ash_ir *ir, struct ash_step *step)
{
    bool again = true;

    while (again) {
        again = false;
        ASH_EACH_BLOCK(b, step->function)
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i && b != step->entry;
                 i = next) {
                next = LLVMGetNextInstruction(i);
                if (!can_go(step, i))
                    continue;
                LLVMInstructionRemoveFromParent(i);
                LLVMPositionBuilderAtEnd(ir->builder, step->entry);
                LLVMInsertIntoBuilder(ir->builder, i);
                again = true;
            }
    }
}
