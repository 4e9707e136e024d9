# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# What the parts of tests/soak/soak share: jobs in the background, verdicts, figures.

programs=$(cd "${builddir:-.}" && pwd)/tests
launch=$(cd "${srcdir:-.}" && pwd)/tests/launch
work=$(mktemp -d) || exit 99
# Launchers keep their files there; what else is left there is ours.
export TMPDIR="$work/tmp"
trap 'cleanup' EXIT
trap 'exit 99' HUP INT TERM
output=$work/output
figures=$work/figures
: >"$figures"
seed=${SOAK_SEED:-$(date +%s)}
random_state=$seed
number=0
failures=0
job=

# Only what was started here.
kill_pes()
{
    for file in "$work"/pe/pid.*; do
        [ ! -f "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null
    done
}

cleanup()
{
    [ -z "$job" ] || kill "$job" 2>/dev/null
    kill_pes
    rm -rf "$work"
}

# verdict "ok" or what is wrong, NAME
verdict()
{
    number=$((number + 1))
    if [ "$1" = ok ]; then
        echo "ok $number - $2"
        return 0
    fi
    echo "not ok $number - $2: $1"
    grep -v '^victim: ready' "$output" | tail -n 200 | sed 's/^/# | /'
    failures=$((failures + 1))
    return 1
}

# figure ID "GOAL" "FIGURE" "COMMAND" [NUMBER LEAST]...: with SOAK_FULL=1 each number is that
# large at least.
figure()
{
    printf '%s|%s|%s|%s\n' "$1" "$2" "$3" "$4" >>"$figures"
    figure_name="$1: $2"
    shift 4
    [ "${SOAK_FULL:-0}" = 1 ] || return 0
    while [ $# -ge 2 ]; do
        if [ "$1" -ge "$2" ]; then verdict ok "$figure_name: $1"; else
            : >"$output"
            verdict "$1 are less than $2" "$figure_name"
        fi
        shift 2
    done
}

finish()
{
    echo "1..$number"
    echo "#"
    echo "# Figures (goals: night tier), seed $seed:"
    while IFS='|' read -r id goal value command; do
        printf '#   %-4s %s: %s\n#        %s\n' "$id" "$goal" "$value" "$command"
    done <"$figures"
    echo "# $number runs and checks, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}

# draw N: a number below N in $drawn.
draw()
{
    random_state=$(((random_state * 1103515245 + 12345) % 2147483648))
    drawn=$((random_state / 65536 % $1))
}

# pick WORD...: one of them in $picked.
pick()
{
    draw $#
    shift "$drawn"
    picked=$1
}

# The larger one.
at_least()
{
    if [ "$1" -gt "$2" ]; then echo "$1"; else echo "$2"; fi
}

# The clock of the day may be set meanwhile.
seconds_now()
{
    cut -d. -f1 /proc/uptime
}

milliseconds_now()
{
    awk '{ printf "%.0f", $1 * 1000 }' /proc/uptime
}

# Three times longer where the machine has far too much to do, ten times with a sanitizer.
limit()
{
    if sanitized; then
        # A sanitizer is no part of what is measured.
        echo $((10 * $1))
    elif busy; then
        echo $((3 * $1))
    else
        echo "$1"
    fi
}

# Variables of a path, as words.
path()
{
    case $1 in
        direct) ;;
        alone) echo LAUNCHER=none ;;
        alone-channel) echo LAUNCHER=none ANYSHMEM_DISABLE_DIRECT=all ;;
        channel) echo ANYSHMEM_DISABLE_DIRECT=all ;;
        am) echo ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_REMOTE=am ;;
        tiny2) echo ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_CHANNEL_SLOTS=2 ANYSHMEM_MESSAGE_MAX=100 ;;
        tiny4) echo ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_CHANNEL_SLOTS=4 ;;
        nodes) echo LAUNCH_NODES=2 ;;
        nodes-am) echo LAUNCH_NODES=2 ANYSHMEM_REMOTE=am ;;
    esac
}

# start "VARIABLES" N PROGRAM [ARGUMENT...]: a job in the background, in $job.
start()
{
    variables=$1
    n_pes=$2
    shift 2
    program=${1##*/}
    rm -rf "$work/pe" "$TMPDIR"
    mkdir -p "$work/pe" "$TMPDIR"
    : >"$output"
    # shellcheck disable=SC2086 # a list of words
    env TEST_WRAPPER="$here/write_pid $work/pe $TEST_WRAPPER" $variables "$launch" "$n_pes" "$@" \
        >"$output" 2>&1 </dev/null &
    job=$!
}

# Wait for the job's launcher; its status in $status.
end()
{
    wait "$job"
    status=$?
    job=
}

pid_of()
{
    cat "$work/pe/pid.$1"
}

# PEs of the job that did not print their last line.
missing()
{
    i=0
    while [ "$i" -lt "$n_pes" ]; do
        grep -q "$program: PE $i of $n_pes: done, [1-9][0-9]* checks" "$output" || printf ' %s' "$i"
        i=$((i + 1))
    done
}

# What is wrong with a job that was to end well, or "ok".
all_done()
{
    lost=$(missing)
    if [ "$status" -ne 0 ]; then
        echo "status $status"
    elif [ -n "$lost" ]; then
        echo "no last line of PEs$lost"
    else
        left_behind
    fi
}

# Files and processes of the job that is over, or "ok".
left_behind()
{
    tries=0
    while :; do
        # Those of launchers, which a launcher that was killed leaves there.
        left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name 'prt*' ! -name 'pmix*' \
            ! -name 'openmpi*' ! -name 'ompi*' ! -name 'dvm*')
        for file in "$work"/pe/pid.*; do
            [ ! -f "$file" ] || ! runs "$(cat "$file")" || left="$left $(cat "$file")"
        done
        if [ "$SOAK_INSIDE" = yes ]; then
            left="$left$(find /dev/shm -mindepth 1)"
            for process in $(pgrep -f "$programs/.*/$program"); do
                ! runs "$process" || left="$left $process"
            done
        fi
        # Others use these folders, too.
        left="$left$(find /dev/shm /tmp -maxdepth 1 -user "$(id -u)" -newer "$work/pe" \
            \( -iname '*shmem*' -o -iname '*ucx*' \))"
        [ -n "$(echo "$left" | tr -d ' ')" ] || break
        tries=$((tries + 1))
        if [ "$tries" -ge 30 ]; then
            echo "left behind: $left"
            return
        fi
        sleep 0.1
    done
    echo ok
}
