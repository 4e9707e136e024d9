# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For scripts that print TAP: . "${srcdir:-.}/tests/support/tap.sh"
#
#   $output               a file for what the case at hand prints; goes at exit,
#                         like all that are called $output.SOMETHING
#   result VERDICT NAME   one line of TAP; a VERDICT that is not "ok" says what is
#                         wrong, and $output is shown
#   skipped REASON NAME   a case that cannot run here
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

skipped()
{
    number=$((number + 1))
    echo "ok $number - $2 # SKIP $1"
}

plan()
{
    echo "1..$number"
    exit "$failed"
}
