#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The primitives of device/target for CUDA, which a GPU has executed and CI cannot, compiled by
# anyshmem-nvcc and executed on CPUs.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
nvcc_libraries

"$nvcc" -O2 -DASH_DEVICE_LIBRARY=1 -I"$srcdir" -o "$scratch/primitives" \
    "$srcdir/tests/cuda/target/primitives.cu" >"$output" 2>&1
verdict $? "device/target for CUDA compiles for a CPU"
timeout 120 "$scratch/primitives" >"$output" 2>&1 && grep -qx 'all right' "$output"
verdict $? "its primitives do what they say"
plan
