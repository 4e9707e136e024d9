#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What variables do where nothing is wrong: the proxy's CPUs, what is printed at the start,
# where messages go, and a PE that may be stopped for as long as it likes.

program=${builddir:-.}/tests/api/death
heap=${builddir:-.}/tests/pe/heap
launch=${srcdir:-.}/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"

# soon COMMAND...: true when it is, within 10 s.
soon()
{
    tries=0
    while ! "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || return 1
        sleep 0.1
    done
}

# The CPUs of the proxy's thread of the job of one PE that runs.
cpus_of_proxy()
{
    for task in "/proc/$process/task"/*; do
        [ "$(cat "$task/comm" 2>/dev/null)" != anyshmem-proxy ] ||
            sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$task/status"
    done
}
has_cpus() { [ "$(cpus_of_proxy)" = "$1" ]; }
has_several_cpus() { case $(cpus_of_proxy) in *[,-]*) ;; *) false ;; esac; }

# proxy_runs MESSAGE "CONDITION" COMMAND...: of a job of one PE, soon.
proxy_runs()
{
    message=$1 condition=$2
    shift 2
    env ANYSHMEM_DISABLE_DIRECT=all "$@" "$program" none none >"$output" 2>&1 &
    process=$!
    # shellcheck disable=SC2086 # words
    soon $condition
    verdict $? "$message"
    kill "$process"
    wait "$process" 2>/dev/null
}

allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
cpu=${allowed##*[,-]}
if [ "$cpu" = "$allowed" ]; then
    skipped "one CPU" "ANYSHMEM_PROXY_CPUS is where the proxy runs"
    skipped "one CPU" "the proxy of a PE that is bound to one CPU is not"
else
    proxy_runs "ANYSHMEM_PROXY_CPUS=$cpu is where the proxy runs, of $allowed" \
        "has_cpus $cpu" ANYSHMEM_PROXY_CPUS="$cpu"
    proxy_runs "the proxy of a PE that is bound to CPU $cpu is not" \
        has_several_cpus taskset -c "$cpu"
fi

version=$(sed -n 's/^#define NVSHMEM_VENDOR_STRING "\(.*\)"$/\1/p' \
    "${builddir:-.}/include/nvshmem/version.h")

# prints VARIABLE N "REGULAR EXPRESSION": a job of 2 PEs says it N times on its output.
prints()
{
    env "$1" "$launch" 2 "$heap" >"$output" 2>"$output.err"
    status=$?
    if grep -q '^1\.\.0 # SKIP' "$output"; then
        skipped "$(sed -n 's/^1\.\.0 # SKIP //p' "$output")" "$1"
    elif [ "$status" -eq 0 ] && [ "$(grep -Ec "$3" "$output")" -eq "$2" ]; then
        result ok "$1: $2 times"
    else
        result "status $status" "$1: $2 times"
    fi
}
prints NVSHMEM_VERSION=1 1 "^$version\$"
prints NVSHMEM_INFO=1 1 "^$version\$"
prints NVSHMEM_INFO=1 1 '^NVSHMEM_SYMMETRIC_SIZE='
prints NVSHMEM_VERSION=0 0 "^$version\$"

NVSHMEM_DEBUG=INFO NVSHMEM_DEBUG_FILE=$output.log.%h.%p LAUNCHER=none "$launch" 1 "$heap" \
    >"$output" 2>&1
status=$?
set -- "$output.log.$(uname -n)".[1-9]*
[ "$status" -eq 0 ] && [ $# -eq 1 ] && grep -q ': info: ' "$1" && ! grep -q ': info: ' "$output"
verdict $? "NVSHMEM_DEBUG_FILE names the host and the process"

# stopped SETTING: a job whose PE 1 has stopped; false: it does not.
stopped()
{
    env "$1" "$launch" 2 "$program" wait stop >"$output" 2>&1 &
    job=$!
    soon grep -q 'gone at' "$output"
}
has_ended() { ! kill -0 "$job" 2>/dev/null; }
let_go()
{
    kill -KILL "$(sed -n 's/^.*PE 1 is //p' "$output" | head -n 1)" 2>/dev/null
    wait "$job"
}

if [ -z "$LAUNCHER" ] || [ "$LAUNCHER" = none ]; then
    skipped "no PMIx launcher" "ANYSHMEM_PEER_TIMEOUT"
else
    stopped ANYSHMEM_PEER_TIMEOUT=1 && soon has_ended
    verdict $? "a PE that is stopped ends a job with a limit of 1 s"
    let_go
    stopped ANYSHMEM_PEER_TIMEOUT=0 && sleep 6 && ! has_ended
    verdict $? "it does not without a limit, for 6 s"
    let_go
fi
plan
