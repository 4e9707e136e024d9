#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A start and an end of the library at unusual moments: in exit handlers, with signals,
# without memory, and with a PE that is killed.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/lifecycle
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs

for path in "" all; do
    ANYSHMEM_DISABLE_DIRECT=$path
    export ANYSHMEM_DISABLE_DIRECT
    [ -n "$path" ] || unset ANYSHMEM_DISABLE_DIRECT
    how=${path:+ (through the proxy)}
    job 2 "$program" exit-handler
    works "nvshmem_finalize in an exit handler registered before nvshmem_init$how"
    job 2 "$program" destructor
    works "nvshmem_finalize in the program's destructors$how"

    job 2 "$program" signals
    works "SIGUSR1 while the library starts, and after its end$how"
done
unset ANYSHMEM_DISABLE_DIRECT

# A job of one PE has nobody who waits for it; the program may do without the library.
TEST_TIMEOUT=30
if sanitized; then
    skipped "a sanitizer needs the memory that is forbidden here" "a start that fails"
else
    job 0 env -u PMIX_NAMESPACE -u PMIX_RANK "$program" no-memory
    verdict=$(said error "cannot make a symmetric heap of .*")
    [ "$status" -eq 0 ] || verdict="status $status"
    grep -q '^lifecycle: lives' "$output" || verdict="it does not live on"
    result "$verdict" "a start that fails: a job of one PE lives on"
    for path in "" all; do
        ANYSHMEM_DISABLE_DIRECT=$path
        export ANYSHMEM_DISABLE_DIRECT
        [ -n "$path" ] || unset ANYSHMEM_DISABLE_DIRECT
        job 2 "$program" no-memory
        verdict=$(said error "(cannot make a symmetric heap of|PE 1 did not start the library,) .*")
        grep -q 'cannot make' "$output.error" || verdict="PE 1 does not say why"
        [ "$status" -ne 0 ] || verdict="status 0"
        [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
        ! grep -q 'the start returned' "$output" || verdict="it returned"
        result "$verdict" "a start that fails: a job of several PEs ends${path:+ (through the proxy)}"
    done
fi

# The launcher has seen the end of PE 1, too, and ends the others: when it returns, they are gone.
# shellcheck source=tests/support/runs.sh
. "$srcdir/tests/support/runs.sh"
limit=200
! busy || limit=1000
for path in "" all; do
    ANYSHMEM_DISABLE_DIRECT=$path
    export ANYSHMEM_DISABLE_DIRECT
    [ -n "$path" ] || unset ANYSHMEM_DISABLE_DIRECT
    job 4 "$program" killed
    ended=$(date +%s%N)
    verdict=ok
    pids=$(sed -n 's/^.*lifecycle: process //p' "$output")
    [ "$(echo "$pids" | grep -c .)" -eq 4 ] || verdict="not four PEs"
    for pid in $pids; do
        while runs "$pid" && [ $((($(date +%s%N) - ended) / 1000000)) -le "$limit" ]; do
            sleep 0.01
        done
        ! runs "$pid" || verdict="process $pid is left after $limit ms"
    done
    [ "$status" -ne 0 ] || verdict="status 0"
    result "$verdict" "nothing is left when the launcher has ended${path:+ (through the proxy)}"
done
plan
