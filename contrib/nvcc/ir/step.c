/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * K.step: a device thread from one barrier to the next.  At first it calls the kernel; LLVM's
 * inliner makes that a copy of it, in which each barrier becomes a return, and its entry jumps
 * to behind the barrier at which the thread stands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop.h"

LLVMValueRef *ash_step_collect(struct ash_step *step, bool (*is_wanted)(LLVMValueRef),
                               size_t *ret_n)
{
    LLVMValueRef *list = NULL;
    size_t n = 0;

    ASH_EACH_BLOCK(b, step->function)
        ASH_EACH_INSTRUCTION(i, b)
        {
            if (!is_wanted(i))
                continue;
            if (n % 64 == 0 && !(list = realloc(list, (n + 64) * sizeof(*list))))
                ash_ir_die("no memory");
            list[n++] = i;
        }
    *ret_n = n;
    return list;
}

void ash_step_make(struct ash_ir *ir, struct ash_step *step)
{
    unsigned n = step->n_args = LLVMCountParams(step->kernel);
    LLVMTypeRef word = ash_ir_int(ir, 32);
    LLVMTypeRef *types = ash_ir_alloc((n + ASH_STEP_EXTRA) * sizeof(LLVMTypeRef));
    LLVMValueRef *values = ash_ir_alloc((n + 1) * sizeof(LLVMValueRef)), call;
    char name[4096];

    LLVMGetParamTypes(LLVMGlobalGetValueType(step->kernel), types);
    for (unsigned i = 0; i < ASH_STEP_EXTRA; i++)
        types[n + i] = word;
    types[n + ASH_STEP_NUMBER] = ash_ir_int(ir, 64);
    types[n + ASH_STEP_FRAMES] = ash_ir_pointer(ir);
    for (unsigned i = 0; i < ASH_UNIFORMS; i++)
        types[n + ASH_STEP_UNIFORM + i] = ash_ir_int(ir, 64);
    types[n + ASH_STEP_OUT] = LLVMPointerType(ash_ir_int(ir, 64), 0);
    types[n + ASH_STEP_WHOLE] = ash_ir_int(ir, 1);
    step->type = LLVMFunctionType(word, types, n + ASH_STEP_EXTRA, false);
    snprintf(name, sizeof(name), "%s.step", step->name);
    step->function = LLVMAddFunction(ir->module, name, step->type);
    ash_ir_add_attribute(ir, step->function, "nounwind", 0);
    LLVMPositionBuilderAtEnd(ir->builder,
                             LLVMAppendBasicBlockInContext(ir->context, step->function, ""));
    for (unsigned i = 0; i < n; i++)
        values[i] = LLVMGetParam(step->function, i);
    call = LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(step->kernel), step->kernel, values,
                          n, "");
    for (unsigned i = 0; i < n; i++)
        ash_ir_pass_by_value(step->kernel, call, i);
    LLVMBuildRet(ir->builder, LLVMConstInt(word, 0, false));
    free(types);
    free(values);
}

/* The words that are read at constant offsets from `base`, which is `offset` bytes in struct
 * anyshmem_thread, become parameters; false: something else is done with it. */
static bool read_word(struct ash_ir *ir, struct ash_step *step, LLVMValueRef base,
                      unsigned long long offset);

static bool offset_of(struct ash_ir *ir, LLVMValueRef gep, unsigned long long *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        unsigned long long n;

        if (!LLVMIsAConstantInt(index))
            return false;
        n = (unsigned long long)LLVMConstIntGetSExtValue(index);
        if (i == 1) {
            *offset += n * LLVMABISizeOfType(ir->layout, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += LLVMOffsetOfElement(ir->layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
        } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            *offset += n * LLVMABISizeOfType(ir->layout, type);
        } else {
            return false;
        }
    }
    return true;
}

static bool read_by(struct ash_ir *ir, struct ash_step *step, LLVMValueRef base,
                    LLVMValueRef user, unsigned long long offset)
{
    if (LLVMIsALoadInst(user)) {
        if (LLVMTypeOf(user) != ash_ir_int(ir, 32) || offset % 4 || offset >= 48)
            return false;
        LLVMReplaceAllUsesWith(user, ash_step_extra(step, (unsigned)(offset / 4)));
    } else if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == base) {
        if (!offset_of(ir, user, &offset) || !read_word(ir, step, user, offset))
            return false;
    } else if (!LLVMIsABitCastInst(user) || !read_word(ir, step, user, offset)) {
        return false;
    }
    LLVMInstructionEraseFromParent(user);
    return true;
}

static bool read_word(struct ash_ir *ir, struct ash_step *step, LLVMValueRef base,
                      unsigned long long offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(base); use; use = LLVMGetFirstUse(base))
        if (!read_by(ir, step, base, LLVMGetUser(use), offset))
            return false;
    return true;
}

/* Messages of the thread name it. */
static void tell_number(struct ash_ir *ir, struct ash_step *step, LLVMValueRef call)
{
    LLVMTypeRef word = ash_ir_int(ir, 64);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ir->context), &word, 1, false);
    LLVMValueRef number = ash_step_extra(step, ASH_STEP_NUMBER);

    ash_ir_before(ir, call);
    ash_ir_call(ir, ash_ir_function(ir, "ash_kernel_at", type), &number, 1);
}

static bool place_call(struct ash_ir *ir, struct ash_step *step, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call), lane;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &(size_t){ 0 }) : "";

    if (strcmp(name, "anyshmem_this_thread") == 0) {
        if (!read_word(ir, step, call, 0))
            return false;
    } else if (strcmp(name, "ash_kernel_lane") == 0) {
        ash_ir_before(ir, call);
        lane = ash_ir_convert(ir, ash_step_extra(step, ASH_STEP_NUMBER), ash_ir_int(ir, 32));
        lane = LLVMBuildAnd(ir->builder, lane, LLVMConstInt(ash_ir_int(ir, 32), 31, false), "");
        LLVMReplaceAllUsesWith(call, lane);
    } else if (strcmp(name, "ash_kernel_fail") == 0 || strcmp(name, "ash_cuda_assert") == 0 ||
               strcmp(name, "ash_cuda_trap") == 0) {
        tell_number(ir, step, call);
        return true;
    } else if (strcmp(name, "ash_kernel_polled") != 0 && strcmp(name, "ash_kernel_yield") != 0 &&
               !ash_ir_begins(name, "llvm.lifetime.")) {
        return true;
    }
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) != NULL;
}

bool ash_step_place(struct ash_ir *ir, struct ash_step *step)
{
    size_t n;
    LLVMValueRef *calls = ash_step_collect(step, is_call, &n);
    bool placed = true;

    LLVMSetCurrentDebugLocation2(ir->builder, NULL);
    for (size_t i = 0; i < n && placed; i++)
        placed = place_call(ir, step, calls[i]);
    free(calls);
    return placed;
}
