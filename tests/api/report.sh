#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Who waits on what: for each kind of wait, what a report says that is asked for
# by SIGUSR1, directly and over the channel, and that the job goes on exactly
# afterwards.  Then the time limit, the warning, and the signals that are not ours.

program=${builddir:-.}/tests/api/report
program_end=${builddir:-.}/tests/api/report_end
launch=${srcdir:-.}/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"
TEST_TIMEOUT=60
PE_TIME_LIMIT=50
export TEST_TIMEOUT PE_TIME_LIMIT
heap='0x[0-9a-f]+ \(heap \+ [0-9]+\)'
for_a_while='wait [0-9]+, for [0-9]+\.[0-9] s'

# run SETTINGS N PROGRAM ARGUMENTS: a job; its status is in $status.
run()
{
    settings=$1
    shift
    # shellcheck disable=SC2086 # the settings are a list of words
    env $settings "$launch" "$@" >"$output.all" 2>&1 </dev/null
    status=$?
    cp "$output.all" "$output"
}

# The line of this job with this in it, as the table of faults shows it.
seen()
{
    fault waits "$1" "$(grep -E "$2" "$output.all" | head -n 1)" 's/heap \+ [0-9]+/heap + N/' \
        's/(for|requests|barrier|to) [0-9.]+( s)?/\1 N\2/g' 's/wait [0-9]+/wait N/'
}

# What all PEs of a job that must be right have said.
right()
{
    if [ "$status" -ne 0 ]; then
        echo "status $status $(grep 'NO END' "$output.all" | head -n 1)"
    elif [ "$(grep -c ': done, [0-9]* checks' "$output.all")" -ne "$1" ]; then
        echo "not every PE came to its end"
    elif grep -q 'FAILED\|NO END\|error:' "$output.all"; then
        echo "a check failed"
    else
        echo ok
    fi
}

# in_case NAME "REGULAR EXPRESSION"...: PE 0's reports in this case say all of it.
in_case()
{
    name=$1
    shift
    case $path-$name in
        channel-quiet | channel-get | channel-full | channel-cancel)
            # Over UCX's shared memory they do not need the other PE, and end at once, or
            # wait for a channel that never fills: left out of $cases.
            if [ ! -d /sys/class/net ]; then
                skipped "without /sys UCX finds no network interface" "$path: $name"
                return
            fi
            ;;
    esac
    sed -n "/^report: case $name begins/,/^report: case $name ends/p" "$output.all" >"$output"
    verdict=ok
    for expected in "$@"; do
        grep -Eq "^anyshmem: PE 0/2 on [^ ]+: info: report: $expected\$" "$output" ||
            verdict="no line: $expected"
    done
    grep -q "^anyshmem: PE 1/2 .* info: report" "$output" && verdict="PE 1 reports, too"
    [ "$(grep -c 'report: requested by a signal$' "$output")" -gt 0 ] || verdict="no report"
    [ "$(grep -c 'report: requested by' "$output")" -eq "$(grep -c 'report: end$' "$output")" ] ||
        verdict="a report has no end"
    result "$verdict" "$path: $name"
}

# On a machine of one CPU, too.
ANYSHMEM_BARRIER=rounds
export ANYSHMEM_BARRIER
in_rounds='barrier [0-9]+ of all 2 PEs: waiting for PE 1 \(round 0\); not arrived: PE 1'

# The waits that are the same, however PEs reach each other.
for_all_paths()
{
    in_case variable "$for_a_while: nvshmem_int_wait_until: ivar $heap == -5, is -3"
    in_case signal "$for_a_while: nvshmem_signal_wait_until: sig_addr $heap >= 7, is 0"
    in_case all "$for_a_while: nvshmem_int_wait_until_all_vector: all of 4 ivars $heap == their cmp_values, ivars\[3\] == 33, are 0 1 2 3"
    in_case any "$for_a_while: nvshmem_int_wait_until_any: any of 12 ivars $heap == 50, ivars\[0\] and on are 0 1 2 33 4 5 6 7 \.\.\."
    in_case some "$for_a_while: nvshmem_int_wait_until_some: some of 3 ivars $heap > 70, are 0 1 2"
    in_case barrier "$for_a_while: nvshmem_barrier_all: $in_rounds"
    in_case malloc "$for_a_while: nvshmem_calloc: $in_rounds"
    in_case finalize "$for_a_while: nvshmem_finalize: $in_rounds"
    in_case kernel \
        "$for_a_while: nvshmem_int_wait_until: ivar $heap > 1000, is 0 \(block 0, thread 0\)" \
        "$for_a_while: nvshmem_int_wait_until: ivar $heap > 1000, is 33 \(block 1, thread 1\)"
    in_case stream \
        "$for_a_while: nvshmemx_int_wait_until_on_stream: ivar $heap == 6, is -5" \
        "$for_a_while: a stream: what is queued on it"
}

# over_channel QUIET: what the report of a quiet says is under way.
over_channel()
{
    place='at heap \+ [0-9]+'
    in_case variable 'channel: [0-9]+ requests pushed, [0-9]+ popped, [0-9]+ known to be complete; it holds 8' \
        "operations complete: [0-9]+, the last one: [a-z ]+, [0-9]+ bytes $place of PE 1" \
        'PE 1: [0-9]+ messages sent, [0-9]+ known to be applied, [0-9]+ received; 0 transfers deferred, 0 flushes in flight' \
        'transfers in flight: 0' 'messages dropped: 0'
    in_case quiet "$for_a_while: nvshmem_quiet: the completion of what was sent: requests [0-9]+ to [0-9]+" \
        "in flight for [0-9.]+ s: $1"
    in_case fetch "$for_a_while: nvshmem_uint64_atomic_fetch_add: the reply to atomic fetch-and-add to PE 1, 8 bytes $place" \
        "in flight for [0-9.]+ s: atomic fetch-and-add, 8 bytes $place of PE 1"
    in_case get "$for_a_while: nvshmem_int_get: the reply to get from PE 1, 48 bytes $place" \
        "in flight for [0-9.]+ s: get, 48 bytes $place of PE 1"
    in_case cancel "$for_a_while: put to PE 1: room in the channel, which is full"
    in_case full "$for_a_while: put to PE 1: room in the channel, which is full" \
        "in flight for [0-9.]+ s: put, 8192 bytes $place of PE 1" 'transfers in flight: [0-9]{5}'
}

no_jobs

# Those that wait without a network.
anywhere='variable signal all any some barrier malloc kernel stream'
path=direct
# shellcheck disable=SC2086 # a list of words
run '' 2 "$program" $anywhere finalize
result "$(right 2)" "$path: the job is right"
for_all_paths
seen "a PE gets SIGUSR1 while it waits for a variable" 'report: wait .* ivar '
seen "a PE gets SIGUSR1 while another one has not come to a barrier" 'report: wait .*barrier_all'
path=gathered
late='barrier [0-9]+ of all 2 PEs: 0 of 1 others arrived; not arrived: PE 1'
run 'ANYSHMEM_BARRIER=gather' 2 "$program" barrier malloc finalize
result "$(right 2)" "$path: the job is right"
in_case barrier "$for_a_while: nvshmem_barrier_all: $late"
in_case malloc "$for_a_while: nvshmem_calloc: $late"
in_case finalize "$for_a_while: nvshmem_finalize: $late"
path=channel
cases=
[ -d /sys/class/net ] || cases="$anywhere fetch finalize"
# shellcheck disable=SC2086 # a list of words, or none: all cases
run 'ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_CHANNEL_SLOTS=8' 2 "$program" $cases
result "$(right 2)" "$path: the job is right"
for_all_paths
over_channel 'flush to PE 1'
seen "a PE gets SIGUSR1 while it waits for a reply" 'report: wait .*atomic_fetch_add'
path=am
run 'ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_REMOTE=am ANYSHMEM_CHANNEL_SLOTS=8 ANYSHMEM_STATS=1' 2 "$program" \
    variable quiet fetch get full cancel
result "$(right 2)" "$path: the job is right"
over_channel 'flush to PE 1'

# without_end SETTINGS N REST "REGULAR EXPRESSION" TEXT ROW: the job ends for a wait
# that has no end.
without_end()
{
    began=$(cut -d. -f1 /proc/uptime)
    # shellcheck disable=SC2086 # a list of words
    run "$1 ANYSHMEM_TIMEOUT=1" "$2" "$program_end" $3
    seconds=$(($(cut -d. -f1 /proc/uptime) - began))
    verdict=ok
    grep -Eq "error: $4: timed out after ANYSHMEM_TIMEOUT=1 s\$" "$output" || verdict="no message"
    [ "$(grep -c 'error: ' "$output")" -eq 1 ] || verdict="not one error"
    grep -q 'report: a wait exceeds ANYSHMEM_TIMEOUT$' "$output" || verdict="no report"
    [ "$status" -ne 0 ] || verdict="the launcher returned 0"
    [ "$seconds" -le 8 ] || verdict="ended only after $seconds s"
    result "$verdict" "$5"
    seen "$6" 'error: '
}
without_end '' 1 'wait 20000 0' "nvshmem_int_wait_until: ivar $heap == 1, is 0" \
    "ANYSHMEM_TIMEOUT ends a job for a wait without end" \
    "nobody sets the variable that a PE waits for, and ANYSHMEM_TIMEOUT is 1"
without_end ANYSHMEM_DISABLE_DIRECT=all 1 hole "nvshmem_quiet: .*" \
    "ANYSHMEM_TIMEOUT ends a job whose quiet waits for a request that nobody writes" \
    "a thread stays in the middle of a request, or is cancelled there, and ANYSHMEM_TIMEOUT is 1"
if [ ! -d /sys/class/net ]; then
    # Over UCX's shared memory no reply is needed.
    skipped "without /sys UCX finds no network interface" "ANYSHMEM_TIMEOUT names the PE"
    fault_skipped waits "a PE does not answer, and ANYSHMEM_TIMEOUT is 1"
else
    without_end ANYSHMEM_DISABLE_DIRECT=all 2 peer \
        "nvshmem_int_atomic_fetch: the reply to atomic fetch to PE 1, 4 bytes at heap \+ [0-9]+" \
        "ANYSHMEM_TIMEOUT names the PE that does not answer" \
        "a PE does not answer, and ANYSHMEM_TIMEOUT is 1"
fi

run 'ANYSHMEM_WARN_AFTER=1' 1 "$program_end" wait 2500 0
verdict=$(right 1)
[ "$(grep -c 'warn: ' "$output")" -eq 1 ] || verdict="not one warning"
grep -Eq "warn: waiting for 1 s in nvshmem_int_wait_until: ivar $heap == 1, is 0\$" "$output" ||
    verdict="no warning"
result "$verdict" "a wait that is long is warned about, once"
seen "a wait lasts for ANYSHMEM_WARN_AFTER, here 1 s" 'warn: '

run 'ANYSHMEM_WARN_AFTER=1 ANYSHMEM_TIMEOUT=2' 1 "$program_end" wait 100 3000
verdict=$(right 1)
grep -q 'warn: \|report: ' "$output" && verdict="it was taken for a wait"
result "$verdict" "the time for which a PE is stopped does not count"

run '' 1 "$program_end" handler
verdict=$(right 1)
grep -q 'info: report: ' "$output" && verdict="a report"
result "$verdict" "a handler of the program's own stays"

run 'ANYSHMEM_REPORT_SIGNAL=USR2' 1 "$program_end" raise 2
verdict=$(right 1)
grep -Eq "info: report: $for_a_while: nvshmem_int_wait_until: ivar $heap == 1, is 0\$" "$output" ||
    verdict="no report"
result "$verdict" "ANYSHMEM_REPORT_SIGNAL chooses the signal"

run 'ANYSHMEM_REPORT_SIGNAL=none' 1 "$program_end" raise 1
verdict=ok
[ "$status" -ne 0 ] || verdict="status 0"
grep -q 'info: report: ' "$output" && verdict="a report"
result "$verdict" "ANYSHMEM_REPORT_SIGNAL=none leaves the signal alone"

faults_match
plan
