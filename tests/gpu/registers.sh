#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A table of what each routine takes of a GPU: registers of a thread, bytes of its
# stack, bytes that spill, and barriers, for the kernels of routines.cu.  These
# numbers are the compiler's; no GPU is needed.
#
# usage: registers.sh [BUILD [TARGET...]]      [build sm_80 sm_90 sm_100]
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$top/build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- sm_80 sm_90 sm_100
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
command -v "$nvcc" >/dev/null || { echo "$0: no nvcc" >&2; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$nvcc" --version | sed -n 's/^Cuda compilation tools, /nvcc /p'
printf '%-8s %-18s %9s %6s %12s %11s %8s\n' target routine registers stack spill-stores \
    spill-loads barriers
for target; do
    # As the library (device/local.am): a block of 1,024 threads has 64 for each.
    "$nvcc" -arch="$target" -std=c++17 -maxrregcount=64 -cubin -Xptxas -v -I"$build/include" -I"$top/include" \
        -I"$top" -o "$tmp/cubin" "$top/tests/gpu/routines.cu" >"$tmp/log" 2>&1 || {
        cat "$tmp/log" >&2
        exit 1
    }
    awk -v target="$target" '
        /Function properties for/ { is_kernel = /kernel_/ && !/_ZN/ }
        /Compiling entry function/ { name = $0; gsub(/^.*kernel_|\047.*$/, "", name) }
        /bytes stack frame/ && is_kernel { stack = $1; stores = $5; loads = $9 }
        /Used [0-9]+ registers/ {
            registers = barriers = 0
            for (i = 2; i <= NF; i++) {
                if ($i ~ /^registers/) registers = $(i - 1)
                if ($i ~ /^barriers/) barriers = $(i - 1)
            }
            printf "%-8s %-18s %9d %6d %12d %11d %8d\n", target, name, registers, stack, stores,
                   loads, barriers
        }' "$tmp/log" | sort -k2,2
done
