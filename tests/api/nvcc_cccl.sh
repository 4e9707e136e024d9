#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# CUB, libcu++ and Thrust, unchanged and without a macro, compiled by anyshmem-nvcc and executed on
# CPUs: those of CCCL=FOLDER, of Debian's libcub-dev and libthrust-dev, or of PyPI's
# nvidia-cuda-cccl, whichever is there.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
libs=$(cd "$builddir/.libs" && pwd -P) || exit 99
export LD_LIBRARY_PATH="$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

sites=$(python3 -c 'import site
print(*site.getsitepackages(), site.getusersitepackages())' 2>/dev/null)
cccl=
for one in "${CCCL:-}" /usr/include; do
    [ -z "$cccl" ] && [ -f "$one/cub/cub.cuh" ] && cccl=$one
done
for site in $sites; do
    for one in "$site"/nvidia/cuda_cccl/include "$one"/nvidia/cu1?/include/cccl; do
        [ -z "$cccl" ] && [ -f "$one/cub/cub.cuh" ] && cccl=$one
    done
done
[ -n "$cccl" ] || nvcc_leave "no CUB: install libcub-dev and libthrust-dev, or set CCCL"

# program NAME FLAG...
program()
{
    name=$1
    shift
    "$nvcc" -O1 "$@" -I"$cccl" -o "$scratch/$name" "$srcdir/tests/cuda/cccl/$name.cu" \
        >"$output" 2>&1
    verdict $? "$name compiles with $cccl"
    [ -x "$scratch/$name" ] || return 0
    timeout 100 "$scratch/$name" >"$output" 2>&1 && grep -qx 'all right' "$output"
    verdict $? "$name runs"
}

program blocks
# CUB 3 has sorts that clang before 16 does not take.
if grep -Eq '^#define CUB_VERSION [12][0-9]{5}\b' "$cccl/cub/version.cuh"; then
    program whole
else
    skipped "$cccl has a CUB for newer compilers" "whole"
fi
if [ -f "$cccl/cuda/std/span" ]; then
    program library
else
    skipped "$cccl has no libcu++" "library"
fi
# Thrust 3 wants the whole driver interface.
if [ -f "$cccl/cuda/__driver/driver_api.h" ] || [ ! -f "$cccl/thrust/sort.h" ]; then
    skipped "$cccl has no Thrust that anyshmem-nvcc can take" "vectors"
else
    program vectors
fi
plan
