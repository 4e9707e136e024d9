#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A program of MPI starts the library with a communicator.
#
# MPICC   the compiler of the MPI to test [mpicc]; its mpirun lies beside it

: "${srcdir:=.}" "${builddir:=.}" "${MPICC:=mpicc}"
skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}
mpicc=$(command -v "$MPICC") || skip "no mpicc"
mpirun=${mpicc%/*}/mpirun
[ -x "$mpirun" ] || skip "no mpirun beside $mpicc"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
sanitized && skip "the program of MPI is not built with the sanitizer"
tmp=$output.tmp
mkdir "$tmp" || exit 99
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"

# row "WHAT HAPPENED" "TEXT": a row of tests/api/faults.md, from what the last run said.
row()
{
    fault start "$1" "$(grep -m 1 "^anyshmem: .*$2" "$output")"
}

"$mpicc" -std=gnu11 -I"$builddir/include" -I"$srcdir/include" -o "$tmp/mpi" \
    "$srcdir/tests/api/mpi.c" -L"$builddir/.libs" -lanyshmem >"$output" 2>&1 || {
    grep -q "mpi.h" "$output" && skip "no mpi.h"
    # As the one of PyPI that contrib/quickstart takes the launcher from, where that is on PATH.
    grep -q "libmpi.*undefined reference to .PMIx_" "$output" &&
        skip "the MPI of $mpicc does not go with this PMIx"
    verdict 1 "a program of MPI and this library compiles"
    plan
}
LD_LIBRARY_PATH=$(cd "$builddir/.libs" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
oversubscribe=
"$mpirun" --version 2>&1 | grep -q "Open MPI\|OpenRTE" && oversubscribe=--oversubscribe

# run N MODE [VARIABLE=VALUE]: status in $?, output in $output.
run()
{
    # shellcheck disable=SC2086
    timeout 60 "$mpirun" $oversubscribe -n "$1" env ${3:-TESTS=1} "$tmp/mpi" "$2" \
        >"$output" 2>&1 </dev/null
}

# check TEXT COUNT PATTERN: the run ended well and said so.
check()
{
    status=$?
    [ $status -eq 0 ] && [ "$(grep -c "$3" "$output")" -eq "$2" ]
    verdict=$?
    echo "status $status, wanted $2 times: $3" >>"$output"
    verdict $verdict "$1"
}

run 2 hello && [ "$(grep -c 'hello from [01] of 2' "$output")" -eq 2 ] ||
    skip "$mpirun starts no program of MPI here"

for path in 0 all; do
    run 3 world ANYSHMEM_DISABLE_DIRECT=$path
    check "MPI_COMM_WORLD (DISABLE_DIRECT=$path)" 3 "PE [0-2] of 3: done"
done
run 2 null
check "no communicator is MPI_COMM_WORLD" 2 "PE [01] of 2: done"
run 3 reversed
check "a communicator with other numbers" 3 "PE [0-2] of 3: done"
run 3 freed ANYSHMEM_DISABLE_DIRECT=1
check "a communicator that the program frees" 3 "PE [0-2] of 3: done"
began=$(cut -d. -f1 /proc/uptime)
run 3 absent ANYSHMEM_INIT_TIMEOUT=1
[ $? -ne 0 ] && [ $(($(cut -d. -f1 /proc/uptime) - began)) -lt 15 ] &&
    grep -q "PE [01]/3.*: error: MPI: after 1 s not all 3 ranks .* to the start" "$output"
check "a rank that never comes is not waited for indefinitely" 0 "of 3: done"
row "a rank of the communicator does not start the library" "error: MPI: after"
# One rank has no memory for the heap: the program is not told, for the others wait.
began=$(cut -d. -f1 /proc/uptime)
# shellcheck disable=SC2016,SC2086 # of the inner shell
timeout 60 "$mpirun" $oversubscribe -n 2 sh -c \
    '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || ulimit -v 1100000; exec "$1" world' - "$tmp/mpi" \
    >"$output" 2>&1 </dev/null
[ $? -ne 0 ] && [ $(($(cut -d. -f1 /proc/uptime) - began)) -lt 15 ] &&
    grep -q "PE 1/2.*: error: cannot make a symmetric heap" "$output"
check "a rank without memory for its heap ends the job" 0 "of 2: done"
run 1 late
check "after MPI_Finalize" 1 "MPI: MPI_Finalize was called before"
row "the library is started with a communicator after MPI_Finalize" "MPI_Finalize was called"

# Each call of the library that fails for want of memory: what for, in one line.
failing=$(cd "$builddir/.libs" && pwd)/failing.so
if [ ! -f "$failing" ]; then
    skipped "no $failing" "memory that is refused"
else
    wrong=
    for function in malloc calloc; do
        call=0
        while [ "$call" -lt 60 ]; do
            call=$((call + 1))
            : >"$tmp/log"
            run 1 null "LD_PRELOAD=$failing INJECT_KIND=resource INJECT_CALL=$function
                INJECT_NTH=$call INJECT_LOG=$tmp/log"
            status=$?
            grep -q ' failed ' "$tmp/log" || break
            [ "$status" -ne 0 ] || continue
            cat "$output" >>"$tmp/told"
            [ "$(grep -c 'error: .*out of memory' "$output")" -eq 1 ] ||
                wrong="$wrong $function $call"
            ! grep -q "the records of all PEs" "$output" || break
        done
    done
    for what in "the names of the PEs' hosts" "the list of this node's PEs" \
        "the record of this PE" "the records of all PEs"; do
        grep -q "out of memory for $what" "$tmp/told" || wrong="$wrong ($what)"
    done
    [ -z "$wrong" ]
    verdict $? "memory that is refused is said to be for something$wrong"
fi

faults_match
plan
