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

static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsAConstantExpr(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

/* __cluster_dims__ of more than one block; the annotation has file and line of the kernel. */
static void read_cluster(struct ash_ir *ir, LLVMValueRef entry, const char *dims)
{
    LLVMValueRef file = without_casts(LLVMGetOperand(entry, 2));
    const char *name = "";
    size_t n_bytes;

    if (dims[strspn(dims, "1, ")] == 0)
        return;
    if (LLVMIsAGlobalVariable(file))
        name = LLVMGetAsString(LLVMGetInitializer(file), &n_bytes);
    ash_ir_error_at(ir, name, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 3)),
                    "__cluster_dims__(%s): the CPU has no clusters of blocks", dims);
}

/* __cluster_dims__ is an annotation, which clang lists in a global variable. */
static void read_attributes(struct ash_ir *ir)
{
    LLVMValueRef list = LLVMGetNamedGlobal(ir->module, "llvm.global.annotations");
    LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;

    for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
        LLVMValueRef entry = LLVMGetOperand(all, (unsigned)i);
        LLVMValueRef text = without_casts(LLVMGetOperand(entry, 1));
        size_t n_bytes;

        if (!LLVMIsAGlobalVariable(text))
            continue;
        const char *string = LLVMGetAsString(LLVMGetInitializer(text), &n_bytes);
        if (ash_ir_begins(string, "anyshmem_cluster "))
            read_cluster(ir, entry, string + strlen("anyshmem_cluster "));
    }
}

/* It would be one for each thread of the system, not for each one of the device. */
static void refuse_thread_local(struct ash_ir *ir, LLVMValueRef variable, const char *name)
{
    LLVMValueRef user = variable;

    while (user && !LLVMIsAInstruction(user))
        user = LLVMGetFirstUse(user) ? LLVMGetUser(LLVMGetFirstUse(user)) : NULL;
    ash_ir_error(ir, user,
                 "threads of the device have no thread_local variables: %s", name);
}

/* A __managed__ variable, one of another file too, has a section that says so. */
static void read_managed(struct ash_ir *ir, LLVMValueRef variable, const char *name)
{
    const char *section = LLVMGetSection(variable);

    if (!section || strcmp(section, "anyshmem_managed") != 0)
        return;
    ash_ir_names_add(&ir->managed, name);
    LLVMSetSection(variable, "");
}

void ash_ir_read_facts(struct ash_ir *ir)
{
    size_t n_bytes;

    read_annotations(ir);
    read_attributes(ir);
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName2(f, &n_bytes);

        if (LLVMGetFunctionCallConv(f) == PTX_KERNEL && !ash_ir_names_has(&ir->kernels, name))
            ash_ir_names_add(&ir->kernels, name);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
        const char *name = LLVMGetValueName2(g, &n_bytes);

        if (LLVMIsThreadLocal(g))
            refuse_thread_local(ir, g, name);
        if (space == SHARED)
            ash_ir_names_add(&ir->shared, name);
        else if (space == GLOBAL || space == CONSTANT)
            ash_ir_names_add(&ir->variables, name);
        read_managed(ir, g, name);
    }
}
