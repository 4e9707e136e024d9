#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every routine that kernels may call, called by a CUDA kernel that anyshmem-nvcc compiled and
# executed on CPUs for its result: as many as docs/functions.md counts, by 2 PEs whose memory is
# mapped, and not.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
no_jobs
launch=$srcdir/tests/launch
nvcc_libraries

tables=$srcdir/tests/conformance
mkdir -p "$scratch/tests/conformance" || exit 99
awk -f "$tables/expand.awk" "$tables/api.tsv" "$tables/nvshmem.tsv" >"$scratch/functions" || exit 99
for mode in run table; do
    awk -v mode=$mode -f "$tables/rows.awk" "$scratch/functions" \
        >"$scratch/tests/conformance/$mode" || exit 99
done
mv "$scratch/tests/conformance/run" "$scratch/tests/conformance/rows.h"
# The last row's column of kernels.
wanted=$(awk -F'|' '/all/ { gsub(/ /, "", $6); print $6 }' "$scratch/tests/conformance/table")
[ "${wanted:-0}" -gt 3000 ]
verdict $? "docs/functions.md counts $wanted functions in kernels"

objects=
for source in conformance/conform support/pe support/collective_table; do
    object=$scratch/$(basename "$source").o
    objects="$objects $object"
    echo "tests/$source.c compiles|'$nvcc' -c -O1 -I'$srcdir' -o '$object' '$srcdir/tests/$source.c'"
done >"$scratch/builds"
echo "a CUDA kernel with $wanted functions compiles|'$nvcc' -c -O0 -Xcompiler \
    -Wall,-Werror,-Wno-unused-function -I'$srcdir' -I'$scratch' -o '$scratch/device.o' \
    '$srcdir/tests/conformance/device.cu'" >>"$scratch/builds"
nvcc_together <"$scratch/builds"
# Device code would have its functions from other device code, which has a suffix.
names=$(nm -u "$scratch/device.o" |
    sed -n 's/^ *U \(.*\)\.device$/-Xlinker --defsym=\1.device=\1/p')
# shellcheck disable=SC2086 # a list of words
"$nvcc" -o "$scratch/conformance" "$scratch/device.o" $objects $names >"$output" 2>&1
verdict $? "it links"

for way in A= ANYSHMEM_DISABLE_DIRECT=all; do
    [ -x "$scratch/conformance" ] || break
    env "$way" TEST_TIMEOUT=200 PE_TIME_LIMIT=180 "$launch" 2 "$scratch/conformance" \
        >"$output" 2>&1 &&
        grep -q "says: $wanted functions executed in a CUDA kernel" "$output" &&
        [ "$(grep -c '^device: PE [01] of 2: done' "$output")" -eq 2 ]
    verdict $? "2 PEs, $way: a CUDA kernel executes $wanted functions"
done
plan
