#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each function that the documents name is declared with exactly the type that
# they give, for C and for C++: a file that takes the address of each compiles
# and links.
#
# CC, builddir, srcdir: as in the other checks.

srcdir=${srcdir:-.}
builddir=${builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
headers="nvshmem.h nvshmemx.h shmem.h ishmem.h ishmemx.h"

make_file()
{
    for header in $headers; do echo "#include <$header>"; done
    # In C++ a constant at file scope has to say that others may see it.
    awk -v mode=names -f "$srcdir/tests/conformance/rows.awk" \
        "$srcdir/tests/conformance/api.tsv" | sed "$1" || echo '#error "rows.awk"'
    echo 'int main(void) { return 0; }'
}

check()
{
    number=$((number + 1))
    label="$number - $1"
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $label"
    else
        echo "not ok $label"
        head -n 20 "$work/log" | sed 's/^/# /'
        failed=1
    fi
}

number=0
failed=0
includes="-I$srcdir/include -I$builddir/include"
warn='-Wall -Wextra -pedantic -Werror'
link="$builddir/.libs/libanyshmem.so -Wl,-rpath,$builddir/.libs"
make_file '' >"$work/names.c"
make_file 's/^[a-z].*pointer_to_/extern &/' >"$work/names.cc"
grep -c pointer_to_ "$work/names.c" | sed 's/^/# functions: /'
echo 1..3
check "as many as the table has, without the generics" \
    test "$(grep -c pointer_to_ "$work/names.c")" -eq \
    "$(awk -F'\t' 'NR > 1 && $4 !~ /no synopsis/ && $4 !~ /TYPE/' "$srcdir/tests/conformance/api.tsv" | wc -l)"
# shellcheck disable=SC2086 # lists of words
check "C11" ${CC:-cc} -std=c11 $warn $includes "$work/names.c" $link -o "$work/c"
# shellcheck disable=SC2086
check "C++17" ${CC:-cc} -x c++ -std=c++17 $warn $includes "$work/names.cc" -x none $link -o "$work/cc"
exit "$failed"
