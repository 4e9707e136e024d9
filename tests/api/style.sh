#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# No warning of shellcheck for the scripts, none of codespell for the words, no line that
# ends with a blank, none of C that is longer than .clang-format says, no function of
# the library with more than 7 arguments, and no assertion without a test.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/together.sh
. "$srcdir/tests/support/together.sh"
cd "$srcdir" || exit 99
# Without the repository nobody knows which files are ours.
if [ ! -e .git ] || ! git ls-files >/dev/null 2>&1; then
    echo "1..0 # SKIP not a git checkout"
    exit 0
fi
# What is ours to word: no patches and no pictures, nor what others wrote.
git ls-files -z | xargs -0 ls -d 2>/dev/null |
    grep -vE '^(COPYING|.*\.(png|pgm|svg|json|tsv|txt|patch))$' >"$output.files"

# Commands that look at the scripts; what scripts read may use variables of those,
# and have others for them.
check='shellcheck -x -P SCRIPTDIR -S warning -f gcc'
while read -r file; do
    read -r line <"$file"
    case $line in
        '#!/bin/sh' | '#!/bin/bash') echo "$check '$file'" ;;
        *) ! grep -q '^# shellcheck shell=' "$file" || echo "$check -e SC2034,SC2154 '$file'" ;;
    esac
done <"$output.files" >"$output.commands" 2>/dev/null
what="shellcheck has no warning"
if command -v shellcheck >/dev/null; then
    mkdir "$output.said"
    together "$output.said" <"$output.commands"
    cat "$output.said"/* | grep -vx '[0-9]*' >"$output"
    [ "$(grep -c . "$output.commands")" -gt 50 ] || echo "few scripts" >>"$output"
    [ ! -s "$output" ]
    verdict $? "$what"
else
    skipped "no shellcheck" "$what"
fi

# mdoc's macros, a manual's two letters, and words that are right.
right=nd,fo,ue,fro,iput,cancelability,get\'s,ges,occured
what="codespell knows the words"
if command -v codespell >/dev/null; then
    xargs codespell -L "$right" <"$output.files" >"$output" 2>&1
    [ ! -s "$output" ]
    verdict $? "$what"
else
    skipped "no codespell" "$what"
fi

xargs grep -nE '[[:blank:]]+$' <"$output.files" >"$output"
[ ! -s "$output" ]
verdict $? "no line ends with a blank"

columns=$(sed -n 's/^ColumnLimit: //p' .clang-format)
grep -E '\.(c|h|def|cc|cu)$' "$output.files" |
    xargs awk -v most="$columns" 'length($0) > most { print FILENAME ":" FNR }' >"$output"
[ -n "$columns" ] && [ ! -s "$output" ]
verdict $? "no line of C has more than $columns columns"

grep -E '^(device|proxy|lib)/.*\.(c|h|def|cc|cu)$' "$output.files" |
    xargs awk -v most=7 -f tests/api/arguments.awk >"$output"
# The last line is the number of definitions.
awk '/^definitions / && $2 > 1000 { seen = 1; next } { bad = 1 } END { exit !seen || bad }' "$output"
verdict $? "no function of device, proxy and lib has more than 7 arguments"

# A row of its table is a case.
asserts=$(git grep -h '^ *ASH_ASSERT(' -- device proxy lib | grep -c .)
cases=$(grep -cE '^    [{]"[a-z_]+", "' tests/unit/proxy/asserts.c)
[ "$asserts" -ge 14 ] && [ "$asserts" -eq "$cases" ] && verdict=ok ||
    verdict="$asserts assertions, $cases cases"
result "$verdict" "tests/unit/proxy/asserts.c has a case for each ASH_ASSERT"
plan
