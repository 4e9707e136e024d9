#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Prints what anyshmem-nvcc-ir makes of a file of tests/cuda/golden, without what depends on
# the machine or on the headers:
#
#   golden.sh NVCC FILE.cu CLANG
#
# Left are the functions and variables that the file itself names ("golden"), without metadata,
# attributes and the numbers of both.  With -g kernels are as they are translated, and no loops.

nvcc=$1
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder"
"$nvcc" -ccbin "clang++-$3" --keep -g -c -o "$folder/out.o" "$2" >"$folder/said" 2>&1 || {
    cat "$folder/said"
    exit 1
}
kept=$(sed -n 's/^anyshmem-nvcc: what is in between is kept in //p' "$folder/said")
echo '; SPDX-License-Identifier: BSD-3-Clause'
awk '
    /^define / { on = /golden/ }
    /^@/ && /golden/ && !/\.unit/ && !/^@\.str/ { print; next }
    on { print }
    /^}/ { on = 0 }' "$kept/1.ll" |
    sed -E -e 's/,? ![a-z._A-Z]+ ![0-9]+//g' -e 's/(%struct\.[a-z_]+)\.[0-9]+/\1/g' -e 's/ #[0-9]+//g' -e 's/ *;.*$//' \
        -e 's/@\.str(\.[a-z]+)?(\.[0-9]+)?/@.str\1/g' -e 's/ comdat(\([^)]*\))?//' \
        -e '/call void @llvm\.dbg|^ *#dbg_/d' -e 's/, align [0-9]+$//' -e '/^$/d'
