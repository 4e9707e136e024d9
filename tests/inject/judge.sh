#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What tests/inject/inject says of a process that aborts: UCX's doing is told apart, and
# nothing else passes for it.

# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"

# judged HOW "REGULAR EXPRESSION" NAME: a victim that ends so; what the cell's line is.
judged()
{
    INJECT_ABORT=$1 "${srcdir:-.}/tests/inject/inject" 1 alone:signal:0 >"$output" 2>&1
    grep -Eq "$2" "$output"
    # shellcheck disable=SC2319 # grep's status
    case $? in
        0) result ok "$3" ;;
        *) result "another verdict" "$3" ;;
    esac
}

if sanitized; then
    echo "1..0 # SKIP a sanitizer must come first, nothing can be preloaded"
    exit 0
fi
judged ucx '^ok 1 - .* ended by UCX: 1$' "UCX ends a process: the cell passes, and says so"
judged ours '^not ok 1 - .*1 bad ones' "a process aborts: the cell fails"
judged other '^not ok 1 - .*1 bad ones' "another process was ended by UCX: the cell fails"
judged elsewhere '^not ok 1 - .*1 bad ones' "UCX aborts elsewhere: the cell fails"
judged signal '^not ok 1 - .*1 bad ones' "UCX has caught a signal: the cell fails"
plan
