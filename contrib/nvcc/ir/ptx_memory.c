/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTX that reads and writes memory: ld, st, atom, red, fence, membar.
 */
#include "ptx.h"

#include <stdio.h>
#include <string.h>

static LLVMAtomicOrdering ordering(const struct ptx_instruction *instruction,
                                   LLVMAtomicOrdering otherwise)
{
    if (ptx_has(instruction, "acq_rel"))
        return LLVMAtomicOrderingAcquireRelease;
    if (ptx_has(instruction, "acquire"))
        return LLVMAtomicOrderingAcquire;
    if (ptx_has(instruction, "release"))
        return LLVMAtomicOrderingRelease;
    if (ptx_has(instruction, "relaxed") || ptx_has(instruction, "mmio"))
        return LLVMAtomicOrderingMonotonic;
    if (ptx_has(instruction, "sc"))
        return LLVMAtomicOrderingSequentiallyConsistent;
    return otherwise;
}

static LLVMTypeRef moved_type(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const char *last = ptx_last(instruction);
    LLVMTypeRef type = ptx_type(ptx, last);

    if (!type && (strcmp(last, "f16") == 0 || strcmp(last, "bf16") == 0))
        return ash_ir_int(ptx->ir, 16);
    if (!type) {
        ptx_fail(ptx, "has a type that the CPU cannot move", instruction->opcode);
        return ash_ir_int(ptx->ir, 32);
    }
    return ash_ir_int(ptx->ir, (unsigned)LLVMSizeOfTypeInBits(ptx->ir->layout, type));
}

/* 16 bytes at once: a vector's move is one access where an integer's would be a call. */
static LLVMTypeRef memory_type(struct ash_ir *ir, LLVMTypeRef type)
{
    return LLVMGetIntTypeWidth(type) == 128 ? LLVMVectorType(ash_ir_int(ir, 64), 2) : type;
}

/* A load or store as the opcode says; numbers of all kinds move as integers. */
static void set_semantics(struct ash_ir *ir, const struct ptx_instruction *instruction,
                          LLVMValueRef access, bool is_load)
{
    LLVMAtomicOrdering order = ordering(instruction, LLVMAtomicOrderingNotAtomic);
    LLVMTypeRef type = LLVMTypeOf(is_load ? access : LLVMGetOperand(access, 0));
    bool is_wide = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    LLVMSetAlignment(access, (unsigned)LLVMABISizeOfType(ir->layout, type));
    if (is_wide || ptx_has(instruction, "volatile") || ptx_has(instruction, "cv") ||
        ptx_has(instruction, "mmio"))
        LLVMSetVolatile(access, true);
    if (order == LLVMAtomicOrderingNotAtomic)
        return;
    if (!is_wide)
        LLVMSetOrdering(access, order);
    else if (order != LLVMAtomicOrderingMonotonic) {
        /* A vector has no order of its own: a fence behind a load, and before a store. */
        (void)LLVMBuildFence(ir->builder, order, false, "");
        if (!is_load) {
            LLVMInstructionRemoveFromParent(access);
            LLVMInsertIntoBuilder(ir->builder, access);
        }
    }
}

/* ld.v2.u32 {a, b}, [p]; st likewise: one part after the other. */
static void move(struct ptx *ptx, const struct ptx_instruction *instruction, bool is_load)
{
    struct ash_ir *ir = ptx->ir;
    LLVMTypeRef type = moved_type(ptx, instruction);
    unsigned nbytes = LLVMGetIntTypeWidth(type) / 8;
    const struct ptx_operand *data = &instruction->operands[is_load ? 0 : 1];
    struct ptx_operand memory = instruction->operands[is_load ? 1 : 0];
    unsigned n = data->kind == PTX_VECTOR ? data->n_parts : 1;
    bool is_signed = ptx_last(instruction)[0] == 's';

    if (instruction->n_operands < 2) {
        ptx_fail(ptx, "needs two operands", instruction->opcode);
        return;
    }
    for (unsigned i = 0; i < n && !ptx->failed; i++, memory.number += nbytes) {
        const char *name = data->kind == PTX_VECTOR ? data->parts[i] : data->name;
        LLVMTypeRef at_once = memory_type(ir, type);
        LLVMValueRef address = ptx_address(ptx, instruction, &memory, at_once), access;

        if (is_load) {
            access = LLVMBuildLoad2(ir->builder, at_once, address, "");
            set_semantics(ir, instruction, access, true);
            access = LLVMBuildBitCast(ir->builder, access, type, "");
            /* A register may be wider than what is loaded. */
            if (is_signed && nbytes < 4)
                access = LLVMBuildSExt(ir->builder, access, ash_ir_int(ir, 32), "");
            ptx_write(ptx, instruction, name, access);
        } else {
            LLVMValueRef value = data->kind == PTX_VECTOR ? ptx_read_name(ptx, name, type)
                                                          : ptx_read(ptx, data, type);
            value = LLVMBuildBitCast(ir->builder, value, at_once, "");
            access = LLVMBuildStore(ir->builder, value, address);
            set_semantics(ir, instruction, access, false);
        }
    }
}

static bool atomic_op(const struct ptx_instruction *instruction, LLVMAtomicRMWBinOp *ret_op)
{
    char kind = ptx_last(instruction)[0];

    if (ptx_has(instruction, "add"))
        *ret_op = kind == 'f' ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    else if (ptx_has(instruction, "exch"))
        *ret_op = LLVMAtomicRMWBinOpXchg;
    else if (ptx_has(instruction, "and"))
        *ret_op = LLVMAtomicRMWBinOpAnd;
    else if (ptx_has(instruction, "or"))
        *ret_op = LLVMAtomicRMWBinOpOr;
    else if (ptx_has(instruction, "xor"))
        *ret_op = LLVMAtomicRMWBinOpXor;
    else if (ptx_has(instruction, "min"))
        *ret_op = kind == 's' ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    else if (ptx_has(instruction, "max"))
        *ret_op = kind == 's' ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    else
        return false;
    return true;
}

/* atom.inc and atom.dec wrap at a limit. */
static LLVMValueRef count(struct ptx *ptx, const struct ptx_instruction *instruction,
                          LLVMValueRef address, const struct ptx_operand *limit)
{
    LLVMValueRef arguments[2] = { address, ptx_read(ptx, limit, ash_ir_int(ptx->ir, 32)) };
    const char *name = ptx_has(instruction, "inc") ? "__anyshmem_nvvm_atomic_load_inc_32"
                                                   : "__anyshmem_nvvm_atomic_load_dec_32";

    return ash_ir_call(ptx->ir, ash_ir_support(ptx->ir, name), arguments, 2);
}

static LLVMValueRef compare_and_swap(struct ptx *ptx, const struct ptx_operand *operands,
                                     LLVMValueRef address, LLVMTypeRef type,
                                     LLVMAtomicOrdering order)
{
    LLVMAtomicOrdering failed = order == LLVMAtomicOrderingAcquire ||
                                        order == LLVMAtomicOrderingAcquireRelease
                                    ? LLVMAtomicOrderingAcquire
                                    : LLVMAtomicOrderingMonotonic;
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(
        ptx->ir->builder, address, ptx_read(ptx, &operands[0], type),
        ptx_read(ptx, &operands[1], type), order, failed, false);

    return LLVMBuildExtractValue(ptx->ir->builder, pair, 0, "");
}

/* atom d, [p], a{, b}; red [p], a. */
static void atomic(struct ptx *ptx, const struct ptx_instruction *instruction, bool has_result)
{
    LLVMTypeRef type = ptx_type(ptx, ptx_last(instruction));
    const struct ptx_operand *operands = &instruction->operands[has_result];
    LLVMAtomicOrdering order = ordering(instruction, LLVMAtomicOrderingMonotonic);
    LLVMAtomicRMWBinOp op;
    LLVMValueRef address, value;

    if (!type || instruction->n_operands < 2 + (unsigned)has_result) {
        ptx_fail(ptx, "has a type that is not atomic here", instruction->opcode);
        return;
    }
    if (!atomic_op(instruction, &op) || op != LLVMAtomicRMWBinOpFAdd)
        type = moved_type(ptx, instruction);
    address = ptx_address(ptx, instruction, &operands[0], type);
    if (ptx_has(instruction, "cas"))
        value = compare_and_swap(ptx, &operands[1], address, type, order);
    else if (ptx_has(instruction, "inc") || ptx_has(instruction, "dec"))
        value = count(ptx, instruction, address, &operands[1]);
    else if (atomic_op(instruction, &op))
        value = LLVMBuildAtomicRMW(ptx->ir->builder, op, address,
                                   ptx_read(ptx, &operands[1], type), order, false);
    else {
        ptx_fail(ptx, "is no atomic operation of the CPU", instruction->opcode);
        return;
    }
    if (has_result)
        ptx_write(ptx, instruction, instruction->operands[0].name, value);
}

/*
 * cp.async [shared], [global], n {, m}: the first m of n bytes, and zeros behind them.  Done at
 * once, so that a group of copies has nothing to commit and nothing to wait for.
 */
static bool copy_async(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    struct ash_ir *ir = ptx->ir;
    LLVMTypeRef byte = ash_ir_int(ir, 8), half = ash_ir_int(ir, 32), word = ash_ir_int(ir, 64);
    const struct ptx_operand *operands = instruction->operands;
    LLVMValueRef to, from, nbytes;

    if (!ptx_has(instruction, "async") || ptx_has(instruction, "bulk") ||
        ptx_has(instruction, "mbarrier"))
        return false;
    if (ptx_has(instruction, "commit_group") || ptx_has(instruction, "wait_group") ||
        ptx_has(instruction, "wait_all"))
        return true;
    if (instruction->n_operands < 3) {
        ptx_fail(ptx, "needs three operands", instruction->opcode);
        return true;
    }
    to = ptx_address(ptx, instruction, &operands[0], byte);
    from = ptx_address(ptx, instruction, &operands[1], byte);
    nbytes = LLVMBuildZExt(ir->builder, ptx_read(ptx, &operands[2], half), word, "");
    if (instruction->n_operands > 3) {
        LLVMBuildMemSet(ir->builder, to, LLVMConstInt(byte, 0, false), nbytes, 1);
        nbytes = LLVMBuildZExt(ir->builder, ptx_read(ptx, &operands[3], half), word, "");
    }
    LLVMBuildMemCpy(ir->builder, to, 1, from, 1, nbytes);
    return true;
}

bool ptx_memory(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const char *name = instruction->parts[0];

    if (strcmp(name, "ld") == 0 || strcmp(name, "ldu") == 0)
        move(ptx, instruction, true);
    else if (strcmp(name, "st") == 0)
        move(ptx, instruction, false);
    else if (strcmp(name, "atom") == 0)
        atomic(ptx, instruction, true);
    else if (strcmp(name, "red") == 0)
        atomic(ptx, instruction, false);
    else if (strcmp(name, "cp") == 0)
        return copy_async(ptx, instruction);
    else if (strcmp(name, "fence") == 0 || strcmp(name, "membar") == 0)
        LLVMBuildFence(ptx->ir->builder,
                       ptx_has(instruction, "acq_rel") ? LLVMAtomicOrderingAcquireRelease
                                                       : LLVMAtomicOrderingSequentiallyConsistent,
                       false, "");
    else
        return false;
    return true;
}
