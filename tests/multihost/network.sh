#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Exact results over a bad network: slow, with jitter, with losses and doubles, all
# of it at once, and with a cable that is out for a second from time to time.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3 -w
export TEST_TIMEOUT=300 PE_TIME_LIMIT=280

# A step of the switch's counters since the last look.
counted()
{
    "$LAB/host" count | sed -n "s/.*\b$1 \([0-9]*\).*/\1/p"
}

# run WHAT: some cells; the switch must have done WHAT ("frames", if nothing else).
run()
{
    before=$(counted "$1")
    cell hosts 3 hosts3
    cell rma 2 hosts2
    cell amo 3 hosts3
    cell signal_order 3 hosts3
    cell amo_linear 3 hosts3
    cell rma 3 hosts3-am
    cell order 3 hosts3-am
    example 3 3 "^wordcount: .*: equal to the serial count$" wordcount "$srcdir/README.md"
    example 3 4 "^heat: .*: equal to the serial run$" heat -o "$tmp/picture"
    echo "$1: $before, then $(counted "$1")" >"$tmp/messages"
    [ "$(counted "$1")" -gt "$before" ]
    verdict $? "the switch says so ($1: $(($(counted "$1") - before)))"
}

LABEL=", good network"
"$LAB/host" net
run frames
LABEL=", 1 % lost"
"$LAB/host" net "*:loss=10"
run lost
LABEL=", 1 % doubled"
"$LAB/host" net "*:twice=10"
run doubled
LABEL=", 1 to 20 ms"
"$LAB/host" net "*:delay=1,jitter=19"
run frames
LABEL=", all of it"
"$LAB/host" net "*:delay=1,jitter=5,loss=10,twice=10"
run lost

LABEL=", a cable out for 1 s of 4"
"$LAB/host" net
(while sleep 3; do
    "$LAB/host" cut n1
    sleep 1
    "$LAB/host" join n1
done) &
run cut
finish
