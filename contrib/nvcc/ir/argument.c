/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of a kernel: the runtime passes an array of their addresses.
 */
#include <string.h>

#include "ir.h"

static LLVMAttributeRef attribute_of(LLVMValueRef kernel, unsigned i, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(kernel, i + 1,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

LLVMTypeRef ash_ir_by_value(LLVMValueRef kernel, unsigned i)
{
    LLVMAttributeRef attribute = attribute_of(kernel, i, "byval");

    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

void ash_ir_pass_by_value(LLVMValueRef kernel, LLVMValueRef call, unsigned i)
{
    LLVMAttributeRef align = attribute_of(kernel, i, "align");

    if (!ash_ir_by_value(kernel, i))
        return;
    LLVMAddCallSiteAttribute(call, i + 1, attribute_of(kernel, i, "byval"));
    if (align)
        LLVMAddCallSiteAttribute(call, i + 1, align);
}

/* A scalar as it lies in memory: bool has a byte there. */
static LLVMValueRef load(struct ash_ir *ir, LLVMValueRef address, LLVMTypeRef type)
{
    LLVMTypeRef stored = type;
    LLVMValueRef value;

    if (type == ash_ir_int(ir, 1))
        stored = ash_ir_int(ir, 8);
    address = ash_ir_convert(ir, address, LLVMPointerType(stored, 0));
    value = LLVMBuildLoad2(ir->builder, stored, address, "");
    return ash_ir_convert(ir, value, type);
}

LLVMValueRef ash_ir_argument(struct ash_ir *ir, LLVMValueRef kernel, LLVMValueRef args,
                             unsigned i)
{
    LLVMTypeRef pointer = ash_ir_pointer(ir), type = LLVMTypeOf(LLVMGetParam(kernel, i));
    LLVMValueRef index = LLVMConstInt(ash_ir_int(ir, 64), i, false), slot, value;

    slot = LLVMBuildGEP2(ir->builder, pointer, args, &index, 1, "");
    value = LLVMBuildLoad2(ir->builder, pointer, slot, "");
    return ash_ir_by_value(kernel, i) ? ash_ir_convert(ir, value, type) : load(ir, value, type);
}
