/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime must know of a unit: its kernels, each with a thunk that takes its
 * arguments as CUDA gives them, an array of pointers, and its variables.  A constructor
 * registers them, before the host half registers its own.
 */
#include "ir.h"

#include <stdio.h>
#include <string.h>

/* Before those of the host half, which have the usual priority. */
#define PRIORITY 101

static LLVMValueRef text(struct ash_ir *ir, const char *string)
{
    LLVMValueRef value =
        LLVMConstStringInContext(ir->context, string, (unsigned)strlen(string), false);
    LLVMValueRef variable = LLVMAddGlobal(ir->module, LLVMTypeOf(value), ".str.unit");

    LLVMSetInitializer(variable, value);
    LLVMSetGlobalConstant(variable, true);
    LLVMSetLinkage(variable, LLVMPrivateLinkage);
    return LLVMConstBitCast(variable, ash_ir_pointer(ir));
}

/* An array of the module's own; a pointer to it as `char *`, NULL for an empty one. */
static LLVMValueRef array(struct ash_ir *ir, LLVMTypeRef type, LLVMValueRef *values, size_t n)
{
    if (n == 0)
        return LLVMConstNull(ash_ir_pointer(ir));
    LLVMValueRef value = LLVMConstArray(type, values, (unsigned)n);
    LLVMValueRef variable = LLVMAddGlobal(ir->module, LLVMTypeOf(value), ".unit");
    LLVMSetInitializer(variable, value);
    LLVMSetLinkage(variable, LLVMPrivateLinkage);
    return LLVMConstBitCast(variable, ash_ir_pointer(ir));
}

static LLVMValueRef thunk(struct ash_ir *ir, LLVMValueRef kernel, const char *name)
{
    LLVMTypeRef pointers = LLVMPointerType(ash_ir_pointer(ir), 0);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(ir->context), &pointers, 1, false);
    unsigned n = LLVMCountParams(kernel);
    LLVMValueRef *values = ash_ir_alloc(n * sizeof(LLVMValueRef)), function, call;
    char thunk_name[1024];

    snprintf(thunk_name, sizeof(thunk_name), "thunk.%s", name);
    function = LLVMAddFunction(ir->module, thunk_name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(ir->builder,
                             LLVMAppendBasicBlockInContext(ir->context, function, ""));
    LLVMSetCurrentDebugLocation2(ir->builder, NULL);
    for (unsigned i = 0; i < n; i++)
        values[i] = ash_ir_argument(ir, kernel, LLVMGetParam(function, 0), i);
    call = LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(kernel), kernel, values, n, "");
    for (unsigned i = 0; i < n; i++)
        ash_ir_pass_by_value(kernel, call, i);
    LLVMBuildRetVoid(ir->builder);
    return function;
}

/* clang makes static kernels and variables visible, for the host; here the tables tell it. */
static void hide(LLVMValueRef value)
{
    LLVMSetLinkage(value, LLVMInternalLinkage);
    LLVMSetComdat(value, NULL);
}

static LLVMValueRef kernel_entry(struct ash_ir *ir, const char *name)
{
    LLVMValueRef kernel = LLVMGetNamedFunction(ir->module, name), members[6];
    LLVMTypeRef size = ash_ir_int(ir, 64);
    unsigned n = LLVMCountParams(kernel);
    LLVMValueRef *sizes = ash_ir_alloc((n + 1) * sizeof(LLVMValueRef));
    unsigned long long frames_nbytes;

    LLVMSetFunctionCallConv(kernel, LLVMCCallConv);
    hide(kernel);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef type = ash_ir_by_value(kernel, i);

        type = type ? type : LLVMTypeOf(LLVMGetParam(kernel, i));
        sizes[i] = LLVMConstInt(size, LLVMABISizeOfType(ir->layout, type), false);
    }
    members[0] = text(ir, name);
    members[1] = LLVMConstBitCast(thunk(ir, kernel, name), ash_ir_pointer(ir));
    members[2] = LLVMConstInt(ash_ir_int(ir, 32), n, false);
    members[3] = array(ir, size, sizes, n);
    members[4] = ash_ir_run(ir, name, &frames_nbytes);
    members[5] = LLVMConstInt(size, frames_nbytes, false);
    return LLVMConstStructInContext(ir->context, members, 6, false);
}

static LLVMValueRef kernels(struct ash_ir *ir, size_t *ret_n)
{
    LLVMValueRef *all = ash_ir_alloc((ir->kernels.n + 1) * sizeof(LLVMValueRef));
    size_t n = 0;

    for (size_t i = 0; i < ir->kernels.n; i++) {
        LLVMValueRef kernel = LLVMGetNamedFunction(ir->module, ir->kernels.names[i]);

        if (kernel && !LLVMIsDeclaration(kernel))
            all[n++] = kernel_entry(ir, ir->kernels.names[i]);
    }
    *ret_n = n;
    return array(ir, n ? LLVMTypeOf(all[0]) : NULL, all, n);
}

/* Variables of the program: clang's own constants have no name that the host could know. */
static bool is_variable(LLVMValueRef variable)
{
    return variable && !LLVMIsDeclaration(variable) &&
           LLVMGetLinkage(variable) != LLVMPrivateLinkage &&
           !ash_ir_begins(LLVMGetValueName2(variable, &(size_t){ 0 }), "llvm.");
}

static LLVMValueRef variable_entry(struct ash_ir *ir, LLVMValueRef variable, const char *name)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    LLVMValueRef members[3] = {
        text(ir, name), LLVMConstBitCast(variable, ash_ir_pointer(ir)),
        LLVMConstInt(ash_ir_int(ir, 64), LLVMABISizeOfType(ir->layout, type), false)
    };

    /* Names of static variables, and of those in an anonymous namespace. */
    if (ash_ir_begins(name, "_ZL") || ash_ir_begins(name, "_ZN12_GLOBAL__N_1"))
        hide(variable);
    LLVMSetExternallyInitialized(variable, false);
    /* The host may write it by name. */
    LLVMSetGlobalConstant(variable, false);
    return LLVMConstStructInContext(ir->context, members, 3, false);
}

/* A __managed__ variable has a second entry, NAME.managed, of the pointer to it. */
static LLVMValueRef variables(struct ash_ir *ir, size_t *ret_n)
{
    LLVMValueRef *all = ash_ir_alloc((2 * ir->variables.n + 1) * sizeof(LLVMValueRef));
    size_t n = 0;

    for (size_t i = 0; i < ir->variables.n; i++) {
        const char *name = ir->variables.names[i];
        LLVMValueRef variable = LLVMGetNamedGlobal(ir->module, name);
        char slot[1024];

        if (!is_variable(variable))
            continue;
        all[n++] = variable_entry(ir, variable, name);
        if (!ash_ir_names_has(&ir->managed, name))
            continue;
        snprintf(slot, sizeof(slot), "%s.managed", name);
        all[n++] = variable_entry(ir, LLVMGetNamedGlobal(ir->module, slot), slot);
    }
    *ret_n = n;
    return array(ir, n ? LLVMTypeOf(all[0]) : NULL, all, n);
}

static LLVMValueRef constructor(struct ash_ir *ir, LLVMValueRef unit)
{
    LLVMTypeRef none = LLVMVoidTypeInContext(ir->context), pointer = ash_ir_pointer(ir);
    LLVMTypeRef types[2] = { pointer, pointer };
    LLVMValueRef function =
        LLVMAddFunction(ir->module, "anyshmem.register", LLVMFunctionType(none, NULL, 0, false));
    LLVMValueRef callee =
        ash_ir_function(ir, "__anyshmem_cuda_unit", LLVMFunctionType(none, types, 2, false));
    LLVMValueRef arguments[2] = { text(ir, ir->unit), LLVMConstBitCast(unit, pointer) };

    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(ir->builder,
                             LLVMAppendBasicBlockInContext(ir->context, function, ""));
    LLVMSetCurrentDebugLocation2(ir->builder, NULL);
    ash_ir_call(ir, callee, arguments, 2);
    LLVMBuildRetVoid(ir->builder);
    return function;
}

void ash_ir_register(struct ash_ir *ir)
{
    LLVMTypeRef word = ash_ir_int(ir, 32);
    size_t n_kernels, n_variables;
    LLVMValueRef kernel_table = kernels(ir, &n_kernels);
    LLVMValueRef variable_table = variables(ir, &n_variables);
    LLVMValueRef members[4] = { kernel_table, LLVMConstInt(word, n_kernels, false),
                                variable_table, LLVMConstInt(word, n_variables, false) };
    LLVMValueRef value = LLVMConstStructInContext(ir->context, members, 4, false);
    LLVMValueRef unit = LLVMAddGlobal(ir->module, LLVMTypeOf(value), ".unit");
    LLVMValueRef entry[3], list;

    LLVMSetInitializer(unit, value);
    LLVMSetLinkage(unit, LLVMPrivateLinkage);
    entry[0] = LLVMConstInt(word, PRIORITY, false);
    entry[1] = constructor(ir, unit);
    entry[2] = LLVMConstNull(ash_ir_pointer(ir));
    value = LLVMConstStructInContext(ir->context, entry, 3, false);
    list = LLVMAddGlobal(ir->module, LLVMArrayType(LLVMTypeOf(value), 1), "llvm.global_ctors");
    LLVMSetInitializer(list, LLVMConstArray(LLVMTypeOf(value), &value, 1));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
}
