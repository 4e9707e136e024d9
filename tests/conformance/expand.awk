# SPDX-License-Identifier: BSD-3-Clause
#
# Read the tables of functions (api.tsv, nvshmem.tsv, openshmem.tsv, ishmem.txt), in which a row may
# stand for several functions.  Write a row for each function, without comments and with one head:
#
#   types<tab>LIST<tab>NAME...   for the rows that follow
#   <LIST>                       each name of that list in turn, and a T in the row is its C type
#   {block,warp}                 one of these in turn; all braces of a row turn together
BEGIN { FS = "\t" }

/^#/ { next }
$1 == "family" && headed++ { next }
$1 == "types" { types[$2] = $3; next }
{ expand_types($0) }

function expand_types(row,    name, before, after, words, n, i)
{
    if (!match(row, /<[a-z-]+>/)) {
        expand_braces(row)
        return
    }
    name = substr(row, RSTART + 1, RLENGTH - 2)
    before = substr(row, 1, RSTART - 1)
    after = substr(row, RSTART + RLENGTH)
    if (!(name in types)) {
        print FILENAME ":" FNR ": there are no types " name > "/dev/stderr"
        exit 1
    }
    n = split(types[name], words, " ")
    for (i = 1; i <= n; i++) expand_braces(with_type(before words[i] after, c_type(words[i])))
}

function expand_braces(row,    words, n, i)
{
    n = match(row, /[{][^}]*[}]/) ? split(substr(row, RSTART + 1, RLENGTH - 2), words, ",") : 1
    for (i = 1; i <= n; i++) print one_of_braces(row, i)
}

function one_of_braces(row, i,    words)
{
    while (match(row, /[{][^}]*[}]/)) {
        split(substr(row, RSTART + 1, RLENGTH - 2), words, ",")
        row = substr(row, 1, RSTART - 1) words[i] substr(row, RSTART + RLENGTH)
    }
    return row
}

function with_type(row, type)
{
    while (match(row, /[\t ]T[\t ]/))
        row = substr(row, 1, RSTART) type substr(row, RSTART + 2)
    return row
}

function c_type(name)
{
    if (name == "bfloat16") return "__nv_bfloat16"
    if (name == "longlong") return "long long"
    if (name == "schar") return "signed char"
    if (name ~ /^u?int[0-9]|^size$|^ptrdiff$/) return name "_t"
    if (sub(/^u/, "", name)) return "unsigned " c_type(name)
    return name
}
