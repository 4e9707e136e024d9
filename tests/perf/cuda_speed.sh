#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cuda_speed.sh [OPTION...]: figures of CUDA kernels on the CPU, beside plain loops and host
# threads; the options are for anyshmem-nvcc, as -Xcompiler -march=native.  In the build folder,
# by make perf_cuda; not part of make check.

: "${srcdir:=.}" "${builddir:=.}"
nvcc=$builddir/contrib/nvcc/anyshmem-nvcc
[ -x "$nvcc" ] || { echo "cuda_speed: anyshmem-nvcc was not built"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cuda_speed.XXXXXX") || exit 2
# shellcheck disable=SC2064 # the folder of now
trap "rm -rf '$scratch'" EXIT
for name in cuda_speed cuda_pingpong; do
    "$nvcc" -O3 "$@" -o "$scratch/$name" "$srcdir/tests/perf/$name.cu" || exit 2
done
status=0
"$scratch/cuda_speed" || status=$?
"$srcdir/tests/launch" 2 "$scratch/cuda_pingpong" || status=$?
exit $status
