#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The library was built with what keeps an overflow from becoming more: asks the
# library, not the compiler's options.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
library=$builddir/.libs/libanyshmem.so

# What was asked for, not what came of it.
case $("$builddir/config.status" --config) in
    *--disable-hardening* | *--enable-hardening=no* | *--enable-[at]san* | *--enable-ubsan* | *--enable-coverage*)
        echo "1..0 # SKIP built with --disable-hardening, with sanitizers or to count coverage"
        exit 0
        ;;
esac
if ! command -v readelf >/dev/null; then
    echo "1..0 # SKIP no readelf"
    exit 0
fi

# has NAME PATTERN: what readelf says of the library
has()
{
    grep -Eq -e "$2" "$output"
    verdict $? "$1"
}

{
    readelf -W -l "$library"
    readelf -W -d "$library"
    readelf -W --dyn-syms "$library"
} >"$output"
has "relocations are read-only" '^ *GNU_RELRO '
has "and all done at the start" 'BIND_NOW|FLAGS_1.*NOW'
has "the stack is not executable" '^ *GNU_STACK .* RW +0x'
has "stacks are guarded" 'UND __stack_chk_fail'
case $(sed -n 's/^CFLAGS = //p' "$builddir/Makefile") in
    *-O[1-9sgz]*)
        has "copies and prints are checked" 'UND __(mem|str|v?sn?printf|v?fprintf|read|recv).*_chk'
        ;;
    *) skipped "not optimized" "copies and prints are checked" ;;
esac
! grep -Eq '(RPATH|RUNPATH|TEXTREL)' "$output"
verdict $? "no search path and no writable text is in it"
plan
