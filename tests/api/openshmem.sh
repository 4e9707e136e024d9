#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs of OpenSHMEM: SHMEM_ variables and their older names, how programs end without
# shmem_finalize and by shmem_global_exit, how few requests blocks take, and the names for
# profiling.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/openshmem
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs
hex='0x[0-9a-f]+'
unset NVSHMEM_SYMMETRIC_SIZE NVSHMEM_DEBUG

# heap "NAME" LARGEST MODE VARIABLE...: the heap has room for so many MiB, and not for more.
heap()
{
    name=$1
    largest=$2
    mode=$3
    shift 3
    job 0 env -u PMIX_NAMESPACE -u PMIX_RANK "$@" "$program" "$mode"
    verdict=ok
    for size in 8 64 512; do
        room=there
        [ "$size" -le "$largest" ] || room="too much"
        grep -q "^openshmem: $size MiB are $room\$" "$output" || verdict="$size MiB are not $room"
    done
    [ "$status" -eq 0 ] || verdict="status $status"
    result "$verdict" "$name"
}

heap "SHMEM_SYMMETRIC_SIZE with a letter" 64 heap SHMEM_SYMMETRIC_SIZE=80M
heap "SHMEM_SYMMETRIC_SIZE with a fraction" 8 heap SHMEM_SYMMETRIC_SIZE=0.02g
heap "SHMEM_SYMMETRIC_SIZE in k" 8 heap SHMEM_SYMMETRIC_SIZE=12288k
heap "SHMEM_SYMMETRIC_SIZE in bytes" 8 heap SHMEM_SYMMETRIC_SIZE=20000000
heap "SMA_SYMMETRIC_SIZE" 8 heap SMA_SYMMETRIC_SIZE=16M
heap "SHMEM_SYMMETRIC_SIZE, not the older name" 64 heap SHMEM_SYMMETRIC_SIZE=90M SMA_SYMMETRIC_SIZE=16M
heap "NVSHMEM_SYMMETRIC_SIZE, not OpenSHMEM's name" 64 heap SHMEM_SYMMETRIC_SIZE=8M \
    NVSHMEM_SYMMETRIC_SIZE=90M
heap "OpenSHMEM's names count for its programs alone" 512 heap_of_nvshmem SHMEM_SYMMETRIC_SIZE=16M

# alone VARIABLE...: a job of one PE.
alone()
{
    job 0 env -u PMIX_NAMESPACE -u PMIX_RANK "$@" "$program" heap
}

alone SHMEM_SYMMETRIC_SIZE=1Q
verdict=$(said error "invalid value SHMEM_SYMMETRIC_SIZE=1Q: expected a size .*")
[ "$status" -ne 0 ] || verdict="status 0"
result "$verdict" "SHMEM_SYMMETRIC_SIZE that is no size"
for prefix in SHMEM SMA; do
    alone ${prefix}_VERSION=any
    grep -q '^anyshmem' "$output" && ! grep -q '^NVSHMEM_INFO=' "$output"
    verdict $? "${prefix}_VERSION"
    alone ${prefix}_INFO=1
    grep -q '^NVSHMEM_SYMMETRIC_SIZE=.*; OpenSHMEM: SHMEM_SYMMETRIC_SIZE, SMA_SYMMETRIC_SIZE$' "$output"
    verdict $? "${prefix}_INFO"
    alone ${prefix}_INFO=0
    ! grep -q '^NVSHMEM_INFO=' "$output"
    verdict $? "${prefix}_INFO=0"
    alone ${prefix}_DEBUG=on
    grep -q '^anyshmem: .*info: .* all PEs mapped' "$output"
    verdict $? "${prefix}_DEBUG"
done

for path in "" all; do
    ANYSHMEM_DISABLE_DIRECT=$path
    export ANYSHMEM_DISABLE_DIRECT
    [ -n "$path" ] || unset ANYSHMEM_DISABLE_DIRECT
    how=${path:+ (through the proxy)}
    job 3 "$program" without_finalize
    works "the return from main ends the library$how"
    job 3 "$program" failing
    verdict=$(said error "PE 1 .* has ended without shmem_finalize.*")
    # The launcher may end the others before they say so.
    [ "$verdict" != "no message" ] || verdict=ok
    [ "$status" -ne 0 ] || verdict="status 0"
    [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
    grep -q 'warn: the program ended without shmem_finalize' "$output" || verdict="PE 1 does not warn"
    result "$verdict" "a return from main with another status does not wait$how"
    for mode in exit_in_thread exit_in_handler; do
        job 3 "$program" $mode
        verdict=ok
        [ "$status" -eq 7 ] || verdict="status $status"
        [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
        result "$verdict" "shmem_global_exit: $mode$how"
    done
    job 2 "$program" exit_in_child
    works "shmem_global_exit in a child that was forked$how"
done
# Where PE 1 is mapped, a put is done when it returns.
job 2 "$program" failing_put
verdict=ok
grep -q '^all is there$' "$output" || verdict="what PE 0 has put is lost"
[ "$status" -ne 0 ] || verdict="status 0"
result "$verdict" "a return from main with another status completes what was sent"
unset ANYSHMEM_DISABLE_DIRECT
for mode in exit_before exit_after; do
    job 0 env -u PMIX_NAMESPACE -u PMIX_RANK "$program" $mode
    verdict=ok
    [ "$status" -eq 7 ] || verdict="status $status"
    grep -q '^openshmem: ' "$output" || verdict="what it has printed is lost"
    result "$verdict" "shmem_global_exit: $mode"
done

job 2 "$program" overrun
leaves="leaves the symmetric static variables \[$hex, $hex\)"
verdict=$(said error "shmem_int_put: dest $hex \(67108864 bytes\) $leaves")
[ "$status" -ne 0 ] || verdict="status 0"
result "$verdict" "a put that leaves the static variables"

job 0 "$program" levels
works "shmem_init_thread provides the level that it is asked for"

# requests KIND: how many of this kind PE 0 has sent.
requests()
{
    awk -v kind="$1" '/^\[0\] Requests / { here = 1 }
        here && $1 == "[0]" && $2 == kind { n += $4 }
        END { print n + 0 }' "$output"
}

# 4,000 bytes, and 12,000 of which every third element is fetched, by windows of
# ASH_BLOCKS_WINDOW = 2,048 bytes.
ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_STATS=1 "$launch" 2 "$program" blocks >"$output" 2>&1 \
    </dev/null
status=$?
verdict=ok
[ "$(requests put)" -eq 2 ] || verdict="$(requests put) puts"
[ "$(requests get)" -eq 6 ] || verdict="$(requests get) gets"
[ "$status" -eq 0 ] || verdict="status $status"
result "$verdict" "ibput and ibget send many blocks in one request"

# 12,000 bytes twice.
ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_STATS=1 "$launch" 2 "$program" iget >"$output" 2>&1 </dev/null
status=$?
verdict=ok
[ "$(requests get)" -eq 12 ] || verdict="$(requests get) gets"
[ "$status" -eq 0 ] || verdict="status $status"
result "$verdict" "iget fetches many elements in one request"

# A library of a tool between the program and ours.
libs=${abs_builddir:-$(cd "${builddir:-.}" && pwd)}/.libs
if sanitized; then
    skipped "a sanitizer must come first" "a profiler counts calls by pshmem_ names"
else
    TEST_PRELOAD=$libs/profiler.so "$launch" 2 "$program" profiled >"$output" 2>&1 </dev/null
    status=$?
    verdict=ok
    grep -q '^profiler: PE 0: 8 puts, 52 elements$' "$output" || verdict="not the calls of PE 0"
    grep -q '^profiler: PE 1: 10 puts, 55 elements$' "$output" || verdict="not the calls of PE 1"
    [ "$status" -eq 0 ] || verdict="status $status"
    result "$verdict" "a profiler counts calls by pshmem_ names"
fi
plan
