#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The library was built with what keeps an overflow from becoming more: asks the
# library, not the compiler's options.

library=${builddir:-.}/.libs/libanyshmem.so
makefile=${builddir:-.}/Makefile
number=0
failed=0

# What was asked for, not what came of it.
case $("${builddir:-.}/config.status" --config) in
    *--disable-hardening* | *--enable-hardening=no* | *--enable-[at]san* | *--enable-ubsan* | *--enable-coverage*)
        echo "1..0 # SKIP built with --disable-hardening, with sanitizers or to count coverage"
        exit 0
        ;;
esac
if ! command -v readelf >/dev/null; then
    echo "1..0 # SKIP no readelf"
    exit 0
fi

# verdict "what holds" PATTERN FILE
verdict()
{
    number=$((number + 1))
    if grep -Eq -e "$2" "$3"; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        failed=1
    fi
}

facts=$(mktemp) || exit 99
trap 'rm -f "$facts"' EXIT
trap 'exit 99' HUP INT TERM
{
    readelf -W -l "$library"
    readelf -W -d "$library"
    readelf -W --dyn-syms "$library"
} >"$facts"

echo "1..6"
verdict "relocations are read-only" '^ *GNU_RELRO ' "$facts"
verdict "and all done at the start" 'BIND_NOW|FLAGS_1.*NOW' "$facts"
verdict "the stack is not executable" '^ *GNU_STACK .* RW +0x' "$facts"
verdict "stacks are guarded" 'UND __stack_chk_fail' "$facts"
case $(sed -n 's/^CFLAGS = //p' "$makefile") in
    *-O[1-9sgz]*) verdict "copies and prints are checked" 'UND __(mem|str|v?sn?printf|v?fprintf|read|recv).*_chk' "$facts" ;;
    *)
        number=$((number + 1))
        echo "ok $number - copies and prints are checked # SKIP not optimized"
        ;;
esac
number=$((number + 1))
if grep -Eq '(RPATH|RUNPATH|TEXTREL)' "$facts"; then
    echo "not ok $number - no search path and no writable text is in it"
    failed=1
else
    echo "ok $number - no search path and no writable text is in it"
fi
exit "$failed"
