#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ANYSHMEM_STATS: what each PE prints at the end has the numbers of calls and bytes
# that observed.c makes, of all threads, also of one that has ended; over each way.

# shellcheck source=tests/support/job.sh
. "${srcdir:-.}/tests/support/job.sh"
no_jobs
program=${builddir:-.}/tests/api/observed

# row PE TABLE CALL WAY COUNT BYTES: that row is there, and its times are of all calls.
row()
{
    awk -v pe="[$1]" -v table="$2" -v call="$3" -v way="$4" -v count="$5" -v nbytes="$6" '
        $1 != pe { next }
        $3 == "way" { inside = $2 == table; next }
        inside && $2 == call && $3 == way {
            timed = 0
            for (i = 9; i <= NF; i++) { split($i, part, ":"); timed += part[2] }
            found = $4 " " $5
            if (NF < 9 ? call != "fence" && call != "quiet" || table != "request" : timed != count)
                found = found ", " timed " of them with a time"
        }
        END {
            if (found == count " " nbytes) exit
            print pe " " table " " call " " way ": " (found ? found : "missing") ", not " count " " nbytes
        }' "$output.job" >>"$output"
}

# calls WAY: the rows of calls of both PEs; others there are none.
calls()
{
    row 0 call put "$1" 28 $((14 * 40000 + 14 * 8))
    row 0 call get "$1" 14 14000
    row 0 call p "$1" 14 112
    row 0 call g "$1" 14 112
    row 0 call atomic "$1" 14 112
    row 0 call atomic_fetching "$1" 14 112
    row 0 call fence "$1" 14 0
    row 0 call quiet "$1" 14 0
    row 0 call test own 14 0
    for pe in 0 1; do
        row "$pe" call put_signal "$1" 7 56
        row "$pe" call wait own 7 0
        row "$pe" call barrier "$1" 2 0
        row "$pe" call malloc/team "$1" 2 0
    done
    grep -q '^\[0\] Calls of 2 threads ' "$output.job" || echo "not 2 threads" >>"$output"
    grep -q '^\[1\] Calls of 1 threads ' "$output.job" || echo "not 1 thread" >>"$output"
    rows=$(awk '$1 !~ /^\[[01]\]$/ { next }
                $3 == "way" { inside = $2 == "call"; next }
                / Requests that / { inside = 0 }
                inside && $4 ~ /^[0-9]+$/ && $5 ~ /^[0-9]+$/ { n++ }
                END { print n + 0 }' "$output.job")
    [ "$rows" -eq 17 ] || echo "$rows rows of calls, not 17" >>"$output"
}

# run "NAME" WAY: a job without a message, and its calls.
run()
{
    job 2 "$program"
    cp "$output" "$output.job"
    : >"$output"
    [ "$status" -eq 0 ] || echo "status $status" >>"$output"
    if [ "$(grep -c 'observed: PE . done' "$output.job")" -ne 2 ]; then
        cat "$output.job" >>"$output"
    fi
    calls "$2"
}

judge_output()
{
    if [ -s "$output" ]; then result "see below" "$1"; else result ok "$1"; fi
}

ANYSHMEM_STATS=1
export ANYSHMEM_STATS
run "direct" mapped
[ "$(grep -c 'No channel and no proxy' "$output.job")" -eq 2 ] || echo "a proxy?" >>"$output"
judge_output "direct: counts and bytes of each call"

# A put_signal of the library's, of 5 words, is in the start, each malloc and each free, and a barrier's
# signal in each barrier.
requests()
{
    row 0 request put am 14 112
    row 0 request put "$1" 14 560000
    row 0 request get "$1" 14 14000
    row 0 request p am 14 112
    row 0 request g "$1" 14 112
    row 0 request atomic "$1" 14 112
    row 0 request atomic_fetching "$1" 14 112
    row 0 request put_signal am 10 $((56 + 3 * 40))
    row 1 request put_signal am 10 $((56 + 3 * 40))
}

# Not by TCP, over which large puts are messages.
ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=sm,self
export ANYSHMEM_DISABLE_DIRECT UCX_TLS
run "channel" channel
requests rma
judge_output "channel: the same, and the proxy's requests"

ANYSHMEM_REMOTE=am
export ANYSHMEM_REMOTE
run "am" channel
sed -i 's/^\(\[0\] put  *am  *\)28  *560112/\114 112\n\114 560000/' "$output.job"
row 0 request get am 14 14000
row 0 request put_signal am 10 $((56 + 3 * 40))
judge_output "active messages: the same"

unset ANYSHMEM_REMOTE
name="over TCP: the same, and large puts by active messages"
if [ -d /sys/class/net ]; then
    UCX_TLS=tcp,self
    run "TCP" channel
    row 0 request put am 28 560112
    row 0 request get rma 14 14000
    judge_output "$name"
else
    skipped "without /sys UCX finds no TCP" "$name"
fi

unset ANYSHMEM_DISABLE_DIRECT UCX_TLS
ANYSHMEM_STATS=0
job 2 "$program"
works "nothing is printed where it is not asked for"
grep '^\[[01]\] ' "$output" >"$output.lines"
mv "$output.lines" "$output"
judge_output "not a line of a table"

# A reader that has gone neither ends a PE nor holds it up.
{
    ANYSHMEM_STATS=1 timeout 20 "${builddir:-.}/tests/api/bad_use" settings 2>&3 >/dev/null
    echo $? >"$output.status"
} 3>&1 | :
status=$(cat "$output.status")
verdict=ok
[ "$status" -eq 0 ] || verdict="status $status"
result "$verdict" "nobody reads what is printed"
plan
