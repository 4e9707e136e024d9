/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the original module alone tells: which functions are kernels, and in which memory
 * of a GPU a variable lies.
 */
#include "ir.h"

#include <string.h>

/* LLVM's number of the calling convention of kernels, which newer clangs use. */
#define PTX_KERNEL 71

enum { GLOBAL = 1, SHARED = 3, CONSTANT = 4 };

static void read_annotations(struct ash_ir *ir)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(ir->module, "nvvm.annotations");
    LLVMValueRef *all = ash_ir_alloc(n * sizeof(LLVMValueRef));

    LLVMGetNamedMetadataOperands(ir->module, "nvvm.annotations", all);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef words[64];
        unsigned n_bytes, n_words = LLVMGetMDNodeNumOperands(all[i]);

        if (n_words > 64 || n_words < 3)
            continue;
        LLVMGetMDNodeOperands(all[i], words);
        for (unsigned w = 1; words[0] && w < n_words; w += 2) {
            const char *text = words[w] ? LLVMGetMDString(words[w], &n_bytes) : NULL;

            if (text && n_bytes == 6 && memcmp(text, "kernel", 6) == 0 &&
                LLVMIsAFunction(words[0]))
                ash_ir_names_add(&ir->kernels, LLVMGetValueName2(words[0], &(size_t){ 0 }));
        }
    }
}

/* __managed__ is an annotation, which clang lists in a global variable. */
static void read_managed(struct ash_ir *ir)
{
    LLVMValueRef list = LLVMGetNamedGlobal(ir->module, "llvm.global.annotations");
    LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;

    for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
        LLVMValueRef entry = LLVMGetOperand(all, (unsigned)i);
        LLVMValueRef variable = LLVMGetOperand(entry, 0), text = LLVMGetOperand(entry, 1);
        size_t n_bytes;

        while (LLVMIsAConstantExpr(variable))
            variable = LLVMGetOperand(variable, 0);
        while (LLVMIsAConstantExpr(text))
            text = LLVMGetOperand(text, 0);
        if (!LLVMIsAGlobalVariable(variable) || !LLVMIsAGlobalVariable(text))
            continue;
        const char *string = LLVMGetAsString(LLVMGetInitializer(text), &n_bytes);
        if (ash_ir_begins(string, "anyshmem_managed"))
            ash_ir_names_add(&ir->managed, LLVMGetValueName2(variable, &n_bytes));
    }
}

void ash_ir_read_facts(struct ash_ir *ir)
{
    size_t n_bytes;

    read_annotations(ir);
    read_managed(ir);
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName2(f, &n_bytes);

        if (LLVMGetFunctionCallConv(f) == PTX_KERNEL && !ash_ir_names_has(&ir->kernels, name))
            ash_ir_names_add(&ir->kernels, name);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
        const char *name = LLVMGetValueName2(g, &n_bytes);

        if (space == SHARED)
            ash_ir_names_add(&ir->shared, name);
        else if (space == GLOBAL || space == CONSTANT)
            ash_ir_names_add(&ir->variables, name);
    }
}
