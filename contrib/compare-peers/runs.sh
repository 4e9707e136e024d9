# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # variables of compare-peers; awk's own
#
# For compare-peers: rounds, groups, runs; how failed runs are handled.

# Seconds of a monotonic clock.
seconds() { cut -d. -f1 /proc/uptime; }

# Lists the operations of each implementation that match --only: lines
# "GROUP OPERATION two|many|all SIZE..." in NAME.operations.
list_operations()
{
    for name in ours $peers; do
        "$work/$name.bench" -l >"$work/list" || die "$name: the program does not start"
        "$AWK" -v only="$only" '$2 ~ only' "$work/list" >"$work/$name.operations"
    done
    [ -s "$work/ours.operations" ] || die "--only $only: no such operation"
    : >"$work/failed"
}

# groups NAME PES: the groups that an implementation has with PES PEs.
groups()
{
    # Those with "all" sizes, the collectives, are measured with 8 PEs at most.
    "$AWK" -v pes="$2" '
        (pes == 2 || $3 == "many" || ($3 == "all" && pes <= 8)) && !seen[$1]++ { print $1 }' \
        "$work/$1.operations"
}

# columns ROUND: the participants, as NAME:WAY; each round begins with another one.
columns()
{
    list=
    for way in $(words "$ways"); do
        list="$list ours:$way"
        # Peers use UCX's shared memory in any case.
        [ "$way" != proxy-sm ] || continue
        for name in $peers; do list="$list $name:$way"; done
    done
    turns=$1
    # shellcheck disable=SC2086 # words
    set -- $list
    turns=$((turns % $#))
    while [ "$turns" -gt 0 ]; do
        first=$1
        shift
        set -- "$@" "$first"
        turns=$((turns - 1))
    done
    echo "$*"
}

progress()
{
    line="round $1 of $rounds, $2 $3, $4 PEs, $5: run $((done_runs + 1)) of $all_runs"
    if [ "$done_runs" -gt 0 ]; then
        took=$(($(seconds) - began - failed_s))
        line="$line, about $((took * (all_runs - done_runs) / done_runs)) s to go"
    fi
    done_runs=$((done_runs + 1))
    if [ -t 2 ]; then
        printf '\rcompare-peers: %s   \033[K' "$line" >&2
    elif [ $((done_runs % 20)) -eq 1 ]; then
        say "$line"
    fi
}

progress_end()
{
    [ ! -t 2 ] || printf '\r\033[K' >&2
    say "$done_runs runs in $(($(seconds) - began)) s"
}

# keep_records ROUND NAME WAY PES: appends the measurements in $work/out to the records.
keep_records()
{
    "$AWK" -v head="$1 $2 $3 $4" '
        $1 == "bench" && $2 != "#" && NF == 11 {
            print head, $2, $3, $5, $6, $7, $8, $9, $10, $11
        }' "$work/out" >>"$records"
}

# The last OPERATION:SIZE in $work/out, if it began but has no result.
unfinished()
{
    "$AWK" '$1 == "bench" { last = $2 == "#" ? $3 : "" } END { print last }' "$work/out"
}

# losses NAME PES GROUP [OPERATION:SIZE]: what a failure excludes: the operation with this and
# larger sizes; or, without an operation, the whole group.
losses()
{
    "$AWK" -v pes="$2" -v group="$3" -v name="${4%:*}" -v least="${4#*:}" '
        $1 == group && (pes == 2 || $3 != "two") && (name == "" || $2 == name) {
            for (i = 4; i <= (pes == 2 || $3 == "all" ? NF : 4); i++)
                if (name == "" || $i >= least + 0) print $2 ":" $i
        }' "$work/$1.operations"
}

# fail ROUND NAME WAY PES GROUP OPERATION:SIZE: records a failure; an empty operation means that
# the group does not start.
fail()
{
    [ -n "$6" ] || echo "$2 $3 $4 group $5" >>"$work/failed"
    for lost in $(losses "$2" "$4" "$5" "$6"); do
        echo "$2 $3 $4 operation $lost" >>"$work/failed"
        echo "$1 $2 $3 $4 ${lost%:*} ${lost#*:} - failed - - - - -" >>"$records"
    done
    [ ! -t 2 ] || printf '\n' >&2
    say "round $1: $2, $3, $4 PEs, group $5: ${6:-it does not start}: failed"
    tail -n 3 "$work/err" | sed 's/^/  /' >&2
}

# run_group ROUND NAME WAY PES GROUP: an operation that fails is excluded from then on, and the
# rest of the group runs again.
run_group()
{
    if ! groups "$2" "$4" | grep -qx "$5"; then return; fi
    if grep -qx "$2 $3 $4 group $5" "$work/failed"; then return; fi
    remote=
    [ "$3" = mapped ] || remote=-r
    [ -z "$(hosts_of "$3")" ] || remote="-r -m $work/page"
    # With many PEs a token needs more time for several rounds.
    ms=$batch_ms
    [ "$4" -le 2 ] || ms=$((5 * batch_ms))
    tries=0
    while [ $((tries += 1)) -le 8 ]; do
        skips=$("$AWK" -v who="$2 $3 $4" '$1 " " $2 " " $3 == who && $4 == "operation" {
            printf " -x %s", $5 }' "$work/failed")
        # shellcheck disable=SC2086 # words
        set -- "$1" "$2" "$3" "$4" "$5" -g "$5" -b "$batches" -t "$ms" -s "$limit" $pin \
            $remote $skips
        run_began=$(seconds)
        start_run "$@" -o "$only"
        status=$?
        keep_records "$1" "$2" "$3" "$4"
        [ $status -ne 0 ] || return 0
        failed_s=$((failed_s + $(seconds) - run_began))
        operation=$(unfinished)
        # All was measured, and only the end of the program failed.
        if [ -z "$operation" ] && grep -q '^bench [^#]' "$work/out"; then return 0; fi
        fail "$1" "$2" "$3" "$4" "$5" "$operation"
        [ -n "$operation" ] || return 0
    done
}

start_run()
{
    name=$2 way=$3 pes=$4
    shift 5
    if [ "$name" = ours ]; then
        run_ours "$way" "$pes" "$@" >"$work/out" 2>"$work/err" </dev/null
    else
        run_peer "$name" "$way" "$pes" "$@" >"$work/out" 2>"$work/err" </dev/null
    fi
}

# stands_for CASE: the operations for which the limit of a case of anyshmem-perf is the limit.
stands_for()
{
    case $1 in
        fetch_add) echo fetch_add swap compare_swap fetch ;;
        p_wait) echo p_wait p_test set_wait inc_wait ring ;;
        put_signal) echo put_signal put_signal_nbi put_fence_p put_quiet_p ;;
        *) echo "$1" ;;
    esac
}

# wanted_cases CASE...: sets $map to "CASE:OPERATION ..." for the operations that match --only;
# false if there are none.
wanted_cases()
{
    map=
    for case in "$@"; do
        for operation in $(stands_for "$case"); do
            grep -q "^[a-z]* $operation " "$work/ours.operations" || continue
            map="$map $case:$operation"
        done
    done
    [ -n "$map" ]
}

# run_ucx ROUND WAY FIRST LAST STEP CASE...: measures a bare UCX by anyshmem-perf, as the limit
# if the peer is not mapped.
run_ucx()
{
    round=$1 way=$2 first=$3 last=$4 step=$5
    shift 5
    wanted_cases "$@" || return 0
    # shellcheck disable=SC2046 # words
    set -- $(echo "$map" | tr ' ' '\n' | sed 's/:.*//' | sort -u)
    ucx_way=$way
    [ -z "$(hosts_of "$way")" ] || ucx_way=proxy-tcp
    on_hosts "$way" env TEST_TIMEOUT="$launch_limit" \
        "$top/tests/launch" 2 "$build/contrib/perf/anyshmem-perf" --csv \
        --way "$ucx_way" --rounds 3 --time "$batch_ms" -b "$first" -e "$last" -f "$step" "$@" \
        >"$work/out" 2>"$work/err" </dev/null || say "anyshmem-perf over $way: no limit"
    "$AWK" -F, -v head="$round limit $way 2" -v map="$map" '
        BEGIN { n = split(map, pairs, " ") }
        NF != 11 || $10 !~ /^[0-9]/ { next }
        $5 == "us" { ns = 1e3 * $10 }
        $5 == "Mop/s" { ns = 1e3 / $10 }
        $5 == "MB/s" { ns = 1e3 * $4 / $10 }
        {
            gsub(/ /, "_", $9)
            for (i = 1; i <= n; i++)
                if (split(pairs[i], pair, ":") == 2 && pair[1] == $2)
                    print head, pair[2], $4, $5, ns, ns, "-", "-", "-", $9
        }' "$work/out" >>"$records"
}

ucx_limits()
{
    [ -x "$build/contrib/perf/anyshmem-perf" ] || return 0
    for way in $(words "$ways"); do
        [ "$way" != mapped ] || continue
        progress "$1" limit "$way" 2 UCX
        run_ucx "$1" "$way" 8 32768 8 fetch_add add_rate p_wait put_bw
        run_ucx "$1" "$way" 8 1024 128 put_signal get
        run_ucx "$1" "$way" 65536 65536 2 put_signal get
    done
}

# Counts the runs, for the progress line.
count_runs()
{
    all_runs=0
    # shellcheck disable=SC2046 # words
    set -- $(columns 0)
    for pes in $(words "$pes_list"); do
        for group in $(groups ours "$pes"); do all_runs=$((all_runs + $#)); done
    done
    if [ -x "$build/contrib/perf/anyshmem-perf" ]; then
        for way in $(words "$ways"); do [ "$way" = mapped ] || all_runs=$((all_runs + 1)); done
    fi
    all_runs=$((all_runs * rounds))
}

all_rounds()
{
    done_runs=0
    # A run that fails may take its whole limit, and is not repeated: it says nothing of the rest.
    failed_s=0
    began=$(seconds)
    count_runs
    this_round=1
    while [ "$this_round" -le "$rounds" ]; do
        for pes_now in $(words "$pes_list"); do
            for group in $(groups ours "$pes_now"); do
                for column in $(columns "$this_round"); do
                    progress "$this_round" "${column%:*}" "${column#*:}" "$pes_now" "$group"
                    run_group "$this_round" "${column%:*}" "${column#*:}" "$pes_now" "$group"
                done
            done
        done
        ucx_limits "$this_round"
        this_round=$((this_round + 1))
    done
}
