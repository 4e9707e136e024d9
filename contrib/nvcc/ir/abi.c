/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of the libraries' functions by the CPU's calling convention: there a small structure,
 * such as nvshmem_half_t, is in registers, where the device pass has a pointer to a copy.
 */
#include "ir.h"

#include <string.h>

#if defined(__aarch64__)
#error "the calling convention of this CPU is not written yet"
#endif

/* x86-64: a structure of at most 16 bytes is one or two registers, of integers or of
 * floating-point numbers. */
struct pieces {
    LLVMTypeRef types[2];
    unsigned n;
};

/* Whether something but floating-point numbers lies in the bytes from..from+7 of a type. */
static bool has_integers(struct ash_ir *ir, LLVMTypeRef type, unsigned long long offset,
                         unsigned long long from)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                 : kind == LLVMArrayTypeKind ? LLVMGetArrayLength(type)
                                             : 0;

    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef part = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
                                                      : LLVMGetElementType(type);
        unsigned long long at =
            offset + (kind == LLVMStructTypeKind ? LLVMOffsetOfElement(ir->layout, type, i)
                                                 : i * LLVMABISizeOfType(ir->layout, part));

        if (has_integers(ir, part, at, from))
            return true;
    }
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return false;
    return kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind && offset >= from &&
           offset < from + 8;
}

static struct pieces pieces_of(struct ash_ir *ir, LLVMTypeRef type)
{
    unsigned long long nbytes = LLVMABISizeOfType(ir->layout, type);
    struct pieces pieces = { .n = 0 };

    if (nbytes == 0 || nbytes > 16)
        return pieces;
    for (unsigned long long at = 0; at < nbytes; at += 8) {
        unsigned long long left = nbytes - at < 8 ? nbytes - at : 8;
        LLVMTypeRef piece = ash_ir_int(ir, (unsigned)left * 8);

        if (!has_integers(ir, type, 0, at))
            piece = left == 8 ? LLVMDoubleTypeInContext(ir->context)
                              : LLVMFloatTypeInContext(ir->context);
        pieces.types[pieces.n++] = piece;
    }
    return pieces;
}

static LLVMTypeRef by_value(LLVMValueRef function, unsigned i)
{
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
        function, i + 1, LLVMGetEnumAttributeKindForName("byval", strlen("byval")));

    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool is_struct(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static bool differs(struct ash_ir *ir, LLVMValueRef function)
{
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));

    if (is_struct(result) && pieces_of(ir, result).n)
        return true;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (by_value(function, i) && pieces_of(ir, by_value(function, i)).n)
            return true;
    return false;
}

/* The type of what a call returns in registers. */
static LLVMTypeRef returned(struct ash_ir *ir, LLVMTypeRef type)
{
    struct pieces pieces = { .n = 0 };

    if (is_struct(type))
        pieces = pieces_of(ir, type);
    if (!pieces.n)
        return type;
    return pieces.n == 1 ? pieces.types[0]
                         : LLVMStructTypeInContext(ir->context, pieces.types, 2, false);
}

static LLVMTypeRef converted_type(struct ash_ir *ir, LLVMValueRef function)
{
    LLVMTypeRef types[64], old = LLVMGlobalGetValueType(function);
    unsigned n = 0;

    for (unsigned i = 0; i < LLVMCountParams(function) && n + 2 < 64; i++) {
        LLVMTypeRef value = by_value(function, i);
        struct pieces pieces = { .n = 0 };

        if (value)
            pieces = pieces_of(ir, value);
        for (unsigned p = 0; p < pieces.n; p++)
            types[n++] = pieces.types[p];
        if (!pieces.n)
            types[n++] = LLVMTypeOf(LLVMGetParam(function, i));
    }
    return LLVMFunctionType(returned(ir, LLVMGetReturnType(old)), types, n,
                            LLVMIsFunctionVarArg(old));
}

/* Piece number p of the structure at an address, for a load or a store. */
static LLVMValueRef place(struct ash_ir *ir, LLVMValueRef address, unsigned p, LLVMTypeRef type)
{
    LLVMTypeRef byte = ash_ir_int(ir, 8);
    LLVMValueRef offset = LLVMConstInt(ash_ir_int(ir, 64), p * 8, false);

    address = ash_ir_convert(ir, address, ash_ir_pointer(ir));
    address = LLVMBuildGEP2(ir->builder, byte, address, &offset, 1, "");
    return ash_ir_convert(ir, address, LLVMPointerType(type, 0));
}

/* The result as the device pass has it, by way of memory. */
static LLVMValueRef result_of(struct ash_ir *ir, LLVMValueRef value, LLVMValueRef old)
{
    LLVMTypeRef type = LLVMTypeOf(old);
    struct pieces pieces = pieces_of(ir, type);
    LLVMValueRef memory, piece;

    if (LLVMTypeOf(value) == type)
        return value;
    ash_ir_at_entry(ir, LLVMGetBasicBlockParent(LLVMGetInstructionParent(old)));
    memory = LLVMBuildAlloca(ir->builder, type, "");
    LLVMSetAlignment(memory, 16);
    ash_ir_before(ir, old);
    for (unsigned p = 0; p < pieces.n; p++) {
        piece = pieces.n == 1 ? value : LLVMBuildExtractValue(ir->builder, value, p, "");
        LLVMBuildStore(ir->builder, piece, place(ir, memory, p, LLVMTypeOf(piece)));
    }
    return LLVMBuildLoad2(ir->builder, type, memory, "");
}

static void convert_call(struct ash_ir *ir, LLVMValueRef call, LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef arguments[64], value;
    unsigned n = 0;

    ash_ir_before(ir, call);
    for (unsigned i = 0; i < LLVMCountParams(from) && n + 2 < 64; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        struct pieces pieces = { .n = 0 };

        if (by_value(from, i))
            pieces = pieces_of(ir, by_value(from, i));
        for (unsigned p = 0; p < pieces.n; p++) {
            arguments[n] = LLVMBuildLoad2(ir->builder, pieces.types[p],
                                          place(ir, argument, p, pieces.types[p]), "");
            LLVMSetAlignment(arguments[n++], 1);
        }
        if (!pieces.n)
            arguments[n++] = argument;
    }
    value = LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(to), to, arguments, n, "");
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, result_of(ir, value, call));
    LLVMInstructionEraseFromParent(call);
}

static void convert(struct ash_ir *ir, LLVMValueRef function)
{
    LLVMValueRef to = LLVMAddFunction(ir->module, "", converted_type(ir, function));
    const char *name;
    size_t n;

    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetFirstUse(function)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!ash_ir_is_call_of(user, function)) {
            ash_ir_error(ir, NULL, "the address of %s, which has a structure as an argument",
                         LLVMGetValueName2(function, &n));
            return;
        }
        convert_call(ir, user, function, to);
    }
    name = strdup(LLVMGetValueName2(function, &n));
    LLVMDeleteFunction(function);
    LLVMSetValueName2(to, name, strlen(name));
}

void ash_ir_abi(struct ash_ir *ir)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
        const char *name = LLVMGetValueName2(f, &(size_t){ 0 });

        next = LLVMGetNextFunction(f);
        /* What LLVM itself has is no call: frexp of newer versions returns a structure. */
        if (LLVMIsDeclaration(f) && LLVMGetIntrinsicID(f) == 0 && ash_ir_of_library(name) &&
            differs(ir, f))
            convert(ir, f);
    }
}
