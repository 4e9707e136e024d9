/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * llvm.nvvm.X.Y becomes __anyshmem_nvvm_X_Y of include/cuda/anyshmem/nvvm.h, or, where that
 * is simpler, instructions.
 */
#include "ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ldg, ldu: a load; the second operand is the alignment. */
static LLVMValueRef load(struct ash_ir *ir, LLVMValueRef call)
{
    LLVMValueRef value =
        LLVMBuildLoad2(ir->builder, LLVMTypeOf(call), LLVMGetOperand(call, 0), "");

    LLVMSetAlignment(value, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)));
    return value;
}

/* All memory is global memory, if somebody asks. */
static LLVMValueRef is_in_space(struct ash_ir *ir, LLVMValueRef call, const char *name)
{
    return LLVMConstInt(LLVMTypeOf(call), strstr(name, "global") != NULL, false);
    (void)ir;
}

/* A pair of a mask and whether all are equal. */
static LLVMValueRef match_all(struct ash_ir *ir, LLVMValueRef call)
{
    LLVMValueRef support = ash_ir_support(ir, "__anyshmem_match_all");
    LLVMTypeRef word = ash_ir_int(ir, 32);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMValueRef arguments[3] = { LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), NULL };

    ash_ir_at_entry(ir, function);
    arguments[2] = LLVMBuildAlloca(ir->builder, word, "");
    ash_ir_before(ir, call);
    LLVMValueRef mask = ash_ir_call(ir, support, arguments, 3);
    LLVMValueRef all = LLVMBuildLoad2(ir->builder, word, arguments[2], "");
    all = LLVMBuildICmp(ir->builder, LLVMIntNE, all, LLVMConstInt(word, 0, false), "");
    LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(call));
    pair = LLVMBuildInsertValue(ir->builder, pair, mask, 0, "");
    return LLVMBuildInsertValue(ir->builder, pair, all, 1, "");
}

/* "llvm.nvvm.atomic.load.inc.32.p0" without the type that overloads it. */
static LLVMValueRef support_of(struct ash_ir *ir, const char *name)
{
    char text[256];
    char *end;

    snprintf(text, sizeof(text), "__anyshmem_%s", name + strlen("llvm."));
    end = strstr(text, ".p0");
    if (end)
        *end = 0;
    for (char *c = text; *c; c++)
        if (*c == '.')
            *c = '_';
    return ash_ir_support(ir, text);
}

static LLVMValueRef by_support(struct ash_ir *ir, LLVMValueRef call, const char *name)
{
    LLVMValueRef support = support_of(ir, name), arguments[16];
    unsigned n = LLVMGetNumArgOperands(call);

    if (!support || n > 16 || LLVMCountParams(support) != n) {
        ash_ir_error(ir, call, "the CPU has nothing for this instruction of GPUs: %s",
                     name + strlen("llvm.nvvm."));
        return NULL;
    }
    for (unsigned i = 0; i < n; i++)
        arguments[i] = LLVMGetOperand(call, i);
    LLVMValueRef value = ash_ir_call(ir, support, arguments, n);
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind
               ? NULL
               : ash_ir_convert(ir, value, LLVMTypeOf(call));
}

static void replace(struct ash_ir *ir, LLVMValueRef call, const char *name)
{
    const char *what = name + strlen("llvm.nvvm.");
    LLVMValueRef value;

    ash_ir_before(ir, call);
    if (ash_ir_begins(what, "ldg.") || ash_ir_begins(what, "ldu."))
        value = load(ir, call);
    else if (ash_ir_begins(what, "isspacep."))
        value = is_in_space(ir, call, what);
    else if (ash_ir_begins(what, "match.all.sync"))
        value = match_all(ir, call);
    else if (ash_ir_begins(what, "ptr."))
        value = ash_ir_convert(ir, LLVMGetOperand(call, 0), LLVMTypeOf(call));
    else
        value = by_support(ir, call, name);
    if (value)
        LLVMReplaceAllUsesWith(call, value);
    else if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

void ash_ir_intrinsics(struct ash_ir *ir)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
        const char *name = LLVMGetValueName2(f, &(size_t){ 0 });

        next = LLVMGetNextFunction(f);
        if (!ash_ir_begins(name, "llvm.nvvm."))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetFirstUse(f))
            replace(ir, LLVMGetUser(use), name);
        LLVMDeleteFunction(f);
    }
}
