/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a module without address spaces: the CPU has one.  LLVM's C interface cannot
 * change a type, its parser can; so this rewrites words, and knows strings and metadata.
 */
#include "ir.h"

#include <ctype.h>
#include <string.h>

/* DWARF's way to say in which memory of a GPU a variable lies. */
static const char xderef[] = "DW_OP_swap, DW_OP_xderef";

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* `in` stands at a word's first letter: is it this word? */
static bool is(const char *in, const char *word)
{
    return ash_ir_begins(in, word) && !is_word(in[strlen(word)]);
}

static const char *skip_string(const char *in)
{
    for (in++; *in && *in != '"'; in++)
        ;
    return *in ? in + 1 : in;
}

/* "addrspace(3)" with the space behind it, or the one before it that was written already. */
static const char *skip_space(const char *in, const char *start, char **out)
{
    in += strcspn(in, ")") + 1;
    if (*in == ' ')
        return in + 1;
    if (*out > start && (*out)[-1] == ' ')
        (*out)--;
    return in;
}

/* "DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef" and a comma behind it. */
static const char *skip_xderef(const char *in)
{
    const char *end = in + strlen("DW_OP_constu");

    end += strspn(end, ", ");
    end += strspn(end, "0123456789");
    end += strspn(end, ", ");
    if (!ash_ir_begins(end, xderef))
        return in;
    end += strlen(xderef);
    return end + strspn(end, ", ");
}

static const char *put(const char *text, const char *in, char **out)
{
    memcpy(*out, text, strlen(text));
    *out += strlen(text);
    return in;
}

/* What a word becomes: `in` moves behind what was read, the rest is written to `out`. */
static const char *word(const char *in, const char *start, char **out)
{
    size_t n = 0;

    if (is(in, "addrspace") && in[strlen("addrspace")] == '(')
        return skip_space(in, start, out);
    if (is(in, "dso_local"))
        return in + strlen("dso_local") + (in[strlen("dso_local")] == ' ');
    if (is(in, "externally_initialized"))
        return in + strlen("externally_initialized ");
    if (is(in, "DW_OP_constu") && skip_xderef(in) != in)
        return skip_xderef(in);
    if (is(in, "addrspacecast"))
        return put("bitcast", in + strlen("addrspacecast"), out);
    /* Lines of code for GPUs, of which code for CPUs would have nothing. */
    if (is(in, "DebugDirectivesOnly"))
        return put("LineTablesOnly", in + strlen("DebugDirectivesOnly"), out);
    while (is_word(in[n]))
        n++;
    memcpy(*out, in, n);
    *out += n;
    return in + n;
}

char *ash_ir_flatten(const char *text)
{
    /* No word becomes longer. */
    char *flat = ash_ir_alloc(strlen(text) + 1), *out = flat;

    for (const char *in = text; *in;) {
        bool at_line = in == text || in[-1] == '\n';

        if (at_line && (ash_ir_begins(in, "!nvvm.annotations") || ash_ir_begins(in, "!nvvmir."))) {
            in += strcspn(in, "\n");
        } else if (*in == '"') {
            const char *end = skip_string(in);

            memcpy(out, in, (size_t)(end - in));
            out += end - in;
            in = end;
        } else if (is_word(*in)) {
            in = word(in, flat, &out);
        } else {
            *out++ = *in++;
        }
    }
    *out = 0;
    return flat;
}
