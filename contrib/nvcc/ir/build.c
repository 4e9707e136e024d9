/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short forms of what the other files do again and again with LLVM's C interface.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

void *ash_ir_alloc(size_t nbytes)
{
    void *memory = calloc(1, nbytes ? nbytes : 1);

    if (!memory)
        ash_ir_die("no memory");
    return memory;
}

void ash_ir_names_add(struct ash_ir_names *names, const char *name)
{
    names->names = realloc(names->names, (names->n + 1) * sizeof(*names->names));
    if (!names->names || !(names->names[names->n++] = strdup(name)))
        ash_ir_die("no memory");
}

bool ash_ir_names_has(const struct ash_ir_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    return false;
}

bool ash_ir_begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

LLVMTypeRef ash_ir_int(struct ash_ir *ir, unsigned bits)
{
    return LLVMIntTypeInContext(ir->context, bits);
}

LLVMTypeRef ash_ir_pointer(struct ash_ir *ir)
{
    return LLVMPointerType(ash_ir_int(ir, 8), 0);
}

LLVMValueRef ash_ir_function(struct ash_ir *ir, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, name);

    return function ? function : LLVMAddFunction(ir->module, name, type);
}

LLVMValueRef ash_ir_support(struct ash_ir *ir, const char *name)
{
    return LLVMGetNamedFunction(ir->module, name);
}

LLVMValueRef ash_ir_call(struct ash_ir *ir, LLVMValueRef function, LLVMValueRef *arguments,
                         unsigned n)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMTypeRef parameters[16];
    LLVMValueRef converted[16];

    LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; i < n; i++)
        converted[i] = ash_ir_convert(ir, arguments[i], parameters[i]);
    return LLVMBuildCall2(ir->builder, type, function, converted, n, "");
}

void ash_ir_before(struct ash_ir *ir, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(ir->builder, instruction);
    LLVMSetCurrentDebugLocation2(ir->builder, LLVMInstructionGetDebugLoc(instruction));
}

void ash_ir_at_entry(struct ash_ir *ir, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    LLVMMetadataRef own = LLVMGetSubprogram(function);

    while (first && LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilder(ir->builder, entry, first);
    /* A call that may be inlined needs a line where its function has one: line 0, so that
     * debuggers do not take it for the first line, at which arguments are in their places. */
    LLVMSetCurrentDebugLocation2(
        ir->builder, own ? LLVMDIBuilderCreateDebugLocation(ir->context, 0, 0, own, NULL) : NULL);
}

static bool is_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_int(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

LLVMValueRef ash_ir_convert(struct ash_ir *ir, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMTypeRef from = LLVMTypeOf(value);

    if (from == type)
        return value;
    if (is_pointer(from) && is_pointer(type))
        return LLVMBuildBitCast(ir->builder, value, type, "");
    if (is_pointer(from))
        return ash_ir_convert(
            ir, LLVMBuildPtrToInt(ir->builder, value, ash_ir_int(ir, 64), ""), type);
    if (is_int(from) && is_int(type))
        return LLVMBuildIntCast2(ir->builder, value, type, false, "");
    if (is_pointer(type))
        return LLVMBuildIntToPtr(ir->builder, ash_ir_convert(ir, value, ash_ir_int(ir, 64)), type,
                                 "");
    /* Bits of another kind, by way of an integer if the sizes differ. */
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(ir->layout, from);
    if (bits == LLVMSizeOfTypeInBits(ir->layout, type))
        return LLVMBuildBitCast(ir->builder, value, type, "");
    if (!is_int(from))
        return ash_ir_convert(
            ir, LLVMBuildBitCast(ir->builder, value, ash_ir_int(ir, bits), ""), type);
    bits = (unsigned)LLVMSizeOfTypeInBits(ir->layout, type);
    value = LLVMBuildIntCast2(ir->builder, value, ash_ir_int(ir, bits), false, "");
    return LLVMBuildBitCast(ir->builder, value, type, "");
}

void ash_ir_add_attribute(struct ash_ir *ir, LLVMValueRef function, const char *name,
                          unsigned long long value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    if (kind)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(ir->context, kind, value));
}

bool ash_ir_is_call_of(LLVMValueRef instruction, LLVMValueRef function)
{
    return LLVMIsACallInst(instruction) && LLVMGetCalledValue(instruction) == function;
}

void ash_ir_each(struct ash_ir *ir, void (*visit)(struct ash_ir *ir, LLVMValueRef instruction))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(ir, i);
            }
}
