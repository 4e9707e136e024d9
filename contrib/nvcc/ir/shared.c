/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * __shared__ variables: each becomes a description of itself, by whose address the host
 * device knows it; a function that uses one asks for the block's copy at its entry.
 */
#include "ir.h"

#include <stdio.h>
#include <string.h>

struct shared {
    LLVMValueRef variable, description; /* NULL: the launch's dynamic memory */
    LLVMValueRef address;               /* in the function that is looked at */
};

struct work {
    struct ash_ir *ir;
    struct shared *all;
    size_t n;
    LLVMValueRef function;
};

/* { size_t nbytes, alignment; const char *name; }, as device/hostdev/kernel.h has it. */
static LLVMValueRef describe(struct ash_ir *ir, LLVMValueRef variable, const char *name)
{
    LLVMTypeRef size = ash_ir_int(ir, 64), type = LLVMGlobalGetValueType(variable);
    char text[1024];
    LLVMValueRef string, members[3];

    snprintf(text, sizeof(text), "%s.shared", name);
    string = LLVMConstStringInContext(ir->context, name, (unsigned)strlen(name), false);
    LLVMValueRef string_variable = LLVMAddGlobal(ir->module, LLVMTypeOf(string), ".str.shared");
    LLVMSetInitializer(string_variable, string);
    LLVMSetGlobalConstant(string_variable, true);
    LLVMSetLinkage(string_variable, LLVMPrivateLinkage);

    unsigned alignment = LLVMGetAlignment(variable);
    unsigned natural = LLVMABIAlignmentOfType(ir->layout, type);
    members[0] = LLVMConstInt(size, LLVMABISizeOfType(ir->layout, type), false);
    members[1] = LLVMConstInt(size, alignment > natural ? alignment : natural, false);
    members[2] = LLVMConstBitCast(string_variable, ash_ir_pointer(ir));
    LLVMValueRef value = LLVMConstStructInContext(ir->context, members, 3, false);
    LLVMValueRef description = LLVMAddGlobal(ir->module, LLVMTypeOf(value), text);
    LLVMSetInitializer(description, value);
    LLVMSetLinkage(description, LLVMGetLinkage(variable));
    LLVMComdatRef comdat = LLVMGetComdat(variable);
    if (comdat)
        LLVMSetComdat(description, LLVMGetOrInsertComdat(ir->module, text));
    return description;
}

/* The address of the block's copy, at the function's entry. */
static LLVMValueRef address_of(struct work *work, struct shared *shared)
{
    struct ash_ir *ir = work->ir;
    LLVMTypeRef pointer = ash_ir_pointer(ir);
    LLVMValueRef function, argument = NULL;

    if (shared->address)
        return shared->address;
    LLVMBasicBlockRef block = LLVMGetInsertBlock(ir->builder);
    LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(ir->builder);
    (void)block;
    ash_ir_at_entry(ir, work->function);
    if (shared->description) {
        function = ash_ir_function(ir, "ash_kernel_shared",
                                   LLVMFunctionType(pointer, &pointer, 1, false));
        argument = LLVMBuildBitCast(ir->builder, shared->description, pointer, "");
        shared->address = ash_ir_call(ir, function, &argument, 1);
    } else {
        function =
            ash_ir_function(ir, "anyshmem_shared", LLVMFunctionType(pointer, NULL, 0, false));
        shared->address = ash_ir_call(ir, function, NULL, 0);
    }
    shared->address =
        ash_ir_convert(ir, shared->address, LLVMTypeOf(shared->variable));
    LLVMSetCurrentDebugLocation2(ir->builder, line);
    return shared->address;
}

static struct shared *find(struct work *work, LLVMValueRef value)
{
    for (size_t i = 0; i < work->n; i++)
        if (work->all[i].variable == value)
            return &work->all[i];
    return NULL;
}

static bool mentions(struct work *work, LLVMValueRef value)
{
    if (find(work, value))
        return true;
    if (!LLVMIsAConstantExpr(value) && !LLVMIsAConstantStruct(value) &&
        !LLVMIsAConstantArray(value) && !LLVMIsAConstantVector(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (mentions(work, LLVMGetOperand(value, (unsigned)i)))
            return true;
    return false;
}

/* The constant expression as instructions, before `user`. */
static LLVMValueRef rebuild(struct work *work, LLVMValueRef value, LLVMValueRef before,
                            LLVMValueRef user)
{
    LLVMBuilderRef b = work->ir->builder;
    struct shared *shared = find(work, value);
    LLVMValueRef part[32];
    int n = LLVMGetNumOperands(value);

    if (shared)
        value = address_of(work, shared);
    if (shared || !mentions(work, value))
        return value;
    for (int i = 0; i < n && i < 32; i++)
        part[i] = rebuild(work, LLVMGetOperand(value, (unsigned)i), before, user);
    ash_ir_before(work->ir, before);
    if (!LLVMIsAConstantExpr(value) || n > 32) {
        ash_ir_error(work->ir, user, "a __shared__ variable's address as part of a constant");
        return value;
    }
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(value), part[0], part + 1,
                             (unsigned)n - 1, "");
    case LLVMBitCast: return LLVMBuildBitCast(b, part[0], LLVMTypeOf(value), "");
    case LLVMPtrToInt: return LLVMBuildPtrToInt(b, part[0], LLVMTypeOf(value), "");
    case LLVMIntToPtr: return LLVMBuildIntToPtr(b, part[0], LLVMTypeOf(value), "");
    case LLVMTrunc: return LLVMBuildTrunc(b, part[0], LLVMTypeOf(value), "");
    case LLVMZExt: return LLVMBuildZExt(b, part[0], LLVMTypeOf(value), "");
    case LLVMAdd: return LLVMBuildAdd(b, part[0], part[1], "");
    case LLVMSub: return LLVMBuildSub(b, part[0], part[1], "");
    case LLVMICmp: return LLVMBuildICmp(b, LLVMGetICmpPredicate(value), part[0], part[1], "");
    default: break;
    }
    ash_ir_error(work->ir, user, "a __shared__ variable's address in a constant expression");
    return value;
}

static void look_at(struct work *work, LLVMValueRef user)
{
    for (int i = 0; i < LLVMGetNumOperands(user); i++) {
        LLVMValueRef value = LLVMGetOperand(user, (unsigned)i), before = user;

        if (!LLVMIsAConstant(value) || !mentions(work, value))
            continue;
        /* A value that comes from another block is computed at that block's end. */
        if (LLVMIsAPHINode(user))
            before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, (unsigned)i));
        value = rebuild(work, value, before, user);
        LLVMSetOperand(user, (unsigned)i, value);
    }
}

static void look_at_function(struct work *work)
{
    LLVMValueRef f = work->function;

    for (size_t i = 0; i < work->n; i++)
        work->all[i].address = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            look_at(work, i);
}

/* Asking twice gives the same address: what is not used is left out. */
static void mark(struct ash_ir *ir, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, name);

    if (!function)
        return;
    ash_ir_add_attribute(ir, function, "nounwind", 0);
    ash_ir_add_attribute(ir, function, "willreturn", 0);
    ash_ir_add_attribute(ir, function, LLVM_VERSION_MAJOR < 16 ? "readnone" : "memory", 0);
}

void ash_ir_shared(struct ash_ir *ir)
{
    struct work work = { .ir = ir, .n = ir->shared.n };

    work.all = ash_ir_alloc(work.n * sizeof(*work.all));
    for (size_t i = 0; i < work.n; i++) {
        LLVMValueRef variable = LLVMGetNamedGlobal(ir->module, ir->shared.names[i]);

        work.all[i].variable = variable;
        if (!LLVMIsDeclaration(variable) &&
            LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(variable)))
            work.all[i].description = describe(ir, variable, ir->shared.names[i]);
    }
    for (work.function = LLVMGetFirstFunction(ir->module); work.function;
         work.function = LLVMGetNextFunction(work.function))
        look_at_function(&work);
    for (size_t i = 0; i < work.n; i++) {
        LLVMReplaceAllUsesWith(work.all[i].variable,
                               LLVMGetUndef(LLVMTypeOf(work.all[i].variable)));
        LLVMDeleteGlobal(work.all[i].variable);
    }
    mark(ir, "ash_kernel_shared");
    mark(ir, "anyshmem_shared");
}
