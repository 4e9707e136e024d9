#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/cuda/fidelity, checks of CUDA C++ on the CPU, compiled by anyshmem-nvcc file by file,
# without and with optimization; and with fibers where kernels could be loops over threads.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"

# fidelity NAME: run the program of $level.
fidelity()
{
    timeout -k 5 "${TEST_TIMEOUT:-150}" "$scratch/fidelity$level" >"$scratch/out" 2>&1
    status=$?
    cp "$scratch/out" "$output"
    # Those that are wrong are named.
    sed -n 's/^not ok [0-9]* - //p' "$scratch/out" >"$scratch/wrong"
    while read -r name; do
        result wrong "$1: $name"
    done <"$scratch/wrong"
    n=$(grep -c '^ok' "$scratch/out")
    [ "$n" -ge 140 ] && [ "$status" -eq 0 ] && grep -qx "1\.\.$n" "$scratch/out"
    verdict $? "$1: $n checks are right, all of at least 140"
}

for level in -O0 -O2; do
    objects=
    for source in "$srcdir"/tests/cuda/fidelity/*.cu; do
        object=$scratch/$(basename "$source" .cu)$level.o
        "$nvcc" "$level" -Xcompiler -Wall,-Wextra,-Werror -c -o "$object" "$source" \
            >"$output" 2>&1
        verdict $? "$level: $(basename "$source") compiles"
        objects="$objects $object"
    done
    # shellcheck disable=SC2086 # a list of words
    "$nvcc" "$level" -o "$scratch/fidelity$level" $objects >"$output" 2>&1
    verdict $? "$level: links"
    fidelity "$level"
done
ANYSHMEM_HOSTDEV_LOOPS=0
export ANYSHMEM_HOSTDEV_LOOPS
fidelity "-O2, fibers"
plan
