# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For scripts that run gdb, after tap.sh:
#
#   gdb_lacks    prints why gdb cannot be used here; nothing if it can
#   shows NAME REGEX...   a verdict: $output.all, what gdb said, has a line for each of them

gdb_lacks()
{
    # shellcheck disable=SC2016 # a variable of gdb
    if ! command -v gdb >/dev/null; then
        echo "no gdb"
    elif ! gdb -nx -batch -ex 'python print("python")' 2>&1 | grep -qx python; then
        echo "gdb has no Python"
    elif ! gdb -nx -batch -ex run -ex 'print $_exitcode + 0' true 2>&1 | grep -q '= 0$'; then
        echo "gdb may not run a program here"
    fi
}

shows()
{
    name=$1
    shift
    verdict=ok
    for expected; do
        grep -Exq -e "$expected" "$output.all" || verdict="no line: $expected"
    done
    result "$verdict" "$name"
    # What gdb said is shown once.
    [ "$verdict" = ok ] || echo "see above" >"$output"
}
