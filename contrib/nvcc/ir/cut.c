/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier becomes a return of the number of the place behind it, and the step's entry jumps
 * there when the thread goes on.
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

static bool is_alloca(LLVMValueRef instruction)
{
    return LLVMIsAAllocaInst(instruction) != NULL;
}

static bool is_barrier(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;

    return callee && LLVMIsAFunction(callee) &&
           strcmp(LLVMGetValueName2(callee, &(size_t){ 0 }), "ash_kernel_syncthreads") == 0;
}

static void move_to_end(struct ash_ir *ir, LLVMValueRef instruction, LLVMBasicBlockRef block)
{
    LLVMInstructionRemoveFromParent(instruction);
    LLVMPositionBuilderAtEnd(ir->builder, block);
    LLVMInsertIntoBuilder(ir->builder, instruction);
}

/* One that is made each time that a loop comes to it cannot be a field of a frame. */
static bool make_entry(struct ash_ir *ir, struct ash_step *step)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(step->function);
    size_t n;
    LLVMValueRef *allocas = ash_step_collect(step, is_alloca, &n);
    bool all_there = true;

    step->entry = LLVMInsertBasicBlockInContext(ir->context, first, "");
    for (size_t i = 0; i < n; i++) {
        if (LLVMGetInstructionParent(allocas[i]) != first ||
            !LLVMIsAConstantInt(LLVMGetOperand(allocas[i], 0)))
            all_there = false;
        else
            move_to_end(ir, allocas[i], step->entry);
    }
    free(allocas);
    return all_there;
}

/* The blocks have no phis, which would name their predecessors. */
static LLVMBasicBlockRef cut(struct ash_ir *ir, LLVMValueRef call, unsigned state)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call), behind, next;
    LLVMValueRef function = LLVMGetBasicBlockParent(block);

    behind = LLVMAppendBasicBlockInContext(ir->context, function, "");
    next = LLVMGetNextBasicBlock(block);
    if (next && next != behind)
        LLVMMoveBasicBlockBefore(behind, next);
    while (LLVMGetNextInstruction(call))
        move_to_end(ir, LLVMGetNextInstruction(call), behind);
    LLVMInstructionEraseFromParent(call);
    LLVMPositionBuilderAtEnd(ir->builder, block);
    LLVMBuildRet(ir->builder, LLVMConstInt(ash_ir_int(ir, 32), state, false));
    return behind;
}

static void jump(struct ash_ir *ir, struct ash_step *step)
{
    LLVMBasicBlockRef first = LLVMGetNextBasicBlock(step->entry);
    LLVMValueRef choice;

    LLVMPositionBuilderAtEnd(ir->builder, step->entry);
    if (step->n_barriers == 0) {
        LLVMBuildBr(ir->builder, first);
        return;
    }
    choice = LLVMBuildSwitch(ir->builder, ash_step_extra(step, ASH_STEP_STATE), first,
                             step->n_barriers);
    for (unsigned i = 0; i < step->n_barriers; i++)
        LLVMAddCase(choice, LLVMConstInt(ash_ir_int(ir, 32), i + 1, false), step->behind[i]);
}

/* A turn's barrier: before all else in its block. */
static LLVMValueRef mark_turn(struct ash_ir *ir, LLVMBasicBlockRef header)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ir->context), NULL, 0, false);

    LLVMPositionBuilderBefore(ir->builder, LLVMGetFirstInstruction(header));
    return ash_ir_call(ir, ash_ir_function(ir, "ash_kernel_yield", type), NULL, 0);
}

/* States beyond the barriers' are those of turns. */
static void add_turns(struct ash_ir *ir, struct ash_step *step)
{
    size_t n = step->n_barriers + step->n_turns;

    step->barriers = realloc(step->barriers, (n + 1) * sizeof(*step->barriers));
    step->behind = ash_ir_alloc(n * sizeof(*step->behind));
    if (!step->barriers)
        ash_ir_die("no memory");
    for (unsigned i = 0; i < step->n_turns; i++) {
        step->barriers[step->n_barriers++] = mark_turn(ir, step->turns[i].header);
        step->turns[i].state = step->n_barriers;
    }
}

bool ash_step_cut(struct ash_ir *ir, struct ash_step *step)
{
    size_t n;
    bool is_possible;

    step->barriers = ash_step_collect(step, is_barrier, &n);
    step->n_barriers = (unsigned)n;
    is_possible = make_entry(ir, step);
    ash_step_hoist(ir, step);
    ash_step_strides(ir, step);
    if (step->n_barriers + step->n_turns > 0)
        ash_step_phis_to_slots(ir, step);
    add_turns(ir, step);
    for (unsigned i = 0; i < step->n_barriers; i++)
        step->behind[i] = cut(ir, step->barriers[i], i + 1);
    jump(ir, step);
    if (step->n_barriers > 0)
        ash_step_values_to_slots(ir, step);
    free(step->barriers);
    return is_possible && step->n_barriers < UINT8_MAX;
}
