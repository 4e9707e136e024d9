/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTX between the lanes of a warp and the threads of a block.
 */
#include "ptx.h"

#include <string.h>

/* A call of a function of nvvm.h with the operands from `first` on, as words of 32 bits. */
static LLVMValueRef call(struct ptx *ptx, const struct ptx_instruction *instruction,
                         const char *name, const unsigned *order, unsigned n)
{
    LLVMValueRef function = ash_ir_support(ptx->ir, name), arguments[PTX_OPERANDS];

    for (unsigned i = 0; i < n; i++) {
        if (order[i] >= instruction->n_operands) {
            ptx_fail(ptx, "lacks an operand", instruction->opcode);
            return LLVMGetUndef(ash_ir_int(ptx->ir, 32));
        }
        arguments[i] = ptx_read(ptx, &instruction->operands[order[i]],
                                LLVMTypeOf(LLVMGetParam(function, i)));
    }
    return ash_ir_call(ptx->ir, function, arguments, n);
}

/* shfl.sync.MODE.b32 d|p, a, b, c, mask */
static void shuffle(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    struct ash_ir *ir = ptx->ir;
    LLVMTypeRef word = ash_ir_int(ir, 32);
    LLVMValueRef function = ash_ir_support(ir, "__anyshmem_shuffle"), arguments[6], value;
    static const char *const modes[] = { "idx", "up", "down", "bfly" };
    unsigned mode = 0;

    while (mode < 4 && !ptx_has(instruction, modes[mode]))
        mode++;
    if (mode == 4 || instruction->n_operands != 5) {
        ptx_fail(ptx, "is no shuffle", instruction->opcode);
        return;
    }
    ash_ir_at_entry(ir, LLVMGetBasicBlockParent(LLVMGetInstructionParent(ptx->call)));
    arguments[5] = LLVMBuildAlloca(ir->builder, word, "");
    ash_ir_before(ir, ptx->call);
    arguments[0] = ptx_read(ptx, &instruction->operands[4], word);
    arguments[1] = ptx_read(ptx, &instruction->operands[1], word);
    arguments[2] = LLVMConstInt(word, mode, false);
    arguments[3] = ptx_read(ptx, &instruction->operands[2], word);
    arguments[4] = ptx_read(ptx, &instruction->operands[3], word);
    value = ash_ir_convert(ir, ash_ir_call(ir, function, arguments, 6), word);
    ptx_write(ptx, instruction, instruction->operands[0].name, value);
    if (instruction->operands[0].second[0])
        ptx_write(ptx, instruction, instruction->operands[0].second,
                  LLVMBuildICmp(ir->builder, LLVMIntNE,
                                LLVMBuildLoad2(ir->builder, word, arguments[5], ""),
                                LLVMConstInt(word, 0, false), ""));
}

/* Instructions that are a function of nvvm.h, and which operand is which argument. */
static const struct {
    const char *name, *function;
    const char *part; /* a part of the opcode, or NULL */
    bool has_result;
    unsigned n, order[3];
} all[] = {
    { "vote", "__anyshmem_nvvm_vote_ballot_sync", "ballot", true, 2, { 2, 1 } },
    { "vote", "__anyshmem_nvvm_vote_all_sync", "all", true, 2, { 2, 1 } },
    { "vote", "__anyshmem_nvvm_vote_any_sync", "any", true, 2, { 2, 1 } },
    { "vote", "__anyshmem_nvvm_vote_uni_sync", "uni", true, 2, { 2, 1 } },
    { "match", "__anyshmem_nvvm_match_any_sync_i32", "b32", true, 2, { 2, 1 } },
    { "match", "__anyshmem_nvvm_match_any_sync_i64", "b64", true, 2, { 2, 1 } },
    { "activemask", "__anyshmem_nvvm_activemask", NULL, true, 0, { 0 } },
    { "nanosleep", "__anyshmem_nvvm_nanosleep", NULL, false, 1, { 0 } },
    { "trap", "__anyshmem_nvvm_trap", NULL, false, 0, { 0 } },
    { "exit", "__anyshmem_nvvm_exit", NULL, false, 0, { 0 } },
    { "redux", "__anyshmem_nvvm_redux_sync_add", "add", true, 2, { 1, 2 } },
    { "redux", "__anyshmem_nvvm_redux_sync_and", "and", true, 2, { 1, 2 } },
    { "redux", "__anyshmem_nvvm_redux_sync_or", "or", true, 2, { 1, 2 } },
    { "redux", "__anyshmem_nvvm_redux_sync_xor", "xor", true, 2, { 1, 2 } },
};

static bool from_table(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (strcmp(all[i].name, instruction->parts[0]) != 0 ||
            (all[i].part && !ptx_has(instruction, all[i].part)))
            continue;
        LLVMValueRef value =
            call(ptx, instruction, all[i].function, all[i].order, all[i].n);
        if (all[i].has_result)
            ptx_write(ptx, instruction, instruction->operands[0].name, value);
        return true;
    }
    return false;
}

static bool is_no_barrier(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *number = &instruction->operands[0];

    return instruction->n_operands && number->kind == PTX_NUMBER && number->number > 15;
}

/* bar.sync 0; barrier.sync id, n; bar.warp.sync mask; bar.red is not known. */
static bool barrier(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    static const unsigned order[] = { 0, 1 };

    if (!ptx_has(instruction, "sync"))
        return false;
    if (!ptx_has(instruction, "warp") && is_no_barrier(instruction))
        ptx_fail(ptx, "names a barrier that there is not: a block has 0 to 15",
                 instruction->opcode);
    else if (ptx_has(instruction, "warp"))
        call(ptx, instruction, "__anyshmem_nvvm_bar_warp_sync", order, 1);
    else if (instruction->n_operands == 2)
        call(ptx, instruction, "__anyshmem_nvvm_barrier_sync_cnt", order, 2);
    else
        call(ptx, instruction, "__anyshmem_nvvm_barrier_sync", order, 1);
    return true;
}

bool ptx_warp(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    const char *name = instruction->parts[0];

    if (instruction->guard[0] && strcmp(name, "shfl") != 0)
        return false;
    if (strcmp(name, "bar") == 0 || strcmp(name, "barrier") == 0)
        return barrier(ptx, instruction);
    if (strcmp(name, "shfl") == 0)
        shuffle(ptx, instruction);
    else
        return from_table(ptx, instruction);
    return true;
}
