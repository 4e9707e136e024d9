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
libs=${abs_builddir:-$(cd "$builddir" && pwd)}/.libs
program=$builddir/tests/api/death
deaf=TEST_PRELOAD=$libs/deaf_launcher.so
case ${LAUNCHER%% *} in
    *prterun*) alone="$LAUNCHER --runtime-options continuous" ;;
    *) alone=$LAUNCHER ;;
esac
now() { awk '{ printf "%.0f", $1 * 1000 }' /proc/uptime; }

# Milliseconds that PEs have, where the time limit for hosts is 3 s: more on a
# machine that is busy.
limit=2000 limit_hosts=5000
read -r load _ </proc/loadavg
[ "${load%.*}" -lt $((4 * $(getconf _NPROCESSORS_ONLN))) ] || limit=6000 limit_hosts=9000

# PEs that live, on all hosts: n0 sees all processes.
alive()
{
    ps -e -o stat=,comm= |
        awk '$1 !~ /^Z/ && $2 ~ /^(lt-)?death$/ { n++ } END { print n + 0 }'
}

# A PE.  What it says does not go by the launcher, which may end before it has passed it on.
cat >"$tmp/pe" <<END
#!/bin/sh
exec "\$@" >>"$tmp/messages" 2>&1
END
chmod 755 "$tmp/pe"

# start LAUNCHER SETTINGS N ARGUMENTS: a job; returns when its PEs have said who they are.
start()
{
    by=$1 settings=$2 pes=$3
    shift 3
    rm -f "$tmp/messages" # the one before may still be written to
    : >"$tmp/messages"
    # shellcheck disable=SC2086 # a list of words
    env "LAUNCHER=$by" "TEST_WRAPPER=${TEST_WRAPPER:-$tmp/pe}" TEST_TIMEOUT=40 PE_TIME_LIMIT=30 \
        $settings "$srcdir/tests/launch" "$pes" "$program" "$@" >>"$tmp/messages" 2>&1 \
        </dev/null &
    launcher=$!
    tries=0
    while [ "$(grep -c 'PE [0-9]* is ' "$tmp/messages")" -lt "$pes" ] && [ $tries -lt 200 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
}

# settled [TEXT]: all are where they shall be, PE 1 has ended, if it ends: it says TEXT.
settled()
{
    until grep -q "${1:-gone at}" "$tmp/messages" || [ "$(alive)" -eq 0 ]; do sleep 0.05; done
}

# until_left N MILLISECONDS: until no more PEs live than N, in $took since $began.
until_left()
{
    while [ "$(alive)" -gt "$1" ] && [ $(($(now) - began)) -lt $(($2 + 3000)) ]; do sleep 0.05; done
    took=$(($(now) - began))
    left=$(alive)
    [ "$left" -gt "$1" ] || [ "$took" -gt "$2" ] || return 0
    echo "$left PEs live on after $took ms" >>"$tmp/messages"
    return 1
}

# all_gone MILLISECONDS: the same for all, and the launcher, which may wait for a
# host that is gone, is ended.
all_gone()
{
    until_left 0 "$1"
    in_time=$?
    # What they said may be under way.
    tries=0
    while kill -0 "$launcher" 2>/dev/null && [ $tries -lt 15 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    kill "$launcher" 2>/dev/null
    wait "$launcher" 2>/dev/null
    # In the lab's own process numbers; what a launcher has on a host that was cut as well.
    for pid in $(ps -e -o pid=,comm= |
        awk '$2 ~ /^((lt-)?death|prterun|prted)$/ { print $1 }'); do
        kill -KILL "$pid" 2>/dev/null
    done
    return $in_time
}

# said PES TEXT: all of these PEs say it.
said()
{
    for pe in $1; do
        grep -Eq "^anyshmem: PE $pe/[0-9]+ on [^ ]+: (error|warn): $2" "$tmp/messages" && continue
        echo "PE $pe does not say: $2" >>"$tmp/messages"
        return 1
    done
}

# dies SETTINGS PLACE END TEXT: PE 1 of six, on three hosts.
dies()
{
    start "$alone" "$deaf $1" 6 "$2" "$3"
    settled
    began=$(sed -n 's/^.*gone at //p' "$tmp/messages")
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
    began=$(sed -n 's/^.*hung at //p' "$tmp/messages")
    if [ "$3" -lt "$4" ]; then
        all_gone $limit_hosts && said 1 "proxy: it did not stir for $3 s" &&
            said "0 2" 'PE 1 \(process [0-9]+ on n1\) (cannot be reached|has ended)'
    else
        until_left 1 $limit_hosts
        good=$? first=$took began=$(now)
        all_gone $limit_hosts
        took=$first
        [ $good -eq 0 ] &&
            said "0 2" "PE 1 \(process [0-9]+ on n1\) did not stir for $4 s"
    fi
    verdict $? "the proxy of PE 1 hangs, $2, limits $3 and $4 s${1:+, $1}: ended after $took ms"
}
# The launcher does not notice that PE 1 has ended: it would end the others.
cat >"$tmp/limits" <<'END'
#!/bin/sh
exec >>"${0%/*}/messages" 2>&1
export ANYSHMEM_PEER_TIMEOUT=$2
[ "$PMIX_RANK" = 1 ] || { shift 2 && exec "$@"; }
ANYSHMEM_PEER_TIMEOUT=$1
shift 2
"$@"
sleep 20
END
chmod 755 "$tmp/limits"

# count ID TEXT: of the cases before, how many ended in time; the longest.
count()
{
    verdict 0 "$1: $times_good of $times in time, longest $longest ms"
    times=0 times_good=0 longest=0
}
times=0 times_good=0 longest=0

# judged STATUS TEXT
judged()
{
    times=$((times + 1))
    [ "$1" -ne 0 ] || times_good=$((times_good + 1))
    [ "$took" -le "$longest" ] || longest=$took
    verdict "$1" "$2: all ended after $took ms"
}

# Where PEs are, and how they reach others: another one each time.
next_place()
{
    turn=$((turn + 1))
    case $((turn % 6)) in
        0) place=barrier ;;
        1) place=none ;;
        2) place=quiet ;;
        3) place='wait' ;;
        4) place=amo ;;
        5) place=finalize ;;
    esac
    way=
    [ $((turn / 6 % 2)) -eq 0 ] || way=ANYSHMEM_REMOTE=am
    node=n$((1 + turn / 3 % 2))
}
turn=0

# lose WHAT: the hosts that are left give one up, and it gives up them.
lose()
{
    next_place
    start "$LAUNCHER" "ANYSHMEM_PEER_TIMEOUT=3 $way" 3 "$place" none
    settled
    began=$(now)
    "$LAB/host" "$1" $node
    if [ "$1" = freeze ]; then
        until_left 1 $limit_hosts
        good=$? first=$took began=$(now)
        "$LAB/host" thaw $node
        all_gone $limit_hosts && [ $good -eq 0 ]
        good=$? took=$first
    else
        all_gone $limit_hosts
        good=$?
    fi
    # Whoever loses its daemon on a host, as prterun does, may end the others first.
    [ $good -eq 0 ] && { [ "$1" = kill ] ||
        said 0 "PE ${node#n} \(process [0-9]+ on $node\) (did not stir for 3 s|cannot be)"; }
    judged $? "$1 $node, time limit 3 s, $place${way:+, $way}"
    [ "$1" != cut ] || "$LAB/host" join $node
}

# kill_launcher NAME NODE: the processes of that name there.
kill_launcher()
{
    next_place
    start "$LAUNCHER" "$way" 3 "$place" none
    settled
    pids=$("$LAB/host" on "$2" "ps -e -o pid=,comm=" |
        awk -v name="$1" '$2 == name { printf " %s", $1 }')
    began=$(now)
    "$LAB/host" on "$2" "kill -KILL$pids"
    all_gone $limit
    judged $? "$1 on $2 killed, $place${way:+, $way}"
}

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
    for way in "" ANYSHMEM_REMOTE=am; do
        start "$LAUNCHER" "$way" 3 none none
        settled
        "$LAB/host" cut n2
        sleep 20
        "$LAB/host" join n2
        sleep 3
        left=$(alive)
        [ "$left" -eq 3 ] && ! grep -q '^anyshmem: .*error' "$tmp/messages"
        verdict $? "a host cut off for 20 s${way:+, $way}: $left of 3 PEs live on"
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
