/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels as loops: a kernel that never waits for anything but __syncthreads runs the device
 * threads of a block one after another, on one stack, between two barriers.
 *
 *   plain.c   which kernels
 *   wait.c    which loops wait
 *   step.c    K.step: the kernel with its thread's place as parameters
 *   pure.c    what depends on parameters alone, at its entry
 *   stride.c  loops over the grid, turn by turn
 *   cut.c     a device thread from one barrier to the next
 *   slot.c    values that go from one block of instructions to another one, through memory
 *   uniform.c variables that are the same in all threads
 *   frame.c   variables that live across a barrier, in the thread's frame
 *   guard.c   "if (i < n)", decided for a row of threads at once, by whole.c
 *   run.c     K.run: a block of threads
 *   row.c     its loops over threads
 *   loop.c    these in their order
 */
#ifndef ANYSHMEM_NVCC_LOOP_H
#define ANYSHMEM_NVCC_LOOP_H

#include "ir.h"

/* Variables that are the same in all threads, at most. */
#define ASH_UNIFORMS 6u

/* Behind the kernel's own arguments: struct anyshmem_thread as twelve numbers, the thread's
 * number in the block, the block's frames, and the state: how many the barrier has that the
 * thread stands behind, or 0. */
enum {
    ASH_STEP_WHERE,
    ASH_STEP_NUMBER = 12,
    ASH_STEP_FRAMES,
    ASH_STEP_STATE,
    /* Variables that are the same in all threads, and where it leaves them (uniform.c). */
    ASH_STEP_UNIFORM,
    ASH_STEP_OUT = ASH_STEP_UNIFORM + ASH_UNIFORMS,
    /* The guards that guard.c knows are true, or whatever lets threads in. */
    ASH_STEP_WHOLE,
    ASH_STEP_EXTRA
};

/* Barriers of a kernel each of which gets loops of its own; with more of them all threads go
 * through one loop that looks where each thread is. */
#define ASH_LOOP_STATES 16u
/* Threads of a block, at most: a frame's fields lie as arrays of so many. */
#define ASH_LOOP_THREADS 1024u

/* A loop each of whose turns ends as if at a barrier (stride.c). */
struct ash_turn {
    LLVMBasicBlockRef header;
    unsigned state;
};

/* A variable that is the same in all threads, as a rule; and the field of frames that has each
 * thread's at a barrier. */
struct ash_uniform {
    LLVMValueRef variable;
    LLVMTypeRef type;
    unsigned long long at;
};

struct ash_step {
    LLVMValueRef kernel;
    /* i32 K.step(arguments..., extra arguments...): the next state, or 0: the thread ended. */
    LLVMValueRef function;
    LLVMTypeRef type;
    unsigned n_args;
    /* The calls, until they are cut; then those of turns are among them. */
    LLVMValueRef *barriers;
    unsigned n_barriers;
    struct ash_turn *turns;
    unsigned n_turns;
    struct ash_uniform uniforms[ASH_UNIFORMS];
    unsigned n_uniforms;
    unsigned long long frames_nbytes;
    /* Allocas and values that depend on arguments alone; then the jump to the state's place. */
    LLVMBasicBlockRef entry;
    /* Behind each barrier. */
    LLVMBasicBlockRef *behind;
    /* What LLVM calls the kernel. */
    char *name;
};

/* An instruction's block, and a loop over all of a function's. */
#define ASH_EACH_BLOCK(b, f) \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
#define ASH_EACH_INSTRUCTION(i, b) \
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))

static inline LLVMValueRef ash_step_extra(const struct ash_step *step, unsigned which)
{
    return LLVMGetParam(step->function, step->n_args + which);
}

/* plain.c: the text why the kernel must have fibers, or NULL.  Marks what K.step must inline. */
const char *ash_ir_plain(struct ash_ir *ir, LLVMValueRef kernel);
void ash_ir_plain_begin(struct ash_ir *ir);
void ash_ir_plain_end(struct ash_ir *ir);

/* wait.c: whether the block lies in a loop at all; in one that has such an instruction; and in one
 * that may wait for what it polls. */
bool ash_ir_in_loop(LLVMBasicBlockRef block);
bool ash_ir_loop_has(LLVMBasicBlockRef block, bool (*is)(LLVMValueRef instruction));
bool ash_ir_in_same_loop(LLVMBasicBlockRef one, LLVMBasicBlockRef other);
bool ash_ir_loop_waits(LLVMBasicBlockRef block);

/* wait.c: a fence for other threads, not for the compiler alone. */
bool ash_ir_is_fence(LLVMValueRef instruction);

/* step.c: K.step that calls the kernel; then, when that was inlined, with its thread's place as
 * parameters.  False, here and below: it must have fibers. */
void ash_step_make(struct ash_ir *ir, struct ash_step *step);
bool ash_step_place(struct ash_ir *ir, struct ash_step *step);
/* The step's instructions of a kind, to be freed. */
LLVMValueRef *ash_step_collect(struct ash_step *step, bool (*is_wanted)(LLVMValueRef),
                               size_t *ret_n);

/* cut.c: the step returns at its barriers, and its entry jumps to behind them. */
bool ash_step_cut(struct ash_ir *ir, struct ash_step *step);

/* pure.c: instructions that depend on arguments alone go to the step's entry. */
void ash_step_hoist(struct ash_ir *ir, struct ash_step *step);
/* The instruction has no effect, and depends on its operands alone. */
bool ash_step_is_pure(const struct ash_step *step, LLVMValueRef instruction);

/* stride.c */
void ash_step_strides(struct ash_ir *ir, struct ash_step *step);
/* slot.c */
void ash_step_phis_to_slots(struct ash_ir *ir, struct ash_step *step);
void ash_step_values_to_slots(struct ash_ir *ir, struct ash_step *step);

/* uniform.c */
void ash_step_uniforms(struct ash_ir *ir, struct ash_step *step);
/* run.c: where a uniform's value is, of a thread; where K.step leaves it. */
LLVMValueRef ash_step_field(struct ash_ir *ir, LLVMValueRef frames, LLVMValueRef number,
                            const struct ash_uniform *uniform);
LLVMValueRef ash_step_out(struct ash_ir *ir, LLVMValueRef out, const struct ash_step *step,
                          unsigned number);

/* frame.c: nothing but loads and stores of the whole variable use it. */
bool ash_step_is_simple(LLVMValueRef variable);
/* Its value at a barrier is needed later. */
bool ash_step_lives(struct ash_step *step, LLVMValueRef variable);
/* Room for a variable of all threads, from where it is; the variables that live. */
unsigned long long ash_step_reserve(struct ash_step *step, unsigned long long nbytes,
                                    unsigned alignment);
void ash_step_frames(struct ash_ir *ir, struct ash_step *step);

/* guard.c: makes the step's guards depend on ASH_STEP_WHOLE; and the code that finds out, before
 * a loop over x: `arguments` are those of K.step for the first thread.  NULL: there are none. */
struct ash_guards {
    LLVMValueRef condition[8];
    bool wanted[8];
    /* The state for which it is one; 0: all. */
    unsigned state[8];
    unsigned n;
};
void ash_step_guards(struct ash_ir *ir, struct ash_step *step, struct ash_guards *ret_guards);
LLVMValueRef ash_guards_whole(struct ash_ir *ir, const struct ash_step *step,
                              const struct ash_guards *guards, LLVMValueRef *arguments,
                              LLVMValueRef last_x, unsigned state);

/* run.c: K.run, which the kernel's table names. */
LLVMValueRef ash_step_run(struct ash_ir *ir, struct ash_step *step);

#endif
