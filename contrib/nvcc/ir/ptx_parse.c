/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads PTX: "{ .reg .pred p; @p ld.global.u32 %r1, [%rd2+4]; }".  Declarations of registers
 * say nothing that is needed here.
 */
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blank(const char *at)
{
    for (;;) {
        while (isspace((unsigned char)*at) || *at == '{' || *at == '}')
            at++;
        if (ash_ir_begins(at, "//"))
            at += strcspn(at, "\n");
        else if (ash_ir_begins(at, "/*") && strstr(at, "*/"))
            at = strstr(at, "*/") + 2;
        else
            return at;
    }
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_$%.:", c);
}

static const char *read_name(const char *at, char *ret_name)
{
    size_t n = 0;

    while (*at && in_name(*at)) {
        if (n + 1 < PTX_NAME)
            ret_name[n++] = *at;
        at++;
    }
    ret_name[n] = 0;
    return at;
}

/* 0f3F800000 and 0d3FF0...: the bits of a floating-point number. */
static const char *read_number(const char *at, unsigned long long *ret_number)
{
    bool negative = *at == '-';
    char *end;

    at += *at == '-' || *at == '+';
    if (at[0] == '0' && strchr("fFdD", at[1]) && at[1])
        *ret_number = strtoull(at + 2, &end, 16);
    else
        *ret_number = strtoull(at, &end, 0);
    if (negative)
        *ret_number = 0 - *ret_number;
    while (*end == 'U' || *end == 'u')
        end++;
    return end;
}

static const char *read_memory(const char *at, struct ptx_operand *ret_operand)
{
    ret_operand->kind = PTX_MEMORY;
    at = skip_space(at + 1);
    if (isdigit((unsigned char)*at))
        at = read_number(at, &ret_operand->number);
    else
        at = read_name(at, ret_operand->name);
    at = skip_space(at);
    if (*at == '+' || *at == '-') {
        at = at[0] == '+' ? skip_space(at + 1) : at;
        at = skip_space(read_number(at, &ret_operand->number));
    }
    return *at == ']' ? at + 1 : NULL;
}

static const char *read_vector(const char *at, struct ptx_operand *ret_operand)
{
    ret_operand->kind = PTX_VECTOR;
    at++;
    while (ret_operand->n_parts < 8) {
        at = skip_space(read_name(skip_space(at), ret_operand->parts[ret_operand->n_parts++]));
        if (*at == '}')
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
    return NULL;
}

/* NULL: not an operand. */
static const char *read_operand(const char *at, struct ptx_operand *ret_operand)
{
    memset(ret_operand, 0, sizeof(*ret_operand));
    at = skip_space(at);
    if (*at == '[')
        return read_memory(at, ret_operand);
    if (*at == '{')
        return read_vector(at, ret_operand);
    if (isdigit((unsigned char)*at) || *at == '-' || *at == '+') {
        ret_operand->kind = PTX_NUMBER;
        return read_number(at, &ret_operand->number);
    }
    if (!in_name(*at))
        return NULL;
    ret_operand->kind = PTX_REGISTER;
    at = skip_space(read_name(at, ret_operand->name));
    if (*at == '|')
        at = read_name(skip_space(at + 1), ret_operand->second);
    return at;
}

static void split_opcode(struct ptx_instruction *instruction)
{
    const char *at = instruction->opcode;

    while (*at && instruction->n_parts < PTX_PARTS) {
        size_t n = strcspn(at, ".");

        if (n >= PTX_NAME)
            n = PTX_NAME - 1;
        memcpy(instruction->parts[instruction->n_parts], at, n);
        instruction->parts[instruction->n_parts++][n] = 0;
        at += strcspn(at, ".");
        at += *at == '.';
    }
}

static const char *read_guard(const char *at, struct ptx_instruction *ret)
{
    if (*at != '@')
        return at;
    at = skip_space(at + 1);
    ret->guard_not = *at == '!';
    return skip_space(read_name(skip_space(at + ret->guard_not), ret->guard));
}

bool ptx_next(struct ptx *ptx, const char **text, struct ptx_instruction *ret)
{
    const char *at = skip_blank(*text);

    memset(ret, 0, sizeof(*ret));
    /* ".reg .b32 r<4>;" */
    while (*at == '.' || *at == ';')
        at = skip_blank(at + strcspn(at, ";") + (strchr(at, ';') != NULL));
    if (!*at)
        return false;
    at = read_guard(at, ret);
    for (size_t n = 0; *at && in_name(*at) && n + 1 < sizeof(ret->opcode); at++)
        ret->opcode[n++] = *at;
    if (!ret->opcode[0] || ret->opcode[strlen(ret->opcode) - 1] == ':') {
        ptx_fail(ptx, "is a label, and jumps are not supported", ret->opcode);
        return false;
    }
    split_opcode(ret);
    at = skip_space(at);
    while (*at && *at != ';') {
        if (ret->n_operands == PTX_OPERANDS ||
            !(at = read_operand(at, &ret->operands[ret->n_operands++]))) {
            ptx_fail(ptx, "cannot be read", ret->opcode);
            return false;
        }
        at = skip_blank(at);
        if (*at == ',')
            at = skip_space(at + 1);
        else if (*at && *at != ';') {
            ptx_fail(ptx, "cannot be read", ret->opcode);
            return false;
        }
    }
    *text = at + (*at == ';');
    return true;
}
