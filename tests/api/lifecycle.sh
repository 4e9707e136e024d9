#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A start and an end of the library at unusual moments: in exit handlers, with signals,
# without memory, and with a PE that is killed.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/lifecycle
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

# shellcheck source=tests/support/runs.sh
. "$srcdir/tests/support/runs.sh"
# Looks, 10 ms apart: on a machine that is busy these take as much longer as the PEs do.
looks=20
! busy || looks=60

pes() { sed -n 's/^.*lifecycle: process //p' "$output"; }

# The launcher has ended: all four PEs are gone soon, or $verdict says what is wrong.
all_gone()
{
    verdict=ok
    [ "$(pes | grep -c .)" -eq 4 ] || verdict="not four PEs"
    left=$looks
    for pid in $(pes); do
        while runs "$pid" && [ "$left" -gt 0 ]; do
            left=$((left - 1))
            sleep 0.01
        done
        ! runs "$pid" || verdict="process $pid is left after $looks looks, 10 ms apart"
    done
}

# The launcher has seen the end of PE 1, too, and ends the others: when it returns, they are gone.
for path in "" all; do
    ANYSHMEM_DISABLE_DIRECT=$path
    export ANYSHMEM_DISABLE_DIRECT
    [ -n "$path" ] || unset ANYSHMEM_DISABLE_DIRECT
    job 4 "$program" killed
    all_gone
    [ "$status" -ne 0 ] || verdict="status 0"
    result "$verdict" "nothing is left when the launcher has ended${path:+ (through the proxy)}"
done
unset ANYSHMEM_DISABLE_DIRECT

# It is killed: each PE finds that by itself, and at once.
what="nothing is left when the launcher was killed"
case ${LAUNCHER##*/} in
    prterun* | mpirun* | mpiexec*)
        # What it leaves in files is removed with the output.
        mkdir "$output.tmp"
        TMPDIR=$output.tmp "$launch" 4 "$program" orphans >"$output" 2>&1 </dev/null &
        job=$!
        tries=0
        while [ "$(pes | grep -c .)" -lt 4 ] && [ "$tries" -lt 200 ]; do
            tries=$((tries + 1))
            sleep 0.1
        done
        parent=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$(pes | head -n 1)/status")
        if grep -q 'run' "/proc/${parent:-none}/comm"; then
            kill -KILL "$parent"
            all_gone
        else
            verdict="PE 0 is no child of the launcher"
        fi
        wait "$job"
        result "$verdict" "$what"
        ;;
    *) skipped "of this launcher PEs are no children" "$what" ;;
esac
plan
