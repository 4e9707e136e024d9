#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library exports what lib/anyshmem.map names, no more and no less, and
# every routine of the headers is among them.
: "${srcdir:=.}"
echo "1..2"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
sed -n 's/^ *\([a-z][a-z0-9_]*\);$/\1/p' "$srcdir/lib/anyshmem.map" | sort >"$tmp/want"
$NM -D --defined-only .libs/libanyshmem.so |
    sed -n 's/.* [^A] \([^@]*\).*/\1/p' | sort >"$tmp/have"

report()
{
    if [ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$tmp/diff"; then
        echo "ok $1 - $2"
    else
        echo "not ok $1 - $2"
        sed 's/^/# /' "$tmp/diff"
    fi
}
report 1 "exported symbols are those of the map"

# Declarations, as the preprocessor gives them; also those that lack NVSHMEM_EXPORT.
printf '#include <nvshmemx.h>\n#include <anyshmem_kernel.h>\n#include <ishmemx.h>\n#include <shmem.h>\n#include "device/module.h"\n' >"$tmp/all.c"
$CC -E -P -Iinclude -I"$srcdir/include" -I"$srcdir" "$tmp/all.c" | tr ';' '\n' |
    sed -n -e 's/__attribute__ *((visibility("default")))//' \
        -e 's/^[^(]*[ *]\(\(nvshmem\|anyshmem\|i*shmem\)x*_[a-z0-9_]*\) *(.*/\1/p' |
    sort >"$tmp/want"
report 2 "exported symbols are those of the headers"
