#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs by unique id without a launcher: this shell starts the PEs.  They work;
# and whatever goes wrong with one of them, the others end soon, with a message.

: "${srcdir:=.}" "${builddir:=.}"
program=$builddir/tests/pe/uid
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.tmp
mkdir "$tmp" || exit 99
unset PMIX_NAMESPACE PMIX_RANK
job=0
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"

# row "WHAT HAPPENED" "TEXT": a row of tests/api/faults.md, from what the last job said.
row() { fault start "$1" "$(grep -m 1 "$2" "$tmp/all")"; }

# start RANK N [VARIABLE=VALUE...] PROGRAM...: a PE in the background.
start()
{
    rank=$1 n=$2
    shift 2
    UID_RANK=$rank UID_N=$n UID_FILE=$tmp/id.$job PE_TIME_LIMIT=40 env "$@" \
        >"$tmp/out.$job.$process" 2>&1 </dev/null &
    echo $! >>"$tmp/pids.$job"
    process=$((process + 1))
}

begin()
{
    job=$((job + 1))
    process=0
    began=$(cut -d. -f1 /proc/uptime)
}

# Wait for all; $statuses are theirs, in the order of their starts.
collect()
{
    statuses=
    while read -r pid; do
        wait "$pid"
        statuses="$statuses $?"
    done <"$tmp/pids.$job"
    seconds=$(($(cut -d. -f1 /proc/uptime) - began))
    # One PE after the other.
    cat "$tmp/out.$job".* >"$tmp/all"
}

# judge TEXT MOST-SECONDS STATUSES [PATTERN COUNT]: of PEs that were collected; STATUSES and
# COUNT are shell patterns
judge()
{
    {
        echo "statuses$statuses, wanted $3, after $seconds s of $2; wanted $5 times: $4"
        head -n 40 "$tmp/all"
    } >"$output"
    # shellcheck disable=SC2254 # a pattern
    case $statuses in " "$3) [ "$seconds" -le "$2" ] ;; *) false ;; esac &&
        { [ -z "$4" ] || case $(grep -c "$4" "$tmp/all") in $5) ;; *) false ;; esac; }
    verdict $? "$1"
}

# The same of those that were started.
end()
{
    collect
    judge "$@"
}

three()
{
    begin
    for r in 0 1 2; do start $r 3 "$@"; done
}

three "$program"
end "3 PEs by hand" 30 "0 0 0" "done, [1-9][0-9]* checks" 3
three ANYSHMEM_DISABLE_DIRECT=all "$program"
end "3 PEs by hand over the channel" 40 "0 0 0" "done, [1-9][0-9]* checks" 3
three NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==lo "$program"
end "3 PEs over the loopback interface" 30 "0 0 0" "done, [1-9][0-9]* checks" 3
begin
start 0 1 "$program"
end "one PE" 30 "0" "done, [1-9][0-9]* checks" 1

# The watch of the node and the connections of the id find it at about the same time.
lost='PE 2 .*\(is lost\|has ended without nvshmem_finalize\)'
lost_root='PE 0.*\(is lost\|has ended without nvshmem_finalize\)'
for path in 0 all; do
    three ANYSHMEM_DISABLE_DIRECT=$path "$program" kill
    end "a PE is killed (DISABLE_DIRECT=$path)" 20 "71 71 137" "$lost" 2
done
three "$program" exit
end "a PE exits" 20 "71 71 0" "$lost" 2
three "$program" kill_root
end "the PE of the id is killed" 20 "137 71 71" "$lost_root" 2
three "$program" exit_root
end "the PE of the id exits" 20 "0 71 71" "$lost_root" 2
three "$program" global
end "nvshmem_global_exit ends all" 20 "5 5 5" "PE 2 .*ended the job with status 5" 2
three "$program" global_root
end "nvshmem_global_exit of the PE of the id" 20 "5 5 5" "PE 0 .*ended the job with status 5" 2

# process N: the one that was started as the N-th.
process() { sed -n "$1p" "$tmp/pids.$job"; }

# until COMMAND...: wait until it is true, for 20 s at most.
until_true()
{
    tries=0
    until "$@" || [ "$tries" -ge 200 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
}

# said N "TEXT": N lines of the PEs have it.
said() { [ "$(cat "$tmp/out.$job".* | grep -c "$2")" -ge "$1" ]; }

# It is killed while another one waits for the third: who has joined knows whom it lost.
begin
for r in 0 1; do start $r 3 NVSHMEM_DEBUG=INFO "$program" start; done
until_true said 2 "PE 0 .* is the root of the bootstrap"
kill -KILL "$(process 1)"
end "the PE of the id is killed before all have come" 20 "137 8" \
    "error: PE 0 (process $(process 1) on .*has ended without nvshmem_finalize" 1
begin
for r in 0 1; do start $r 3 ANYSHMEM_INIT_TIMEOUT=2 "$program" start; done
end "a PE does not come" 20 "8 8" "after 2 s PE 2 of 3 did not come to the start" 2
row "unique id: a PE does not come" "did not come to the start"
# The one that brings them together has no file descriptor for them, from some number on.
for files in 6 7 8 9 10 11 12; do
    begin
    start 0 3 ANYSHMEM_INIT_TIMEOUT=2 prlimit --nofile=$files "$program" start
    for r in 1 2; do start $r 3 ANYSHMEM_INIT_TIMEOUT=2 "$program" start; done
    collect
    ! grep -q 'unique id: the connection of a PE cannot be taken' "$tmp/all" || break
done
judge "no file descriptor for a PE's connection" 20 "8 * *" \
    "warn: unique id: the connection of a PE cannot be taken: Too many open files" 1
row "unique id: no file descriptor is left for a PE's connection (ulimit -n)" "cannot be taken"
begin
for r in 0 1 1; do start $r 3 "$program" start; done
end "two PEs with one number" 20 "8 8 8" "two processes say that they are PE 1" 3
row "unique id: two PEs with one number" "two processes say"
begin
start 0 2 "$program" start
start 1 3 "$program" start
end "nranks differs" 20 "8 8" "nranks differs between PEs: 2 on PE 0, 3 on PE 1" 2
row "unique id: PEs with different numbers of PEs" "nranks differs"
begin
for r in 0 1; do start $r 2 NVSHMEM_SYMMETRIC_SIZE=$((r + 1))M "$program" start; done
# Both find it; who ends first ends the other one, which may not have said it yet.
end "the heaps differ" 30 "[78]* [78]*" \
    "NVSHMEM_SYMMETRIC_SIZE=1048576 on PE 0, but NVSHMEM_SYMMETRIC_SIZE=2097152 on PE 1" "[12]"
# A sanitizer needs more than that.
if ! sanitized; then
    begin
    start 0 2 "$program" start
    start 1 2 prlimit --as=900000000 "$program" start
    collect
    judge "a PE without memory for its heap ends the job" 20 "70 70" \
        "PE 1/2 .*: error: cannot make a symmetric heap" 1
fi
begin
start 0 1 NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==none "$program" start
end "no such interface" 20 "1" "no network interface can be used" 1
row "unique id: \`NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME\` names no interface" "no network interface"

# A host is what calls itself one: two of them, on one machine.
number_of_hosts="unshare --uts sh -c"
if unshare --uts sh -c 'hostname one' 2>/dev/null; then
    begin
    for r in 0 1; do
        # shellcheck disable=SC2016,SC2086 # the inner shell expands them
        start $r 2 $number_of_hosts "hostname host$r && exec $program node"
    done
    end "two hosts" 30 "0 0" "done, [1-9][0-9]* checks" 2

    # PE 1 has lost it and has ended before PE 2 gets to look: that one names PE 0, too.
    ended()
    {
        case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z*) true ;; *) false ;; esac
    }
    begin
    for r in 0 1 2; do
        # shellcheck disable=SC2016,SC2086 # the inner shell expands them
        start $r 3 $number_of_hosts "hostname host$((r > 0)) && exec $program stay"
    done
    until_true said 3 "stays$"
    kill -STOP "$(process 3)"
    kill -KILL "$(process 1)"
    until_true ended "$(process 2)"
    kill -CONT "$(process 3)"
    end "two hosts, and the PE of the id is killed" 30 "137 71 71" \
        "error: PE 0 (process $(process 1) on host0)" 2
else
    skipped "no name space for the asking" "two hosts"
    skipped "no name space for the asking" "two hosts, and the PE of the id is killed"
fi

faults_match
plan
