/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes: away with those of GPUs, and those that sanitizers need, which clang does not
 * give to code for GPUs.  Helpers that nobody calls go as well.
 */
#include "ir.h"

#include <stdio.h>
#include <string.h>

static const char *const of_gpus[] = { "target-cpu", "target-features", "uniform-work-group-size" };

static void remove_enum(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* A barrier is a call of a function that LLVM does not know: it moves nothing across. */
static void visit(struct ash_ir *ir, LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction))
        LLVMRemoveCallSiteEnumAttribute(instruction, LLVMAttributeFunctionIndex,
                                        LLVMGetEnumAttributeKindForName("convergent", 10));
    (void)ir;
}

static bool is_helper(LLVMValueRef function)
{
    return ash_ir_begins(LLVMGetValueName2(function, &(size_t){ 0 }), "__anyshmem_") &&
           !LLVMIsDeclaration(function);
}

static void drop_unused_helpers(struct ash_ir *ir)
{
    bool again = true;

    while (again) {
        again = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
            next = LLVMGetNextFunction(f);
            if (!is_helper(f) || LLVMGetFirstUse(f))
                continue;
            LLVMDeleteFunction(f);
            again = true;
        }
    }
}

static void sanitize(struct ash_ir *ir, LLVMValueRef function)
{
    char name[64];

    if (!ir->sanitize || LLVMIsDeclaration(function))
        return;
    snprintf(name, sizeof(name), "sanitize_%s", ir->sanitize);
    ash_ir_add_attribute(ir, function, name, 0);
}

/* A stack that is too small is found in its guard, however large a function's variables are. */
static void probe(struct ash_ir *ir, LLVMValueRef function)
{
    static const char name[] = "probe-stack", value[] = "inline-asm";

    if (LLVMIsDeclaration(function))
        return;
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(ir->context, name, sizeof(name) - 1, value,
                                                      sizeof(value) - 1));
}

void ash_ir_attributes(struct ash_ir *ir)
{
    LLVMValueRef used = LLVMGetNamedGlobal(ir->module, "llvm.used");

    if (used)
        LLVMDeleteGlobal(used);
    drop_unused_helpers(ir);
    ash_ir_each(ir, visit);
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof(of_gpus) / sizeof(*of_gpus); i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, of_gpus[i],
                                             (unsigned)strlen(of_gpus[i]));
        remove_enum(f, "convergent");
        if (is_helper(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
        sanitize(ir, f);
        probe(ir, f);
    }
}
