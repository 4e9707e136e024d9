/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTX of numbers longer than a register: add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi and so on.
 * The carry, or borrow, goes on to the next assembler statement, as programs have one in each
 * function; so it is a variable of the thread.  A device thread does not wait between the two.
 */
#include "ptx.h"

#include <string.h>

/* The variable is a byte, 0 or 1. */
static LLVMValueRef carry_variable(struct ptx *ptx)
{
    static const char name[] = "__anyshmem_ptx_carry";
    LLVMValueRef variable = LLVMGetNamedGlobal(ptx->ir->module, name);
    LLVMTypeRef byte = ash_ir_int(ptx->ir, 8);

    if (variable)
        return variable;
    variable = LLVMAddGlobal(ptx->ir->module, byte, name);
    LLVMSetInitializer(variable, LLVMConstNull(byte));
    LLVMSetThreadLocal(variable, true);
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    return variable;
}

/* An operand in twice its bits. */
static LLVMValueRef wide(struct ptx *ptx, const struct ptx_operand *operand, LLVMTypeRef type,
                         bool is_signed)
{
    LLVMTypeRef to = ash_ir_int(ptx->ir, 2 * LLVMGetIntTypeWidth(type));
    LLVMValueRef value = ptx_read(ptx, operand, type);

    return is_signed ? LLVMBuildSExt(ptx->ir->builder, value, to, "")
                     : LLVMBuildZExt(ptx->ir->builder, value, to, "");
}

/* The lower or the upper half of a product, in twice its bits. */
static LLVMValueRef product(struct ptx *ptx, const struct ptx_instruction *instruction,
                            LLVMTypeRef type)
{
    LLVMBuilderRef b = ptx->ir->builder;
    bool is_signed = ptx_last(instruction)[0] == 's';
    LLVMValueRef all = LLVMBuildMul(b, wide(ptx, &instruction->operands[1], type, is_signed),
                                    wide(ptx, &instruction->operands[2], type, is_signed), "");
    LLVMTypeRef twice = LLVMTypeOf(all);

    if (ptx_has(instruction, "hi"))
        all = LLVMBuildLShr(b, all, LLVMConstInt(twice, LLVMGetIntTypeWidth(type), false), "");
    return LLVMBuildZExt(b, LLVMBuildTrunc(b, all, type, ""), twice, "");
}

static void compute(struct ptx *ptx, const struct ptx_instruction *instruction, LLVMTypeRef type,
                    bool takes)
{
    bool mad = instruction->parts[0][0] == 'm', sub = instruction->parts[0][0] == 's';
    LLVMBuilderRef b = ptx->ir->builder;
    LLVMTypeRef byte = ash_ir_int(ptx->ir, 8);
    LLVMValueRef variable = carry_variable(ptx), sum, other, carry;

    sum = mad ? product(ptx, instruction, type)
              : wide(ptx, &instruction->operands[1], type, false);
    other = wide(ptx, &instruction->operands[mad ? 3 : 2], type, false);
    sum = sub ? LLVMBuildSub(b, sum, other, "") : LLVMBuildAdd(b, sum, other, "");
    if (takes) {
        carry = LLVMBuildZExt(b, LLVMBuildLoad2(b, byte, variable, ""), LLVMTypeOf(sum), "");
        sum = sub ? LLVMBuildSub(b, sum, carry, "") : LLVMBuildAdd(b, sum, carry, "");
    }
    ptx_write(ptx, instruction, instruction->operands[0].name,
              LLVMBuildTrunc(b, sum, type, ""));
    if (!ptx_has(instruction, "cc"))
        return;
    carry = LLVMBuildLShr(b, sum, LLVMConstInt(LLVMTypeOf(sum), LLVMGetIntTypeWidth(type), false),
                          "");
    carry = LLVMBuildAnd(b, LLVMBuildTrunc(b, carry, byte, ""), LLVMConstInt(byte, 1, false), "");
    LLVMBuildStore(b, carry, variable);
}

bool ptx_carry(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    static const char *const names[] = { "add", "sub", "mad", "addc", "subc", "madc" };
    LLVMTypeRef type;
    unsigned i;

    for (i = 0; i < 6 && strcmp(instruction->parts[0], names[i]) != 0; i++)
        ;
    if (i == 6 || (i < 3 && !ptx_has(instruction, "cc")))
        return false;
    type = ptx_type(ptx, ptx_last(instruction));
    if (!type || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || instruction->guard[0] ||
        instruction->n_operands != (i % 3 == 2 ? 4 : 3))
        ptx_fail(ptx, "has other operands than expected, or may not be guarded",
                 instruction->opcode);
    else
        compute(ptx, instruction, type, i >= 3);
    return true;
}
