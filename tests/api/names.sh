#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each function that the documents, and NVSHMEM's headers, name is declared with exactly the type that
# they give, for C and for C++: a file that takes the address of each compiles
# and links.  As CUDA, the host does that with all of them, and a GPU with those
# that device threads may call.
#
# CC, NVCC, NVCC_ARCH, builddir, srcdir: as in the other checks.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
work=$output.work
mkdir "$work" || exit 99
headers="nvshmem.h nvshmemx.h shmem.h shmemx.h ishmem.h ishmemx.h"
tables=$srcdir/tests/conformance
awk -f "$tables/expand.awk" "$tables/api.tsv" "$tables/nvshmem.tsv" >"$work/functions" || exit 99

# make_file EDIT [WHERE]: pointers, edited, to the routines that are callable there.
make_file()
{
    for header in $headers; do echo "#include <$header>"; done
    # In C++ a constant at file scope has to say that others may see it.
    awk -F'\t' -v where="${2:-.}" 'FNR == 1 || $5 ~ where' "$work/functions" |
        awk -v mode=names -f "$tables/rows.awk" | sed "$1" ||
        echo '#error "rows.awk"'
    echo 'int main(void) { return 0; }'
}

check()
{
    label=$1
    shift
    "$@" >"$output" 2>&1
    verdict $? "$label"
}

includes="-I$srcdir/include -I$builddir/include"
warn='-Wall -Wextra -pedantic -Werror'
link="$builddir/.libs/libanyshmem.so -Wl,-rpath,$builddir/.libs"
make_file '' >"$work/names.c"
make_file 's/^[a-z].*pointer_to_/extern &/' >"$work/names.cc"
grep -c pointer_to_ "$work/names.c" | sed 's/^/# functions: /'
# What the library exports, and what the tables name, of NVSHMEM's interface.
exported() { sed -nE 's/^ +(nvshmem(x|id)?_[a-z0-9_]+);.*/\1/p' "${builddir:-.}/lib/anyshmem.map" | sort -u; }
tabled()
{
    # Generics are macros.
    awk -F'\t' 'FNR > 1 && $2 ~ /^nvshmem/ && $4 !~ /no synopsis|TYPE/ && $8 != "absent" { print $2 }' \
        "$work/functions" | sort
}
same_names()
{
    exported >"$work/exported" && tabled >"$work/tabled" && diff "$work/exported" "$work/tabled"
}
check "the tables have each exported function once, and no other" same_names
# Its headers are those of the library: symbols.sh.
has_all_of_ishmem()
{
    awk -f "$tables/expand.awk" "$tables/ishmem.txt" | sort >"$work/listed"
    sed -nE 's/^ +(ishmem_[a-z0-9_]+);.*/\1/p' "${builddir:-.}/lib/anyshmem.map" | grep -v '_of_team$' |
        sort | diff "$work/listed" -
}
check "each function that Intel's ishmem.h has is exported" has_all_of_ishmem
check "as many as the tables have, without the generics" \
    test "$(grep -c pointer_to_ "$work/names.c")" -eq \
    "$(awk -F'\t' 'FNR > 1 && $4 !~ /no synopsis|TYPE/ && $8 != "absent"' "$work/functions" |
        wc -l)"
# shellcheck disable=SC2086 # lists of words
check "C11" ${CC:-cc} -std=c11 $warn $includes "$work/names.c" $link -o "$work/c"
# shellcheck disable=SC2086
check "C++17" ${CC:-cc} -x c++ -std=c++17 $warn $includes "$work/names.cc" -x none $link -o "$work/cc"

skip()
{
    skipped "$1" "CUDA, host"
    skipped "$1" "CUDA, device"
    plan
}
[ -n "$NVCC" ] || skip "no nvcc"
[ -e "$builddir/libanyshmem_device.a" ] || skip "no device library"
sanitized && skip "nvcc has no sanitizers"
link="-L$builddir -lanyshmem_device -L$builddir/.libs -lanyshmem"
make_file 's/^[a-z].*pointer_to_/extern &/' >"$work/host.cu"
make_file 's/^\([a-z].*(\*\)const \(pointer_to_\)/__device__ \1\2/' device >"$work/device.cu"
grep -c '^__device__' "$work/device.cu" | sed 's/^/# functions for device threads: /'
# shellcheck disable=SC2086
check "CUDA, host" "$NVCC" $NVCC_ARCH -rdc=true -std=c++17 -Werror all-warnings $includes \
    "$work/host.cu" $link -o "$work/host"
# shellcheck disable=SC2086
check "CUDA, device" "$NVCC" $NVCC_ARCH -rdc=true -std=c++17 -Werror all-warnings $includes \
    "$work/device.cu" $link -o "$work/device"
plan
