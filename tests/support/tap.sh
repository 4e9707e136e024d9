# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For scripts that print TAP: . "${srcdir:-.}/tests/support/tap.sh"
#
#   $output               a file for the output of the current case; removed at exit,
#                         like all files called $output.SOMETHING
#   result VERDICT NAME   one line of TAP; a VERDICT that is not "ok" says what is
#                         wrong, and $output is shown
#   verdict STATUS NAME   the same for a command's status
#   nothing NAME [WRONG]  the same: ok if $output, or WRONG if it is given, is empty
#   refuses PROGRAM "ARGUMENTS" REGEX   one result: PROGRAM ends with 2 and prints
#                         "PROGRAM: ... REGEX"
#   skipped REASON NAME   a case that cannot run here
#   no_jobs               leave with a SKIP where there is no launcher
#   no_settings           unset the variables of the library and of UCX, whoever set them
#   sanitized             see sanitized.sh
#   plan                  the last line; the script's status

# shellcheck source=tests/support/sanitized.sh
. "${srcdir:-.}/tests/support/sanitized.sh"
number=0
failed=0
output=$(mktemp) || exit 99
trap 'rm -rf "$output" "$output".*' EXIT
trap 'exit 99' HUP INT TERM

result()
{
    number=$((number + 1))
    if [ "$1" = ok ]; then
        echo "ok $number - $2"
        return
    fi
    echo "not ok $number - $2: $1"
    sed 's/^/# /' "$output"
    failed=1
}

verdict()
{
    if [ "$1" -eq 0 ]; then result ok "$2"; else result "see below" "$2"; fi
}

nothing()
{
    [ $# -eq 1 ] || echo "$2" | sed '/^$/d' >"$output"
    if [ -s "$output" ]; then result "see below" "$1"; else result ok "$1"; fi
}

refuses()
{
    # shellcheck disable=SC2086 # a list of words
    "$1" $2 >"$output" 2>&1
    status=$?
    if [ "$status" -eq 2 ] && grep -q "^${1##*/}: .*$3" "$output"; then
        result ok "refused: $2"
    else
        result "status $status, not 2, or no message" "refused: $2"
    fi
}

skipped()
{
    number=$((number + 1))
    echo "ok $number - $2 # SKIP $1"
}

no_jobs()
{
    if ! "${srcdir:-.}/tests/launch" 2 true >"$output" 2>&1; then
        echo "Bail out! the launcher does not work: $(head -n 3 "$output")"
        exit 99
    fi
    if grep -q '^1\.\.0 # SKIP' "$output"; then
        cat "$output"
        exit 0
    fi
}

no_settings()
{
    for name in $(env | sed -nE 's/^(([A-Z]*SHMEM|UCX)_[A-Z0-9_]*)=.*/\1/p'); do unset "$name"; done
}

plan()
{
    echo "1..$number"
    exit "$failed"
}
