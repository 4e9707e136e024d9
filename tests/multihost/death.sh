#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A PE dies, or its proxy hangs; a host is cut off, stopped or without power; the
# launcher is killed, or what it has on a host: the PEs of all hosts end, in time,
# and say which one it was.  A host that is stopped for less than the time limit
# goes on.
#
# REPEAT   how often each host and each launcher is lost, at another place each time [1]
# PARTS    which of them [pe outage cut freeze power launcher]

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3
. "$here/losses"

# dies SETTINGS PLACE END TEXT: PE 1 of six, on three hosts.
dies()
{
    start "$alone" "$deaf $1" 6 "$2" "$3"
    settled
    all_gone $limit && said "0 2 3 4 5" "$4"
    verdict $? "$2, $3 $1: all ended after $took ms"
}

# hangs SETTINGS PLACE LIMIT OTHERS' LIMIT: the proxy of PE 1.  It holds its lock, so
# that it can tell nobody.  With the smaller limit PE 1 ends, which breaks its
# connections; or the others do, whom nobody answers, and PE 1 is ended by them.
hangs()
{
    export TEST_WRAPPER="$tmp/limits $3 $4"
    start "$alone" "$1 TEST_DEAD_PROXY=hangs \
        TEST_PRELOAD=$libs/dead_proxy.so:$libs/deaf_launcher.so" 3 "$2" none
    unset TEST_WRAPPER
    settled "hung at"
    if [ "$3" -lt "$4" ]; then
        all_gone $limit_hosts && said 1 "proxy: no progress for $3 s" &&
            said "0 2" 'PE 1 \(process [0-9]+ on n1\) (is unreachable|has ended)'
    else
        until_left 1 $limit_hosts
        good=$? first=$took began=$(now)
        all_gone $limit_hosts
        took=$first
        [ $good -eq 0 ] &&
            said "0 2" "PE 1 \(process [0-9]+ on n1\) sent no heartbeat for $4 s"
    fi
    verdict $? "the proxy of PE 1 hangs, $2, limits $3 and $4 s${1:+, $1}: ended after $took ms"
}
# The launcher does not notice that PE 1 has ended: it would end the others.
cat >"$tmp/limits" <<'END'
#!/bin/sh
export ANYSHMEM_PEER_TIMEOUT=$2
[ "$PMIX_RANK" = 1 ] || { shift 2 && exec "$@"; }
ANYSHMEM_PEER_TIMEOUT=$1
shift 2
"$@"
sleep 20
END
chmod 755 "$tmp/limits"

repeat()
{
    i=0
    while [ $i -lt "${REPEAT:-1}" ]; do
        "$@"
        i=$((i + 1))
    done
}

part() { case " ${PARTS:-pe outage cut freeze power launcher} " in *" $1 "*) ;; *) false ;; esac; }

if part pe; then
    lost='PE 1 \(process [0-9]+ on n[0-2]\) has ended without nvshmem_finalize; this PE was '
    dies "" wait kill "$lost"
    dies "" quiet kill "$lost"
    dies ANYSHMEM_REMOTE=am amo kill "$lost"
    dies ANYSHMEM_REMOTE=am barrier exit0 "$lost"
    dies "" finalize kill "$lost"
    hangs "" barrier 3 25
    hangs "" quiet 3 25
    hangs ANYSHMEM_REMOTE=am amo 3 25
    hangs "" quiet 25 3
    hangs ANYSHMEM_REMOTE=am barrier 25 3

    # Stopped for a while: nothing is lost.
    (sleep 1 && "$LAB/host" freeze n1 && sleep 2 && "$LAB/host" thaw n1) &
    LABEL=", a host stopped for 2 s"
    cell order 3 hosts3
    wait
    LABEL=
fi
if part outage; then
    # Longer than TCP bears by itself where nothing is under way, and less than the limit.
    for path in "" ANYSHMEM_REMOTE=am; do
        start "$LAUNCHER" "$path" 3 none none
        settled
        "$LAB/host" cut n2
        sleep 20
        "$LAB/host" join n2
        sleep 3
        left=$(alive)
        [ "$left" -eq 3 ] && ! grep -q '^anyshmem: .*error' "$tmp/messages"
        verdict $? "a host cut off for 20 s${path:+, $path}: $left of 3 PEs live on"
        began=$(now)
        kill "$launcher" 2>/dev/null
        all_gone 0
    done
fi
if part launcher; then
    case $(basename "${LAUNCHER%% *}") in
        prterun)
            repeat kill_launcher prterun n0
            count "the launcher is killed"
            repeat kill_launcher prted n1
            count "the launcher's daemon is killed"
            ;;
        *) skip "the launcher is killed" "its processes are known for prterun" ;;
    esac
fi
if part cut; then
    repeat lose cut
    count "a host is cut off"
fi
if part freeze; then
    repeat lose freeze
    count "a host is stopped"
fi
# Such a host is gone for good: at the end, or in labs of its own.
if part power && [ "${REPEAT:-1}" -eq 1 ]; then
    turn=${TURN:-$turn}
    lose kill
elif part power; then
    i=0
    while [ $i -lt "$REPEAT" ]; do
        env -u LAB -u LAB_HOSTS REPEAT=1 PARTS=power TURN=$i "$here/lab" -n 3 sh "$0" \
            >"$tmp/power" 2>&1
        sed -n 's/^# //p' "$tmp/power" >"$tmp/messages"
        took=$(sed -n 's/^.*all ended after \([0-9]*\) ms.*/\1/p' "$tmp/power")
        ! grep -q '^not ok' "$tmp/power" && [ -n "$took" ]
        judged $? "$(sed -n 's/^\(not \)*ok 1 - \(.*\): all ended.*/\2/p' "$tmp/power")"
        i=$((i + 1))
    done
    count "a host loses its power"
fi
finish
