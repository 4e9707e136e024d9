/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All threads of a block, in loops over x in y in z, from one barrier to the next.
 */
#include "run.h"

struct counter {
    LLVMValueRef i, limit;
    LLVMBasicBlockRef body;
};

/* A loop whose body is run once or more; the builder stands in it. */
static void loop_begin(struct ash_run *run, struct counter *counter, LLVMValueRef limit)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMValueRef zero = ash_run_word(run, 64, 0);

    counter->limit = limit;
    counter->body = ash_run_block(run);
    LLVMBuildBr(b, counter->body);
    LLVMPositionBuilderAtEnd(b, counter->body);
    counter->i = LLVMBuildPhi(b, ash_ir_int(run->ir, 64), "");
    LLVMAddIncoming(counter->i, &zero, &before, 1);
}

static void loop_end(struct ash_run *run, struct counter *counter)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMValueRef next = LLVMBuildNSWAdd(b, counter->i, ash_run_word(run, 64, 1), "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, next, counter->limit, "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(b), behind = ash_run_block(run);

    LLVMBuildCondBr(b, more, counter->body, behind);
    LLVMAddIncoming(counter->i, &next, &latch, 1);
    LLVMPositionBuilderAtEnd(b, behind);
}

static void update(struct ash_run *run, LLVMValueRef slot, LLVMValueRef value, bool is_or)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(value), slot, "");

    LLVMBuildStore(b, is_or ? LLVMBuildOr(b, old, value, "") : LLVMBuildAnd(b, old, value, ""),
                   slot);
}

static void note(struct ash_run *run, LLVMValueRef state)
{
    update(run, run->any_bits, state, true);
    update(run, run->all_bits, state, false);
}

/* Of a thread's uniforms, which lie in its frame, or where K.step left them. */
static void note_uniforms(struct ash_run *run, bool is_own)
{
    LLVMBuilderRef b = run->ir->builder;

    for (unsigned i = 0; i < run->step->n_uniforms; i++) {
        const struct ash_uniform *uniform = &run->step->uniforms[i];
        LLVMValueRef at, value;

        at = is_own ? ash_step_field(run->ir, *ash_run_extra(run, ASH_STEP_FRAMES),
                                     *ash_run_extra(run, ASH_STEP_NUMBER), uniform)
                    : ash_step_out(run->ir, run->out, run->step, i);
        value = LLVMBuildLoad2(b, uniform->type, at, "");
        update(run, run->any_of[i], value, true);
        update(run, run->all_of[i], value, false);
    }
}

static LLVMValueRef call(struct ash_run *run, LLVMValueRef function)
{
    return LLVMBuildCall2(run->ir->builder, run->step->type, function, run->values,
                          run->step->n_args + ASH_STEP_EXTRA, "");
}

static LLVMValueRef next_of_thread(struct ash_run *run)
{
    LLVMValueRef index[2] = { ash_run_word(run, 64, 0), *ash_run_extra(run, ASH_STEP_NUMBER) };

    return LLVMBuildInBoundsGEP2(run->ir->builder, LLVMGetAllocatedType(run->next), run->next,
                                 index, 2, "");
}

/* One thread, from a place that is known. */
static void body(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMValueRef state = call(run, run->step->function);

    if (run->step->n_barriers == 0)
        return;
    LLVMBuildStore(b, ash_ir_convert(run->ir, state, ash_ir_int(run->ir, 8)),
                   next_of_thread(run));
    note(run, state);
    note_uniforms(run, false);
}

/* One thread that is somewhere, or has ended. */
static void body_anywhere(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMTypeRef byte = ash_ir_int(run->ir, 8), type = ash_ir_int(run->ir, 32);
    LLVMValueRef at = next_of_thread(run), state = LLVMBuildLoad2(b, byte, at, "");
    LLVMBasicBlockRef go_on = ash_run_block(run), behind = ash_run_block(run);

    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, state, ash_run_word(run, 8, 0), ""), go_on,
                    behind);
    LLVMPositionBuilderAtEnd(b, go_on);
    *ash_run_extra(run, ASH_STEP_STATE) = ash_ir_convert(run->ir, state, type);
    state = call(run, run->any);
    LLVMBuildStore(b, ash_ir_convert(run->ir, state, byte), at);
    LLVMBuildBr(b, behind);
    LLVMPositionBuilderAtEnd(b, behind);
    note(run, ash_ir_convert(run->ir, LLVMBuildLoad2(b, byte, at, ""), type));
    note_uniforms(run, true);
}

static void row(struct ash_run *run, LLVMValueRef first, bool is_whole,
                void (*thread)(struct ash_run *))
{
    struct counter x;

    loop_begin(run, &x, run->dims[0]);
    *ash_run_extra(run, ASH_STEP_WHERE) = ash_ir_convert(run->ir, x.i, ash_ir_int(run->ir, 32));
    *ash_run_extra(run, ASH_STEP_NUMBER) = LLVMBuildNSWAdd(run->ir->builder, first, x.i, "");
    *ash_run_extra(run, ASH_STEP_WHOLE) = ash_run_word(run, 1, is_whole);
    thread(run);
    loop_end(run, &x);
}

/* A row whose threads all are what its guards let in, or not. */
static void row_with_guards(struct ash_run *run, LLVMValueRef first,
                            void (*thread)(struct ash_run *))
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMBasicBlockRef whole = ash_run_block(run), other = ash_run_block(run),
                      behind = ash_run_block(run);
    LLVMValueRef last, is_whole;

    *ash_run_extra(run, ASH_STEP_WHERE) = ash_run_word(run, 32, 0);
    *ash_run_extra(run, ASH_STEP_NUMBER) = first;
    last = LLVMBuildSub(b, run->dims[0], ash_run_word(run, 64, 1), "");
    last = ash_ir_convert(run->ir, last, ash_ir_int(run->ir, 32));
    is_whole =
        ash_guards_whole(run->ir, run->step, &run->guards, run->values, last,
                         (unsigned)LLVMConstIntGetZExtValue(*ash_run_extra(run, ASH_STEP_STATE)));
    is_whole = is_whole ? is_whole : ash_run_word(run, 1, 0);
    LLVMBuildCondBr(b, is_whole, whole, other);
    LLVMPositionBuilderAtEnd(b, whole);
    row(run, first, true, thread);
    LLVMBuildBr(b, behind);
    LLVMPositionBuilderAtEnd(b, other);
    row(run, first, false, thread);
    LLVMBuildBr(b, behind);
    LLVMPositionBuilderAtEnd(b, behind);
}

static void begin(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;

    LLVMBuildStore(b, ash_run_word(run, 32, 0), run->any_bits);
    LLVMBuildStore(b, ash_run_word(run, 32, UINT32_MAX), run->all_bits);
    for (unsigned i = 0; i < run->step->n_uniforms; i++) {
        LLVMTypeRef type = run->step->uniforms[i].type;

        LLVMBuildStore(b, LLVMConstNull(type), run->any_of[i]);
        LLVMBuildStore(b, LLVMConstAllOnes(type), run->all_of[i]);
    }
}

/* Threads are at one place only if their uniforms are one as well. */
static void end(struct ash_run *run)
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMTypeRef type = ash_ir_int(run->ir, 32);
    LLVMValueRef any = LLVMBuildLoad2(b, type, run->any_bits, ""), all, same, value;

    all = LLVMBuildLoad2(b, type, run->all_bits, "");
    same = LLVMBuildICmp(b, LLVMIntEQ, any, all, "");
    for (unsigned i = 0; i < run->step->n_uniforms; i++) {
        LLVMTypeRef of_uniform = run->step->uniforms[i].type;

        value = LLVMBuildLoad2(b, of_uniform, run->any_of[i], "");
        all = LLVMBuildLoad2(b, of_uniform, run->all_of[i], "");
        same = LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntEQ, value, all, ""), "");
        LLVMBuildStore(b, value, run->uniform[i]);
    }
    /* None has been left behind by the end. */
    same = LLVMBuildOr(b, same, LLVMBuildICmp(b, LLVMIntEQ, any, ash_run_word(run, 32, 0), ""),
                       "");
    LLVMBuildStore(b, LLVMBuildSelect(b, same, any, ash_run_word(run, 32, ASH_APART), ""),
                   run->state);
}

/* All threads of the block. */
static void all_threads(struct ash_run *run, void (*thread)(struct ash_run *))
{
    LLVMBuilderRef b = run->ir->builder;
    LLVMTypeRef type = ash_ir_int(run->ir, 32);
    struct counter y, z;
    LLVMValueRef first;

    if (run->step->n_barriers > 0)
        begin(run);
    loop_begin(run, &z, run->dims[2]);
    loop_begin(run, &y, run->dims[1]);
    *ash_run_extra(run, ASH_STEP_WHERE + 1) = ash_ir_convert(run->ir, y.i, type);
    *ash_run_extra(run, ASH_STEP_WHERE + 2) = ash_ir_convert(run->ir, z.i, type);
    first = LLVMBuildNSWAdd(b, LLVMBuildNSWMul(b, z.i, run->dims[1], ""), y.i, "");
    first = LLVMBuildNSWMul(b, first, run->dims[0], "");
    if (run->guards.n > 0 && thread == body)
        row_with_guards(run, first, thread);
    else
        row(run, first, false, thread);
    loop_end(run, &y);
    loop_end(run, &z);
    if (run->step->n_barriers > 0)
        end(run);
}

void ash_run_all(struct ash_run *run)
{
    all_threads(run, body);
}

void ash_run_all_anywhere(struct ash_run *run)
{
    all_threads(run, body_anywhere);
}
