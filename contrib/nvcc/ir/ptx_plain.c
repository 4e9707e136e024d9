/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTX that computes: mov, setp, selp, and, for all others, a function of ptx.h of
 * include/cuda/anyshmem with the opcode's name, dots as underscores.
 */
#include "ptx.h"

#include <stdio.h>
#include <string.h>

/* mov.b64 d, {a, b} and mov.b64 {a, b}, d: parts of a register. */
static void pack(struct ptx *ptx, const struct ptx_instruction *instruction, LLVMTypeRef type)
{
    const struct ptx_operand *from = &instruction->operands[1];
    unsigned bits = LLVMGetIntTypeWidth(type) / from->n_parts;
    LLVMValueRef value = LLVMConstNull(type);

    for (unsigned i = 0; i < from->n_parts; i++) {
        LLVMValueRef part = ptx_read_name(ptx, from->parts[i], ash_ir_int(ptx->ir, bits));

        part = LLVMBuildZExt(ptx->ir->builder, part, type, "");
        part = LLVMBuildShl(ptx->ir->builder, part, LLVMConstInt(type, i * bits, false), "");
        value = LLVMBuildOr(ptx->ir->builder, value, part, "");
    }
    ptx_write(ptx, instruction, instruction->operands[0].name, value);
}

static void unpack(struct ptx *ptx, const struct ptx_instruction *instruction, LLVMTypeRef type)
{
    const struct ptx_operand *to = &instruction->operands[0];
    unsigned bits = LLVMGetIntTypeWidth(type) / to->n_parts;
    LLVMValueRef value = ptx_read(ptx, &instruction->operands[1], type);

    for (unsigned i = 0; i < to->n_parts; i++) {
        LLVMValueRef part = LLVMBuildLShr(ptx->ir->builder, value,
                                          LLVMConstInt(type, i * bits, false), "");

        part = LLVMBuildTrunc(ptx->ir->builder, part, ash_ir_int(ptx->ir, bits), "");
        ptx_write(ptx, instruction, to->parts[i], part);
    }
}

static void mov(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    LLVMTypeRef type = ptx_type(ptx, ptx_last(instruction));

    if (!type || instruction->n_operands != 2)
        ptx_fail(ptx, "moves a type that the CPU does not know", instruction->opcode);
    else if (from->kind == PTX_VECTOR)
        pack(ptx, instruction, type);
    else if (to->kind == PTX_VECTOR)
        unpack(ptx, instruction, type);
    else
        ptx_write(ptx, instruction, to->name, ptx_read(ptx, from, type));
}

static bool predicate_of(const char *text, char kind, LLVMIntPredicate *ret_int,
                         LLVMRealPredicate *ret_real)
{
    static const struct {
        const char *name;
        LLVMIntPredicate of_signed, of_unsigned;
        LLVMRealPredicate real;
    } all[] = {
        { "eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ },
        { "ne", LLVMIntNE, LLVMIntNE, LLVMRealONE },
        { "lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT },
        { "le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE },
        { "gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT },
        { "ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE },
        { "lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT },
        { "ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE },
        { "hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT },
        { "hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE },
        { "equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ },
        { "neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE },
        { "nan", LLVMIntEQ, LLVMIntEQ, LLVMRealUNO },
        { "num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD },
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(all[i].name, text) == 0) {
            *ret_int = kind == 's' ? all[i].of_signed : all[i].of_unsigned;
            *ret_real = all[i].real;
            return true;
        }
    return false;
}

/* setp.lt.s32 p{|q}, a, b{, c}: with a third part .and, .or, .xor it is combined with c. */
static void setp(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const char *last = ptx_last(instruction);
    LLVMTypeRef type = ptx_type(ptx, last), bit = ash_ir_int(ptx->ir, 1);
    LLVMBuilderRef b = ptx->ir->builder;
    LLVMIntPredicate of_int;
    LLVMRealPredicate real;
    LLVMValueRef value, other, combined = NULL;

    if (!type || instruction->n_operands < 3 || instruction->n_parts < 3 ||
        !predicate_of(instruction->parts[1], last[0], &of_int, &real)) {
        ptx_fail(ptx, "compares what the CPU cannot", instruction->opcode);
        return;
    }
    value = ptx_read(ptx, &instruction->operands[1], type);
    other = ptx_read(ptx, &instruction->operands[2], type);
    value = last[0] == 'f' ? LLVMBuildFCmp(b, real, value, other, "")
                           : LLVMBuildICmp(b, of_int, value, other, "");
    other = LLVMBuildNot(b, value, "");
    if (instruction->n_operands > 3)
        combined = ptx_read(ptx, &instruction->operands[3], bit);
    for (int i = 0; combined && i < 2; i++) {
        LLVMValueRef *one = i ? &other : &value;

        *one = ptx_has(instruction, "and")  ? LLVMBuildAnd(b, *one, combined, "")
               : ptx_has(instruction, "or") ? LLVMBuildOr(b, *one, combined, "")
                                            : LLVMBuildXor(b, *one, combined, "");
    }
    ptx_write(ptx, instruction, instruction->operands[0].name, value);
    if (instruction->operands[0].second[0])
        ptx_write(ptx, instruction, instruction->operands[0].second, other);
}

static void selp(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    LLVMTypeRef type = ptx_type(ptx, ptx_last(instruction));
    LLVMValueRef part[3];

    if (!type || instruction->n_operands != 4) {
        ptx_fail(ptx, "selects a type that the CPU does not know", instruction->opcode);
        return;
    }
    for (int i = 0; i < 3; i++)
        part[i] = ptx_read(ptx, &instruction->operands[i + 1],
                           i == 2 ? ash_ir_int(ptx->ir, 1) : type);
    ptx_write(ptx, instruction, instruction->operands[0].name,
              LLVMBuildSelect(ptx->ir->builder, part[2], part[0], part[1], ""));
}

/* A function of ptx.h; of "add.rn.ftz.f32", words that a CPU need not know are left out. */
static LLVMValueRef function_of(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    char name[256] = "__anyshmem_ptx";
    size_t n = strlen(name);

    for (unsigned i = 0; i < instruction->n_parts; i++) {
        const char *part = instruction->parts[i];

        if (strcmp(part, "ftz") == 0 || strcmp(part, "approx") == 0 || strcmp(part, "rn") == 0 ||
            strcmp(part, "full") == 0 || strcmp(part, "uni") == 0)
            continue;
        n += (size_t)snprintf(name + n, sizeof(name) - n, "_%s", part);
        if (n >= sizeof(name))
            return NULL;
    }
    return ash_ir_support(ptx->ir, name);
}

static bool by_function(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    LLVMValueRef function = function_of(ptx, instruction), arguments[PTX_OPERANDS], value;
    unsigned n, first;

    if (!function)
        return false;
    n = LLVMCountParams(function);
    first = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) !=
            LLVMVoidTypeKind;
    if (instruction->n_operands != n + first || (instruction->guard[0] && !first)) {
        ptx_fail(ptx, "has other operands than expected, or may not be guarded",
                 instruction->opcode);
        return true;
    }
    for (unsigned i = 0; i < n; i++)
        arguments[i] = ptx_read(ptx, &instruction->operands[i + first],
                                LLVMTypeOf(LLVMGetParam(function, i)));
    value = ash_ir_call(ptx->ir, function, arguments, n);
    if (first)
        ptx_write(ptx, instruction, instruction->operands[0].name, value);
    return true;
}

/* What is advice to a GPU, and what converts addresses of its kinds of memory. */
static bool is_nothing(const char *name)
{
    static const char *const all[] = { "prefetch", "prefetchu", "discard", "applypriority",
                                       "griddepcontrol", "setmaxnreg", "pragma", "pmevent" };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(name, all[i]) == 0)
            return true;
    return false;
}

bool ptx_plain(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const char *name = instruction->parts[0];

    if (strcmp(name, "mov") == 0)
        mov(ptx, instruction);
    else if (strcmp(name, "cvta") == 0)
        ptx_write(ptx, instruction, instruction->operands[0].name,
                  ptx_read(ptx, &instruction->operands[1], ash_ir_int(ptx->ir, 64)));
    else if (strcmp(name, "setp") == 0)
        setp(ptx, instruction);
    else if (strcmp(name, "selp") == 0)
        selp(ptx, instruction);
    else if (is_nothing(name) || ptx_carry(ptx, instruction))
        return true;
    else
        return by_function(ptx, instruction);
    return true;
}
