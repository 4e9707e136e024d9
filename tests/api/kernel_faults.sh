#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What is said of kernels that are wrong: which kernel, block and thread; and of one that hangs,
# by SIGUSR1, which threads wait for what, and where.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"
abs_libs=$(cd "$builddir/.libs" && pwd -P) || exit 99
if sanitized; then
    echo "1..0 # SKIP a sanitizer must come first, nothing can be linked by hand"
    exit 0
fi
# shellcheck disable=SC2086 # a compiler with its options
if ! $CC -std=gnu11 -O1 -g -rdynamic -D_GNU_SOURCE -I"$builddir/include" -I"$srcdir/include" \
    -I"$srcdir" "$srcdir/tests/unit/hostdev/kernel_faults.c" -o "$output.program" -L"$abs_libs" \
    -lanyshmem -Wl,-rpath,"$abs_libs" -lpthread >"$output" 2>&1; then
    result "no program" "it is compiled"
    plan
fi

run()
{
    env ANYSHMEM_HOSTDEV_WORKERS=1 timeout -k 5 "${TEST_TIMEOUT:-60}" "$output.program" "$1" \
        >"$output" 2>&1 </dev/null
}

# wrong CASE "WHAT HAPPENED" "REGULAR EXPRESSION": the program ends with one line.
wrong()
{
    run "$1"
    status=$?
    verdict=ok
    [ "$status" -eq 70 ] || verdict="status $status"
    grep -Eq "error: $3\$" "$output" || verdict="another message"
    [ "$verdict" != ok ] || fault use "$2" "$(cat "$output")"
    result "$verdict" "$1"
}

place='kernel_of_test, block 0,0,0, thread'
wrong lane "a kernel: a lane is not in the mask of its own warp operation" \
    "the mask of a warp operation does not name the calling lane \($place 4,0,0\)"
wrong different "a kernel: lanes of one mask call different operations" \
    "lanes of a warp are in different operations with the same mask \($place 1,0,0\)"
wrong deadlock "a kernel: its threads wait in barriers that cannot open" \
    "kernel deadlock: its threads wait in different barriers \(.* 31,0,0 waits for __syncthreads\)"
wrong plain_grid "a kernel: a barrier of the grid without a cooperative launch" \
    "a grid barrier needs a cooperative launch \($place 0,0,0\)"
wrong number "a kernel: a barrier with a number that there is not" \
    "a barrier of a block has a number from 0 to 15 \($place 0,0,0\)"
wrong assert "a kernel: an assertion fails" \
    'program.cu:17: assertion "n < 5" failed \(kernel_of_test, block 1,0,0, thread 5,0,0\)'

run hang
verdict=ok
for expected in \
    'report: kernel kernel_of_test, 2,1,1 blocks of 32,1,1 threads, of which 64 have .*' \
    "report:   block 0,0,0, thread 0,0,0 and 31 others: waits for the grid's barrier at .*" \
    'report:   block 1,0,0, thread [0-9]+,0,0 and .*: waits for what it polls at .*(program|kernel_faults\.c:[0-9]+).*'; do
    grep -Eq "$expected" "$output" || verdict="no line: $expected"
done
result "$verdict" "a report of a kernel that hangs"
faults_match
plan
