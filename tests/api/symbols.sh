#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library exports what lib/exports lists, no more and no less, and
# every routine of the headers is among them; what is private begins with ash_, and
# headers of device/ say so.  On x86-64: each begins where a processor
# fetches it at once, and programs call it without a stub.
: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.tmp
mkdir "$tmp" || exit 99
# pshmem_*: each of OpenSHMEM's once more.
sed -n 's/^ *\([a-z][a-z0-9_]*\);$/\1/p' "${builddir:-.}/lib/anyshmem.map" | sed '/^shmem_/{p; s/^/p/}' |
    sort >"$tmp/want"
$NM -D --defined-only .libs/libanyshmem.so |
    sed -n 's/.* [^A] \([^@]*\).*/\1/p' | sort >"$tmp/have"

# as_wanted NAME: the two lists are the same, and not empty.
as_wanted()
{
    [ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/have" >"$output"
    verdict $? "$1"
}
as_wanted "exported symbols are those of the map"

# Declarations, as the preprocessor gives them; also those that lack NVSHMEM_EXPORT.
printf '#include <nvshmemx.h>\n#include <anyshmem_kernel.h>\n#include <ishmemx.h>\n#include <pshmem.h>\n#include <shmemx.h>\n#include "device/gpu/module.h"\n' >"$tmp/all.c"
$CC -E -P -Iinclude -I"$srcdir/include" -I"$srcdir" "$tmp/all.c" | tr ';' '\n' |
    sed -n -e '/^ *return /d' -e 's/__attribute__ *((visibility("default")))//' \
        -e 's/__attribute__ *((__noplt__))//' \
        -e 's/^[^(]*[ *]\(\(nvshmem\|nvshmemid\|anyshmem\|[ip]*shmem\)x*_[a-z0-9_]*\|p*start_pes\) *(.*/\1/p' |
    sort >"$tmp/want"
cp "$tmp/have" "$tmp/all"
grep -v '^ash_' "$tmp/all" >"$tmp/have"
as_wanted "exported symbols are those of the headers"

# One declaration may have several lines, and a pointer to a function its name in parentheses.
cat "$srcdir"/device/hostdev/*.h "$srcdir"/device/stream/*.h "$srcdir/lib/symmetric/heap.h" \
    "$srcdir/lib/base/env.h" "$srcdir/lib/base/place.h" "$srcdir/lib/bootstrap/bootstrap.h" \
    "$srcdir/lib/report/crash.h" | tr '\n;' ' \n' |
    sed -nE 's/.*(ASH_KERNEL_CALL|ASH_PRIVATE) [^(]*[ *](\(\*)?(ash_[a-z0-9_]+).*/\3/p' |
    sort -u >"$tmp/want"
grep '^ash_' "$tmp/all" >"$tmp/have"
as_wanted "private symbols are those of the headers that have such"

# CUDA's names are in the other library alone, and those of its map are what its headers declare.
$NM -D --defined-only .libs/libanyshmem_cudart.so |
    sed -n 's/.* [^A] \([^@]*\).*/\1/p' | sort >"$tmp/have"
printf '#include <cuda_runtime.h>\n#include <cuda.h>\n#include "lib/cudart/unit.h"\n' >"$tmp/all.c"
$CC -E -P -I"$srcdir/include/cuda" -I"$srcdir" "$tmp/all.c" |
    grep -oE '(^|[ *(])(cuda|cu[A-Z]|__cuda|__anyshmem_cuda)[A-Za-z0-9_]* *\(' | tr -d ' *(' |
    sort -u >"$tmp/want"
# Compiled kernels call these, which programs do not.
sed -nE 's/.*(ash_[a-z_]+)\(.*/\1/p' "$srcdir/lib/cudart/print.h" >>"$tmp/want"
sed -nE 's/^ASH_KERNEL_CALLS .*[ *](ash_[a-z_]+)\(.*/\1/p' "$srcdir/lib/cudart/check.h" >>"$tmp/want"
sort -o "$tmp/want" "$tmp/want"
as_wanted "symbols of the CUDA runtime are those of CUDA's headers"

if ! $CC -dM -E - </dev/null | grep -q "define __x86_64__ "; then
    skipped "on x86-64 only" "typed routines begin at multiples of 32"
    skipped "on x86-64 only" "calls are without a stub"
    plan
fi
$NM -D --defined-only .libs/libanyshmem.so | sed -n 's/\(.*\) T \(.*_long_[^@]*\).*/\2 \1/p' >"$tmp/have"
sed 's/.$/0/; s/[13579bdf]0$/-/' "$tmp/have" >"$tmp/want"
as_wanted "typed routines begin at multiples of 32"

if ! echo '__has_attribute(__noplt__)' | $CC -E -P - | grep -q 1; then
    skipped "the compiler calls by way of stubs" "calls are without a stub"
    plan
fi
printf '#include <nvshmem.h>\nvoid call(void) { nvshmem_quiet(); }\n' >"$tmp/call.c"
$CC -O2 -fPIE -S -o - -Iinclude -I"$srcdir/include" "$tmp/call.c" |
    sed -n 's/.*\(nvshmem_quiet@[A-Z]*\).*/\1/p' >"$tmp/have"
echo "nvshmem_quiet@GOTPCREL" >"$tmp/want"
as_wanted "calls are without a stub"
plan
