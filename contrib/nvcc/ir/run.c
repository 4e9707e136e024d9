/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * K.run: one block.  All its threads stand at its start, or behind the same barrier, as a rule:
 * then a loop calls K.step with that number as a constant, and only what lies between two
 * barriers is left of it.  If they are at different places, or some have ended, a loop looks
 * where each thread is.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Frames of so many bytes are on the stack of K.run, which nobody else can point to. */
#define STACK_MAX (64u << 10)

/* struct ash_loop of device/hostdev/loop.h. */
enum { BLOCK_DIM = 3, N_PLACES = 9, FRAMES_AT = 40 };

LLVMValueRef ash_step_field(struct ash_ir *ir, LLVMValueRef frames, LLVMValueRef number,
                            const struct ash_uniform *uniform)
{
    LLVMTypeRef size = ash_ir_int(ir, 64), byte = ash_ir_int(ir, 8);
    LLVMValueRef nbytes = LLVMConstInt(size, LLVMGetIntTypeWidth(uniform->type) / 8, false);
    LLVMValueRef offset = LLVMBuildNSWMul(ir->builder, number, nbytes, "");

    offset = LLVMBuildNSWAdd(ir->builder, offset, LLVMConstInt(size, uniform->at, false), "");
    return ash_ir_convert(ir, LLVMBuildInBoundsGEP2(ir->builder, byte, frames, &offset, 1, ""),
                          LLVMPointerType(uniform->type, 0));
}

LLVMValueRef ash_step_out(struct ash_ir *ir, LLVMValueRef out, const struct ash_step *step,
                          unsigned number)
{
    LLVMTypeRef size = ash_ir_int(ir, 64);
    LLVMValueRef index = LLVMConstInt(size, number, false);

    return ash_ir_convert(ir, LLVMBuildInBoundsGEP2(ir->builder, size, out, &index, 1, ""),
                          LLVMPointerType(step->uniforms[number].type, 0));
}

/* The block's index and the dimensions, which are never 0. */
static void load_places(struct ash_run *run)
{
    struct ash_ir *ir = run->ir;
    LLVMTypeRef type = ash_ir_int(ir, 32);
    LLVMValueRef limits[2] = { ash_run_word(run, 32, 1),
                               ash_run_word(run, 32, ASH_LOOP_THREADS + 1) };
    LLVMValueRef range = LLVMMDNodeInContext(ir->context, limits, 2);
    LLVMValueRef places = ash_ir_convert(ir, LLVMGetParam(run->function, 1),
                                         LLVMPointerType(type, 0));

    for (unsigned i = 0; i < N_PLACES; i++) {
        LLVMValueRef index = ash_run_word(run, 64, i), load;

        load = LLVMBuildLoad2(ir->builder, type,
                              LLVMBuildGEP2(ir->builder, type, places, &index, 1, ""), "");
        *ash_run_extra(run, ASH_STEP_WHERE + 3 + i) = load;
        if (i < BLOCK_DIM || i >= BLOCK_DIM + 3)
            continue;
        LLVMSetMetadata(load, LLVMGetMDKindIDInContext(ir->context, "range", 5), range);
        run->dims[i - BLOCK_DIM] = LLVMBuildZExt(ir->builder, load, ash_ir_int(ir, 64), "");
    }
}

/* Structures are copied to the stack, where no store of a thread can be. */
static void load_arguments(struct ash_run *run)
{
    struct ash_ir *ir = run->ir;

    for (unsigned i = 0; i < run->step->n_args; i++) {
        LLVMValueRef kernel = run->step->kernel, value, copy;
        LLVMTypeRef type = ash_ir_by_value(kernel, i);

        value = ash_ir_argument(ir, kernel, LLVMGetParam(run->function, 0), i);
        run->values[i] = run->by_value[i] = value;
        if (!type)
            continue;
        unsigned alignment = LLVMABIAlignmentOfType(ir->layout, type);
        copy = LLVMBuildAlloca(ir->builder, type, "");
        LLVMBuildMemCpy(ir->builder, copy, alignment, value, alignment,
                        ash_run_word(run, 64, LLVMABISizeOfType(ir->layout, type)));
        run->values[i] = copy;
    }
}

static void frames(struct ash_run *run)
{
    struct ash_ir *ir = run->ir;
    LLVMTypeRef pointer = ash_ir_pointer(ir), byte = ash_ir_int(ir, 8);
    unsigned long long nbytes = run->step->frames_nbytes;
    LLVMValueRef at = ash_run_word(run, 64, FRAMES_AT);

    if (nbytes > 0 && nbytes <= STACK_MAX) {
        LLVMValueRef memory =
            LLVMBuildAlloca(ir->builder, LLVMArrayType(byte, (unsigned)nbytes), "");
        LLVMSetAlignment(memory, 64);
        *ash_run_extra(run, ASH_STEP_FRAMES) = ash_ir_convert(ir, memory, pointer);
        run->step->frames_nbytes = 0;
        return;
    }
    at = LLVMBuildGEP2(ir->builder, byte, LLVMGetParam(run->function, 1), &at, 1, "");
    at = ash_ir_convert(ir, at, LLVMPointerType(pointer, 0));
    *ash_run_extra(run, ASH_STEP_FRAMES) = LLVMBuildLoad2(ir->builder, pointer, at, "");
}

/* What all threads have; 0 at the begin, when they have nothing. */
static void set_uniforms(struct ash_run *run, bool is_begin)
{
    LLVMTypeRef size = ash_ir_int(run->ir, 64);

    for (unsigned i = 0; i < ASH_UNIFORMS; i++)
        *ash_run_extra(run, ASH_STEP_UNIFORM + i) =
            is_begin || i >= run->step->n_uniforms
                ? ash_run_word(run, 64, 0)
                : ash_ir_convert(run->ir,
                                 LLVMBuildLoad2(run->ir->builder, run->step->uniforms[i].type,
                                                run->uniform[i], ""),
                                 size);
}

static LLVMValueRef outs(struct ash_run *run)
{
    LLVMTypeRef size = ash_ir_int(run->ir, 64);

    return ash_ir_convert(
        run->ir, LLVMBuildAlloca(run->ir->builder, LLVMArrayType(size, ASH_UNIFORMS), ""),
        LLVMPointerType(size, 0));
}

static void entry(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMTypeRef type = ash_ir_int(run->ir, 32);

    LLVMPositionBuilderAtEnd(b, ash_run_block(run));
    load_places(run);
    load_arguments(run);
    frames(run);
    run->next =
        LLVMBuildAlloca(b, LLVMArrayType(ash_ir_int(run->ir, 8), ASH_LOOP_THREADS), "");
    run->any_bits = LLVMBuildAlloca(b, type, "");
    run->all_bits = LLVMBuildAlloca(b, type, "");
    run->state = LLVMBuildAlloca(b, type, "");
    *ash_run_extra(run, ASH_STEP_STATE) = ash_run_word(run, 32, 0);
    run->out = outs(run);
    run->out_of_any = outs(run);
    *ash_run_extra(run, ASH_STEP_OUT) = run->out;
    for (unsigned i = 0; i < run->step->n_uniforms; i++) {
        run->any_of[i] = LLVMBuildAlloca(b, run->step->uniforms[i].type, "");
        run->all_of[i] = LLVMBuildAlloca(b, run->step->uniforms[i].type, "");
        run->uniform[i] = LLVMBuildAlloca(b, run->step->uniforms[i].type, "");
    }
    set_uniforms(run, true);
}

/* The states that have loops of their own: not, if there would be too much code. */
static unsigned states_of(const struct ash_step *step)
{
    unsigned n = 0;

    ASH_EACH_BLOCK(b, step->function)
        ASH_EACH_INSTRUCTION(i, b) n++;
    return step->n_barriers <= ASH_LOOP_STATES && n * step->n_barriers < 50000 ? step->n_barriers
                                                                                : 0;
}

/* From barrier to barrier, until all threads have ended. */
static void dispatch(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMBasicBlockRef choose = ash_run_block(run), end = ash_run_block(run),
                      apart = ash_run_block(run);
    LLVMValueRef choice;
    unsigned n = states_of(run->step);

    LLVMBuildBr(b, choose);
    LLVMPositionBuilderAtEnd(b, choose);
    choice = LLVMBuildSwitch(b, LLVMBuildLoad2(b, ash_ir_int(run->ir, 32), run->state, ""), apart,
                             n + 1);
    LLVMAddCase(choice, ash_run_word(run, 32, 0), end);
    for (unsigned i = 1; i <= n; i++) {
        LLVMBasicBlockRef behind = ash_run_block(run);

        LLVMAddCase(choice, ash_run_word(run, 32, i), behind);
        LLVMPositionBuilderAtEnd(b, behind);
        *ash_run_extra(run, ASH_STEP_STATE) = ash_run_word(run, 32, i);
        set_uniforms(run, false);
        ash_run_all(run);
        LLVMBuildBr(b, choose);
    }
    LLVMPositionBuilderAtEnd(b, apart);
    set_uniforms(run, true);
    *ash_run_extra(run, ASH_STEP_OUT) = run->out_of_any;
    memcpy(run->values, run->by_value, run->step->n_args * sizeof(LLVMValueRef));
    ash_run_all_anywhere(run);
    LLVMBuildBr(b, choose);
    LLVMPositionBuilderAtEnd(b, end);
}

static LLVMValueRef new_function(struct ash_run *run, const char *suffix, LLVMTypeRef type)
{
    size_t n = strlen(run->step->name) + strlen(suffix) + 1;
    char *name = ash_ir_alloc(n);
    LLVMValueRef function;

    strcat(strcpy(name, run->step->name), suffix);
    function = LLVMAddFunction(run->ir->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    ash_ir_add_attribute(run->ir, function, "nounwind", 0);
    free(name);
    return function;
}

/* A thread that is anywhere has its own, in its frame. */
static void set_own(struct ash_run *run, LLVMValueRef *values)
{
    LLVMValueRef *extras = values + run->step->n_args;

    for (unsigned i = 0; i < run->step->n_uniforms; i++) {
        const struct ash_uniform *uniform = &run->step->uniforms[i];
        LLVMValueRef at = ash_step_field(run->ir, extras[ASH_STEP_FRAMES],
                                         extras[ASH_STEP_NUMBER], uniform);

        extras[ASH_STEP_UNIFORM + i] =
            ash_ir_convert(run->ir, LLVMBuildLoad2(run->ir->builder, uniform->type, at, ""),
                           ash_ir_int(run->ir, 64));
    }
}

/* K.any: a step from any place, which is not inlined. */
static LLVMValueRef make_any(struct ash_run *run)
{
    struct ash_ir *ir = run->ir;
    unsigned n = run->step->n_args + ASH_STEP_EXTRA;
    LLVMValueRef *values = ash_ir_alloc(n * sizeof(*values)), function;

    function = new_function(run, ".any", run->step->type);
    ash_ir_add_attribute(ir, function, "noinline", 0);
    LLVMPositionBuilderAtEnd(ir->builder,
                             LLVMAppendBasicBlockInContext(ir->context, function, ""));
    LLVMGetParams(function, values);
    values[run->step->n_args + ASH_STEP_WHOLE] = ash_run_word(run, 1, 0);
    set_own(run, values);
    LLVMBuildRet(ir->builder, LLVMBuildCall2(ir->builder, run->step->type, run->step->function,
                                             values, n, ""));
    free(values);
    return function;
}

LLVMValueRef ash_step_run(struct ash_ir *ir, struct ash_step *step)
{
    struct ash_run run = { .ir = ir, .step = step };
    LLVMTypeRef types[2] = { LLVMPointerType(ash_ir_pointer(ir), 0), ash_ir_pointer(ir) };

    run.values = ash_ir_alloc((step->n_args + ASH_STEP_EXTRA) * sizeof(*run.values));
    run.by_value = ash_ir_alloc((step->n_args + 1) * sizeof(*run.by_value));
    ash_step_guards(ir, step, &run.guards);
    if (step->n_barriers > 0)
        run.any = make_any(&run);
    run.function = new_function(
        &run, ".run", LLVMFunctionType(LLVMVoidTypeInContext(ir->context), types, 2, false));
    entry(&run);
    ash_run_all(&run);
    if (step->n_barriers > 0)
        dispatch(&run);
    LLVMBuildRetVoid(ir->builder);
    free(run.values);
    free(run.by_value);
    return run.function;
}
