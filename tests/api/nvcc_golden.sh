#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the tool behind anyshmem-nvcc makes of small kernels is what it made of them before:
# tests/cuda/golden/NAME.CLANG.ll.  `make update-golden` writes these anew.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
case $(uname -m) in
    x86_64) ;;
    *) nvcc_leave "the files are those of x86-64" ;;
esac

# Each tool that was built fits one clang.
for tool in "$nvcc-ir" "$nvcc-ir2"; do
    major=$("$tool" -V 2>/dev/null) || continue
    command -v "clang++-$major" >/dev/null || continue
    for source in "$srcdir"/tests/cuda/golden/*.cu; do
        name=$(basename "$source" .cu)
        golden=${source%.cu}.$major.ll
        if [ ! -e "$golden" ]; then
            skipped "there is no file for this clang" "$name, clang $major"
            continue
        fi
        "$srcdir/tests/support/golden.sh" "$nvcc" "$source" "$major" >"$scratch/$name.ll" 2>&1
        diff "$golden" "$scratch/$name.ll" >"$output"
        verdict $? "$name, clang $major"
    done
done
plan
