#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/cuda/fidelity, checks of CUDA C++ on the CPU, compiled by anyshmem-nvcc file by file,
# without and with optimization, and by a second clang if configure found one; and with fibers
# where kernels could be loops over threads.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"

# fidelity LEVEL NAME: run the program of this level.
fidelity()
{
    timeout -k 5 "${TEST_TIMEOUT:-150}" "$scratch/fidelity$1" >"$scratch/out" 2>&1
    status=$?
    cp "$scratch/out" "$output"
    # Those that are wrong are named.
    sed -n 's/^not ok [0-9]* - //p' "$scratch/out" >"$scratch/wrong"
    while read -r name; do
        result wrong "$2: $name"
    done <"$scratch/wrong"
    n=$(grep -c '^ok' "$scratch/out")
    [ "$n" -ge 140 ] && [ "$status" -eq 0 ] && grep -qx "1\.\.$n" "$scratch/out"
    verdict $? "$2: $n checks are right, all of at least 140"
}

if [ -n "$nvcc_second" ]; then
    "$nvcc" --dryrun "$nvcc_second" -c "$scratch/try.cu" >"$output" 2>&1 &&
        grep -q "clang++-$nvcc_major .*-x cuda" "$output"
    verdict $? "$nvcc_second takes the second clang"
fi
levels="-O0 -O2 ${nvcc_second:+-O2$nvcc_second}"
for level in $levels; do
    flags=${level%-ccbin*}
    [ "$flags" = "$level" ] || flags="$flags $nvcc_second"
    for source in "$srcdir"/tests/cuda/fidelity/*.cu; do
        name=$(basename "$source" .cu)
        echo "$level: $name.cu compiles|'$nvcc' $flags -Xcompiler -Wall,-Wextra,-Werror \
            -c -o '$scratch/$name$level.o' '$source'"
    done
done >"$scratch/commands"
nvcc_together <"$scratch/commands"
for level in $levels; do
    "$nvcc" -o "$scratch/fidelity$level" "$scratch"/*[a-z]"$level.o" >"$output" 2>&1
    verdict $? "$level: links"
    fidelity "$level" "$level"
done
ANYSHMEM_HOSTDEV_LOOPS=0
export ANYSHMEM_HOSTDEV_LOOPS
fidelity -O2 "-O2, fibers"
plan
