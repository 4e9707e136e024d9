#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# CUDA programs with -fsanitize=address, thread and undefined: what is wrong in their kernels
# is told with its line, and of right ones nothing is.  tests/api/tools.sh has the host device's
# own part.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
sources=$srcdir/tests/cuda/mistakes
nvcc_libraries
workers=1

# run PROGRAM CASE: without a variable that a user would have to set, but for the status.
run()
{
    env ASAN_OPTIONS=exitcode=9 TSAN_OPTIONS=exitcode=9 ANYSHMEM_HOSTDEV_WORKERS="$workers" \
        timeout -k 5 "${TEST_TIMEOUT:-100}" "$scratch/$1" "$2" >"$output" 2>&1 </dev/null
}

# finds PROGRAM SOURCE CASE REGEX: the report has the words and the line.
finds()
{
    run "$1" "$3"
    status=$?
    verdict=ok
    [ "$status" -eq 9 ] || verdict="status $status"
    grep -Eq "$4" "$output" || verdict="$verdict; no $4"
    at=$(nvcc_line "$sources/$2" "$3")
    grep -q "$2:$at" "$output" || verdict="$verdict; not of line $at"
    result "$verdict" "$1 finds $3, $workers workers"
}

# silent PROGRAM
silent()
{
    for workers in 1 3; do
        run "$1" right
        status=$?
        verdict=ok
        [ "$status" -eq 0 ] || verdict="status $status"
        [ "$(cat "$output")" = "done" ] || verdict="$verdict, it says more than done"
        result "$verdict" "$1 finds nothing in what is right, $workers workers"
    done
    workers=1
}

# can SANITIZER: it is there, and a program with it runs: some machines' addresses are none for it.
can()
{
    nvcc_can "$1" || {
        skipped "clang has none, or it does not run here" "-fsanitize=$1"
        return 1
    }
}

jobs()
{
    if ! "$srcdir/tests/launch" 2 true >"$output" 2>&1 || grep -q '^1\.\.0 # SKIP' "$output"; then
        skipped "no launcher" "programs of 2 PEs"
        return 1
    fi
}

if can address; then
    nvcc_build memory "$sources/memory.cu" -g -fsanitize=address
    silent memory
    overflow='(heap|stack|global)-buffer-overflow'
    for one in global local shared dynamic device atomic; do
        finds memory memory.cu "$one" "$overflow"
    done
    finds memory memory.cu freed heap-use-after-free
    nvcc_build memory-O2 "$sources/memory.cu" -g -fsanitize=address -O2
    finds memory-O2 memory.cu shared "$overflow"
    # clang's runtime is in the program, so libraries that a PE loads see it as well.
    if jobs; then
        nvcc_build memory-of-pes "$sources/memory.cu" -g -fsanitize=address -DWITH_NVSHMEM
        timeout -k 5 100 "$srcdir/tests/launch" 2 "$scratch/memory-of-pes" right >"$output" 2>&1
        verdict=$?
        [ "$verdict" -ne 0 ] || verdict=ok
        [ "$(grep -c '^done$' "$output")" -eq 2 ] || verdict="$verdict: not every PE came to its end"
        ! grep -q AddressSanitizer "$output" || verdict="$verdict: there is a report"
        result "$verdict" "2 PEs, AddressSanitizer finds nothing in what is right"
        timeout -k 5 100 "$srcdir/tests/launch" 2 "$scratch/memory-of-pes" shared >"$output" 2>&1
        grep -q "memory.cu:$(nvcc_line "$sources/memory.cu" shared)" "$output"
        verdict $? "2 PEs, AddressSanitizer finds shared"
    fi
fi
if can thread; then
    nvcc_build races "$sources/races.cu" -g -fsanitize=thread
    silent races
    for one in blocks single after_barrier no_barrier reduction plain_sum; do
        finds races races.cu "$one" 'data race'
    done
    workers=3
    finds races races.cu blocks 'data race'
    finds races races.cu streams 'data race'
fi
if can undefined; then
    nvcc_build undefined "$sources/undefined.cu" -g -fsanitize=undefined
    "$scratch/undefined" >"$output" 2>&1
    for one in overflow shift; do
        at=$(nvcc_line "$sources/undefined.cu" "$one")
        grep -q "undefined.cu:$at:.*runtime error" "$output"
        verdict $? "undefined finds $one"
    done
fi
plan
