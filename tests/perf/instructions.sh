#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Count the instructions of one call of each routine that sends or receives a
# request, and of a wait that is met at once, exactly, with callgrind, and compare
# them with the goals.
#
# usage: instructions.sh PROGRAM     (the program made of instructions.c)
set -eu

program=${1:-$(dirname "$0")/instructions}
calls=1000
[ -x "$program" ] || { echo "$0: no program $program" >&2; exit 2; }
if ! command -v valgrind >/dev/null 2>&1; then
    echo "1..0 # SKIP valgrind is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# count NAME: instructions per call, those of what it calls included.
count() {
    timeout 60 valgrind --tool=callgrind --collect-atstart=no --toggle-collect="count_$1" \
        --callgrind-out-file="$scratch/$1" "$program" "$1" "$calls" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        exit 2
    }
    awk -v calls="$calls" '/^(summary|totals):/ { printf "%.1f\n", $2 / calls; exit }' "$scratch/$1"
}

printf '%-14s %6s %6s\n' name Ir goal
missed=0
while read -r name goal; do
    found=$(count "$name")
    printf '%-14s %6s %6s\n' "$name" "$found" "$goal"
    if [ -z "$found" ] || awk -v f="$found" -v g="$goal" 'BEGIN { exit !(f > g) }'; then
        missed=$((missed + 1))
    fi
done <<EOF
amo 21
amo_bare 10
put 33
p 32
add 32
compare_swap 32
put_signal 39
pop 32
quiet 8
fence 8
wait 20
EOF
"$program" checks 1 | grep -v "^checks"
[ "$missed" -eq 0 ] || echo "$missed above their goal" >&2
exit $((missed != 0))
