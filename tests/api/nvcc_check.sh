#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Checked mode: the host's access to device memory (ANYSHMEM_CUDA_CHECK) and a kernel's access to
# host memory (-fsanitize=host-memory) end the program with the line; right programs, NVSHMEM's
# too, run as ever.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"
sources=$srcdir/tests/cuda/mistakes
nvcc_libraries
export ANYSHMEM_HOSTDEV_WORKERS=1
command -v addr2line >/dev/null || nvcc_leave "no addr2line, so no lines"

# run PROGRAM CHECK CASE
run()
{
    ANYSHMEM_CUDA_CHECK=$2 timeout -k 5 60 "$scratch/$1" "$3" >"$output" 2>&1 </dev/null
    status=$?
}

# tells PROGRAM CHECK CASE MARK "WHAT HAPPENED" REGEX
tells()
{
    run "$1" "$2" "$3"
    file=spaces.cu
    at=$(nvcc_line "$sources/$file" "$4")
    verdict=ok
    [ "$status" -eq 70 ] || verdict="status $status"
    grep -Eq "^anyshmem: error: $6 at .*$file:$at \(" "$output" || verdict="$verdict; another message"
    # What is optimized may have other names.
    [ "$verdict$1" = "okspaces-checked-O2" ] || [ "$verdict" != ok ] || fault use "$5" "$(grep '^anyshmem: error:' "$output")" \
        's|at [^ ]*/([a-z]+\.cu)|at \1|g'
    result "$verdict" "$1: $3"
}

nvcc_build spaces "$sources/spaces.cu" -g
nvcc_build spaces-checked "$sources/spaces.cu" -g -fsanitize=host-memory
nvcc_build spaces-checked-O2 "$sources/spaces.cu" -O2 -fsanitize=host-memory
for program in spaces spaces-checked spaces-checked-O2; do
    for check in 0 1; do
        run "$program" "$check" right
        [ "$status" -eq 0 ] && [ "$(cat "$output")" = "done" ]
        verdict $? "$program, ANYSHMEM_CUDA_CHECK=$check: what is right"
    done
done
# A setting that is none, also where nvshmem_init is never called.
for setting in ANYSHMEM_CUDA_CHECK=maybe ANYSHMEM_CUDA_DEVICES=1025 ANYSHMEM_CUDA_DEVICES=two; do
    env "$setting" timeout -k 5 60 "$scratch/spaces" right >"$output" 2>&1 </dev/null
    status=$?
    [ "$status" -eq 70 ] && [ "$(wc -l <"$output")" -eq 1 ] &&
        grep -q "^anyshmem: error: invalid value $setting: expected " "$output"
    verdict $? "$setting is refused"
done
byte='byte [0-9]+ of 4000 of cudaMalloc,'
tells spaces 1 host_reads host_reads "ANYSHMEM_CUDA_CHECK: the host reads device memory" \
    "the host reads device memory: 0x[0-9a-f]+, $byte"
tells spaces 1 host_writes host_writes "ANYSHMEM_CUDA_CHECK: the host writes device memory" \
    "the host writes device memory: 0x[0-9a-f]+, $byte"
tells spaces 1 host_copies host_copies "ANYSHMEM_CUDA_CHECK: the host copies by memcpy" \
    "the host reads device memory: 0x[0-9a-f]+, $byte"
tells spaces 1 host_behind host_behind \
    "ANYSHMEM_CUDA_CHECK: the host reads behind device memory" \
    "the host reads device memory: 0x[0-9a-f]+, 400 bytes behind 4000 bytes of cudaMalloc,"
run spaces 0 host_reads
[ "$status" -eq 0 ]
verdict $? "without the variable nothing is checked"
for program in spaces-checked spaces-checked-O2; do
    place='[0-9]+ bytes at 0x[0-9a-f]+, .*'
    host='memory that only the host has'
    tells "$program" 0 heap reads "-fsanitize=host-memory: a kernel reads memory of malloc" \
        "a kernel reads $host: $place"
    tells "$program" 0 stack writes "-fsanitize=host-memory: a kernel writes to the host's stack" \
        "a kernel writes $host: $place"
    tells "$program" 0 static atomics \
        "-fsanitize=host-memory: a kernel writes to a variable of the host" \
        "a kernel writes $host: $place"
    tells "$program" 0 copy copies "-fsanitize=host-memory: a kernel copies a structure" \
        "a kernel reads $host: $place"
done
nvcc_build faults "$sources/faults.cu" -g
run faults 1 behind
at=$(nvcc_line "$sources/faults.cu" behind)
grep -Eq "error: illegal memory access: write of 0x[0-9a-f]+, 0 bytes behind 256 bytes of cudaMalloc, at .*faults.cu:$at .*thread 1,0,0\)" \
    "$output"
verdict $? "a kernel writes behind an allocation"

# Programs that are right, of 2 PEs: NVSHMEM reads and writes device memory at any time.
"$srcdir/tests/launch" 2 true >"$output" 2>&1 && ! grep -q '^1\.\.0 # SKIP' "$output" &&
    jobs=1
for program in ring on_stream put_block; do
    if [ -z "$jobs" ]; then
        skipped "no launcher" "2 PEs: $program"
        continue
    fi
    nvcc_build "$program" "$srcdir/tests/cuda/$program.cu" -fsanitize=host-memory
    for way in A= ANYSHMEM_DISABLE_DIRECT=all; do
        env ANYSHMEM_CUDA_CHECK=1 "$way" TEST_TIMEOUT=60 "$srcdir/tests/launch" 2 \
            "$scratch/$program" >"$output" 2>&1 &&
            grep -Eq "^$program: PE [0-9]+ of [0-9]+: correct$" "$output"
        verdict $? "2 PEs, $way: $program runs as ever"
    done
done
faults_match
plan
