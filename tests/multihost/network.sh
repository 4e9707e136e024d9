#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Exact results over a bad network: slow, with jitter, with losses and doubles, all
# of it at once, and with a cable that is out for a second from time to time.  With
# both paths to reach another host: UCX's put, get and atomics, and active messages.
#
# NETWORKS   which of them [good lost doubled slow all flapping]

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3 -w
export TEST_TIMEOUT=300 PE_TIME_LIMIT=280

# A step of the switch's counters since the last look.
counted()
{
    "$LAB/host" count | sed -n "s/.*\b$1 \([0-9]*\).*/\1/p"
}

# run WHAT: some cells; the switch must have done WHAT ("frames", if nothing else).
# More of them where that does not take long.
run()
{
    before=$(counted "$1")
    for path in hosts3 hosts3-am; do
        cell hosts 3 $path
        cell mixed 3 $path
        case $network:$path in slow:*-am | all:*-am) ;; *) cell amo 3 $path ;; esac
        case $network in good | lost | doubled) ;; *) continue ;; esac
        cell rma 3 $path
        cell signal_order 3 $path
        cell order 3 $path
    done
    example 3 3 "^wordcount: .*: equal to the serial count$" wordcount "$srcdir/README.md"
    example 3 4 "^heat: .*: equal to the serial run$" heat -o "$tmp/picture"
    echo "$1: $before, then $(counted "$1")" >"$tmp/messages"
    [ "$(counted "$1")" -gt "$before" ]
    verdict $? "the switch says so ($1: $(($(counted "$1") - before)))"
}

flap()
{
    while sleep 2; do
        "$LAB/host" cut n1
        sleep 1
        "$LAB/host" join n1
    done
}

for network in ${NETWORKS:-good lost doubled slow all flapping}; do
    done_by=frames rules=
    case $network in
        good) LABEL=", good network" ;;
        lost) LABEL=", 1 % lost" done_by=lost rules="*:loss=10" ;;
        doubled) LABEL=", 1 % doubled" done_by=doubled rules="*:twice=10" ;;
        slow) LABEL=", 1 to 20 ms" rules="*:delay=1,jitter=19" ;;
        all) LABEL=", all of it" done_by=lost rules="*:delay=1,jitter=5,loss=10,twice=10" ;;
        flapping) LABEL=", a cable out for 1 s of 3" done_by=cut ;;
        *)
            echo "Bail out! NETWORKS=$NETWORKS"
            exit 99
            ;;
    esac
    # shellcheck disable=SC2086 # a rule has no blanks, and there may be none
    "$LAB/host" net $rules
    [ $network != flapping ] || flap &
    flapping=$!
    run $done_by
    kill $flapping 2>/dev/null
    wait $flapping 2>/dev/null
done
finish
