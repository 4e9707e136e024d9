# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For scripts that run jobs and check their messages; with tap.sh and faults.sh:
#
#   job N COMMAND...   run a job of N PEs, or with N = 0 a process without a
#                      launcher: its output is in $output, its messages of a level
#                      in $output.error and $output.warn, its status in $status,
#                      its time in $seconds
#   fails SECTION "WHAT HAPPENED" "REGULAR EXPRESSION" [SED...]
#                      The job ended soon, not with 0, and each PE that printed an
#                      error printed one line, which matches: one result, and one
#                      row of tests/api/faults.md
#   warns SECTION "WHAT HAPPENED" "REGULAR EXPRESSION" [SED...]
#                      The job ended with 0 and printed one warning, which matches
#   works "NAME"       The job ended with 0 and printed no message

# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"
launch=${srcdir:-.}/tests/launch
# A job takes less than a second; one that hangs is ended after this many seconds.
TEST_TIMEOUT=${TEST_TIMEOUT:-30}
PE_TIME_LIMIT=${PE_TIME_LIMIT:-20}
export TEST_TIMEOUT PE_TIME_LIMIT
# Seconds that a job that must fail may take: more on a machine that is busy.
soon=5
# shellcheck source=tests/support/busy.sh
. "${srcdir:-.}/tests/support/busy.sh"
! busy || soon=15

job()
{
    job_n=$1
    shift
    job_began=$(cut -d. -f1 /proc/uptime)
    if [ "$job_n" -eq 0 ]; then
        timeout -k 5 "$TEST_TIMEOUT" "$@" >"$output" 2>&1 </dev/null
    else
        "$launch" "$job_n" "$@" >"$output" 2>&1 </dev/null
    fi
    status=$?
    seconds=$(($(cut -d. -f1 /proc/uptime) - job_began))
    for job_level in error warn; do
        grep -E "^anyshmem: (PE [0-9/]+ on [^ ]+: )?$job_level: " "$output" >"$output.$job_level"
    done
}

# said LEVEL REGEX: print what is wrong with the messages of that level, or "ok".
said()
{
    said_n=$(grep -c . "$output.$1")
    if [ "$said_n" -eq 0 ]; then
        echo "no message"
    elif grep -Evq "^anyshmem: (PE [0-9/]+ on [^ ]+: )?$1: $2\$" "$output.$1"; then
        echo "another message"
    elif [ "$said_n" -gt "${job_n:-1}" ] && [ "$said_n" -gt 1 ]; then
        echo "$said_n messages"
    else
        echo ok
    fi
}

fails()
{
    fails_section=$1
    fails_what=$2
    verdict=$(said error "$3")
    shift 3
    if [ "$status" -eq 0 ]; then
        verdict="status 0"
    elif [ "$seconds" -gt "$soon" ]; then
        verdict="ended only after $seconds s"
    fi
    [ "$verdict" != ok ] ||
        fault "$fails_section" "$fails_what" "$(head -n 1 "$output.error")" "$@"
    result "$verdict" "$fails_what"
}

warns()
{
    warns_section=$1
    warns_what=$2
    verdict=$(said warn "$3")
    shift 3
    if [ "$status" -ne 0 ]; then
        verdict="status $status"
    elif [ -s "$output.error" ]; then
        verdict="an error"
    elif [ "$verdict" = ok ] && [ "$(grep -c . "$output.warn")" -ne 1 ]; then
        verdict="more than one warning"
    fi
    [ "$verdict" != ok ] ||
        fault "$warns_section" "$warns_what" "$(head -n 1 "$output.warn")" "$@"
    result "$verdict" "$warns_what"
}

works()
{
    verdict=ok
    if [ "$status" -ne 0 ]; then
        verdict="status $status"
    elif grep -v 'warn: started without a launcher' "$output.warn" | cat - "$output.error" |
        grep -q .; then
        verdict="a message"
    fi
    result "$verdict" "$1"
}
