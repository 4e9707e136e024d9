#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that know OpenSHMEM alone, as jobs of 1, 2 and 4 PEs, directly and
# over the channel: each prints what its own serial run prints, no more and no
# less.  And a job that ends itself.

: "${srcdir:=.}"
launch=$srcdir/tests/launch
programs=${builddir:-.}/tests/programs
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
if [ -z "$LAUNCHER" ]; then
    echo "1..0 # SKIP no PMIx launcher"
    exit 0
fi
echo "1..24"
number=0
failed=0

result()
{
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        sed 's/^/# /' "$tmp/messages"
        failed=1
    fi
}

# alone PROGRAM: the source includes the system and shmem.h, nothing of ours.
alone()
{
    ! grep -n '^ *# *include' "$srcdir/tests/programs/$1.c" |
        grep -vE '<(shmem|stdint|stdio|stdlib|string)\.h>$' >"$tmp/messages"
    result $? "$1 knows shmem.h alone"
}

# compare PROGRAM PES WAY [VARIABLE=VALUE]
compare()
{
    # UCX writes its warnings to standard output if it is not told otherwise.
    env TEST_TIMEOUT=120 UCX_LOG_FILE=stderr ${4:+"$4"} "$launch" "$2" "$programs/$1" >"$tmp/parallel" 2>"$tmp/messages"
    status=$?
    diff "$tmp/serial" "$tmp/parallel" >>"$tmp/messages" || status=1
    result "$status" "$1, $2 PEs, $3: what the serial run prints"
}

for program in workqueue pipeline halo; do
    alone "$program"
    "$programs/$program" serial >"$tmp/serial" 2>"$tmp/messages" &&
        [ "$(grep -c . "$tmp/serial")" -ge 5 ]
    result $? "$program: the serial run prints something"
    for pes in 1 2 4; do
        compare "$program" "$pes" direct
        compare "$program" "$pes" channel ANYSHMEM_DISABLE_DIRECT=all
    done
done
exit "$failed"
