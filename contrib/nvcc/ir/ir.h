/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem-nvcc-ir: LLVM's IR of clang's device pass, for NVIDIA's GPUs, becomes IR for this
 * CPU.  A file for each thing that is done, in the order of main.c.
 */
#ifndef ANYSHMEM_NVCC_IR_H
#define ANYSHMEM_NVCC_IR_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

/* Added to the name of each symbol of the device half, whose host half has the same names;
 * demanglers show it as [clone .device]. */
#define ASH_IR_SUFFIX ".device"
/* Behind that, of what is the file's own (name.c). */
#define ASH_IR_OWN ".own"

struct ash_ir_names {
    char **names;
    size_t n;
};

struct ash_ir {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    const char *unit;     /* pairs this half with the host half */
    const char *sanitize; /* "address", "thread" or NULL */
    bool debug;           /* for a debugger: every thread a fiber */
    bool verbose;         /* say how kernels run */
    bool relocatable;     /* files see each other's device halves: -rdc=true */
    bool check_memory;    /* tell accesses to memory that only hosts have */
    struct ash_loops *loops;
    unsigned n_errors;
    /* By the name that a variable or kernel has in the device pass. */
    struct ash_ir_names shared, variables, managed, kernels;
};

/* An error of the program that is compiled, at the line of `where` (an instruction or NULL). */
void ash_ir_error(struct ash_ir *ir, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where the file, as clang names it, and the line are known. */
void ash_ir_error_at(struct ash_ir *ir, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The tool cannot go on: no memory, or a file. */
void ash_ir_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

void *ash_ir_alloc(size_t nbytes);
void ash_ir_names_add(struct ash_ir_names *names, const char *name);
bool ash_ir_names_has(const struct ash_ir_names *names, const char *name);
bool ash_ir_begins(const char *text, const char *prefix);

/* text.c: the module's text without address spaces and what else only NVPTX has. */
char *ash_ir_flatten(const char *text);

/* facts.c: what only the original module tells: kernels, kinds of variables. */
void ash_ir_read_facts(struct ash_ir *ir);

/* shared.c */
void ash_ir_shared(struct ash_ir *ir);
/* intrinsic.c */
void ash_ir_intrinsics(struct ash_ir *ir);
/* ptx.c */
void ash_ir_ptx(struct ash_ir *ir);
/* check.c */
void ash_ir_checks(struct ash_ir *ir);
/* poll.c */
void ash_ir_polls(struct ash_ir *ir);
/* abi.c */
void ash_ir_abi(struct ash_ir *ir);
/* loop.c: helpers become instructions of who calls them, local variables become values. */
void ash_ir_simplify(struct ash_ir *ir);
/* Kernels that can be loops over threads become those, too. */
void ash_ir_loops(struct ash_ir *ir);
/* What runs a block of the kernel, or a null pointer; bytes that it needs for their threads. */
LLVMValueRef ash_ir_run(struct ash_ir *ir, const char *kernel, unsigned long long *ret_nbytes);
/* kernel.c */
void ash_ir_register(struct ash_ir *ir);
/* argument.c: a kernel's argument number i, where `args` has the addresses of all. */
LLVMValueRef ash_ir_argument(struct ash_ir *ir, LLVMValueRef kernel, LLVMValueRef args,
                             unsigned i);
/* The type that the kernel has by value where IR has a pointer; else NULL. */
LLVMTypeRef ash_ir_by_value(LLVMValueRef kernel, unsigned i);
/* The attributes for that at a call. */
void ash_ir_pass_by_value(LLVMValueRef kernel, LLVMValueRef call, unsigned i);
/* line.c: lines for functions that kernel.c has made */
void ash_ir_lines(struct ash_ir *ir);
/* name.c */
void ash_ir_rename(struct ash_ir *ir);
/* Whether a library defines it, for host and device. */
bool ash_ir_of_library(const char *name);
/* The C library, whose functions wait for nothing. */
bool ash_ir_of_c_library(const char *name);
/* race.c */
void ash_ir_races(struct ash_ir *ir);
/* attribute.c */
void ash_ir_attributes(struct ash_ir *ir);

/* rewrite.c: write the source with what clang does not take made what it takes; false: there was
 * nothing of the kind. */
bool ash_ir_rewrite(const char *source, const char *path, char **ret_text);

/* build.c: short forms. */
LLVMTypeRef ash_ir_int(struct ash_ir *ir, unsigned bits);
LLVMTypeRef ash_ir_pointer(struct ash_ir *ir);
/* A function by its name, declared if the module has not got it. */
LLVMValueRef ash_ir_function(struct ash_ir *ir, const char *name, LLVMTypeRef type);
LLVMValueRef ash_ir_call(struct ash_ir *ir, LLVMValueRef function, LLVMValueRef *arguments,
                         unsigned n);
/* One that nvvm.h defines; NULL if it does not. */
LLVMValueRef ash_ir_support(struct ash_ir *ir, const char *name);
/* The builder stands before the instruction, or at the first place of the function. */
void ash_ir_before(struct ash_ir *ir, LLVMValueRef instruction);
void ash_ir_at_entry(struct ash_ir *ir, LLVMValueRef function);
/* A value as another type of the same size, or an integer of another size. */
LLVMValueRef ash_ir_convert(struct ash_ir *ir, LLVMValueRef value, LLVMTypeRef type);
void ash_ir_add_attribute(struct ash_ir *ir, LLVMValueRef function, const char *name,
                          unsigned long long value);
bool ash_ir_is_call_of(LLVMValueRef instruction, LLVMValueRef function);

/* For each instruction of each function that the module defines; visit may delete it. */
void ash_ir_each(struct ash_ir *ir, void (*visit)(struct ash_ir *ir, LLVMValueRef instruction));

#endif
