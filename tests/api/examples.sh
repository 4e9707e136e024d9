#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The examples as jobs of 4 PEs, over each path; they check their own results
# against serial ones and say so.  The first run is a newcomer's: it prints what the
# example prints and nothing else.

: "${srcdir:=.}"
launch=$srcdir/tests/launch
examples=${builddir:-.}/contrib/examples
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
picture=$output.picture
no_jobs

# PMIx of Open MPI 5.0.9 to 5.0.11 prints an error for each PE (troubleshooting.md).  The launcher that
# contrib/quickstart installs must not be one of these; another one is its user's choice.
quiet_run()
{
    name="a run prints nothing but what its program prints"
    TEST_TIMEOUT=120 "$launch" 4 "$examples/ring" >"$output" 2>&1
    # The launcher's hwloc says it where there is no /sys, as in a bare root.
    grep -v -e '^ring: ' -e '^hwloc/linux: failed to find sysfs' "$output" >"$output.more"
    case $LAUNCHER in
        */launcher/bin/*) ;;
        *)
            if grep -q "PMIX ERROR: PMIX_ERR_UNPACK" "$output.more"; then
                skipped "$LAUNCHER prints an error for each PE (docs/troubleshooting.md)" "$name"
                return
            fi
            ;;
    esac
    [ -s "$output" ] && [ ! -s "$output.more" ]
    verdict $? "$name"
}

# one PATH "VARIABLE=VALUE..." TEXT PROGRAM...: TEXT must be printed, and status 0.
one()
{
    path=$1 variables=$2 text=$3
    shift 3
    if [ "$path" = tcp ] && [ ! -d /sys/class/net ]; then
        skipped "without /sys UCX finds no network interface" "${1##*/}, $path"
        return
    fi
    # shellcheck disable=SC2086 # a list of words
    env $variables TEST_TIMEOUT=120 "$launch" 4 "$@" >"$output" 2>&1 &&
        grep -q "$text" "$output"
    verdict $? "${1##*/}, $path"
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

quiet_run
all direct A=
all channel ANYSHMEM_DISABLE_DIRECT=all
all tcp "ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self"
all "shared memory" "ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=posix,self"

# The picture is one, where there is libpng.
if grep -q '^#define HAVE_LIBPNG' "${builddir:-.}/config.h"; then
    od -An -c -N4 "$picture" >"$output"
    grep -q "P *N *G" "$output"
    verdict $? "heat's picture"
else
    skipped "no libpng" "heat's picture"
fi
plan
