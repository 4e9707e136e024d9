#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What is installed is enough: README's first program, compiled and linked with
# pkg-config as README says, runs as a job; and nothing is missing that it does
# not use.

: "${srcdir:=.}"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
echo "1..5"

report()
{
    if [ "$1" -eq 0 ]; then
        echo "ok $2 - $3"
    else
        echo "not ok $2 - $3"
        sed 's/^/# /' "$tmp/log"
    fi
}

${MAKE:-make} -s install DESTDIR="$tmp/root" >"$tmp/log" 2>&1
report $? 1 "make install"

pc=$(find "$tmp/root" -name anyshmem.pc)
prefix=${pc%/lib*}
# shellcheck disable=SC2016 # not to be expanded
sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >"$tmp/hello.c"
flags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --define-variable=prefix="$prefix" --cflags --libs \
    anyshmem 2>"$tmp/log")
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/hello.c" -o "$tmp/hello" $CFLAGS $flags >>"$tmp/log" 2>&1
report $? 2 "README's program compiles with pkg-config's flags"

pes=2
[ -n "$LAUNCHER" ] || pes=1
libdir=$(dirname "$(find "$tmp/root" -name libanyshmem.so)")
LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH \
    "$srcdir/tests/launch" $pes "$tmp/hello" >"$tmp/log" 2>&1 &&
    grep -q "^PE 0 of $pes got $((pes - 1))$" "$tmp/log"
report $? 3 "README's program runs"

# Each header, where the others look for it.
(cd "$srcdir/include" && find . -name '*.h') | sed 's|^\./\(.*\)|#include <\1>|' >"$tmp/all.c"
echo 'int main(void) { return 0; }' >>"$tmp/all.c"
# shellcheck disable=SC2086 # a list of words
$CC -Werror "$tmp/all.c" -o "$tmp/all" $CFLAGS $flags >"$tmp/log" 2>&1
report $? 4 "all headers are installed"

# The version, and the libraries that a static program adds for us.
printf '#include <nvshmem/version.h>\n#include <stdio.h>\n%s\n' \
    'int main(void) { return puts(ANYSHMEM_VERSION) < 0; }' >"$tmp/version.c"
version=$(PKG_CONFIG_PATH=${pc%/*}:$PKG_CONFIG_PATH pkg-config --modversion anyshmem 2>"$tmp/log")
private=$(sed -n 's/^Libs\.private: //p' "$pc")
echo "version: $version; Libs.private: $private" >>"$tmp/log"
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/version.c" -o "$tmp/version" $CFLAGS $flags $private >>"$tmp/log" 2>&1 &&
    [ -n "$version" ] &&
    [ "$(LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH "$tmp/version")" = "$version" ]
report $? 5 "the version and the libraries in anyshmem.pc"
