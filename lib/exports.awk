# SPDX-License-Identifier: BSD-3-Clause
#
# Write the version script, lib/anyshmem.map, of what lib/exports lists.
function end_node()
{
    if (nodes == 1) print "local:\n    *;"
    if (nodes > 0) print "};"
}

# Each name that a row stands for.
function expand(row,    before, inner, after, words, n, i)
{
    if (!match(row, /<[a-z_]+>|[{][a-z0-9_,]*[}]/)) {
        print "    " row ";"
        return
    }
    before = substr(row, 1, RSTART - 1)
    inner = substr(row, RSTART + 1, RLENGTH - 2)
    after = substr(row, RSTART + RLENGTH)
    if (substr(row, RSTART, 1) == "<") {
        if (!(inner in types)) {
            print FILENAME ":" FNR ": there are no types " inner > "/dev/stderr"
            exit failed = 1
        }
        inner = types[inner]
    }
    n = split(inner, words, ",")
    for (i = 1; i <= n; i++) expand(before words[i] after)
}

/^#/ || NF == 0 { next }
$1 == "types" {
    for (i = 3; i <= NF; i++) types[$2] = types[$2] == "" ? $i : types[$2] "," $i
    next
}
$1 == "node" {
    end_node()
    nodes++
    print $2 " {\nglobal:"
    next
}
{ expand($0) }
END { if (!failed) end_node() }
