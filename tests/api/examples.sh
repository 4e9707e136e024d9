#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The examples as jobs of 4 PEs, over each path; they check their own results
# against serial ones and say so.

: "${srcdir:=.}"
launch=$srcdir/tests/launch
examples=${builddir:-.}/contrib/examples
output=$(mktemp) || exit 99
picture=$(mktemp) || exit 99
trap 'rm -f "$output" "$picture"' EXIT
if [ -z "$LAUNCHER" ]; then
    echo "1..0 # SKIP no PMIx launcher"
    exit 0
fi
echo "1..17"
n=0

# one PATH "VARIABLE=VALUE..." TEXT PROGRAM...: TEXT must be printed, and status 0.
one()
{
    path=$1 variables=$2 text=$3
    shift 3
    n=$((n + 1))
    if [ "$path" = tcp ] && [ ! -d /sys/class/net ]; then
        echo "ok $n - ${1##*/}, $path # SKIP without /sys UCX finds no network interface"
        return
    fi
    # shellcheck disable=SC2086 # a list of words
    if env $variables TEST_TIMEOUT=120 "$launch" 4 "$@" >"$output" 2>&1 &&
        grep -q "$text" "$output"; then
        echo "ok $n - ${1##*/}, $path"
    else
        echo "not ok $n - ${1##*/}, $path"
        sed 's/^/# /' "$output"
    fi
}

all()
{
    one "$1" "$2" "^ring: .*kernel.*: correct$" "$examples/ring"
    one "$1" "$2" "^wordcount: .*: equal to the serial count$" "$examples/wordcount"
    # Few hashes, so that words compete for slots.
    one "$1" "$2" "^wordcount: .*: equal to the serial count$" "$examples/wordcount" \
        --hash-bits 4 "$srcdir/README.md" "$srcdir/COPYING"
    one "$1" "$2" "^heat: .*: equal to the serial run$" "$examples/heat" -o "$picture"
}

all direct A=
all channel ANYSHMEM_DISABLE_DIRECT=all
all tcp "ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self"
all "shared memory" "ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=posix,self"

# The picture is one, where there is libpng.
n=$((n + 1))
if grep -q '^#define HAVE_LIBPNG' "${builddir:-.}/config.h"; then
    case $(od -An -c -N4 "$picture") in
        *P*N*G*) echo "ok $n - heat's picture" ;;
        *) echo "not ok $n - heat's picture" ;;
    esac
else
    echo "ok $n - heat's picture # SKIP no libpng"
fi
