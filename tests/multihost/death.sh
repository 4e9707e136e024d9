#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A PE dies, or a host is cut off, stopped or without power: the PEs of all hosts
# end, in time, and say which one it was.  A host that is stopped for less than
# the time limit goes on.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3
libs=${abs_builddir:-$(cd "$builddir" && pwd)}/.libs
program=$builddir/tests/api/death
case ${LAUNCHER%% *} in
    *prterun*) alone="$LAUNCHER --runtime-options continuous" ;;
    *) alone=$LAUNCHER ;;
esac
now() { awk '{ printf "%.0f", $1 * 1000 }' /proc/uptime; }

# PEs that live, on all hosts: n0 sees all processes.
alive() { ps -e -o stat=,comm= | awk '$1 !~ /^Z/ && $2 ~ /^(lt-)?death$/ { n++ } END { print n + 0 }'; }

# start LAUNCHER SETTINGS N ARGUMENTS: a job; returns when its PEs have said who they are.
start()
{
    by=$1 settings=$2 pes=$3
    shift 3
    # shellcheck disable=SC2086 # a list of words
    env "LAUNCHER=$by" TEST_TIMEOUT=40 PE_TIME_LIMIT=30 $settings "$srcdir/tests/launch" "$pes" "$program" "$@" \
        >"$tmp/messages" 2>&1 </dev/null &
    launcher=$!
    tries=0
    while [ "$(grep -c 'PE [0-9]* is ' "$tmp/messages")" -lt "$pes" ] && [ $tries -lt 200 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
}

# all_gone MILLISECONDS: until no PE lives, in $took since $began; the launcher, which
# may wait for a host that is gone, is ended.
all_gone()
{
    while [ "$(alive)" -gt 0 ] && [ $(($(now) - began)) -lt "$1" ]; do sleep 0.05; done
    took=$(($(now) - began))
    left=$(alive)
    kill "$launcher" 2>/dev/null
    wait "$launcher" 2>/dev/null
    [ "$left" -eq 0 ] && return
    echo "$left PEs live on after $took ms" >>"$tmp/messages"
    return 1
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
    start "$alone" "TEST_PRELOAD=$libs/deaf_launcher.so $1" 6 "$2" "$3"
    until grep -q 'gone at' "$tmp/messages" || [ "$(alive)" -eq 0 ]; do sleep 0.05; done
    began=$(sed -n 's/^.*gone at //p' "$tmp/messages")
    all_gone 4000 && said "0 2 3 4 5" "$4"
    verdict $? "$2, $3 $1: all ended after $took ms"
}

lost='PE 1 \(process [0-9]+ on n[0-2]\) has ended without nvshmem_finalize; this PE was '
dies "" wait kill "$lost"
dies "" quiet kill "$lost"
dies ANYSHMEM_REMOTE=am amo kill "$lost"
dies ANYSHMEM_REMOTE=am barrier exit0 "$lost"
dies "" finalize kill "$lost"

# lose WHAT NODE: the hosts that are left give it up, and it gives up them.
lose()
{
    start "$LAUNCHER" ANYSHMEM_PEER_TIMEOUT=3 3 none none
    sleep 1
    "$LAB/host" "$1" "$2"
    began=$(now)
    if [ "$1" = freeze ]; then
        while [ $(($(now) - began)) -lt 5500 ] && [ "$(alive)" -gt 1 ]; do sleep 0.05; done
        [ "$(alive)" -le 1 ] || echo "$(alive) PEs live on" >>"$tmp/messages"
        "$LAB/host" thaw "$2"
    fi
    # Whoever loses its daemon on a host, as prterun does, may end the others first.
    all_gone 6500 && { [ "$1" = kill ] ||
        said 0 'PE [12] \(process [0-9]+ on n[12]\) (did not stir for 3 s|cannot be reached)'; }
    verdict $? "$1 $2, time limit 3 s: all ended after $took ms"
    [ "$1" != cut ] || "$LAB/host" join "$2"
}

lose cut n2
lose freeze n1

# Stopped for a while: nothing is lost.
(sleep 1 && "$LAB/host" freeze n1 && sleep 2 && "$LAB/host" thaw n1) &
LABEL=", a host stopped for 2 s"
cell order 3 hosts3
wait
LABEL=
lose kill n2
finish
