#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The lab's switch does what its rules say, as numbered datagrams see it: TCP would
# hide it.  What it counts is what they saw.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3 -w
probe=$builddir/tests/multihost/probe
sent=300

# send [SECONDS until a first one must come]: from n1 to n2, 1 ms apart; then what
# was seen as variables, and what was counted.
send()
{
    before=$("$LAB/host" count)
    "$LAB/host" on n2 "$probe receive 7777 ${1:-10} 0.7" >"$tmp/seen" 2>&1 &
    sleep 0.3
    "$LAB/host" on n1 "$probe send 10.77.0.12 7777 $sent 1000" >"$tmp/messages" 2>&1
    wait $!
    sleep 0.1
    echo "before: $before; then: $("$LAB/host" count); seen: $(cat "$tmp/seen")" >>"$tmp/messages"
    # shellcheck disable=SC2046 # words
    set -- $(cat "$tmp/seen")
    # shellcheck disable=SC2034 # results, some of which are looked at
    different=$2 doubled=$4 overtaken=$6 fastest=$8
}

# counted LOST|DOUBLED: since the last one was sent.
counted()
{
    echo "$before $("$LAB/host" count)" | awk -v what="$1" '{
        for (i = 1; i < NF; i++) if ($i == what) { n = $(i + 1) - n }
        print n }'
}

# holds CONDITION TEXT
holds()
{
    [ "$different" -ge 0 ] 2>/dev/null && eval "$1"
    verdict $? "$2"
}

"$LAB/host" net
send
holds '[ "$different" -eq $sent ] && [ "$doubled" -eq 0 ] && [ "$overtaken" -eq 0 ]' \
    "without rules all arrive, once, in order"

"$LAB/host" net "*:loss=200"
send
holds '[ "$different" -ge 200 ] && [ "$different" -le 280 ]' "a fifth is lost"
holds '[ $((sent - different)) -le "$(counted lost)" ] &&
    [ $((sent - different + 5)) -ge "$(counted lost)" ]' "what is lost is counted"

"$LAB/host" net "*:twice=200"
send
holds '[ "$different" -eq $sent ] && [ "$doubled" -ge 25 ] && [ "$doubled" -le 100 ]' \
    "a fifth is doubled"
holds '[ "$doubled" -le "$(counted doubled)" ] && [ $((doubled + 5)) -ge "$(counted doubled)" ]' \
    "what is doubled is counted"

"$LAB/host" net "n2:delay=30"
send
holds '[ "$different" -eq $sent ] && [ "$fastest" -ge 30000 ] && [ "$overtaken" -eq 0 ]' \
    "each takes its time"

"$LAB/host" net "*:delay=1,jitter=20"
send
holds '[ "$different" -eq $sent ] && [ "$fastest" -ge 1000 ] && [ "$overtaken" -ge 20 ]' \
    "with jitter they overtake each other"

"$LAB/host" net "*:loss=0" "n0:loss=1000" "n0:twice=1000"
send
holds '[ "$different" -eq $sent ] && [ "$doubled" -eq 0 ]' "a rule of one host is not for others"

"$LAB/host" cut n2
send 3
holds '[ "$different" -eq 0 ]' "nothing comes to a host that is cut"
"$LAB/host" join n2
send
holds '[ "$different" -eq $sent ]' "all comes when it is joined"

"$LAB/host" net "*:speed=1" 2>"$tmp/messages"
[ $? -ne 0 ] && grep -q "does not take" "$tmp/messages"
verdict $? "a rule that there is not is refused"
finish
