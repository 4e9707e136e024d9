#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/api/faults.md and the functions that make and compare it.

srcdir=$(cd "${srcdir:-.}" && pwd) || exit 99
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
page=$srcdir/tests/api/faults.md
order=$(sed -n '/^fault_tests = /,/[^\\]$/s|.*/\([a-z_0-9]*\)\.sh.*|\1|p' "$srcdir/tests/api/local.am")
tests=$(sed -nE '/what is said/d;s/^\| .* \| ([a-z_0-9]+) \|$/\1/p' "$page" | sort -u)

verdict=ok
for test in $tests; do
    [ -f "$srcdir/tests/api/$test.sh" ] || [ -f "$srcdir/tests/multihost/$test.sh" ] ||
        verdict="no test $test"
    echo "$order" | grep -qx "$test" ||
        verdict="$test is not in fault_tests"
done
[ "$(echo "$tests" | grep -c .)" -ge 4 ] || verdict="only $tests"
result "$verdict" "each row names its test"

# The page as it would be written if nothing had run: no row is lost, none moves.
mkdir "$output.build"
# shellcheck disable=SC2086,SC2097,SC2098 # a list of words; the same folder
srcdir=$srcdir builddir=$output.build "$srcdir/tests/support/faults_table.sh" $order \
    >"$output.page" 2>"$output"
diff "$page" "$output.page" >>"$output" 2>&1 && verdict=ok || verdict="it would change"
result "$verdict" "tests/api/faults.md is as faults_table.sh writes it"

grep -q '](api/faults\.md)' "$srcdir/tests/README.md" && verdict=ok || verdict="no link"
result "$verdict" "tests/README.md points to it"

# sample TEXT ROW [SED...]: what becomes of a message.
sample()
{
    text=$1
    row=$2
    shift 2
    (
        srcdir=$srcdir builddir=$output.build FAULT_TEST=sample
        . "$srcdir/tests/support/faults.sh"
        fault use "it" "$text" "$@"
        cat "$fault_rows"
    ) >"$output" 2>&1
    [ "$(cat "$output")" = "use | it | $row | sample |" ] && verdict=ok || verdict="not $row"
    result "$verdict" "a message becomes $row"
}

here=$(uname -n)
sample "anyshmem: PE 1/2 on $here: error: f: dest 0x7f0123456780 is bad" '`f: dest ADDRESS is bad`'
sample "anyshmem: error: X=a|b: no, see 0x0" '`X=a\|b: no, see 0x0`'
sample "anyshmem: PE 0/64 on n1.cluster: warn: PE 2 (process 4711 on $here) is gone" \
    '`warn: PE 2 (process N on HOST) is gone`'
sample "anyshmem: error: no variable of anyshmem: error" '`no variable of anyshmem: error`'
sample "anyshmem: error: cannot open /tmp/tmp.123/x.log: no" '`cannot open PATH: no`'
sample "anyshmem: error: 42 files of \`a\`" '`N files of '"'a'"'`' 's/^[0-9]+/N/'
sample "anyshmem: error: one
anyshmem: error: two" '`one`<br>`two`'

# match TEXT: what faults_match says of a page that has the row of "old".
match()
{
    (
        builddir=$output.build FAULT_TEST=sample FAULT_TABLE=$output.table
        printf '<!-- section use -->\n| it | `old` | sample |\n| it | `x` | other |\n' \
            >"$FAULT_TABLE"
        number=0
        . "$srcdir/tests/support/faults.sh"
        [ -z "$1" ] || fault use it "$1"
        [ -n "$1" ] || fault_skipped use it
        faults_match
    ) >"$output.match" 2>&1
    grep -c '^ok 1 - ' "$output.match"
}
: >"$output"
[ "$(match old)" = 1 ] && verdict=ok || verdict="a difference"
result "$verdict" "the same message matches"
[ "$(match)" = 1 ] && verdict=ok || verdict="a difference"
result "$verdict" "what cannot be provoked here stays"
[ "$(match new)" = 0 ] && verdict=ok || verdict="no difference"
result "$verdict" "another message is found"
# nothing provoked: the committed row is one too many
(
    builddir=$output.build FAULT_TEST=other FAULT_TABLE=$output.table
    . "$srcdir/tests/support/faults.sh"
    faults_match
) >"$output.match" 2>&1
grep -q '^not ok' "$output.match" && verdict=ok || verdict="no difference"
result "$verdict" "a row that nothing provoked is found"

plan
