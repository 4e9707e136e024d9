# SPDX-License-Identifier: BSD-3-Clause
#
# Functions with more than `most` arguments, among the definitions of C and CUDA files,
# also those that a macro's body makes: lines "FILE:LINE: NAME has N".  The last line is
# "definitions N".
#
# Left out are routines of the interfaces, which specifications give, by their names,
# those that macros make of all types for streams, and what PMIx calls.

function is_given(name)
{
    return name ~ /^(nvshmemx?|anyshmemx?|i?shmemx?)_/ || name ~ /^(__)?cu(da)?[A-Z]/ || name ~ /##_on_stream$/ ||
           name == "on_lost_connection"
}

# The line without comments; a string is s.
function code_of(line,    code, start)
{
    code = ""
    for (;;) {
        if (in_comment) {
            if (!match(line, /\*\//)) return code
            line = substr(line, RSTART + 2)
            in_comment = 0
        }
        if (!match(line, /["']|\/\*|\/\//)) return code line
        code = code substr(line, 1, RSTART - 1)
        start = substr(line, RSTART, 2)
        line = substr(line, RSTART)
        if (start == "//") return code
        if (start == "/*") {
            in_comment = 1
            line = substr(line, 3)
        } else if (match(line, /^("([^"\\]|\\.)*"|'([^'\\]|\\.)*')/)) {
            code = code "s"
            line = substr(line, RLENGTH + 1)
        } else {
            line = substr(line, 2)
        }
    }
}

# A parenthesis opens: it belongs to the name before it.
function open_with(before)
{
    depth++
    commas[depth] = 0
    opened[depth] = FNR
    name_at[depth] = match(before, /[A-Za-z0-9_#]+$/) ? substr(before, RSTART) : ""
}

function scan(code,    before, c)
{
    while (match(code, /[][(){},;]/)) {
        before = substr(code, 1, RSTART - 1)
        c = substr(code, RSTART, 1)
        code = substr(code, RSTART + 1)
        text = text before
        gsub(/[ \t]*##[ \t]*/, "##", text)
        sub(/[ \t]+$/, "", text)
        # A list of arguments that a body follows.
        if (c == "{" && ended != "" && text == "" && ended !~ /^(if|for|while|switch|return)$/) {
            definitions++
            if (n_arguments > most && !is_given(ended))
                printf "%s:%d: %s has %d\n", FILENAME, ended_at, ended, n_arguments
        }
        ended = ""
        if (c ~ /[[({]/) {
            open_with(text)
        } else if (c == ",") {
            commas[depth]++
        } else if (c != ";" && depth > 0) {
            if (c == ")") {
                ended = name_at[depth]
                ended_at = opened[depth]
                n_arguments = commas[depth] + 1
            }
            depth--
        }
        text = ""
    }
    text = text code " "
}

FNR == 1 { depth = in_comment = 0; text = ended = "" }
{
    line = code_of($0)
    sub(/\\$/, "", line)
    if (sub(/^[ \t]*#[ \t]*define[ \t]+[A-Za-z0-9_]+(\([^)]*\))?/, "", line)) {
        depth = 0
        text = ended = ""
    } else if (line ~ /^[ \t]*#/ && line !~ /^[ \t]*##/) {
        next
    }
    scan(line)
}
END { print "definitions", definitions + 0 }
