#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What SECURITY.md promises about other users of the machine: none can open a heap
# or look into a PE; nothing of a job has a name in /dev/shm or /tmp, however it
# ends; and where a PE listens.

build=${abs_builddir:-$(cd "${builddir:-.}" && pwd)}
program=$build/tests/api/security
launch=$(cd "${srcdir:-.}" && pwd)/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
stay=$output.stay
shm=/dev/shm

# start N COMMAND...: with one argument more, a job whose N PEs say where their heaps are, in $lines.
start()
{
    pes=$1
    shift
    : >"$output"
    : >"$stay"
    "$@" "$stay" </dev/null >"$output" 2>&1 &
    job=$!
    i=0
    while [ "$(grep -c ': process [0-9]*, heap ' "$output")" -lt "$pes" ] && [ $i -lt 200 ]; do
        i=$((i + 1))
        sleep 0.1
    done
    lines=$(sed -n 's/.*: process \([0-9]*\), heap \([^ ]*\).*/\1 \2/p' "$output")
    processes=$(echo "$lines" | cut -d ' ' -f 1)
}

# Let the job end; what is wrong with how it ended is in $ended.
finish()
{
    rm -f "$stay"
    wait "$job"
    status=$?
    ended=
    [ "$status" -eq 0 ] || ended="the job ended with $status"
    [ "$(grep -c 'PE [0-9]*: done' "$output")" -eq "$pes" ] ||
        ended="$ended; not all PEs came to the end"
}

as_user()
{
    user=$1
    shift
    setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
}

# Of each PE of the job: what another user can open of it.  $1: user.
opened()
{
    echo "$lines" | while read -r process heap; do
        for file in "$heap" "/proc/$process/mem" "/proc/$process/maps" "/proc/$process/environ"; do
            as_user "$1" head -c 1 "$file" >/dev/null 2>&1 && echo "user $1 can open $file"
        done
    done
}

# Listening TCP sockets of the PEs: addresses in hexadecimal, as the kernel has them.
listening()
{
    for process in $processes; do
        for link in /proc/"$process"/fd/*; do
            readlink "$link"
        done | sed -n 's/^socket:\[\(.*\)\]$/\1/p' >"$output.sockets"
        for version in tcp tcp6; do
            [ -r "/proc/$process/net/$version" ] || continue
            awk 'NR == FNR { mine[$1] = 1; next } $4 == "0A" && $10 in mine { print $2 }' \
                "$output.sockets" "/proc/$process/net/$version"
        done
    done
}

# Files that a PE has open or mapped where others could find them.
named()
{
    for process in $processes; do
        { ls -l "/proc/$process/fd"; cat "/proc/$process/maps"; } |
            sed -n 's|.* \(/\(tmp\|var/tmp\|dev/shm\)/.*\)|\1|p' |
            grep -v -e "^$build/" -e "^$output" | sort -u
    done
}

# Another user.
what="another user can open neither heap nor memory of a PE"
direct=$build/tests/api/.libs/security
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    skipped "only root can play another user" "$what"
elif ! as_user 1000 test -x "$direct"; then
    skipped "user 1000 cannot execute $direct" "$what"
else
    LD_LIBRARY_PATH=$build/.libs start 1 setpriv --reuid 1000 --regid 1000 --clear-groups "$direct"
    found=$(opened 65534 | paste -s -d ,)
    # The user itself can: what was looked at is the right thing.
    control=$(opened 1000 | grep -c '/fd/')
    finish
    if [ -z "$lines" ] || [ "$control" -ne 1 ]; then
        result "the heap was not found: $lines" "$what"
    else
        result "${found:-${ended:-ok}}" "$what"
    fi
fi

# Names.  In a mount name space of its own, where /dev/shm is empty at first.
# shellcheck disable=SC2016 # the inner shell expands it
in_space='mount -t tmpfs tmpfs /dev/shm || exit 98
    "$@"
    status=$?
    left=$(ls -A /dev/shm "$TMPDIR")
    echo "left behind: $(echo $left)."
    exit $status'
mkdir "$output.tmp"
check_names()
{
    what=$1
    paths=$2
    if ! unshare --mount sh -c 'mount -t tmpfs tmpfs /dev/shm' 2>/dev/null; then
        skipped "no mount name space for the asking" "$what"
        return
    fi
    # shellcheck disable=SC2086 # variables are words
    start 1 env TMPDIR="$output.tmp" $paths unshare --mount sh -c "$in_space" sh "$program"
    # shellcheck disable=SC2012 # names, whatever they are
    found=$({ named; for process in $processes; do ls -A "/proc/$process/root$shm"; done; } |
        paste -s -d ,)
    if [ "$3" = kill ]; then
        # shellcheck disable=SC2086 # numbers
        kill -KILL $processes
        wait "$job"
    else
        finish
        found=$found$ended
    fi
    grep -q '^left behind: \(/dev/shm: \)\?.*tmp:\.$' "$output" ||
        found="$found $(grep '^left behind' "$output")"
    [ -n "$processes" ] || found="no PE"
    result "${found:-ok}" "$what"
}
check_names "nothing of a PE has a name, directly" "" end
check_names "nothing of a PE has a name, over UCX" "ANYSHMEM_DISABLE_DIRECT=all" end
check_names "nothing is left of a PE that is killed" "ANYSHMEM_DISABLE_DIRECT=all" kill

# Ports.
start 1 "$program"
found=$(listening | paste -s)
finish
result "${found:-${ended:-ok}}" "a PE that needs no network listens nowhere"

start 1 env ANYSHMEM_DISABLE_DIRECT=all UCX_NET_DEVICES=lo "$program"
found=$(listening | paste -s)
finish
if [ ! -d /sys/class/net ]; then
    skipped "no /sys/class/net" "UCX listens on the interface that UCX_NET_DEVICES names"
elif [ -z "$found" ]; then
    result "it listens nowhere $ended" "UCX listens on the interface that UCX_NET_DEVICES names"
else
    found=$(echo "$found" | tr '\t' '\n' | grep -v '^0100007F:' | paste -s)
    result "${found:-${ended:-ok}}" "UCX listens on the interface that UCX_NET_DEVICES names"
fi

# Whoever reaches the port: what is not UCX's changes nothing.  UCX 1.13 aborts on bytes that
# begin as its own do (SECURITY.md); then the process ends at once, which is all that is asked.
# probe BYTES: send the output of a command to the port, from somebody who then goes away.
probe()
{
    port=$(listening | sed -n 's/^0100007F://p' | head -n 1)
    [ -n "$port" ] || return 1
    # shellcheck disable=SC2016 # bash expands it, which can do this
    eval "$1" | timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/$((16#$0)); cat >&3; sleep 0.2' "$port" \
        2>/dev/null
}
magic="printf '\\170\\126\\064\\022\\276\\272\\376\\312'"
for case in "nothing|:" "bytes of any kind|head -c 4096 /dev/urandom" "a page of HTTP|printf 'GET / HTTP/1.0\r\n\r\n'" \
    "UCX's first bytes and others|{ $magic; head -c 4096 /dev/urandom; }"; do
    what="somebody sends ${case%%|*} to a PE's port"
    if [ ! -d /sys/class/net ]; then
        skipped "no /sys/class/net" "$what"
        continue
    fi
    start 1 env ANYSHMEM_DISABLE_DIRECT=all UCX_NET_DEVICES=lo "$program"
    probe "${case#*|}" || [ -z "$port" ] || :
    found=
    [ -n "$port" ] || found="it listens nowhere"
    finish
    case $case in
        UCX*)
            [ -z "$ended" ] || [ "$status" -eq 134 ] || [ "$status" -eq 71 ] || found="$found$ended"
            [ "$status" -ne 134 ] || grep -q 'bytes of no PE have reached its port' "$output" ||
                found="$found another message"
            ;;
        *) found=$found$ended ;;
    esac
    result "${found:-ok}" "$what"
done

# Addresses: only UCX's own puts and atomics need those of others.  Without randomization
# all heaps lie at the same place, so that one PE's tells all.
# wire PROVIDER: how many bytes and addresses two PEs sent, in $bytes and $addresses
wire()
{
    timeout 60 env ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_REMOTE="$1" UCX_TLS=tcp,self \
        TEST_PRELOAD="$build/.libs/wire.so" TEST_WRAPPER="setarch -R" \
        "$launch" 2 "$build/tests/pe/rma" >"$output" 2>&1 </dev/null
    status=$?
    bytes=$(awk '/^wire: / { n += $2 } END { print n + 0 }' "$output")
    addresses=$(awk '/^wire: / { n += $4 } END { print n + 0 }' "$output")
    [ "$status" -ne 0 ] || [ "$(grep -c ': done, ' "$output")" -eq 2 ] || status=99
}
what="with ANYSHMEM_REMOTE=am no address of the heap is sent to anybody"
if [ -z "$LAUNCHER" ] || [ "$LAUNCHER" = none ]; then
    skipped "no launcher" "$what"
elif sanitized; then
    skipped "a sanitizer must come first, nothing can be preloaded" "$what"
elif [ ! -d /sys/class/net ] || ! setarch -R true 2>/dev/null; then
    skipped "no /sys/class/net, or addresses are random" "$what"
else
    wire am
    found=
    [ "$status" -eq 0 ] || found="status $status"
    [ "$bytes" -gt 100000 ] || found="$found, only $bytes bytes"
    [ "$addresses" -eq 0 ] || found="$found, $addresses addresses"
    result "${found:-ok}" "$what"
    wire rma
    found=
    [ "$status" -eq 0 ] || found="status $status"
    [ "$addresses" -gt 100 ] || found="$found, only $addresses addresses"
    result "${found:-ok}" "and with ANYSHMEM_REMOTE=rma they are, and are found"
fi

# Two PEs, by the launcher.
what="and so it is in a job of two PEs"
case ${LAUNCHER%% *} in
    '' | none) skipped "no launcher" "$what" ;;
    *)
        start 2 env ANYSHMEM_DISABLE_DIRECT=all UCX_NET_DEVICES=lo "$launch" 2 "$program"
        found=$({ named; listening | grep -v '^0100007F:'; } | paste -s)
        [ "$(echo "$processes" | grep -c .)" -eq 2 ] || found="no two PEs"
        finish
        found=$found$ended
        result "${found:-ok}" "$what"
        ;;
esac
plan
