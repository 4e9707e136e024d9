/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a loop waits for what it polls: whether a value that others may write, by a volatile or
 * atomic access, or by any if the loop has a fence, decides on one of its branches.  A loop of
 * compare-and-swap that tries again with what it has seen does not wait: one of those who try
 * always gets through.
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

/* Larger loops are taken for ones that wait. */
#define BLOCKS_MAX 2000u
#define VALUES_MAX 4000u

struct blocks {
    LLVMBasicBlockRef *all;
    unsigned n;
};

static bool has(const struct blocks *blocks, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < blocks->n; i++)
        if (blocks->all[i] == block)
            return true;
    return false;
}

/* All that can be reached from the block; itself only if a loop leads back. */
static void reach(LLVMBasicBlockRef from, struct blocks *blocks)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);

        if (has(blocks, next))
            continue;
        blocks->all[blocks->n++] = next;
        reach(next, blocks);
    }
}

static struct blocks reached_from(LLVMBasicBlockRef block)
{
    unsigned n = LLVMCountBasicBlocks(LLVMGetBasicBlockParent(block));
    struct blocks blocks = { ash_ir_alloc(n * sizeof(*blocks.all)), 0 };

    reach(block, &blocks);
    return blocks;
}

bool ash_ir_in_loop(LLVMBasicBlockRef block)
{
    struct blocks reached = reached_from(block);
    bool is = has(&reached, block);

    free(reached.all);
    return is;
}

bool ash_ir_in_same_loop(LLVMBasicBlockRef one, LLVMBasicBlockRef other)
{
    struct blocks from_one = reached_from(one), from_other = reached_from(other);
    bool are = has(&from_one, other) && has(&from_other, one);

    free(from_one.all);
    free(from_other.all);
    return are;
}

/* All loops that the block lies in: what it reaches, and what reaches it. */
static struct blocks loops_of(LLVMBasicBlockRef block)
{
    struct blocks reached = reached_from(block), loops = { reached.all, 0 };

    for (unsigned i = 0; i < reached.n; i++) {
        LLVMBasicBlockRef one = reached.all[i];
        struct blocks back = reached_from(one);

        if (has(&back, block))
            loops.all[loops.n++] = one;
        free(back.all);
    }
    return loops;
}

static bool any(const struct blocks *blocks, bool (*is)(LLVMValueRef instruction))
{
    for (unsigned i = 0; i < blocks->n; i++)
        ASH_EACH_INSTRUCTION(instruction, blocks->all[i])
            if (is(instruction))
                return true;
    return false;
}

bool ash_ir_loop_has(LLVMBasicBlockRef block, bool (*is)(LLVMValueRef instruction))
{
    struct blocks loops;
    bool has_one;

    if (LLVMCountBasicBlocks(LLVMGetBasicBlockParent(block)) > BLOCKS_MAX)
        return false;
    loops = loops_of(block);
    has_one = any(&loops, is);
    free(loops.all);
    return has_one;
}

bool ash_ir_is_fence(LLVMValueRef instruction)
{
    char *text;
    bool alone;

    if (!LLVMIsAFenceInst(instruction))
        return false;
    text = LLVMPrintValueToString(instruction);
    alone = strstr(text, "singlethread") != NULL;
    LLVMDisposeMessage(text);
    return !alone;
}

/* Values that a condition depends on. */
struct slice {
    const struct blocks *loops;
    bool has_fence;
    LLVMValueRef *values;
    unsigned n;
    bool depends;
};

static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsACastInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

/* What the exchange has seen; where it succeeded that is what it expected. */
static bool is_seen(LLVMValueRef value, LLVMValueRef exchange)
{
    value = without_casts(value);
    if (LLVMIsASelectInst(value))
        return is_seen(LLVMGetOperand(value, 1), exchange) ||
               is_seen(LLVMGetOperand(value, 2), exchange);
    return LLVMIsAExtractValueInst(value) && LLVMGetOperand(value, 0) == exchange;
}

/* What the loop has seen is what it expects the next time. */
static bool tries_again(LLVMValueRef exchange)
{
    LLVMValueRef expected = without_casts(LLVMGetOperand(exchange, 1));

    if (!LLVMIsAPHINode(expected))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(expected); i++)
        if (is_seen(LLVMGetIncomingValue(expected, i), exchange))
            return true;
    return false;
}

static bool is_local(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) != NULL;
}

/* What it returns is always the same for a thread. */
static bool is_constant(const char *function)
{
    static const char *const names[] = { "anyshmem_this_thread", "anyshmem_shared",
                                         "ash_kernel_shared", "ash_kernel_lane" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(function, names[i]) == 0)
            return true;
    return ash_ir_begins(function, "llvm.") || ash_ir_of_c_library(function);
}

/* A value that others write; or one of which nothing is known. */
static bool is_others(const struct slice *slice, LLVMValueRef value)
{
    LLVMValueRef callee;

    if (LLVMIsALoadInst(value))
        return slice->has_fence || LLVMGetVolatile(value) || is_local(LLVMGetOperand(value, 0)) ||
               LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    if (LLVMIsAAtomicCmpXchgInst(value))
        return !tries_again(value);
    if (LLVMIsAAtomicRMWInst(value))
        return true;
    if (!LLVMIsACallInst(value))
        return false;
    callee = LLVMGetCalledValue(value);
    return !LLVMIsAFunction(callee) ||
           !is_constant(LLVMGetValueName2(callee, &(size_t){ 0 }));
}

static void follow(struct slice *slice, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || slice->depends ||
        !has(slice->loops, LLVMGetInstructionParent(value)))
        return;
    for (unsigned i = 0; i < slice->n; i++)
        if (slice->values[i] == value)
            return;
    slice->depends = slice->n == VALUES_MAX || is_others(slice, value);
    if (slice->depends)
        return;
    slice->values[slice->n++] = value;
    if (LLVMIsAAtomicCmpXchgInst(value))
        return;
    if (LLVMIsAPHINode(value))
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            follow(slice, LLVMGetIncomingValue(value, i));
    else
        for (int i = 0; i < LLVMGetNumOperands(value); i++)
            follow(slice, LLVMGetOperand(value, (unsigned)i));
}

bool ash_ir_loop_waits(LLVMBasicBlockRef block)
{
    struct blocks loops;
    struct slice slice = { .loops = &loops };

    if (!ash_ir_in_loop(block))
        return false;
    if (LLVMCountBasicBlocks(LLVMGetBasicBlockParent(block)) > BLOCKS_MAX)
        return true;
    loops = loops_of(block);
    slice.has_fence = any(&loops, ash_ir_is_fence);
    slice.values = ash_ir_alloc(VALUES_MAX * sizeof(*slice.values));
    for (unsigned i = 0; i < loops.n && !slice.depends; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(loops.all[i]);

        if (LLVMIsASwitchInst(end) || (LLVMIsABranchInst(end) && LLVMIsConditional(end)))
            follow(&slice, LLVMGetOperand(end, 0));
    }
    free(slice.values);
    free(loops.all);
    return slice.depends;
}
