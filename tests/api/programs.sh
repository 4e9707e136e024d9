#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that know OpenSHMEM alone, as jobs of 1, 2 and 4 PEs, directly and
# over the channel: each prints what its own serial run prints, no more and no
# less.  And a job that ends itself.

: "${srcdir:=.}"
launch=$srcdir/tests/launch
programs=${builddir:-.}/tests/programs
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.work
mkdir "$tmp" || exit 99
if [ -z "$LAUNCHER" ]; then
    echo "1..0 # SKIP no PMIx launcher"
    exit 0
fi

# alone PROGRAM: the source includes the system and shmem.h, nothing of ours.
alone()
{
    ! grep -n '^ *# *include' "$srcdir/tests/programs/$1.c" |
        grep -vE '<(shmem|stdint|stdio|stdlib|string)\.h>$' >"$output"
    verdict $? "$1 knows shmem.h alone"
}

# compare PROGRAM PES PATH [VARIABLE=VALUE]
compare()
{
    # UCX writes its warnings to standard output if it is not told otherwise.
    env TEST_TIMEOUT=120 UCX_LOG_FILE=stderr ${4:+"$4"} "$launch" "$2" "$programs/$1" >"$tmp/parallel" 2>"$output"
    status=$?
    diff "$tmp/serial" "$tmp/parallel" >>"$output" || status=1
    verdict "$status" "$1, $2 PEs, $3: what the serial run prints"
}

for program in workqueue pipeline halo; do
    alone "$program"
    "$programs/$program" serial >"$tmp/serial" 2>"$output" &&
        [ "$(grep -c . "$tmp/serial")" -ge 5 ]
    verdict $? "$program: the serial run prints something"
    for pes in 1 2 4; do
        compare "$program" "$pes" direct
        compare "$program" "$pes" channel ANYSHMEM_DISABLE_DIRECT=all
    done
done
plan
