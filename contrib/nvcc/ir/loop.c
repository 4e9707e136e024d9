/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that can be loops over their threads: for each of them K.step and K.run beside the
 * kernel, which fibers still can run.
 */
#include "loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

struct ash_loops {
    struct ash_step step;
    LLVMValueRef run;
    const char *reason;
};

static void passes(struct ash_ir *ir, const char *names)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(ir->module, names, NULL, options);

    LLVMDisposePassBuilderOptions(options);
    if (error)
        ash_ir_die("LLVM's passes %s: %s", names, LLVMGetErrorMessage(error));
}

static bool is_helper(LLVMValueRef function)
{
    return ash_ir_begins(LLVMGetValueName2(function, &(size_t){ 0 }), "__anyshmem_") &&
           !LLVMIsDeclaration(function);
}

/* Debuggers show the thread of a fiber, and sanitizers see more of it. */
static bool has_loops(const struct ash_ir *ir)
{
    return !ir->debug && !ir->sanitize && !ir->check_memory;
}

void ash_ir_simplify(struct ash_ir *ir)
{
    if (!has_loops(ir))
        return;
    LLVMSetCurrentDebugLocation2(ir->builder, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        if (is_helper(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    passes(ir, "always-inline,function(sroa,early-cse,simplifycfg,adce)");
}

static void give_up(struct ash_loops *loop, const char *reason)
{
    LLVMDeleteFunction(loop->step.function);
    loop->step.function = NULL;
    loop->reason = reason;
}

static LLVMValueRef kernel_of(struct ash_ir *ir, size_t i)
{
    LLVMValueRef kernel = LLVMGetNamedFunction(ir->module, ir->kernels.names[i]);

    return kernel && !LLVMIsDeclaration(kernel) ? kernel : NULL;
}

/* While the kernel is to be inlined it must not be local, for then nothing of it would be left. */
static void begin(struct ash_ir *ir)
{
    ash_ir_plain_begin(ir);
    for (size_t i = 0; i < ir->kernels.n; i++) {
        struct ash_loops *loop = &ir->loops[i];

        loop->step.kernel = kernel_of(ir, i);
        if (!loop->step.kernel)
            continue;
        LLVMSetLinkage(loop->step.kernel, LLVMExternalLinkage);
        LLVMSetComdat(loop->step.kernel, NULL);
        LLVMSetFunctionCallConv(loop->step.kernel, LLVMCCallConv);
        loop->step.name = ir->kernels.names[i];
        loop->reason = ash_ir_plain(ir, loop->step.kernel);
    }
    for (size_t i = 0; i < ir->kernels.n; i++)
        if (ir->loops[i].step.kernel && !ir->loops[i].reason)
            ash_step_make(ir, &ir->loops[i].step);
    ash_ir_plain_end(ir);
}

static void say(const struct ash_loops *loop)
{
    const struct ash_step *step = &loop->step;

    if (!step->kernel)
        return;
    if (loop->run)
        fprintf(stderr, "anyshmem-nvcc: %s: a loop over threads, %u barriers, %u loops by turns\n",
                step->name, step->n_barriers - step->n_turns, step->n_turns);
    else
        fprintf(stderr, "anyshmem-nvcc: %s: fibers, for: %s\n", step->name, loop->reason);
}

static void finish(struct ash_ir *ir, struct ash_loops *loop)
{
    struct ash_step *step = &loop->step;

    LLVMRemoveEnumAttributeAtIndex(step->kernel, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName("alwaysinline", 12));
    if (!ash_step_cut(ir, step)) {
        give_up(loop, "memory on the stack, or barriers, without a limit");
        return;
    }
    ash_step_uniforms(ir, step);
    ash_step_frames(ir, step);
    LLVMSetLinkage(step->function, LLVMInternalLinkage);
    ash_ir_add_attribute(ir, step->function, "alwaysinline", 0);
    loop->run = ash_step_run(ir, step);
    free(step->behind);
    free(step->turns);
}

void ash_ir_loops(struct ash_ir *ir)
{
    ir->loops = ash_ir_alloc((ir->kernels.n + 1) * sizeof(*ir->loops));
    if (!has_loops(ir))
        return;
    begin(ir);
    passes(ir, "always-inline");
    for (size_t i = 0; i < ir->kernels.n; i++)
        if (ir->loops[i].step.function && !ash_step_place(ir, &ir->loops[i].step))
            give_up(&ir->loops[i], "an unusual use of its thread's index");
    passes(ir, "function(sroa,early-cse,simplifycfg,adce)");
    for (size_t i = 0; i < ir->kernels.n; i++)
        if (ir->loops[i].step.function)
            finish(ir, &ir->loops[i]);
    for (size_t i = 0; i < ir->kernels.n && ir->verbose; i++)
        say(&ir->loops[i]);
}

LLVMValueRef ash_ir_run(struct ash_ir *ir, const char *kernel, unsigned long long *ret_nbytes)
{
    for (size_t i = 0; i < ir->kernels.n; i++) {
        if (strcmp(ir->kernels.names[i], kernel) != 0 || !ir->loops[i].run)
            continue;
        *ret_nbytes = ir->loops[i].step.frames_nbytes;
        return LLVMConstBitCast(ir->loops[i].run, ash_ir_pointer(ir));
    }
    *ret_nbytes = 0;
    return LLVMConstNull(ash_ir_pointer(ir));
}
