#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A PE on another host is killed, a host is cut off or stopped, the launcher is killed:
# what the others say, as it stands in tests/api/faults.md.  Once each; death.sh has the rest.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3
. "$here/losses"
output=$tmp/output
export FAULT_HOSTS="n0 n1 n2"
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"
# shellcheck source=tests/support/sanitized.sh
. "$srcdir/tests/support/sanitized.sh"

# For faults_match.
result()
{
    [ "$1" = ok ] || cp "$output" "$tmp/messages"
    [ "$1" = ok ]
    verdict $? "$2"
}

# row PE WHAT: what this PE said last.
row()
{
    fault failures "$2" "$(grep -E "^anyshmem: PE $1/[0-9]+ on [^ ]+: error: " "$tmp/messages" |
        tail -n 1)" 's/heap \+ [0-9]+/heap + N/'
}

# All are in a wait, in which nothing goes from host to host but the heartbeats; the provider is
# rma, or am.
in_wait() { turn=$([ "$1" = am ] && echo 2 || echo 8); }

what="a PE is killed, and this one, on another host, waits for it"
if sanitized; then
    skip "a PE is killed" "a sanitizer must come first, nothing can be preloaded"
    fault_skipped failures "$what"
else
    start "$alone" "$deaf" 6 wait kill
    settled
    all_gone $limit && said "0 2 3 4 5" 'PE 1 \(process [0-9]+ on n[0-2]\) has ended without'
    verdict $? "a PE is killed: all of other hosts ended after $took ms"
    row 5 "$what"
    # PE 1 is the first one of its host, with PE 4, which exchanges no heartbeats with others.
    start "$alone" "$deaf LAUNCH_MAP=node" 6 wait kill
    settled
    all_gone $limit && said "0 2 3 4 5" 'PE 1 \(process [0-9]+ on n1\) has ended without'
    verdict $? "the first PE of a host is killed: all know it of the other one after $took ms"
fi
in_wait
lose cut
fault failures "a host is cut off for a quarter of \`ANYSHMEM_PEER_TIMEOUT\`, or for 10 s" \
    "$(grep -m 1 'warn: PE 2 on n2 has sent no heartbeat' "$tmp/messages")" 's/for [0-9]+\.[0-9] s/for N s/'
row 0 "a host is cut off, and \`ANYSHMEM_PEER_TIMEOUT\` is 3 s"
in_wait am
lose freeze
row 0 "a host is stopped for longer than \`ANYSHMEM_PEER_TIMEOUT\`"
what="the launcher is killed"
case $(basename "${LAUNCHER%% *}") in
    prterun)
        in_wait am
        kill_launcher prterun n0
        said 0 "lost the connection to the launcher"
        verdict $? "$what: PE 0 says so"
        row 0 "$what"
        ;;
    *)
        skip "$what" "its processes are known for prterun"
        fault_skipped failures "$what"
        ;;
esac
faults_match
finish
