#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# PEs that meet in different collective calls, or in one with different arguments, end the job,
# and each message names both.  Every case runs as a job of three PEs of its own, with both forms
# of a barrier, directly and over the channel; some of them by two PEs as well, of which the root of
# a broadcast does not wait for the other one (device/routine/ahead.h).

program=${builddir:-.}/tests/api/mismatch
launch=${srcdir:-.}/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"
TEST_TIMEOUT=60
PE_TIME_LIMIT=45
export TEST_TIMEOUT PE_TIME_LIMIT

pes=3
hows="rounds:0 gather:all gather:0 rounds:all"
# Cases in which PEs may leave the call before they are found.
leaves=order

# run CASE FORM:DISABLED: the job's status is in $status.
run()
{
    ANYSHMEM_BARRIER=${2%:*} ANYSHMEM_DISABLE_DIRECT=${2#*:} "$launch" $pes "$program" "$1" \
        >"$output" 2>&1 </dev/null
    status=$?
    grep -E '^anyshmem: (PE [0-9/]+ on [^ ]+: )?error: ' "$output" >"$output.errors"
    lines=$(grep -c . "$output.errors")
}

# told CASE SECTION "WHAT HAPPENED" "REGULAR EXPRESSION": as many PEs as find it say it.
told()
{
    for how in $hows; do
        run "$1" "$how"
        good=$(grep -Ec "^anyshmem: PE [0-2]/$pes on [^ ]+: error: $4\$" "$output.errors")
        if [ "$status" -eq 0 ] || grep -q 'NO END' "$output"; then
            verdict="the job did not end"
        elif grep -q 'CAME BACK' "$output" && ! echo " $leaves " | grep -q " $1 "; then
            verdict="the call came back"
        elif [ "$lines" -eq 0 ]; then
            verdict="no message"
        elif [ "$good" -ne "$lines" ]; then
            verdict="another message"
        else
            verdict=ok
        fi
        # Gathered, PE 0 alone finds it.
        [ "$how" != gather:0 ] || [ "$verdict" != ok ] ||
            fault "$2" "$3" "$(head -n 1 "$output.errors")" \
                '/offset of .* differs/s/[0-9]+ on PE/N on PE/g' \
                's/offset of ([a-z]+) [0-9]+/offset of \1 N/g' ${canonical:+"$canonical"}
        result "$verdict" "$1, $pes PEs, $how"
    done
}

# calls CASE "USUAL" "ODD" "WHAT HAPPENED": the names of the two calls.
calls()
{
    told "$1" arguments "$4" "[a-z0-9_]+: the PEs of team [0-9]+ are in different calls: \
($2 on PE [02], $3 on PE 1|$3 on PE 1, $2 on PE [02])"
}

# differs CASE "FUNCTION: ARGUMENT" "USUAL" "ODD" "WHAT HAPPENED"
differs()
{
    told "$1" arguments "$5" "$2 differs between PEs: \
($3 on PE [02], $4 on PE 1|$4 on PE 1, $3 on PE [02])"
}

no_jobs

malloc='malloc \(size 64, alignment 512\)'
block='bytes of a block 8'
at='offset of dest [0-9]+, offset of source [0-9]+'
calls malloc_barrier "$malloc" "barrier or sync" "a PE is in a barrier, the others allocate"
calls malloc_free "$malloc" 'free \(offset of ptr [0-9]+\)' "a PE frees, the others allocate"
calls malloc_calloc "$malloc" 'calloc \(size 64, alignment 512\)' \
    "a PE allocates by another routine"
calls malloc_split "$malloc" 'team_split_strided \(PE_start 0, PE_stride 1, PE_size 3\)' \
    "a PE splits a team, the others allocate"
differs malloc_size 'nvshmem_malloc: size' 64 65 "a PE of three allocates another size"
differs free_block 'nvshmem_free: offset of ptr' '[0-9]+' '[0-9]+' \
    "a PE of three frees another block"
differs split_size 'nvshmem_team_split_strided: PE_size' 3 2 "a PE makes a smaller team"
differs split_xrange 'nvshmem_team_split_2d: xrange' 1 2 "a PE makes another grid of teams"
calls split_kind 'team_split_2d \(xrange 1\)' \
    'team_split_strided \(PE_start 0, PE_stride 1, PE_size 1\)' "PEs split by different routines"
calls destroy_barrier team_destroy "barrier or sync" "a PE does not destroy the team"
calls sync_broadcast "barrier or sync" "broadcast \\($block, PE_root 0, $at\\)" \
    "a PE broadcasts, the others only meet"
differs broadcast_root 'nvshmem_long_broadcast: PE_root' 0 1 "PEs name different roots"
differs broadcast_none 'nvshmem_long_broadcast: PE_root' 1 0 "PEs name each other as the root"
differs broadcast_size 'nvshmem_long_broadcast: bytes of a block' 8 16 \
    "PEs broadcast different numbers of elements"
differs broadcast_large 'nvshmem_long_broadcast: bytes of a block' 8 64000 \
    "a PE broadcasts much, the others little"
differs reduce_large 'nvshmem_long_sum_reduce: bytes of a block' 64000 8 \
    "a PE reduces little, the others much"
calls reduce_alltoall "reduce \\(bytes of a block 64, operation sum of int64, $at\\)" \
    "alltoall \\(bytes of a block 64, $at\\)" "a PE exchanges what the others reduce"
differs broadcast_dest 'nvshmem_long_broadcast: offset of dest' '[0-9]+' '[0-9]+' \
    "PEs pass different symmetric addresses"
calls fcollect_alltoall "fcollect \\(bytes of a block 4, $at\\)" \
    "alltoall \\(bytes of a block 4, $at\\)" "a PE collects in another way"
differs reduce_op 'nvshmem_long_(sum|max)_reduce: operation' 'sum of int64' 'max of int64' \
    "PEs reduce by different operations"
differs reduce_type 'nvshmem_(long|double)_sum_reduce: operation' 'sum of int64' 'sum of double' \
    "PEs reduce different types"
calls reduce_scatter "reduce \\($block, operation sum of int64, $at\\)" \
    "reducescatter \\($block, operation sum of int64, $at\\)" "a PE scatters what it reduces"
calls order "reduce \\($block, operation sum of int64, $at\\)" \
    "broadcast \\($block, PE_root 0, $at\\)" "PEs make two calls in different orders"
calls inscan_exscan "inscan \\($block, operation sum of int64, $at\\)" \
    "exscan \\($block, operation sum of int64, $at\\)" "a PE leaves itself out of a scan"
differs collect_dest 'shmem_long_collect: offset of dest' '[0-9]+' '[0-9]+' \
    "PEs collect at different addresses"
differs alltoalls_sst 'shmem_long_alltoalls: distance of elements' '2 in dest and 1 in source' \
    '2 in dest and 3 in source' \
    "PEs exchange elements at different distances"
# In an active set several PEs may find it, and the first one says it.
canonical='s/ on PE 2, / on PE 0, /
    s/(PEs|calls): (.*) on PE 1, (.*) on PE [02]$/\1: \3 on PE 0, \2 on PE 1/
    s/^shmem_fcollect64/shmem_barrier/'
barrier='barrier or sync' fcollect="fcollect \\($block, $at\\)"
told set_calls arguments "a PE of an active set is in another call" "[a-z0-9_]+: the PEs of an \
active set are in different calls: ($barrier on PE [02], $fcollect on PE 1|$fcollect on PE 1, \
$barrier on PE [02])"
differs set_root 'shmem_broadcast64: PE_root' 0 1 "PEs of an active set name different roots"
set='PE_start 0, logPE_stride 0, PE_size'
differs set_pes 'shmem_sync: the active set' "$set 3" "$set 2" "PEs name different active sets"
canonical=
calls finalize finalize "barrier or sync" "a PE is in one more barrier than the others"

# Whichever thread comes second says it.
for case in threads threads_heap; do
    call='nvshmem_(sync_all|barrier_all|malloc)'
    for how in rounds:0 gather:all; do
        run $case $how
        verdict=ok
        if [ "$status" -eq 0 ] || grep -Eq 'NO END|CAME BACK' "$output"; then
            verdict="the job did not end"
        elif [ "$lines" -ne 1 ] || ! grep -Eq \
            "^anyshmem: PE 1/3 on [^ ]+: error: $call: another thread is in $call, of the same team" \
            "$output.errors"; then
            verdict="another message"
        fi
        [ "$verdict" != ok ] || fault use "two threads of a PE are in collectives of one team" \
            "$(head -n 1 "$output.errors")" \
            "s/^$call: another thread is in $call/nvshmem_malloc: another thread is in nvshmem_barrier_all/"
        result "$verdict" "$case, $how"
    done
done

for how in $hows; do
    run nothing_wrong $how
    verdict=ok
    if [ "$status" -ne 0 ] || [ "$(grep -c ': done, ' "$output")" -ne 3 ]; then
        verdict="status $status"
    fi
    result "$verdict" "nothing wrong, $how"
done

pes=2 hows=rounds:all
leaves="order broadcast_root broadcast_size broadcast_large broadcast_dest"
calls sync_broadcast "barrier or sync" "broadcast \\($block, PE_root 0, $at\\)"
differs broadcast_root 'an earlier broadcast: PE_root' 0 1
differs broadcast_none 'nvshmem_long_broadcast: PE_root' 1 0
differs broadcast_size 'nvshmem_long_broadcast: bytes of a block' 8 16
differs broadcast_large 'nvshmem_long_broadcast: bytes of a block' 8 64000
differs broadcast_dest 'nvshmem_long_broadcast: offset of dest' '[0-9]+' '[0-9]+'
calls order "reduce \\($block, operation sum of int64, $at\\)" \
    "broadcast \\($block, PE_root 0, $at\\)"

faults_match
plan
