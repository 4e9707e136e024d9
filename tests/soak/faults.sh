# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Parts of tests/soak/soak whose jobs are killed: part_NAME SECONDS.

# Start a job with a victim and wait until all PEs are in the call; false if they do not come there.
start_victim()
{
    start "$1 PE_TIME_LIMIT=60" "$2" "$programs/soak/victim" "$3" "$4"
    tries=0
    while [ "$(grep -c '^victim: ready$' "$output")" -lt "$2" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! kill -0 "$job" 2>/dev/null; then
            verdict "PEs did not get ready" "$name"
            kill_pes
            return 1
        fi
        sleep 0.05
    done
    draw 300
    sleep "$(printf '0.%03d' "$drawn")"
}

# The processes of all PEs but one.
others()
{
    i=0
    while [ "$i" -lt "$n_pes" ]; do
        [ "$i" = "$1" ] || pid_of "$i"
        i=$((i + 1))
    done
}

# A process and those that it started, PEs among them.
kill_launcher()
{
    for child in $(pgrep -P "$1"); do kill_launcher "$child"; done
    kill -9 "$1" 2>/dev/null
}

# inject_signal SIGNAL MILLISECONDS PROCESS PE...: what is wrong with the others' end, or
# "ok" in $result; the time of the slowest is in $slowest, launchers that did not
# end are counted in $hung, ends of which the system tells the status in $statuses.
inject_signal()
{
    # shellcheck disable=SC2046 # a list of processes
    ends=$("$programs/soak/kill_injector" "$1" "$2" "$3" $(others "$4"))
    case $? in
        0) result=ok ;;
        1) result="$(echo "$ends" | grep -c lives) PEs live after $2 ms" ;;
        *) result="$ends" ;;
    esac
    statuses=$((statuses + $(echo "$ends" | grep -c returned)))
    if [ "$result" = ok ] && echo "$ends" | grep -q 'returned 0$'; then
        result="a PE ends as if all were well"
    fi
    slowest=$(echo "$ends" | awk '$2 == "ended" && $3 > max { max = $3 } END { print max + 0 }')
    # A launcher that does not end, too, is a failure, but for one that was told to
    # look on: prterun 3.0.14 hangs now and then when several PEs, of any program of
    # PMIx, ask for the end of the job at once.
    tries=0
    while kill -0 "$job" 2>/dev/null && [ "$tries" -lt 200 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    if kill -0 "$job" 2>/dev/null; then
        hung=$((hung + 1))
        case $LAUNCHER in *continuous) ;; *)
            [ "$result" != ok ] || result="the launcher does not end"
        esac
        kill_launcher "$job"
    fi
    end
    [ "$result" != ok ] || result=$(left_behind)
    if [ "$result" = ok ] && grep -q 'WENT ON\|NO END' "$output"; then
        result="a PE went on"
    fi
    # They would be left behind in all that follows, too.
    [ "$result" = ok ] || kill_pes
}

# PEs other than $1 that do not say that $1 was lost, with or without its host.
silent()
{
    i=0
    while [ "$i" -lt "$n_pes" ]; do
        [ "$i" = "$1" ] || grep -q "^anyshmem: PE $i/.*PE $1 (process" "$output" ||
            printf ' %s' "$i"
        i=$((i + 1))
    done
}

# R7: kill -9 of any PE at any time.  With prterun half of the jobs are such that
# the launcher looks on: then PEs must end by themselves and say why.
part_kill()
{
    until=$(($(seconds_now) + $1))
    kills=0
    worst=0
    bad=0
    hung=0
    by_ucx=0
    statuses=0
    acting=$LAUNCHER
    while [ "$kills" -lt "${SOAK_KILLS:-4}" ] ||
        { [ -z "$SOAK_KILLS" ] && [ "$(seconds_now)" -lt "$until" ]; }; do
        pick wait signal any quiet amo ring barrier malloc finalize mix init
        kind=$picked
        pick direct nodes channel nodes-am am
        paths=$picked
        draw 7
        pes=$((drawn + 2))
        draw "$pes"
        victim=$drawn
        LAUNCHER=$acting
        most=2000
        case $acting in *prterun*)
            draw 2
            [ "$drawn" -eq 0 ] || LAUNCHER="$acting --runtime-options continuous"
            ;;
        esac
        # A PE that has not come cannot be monitored: the start has a time limit of 3 s, and 1 s more
        # where the launcher does not keep it, then who is missing is asked for 3 s at most.
        [ "$kind" != init ] || [ "$LAUNCHER" = "$acting" ] || most=9000
        name="kill: PE $victim of $pes, $kind, $paths, launcher ${LAUNCHER##* }"
        kills=$((kills + 1))
        limits="ANYSHMEM_INIT_TIMEOUT=3"
        # Without a network no connection breaks: the next node's PEs miss its replies.
        case $paths in nodes*)
            if [ ! -d /sys/class/net ]; then
                limits="$limits ANYSHMEM_PEER_TIMEOUT=3"
                most=$((most + 3000))
            fi
            ;;
        esac
        start_victim "$(path "$paths") $limits" "$pes" "$kind" "$victim" || {
            bad=$((bad + 1))
            continue
        }
        inject_signal 9 "$(limit $most)" "$(pid_of "$victim")" "$victim"
        if [ "$LAUNCHER" = "$acting" ]; then
            [ "$result" != ok ] || [ "$status" -ne 0 ] || result="the launcher returned 0"
        elif [ "$kind" != init ] && [ "$result" = ok ]; then
            quiet_ones=$(silent "$victim")
            if [ -n "$quiet_ones" ]; then
                # UCX 1.13.1 ends a process that cannot reply to a PE's atomic.
                if grep -q 'ucp_request.inl.*Fatal: unexpected error' "$output"; then
                    by_ucx=$((by_ucx + 1))
                else
                    result="no message of PEs$quiet_ones"
                fi
            fi
        fi
        verdict "$result" "$name: ended after $slowest ms" || bad=$((bad + 1))
        [ "$kind" = init ] || [ "$slowest" -le "$worst" ] || worst=$slowest
    done
    LAUNCHER=$acting
    figure R7 "kill -9 of a random PE: 100 of 100 end within 2 s, nothing left" \
        "$((kills - bad)) of $kills, slowest $worst ms; none of $statuses survivors' statuses is 0; \
hung launchers: $hung, by UCX: $by_ucx" \
        "make soak SOAK_PARTS=kill SOAK_KILLS=$kills SOAK_SEED=$seed" $((kills - bad)) 100
}

# R8: a PE that is stopped and does not go on, on another node.
part_stop()
{
    until=$(($(seconds_now) + $1))
    n=0
    good=0
    worst=0
    while [ "$(seconds_now)" -lt "$until" ] || [ "$n" -eq 0 ]; do
        pick wait barrier amo quiet mix
        kind=$picked
        pick nodes nodes-am
        draw 4
        victim=$drawn
        name="stop: PE $victim of 4, $kind, $picked"
        n=$((n + 1))
        start_victim "$(path "$picked") ANYSHMEM_PEER_TIMEOUT=3" 4 "$kind" "$victim" || continue
        inject_signal 19 "$(limit 5000)" "$(pid_of "$victim")" "$victim"
        verdict "$result" "$name: ended after $slowest ms" && good=$((good + 1))
        [ "$slowest" -le "$worst" ] || worst=$slowest
    done
    figure R8 "a PE stopped for good, time limit of 3 s: 20 of 20 end within 5 s" \
        "$good of $n, slowest $worst ms" "make soak SOAK_PARTS=stop" "$good" 20
}

# R9: the launcher, or what serves one of its nodes.
part_launcher()
{
    until=$(($(seconds_now) + $1))
    n=0
    good=0
    worst=0
    while [ "$(seconds_now)" -lt "$until" ] || [ "$n" -lt 2 ]; do
        pick wait barrier amo mix
        kind=$picked
        pick direct nodes channel
        name="launcher: killed, or what serves its node: $kind, $picked"
        n=$((n + 1))
        # No PE is the victim: the last one takes part like the others.
        start_victim "$(path "$picked")" 4 "$kind" 3 || continue
        parent=$(awk '/^PPid:/ { print $2 }' "/proc/$(pid_of 0)/status")
        inject_signal 9 "$(limit 2000)" "$parent" none
        verdict "$result" "$name: ended after $slowest ms" && good=$((good + 1))
        [ "$slowest" -le "$worst" ] || worst=$slowest
    done
    figure R9 "launcher killed: 20 of 20, PEs are gone within 2 s" \
        "$good of $n, slowest $worst ms" "make soak SOAK_PARTS=launcher" "$good" 20
}
