#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# gdb and CUDA programs that anyshmem-nvcc has compiled with -g: stops in kernels by name and by
# line, arguments, calls with lines, and what contrib/gdb/anyshmem-gdb.py adds: indices, shared
# variables, the grids that run.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
# shellcheck source=tests/support/gdb.sh
. "$srcdir/tests/support/gdb.sh"
script=$srcdir/contrib/gdb/anyshmem-gdb.py
source=$srcdir/tests/cuda/mistakes/debugged.cu
libs=$(cd "$builddir/.libs" && pwd -P) || exit 99

lacks=$(gdb_lacks)
[ -z "$lacks" ] || nvcc_leave "$lacks"
case $CFLAGS in
    *-g*) ;;
    *) nvcc_leave "the library was built without -g" ;;
esac

# in_gdb PROGRAM COMMAND...: one each, of gdb, in $output.all.
in_gdb()
{
    program=$1
    shift
    for gdb_command; do
        shift
        set -- "$@" -ex "$gdb_command"
    done
    env LD_LIBRARY_PATH="$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ANYSHMEM_HOSTDEV_WORKERS=1 \
        timeout -k 5 "${TEST_TIMEOUT:-100}" gdb -nx -batch -ex 'set debuginfod enabled off' \
        -ex 'set breakpoint pending on' -ex 'set print pretty off' -ex 'set width 0' \
        -ex "source $script" "$@" "$program" >"$output.all" 2>&1 </dev/null
    cp "$output.all" "$output"
}


"$nvcc" -g -G -o "$scratch/debugged" "$source" >"$output" 2>&1
verdict $? "-g -G compiles"
shown='\$[0-9]+ = '
indices='\{x = 3, y = 0, z = 0\}'
# shellcheck disable=SC2016 # variables of gdb
in_gdb "$scratch/debugged" 'break debugged' run 'echo == named\n' 'print two' 'print n' backtrace \
    'delete breakpoints' "break debugged.cu:$(nvcc_line "$source" "after the barrier") if \$in_thread(0, 3)" \
    continue 'print self' 'anyshmem kernel' 'print $threadIdx' 'print $blockIdx.x' \
    'print $blockDim.x' 'print $gridDim' 'anyshmem shared' 'print $shared("tile")' \
    'print $shared("pairs")[1].first' 'print *(int *)&$shared("")@4' 'anyshmem grids' \
    'delete breakpoints' "break debugged.cu:$(nvcc_line "$source" "in twice")" continue \
    'print number' backtrace 'delete breakpoints' continue
shows "a breakpoint by a kernel's name, and its arguments" \
    'Thread .* hit Breakpoint .*debugged.*' "${shown}\{first = 7, second = 0\.5\}" "${shown}8"
shows "a breakpoint by a line, in one device thread" \
    'Thread .* hit Breakpoint 2, debugged.*' "${shown}3"
shows "the device thread" \
    'kernel debugged\(float\*, int, pair\), block 0,0,0 of 2,1,1, thread 3,0,0 of 4,1,1' \
    "$shown$indices" "${shown}0" "${shown}4" "${shown}\{x = 2, y = 1, z = 1\}"
shows "shared variables" 'shared variables of the block: 3' \
    '  tile, 16 bytes at 0x[0-9a-f]+ = \{0\.5, 1\.5, 2\.5, 3\.5\}' \
    '  pairs, 16 bytes at .* = \{\{first = 7, .*' '  dynamic, 16 bytes at .*' \
    "$shown\{0\.5, 1\.5, 2\.5, 3\.5\}" "${shown}7" "$shown\{0, 10, 20, 30\}"
shows "the grids" 'kernel debugged\(.*\), 2,1,1 blocks of 4,1,1 threads, groups of threads: .*' \
    '  block 0,0,0, thread 3,0,0.*: runs, or is in a routine'
shows "a function that a kernel calls" '.*twice.*debugged\.cu:[0-9]+.*' \
    "#1 .*debugged.*debugged\.cu:$(nvcc_line "$source" "after the barrier").*"
shows "the program goes on, and is right" 'debugged: right'

# What waits is in a list with its line.
"$nvcc" -g -o "$scratch/hang" "$srcdir/tests/cuda/mistakes/hang.cu" >"$output" 2>&1
verdict $? "-g compiles"
hang_line=$(grep -n '/\* poll \*/' "$srcdir/tests/cuda/mistakes/hang.cu" | cut -d: -f1)
in_gdb "$scratch/hang" 'break hung' run 'anyshmem grids'
shows "threads that wait" '  block 0,0,0, thread [0-9]+,0,0 and [0-9]+ others: waits for __syncthreads at .*hang\.cu:[0-9]+' \
    "  block 1,0,0, thread 0,0,0 and 1 others: waits for what it polls at .*hang\.cu:$hang_line"
plan
