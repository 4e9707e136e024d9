/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables whose address is known when the kernel runs; a function that uses one asks for it
 * at its entry.  A __shared__ one becomes a description of itself, by whose address the host
 * device knows it, and each block has a copy.  A __managed__ one is the host's: the runtime
 * writes its address to a pointer, NAME.managed.
 */
#include "ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shared {
    LLVMValueRef variable, description; /* NULL: the launch's dynamic memory */
    LLVMValueRef slot;                  /* of a __managed__ variable: where its address is */
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
    ash_ir_at_entry(ir, work->function);
    if (shared->slot) {
        shared->address = LLVMBuildLoad2(ir->builder, pointer, shared->slot, "");
    } else if (shared->description) {
        function = ash_ir_function(ir, "ash_kernel_shared",
                                   LLVMFunctionType(pointer, &pointer, 1, false));
        argument = LLVMBuildBitCast(ir->builder, shared->description, pointer, "");
        shared->address = ash_ir_call(ir, function, &argument, 1);
    } else {
        function =
            ash_ir_function(ir, "anyshmem_shared", LLVMFunctionType(pointer, NULL, 0, false));
        shared->address = ash_ir_call(ir, function, NULL, 0);
    }
    shared->address = ash_ir_convert(ir, shared->address, LLVMTypeOf(shared->variable));
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
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return LLVMBuildBinOp(b, LLVMGetConstOpcode(value), part[0], part[1], "");
    case LLVMSelect: return LLVMBuildSelect(b, part[0], part[1], part[2], "");
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

/* The pointer to a __managed__ variable; until the runtime has written it, to its first value. */
static LLVMValueRef slot_of(struct ash_ir *ir, LLVMValueRef variable)
{
    char text[1024];
    LLVMValueRef slot;

    snprintf(text, sizeof(text), "%s.managed", LLVMGetValueName2(variable, &(size_t){ 0 }));
    slot = LLVMAddGlobal(ir->module, ash_ir_pointer(ir), text);
    if (LLVMIsDeclaration(variable))
        return slot;
    LLVMSetInitializer(slot, LLVMConstBitCast(variable, ash_ir_pointer(ir)));
    LLVMSetLinkage(slot, LLVMGetLinkage(variable));
    return slot;
}

static void collect(struct work *work)
{
    struct ash_ir *ir = work->ir;
    LLVMValueRef list = LLVMGetNamedGlobal(ir->module, "llvm.global.annotations");

    if (list)
        LLVMDeleteGlobal(list);
    work->all = ash_ir_alloc((ir->shared.n + ir->managed.n) * sizeof(*work->all));
    for (size_t i = 0; i < ir->shared.n; i++) {
        LLVMValueRef variable = LLVMGetNamedGlobal(ir->module, ir->shared.names[i]);

        work->all[work->n].variable = variable;
        if (!LLVMIsDeclaration(variable) &&
            LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(variable)))
            work->all[work->n].description = describe(ir, variable, ir->shared.names[i]);
        work->n++;
    }
    for (size_t i = 0; i < ir->managed.n; i++) {
        work->all[work->n].variable = LLVMGetNamedGlobal(ir->module, ir->managed.names[i]);
        work->all[work->n].slot = slot_of(ir, work->all[work->n].variable);
        work->n++;
    }
}

void ash_ir_shared(struct ash_ir *ir)
{
    struct work work = { .ir = ir };

    collect(&work);
    for (work.function = LLVMGetFirstFunction(ir->module); work.function;
         work.function = LLVMGetNextFunction(work.function))
        look_at_function(&work);
    for (size_t i = 0; i < work.n; i++) {
        if (work.all[i].slot)
            continue;
        LLVMReplaceAllUsesWith(work.all[i].variable,
                               LLVMGetUndef(LLVMTypeOf(work.all[i].variable)));
        LLVMDeleteGlobal(work.all[i].variable);
    }
    free(work.all);
    mark(ir, "ash_kernel_shared");
    mark(ir, "anyshmem_shared");
}
