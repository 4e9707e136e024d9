#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The machine has too little of something: a clear message when the job starts, or
# it works; never a hang, never a signal later.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/bad_input
use=${builddir:-.}/tests/api/bad_use
libs=${abs_builddir:-$PWD}/.libs
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs

# limited N "ulimit OPTIONS": a job whose PEs have that limit.
limited()
{
    job "$1" sh -c "ulimit $2 && exec \"\$1\" start_only" - "$program"
}

NVSHMEM_SYMMETRIC_SIZE=1t job 2 "$program" start_only
works "a heap of 1 TiB: pages are used when they are allocated"
if sanitized || [ -n "$TEST_WRAPPER" ]; then
    fault_skipped resources "no address space for the heap (ulimit -v)"
    fault_skipped resources "no address space for the heaps of the other PEs (ulimit -v)"
    skipped "sanitizers need address space" "limits of address space"
else
    limited 2 "-v 700000"
    fails resources "no address space for the heap (ulimit -v)" \
        "cannot make a symmetric heap of 1073741824 bytes \(out of memory\): .*"
    # Twice its size while it is made, and once; then there is no room for two more.
    limited 3 "-v 2800000"
    # A PE that is slower finds that another one has ended.
    sed -i '/has ended without nvshmem_finalize/d' "$output.error"
    fails resources "no address space for the heaps of the other PEs (ulimit -v)" \
        "the heap of PE [012] \(1102053376 bytes\) cannot be mapped \(out of memory\): .*" \
        's/PE [012]/PE 1/'
fi
limited 2 "-f 1000"
fails resources "files may not be as large as the heap (ulimit -f)" \
    "cannot make a symmetric heap of 1073741824 bytes \(out of memory\): .*"
ANYSHMEM_DISABLE_DIRECT=all limited 2 "-n 18"
fails resources "too few open files for UCX (ulimit -n)" \
    "[0-9]+ open files, and a limit of 18, leave too few for UCX: ulimit -n [0-9]+" \
    's/^[0-9]+ open/N open/;s/-n [0-9]+$/-n N/'
ANYSHMEM_DISABLE_DIRECT=all limited 2 "-n 64"
works "64 open files are enough"
ANYSHMEM_DISABLE_DIRECT=all limited 2 "-l 0"
works "no memory need be locked (ulimit -l 0)"

# What is asked for is not there: NULL, a line that says why, and the job goes on.
NVSHMEM_SYMMETRIC_SIZE=1M job 2 "$use" settings
# Each PE says it, once.
said_by=$(sed -nE 's/^anyshmem: PE ([0-9]+).*/\1/p' "$output.warn" | sort | tr -d '\n')
[ "$said_by" = 01 ] || echo "said by PEs: $said_by" >>"$output.warn"
[ "$said_by" != 01 ] || sed -i 2,\$d "$output.warn"
warns resources "the heap is exhausted: the routine returns NULL on all PEs" \
    "nvshmem_malloc: out of symmetric memory for 8388608 bytes: [0-9]+ free, the largest block has [0-9]+ .*" \
    's/: [0-9]+ free, the largest block has [0-9]+/: N free, the largest block has N/'
result "$([ "$(grep -c ': 8 MiB are too much' "$output")" -eq 2 ] && echo ok || echo another end)" \
    "nvshmem_malloc returns NULL on all PEs"

NVSHMEM_SYMMETRIC_SIZE=1t job 1 "$use" too_large
warns resources "the heap has room, and the machine has no memory: the routine returns NULL" \
    "nvshmem_malloc: out of physical memory for 966367641600 bytes \(the symmetric heap has room\)"
result "$(grep -q ': 900 GiB are too much' "$output" && grep -q ': went on' "$output" && echo ok ||
    echo another end)" "nvshmem_malloc returns NULL, and the heap is as it was"

# The last call of fallocate is the split's.
failing=$libs/failing.so
if [ ! -f "$failing" ]; then
    fault_skipped resources "no memory for the collectives of a split's team: all PEs are refused it"
    skipped "no $failing" "a split without memory"
else
    : >"$output.log"
    no_room="env LD_PRELOAD=$failing INJECT_KIND=resource INJECT_CALL=fallocate INJECT_LOG=$output.log"
    # shellcheck disable=SC2086 # words
    job 2 $no_room INJECT_PE=1 INJECT_NTH=0 "$use" no_room
    last=$(sed -n 's/^1 made \([0-9]*\) calls$/\1/p' "$output.log")
    # shellcheck disable=SC2086 # words
    job 2 $no_room INJECT_PE=1 INJECT_NTH="${last:-0}" "$use" no_room
    warns resources "no memory for the collectives of a split's team: all PEs are refused it" \
        "nvshmem_team_split_strided: out of physical memory for the collectives of a team of 2 PEs \([0-9]+ KiB\)" \
        's/\([0-9]+ KiB\)/(N KiB)/'
    result "$([ "$(grep -c ': refused$' "$output")" -eq 2 ] && echo ok || echo another end)" \
        "a split without memory returns an error on both PEs"
fi

# A name space of our own: /dev/shm and ports as we like them.
spaces="unshare --mount --net"
[ "$(id -u)" -eq 0 ] || spaces="unshare --user --map-root-user --mount --net"
if ! $spaces sh -c 'ip link set lo up && mount -t tmpfs -o size=4k none /dev/shm' 2>/dev/null; then
    fault_skipped resources "UCX_TLS asks for shared memory, and /dev/shm is full"
    skipped "no name spaces here" "a full /dev/shm"
else
    for path in 0 all; do
        # Without a network UCX needs that memory.
        if [ "$path" = all ] && [ ! -d /sys/class/net ]; then
            skipped "without /sys UCX finds no network interface" \
                "/dev/shm is full, direct off: $path"
            continue
        fi
        ANYSHMEM_DISABLE_DIRECT=$path job 0 $spaces sh -c \
            'ip link set lo up && mount -t tmpfs -o size=4k none /dev/shm && exec "$@"' - \
            "$launch" 2 "$program" start_only
        works "/dev/shm is full, direct off: $path"
    done
    ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=posix,self job 0 $spaces sh -c \
        'ip link set lo up && mount -t tmpfs -o size=4k none /dev/shm && exec "$@"' - \
        "$launch" 2 "$program" start_only
    job_n=2
    fails resources "UCX_TLS asks for shared memory, and /dev/shm is full" \
        "(UCX|proxy): cannot [a-zPE0-9 ]+: [A-Za-z ]+; UCX_TLS=posix,self may leave no transport that serves: .*" \
        's/.* cannot [a-zPE0-9 ]+: [A-Za-z ]+;/UCX: cannot make a worker: No resources are available;/'
fi
if [ ! -d /sys/class/net ] || ! $spaces true 2>/dev/null; then
    fault_skipped resources "no port is free"
    skipped "no name spaces here, or no /sys, without which UCX finds no network" "no port is free"
else
    # The first one has the one port, the second one gets none.
    ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self job 0 $spaces sh -c 'ip link set lo up &&
        echo 50000 50000 >/proc/sys/net/ipv4/ip_local_port_range && exec "$@"' - "$use" nested
    grep -v 'started without a launcher' "$output.warn" >"$output.others"
    mv "$output.others" "$output.warn"
    verdict=$(said error "no TCP port is free for UCX: .*")
    grep -q '^the second one ended with 70$' "$output" || verdict="the second one went on"
    [ "$status" -eq 0 ] && grep -q '^PE 0: went on$' "$output" || verdict="status $status"
    [ "$verdict" != ok ] || fault resources "no port is free" "$(cat "$output.error")"
    result "$verdict" "no port is free"
fi

# Threads count as processes; root has no such limit.
# A user whom nobody else is, nor was just now: the kernel counts the dead for a moment.
user=$((60000 + $(od -An -N2 -tu2 /dev/urandom) % 5000))
as_user()
{
    user=$((user + 1))
    LD_LIBRARY_PATH=$libs job 0 "$@"
}
# Not the script that libtool makes of it: that one needs processes.
real=${program%/*}/.libs
no_threads='\(.*\): set the limit of processes higher \(ulimit -u, or pids\.max of the control group\)'
for_ucx="no more threads (ulimit -u)"
for_proxy="no more threads but those of UCX (ulimit -u)"
for_watch="no thread at all (ulimit -u)"
for_stream="no thread for a stream (ulimit -u)"
if [ "$(id -u)" -ne 0 ] ||
    ! setpriv --reuid 65534 --clear-groups test -x "$program" 2>/dev/null; then
    for what in "$for_ucx" "$for_proxy" "$for_watch" "$for_stream"; do
        fault_skipped resources "$what"
    done
    skipped "not root" "no more threads (ulimit -u)"
else
    # The program has a thread itself; how many UCX has is its affair.
    said_proxy=
    for processes in 2 3 4 5 6 7 8; do
        ANYSHMEM_DISABLE_DIRECT=all as_user prlimit --nproc=$processes setpriv --reuid "$user" \
            --clear-groups "$real/bad_input" start_only
        [ "$status" -ne 0 ] || break
        case $processes:$said_proxy:$(cat "$output.error") in
            2:*) fails resources "$for_ucx" "cannot start 2 threads for UCX $no_threads" ;;
            *::*"for the proxy"*)
                said_proxy=yes
                fails resources "$for_proxy" "cannot start a thread for the proxy $no_threads"
                ;;
            *)
                verdict=$(said error "cannot start .* $no_threads")
                [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
                result "$verdict" "$processes processes are too few"
                ;;
        esac
    done
    [ -n "$said_proxy" ] || result "no message about it" "$for_proxy"
    works "$processes processes are enough"
    as_user prlimit --nproc=2 setpriv --reuid "$user" --clear-groups "$real/bad_input" start_only
    fails resources "$for_watch" \
        "cannot start a thread for the watch of this node's PEs $no_threads"
    as_user setpriv --reuid "$user" --clear-groups "$real/bad_input" no_threads
    fails resources "$for_stream" \
        "nvshmemx_quiet_on_stream: out of memory or threads for an operation on stream 0x[0-9a-f]+"
    result "$(grep -q ': 64 blocks ran$' "$output" && ! grep -q 'CAME BACK' "$output" && echo ok ||
        echo no)" "a kernel of 64 blocks runs on the thread that launches it"
fi

# The limit of a control group, which holds for root, too.
group=
for root in /sys/fs/cgroup/pids /sys/fs/cgroup; do
    [ -z "$group" ] && mkdir "$root/anyshmem-test.$$" 2>/dev/null || continue
    group=$root/anyshmem-test.$$
    # Where pids is not given to groups of this one, there is no such file.
    echo 3 2>/dev/null >"$group/pids.max" && break
    rmdir "$group"
    group=
done
if [ -z "$group" ]; then
    fault_skipped resources "no more threads (pids.max of the control group)"
    skipped "no control group for the asking" "no more threads (pids.max)"
else
    # shellcheck disable=SC2016 # the inner shell expands them
    ANYSHMEM_DISABLE_DIRECT=all LD_LIBRARY_PATH=$libs job 0 \
        sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" start_only' - "$group" "$real/bad_input"
    fails resources "no more threads (pids.max of the control group)" \
        "cannot start 2 threads for UCX $no_threads"
    rmdir "$group"
fi

faults_match
plan
