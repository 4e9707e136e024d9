/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables that live across a barrier are fields of the thread's frame.  A field lies beside
 * the same field of the other threads, so that a loop over threads can load several at once.
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

#define LINE 64u

enum { NOTHING, LOADS, STORES };

/* All blocks, ordered by address; what each does first with the variable; whether a search from
 * the barriers has come to it. */
struct blocks {
    LLVMBasicBlockRef *all;
    unsigned n;
    unsigned char *first;
    bool *seen;
};

static int compare(const void *left, const void *right)
{
    const LLVMBasicBlockRef *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

static unsigned number_of(const struct blocks *blocks, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef *found =
        bsearch(&block, blocks->all, blocks->n, sizeof(*blocks->all), compare);

    return (unsigned)(found - blocks->all);
}

static void blocks_begin(struct blocks *blocks, LLVMValueRef function)
{
    blocks->n = LLVMCountBasicBlocks(function);
    blocks->all = ash_ir_alloc(blocks->n * sizeof(*blocks->all));
    blocks->first = ash_ir_alloc(blocks->n);
    blocks->seen = ash_ir_alloc(blocks->n * sizeof(*blocks->seen));
    LLVMGetBasicBlocks(function, blocks->all);
    qsort(blocks->all, blocks->n, sizeof(*blocks->all), compare);
}

static void blocks_end(struct blocks *blocks)
{
    free(blocks->all);
    free(blocks->first);
    free(blocks->seen);
}

bool ash_step_is_simple(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);

    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsALoadInst(user) && LLVMTypeOf(user) == type)
            continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable &&
            LLVMTypeOf(LLVMGetOperand(user, 0)) == type)
            continue;
        return false;
    }
    return true;
}

static unsigned char first_use(LLVMBasicBlockRef block, LLVMValueRef variable)
{
    ASH_EACH_INSTRUCTION(i, block)
    {
        if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == variable)
            return LOADS;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)
            return STORES;
    }
    return NOTHING;
}

/* A search from behind each barrier that stops where the variable is stored.  What is behind a
 * further barrier is searched anyway. */
static bool is_loaded_from(struct blocks *blocks, LLVMBasicBlockRef block)
{
    unsigned number = number_of(blocks, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (blocks->seen[number] || blocks->first[number] != NOTHING)
        return !blocks->seen[number] && blocks->first[number] == LOADS;
    blocks->seen[number] = true;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (is_loaded_from(blocks, LLVMGetSuccessor(end, i)))
            return true;
    return false;
}

static bool is_live(struct blocks *blocks, const struct ash_step *step, LLVMValueRef variable)
{
    if (!ash_step_is_simple(variable))
        return true;
    memset(blocks->first, NOTHING, blocks->n);
    memset(blocks->seen, 0, blocks->n * sizeof(*blocks->seen));
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));

        blocks->first[number_of(blocks, block)] = first_use(block, variable);
    }
    for (unsigned i = 0; i < step->n_barriers; i++)
        if (is_loaded_from(blocks, step->behind[i]))
            return true;
    return false;
}

bool ash_step_lives(struct ash_step *step, LLVMValueRef variable)
{
    struct blocks blocks;
    bool lives;

    blocks_begin(&blocks, step->function);
    lives = is_live(&blocks, step, variable);
    blocks_end(&blocks);
    return lives;
}

static bool is_uniform(const struct ash_step *step, LLVMValueRef variable)
{
    for (unsigned i = 0; i < step->n_uniforms; i++)
        if (step->uniforms[i].variable == variable)
            return true;
    return false;
}

static unsigned long long rounded(unsigned long long n, unsigned long long to)
{
    return (n + to - 1) / to * to;
}

/* A line more: arrays of 4,096 bytes beside each other would share sets of the cache. */
unsigned long long ash_step_reserve(struct ash_step *step, unsigned long long nbytes,
                                    unsigned alignment)
{
    unsigned long long at =
        rounded(step->frames_nbytes, alignment > LINE ? alignment : LINE);

    step->frames_nbytes = at + nbytes * ASH_LOOP_THREADS + LINE;
    return at;
}

/* frames + at + number * stride, in place of the alloca. */
static void to_field(struct ash_ir *ir, struct ash_step *step, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable), size = ash_ir_int(ir, 64);
    unsigned alignment = LLVMGetAlignment(variable);
    unsigned natural = LLVMABIAlignmentOfType(ir->layout, type);
    unsigned long long n = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)), stride, at;
    LLVMValueRef offset, field;

    alignment = alignment > natural ? alignment : natural;
    stride = rounded(n * LLVMABISizeOfType(ir->layout, type), alignment);
    at = ash_step_reserve(step, stride, alignment);
    LLVMPositionBuilderBefore(ir->builder, variable);
    offset = LLVMBuildNSWMul(ir->builder, ash_step_extra(step, ASH_STEP_NUMBER),
                             LLVMConstInt(size, stride, false), "");
    offset = LLVMBuildNSWAdd(ir->builder, offset, LLVMConstInt(size, at, false), "");
    field = LLVMBuildInBoundsGEP2(ir->builder, ash_ir_int(ir, 8),
                                  ash_step_extra(step, ASH_STEP_FRAMES), &offset, 1, "");
    field = ash_ir_convert(ir, field, LLVMTypeOf(variable));
    LLVMReplaceAllUsesWith(variable, field);
    LLVMInstructionEraseFromParent(variable);
}

void ash_step_frames(struct ash_ir *ir, struct ash_step *step)
{
    struct blocks blocks;

    if (step->n_barriers == 0)
        return;
    blocks_begin(&blocks, step->function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(step->entry), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i) && !is_uniform(step, i) && is_live(&blocks, step, i))
            to_field(ir, step, i);
    }
    blocks_end(&blocks);
}
