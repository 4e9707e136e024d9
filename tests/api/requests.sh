#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the proxy says of requests in its channel and of messages to it that no routine
# and no proxy of the job makes, and of an abort of UCX's: rows of tests/api/faults.md, from
# programs of tests/unit/proxy.

: "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"

# run PROGRAM: what it told, each line behind its name, is in $output.told.
run()
{
    # Without cmocka there is none of them; one that is missing among others is a failure.
    if [ ! -x "$builddir/tests/unit/proxy/bad_request" ]; then
        echo "1..0 # SKIP no cmocka"
        exit 0
    fi
    CMOCKA_MESSAGE_OUTPUT=TAP "$builddir/tests/unit/proxy/$1" >"$output" 2>&1
    status=$?
    sed -n 's/^# told: //p' "$output" >"$output.told"
    verdict=ok
    [ "$status" -eq 0 ] || verdict="status $status"
}

# rows PROGRAM "WHAT": each of its cases told something.
rows()
{
    run "$1"
    cases=$(grep -c '^ok ' "$output")
    while IFS= read -r line; do
        fault requests "$2: ${line%%: *}" "${line#*: }"
    done <"$output.told"
    if [ "$cases" -eq 0 ] || [ "$(grep -c . "$output.told")" -ne "$cases" ]; then
        verdict="$cases cases, but other messages"
    fi
    result "$verdict" "$2: $cases"
}

rows bad_request "a request in the channel"
rows bad_message "a message with the job's key"

# Without it: dropped, and counted.
run job_key
fault requests "messages without the job's key: the job goes on" \
    "$(grep -m 1 'were dropped' "$output")" 's/warn: [0-9]+/warn: N/'
result "$verdict" "messages without the job's key"

run ucx_abort
line=$(cat "$output.told")
fault failures "${line%%: *}" "${line#*: }"
result "$verdict" "an abort of UCX's"

faults_match
plan
