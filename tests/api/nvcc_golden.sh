#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the tool behind anyshmem-nvcc makes of small kernels is what it made of them before:
# tests/cuda/golden/NAME.CLANG.ll.  `make update-golden` writes these anew.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
major=$("$builddir/contrib/nvcc/anyshmem-nvcc-ir" -V)
case $(uname -m) in
    x86_64) ;;
    *) nvcc_leave "the files are those of x86-64" ;;
esac

for source in "$srcdir"/tests/cuda/golden/*.cu; do
    name=$(basename "$source" .cu)
    golden=${source%.cu}.$major.ll
    "$srcdir/tests/support/golden.sh" "$nvcc" "$source" >"$scratch/$name.ll" 2>&1
    if [ ! -e "$golden" ]; then
        skipped "no golden files for clang $major" "$name"
        continue
    fi
    diff "$golden" "$scratch/$name.ll" >"$output"
    verdict $? "$name, clang $major"
done
plan
