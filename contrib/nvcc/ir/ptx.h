/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inline PTX, the assembler of NVIDIA's GPUs, as IR.  Its instructions are executed in a row
 * (no jumps), so a register is the value that was written last.
 */
#ifndef ANYSHMEM_NVCC_PTX_H
#define ANYSHMEM_NVCC_PTX_H

#include "ir.h"

#define PTX_OPERANDS 8
#define PTX_PARTS 24
#define PTX_NAME 64

enum ptx_kind { PTX_REGISTER, PTX_NUMBER, PTX_MEMORY, PTX_VECTOR };

struct ptx_operand {
    enum ptx_kind kind;
    /* A register; with second: "a|b"; of memory: the register in brackets. */
    char name[PTX_NAME], second[PTX_NAME];
    unsigned long long number; /* of memory: the offset */
    char parts[8][PTX_NAME];   /* of a vector */
    unsigned n_parts;
};

struct ptx_instruction {
    char guard[PTX_NAME]; /* "@p": executed if p; or empty */
    bool guard_not;
    char opcode[160]; /* as it is written: "ld.global.u32" */
    char parts[PTX_PARTS][PTX_NAME];
    unsigned n_parts;
    struct ptx_operand operands[PTX_OPERANDS];
    unsigned n_operands;
};

struct ptx_register {
    char name[PTX_NAME];
    LLVMValueRef value;
};

struct ptx {
    struct ash_ir *ir;
    LLVMValueRef call;
    const char *text; /* of the whole assembler statement, for messages */
    struct ptx_register *registers;
    size_t n_registers;
    bool failed;
};

/* ptx_parse.c: read one instruction from *text; false at the end.  Sets ptx->failed. */
bool ptx_next(struct ptx *ptx, const char **text, struct ptx_instruction *ret_instruction);

bool ptx_has(const struct ptx_instruction *instruction, const char *part);
void ptx_fail(struct ptx *ptx, const char *why, const char *what);

/* The type that the last part of the opcode names, or NULL. */
LLVMTypeRef ptx_type(struct ptx *ptx, const char *name);
const char *ptx_last(const struct ptx_instruction *instruction);

LLVMValueRef ptx_read(struct ptx *ptx, const struct ptx_operand *operand, LLVMTypeRef type);
LLVMValueRef ptx_read_name(struct ptx *ptx, const char *name, LLVMTypeRef type);
/* Write a register; under a guard, it keeps its value where the guard is false. */
void ptx_write(struct ptx *ptx, const struct ptx_instruction *instruction, const char *name,
               LLVMValueRef value);
/* The address of an operand in brackets as a pointer to `type`; under a guard that is false, of
 * memory that nobody reads. */
LLVMValueRef ptx_address(struct ptx *ptx, const struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, LLVMTypeRef type);

/* Each does an instruction and is true if it knows it. */
bool ptx_carry(struct ptx *ptx, const struct ptx_instruction *instruction);
bool ptx_memory(struct ptx *ptx, const struct ptx_instruction *instruction);
bool ptx_plain(struct ptx *ptx, const struct ptx_instruction *instruction);
bool ptx_warp(struct ptx *ptx, const struct ptx_instruction *instruction);

#endif
