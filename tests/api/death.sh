#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A PE ends while the others wait, wherever: each of them ends within two seconds,
# with one line that says which PE it was, and nothing is left.  Most jobs run
# under a launcher that does nothing about it, so that the PEs must do it all.
# shellcheck disable=SC2030,SC2031 # a job in the background has an $output of its own

program=${builddir:-.}/tests/api/death
launch=${srcdir:-.}/tests/launch
libs=${abs_builddir:-$(cd "${builddir:-.}" && pwd)}/.libs
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"
TEST_TIMEOUT=20
PE_TIME_LIMIT=15
export TEST_TIMEOUT PE_TIME_LIMIT
n=3
lost='has ended without nvshmem_finalize'

# Milliseconds that PEs have for it: more on a machine that is busy.
# shellcheck source=tests/support/busy.sh
. "${srcdir:-.}/tests/support/busy.sh"
limit=2000
! busy || limit=6000

# Nothing is passed on: neither that a PE died, nor that one ends the job.
leave_alone=
case ${LAUNCHER%% *} in *prterun*) leave_alone=" --runtime-options continuous" ;; esac
tells_status=$leave_alone
deaf="TEST_PRELOAD=$libs/deaf_launcher.so"
if sanitized; then
    # A sanitizer must come first, nothing can be preloaded; and this launcher may hang
    # if it looks on while several PEs ask it to end the job.
    deaf=
    leave_alone=
fi
usual=$LAUNCHER

# What each PE runs under.  What PEs say does not go by the launcher, which may end before it has
# passed it on.  prterun that looks on counts a process that fails more than once, and ends when it
# has counted as many as there are PEs; so for it none ends before all have, and a shell tells how.
wrap()
{
    echo '#!/bin/sh'
    if [ "$LAUNCHER" = "$usual" ]; then
        echo "exec $TEST_WRAPPER \"\$@\" 2>>\"$output.said\""
        return
    fi
    cat <<END
exec 2>>"$output.said"
$TEST_WRAPPER "\$@"
status=\$?
read -r now rest </proc/uptime
echo "PE \$PMIX_RANK left at \$now" >&2
echo "PE \$PMIX_RANK ended with \$status" >&2
tries=0
while [ "\$(grep -c 'PE [0-9]* ended with ' "$output.said")" -lt $n ] && [ \$tries -lt 300 ]; do
    tries=\$((tries + 1))
    sleep 0.05
done
exit \$status
END
}

# run SETTINGS PLACE END [MICROSECONDS]: a job; its status is in $status, the
# milliseconds from the end of PE 1 to that of the job in $took.
run()
{
    settings=$1
    shift
    wrap >"$output.wrapper"
    chmod 755 "$output.wrapper"
    : >"$output.said"
    settings="$settings TEST_WRAPPER=$output.wrapper SETTLE_US=150000"
    # A PE that has hardly got the CPU is not where it would be.
    ! busy || settings="$settings SETTLE_US=600000"
    # shellcheck disable=SC2086 # the settings are a list of words
    env LAUNCHER="$LAUNCHER" $settings "$launch" $n "$program" "$@" >"$output" 2>&1 </dev/null
    status=$?
    # prterun that looks on has returned 0 where no PE has: it did not wait for some.
    [ "$status" -ne 0 ] ||
        status=$(sed -n "s/^.*PE [02] ended with //p" "$output.said" | sort -n | head -n 1)
    status=${status:-0}
    cat "$output.said" >>"$output"
    # When the last PE ended, where a shell has seen it; else the job, which needs the launcher:
    # one whose process is killed while it connects may hang, until tests/launch ends it.
    now=$(awk '/^PE [0-9]+ left at / { if ($5 > last) last = $5; if (++n == '"$n"') at = last }
        END { if (at) printf "%.0f", at * 1000 }' "$output.said")
    [ -n "$now" ] || now=$(awk "{ printf \"%.0f\", \$1 * 1000 }" /proc/uptime)
    gone=$(sed -n 's/^.*gone at //p' "$output" | head -n 1)
    took=$((now - ${gone:-0}))
}

process() { sed -n "s/^.*PE $1 is //p" "$output" | head -n 1; }

# shellcheck source=tests/support/runs.sh
. "${srcdir:-.}/tests/support/runs.sh"

# A process of the job that is still there, or a file of it.
left()
{
    for pe in 0 1 2; do
        pid=$(process $pe)
        tries=0
        while [ -n "$pid" ] && runs "$pid"; do
            tries=$((tries + 1))
            if [ "$tries" -gt 20 ]; then
                echo "process $pid (PE $pe)"
                kill -KILL "$pid"
                break
            fi
            sleep 0.1
        done
    done
    for file in /dev/shm/*anyshmem* "${TMPDIR:-/tmp}"/*anyshmem*; do
        # The compiler's, which somebody has told to keep them.
        case $file in */anyshmem-nvcc.*) continue ;; esac
        [ ! -e "$file" ] || echo "$file"
    done
}

# What holds for each job: in time, not with 0, nothing left, and no backtrace of UCX's
# but of PE 1, which may have done something to deserve it.
ended()
{
    leftover=$(left | tr '\n' ' ')
    if [ -z "$gone" ]; then
        echo "PE 1 did not end"
    elif [ "$took" -gt "$limit" ]; then
        echo "ended after $took ms"
    elif [ "$status" -eq 0 ]; then
        echo "the launcher returned 0"
    elif [ -n "$leftover" ]; then
        echo "left: $leftover"
    elif grep -q 'came back' "$output"; then
        echo "a PE went on"
    elif grep '==== backtrace' "$output" | grep -Evq "tid: *$(process 1)\\)"; then
        echo "UCX ended a PE"
    else
        echo ok
    fi
}

# say LEVEL "REGULAR EXPRESSION": each of the others says it once.
say()
{
    for pe in 0 2; do
        [ "$pe" -lt "$n" ] || break
        said=$(grep -Ec "^anyshmem: PE $pe/$n on [^ ]+: $1: PE 1 \(process $(process 1) on [^ ]+\) $2\$" \
            "$output")
        [ "$said" -eq 1 ] || echo "PE $pe says it $said times"
    done
}

# Jobs of alone() that run or are not judged yet: the oldest one's number, the next one's.
oldest=0
next=0

# Wait for the oldest one, and judge it; what it wrote is in $output.
judge_oldest()
{
    wait "$(cat "$output.$oldest.process")"
    read -r status took <"$output.$oldest.status"
    { read -r level && read -r text && read -r what; } <"$output.$oldest.wanted"
    cp "$output.$oldest" "$output"
    gone=$(sed -n 's/^.*gone at //p' "$output" | head -n 1)
    oldest=$((oldest + 1))
    if grep -q '^1\.\.0 # SKIP' "$output"; then
        skipped "$(sed -n 's/^1\.\.0 # SKIP //p' "$output" | head -n 1)" "$what"
        return
    fi
    verdict=$(ended)
    if [ "$verdict" = ok ] && [ -n "$leave_alone" ] && [ -n "$deaf" ]; then
        verdict=$(say "$level" "$text" | head -n 1)
    fi
    result "${verdict:-ok}" "$what"
}

judge_all()
{
    while [ "$oldest" -lt "$next" ]; do judge_oldest; done
}

# What a PE is in at a place, and waits for: between two calls in none.
at()
{
    none='no routine of the library'
    of_all="barrier [0-9]+ of all $n PEs: .*"
    of_team="barrier [0-9]+ of the $n PEs of team [0-9]+: .*"
    case $1 in
        wait | static) echo 'nvshmem_uint64_wait_until: ivar .* == 5, is 0' ;;
        puts) echo "(nvshmem_(quiet|uint64_put_nbi): .*|put to PE 1: .*|$none)" ;;
        signal) echo 'nvshmem_signal_wait_until: sig_addr .* > 7, is 0' ;;
        lock) echo 'shmem_set_lock: lock .* >= 2147483648, is [0-3]' ;;
        all | some) echo "nvshmem_uint64_wait_until_$1: $1 of 2 ivars .* == 5, are 0 0" ;;
        stream) echo 'nvshmemx_uint64_wait_until_on_stream: ivar .* == 5, is 0' ;;
        barrier) echo "nvshmem_barrier_all: $of_all" ;;
        malloc | finalize) echo "nvshmem_$1: $of_all" ;;
        team) echo "nvshmem_barrier: $of_team" ;;
        reduce) echo "nvshmem_uint64_sum_reduce: $of_team" ;;
        quiet) echo "(nvshmem_quiet: the completion of what was sent: .*|$none)" ;;
        amo) echo "(nvshmem_uint64_atomic_fetch_add: the reply to atomic fetch-and-add .*|$none)" ;;
        get) echo "(nvshmem_uint64_get: the reply to get from PE 1, .*|$none)" ;;
        ring | flood) echo "((p|put) to PE [0-9]+: room in the channel, which is full|$none)" ;;
        test | work) echo "$none" ;;
    esac
}

# alone NAME SETTINGS LEVEL TEXT PLACE END...: the PEs must find out by themselves; WHERE in
# the text stands for what they are in at that place.  The job is judged later, by judge_all
# at the latest: two of them run at a time.
alone()
{
    [ "$next" -lt $((oldest + 2)) ] || judge_oldest
    what=$1 level=$3 text=$4
    settings="$deaf $2"
    shift 4
    text=$(echo "$text" | sed "s/WHERE/$(at "$1")/")
    if [ "$what-$1" = channel-quiet ] && [ ! -d /sys/class/net ]; then
        # Over UCX's shared memory a quiet does not need the other PE.
        judge_all
        skipped "without /sys UCX finds no network interface" "$what: $*"
        return
    fi
    printf '%s\n%s\n%s\n' "$level" "$text" "$what: $*" >"$output.$next.wanted"
    (
        LAUNCHER=$usual$leave_alone
        all=$output
        output=$all.$next
        run "$settings" "$@"
        echo "$status $took" >"$all.$next.status"
    ) &
    echo $! >"$output.$next.process"
    next=$((next + 1))
}

row()
{
    message=$(grep -E "$2" "$output" | head -n 1)
    # A launcher that hears ends this PE before it has said so.
    if [ -z "$message$deaf" ]; then
        fault_skipped failures "$1"
        return
    fi
    fault failures "$1" "$message" \
        's/PE [0-9]+\/[0-9]+/PE N/; s/heap \+ [0-9]+/heap + N/; s/(>= 2147483648, is) [0-9]/\1 N/' \
        's/(was in nvshmem_barrier_all): .*/\1: .../' \
        's/PE [01] (.*) on [^ ]+\) (.* unreachable) .*/PE 1 \1 on HOST) \2 (connection: ...); .../'
}

no_jobs

channel=ANYSHMEM_DISABLE_DIRECT=all
messages="$channel ANYSHMEM_REMOTE=am"
was="$lost; this PE was in WHERE"
alone direct "" error "$was" wait kill
judge_all
row "a PE is killed while others wait for it" "$lost"
alone direct "" error "$was" lock kill
judge_all
row "a PE is killed that has a lock" "$lost; this PE was in shmem_set_lock"
for place in signal barrier malloc finalize quiet amo; do
    alone direct "" error "$was" $place kill
done
for place in all some team reduce test work stream; do
    alone direct "" error "$was" $place kill
done
# With static variables that are symmetric, which PE 1 has in the memory that others map.
for place in static puts; do
    alone direct "ANYSHMEM_STATIC=1" error "$was" $place kill
    alone channel "ANYSHMEM_STATIC=1 $channel" error "$was" $place kill
done
for place in all team work stream; do
    alone channel "$channel" error "$was" $place kill
done
in_kernel="$lost; this PE was in nvshmem_uint64_wait_until.*\(block 0, thread [0-9]+\).*"
alone direct "" error "$in_kernel" kernel kill
alone channel "$channel" error "$in_kernel" kernel kill
# Among others that want the CPU a wait is registered as soon, though it hardly gets to run.
judge_all
hogs=
for _ in 1 2 3 4 5 6; do
    timeout 60 sh -c 'while :; do :; done' &
    hogs="$hogs $!"
done
for place in wait signal barrier; do alone "busy machine" "" error "$was" $place kill; done
alone "busy machine" "" error "$in_kernel" kernel kill
judge_all
# shellcheck disable=SC2086 # a list
kill $hogs
for place in wait lock quiet amo get ring barrier malloc finalize; do
    alone channel "$channel" error "$was" $place kill
done
for place in wait signal quiet amo get ring barrier malloc finalize; do
    alone messages "$messages" error "$was" $place kill
done
# What came from PE 1 before is still received, and cannot be replied to.
alone channel "$channel" error "$was" flood kill 300000
alone channel "$channel" error "$was" flood kill 200000
alone messages "$messages" error "$was" flood kill 300000
alone nodes LAUNCH_NODES=2 error "(is unreachable \(.*\)|$lost); this PE was in WHERE" \
    flood kill 300000
# UCX may abort the thread that has the proxy's lock, which the watch wants often: for heartbeats.
alone nodes "LAUNCH_NODES=2 ANYSHMEM_PEER_TIMEOUT=1" \
    error "(is unreachable \(.*\)|$lost); this PE was in WHERE" flood kill 300000
# As a connection that breaks while all PEs live: each takes the other for the cause.
judge_all
broken="connections to a PE of another node break, and it has not ended"
if [ ! -d /sys/class/net ]; then
    fault_skipped failures "$broken"
    skipped "without /sys UCX finds no network interface" "$broken"
else
    n=2
    alone nodes LAUNCH_NODES=2 error "is unreachable \(.*\); this PE was in WHERE" \
        amo cut
    judge_all
    row "$broken" "is unreachable"
    n=3
fi
for end in return exit0 exit3 abort segv term; do
    alone direct "" error "$was" wait $end
    case $end in
        return)
            judge_all
            row "a PE ends with exit(0), or returns from main, without nvshmem_finalize" "$lost"
            verdict="PE 1 does not warn"
            ! grep -q '^anyshmem: PE 1/3 .*: warn: the program ended without nvshmem_finalize$' \
                "$output" || verdict=ok
            result "$verdict" "it says so itself, too"
            ;;
        term)
            judge_all
            row "a PE is ended by a signal: SIGTERM, SIGSEGV, SIGABRT" "$lost"
            ;;
    esac
    alone channel "$channel" error "$was" quiet $end
    alone messages "$messages" error "$was" barrier $end
done
status_is='has ended the job with status'
for path in "" "$channel"; do
    alone "${path:-direct}" "$path" warn "$status_is 7; this PE was in WHERE" wait global
    judge_all
    row "a PE calls nvshmem_global_exit(7)" "$status_is"
    alone "${path:-direct}" "$path" warn "$status_is 7; this PE was in WHERE" wait busy
    alone "${path:-direct}" "$path" warn "$status_is 70; this PE was in WHERE" barrier bad
    judge_all
    row "a PE ends the job with a message of its own, as for a bad argument" "$status_is"
done

judge_all

# The exit status, which the shell between the launcher and each PE tells.
if [ -n "$leave_alone" ] && [ -n "$deaf" ]; then
    for case in "kill 137 71" "bad 70 70" "term 143 71" "int 130 71" "global 7 7"; do
        LAUNCHER=$usual$leave_alone
        run "$deaf" wait "${case%% *}"
        LAUNCHER=$usual
        verdict=ok
        others=${case##* }
        wanted=${case#* }
        wanted=${wanted% *}
        [ "$(grep -c "PE [02] ended with $others\$" "$output")" -eq 2 ] ||
            verdict="PEs 0 and 2: not $others"
        grep -q "PE 1 ended with $wanted\$" "$output" || verdict="PE 1: not $wanted"
        result "$verdict" "exit status of each PE: $case"
    done
fi

# As launchers are by default: they end the others, too, and the cause comes first.
for case in "wait kill" "quiet abort" "finalize exit0" "barrier bad"; do
    # shellcheck disable=SC2086 # a list of words
    run "$channel" $case
    result "$(ended)" "launcher: $case"
done
first=$(grep -E ': error: ' "$output" | head -n 1)
case $first in
    *"PE 1/"*"pe 99 is out of range"*) result ok "the cause is said first" ;;
    *) result "$first" "the cause is said first" ;;
esac
run "" wait global
verdict=$(ended)
[ "$verdict" != ok ] || [ "$status" -eq 7 ] || [ -z "$tells_status" ] || verdict="status $status"
result "$verdict" "launcher: global exit"
# With 0 the job has ended well; the others end as soon.
run "" wait global0
said=$status
status=1
verdict=$(ended)
[ "$verdict" != ok ] || [ "$said" -eq 0 ] || [ -z "$tells_status" ] || verdict="status $said"
result "$verdict" "launcher: global exit with 0"

# In the middle of the start and of the end, wherever that is.
for time in 15000 40000; do
    run "$channel" init kill $time
    verdict=$(ended)
    result "$verdict" "launcher: killed $time us after the start"
done
# The same without the launcher's help: the others know it from each other, or at the time
# limit, whichever is first; then they ask who it is.
for time in 2000 15000 30000; do
    LAUNCHER=$usual$leave_alone
    run "$deaf $channel ANYSHMEM_INIT_TIMEOUT=2" init kill $time
    LAUNCHER=$usual
    took=$((took - 2000))
    verdict=$(ended)
    for pe in 0 2; do
        [ "$verdict" = ok ] && [ -n "$leave_alone" ] && [ -n "$deaf" ] || continue
        grep -Eq "^anyshmem: PE $pe/3 on [^ ]+: error: PE 1 (\(process|did not start|published)" \
            "$output" || verdict="PE $pe does not name it"
    done
    result "$verdict" "killed $time us after the start, which the others find out"
done
for time in 300 3000; do
    LAUNCHER=$usual$leave_alone
    run "$deaf $channel ANYSHMEM_INIT_TIMEOUT=2" finalize kill $time
    LAUNCHER=$usual
    verdict=ok
    # PE 1 may have left when it is killed; then the others end well.
    if [ -n "$gone" ] && [ "$took" -gt $((limit + 2000)) ]; then
        verdict="ended after $took ms"
    elif [ "$status" -eq 124 ] || [ -n "$(left)" ]; then
        verdict="status $status, left: $(left | tr '\n' ' ')"
    fi
    result "$verdict" "killed $time us after nvshmem_finalize began"
done

# It dies when another one is about to open its heap: for the watch, and to map it.
for time in 1 2; do
    what="the PE whose heap is opened is killed, time $time"
    if [ -z "$deaf" ]; then
        skipped "a sanitizer must come first, nothing can be preloaded" "$what"
        continue
    fi
    LAUNCHER=$usual$leave_alone
    n=2
    run "TEST_LOST_PEER=$time TEST_PRELOAD=$libs/deaf_launcher.so:$libs/lost_peer.so" barrier none
    LAUNCHER=$usual
    verdict=$(ended)
    [ "$verdict" != ok ] || [ -z "$leave_alone" ] || verdict=$(say error "$lost; this PE was in .*" | head -n 1)
    [ "$(grep -c ': error: ' "$output")" -eq 1 ] || [ -z "$leave_alone" ] ||
        verdict="not one message"
    n=3
    result "${verdict:-ok}" "$what"
done

# Stopped, as by a debugger: after the time limit, not before.
for path in "$messages" "" "$channel"; do
    run "$path ANYSHMEM_PEER_TIMEOUT=2" wait stop
    took=$((took - 2000))
    verdict=$(ended)
    [ "$verdict" != ok ] || grep -Eq "error: PE 1 \(process $(process 1) on [^ ]+\) sent no heartbeat for 2 s" \
        "$output" || verdict="another message"
    [ "$verdict" != ok ] || [ "$took" -gt -500 ] || verdict="ended after $((took + 2000)) ms"
    # Of this node's PEs one looks at it.
    warnings=$(grep -c 'has sent no heartbeat' "$output")
    [ "$verdict" != ok ] || [ "$warnings" -eq 1 ] || verdict="$warnings warnings"
    result "$verdict" "stopped: ${path:-direct}"
done
row "a PE is stopped for longer than \`ANYSHMEM_PEER_TIMEOUT\`" "sent no heartbeat for 2 s"
warning=$(grep -E 'warn: PE 1 \(process [0-9]+\) has sent no heartbeat' "$output" | head -n 1)
fault failures "a PE is stopped for a quarter of \`ANYSHMEM_PEER_TIMEOUT\`, or for 10 s" \
    "$warning" 's/for (0\.[1-9]|[1-9][0-9]*\.[0-9]) s/for N s/'
result "$([ -n "$warning" ] && echo ok || echo "no warning")" "stopped: a warning comes first"

# Where the system cannot say that a process has ended, its heartbeats do.
what="pidfd_open is refused"
if [ -z "$deaf" ]; then
    skipped "a sanitizer must come first, nothing can be preloaded" "$what"
else
    LAUNCHER=$usual$leave_alone
    run "TEST_PRELOAD=$libs/deaf_launcher.so:$libs/no_pidfd.so ANYSHMEM_PEER_TIMEOUT=2" wait kill
    LAUNCHER=$usual
    took=$((took - 2000))
    verdict=$(ended)
    if [ "$verdict" = ok ] && [ -n "$leave_alone" ]; then
        [ "$(grep -c 'error: PE 1 .* sent no heartbeat for 2 s' "$output")" -ge 1 ] || verdict="no message"
        [ "$(grep -c 'warn: cannot monitor processes on this system' "$output")" -eq 1 ] ||
            verdict="not one warning"
    fi
    result "$verdict" "$what"
fi
pidfd="pidfd_open is refused, as old kernels and some containers do"
if [ -n "$deaf" ] && [ -n "$leave_alone" ]; then
    row "$pidfd" "warn: cannot monitor"
else
    fault_skipped failures "$pidfd"
fi

# A proxy that no longer works, while the others wait, from the start, or at the end.
for case in "ends barrier" "hangs barrier" "ends ring 30000000" "hangs ring 30000000" \
    "starts barrier" "leaves finalize 10000000"; do
    how=${case%% *}
    place=${case#* }
    time=${place#* }
    [ "$time" != "$place" ] || time=
    place=${place%% *}
    says='no progress for 2 s'
    what="the proxy's thread $how"
    case $how in
        ends) says='its thread has ended' ;;
        starts) what="the proxy's thread hangs from the start" ;;
        leaves) what="the proxy's thread hangs at the end" ;;
    esac
    if [ -z "$deaf" ]; then
        skipped "a sanitizer must come first, nothing can be preloaded" "$what: $place"
        case $how in ends | hangs) fault_skipped failures "$what" ;; esac
        continue
    fi
    # shellcheck disable=SC2086 # a list of words
    run "$channel ANYSHMEM_PEER_TIMEOUT=2 TEST_DEAD_PROXY=$how TEST_PRELOAD=$libs/dead_proxy.so" \
        "$place" none $time
    verdict=ok
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] || verdict="status $status"
    grep -Eq "PE 1/3 on [^ ]+: error: proxy: $says" "$output" || verdict="no message"
    result "$verdict" "$what: $place"
    case $how in ends | hangs) row "$what" "error: proxy: $says" ;; esac
done

faults_match
plan
