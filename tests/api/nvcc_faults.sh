#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What CUDA programs say of themselves, and what is said of them: printf and assert in kernels;
# faults of the machine in a kernel, with kernel, block, thread and line; and, by SIGUSR1, what
# threads of a kernel that hangs wait for, also in a program that does not use NVSHMEM.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"
sources=$srcdir/tests/cuda/mistakes
nvcc_libraries
export ANYSHMEM_HOSTDEV_WORKERS=1
command -v addr2line >/dev/null || nvcc_leave "no addr2line, so no lines"

# wrong CASE "WHAT HAPPENED" "REGULAR EXPRESSION" [LINE]: it ends with one line of ours.
wrong()
{
    timeout -k 5 60 "$scratch/faults" "$1" >"$output" 2>&1 </dev/null
    status=$?
    at=${4:+" at .*faults\.cu:$4 \(.*\)"}
    verdict=ok
    [ "$status" -eq 70 ] || verdict="status $status"
    grep -Eq "^anyshmem: error: $3$at \($1\(int\*, int\), block 1,0,0, thread 1,0,0\)\$" "$output" ||
        verdict="another message"
    [ "$verdict" != ok ] || fault use "$2" "$(grep '^anyshmem: error:' "$output")" \
        's|at [^ ]*/([a-z]+\.cu)|at \1|g'
    result "$verdict" "$1"
}

nvcc_build prints "$sources/prints.cu"
"$scratch/prints" >"$scratch/printed" 2>&1
grep -v '^thread' "$scratch/printed" >"$scratch/lines"
cat >"$scratch/expected" <<'END'
-1    42|42   |00042 7 4000000000 ff FF 010
-5 5 1234567890123 11f71fb04cb 4
1.500000 2.35    3.142|1.234568e+04 0.0001 1E+20 0x1p+0
text|     right|left      |cut|text of the device
ab %     42|42    |3.14
-3 -4 0x1234
no arguments
1 two 3.000000 4 5 6 seven 8.000000 9 10
1 2
returns 2
END
diff "$scratch/expected" "$scratch/lines" >"$output"
verdict $? "printf in a kernel: each conversion"
# Lines of a thread are in its order, and none is missing or torn.
sort -s -k2,2n "$scratch/printed" | grep '^thread' >"$scratch/lines"
for thread in 0 1 2 3 4 5 6 7; do
    for round in 0 1 2; do
        echo "thread $thread round $round"
    done
done | diff - "$scratch/lines" >"$output"
verdict $? "printf in a kernel: the lines of each thread, in its order"

nvcc_build faults "$sources/faults.cu" -g
timeout -k 5 60 "$scratch/faults" asserted >"$output" 2>&1 </dev/null
status=$?
at=$(nvcc_line "$sources/faults.cu" asserted)
verdict=ok
[ "$status" -eq 70 ] || verdict="status $status"
# As CUDA prints it.
grep -Eq "^.*faults\.cu:$at: .*asserted\(int ?\*, int\): block: \[1,0,0\], thread: \[1,0,0\] Assertion \`threadIdx.x < 1 \|\| blockIdx.x != 1\` failed\.\$" \
    "$output" || verdict="not CUDA's line"
grep -Eq "error: .*faults\.cu:$at: an assertion failed .*block 1,0,0, thread 1,0,0\)\$" "$output" ||
    verdict="no error"
grep -qx 'before the assertion' "$output" || verdict="what was printed before is lost"
! grep -qx 'done' "$output" || verdict="the program goes on"
result "$verdict" "assert"
wrong null "a CUDA kernel: NULL is dereferenced" 'illegal memory access: write of 0x0' \
    "$(nvcc_line "$sources/faults.cu" null)"
wrong wild "a CUDA kernel: a number is taken for an address" 'illegal memory access.*' \
    "$(nvcc_line "$sources/faults.cu" wild)"
wrong trap "a CUDA kernel: a trap" 'trap' \
    "$(nvcc_line "$sources/faults.cu" trap)"
overflow='the stack of [0-9]+ bytes is too small, see ANYSHMEM_HOSTDEV_STACK: overflow at .*'
wrong stack "a CUDA kernel: its calls are too deep" "$overflow"
wrong frame "a CUDA kernel: its local variables are too large" "$overflow"

# hangs PROGRAM COMMAND...
hangs()
{
    program=$1
    shift
    timeout -k 5 60 "$@" >"$output" 2>&1 </dev/null
    verdict=ok
    poll=$(nvcc_line "$sources/hang.cu" poll) barrier=$(nvcc_line "$sources/hang.cu" barrier)
    for expected in \
        'report: kernel hang\(int\*\), 2,1,1 blocks of 32,1,1 threads, of which 34 have .*' \
        "report:   block 0,0,0, thread 0,0,0 and 30 others: waits for __syncthreads at .*hang.cu:$barrier \(.*" \
        "report:   block 0,0,0, thread 31,0,0: waits for what it polls at .*hang.cu:$poll \(.*" \
        "report:   block 1,0,0, thread 0,0,0 and 1 others: waits for what it polls at .*hang.cu:$poll \(.*"; do
        grep -Eq "$expected" "$output" || verdict="no line: $expected"
    done
    grep -q 'still there' "$output" || verdict="$verdict; the signal has ended it"
    result "$verdict" "$program: a report of a kernel that hangs"
}

# Optimized or not.
for level in -O0 -O2; do
    nvcc_build "hang$level" "$sources/hang.cu" -g "$level"
    hangs "hang$level" "$scratch/hang$level"
done
nvcc_build hang-of-PEs "$sources/hang.cu" -g -DWITH_NVSHMEM
hangs "hang-of-PEs" "$scratch/hang-of-PEs"
faults_match
plan
