#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A program without standard input, output or error: nothing that it writes there comes
# into the library's files.

program=${builddir:-.}/tests/api/closed
launch=${srcdir:-.}/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
NVSHMEM_DEBUG=INFO
TEST_TIMEOUT=50
# Else a thread that UCX 1.18 starts when it is loaded may take a number that the program has
# just closed, before the library is started.
UCX_VFS_ENABLE=n
export NVSHMEM_DEBUG TEST_TIMEOUT UCX_VFS_ENABLE

for numbers in 0 1 2 02 12 012; do
    for path in "" uid; do
        # shellcheck disable=SC2086 # a word or none
        LAUNCHER=none "$launch" 1 "$program" $numbers $path >"$output" 2>&1
        verdict $? "alone, without $numbers${path:+, by $path}"
    done
done
# A reader that has gone: what the library would say is lost, and no more.
{
    sleep 0.3
    LAUNCHER=none "$launch" 1 "$program" - 2>&1 >/dev/null
    echo $? >"$output.status"
} | true
: >"$output"
verdict "$(cat "$output.status")" "alone, into a pipe without a reader"

for numbers in 2 012; do
    for path in "" ANYSHMEM_DISABLE_DIRECT=all; do
        # shellcheck disable=SC2086 # a word or none
        env $path "$launch" 2 "$program" $numbers >"$output" 2>&1
        status=$?
        if grep -q '^1\.\.0 # SKIP' "$output"; then
            skipped "$(sed -n 's/^1\.\.0 # SKIP //p' "$output")" "2 PEs, without $numbers"
        else
            verdict $status "2 PEs, ${path:-direct}, without $numbers"
        fi
    done
done
plan
