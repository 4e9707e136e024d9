/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An inline assembler statement, from its operands to its results.  What is not known is an
 * error of the program, with its text and line.
 */
#include "ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one statement has: its text and constraints, without LLVM's escapes (\0A). */
struct statement {
    char *text, *constraints;
};

static int hex(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : (toupper((unsigned char)c) - 'A') + 10;
}

static char *unescape(const char **at)
{
    const char *end = strchr(*at + 1, '"');
    char *text, *out;

    if (!end)
        ash_ir_die("inline assembler cannot be read: %s", *at);
    text = out = ash_ir_alloc((size_t)(end - *at) + 1);
    for (const char *in = *at + 1; in < end; in++) {
        if (in[0] == '\\' && isxdigit((unsigned char)in[1]) && isxdigit((unsigned char)in[2])) {
            *out++ = (char)(hex(in[1]) * 16 + hex(in[2]));
            in += 2;
        } else if (in[0] == '$' && in[1] == '$') {
            in++;
            *out++ = '$';
        } else {
            *out++ = *in;
        }
    }
    *at = end + 1;
    return text;
}

/* As LLVM prints it: asm sideeffect "TEXT", "CONSTRAINTS". */
static struct statement read_statement(LLVMValueRef assembler)
{
    char *printed = LLVMPrintValueToString(assembler);
    const char *at = strchr(printed, '"');
    struct statement statement;

    if (!at)
        ash_ir_die("inline assembler cannot be read: %s", printed);
    statement.text = unescape(&at);
    at = strchr(at, '"');
    if (!at)
        ash_ir_die("inline assembler cannot be read: %s", printed);
    statement.constraints = unescape(&at);
    LLVMDisposeMessage(printed);
    return statement;
}

void ptx_fail(struct ptx *ptx, const char *why, const char *what)
{
    char line[200];
    size_t n = 0;

    if (ptx->failed)
        return;
    ptx->failed = true;
    for (const char *at = ptx->text; *at && n + 1 < sizeof(line); at++)
        if (!isspace((unsigned char)*at) || (n && line[n - 1] != ' '))
            line[n++] = isspace((unsigned char)*at) ? ' ' : *at;
    line[n] = 0;
    ash_ir_error(ptx->ir, ptx->call, "inline PTX: %s %s: \"%s\"", what, why, line);
}

bool ptx_has(const struct ptx_instruction *instruction, const char *part)
{
    for (unsigned i = 1; i < instruction->n_parts; i++)
        if (strcmp(instruction->parts[i], part) == 0)
            return true;
    return false;
}

const char *ptx_last(const struct ptx_instruction *instruction)
{
    return instruction->parts[instruction->n_parts - 1];
}

static struct ptx_register *find(struct ptx *ptx, const char *name, bool create)
{
    for (size_t i = 0; i < ptx->n_registers; i++)
        if (strcmp(ptx->registers[i].name, name) == 0)
            return &ptx->registers[i];
    if (!create)
        return NULL;
    ptx->registers =
        realloc(ptx->registers, (ptx->n_registers + 1) * sizeof(*ptx->registers));
    if (!ptx->registers)
        ash_ir_die("no memory");
    struct ptx_register *one = &ptx->registers[ptx->n_registers++];
    memset(one, 0, sizeof(*one));
    snprintf(one->name, sizeof(one->name), "%s", name);
    return one;
}

/* %laneid and its like, which nvvm.h reads. */
static LLVMValueRef special(struct ptx *ptx, const char *name)
{
    char text[128];
    LLVMValueRef support;

    snprintf(text, sizeof(text), "__anyshmem_nvvm_read_ptx_sreg_%s", name + 1);
    for (char *c = text; *c; c++)
        if (*c == '.')
            *c = '_';
    support = ash_ir_support(ptx->ir, text);
    return support ? ash_ir_call(ptx->ir, support, NULL, 0) : NULL;
}

LLVMTypeRef ptx_type(struct ptx *ptx, const char *name)
{
    unsigned bits = (unsigned)atoi(name + 1);

    if (strcmp(name, "pred") == 0)
        return ash_ir_int(ptx->ir, 1);
    if (!strchr("busf", name[0]) || name[1 + strspn(name + 1, "0123456789")])
        return NULL;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && strcmp(name, "b128") != 0)
        return NULL;
    if (name[0] == 'f' && bits == 32)
        return LLVMFloatTypeInContext(ptx->ir->context);
    if (name[0] == 'f' && bits == 64)
        return LLVMDoubleTypeInContext(ptx->ir->context);
    return name[0] == 'f' ? NULL : ash_ir_int(ptx->ir, bits);
}

LLVMValueRef ptx_read_name(struct ptx *ptx, const char *name, LLVMTypeRef type)
{
    struct ptx_register *found = find(ptx, name, false);
    LLVMValueRef value = found ? found->value : NULL;

    if (!value && name[0] == '%')
        value = special(ptx, name);
    if (!value && strcmp(name, "WARP_SZ") == 0)
        value = LLVMConstInt(ash_ir_int(ptx->ir, 32), 32, false);
    if (!value) {
        ptx_fail(ptx, "is not known or was not written", name);
        return LLVMGetUndef(type);
    }
    return ash_ir_convert(ptx->ir, value, type);
}

LLVMValueRef ptx_read(struct ptx *ptx, const struct ptx_operand *operand, LLVMTypeRef type)
{
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(ptx->ir->layout, type);

    if (operand->kind == PTX_REGISTER)
        return ptx_read_name(ptx, operand->name, type);
    if (operand->kind == PTX_NUMBER)
        return ash_ir_convert(
            ptx->ir, LLVMConstInt(ash_ir_int(ptx->ir, bits), operand->number, false), type);
    ptx_fail(ptx, "has an operand of another kind than was expected", "an instruction");
    return LLVMGetUndef(type);
}

static LLVMValueRef guard(struct ptx *ptx, const struct ptx_instruction *instruction)
{
    LLVMValueRef value = ptx_read_name(ptx, instruction->guard, ash_ir_int(ptx->ir, 1));

    return instruction->guard_not ? LLVMBuildNot(ptx->ir->builder, value, "") : value;
}

void ptx_write(struct ptx *ptx, const struct ptx_instruction *instruction, const char *name,
               LLVMValueRef value)
{
    if (strcmp(name, "_") == 0)
        return;
    struct ptx_register *to = find(ptx, name, true);
    if (instruction->guard[0] && to->value)
        value = LLVMBuildSelect(ptx->ir->builder, guard(ptx, instruction), value,
                                ash_ir_convert(ptx->ir, to->value, LLVMTypeOf(value)), "");
    to->value = value;
}

/* A register with an address.  Those of shared memory may have 32 bits. */
static LLVMValueRef address_in(struct ptx *ptx, const struct ptx_instruction *instruction,
                               const char *name)
{
    struct ash_ir *ir = ptx->ir;
    LLVMTypeRef word = ash_ir_int(ir, 64), half = ash_ir_int(ir, 32);
    struct ptx_register *found = find(ptx, name, false);
    bool is_shared = ptx_has(instruction, "shared") || ptx_has(instruction, "shared::cta");
    LLVMValueRef function, argument;

    if (!is_shared || !found || !found->value || LLVMTypeOf(found->value) != half)
        return ptx_read_name(ptx, name, word);
    function = ash_ir_function(ir, "ash_kernel_shared_at",
                               LLVMFunctionType(ash_ir_pointer(ir), &half, 1, false));
    argument = found->value;
    return LLVMBuildPtrToInt(ir->builder, ash_ir_call(ir, function, &argument, 1), word, "");
}

LLVMValueRef ptx_address(struct ptx *ptx, const struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, LLVMTypeRef type)
{
    struct ash_ir *ir = ptx->ir;
    LLVMTypeRef word = ash_ir_int(ir, 64);
    LLVMValueRef address = LLVMConstInt(word, operand->number, false), nobody;

    if (operand->kind != PTX_MEMORY) {
        ptx_fail(ptx, "needs an address in brackets", instruction->opcode);
        return LLVMGetUndef(LLVMPointerType(type, 0));
    }
    if (operand->name[0])
        address = LLVMBuildAdd(ir->builder, address_in(ptx, instruction, operand->name), address,
                               "");
    address = LLVMBuildIntToPtr(ir->builder, address, LLVMPointerType(type, 0), "");
    if (!instruction->guard[0])
        return address;
    ash_ir_at_entry(ir, LLVMGetBasicBlockParent(LLVMGetInstructionParent(ptx->call)));
    nobody = LLVMBuildAlloca(ir->builder, ash_ir_int(ir, 128), "");
    LLVMSetAlignment(nobody, 16);
    ash_ir_before(ir, ptx->call);
    return LLVMBuildSelect(ir->builder, guard(ptx, instruction), address,
                           ash_ir_convert(ir, nobody, LLVMTypeOf(address)), "");
}

/* The n-th constraint, for which *at stands behind the comma; false at the end. */
static bool next_constraint(const char **at, char *ret_text, size_t room)
{
    size_t n = strcspn(*at, ",");

    if (!**at)
        return false;
    snprintf(ret_text, room, "%.*s", (int)n, *at);
    *at += n + ((*at)[n] == ',');
    return true;
}

/* Registers $0, $1, ...: outputs come first.  An input may begin in an output's register. */
static unsigned bind(struct ptx *ptx, const char *constraints)
{
    unsigned n_outputs = 0, n_inputs = 0;
    char text[64], name[PTX_NAME];

    for (const char *at = constraints; next_constraint(&at, text, sizeof(text));)
        n_outputs += text[0] == '=';
    for (const char *at = constraints; next_constraint(&at, text, sizeof(text));) {
        if (text[0] == '=' || text[0] == '~')
            continue;
        LLVMValueRef value = LLVMGetOperand(ptx->call, n_inputs);
        snprintf(name, sizeof(name), "$%u", n_outputs + n_inputs++);
        find(ptx, name, true)->value = value;
        if (isdigit((unsigned char)text[0])) {
            snprintf(name, sizeof(name), "$%u", (unsigned)atoi(text));
            find(ptx, name, true)->value = value;
        }
        if (strchr(text, '*'))
            ptx_fail(ptx, "is an operand in memory, which PTX has not", text);
    }
    return n_outputs;
}

static LLVMValueRef output(struct ptx *ptx, unsigned i, LLVMTypeRef type)
{
    char name[PTX_NAME];

    snprintf(name, sizeof(name), "$%u", i);
    return ptx_read_name(ptx, name, type);
}

static void finish(struct ptx *ptx, unsigned n_outputs)
{
    LLVMTypeRef type = LLVMTypeOf(ptx->call);
    LLVMValueRef value = NULL;

    if (ptx->failed && n_outputs) {
        value = LLVMGetUndef(type);
    } else if (n_outputs == 1) {
        value = output(ptx, 0, type);
    } else if (n_outputs > 1) {
        value = LLVMGetUndef(type);
        for (unsigned i = 0; i < n_outputs; i++)
            value = LLVMBuildInsertValue(
                ptx->ir->builder, value,
                output(ptx, i, LLVMStructGetTypeAtIndex(type, i)), i, "");
    }
    if (value)
        LLVMReplaceAllUsesWith(ptx->call, value);
    LLVMInstructionEraseFromParent(ptx->call);
}

static void translate(struct ash_ir *ir, LLVMValueRef call)
{
    struct statement statement = read_statement(LLVMGetCalledValue(call));
    struct ptx ptx = { .ir = ir, .call = call, .text = statement.text };
    struct ptx_instruction instruction;
    const char *at = statement.text;

    ash_ir_before(ir, call);
    unsigned n_outputs = bind(&ptx, statement.constraints);
    while (!ptx.failed && ptx_next(&ptx, &at, &instruction))
        if (!ptx_memory(&ptx, &instruction) && !ptx_plain(&ptx, &instruction) &&
            !ptx_warp(&ptx, &instruction))
            ptx_fail(&ptx, "is no instruction that the CPU could execute", instruction.opcode);
    finish(&ptx, n_outputs);
    free(ptx.registers);
    free(statement.text);
    free(statement.constraints);
}

static void visit(struct ash_ir *ir, LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
        translate(ir, instruction);
}

void ash_ir_ptx(struct ash_ir *ir)
{
    ash_ir_each(ir, visit);
}
