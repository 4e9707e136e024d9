# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Parts of tests/soak/soak whose jobs come to their end: part_NAME SECONDS.

all_parts='mixed random litmus store_buffer chaos kill stop launcher oversubscribed launches cycles heap channel'

# Shares of the time.
weight()
{
    case $1 in
        random) echo 25 ;;
        kill) echo 20 ;;
        mixed | chaos) echo 15 ;;
        launches | litmus | channel) echo 7 ;;
        *) echo 5 ;;
    esac
}

# R1: exact words, over all paths at once.
part_mixed()
{
    operations=0
    by_ucx=0
    seconds=$(at_least $(($1 / 2)) 2)
    limits="TEST_TIMEOUT=$((seconds + 100)) PE_TIME_LIMIT=$((seconds + 90))"
    for settings in "LAUNCH_NODES=3" "LAUNCH_NODES=3 ANYSHMEM_REMOTE=am"; do
        draw 30000
        start "$limits $settings PE_SEED=$drawn PE_SECONDS=$seconds" 6 "$programs/pe/mixed"
        end
        said=$(sed -n 's/^mixed: says: //p' "$output")
        verdict "$(all_done)" "mixed: 6 PEs on 3 nodes, $settings, seed $drawn: $said"
        operations=$((operations + $(echo "$said" | cut -d' ' -f1)))
        by_ucx=$((by_ucx + $(echo "$said" | sed 's/.*, \([0-9]*\) by UCX.*/\1/')))
    done
    figure R1 "mixed AMOs, 6 PEs on 3 nodes, exact: 50 M, 5 M of them by TCP" \
        "$operations mapped, $by_ucx by TCP" \
        "LAUNCH_NODES=3 PE_SECONDS=$seconds tests/launch 6 tests/pe/mixed" \
        "$operations" 50000000 "$by_ucx" 5000000
}

# R2 and R17: a long run of random programs, which must not grow.
part_random()
{
    draw 30000
    limits="TEST_TIMEOUT=$(($1 + 100)) PE_TIME_LIMIT=$(($1 + 90))"
    start "$limits LAUNCH_NODES=3 PE_SEED=$drawn PE_SECONDS=$1" 6 "$programs/pe/random"
    end
    said=$(sed -n 's/^random: //p' "$output" | grep -m 1 PE_SEED)
    grown=$(sed -n 's/^usage: of PE 0: //p' "$output")
    verdict "$(all_done)" "random: 6 PEs on 3 nodes, $1 s: $said; $grown"
    command="LAUNCH_NODES=3 PE_SEED=$drawn PE_SECONDS=$1 tests/launch 6 tests/pe/random"
    figure R2 "payloads with a signal or a flag behind a fence, all bytes checked" \
        "${said##*, } of PE 0's" "$command"
    figure R17 "6 PEs on 3 nodes, 30 min: at most 1 MiB more per PE, no more descriptors" \
        "$1 s: ${grown:-too short to tell}" "$command" "$1" 1800
}

# Variables of a job of so long, in $settings: time to stop itself if it goes wrong.
# settings_for SECONDS WORD...
settings_for()
{
    settings="TEST_TIMEOUT=$(($1 + 100)) PE_TIME_LIMIT=$(($1 + 90))"
    shift
    settings="$settings $*"
}

# number_of WORD: the number before it in what the program said; 0 where that was lost.
number_of()
{
    number_said=$(echo "$said" | sed -n "/ $1/{ s/ $1.*//; s/.*[^0-9]//; p; }")
    echo "${number_said:-0}"
}

# each_path NAME "REGULAR EXPRESSION" SECONDS COMMAND...: tests/soak/NAME over each path;
# what it says, from the expression on, is $said for the command.
each_path()
{
    name=$1 pattern=$2 given=$3
    shift 3
    seconds=$(at_least $((given / 4)) 1)
    for paths in "4 nodes" "2 direct" "4 nodes-am" "2 channel"; do
        draw 30000
        settings_for "$seconds" "$(path "${paths#* }")" "PE_SEED=$drawn"
        start "$settings" "${paths%% *}" "$programs/soak/$name" "$seconds"
        end
        said=$(sed -n "s/^$name: \\($pattern\\)/\\1/p" "$output")
        verdict "$(all_done)" "$name: ${paths%% *} PEs ${paths#* }, seed $drawn: $said"
        "$@"
        [ "$given" -ge 8 ] || break # a sample
    done
}

add_litmus()
{
    mapped=$((mapped + $(number_of "messages mapped")))
    by_ucx=$((by_ucx + $(number_of "by UCX")))
}

# R2: what a signal, or a flag behind a fence, says has come has come.
part_litmus()
{
    mapped=0
    by_ucx=0
    each_path litmus '[0-9]* messages' "$1" add_litmus
    figure R2 "1 B to 1 MiB, each byte compared: 100 M mapped, 2 M by UCX" \
        "$mapped mapped, $by_ucx by UCX" "make soak SOAK_PARTS=litmus SOAK_SEED=$seed" \
        "$mapped" 100000000 "$by_ucx" 2000000
}

add_store_buffer() { total=$((total + $(number_of times))); }

# R2: store buffering.
part_store_buffer()
{
    total=0
    each_path store_buffer '[0-9]* times' "$1" add_store_buffer
    figure R2 "write, quiet, read the other's: never do both see nothing" "$total times" \
        "make soak SOAK_PARTS=store_buffer SOAK_SEED=$seed"
}

# R21: a heap that is full, and whole again.
part_heap()
{
    total=0
    seconds=$(at_least $(($1 / 2)) 1)
    for pes in 2 5; do
        draw 30000
        settings_for "$seconds" "PE_SEED=$drawn"
        start "$settings" "$pes" "$programs/soak/exhaust" "$seconds"
        end
        said=$(sed -n 's/^exhaust: \([0-9]* operations\)/\1/p' "$output")
        verdict "$(all_done)" "heap: $pes PEs, seed $drawn: $said"
        [ -n "$said" ] || sed 's/^/# | /' "$output"
        total=$((total + $(number_of operations)))
        [ "$1" -ge 8 ] || break
    done
    figure R21 "heap filled and emptied, as the oracle says: 1 M operations" "$total" \
        "make soak SOAK_PARTS=heap SOAK_SEED=$seed" "$total" 1000000
}

# R18: start and end in one process, which must not grow; with PMIx no more than its records.
part_cycles()
{
    for paths in "1 alone" "1 alone-channel" "3 direct" "3 nodes" "3 channel"; do
        case $paths in 1*) cycles=1000 ;; *) cycles=100 ;; esac
        [ "$1" -ge 20 ] || cycles=20
        settings_for "$(at_least "$1" 200)" "$(path "${paths#* }")"
        began=$(milliseconds_now)
        start "$settings" "${paths%% *}" "$programs/pe/restart" "$cycles"
        end
        grown=$(sed -n 's/^usage: of PE 0: //p' "$output")
        took=$(($(milliseconds_now) - began))
        verdict "$(all_done)" \
            "cycles: ${paths%% *} PEs ${paths#* }, $cycles times in $took ms: $grown"
        figure R18 "start and end 100 times and more in one process, PEs: $paths: as it was" \
            "$cycles times; $grown" \
            "$(path "${paths#* }") tests/launch ${paths%% *} tests/pe/restart $cycles"
    done
}

# Stop and continue PEs of the job until it ends; how often in $stops, and for how many
# seconds at most in $longest: a machine that has other things to do may take its time.
disturb()
{
    stops=0
    longest=0
    while kill -0 "$job" 2>/dev/null; do
        draw "$n_pes"
        pid=$(cat "$work/pe/pid.$drawn" 2>/dev/null)
        draw 30
        pause=$(printf '0.%02d' "$drawn")
        began=$(seconds_now)
        if [ -n "$pid" ] && kill -STOP "$pid" 2>/dev/null; then
            sleep "$pause"
            kill -CONT "$pid" 2>/dev/null
            stops=$((stops + 1))
            longest=$(at_least "$longest" $(($(seconds_now) - began)))
        fi
        sleep "$pause"
    done
}

# Random programs of PEs that are stopped at random, with rings of 2 and 4 slots.
part_chaos()
{
    until=$(($(seconds_now) + $1))
    runs=0
    again=0
    all_stops=0
    while [ "$(seconds_now)" -lt "$until" ] || [ "$runs" -eq 0 ]; do
        pick tiny2 nodes direct tiny4 nodes-am channel am
        draw 7
        pes=$((drawn + 2))
        draw 30000
        start "$(path "$picked") PE_SEED=$drawn PE_SECONDS=3" "$pes" "$programs/pe/random"
        name="chaos: $pes PEs $picked, seed $drawn"
        disturb
        end
        # ANYSHMEM_PEER_TIMEOUT is 60 s: then it is right that the job ends.
        if [ "$status" -ne 0 ] && [ "$longest" -ge 50 ] && [ "$again" -lt 3 ]; then
            again=$((again + 1))
            echo "# $name: a PE was stopped for $longest s: once more"
            continue
        fi
        verdict "$(all_done)" "$name, stopped $stops times, for $longest s at most"
        runs=$((runs + 1))
        all_stops=$((all_stops + stops))
    done
    figure chaos "random programs, PEs stopped and continued, tiny rings: exact" \
        "$runs jobs, $all_stops stops" "make soak SOAK_PARTS=chaos"
}

# R16: far more PEs than CPUs.
part_oversubscribed()
{
    for settings in "$(path direct)" "$(path channel)" "$(path nodes)"; do
        n=64
        # Connections of each PE to each: too long for a sample.
        [ "$settings" != "$(path nodes)" ] || [ "$1" -ge 30 ] || n=32
        began=$(milliseconds_now)
        start "$settings" "$n" "$programs/soak/oversubscribed" 0
        end
        took=$(($(milliseconds_now) - began))
        result=$(all_done)
        [ "$result" != ok ] || [ "$took" -le "$(limit 10000)" ] || result="longer than 10 s"
        verdict "$result" "oversubscribed: $n PEs, ${settings:-direct}, from start to end: $took ms"
        figure R16 "$n PEs, init + barrier + finalize, ${settings:-direct}: at most 10 s" \
            "$took ms" "time $settings tests/launch $n tests/soak/oversubscribed 0"
    done
    start "" 64 "$programs/soak/oversubscribed" 4
    end
    hops=$(sed -n 's/^oversubscribed: \([0-9]*\) hops a second$/\1/p' "$output")
    result=$(all_done)
    [ "$result" != ok ] || [ "${hops:-0}" -ge $((6000 / $(limit 3))) ] ||
        result="fewer than 2000 hops a second"
    verdict "$result" "oversubscribed: 64 PEs, token ring: $hops hops a second"
    figure R16 "64 PEs, token ring: at least 2000 hops a second" "$hops" \
        "tests/launch 64 tests/soak/oversubscribed 4"
    [ "$1" -ge 30 ] || return 0
    start "$(path nodes) PE_SECONDS=5" 64 "$programs/pe/mixed"
    end
    said=$(sed -n 's/^mixed: says: //p' "$output")
    verdict "$(all_done)" "oversubscribed: 64 PEs, mixed: $said"
    figure R16 "64 PEs on 2 nodes, mixed AMOs: exact" "$said" \
        "LAUNCH_NODES=2 PE_SECONDS=5 tests/launch 64 tests/pe/mixed"
}

# R18: start and end, again and again.
part_launches()
{
    until=$(($(seconds_now) + $1))
    n=0
    result=ok
    while [ "$(seconds_now)" -lt "$until" ] || [ "$n" -eq 0 ]; do
        pick direct nodes channel nodes-am
        start "$(path "$picked")" 6 "$programs/soak/oversubscribed" 0
        end
        result=$(all_done)
        [ "$result" = ok ] || break
        n=$((n + 1))
    done
    verdict "$result" "launches: 6 PEs, $n times${result#ok}"
    figure R18 "launches of 6 PEs, none hangs: 300" "$n" "make soak SOAK_PARTS=launches" \
        "$n" 300
}

# R6: the channel alone.
part_channel()
{
    [ -x "$programs/unit/channel/stress" ] || return 0
    n_pes=1
    program=channel_stress
    ANYSHMEM_TEST_SECONDS=$(at_least "$1" 1) CMOCKA_MESSAGE_OUTPUT=TAP timeout $((10 * $1 + 100)) \
        "$programs/unit/channel/stress" >"$output" 2>&1
    status=$?
    result=ok
    [ "$status" -eq 0 ] || result="status $status"
    said=$(awk '/ requests$/ { runs++; sum += $(NF - 1) }
        END { print sum + 0, "requests,", runs + 0, "races" }' "$output")
    verdict "$result" "channel: $1 s: $said"
    figure R6 "the channel, 1 to 16 producers, self-checking: 1 G requests" "$said" \
        "ANYSHMEM_TEST_SECONDS=$1 tests/unit/channel/stress" "${said%% *}" 1000000000
}
