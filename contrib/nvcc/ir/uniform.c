/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables that should be the same in all threads of a block, as the counter of a loop that has
 * barriers in it: K.step has them as parameters, so that a loop over threads knows that they stay.
 * Whether they are the same is seen where it matters, when all threads have come to a barrier;
 * where they are not, each thread has its own, in its frame.
 */
#include <stdlib.h>

#include "loop.h"

#define DEPTH 30

struct set {
    struct ash_step *step;
    LLVMValueRef *variables;
    bool *is;
    size_t n;
};

static bool is_in(const struct set *set, LLVMValueRef variable)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->variables[i] == variable)
            return set->is[i];
    return false;
}

static bool is_uniform_parameter(const struct ash_step *step, LLVMValueRef value)
{
    for (unsigned i = 0; i < step->n_args; i++)
        if (value == LLVMGetParam(step->function, i))
            return true;
    for (unsigned i = ASH_STEP_WHERE + 3; i < ASH_STEP_NUMBER; i++)
        if (value == ash_step_extra(step, i))
            return true;
    return false;
}

static bool is_uniform(const struct set *set, LLVMValueRef value, int depth)
{
    if (!LLVMIsAInstruction(value))
        return LLVMIsAConstant(value) || is_uniform_parameter(set->step, value);
    if (LLVMIsALoadInst(value) && is_in(set, LLVMGetOperand(value, 0)))
        return true;
    if (depth == DEPTH || !ash_step_is_pure(set->step, value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_uniform(set, LLVMGetOperand(value, (unsigned)i), depth + 1))
            return false;
    return true;
}

static bool has_uniform_values(const struct set *set, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAStoreInst(user) && !is_uniform(set, LLVMGetOperand(user, 0), 0))
            return false;
    }
    return true;
}

static bool is_candidate(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) && ash_step_is_simple(i) &&
           LLVMGetTypeKind(LLVMGetAllocatedType(i)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetAllocatedType(i)) <= 64 &&
           LLVMGetIntTypeWidth(LLVMGetAllocatedType(i)) % 8 == 0;
}

/* All are taken for the same, until one is stored that is not. */
static struct set find(struct ash_step *step)
{
    struct set set = { .step = step };
    bool again = true;

    set.variables = ash_step_collect(step, is_candidate, &set.n);
    set.is = ash_ir_alloc(set.n * sizeof(*set.is));
    for (size_t i = 0; i < set.n; i++)
        set.is[i] = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < set.n; i++) {
            if (!set.is[i] || has_uniform_values(&set, set.variables[i]))
                continue;
            set.is[i] = false;
            again = true;
        }
    }
    return set;
}

/* A thread that ends has what it was given. */
static void tell(struct ash_ir *ir, struct ash_step *step, LLVMValueRef end, unsigned number)
{
    const struct ash_uniform *uniform = &step->uniforms[number];
    LLVMValueRef value = ash_step_extra(step, ASH_STEP_UNIFORM + number);

    LLVMPositionBuilderBefore(ir->builder, end);
    value = ash_ir_convert(ir, value, uniform->type);
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(end, 0)) != 0) {
        value = LLVMBuildLoad2(ir->builder, uniform->type, uniform->variable, "");
        LLVMBuildStore(ir->builder, value,
                       ash_step_field(ir, ash_step_extra(step, ASH_STEP_FRAMES),
                                      ash_step_extra(step, ASH_STEP_NUMBER), uniform));
    }
    LLVMBuildStore(ir->builder, value,
                   ash_step_out(ir, ash_step_extra(step, ASH_STEP_OUT), step, number));
}

static bool is_return(LLVMValueRef instruction)
{
    return LLVMIsAReturnInst(instruction) != NULL;
}

static void transform(struct ash_ir *ir, struct ash_step *step, unsigned number)
{
    const struct ash_uniform *uniform = &step->uniforms[number];
    LLVMValueRef value;
    size_t n;
    LLVMValueRef *ends = ash_step_collect(step, is_return, &n);

    for (size_t i = 0; i < n; i++)
        tell(ir, step, ends[i], number);
    free(ends);
    LLVMPositionBuilderBefore(ir->builder, LLVMGetBasicBlockTerminator(step->entry));
    value = ash_step_extra(step, ASH_STEP_UNIFORM + number);
    LLVMBuildStore(ir->builder, ash_ir_convert(ir, value, uniform->type), uniform->variable);
}

void ash_step_uniforms(struct ash_ir *ir, struct ash_step *step)
{
    struct set set;

    if (step->n_barriers == 0)
        return;
    set = find(step);
    for (size_t i = 0; i < set.n && step->n_uniforms < ASH_UNIFORMS; i++) {
        if (!set.is[i] || !ash_step_lives(step, set.variables[i]))
            continue;
        LLVMTypeRef type = LLVMGetAllocatedType(set.variables[i]);
        step->uniforms[step->n_uniforms++] = (struct ash_uniform){
            set.variables[i], type,
            ash_step_reserve(step, LLVMGetIntTypeWidth(type) / 8, sizeof(uint64_t))
        };
    }
    for (unsigned i = 0; i < step->n_uniforms; i++)
        transform(ir, step, i);
    free(set.variables);
    free(set.is);
}
