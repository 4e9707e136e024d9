# SPDX-License-Identifier: BSD-3-Clause
#
# Read what expand.awk makes of openshmem.tsv: the names of OpenSHMEM 1.5 and 1.6, one a line.
# Write
#
#   -v mode=names   C: NAME(number, function) for each function
#   -v mode=table   the counts of docs/functions.md's table, a family a line
BEGIN {
    FS = "\t"
    name_family("rma", "put, get, p, g")
    name_family("strided", "`iput`, `iget`, `ibput`, `ibget`")
    name_family("signal", "put with signal, signals")
    name_family("amo", "atomics")
    name_family("wait", "wait and test")
    name_family("order", "order and barriers")
    name_family("collective", "collectives of teams, scans")
    name_family("active-set", "collectives of active sets")
    name_family("lock", "locks")
    name_family("team", "teams")
    name_family("ctx", "contexts: made, destroyed, sessions")
    name_family("memory", "symmetric memory")
    name_family("setup", "set-up, queries, exit")
}

FNR == 1 { next }
!($1 in text) {
    print $2 ": family " $1 > "/dev/stderr"
    failed = 1
}
$4 == "c" {
    if (mode == "names") print "NAME(" n++ ", " $2 ")"
    functions[$1, $5]++
}
$4 == "c11" { generics[$1]++ }

END {
    if (mode == "table") print_table()
    if (mode == "names") print "#ifndef NAMES\n#define NAMES " n "\n#endif"
    exit failed
}

function name_family(family, words)
{
    order[++families] = family
    text[family] = words
}

function shown(count)
{
    return count > 0 ? count " " : ""
}

function print_line(words, old, new, generic)
{
    print "| " words " | " shown(old) "| " shown(new) "| " old + new " | " shown(generic) "|"
}

function print_table(    i, f, sum)
{
    for (i = 1; i <= families; i++) {
        f = order[i]
        print_line(text[f], functions[f, "1.5"], functions[f, "1.6"], generics[f])
        sum[1] += functions[f, "1.5"]; sum[2] += functions[f, "1.6"]; sum[3] += generics[f]
    }
    print_line("**all**", sum[1], sum[2], sum[3])
}
