#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions of one call of what programs call most, counted exactly, with
# callgrind: none has more than its limit in instructions.tsv.
#
# The limits are those of gcc 12 with -O2 on x86-64, and what was measured; another
# gcc may need a tenth more.

# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
program=${builddir:-.}/tests/perf/instructions
table=${srcdir:-.}/tests/perf/instructions.tsv

skip_all()
{
    echo "1..0 # SKIP $*"
    exit 0
}

if [ -z "${VALGRIND:-}" ]; then VALGRIND=$(command -v valgrind); fi
[ -n "$VALGRIND" ] || skip_all "valgrind is not installed"
# shellcheck disable=SC2086 # words
defined=$(${CC:-gcc} ${CFLAGS:-} -dM -E - </dev/null 2>/dev/null) # as it was compiled
is_defined() { echo "$defined" | grep -q "^#define $1\>"; }
is_defined __x86_64__ || skip_all "the limits are for x86-64"
{ is_defined __GNUC__ && ! is_defined __clang__; } || skip_all "the limits are for gcc"
case " ${CFLAGS:-} " in
    *" -O2 "*) ;;
    *) skip_all "the limits are for -O2, not for ${CFLAGS:-no options}" ;;
esac
case " ${CFLAGS:-} " in
    *" -O"[!2]* | *" -f"[!fd]* | *" -m"* | *" --coverage "*)
        skip_all "the limits are for -O2 alone, not for $CFLAGS"
        ;;
esac
slack=10
if is_defined '__GNUC__ 12'; then slack=0; fi
landing=0
if is_defined __CET__; then landing=1; fi # each function begins with endbr64

if ! timeout 120 "$VALGRIND" --tool=callgrind --compress-strings=no --compress-pos=no \
    --callgrind-out-file="$output.callgrind" "$program" >"$output.calls" 2>"$output"; then
    result "valgrind $program" "the calls run"
    plan
fi

# Lines "NAME VALUE": of each case, what is called by case_NAME, for one call.
awk '
    FNR == 1 { file++ }
    file == 1 && $1 == "calls" { calls[$2] = $3 * $4 }
    file == 1 && $1 == "found" { print $2, $3 }
    file == 2 && /^fn=/ { name = /^fn=case_/ ? substr($0, 9) : "" }
    file == 2 && /^calls=/ { inclusive = 1; next }
    file == 2 && inclusive { if (name != "") total[name] += $NF; inclusive = 0 }
    END {
        for (name in calls)
            if (name in total) printf "%s %.2f\n", name, total[name] / calls[name]
    }
' "$output.calls" "$output.callgrind" >"$output.found"

while read -r name limit goal what; do
    case $name in '' | '#'*) continue ;; esac
    : >"$output"
    found=$(awk -v name="$name" '$1 == name { print $2 + 0 }' "$output.found")
    [ "$goal" = - ] && said= || said=", goal $goal"
    if [ -z "$found" ]; then
        verdict="was not counted"
    elif awk -v f="$found" -v l="$limit" -v s="$slack" -v e="$landing" \
        'BEGIN { exit !(f > l * (1 + s / 100) + (l > 0 ? e : 0)) }'; then
        verdict="more than the limit"
    else
        verdict=ok
    fi
    result "$verdict" "$what: ${found:-?} (limit $limit$said)"
done <"$table"
plan
