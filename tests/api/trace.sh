#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ANYSHMEM_TRACE: the files are JSON, also of a PE that was killed; each call has
# its events, and each put with signal its request, post and completion under one
# name; anyshmem-trace merges them, and viewers can read that; a file that cannot be
# written is refused.

# shellcheck source=tests/support/job.sh
. "${srcdir:-.}/tests/support/job.sh"
no_jobs
program=${builddir:-.}/tests/api/observed
merge=${srcdir:-.}/contrib/trace/anyshmem-trace
here=${srcdir:-.}/tests/api
top=$(cd "${srcdir:-.}" && pwd)
mkdir "$output.d" || exit 99
trace=$output.d/trace

judge_output()
{
    if [ -s "$output" ]; then result "see below" "$1"; else result ok "$1"; fi
}

# is_json FILE: says what is wrong with it.
is_json()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))
assert isinstance(events, list) and len(events) >= 3, "few events"
assert all(isinstance(e, dict) and "ph" in e for e in events), "no event"' "$1" 2>&1
    elif command -v jq >/dev/null; then
        # shellcheck disable=SC2069 # what is wrong, and nothing else
        jq -e 'length >= 3 and all(.[]; has("ph"))' "$1" 2>&1 >/dev/null
    else
        echo "neither python3 nor jq"
    fi
}

# count FILE PATTERN N: so many lines have it.
count()
{
    counted=$(grep -c -e "$2" "$1")
    [ "$counted" -eq "$3" ] || echo "$counted times, not $3: $2"
}

# run "NAME" PATH...: a job that works, and its merged trace.
run()
{
    rm -f "$trace".*
    ANYSHMEM_TRACE=$trace
    export ANYSHMEM_TRACE
    job 2 "$program"
    [ "$status" -ne 0 ] || : >"$output"
    unset ANYSHMEM_TRACE
    {
        is_json "$trace.0"
        is_json "$trace.1"
        sh "$merge" -o "$trace.json" "$trace.0" "$trace.1" 2>&1
        is_json "$trace.json"
    } >>"$output"
}

# The calls of observed.c.
calls()
{
    call='"ph":"X","name":"nvshmem_'
    count "$trace.json" "${call}putmem_nbi\"" 14
    count "$trace.json" "${call}uint64_put\"" 14
    count "$trace.json" "${call}getmem\"" 14
    count "$trace.json" "${call}uint64_p\"" 14
    count "$trace.json" "${call}uint64_g\"" 14
    count "$trace.json" "${call}uint64_atomic_add\"" 14
    count "$trace.json" "${call}uint64_atomic_fetch_inc\"" 14
    count "$trace.json" "${call}fence\"" 14
    # Those of barriers are within them.
    count "$trace.json" "${call}quiet\"" 14
    count "$trace.json" "${call}uint64_test\"" 0
    count "$trace.json" "${call}uint64_put_signal\"" 14
    count "$trace.json" "${call}signal_wait_until\"" 14
}

# joined PHASES...: flows of the puts with signal have these phases, in this order; and each
# value that they signal has its start, and its end in a wait.  The first request of a PE is
# in the start's barrier, when only the proxy traces.
joined()
{
    awk -v wanted="$1" '
        /"name":"(push|take|post am|done) put with signal"/ { told = 1; next }
        /"ph":"X"/ { told = 0 }
        { match($0, /"id":"[^"]*"/); id = substr($0, RSTART, RLENGTH)
          match($0, /"ph":"./); phase = substr($0, RSTART + 6, 1) }
        /"cat":"request"/ && told { mine[id] = 1 }
        /"cat":"request"/ { phases[id] = phases[id] phase }
        /"cat":"value"/ { values[id] = values[id] phase }
        END {
            for (id in mine) {
                if (id ~ /0x[0-9a-f]?0*"$/ && phases[id] == "ttt") continue
                n++
                if (phases[id] != wanted) print id ": " phases[id] ", not " wanted
            }
            if (n < 14 && wanted != "") print n + 0 " puts with signal, not 14"
            for (id in values) if (values[id] == "sf") met++
            if (met < 14) print met + 0 " values were stored and seen, not 14"
        }' "$trace.sorted"
}

# The merged file has flows where their times put them; a file has them behind their event.
sorted()
{
    cat "$trace.0" "$trace.1" | awk '
        /"ph":"X"/ { event = $0; next }
        /"ph":"[stf]"/ { match($0, /"ts":[0-9.]*/); print substr($0, RSTART + 5, RLENGTH - 5) "\t" event "\t" $0 }
        ' | LC_ALL=C sort -s -n -k 1,1 | awk -F '\t' '{ print $2; print $3 }' >"$trace.sorted"
}

run direct
{
    calls
    sorted
    joined ""
    count "$trace.json" '"name":"push ' 0
} >>"$output"
judge_output "direct: calls, and what was signalled to whom"

for path in rma am; do
    ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_REMOTE=$path
    export ANYSHMEM_DISABLE_DIRECT ANYSHMEM_REMOTE
    run "$path"
    {
        calls
        sorted
        joined stttf
        count "$trace.json" '"name":"push p"' 14
        count "$trace.json" '"name":"take p"' 14
        count "$trace.json" '"name":"post am p"' 14
        count "$trace.json" '"name":"apply p"' 14
        count "$trace.json" "\"name\":\"post $path get\"" 14
    } >>"$output"
    judge_output "$path: each put with signal is pushed, taken, posted, done and waited for"
done
unset ANYSHMEM_REMOTE

for path in rma am; do
    if ! command -v python3 >/dev/null; then
        skipped "no python3" "$path, 4 PEs: as viewers read it"
        continue
    fi
    ANYSHMEM_REMOTE=$path ANYSHMEM_TRACE=$trace
    export ANYSHMEM_REMOTE ANYSHMEM_TRACE
    job 4 "$program"
    unset ANYSHMEM_REMOTE ANYSHMEM_TRACE
    [ "$status" -ne 0 ] || : >"$output"
    {
        sh "$merge" -o "$trace.json" "$trace.0" "$trace.1" "$trace.2" "$trace.3" 2>&1
        python3 "$here/trace_events.py" "$trace.json" 4 2>&1
    } >>"$output"
    judge_output "$path, 4 PEs: as viewers read it"
done

sh "$merge" -s "$trace.0" "$trace.1" >"$output" 2>&1
verdict "$(awk '$1 == "nvshmem_uint64_p" && $2 == 14 && $3 == 112 { found = 1 }
                END { print !found }' "$output")" "a summary"

# Those of barriers, and of what else the library calls by itself.
parts='"ph":"X","name":"[a-z_]* in nvshmem_barrier_all"'
{
    count "$trace.json" "$parts" 0
    [ "$(cat "$trace.0" "$trace.1" | grep -c "$parts")" -gt 0 ] || echo "no barrier's wait was traced"
    sh "$merge" -a -o "$trace.all" "$trace.0" "$trace.1" 2>&1
    count "$trace.all" "$parts" "$(cat "$trace.0" "$trace.1" | grep -c "$parts")"
    is_json "$trace.all"
} >"$output"
judge_output "calls within calls, only if asked for"

ANYSHMEM_TRACE=$trace.k%d
export ANYSHMEM_TRACE
job 2 "$program" 4
# What a kill in the middle of a write leaves.
{ sed '$d' "$trace.k1"; printf ',\n{"ph":"X","name":"nvsh'; } >"$trace.cut"
: >"$output"
[ "$status" -ne 0 ] || echo "status 0" >>"$output"
{
    is_json "$trace.k0"
    is_json "$trace.k1"
    count "$trace.k1" '"ph":"X","name":"nvshmem_signal_wait_until"' 4
    sh "$merge" "$trace.k0" "$trace.cut" >"$trace.json" 2>&1
    is_json "$trace.json"
    [ -n "$(is_json "$trace.cut")" ] || echo "that was JSON before"
    cp "$trace.k1" "$output.d/a=1"
    (cd "$output.d" && sh "$top/contrib/trace/anyshmem-trace" a=1 "${trace##*/}.k0") >"$trace.named"
    waits='"ph":"X","name":"nvshmem_signal_wait_until"'
    count "$trace.named" "$waits" "$(cat "$trace.k0" "$trace.k1" | grep -c "$waits")"
} >>"$output"
judge_output "a PE that was killed: its file is JSON, and one that is cut off can be merged"

ANYSHMEM_TRACE=$trace.f%d
job 2 "$program" finalize
: >"$output"
[ "$status" -ne 0 ] || echo "status 0" >>"$output"
count "$trace.f1" '"ph":"X","name":"nvshmem_uint64_p"' 1 >>"$output"
judge_output "a PE that was killed in finalize: what it called before is in its file"
unset ANYSHMEM_DISABLE_DIRECT

ANYSHMEM_TRACE=$output.d/nowhere/trace
job 2 "$program"
fails start "ANYSHMEM_TRACE names a file that cannot be written" \
    "invalid value ANYSHMEM_TRACE=.*/nowhere/trace: .*/nowhere/trace\.[01] cannot be written: No such file or directory" \
    "s|$output.d|FOLDER|g" 's|trace\.[01]|trace.N|'
unset ANYSHMEM_TRACE

# What sort leaves undone is not passed over.
mkdir "$output.d/bin" || exit 99
printf '#!/bin/sh\ncat >/dev/null\nexit 2\n' >"$output.d/bin/sort"
chmod 755 "$output.d/bin/sort"
for option in -s --; do
    PATH=$output.d/bin:$PATH sh "$merge" $option "$trace.k0" >"$output" 2>&1
    status=$?
    [ "$status" -ne 2 ] || : >"$output"
    judge_output "anyshmem-trace fails where a part of it does: $option"
done

cp "$trace.k0" "$output.d/copy"
for arguments in "" "-x" "-o" "$output.d/none" "$0" "-o $output.d/./copy $output.d/copy"; do
    # shellcheck disable=SC2086 # a list of words
    sh "$merge" $arguments >"$output" 2>&1
    status=$?
    if [ "$status" -eq 2 ] && grep -q '^anyshmem-trace: ' "$output"; then
        result ok "anyshmem-trace refuses: ${arguments##*/}"
    else
        result "status $status" "anyshmem-trace refuses: ${arguments##*/}"
    fi
done
faults_match
plan
