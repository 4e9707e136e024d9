/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -fsanitize=host-memory: before each access of a kernel to memory that may be anybody's, a
 * call by which the runtime (lib/cudart/check.c) finds out whether a GPU would have it.
 */
#include "ir.h"

#include <string.h>

enum { READ, WRITE };

/* What the pointer was made of. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
    for (;;) {
        LLVMOpcode opcode = LLVMIsAInstruction(pointer) ? LLVMGetInstructionOpcode(pointer)
                            : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                                           : (LLVMOpcode)0;

        if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

/* A local variable, one of the device or of the block, or an argument by value. */
static bool is_of_device(LLVMValueRef pointer)
{
    LLVMValueRef base = base_of(pointer), callee;
    const char *name;

    if (LLVMIsAAllocaInst(base) || LLVMIsAGlobalValue(base))
        return true;
    if (LLVMIsAArgument(base)) {
        LLVMValueRef function = LLVMGetParamParent(base);
        unsigned i = 0, kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));

        while (LLVMGetParam(function, i) != base)
            i++;
        return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
    }
    callee = LLVMIsACallInst(base) ? LLVMGetCalledValue(base) : NULL;
    if (!callee || !LLVMIsAFunction(callee))
        return false;
    name = LLVMGetValueName2(callee, &(size_t){ 0 });
    return strcmp(name, "ash_kernel_shared") == 0 || strcmp(name, "anyshmem_shared") == 0 ||
           strcmp(name, "anyshmem_this_thread") == 0;
}

static void check(struct ash_ir *ir, LLVMValueRef access, LLVMValueRef pointer,
                  LLVMValueRef nbytes, int kind)
{
    LLVMTypeRef types[3] = { ash_ir_pointer(ir), ash_ir_int(ir, 64), ash_ir_int(ir, 32) };
    LLVMTypeRef none = LLVMVoidTypeInContext(ir->context);
    LLVMValueRef function =
        ash_ir_function(ir, "ash_cuda_check", LLVMFunctionType(none, types, 3, false));
    LLVMValueRef arguments[3] = { pointer, nbytes,
                                  LLVMConstInt(types[2], (unsigned)kind, false) };

    if (is_of_device(pointer))
        return;
    ash_ir_before(ir, access);
    ash_ir_call(ir, function, arguments, 3);
}

static LLVMValueRef size_of(struct ash_ir *ir, LLVMTypeRef type)
{
    return LLVMConstInt(ash_ir_int(ir, 64), LLVMStoreSizeOfType(ir->layout, type), false);
}

/* llvm.memcpy, memmove, memset. */
static void check_copy(struct ash_ir *ir, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &(size_t){ 0 }) : "";
    bool copies = ash_ir_begins(name, "llvm.memcpy.") || ash_ir_begins(name, "llvm.memmove.");

    if (!copies && !ash_ir_begins(name, "llvm.memset."))
        return;
    check(ir, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), WRITE);
    if (copies)
        check(ir, call, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), READ);
}

static void visit(struct ash_ir *ir, LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        check(ir, i, LLVMGetOperand(i, 0), size_of(ir, LLVMTypeOf(i)), READ);
    else if (LLVMIsAStoreInst(i))
        check(ir, i, LLVMGetOperand(i, 1), size_of(ir, LLVMTypeOf(LLVMGetOperand(i, 0))), WRITE);
    else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        check(ir, i, LLVMGetOperand(i, 0), size_of(ir, LLVMTypeOf(LLVMGetOperand(i, 1))), WRITE);
    else if (LLVMIsACallInst(i))
        check_copy(ir, i);
}

/* What kernels allocate is device memory. */
static void rename_allocation(struct ash_ir *ir, const char *name, const char *other)
{
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, name);

    if (function && LLVMIsDeclaration(function))
        LLVMSetValueName2(function, other, strlen(other));
}

void ash_ir_checks(struct ash_ir *ir)
{
    if (!ir->check_memory)
        return;
    ash_ir_each(ir, visit);
    rename_allocation(ir, "malloc", "ash_cuda_malloc");
    rename_allocation(ir, "free", "ash_cuda_free");
}
