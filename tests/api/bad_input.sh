#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each bad call ends the whole job, soon and not with 0, and exactly one message
# says which function, which argument and which PE.  Every case runs as a job of
# two PEs of its own, directly and over the channel.

program=${builddir:-.}/tests/api/bad_input
launch=${srcdir:-.}/tests/launch
# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"
# shellcheck source=tests/support/faults.sh
. "${srcdir:-.}/tests/support/faults.sh"
# A case takes less than a second; one that hangs takes this many.
TEST_TIMEOUT=60
PE_TIME_LIMIT=45
export TEST_TIMEOUT PE_TIME_LIMIT
hex='0x[0-9a-f]+'

# run PATH CASE: the job's status is in $status, its time in $seconds.
run()
{
    began=$(cut -d. -f1 /proc/uptime)
    ANYSHMEM_DISABLE_DIRECT=$1 "$launch" 2 "$program" "$2" >"$output" 2>&1 </dev/null
    status=$?
    seconds=$(($(cut -d. -f1 /proc/uptime) - began))
    grep -E '^anyshmem: (PE [0-9/]+ on [^ ]+: )?error: ' "$output" >"$output.errors"
    lines=$(grep -c . "$output.errors")
}

# late: did the job take more than 5 s, and than 10 jobs that do nothing wrong?
late()
{
    [ "$seconds" -gt 5 ] || return
    began=$(cut -d. -f1 /proc/uptime)
    "$launch" 2 "$program" start_only >"$output.good" 2>&1 </dev/null
    [ "$seconds" -gt $((10 * ($(cut -d. -f1 /proc/uptime) - began))) ]
}

# What holds for each job that must end; prints what does not.
ended()
{
    if [ "$status" -eq 0 ]; then
        echo "the launcher returned 0"
    elif late; then
        echo "ended only after $seconds s"
    elif grep -Eq 'CAME BACK|WENT ON|NO END|no such case' "$output"; then
        echo "the call came back"
    else
        echo ok
    fi
}

# told PATH "WHAT HAPPENED": the message that came out, for tests/api/faults.md.
told()
{
    [ "$1" != all ] || return 0
    # Whoever finds it first names itself first.
    fault "$section" "$2" "$(head -n 1 "$output.errors")" \
        's/: ([0-9]+ on PE 1), ([0-9]+ on PE 0)$/: \2, \1/' \
        's/ \(block [0-9,]+, thread [0-9,]+\)$/ (block B, thread T)/' \
        '/offset of/s/: [0-9]+ on PE 0, [0-9]+ on/: N on PE 0, N on/'
}

# alone CASE "REGULAR EXPRESSION" "WHAT HAPPENED": PE 1 is wrong, and one line says so.
alone()
{
    for path in 0 all; do
        run "$path" "$1"
        verdict=$(ended)
        if [ "$verdict" = ok ] && [ "$lines" -ne 1 ]; then
            verdict="$lines messages, not one"
        elif [ "$verdict" = ok ] &&
            ! grep -Eq "^anyshmem: PE 1/2 on [^ ]+: error: $2\$" "$output.errors"; then
            verdict="another message"
        fi
        [ "$verdict" != ok ] || told "$path" "$3"
        result "$verdict" "$1, direct off: $path"
    done
}

# together CASE "FOR PE 0" "FOR PE 1" "WHAT HAPPENED": all are wrong; one or both say so, once.
together()
{
    for path in 0 all; do
        run "$path" "$1"
        verdict=$(ended)
        good=$(grep -Ec -e "^anyshmem: PE 0/2 on [^ ]+: error: $2\$" \
            -e "^anyshmem: PE 1/2 on [^ ]+: error: $3\$" "$output.errors")
        pes=$(sed -E 's/^anyshmem: PE ([0-9]+).*/\1/' "$output.errors" | sort -u | grep -c .)
        if [ "$verdict" = ok ] && [ "$lines" -eq 0 ]; then
            verdict="no message"
        elif [ "$verdict" = ok ] && [ "$good" -ne "$lines" ]; then
            verdict="another message"
        elif [ "$verdict" = ok ] && [ "$pes" -ne "$lines" ]; then
            verdict="a PE says it twice"
        fi
        [ "$verdict" != ok ] || told "$path" "$4"
        result "$verdict" "$1, direct off: $path"
    done
}

no_jobs

section=arguments
range='is out of range: this job has PEs 0\.\.1'
outside="is outside the symmetric heap \[$hex, $hex\)"
alone pe_minus_one "nvshmem_int_p: pe -1 $range" \
    "a PE number of -1"
alone pe_n "nvshmem_long_atomic_fetch_add: pe 2 $range" \
    "a PE number that is the number of PEs"
alone pe_int_min "nvshmem_putmem: pe -2147483648 $range" \
    "a PE number of INT_MIN"
alone pe_int_max "nvshmem_float_put_signal_nbi: pe 2147483647 $range" \
    "a PE number of INT_MAX"
alone pe_get "nvshmem_get64_nbi: pe 2 $range" \
    "a get from a PE that does not exist"
alone pe_g "nvshmem_short_g: pe -7 $range" \
    "a g from a PE that does not exist"
alone pe_signal "nvshmemx_signal_op: pe 2 $range" \
    "a signal to a PE that does not exist"
alone put_past_end "nvshmem_putmem: dest $hex \(8 bytes\) $outside" \
    "a put that leaves the heap by its last byte"
alone put_before_begin "nvshmem_char_put: dest $hex \(2 bytes\) $outside" \
    "a put that begins before the heap"
alone put_own_past_end "nvshmem_putmem_nbi: dest $hex \(8 bytes\) $outside" \
    "the same to the own PE"
alone put_own_into_begin "nvshmem_putmem: dest $hex \(8 bytes\) $outside" \
    "a put to the own PE that reaches into the heap from before it"
alone p_own_null "nvshmem_int_p: dest 0x0 \(4 bytes\) $outside" \
    "a p to the own PE, of no address"
alone amo_own_stack "nvshmem_int_atomic_inc: dest $hex \(4 bytes\) $outside" \
    "an atomic of a variable on the own PE's stack"
alone p_at_end "nvshmem_uint8_p: dest $hex \(1 bytes\) $outside" \
    "a p just behind the heap"
alone get_past_end "nvshmem_getmem: source $hex \(64 bytes\) $outside" \
    "a get that leaves the heap by its last byte"
alone g_of_stack "nvshmem_double_g: source $hex \(8 bytes\) $outside" \
    "a g from a local variable, which is not symmetric"
alone amo_past_end "nvshmem_int32_atomic_set: dest $hex \(4 bytes\) $outside" \
    "an atomic just behind the heap"
alone fetch_null "nvshmem_uint64_atomic_fetch: source 0x0 \(8 bytes\) $outside" \
    "an atomic fetch from NULL"
alone put_signal_data "nvshmem_put16_signal: dest $hex \(4 bytes\) $outside" \
    "a put with signal whose data leave the heap"
alone put_signal_word "nvshmem_putmem_signal: sig_addr $hex \(8 bytes\) $outside" \
    "a put with signal whose signal word lies behind the heap"
alone size_wraps "nvshmem_int64_put: nelems 2305843009213693953 of 8 bytes each .*" \
    "a number of elements whose bytes do not fit into 64 bits"
alone size_max "nvshmem_putmem: dest $hex \(18446744073709551615 bytes\) $outside" \
    "a put of SIZE_MAX bytes"
alone size_wraps_address "nvshmem_getmem: source $hex \(18446744073709551515 bytes\) $outside" \
    "a size with which address plus size wraps"
alone source_null "nvshmem_int_put: source is NULL" \
    "a put from NULL"
alone dest_null "nvshmem_get8: dest is NULL" \
    "a get to NULL"
alone amo8_misaligned "nvshmem_uint64_atomic_add: dest $hex is not aligned to 8 bytes" \
    "an atomic of 8 bytes at an address that is a multiple of 4 alone"
alone amo4_misaligned "nvshmem_uint_atomic_swap: dest $hex is not aligned to 4 bytes" \
    "an atomic of 4 bytes at an address that is a multiple of 2 alone"
alone signal_misaligned "nvshmem_putmem_signal: sig_addr $hex is not aligned to 8 bytes" \
    "a signal word that is not aligned"
alone cmp_wait "nvshmem_int_wait_until: cmp 6 is not one of NVSHMEM_CMP_EQ.*" \
    "a wait with a comparison that does not exist"
alone cmp_test "nvshmem_ushort_test: cmp -1 is not one of NVSHMEM_CMP_EQ.*" \
    "a test with a comparison that does not exist"
alone cmp_signal "nvshmem_signal_wait_until: cmp 99 is not one of NVSHMEM_CMP_EQ.*" \
    "a wait for a signal with a comparison that does not exist"
alone wait_null "nvshmem_long_wait: ivar is NULL" \
    "a wait for NULL"
alone wait_misaligned "nvshmem_long_wait_until: ivar $hex is not aligned to 8 bytes" \
    "a wait for a variable that is not aligned"
alone test_misaligned "nvshmem_short_test: ivar $hex is not aligned to 2 bytes" \
    "a test of a variable that is not aligned"
alone signal_wait_misaligned \
    "nvshmem_signal_wait_until: sig_addr $hex is not aligned to 8 bytes" \
    "a wait for a signal at an address that is not aligned"
alone iput_past_end "nvshmem_int_iput: dest $hex \(52 bytes\) $outside" \
    "an iput that reaches out of the heap"
alone iget_before_begin "nvshmem_iget64: source $hex \(32 bytes\) $outside" \
    "an iget that goes back before the heap"
alone iput_far "nvshmem_iput8: dest $hex \([0-9]* bytes\) $outside" \
    "an iput with a stride that no address space has room for"
alone stream_iget "nvshmemx_int_iget_on_stream: source $hex \(8 bytes\) $outside" \
    "an iget that goes back before the heap, on a stream"
alone stream_g "nvshmemx_int_g_on_stream: invalid stream $hex: .*" \
    "a read on a stream that does not exist"
alone stream_g_inside "nvshmemx_int_g_on_stream: cannot wait for stream $hex: called in a kernel .*" \
    "a read on a stream, by a function on that stream"
alone stream_pe "nvshmemx_int_put_on_stream: pe 2 $range" \
    "a PE that does not exist, on a stream"
alone stream_none "nvshmemx_quiet_on_stream: invalid stream $hex: destroyed, or not created by .*" \
    "a stream that does not exist"
alone sig_op_zero "nvshmemx_signal_op: sig_op 0 is neither NVSHMEM_SIGNAL_SET .*" \
    "a signal operation of 0"
alone sig_op_11 "nvshmem_uchar_put_signal: sig_op 11 is neither NVSHMEM_SIGNAL_SET .*" \
    "a put with signal with a signal operation of 11"
alone ishmem_pe "ishmem_long_p: pe 2 $range" \
    "ISHMEM: a PE that does not exist"
alone ishmem_range "ishmem_putmem: dest $hex \(8 bytes\) $outside" \
    "ISHMEM: a put that leaves the heap"
alone ishmem_cmp_zero "ishmem_int_wait_until: cmp 0 is not one of ISHMEM_CMP_EQ.*" \
    "ISHMEM: a comparison of 0"
alone ishmem_cmp_7 "ishmem_uint64_test: cmp 7 is not one of ISHMEM_CMP_EQ.*" \
    "ISHMEM: a comparison of 7"
alone ishmem_cmp_group "ishmemx_size_test_work_group: cmp -2 is not one of ISHMEM_CMP_EQ.*" \
    "ISHMEM: a comparison of -2 by a work group"
alone ishmem_cmp_signal "ishmem_signal_wait_until: cmp 0 is not one of ISHMEM_CMP_EQ.*" \
    "ISHMEM: a wait for a signal with a comparison of 0"
alone ishmem_group "ishmemx_int_wait_until_work_group: group 3 is not one of ISHMEMX_GROUP_.*" \
    "ISHMEM: a group that does not exist"
alone ishmem_byte "ishmem_schar_atomic_add: dest .* \(1 bytes\) is outside the symmetric heap.*" \
    "ISHMEM: an atomic of a byte outside of the heap"
alone ishmem_sig_op "ishmem_putmem_signal: sig_op 10 is neither ISHMEM_SIGNAL_SET .*" \
    "ISHMEM: a signal operation of NVSHMEM's"
alone deprecated_pe "nvshmem_int_fadd: pe -1 $range" \
    "an old name of an atomic, with a PE of -1"
alone typed_signal "nvshmemx_short_signal: dest $hex is not aligned to 2 bytes" \
    "a signal of 2 bytes at an odd address"
alone ibput_past_end "shmem_int_ibput: dest $hex \(56 bytes\) $outside" \
    "an ibput that reaches out of the heap"
alone ibget_before_begin "shmem_ibget64: source $hex \(48 bytes\) $outside" \
    "an ibget that goes back before the heap"
alone ibput_blocks "shmem_ibput32: nblocks 4611686018427387903 of 8 bytes each .*" \
    "a number of blocks whose bytes do not fit into 64 bits"
alone pe_quiet_pe "shmem_pe_quiet: pe 2 $range" \
    "a quiet for a PE that does not exist"
alone shmem_old_pe "shmem_long_swap: pe 2 $range" \
    "an old name of OpenSHMEM's, with a PE that does not exist"
alone lock_private "shmem_set_lock: lock $hex \(8 bytes\) $outside" \
    "a lock that is not symmetric"
alone lock_misaligned "shmem_test_lock: lock $hex is not aligned to 8 bytes" \
    "a lock that is not aligned"
alone lock_not_held "shmem_clear_lock: this PE does not have the lock $hex" \
    "the release of a lock that the PE does not have"
alone lock_not_zero "shmem_set_lock: lock $hex was not 0 before its first use: it has 6 in the .*" \
    "a lock that is not 0 before its first use"
thread='\(block [0-9]+,0,0, thread [0-9]+,0,0\)'
alone pe_block "nvshmemx_int_put_block: pe 2 $range $thread" \
    "a kernel: all threads of all blocks name a PE that does not exist"
alone cmp_warp "anyshmemx_int_wait_until_warp: cmp 6 is not one of NVSHMEM_CMP_EQ.* $thread" \
    "a kernel: a wait by a warp with a comparison that does not exist"
section=use
alone after_finalize "nvshmem_uint64_atomic_inc: called after nvshmem_finalize" \
    "a routine is called after the library was finalized"
section=arguments

alone team_none "nvshmem_barrier: invalid team 7: this PE is not a member" \
    "a team that nobody made"
alone team_invalid "nvshmem_team_sync: invalid team -1: this PE is not a member" \
    "NVSHMEM_TEAM_INVALID, as a PE has it that a split left out"
alone broadcast_root "nvshmem_broadcastmem: PE_root 2 is out of range: the team has PEs 0\.\.1" \
    "the root of a broadcast is no PE of the team"
alone destroy_world "nvshmem_team_destroy: team 0 was not made by a split" \
    "destroy of a predefined team"
alone ctx_invalid "shmem_ctx_int_p: invalid context 0x0: not created, or destroyed" \
    "SHMEM_CTX_INVALID is used"
alone ctx_destroyed "shmem_ctx_int_p: invalid context $hex: not created, or destroyed" \
    "a context is used after its end"
alone ctx_default "shmem_ctx_destroy: invalid context 0x1: the default one" \
    "destroy of the default context"
alone ctx_pe "shmem_ctx_putmem: pe 2 is out of range: the team has PEs 0\.\.1" \
    "a PE that the team of the context does not have"
alone shmem_root "shmem_int_broadcast: PE_root 2 is out of range: the team has PEs 0\.\.1" \
    "SHMEM: the root of a broadcast is no PE of the team"
alone shmem_sst "shmem_int_alltoalls: sst 0 is not positive" "SHMEM: a distance of elements of 0"
alone shmem_destroy_world "shmem_team_destroy: team 0 was not made by a split" \
    "SHMEM: destroy of a predefined team"
no_set='is no active set with PE 1 of 0\.\.1'
alone active_set_without "shmem_barrier: PE_start 0, logPE_stride 0, PE_size 1 $no_set" \
    "SHMEM: an active set without the caller"
alone active_set_past_end \
    "shmem_short_sum_to_all: PE_start 1, logPE_stride 0, PE_size 2 $no_set" \
    "SHMEM: an active set of more PEs than there are"
alone active_set_stride "shmem_fcollect32: PE_start 0, logPE_stride -1, PE_size 2 $no_set" \
    "SHMEM: an active set with a stride that is none"

differs='differs between PEs'
together malloc_differs "nvshmem_malloc: size $differs: 64 on PE 0, 128 on PE 1" \
    "nvshmem_malloc: size $differs: 128 on PE 1, 64 on PE 0" \
    "PEs ask for different sizes"
together ishmem_malloc_differs "ishmem_malloc: size $differs: 64 on PE 0, 128 on PE 1" \
    "ishmem_malloc: size $differs: 128 on PE 1, 64 on PE 0" \
    "ISHMEM: PEs ask for different sizes"
together align_differs "nvshmem_align: alignment $differs: 1024 on PE 0, 65536 on PE 1" \
    "nvshmem_align: alignment $differs: 65536 on PE 1, 1024 on PE 0" \
    "PEs ask for different alignments"
together free_differs "nvshmem_free: offset of ptr $differs: [0-9]+ on PE 0, [0-9]+ on PE 1" \
    "nvshmem_free: offset of ptr $differs: [0-9]+ on PE 1, [0-9]+ on PE 0" \
    "PEs free different blocks"
together split_differs \
    "nvshmem_team_split_strided: PE_start $differs: 0 on PE 0, 1 on PE 1" \
    "nvshmem_team_split_strided: PE_start $differs: 1 on PE 1, 0 on PE 0" \
    "PEs split a team in different ways"
together free_interior "nvshmem_free: ptr $hex: lies inside .*" \
    "nvshmem_free: ptr $hex: lies inside .*" \
    "free of an address inside of a block"
together free_foreign "nvshmem_free: ptr $hex: was not returned .*" \
    "nvshmem_free: ptr $hex: was not returned .*" \
    "free of an address that is no block"
together free_twice "nvshmem_free: ptr $hex: was freed before" \
    "nvshmem_free: ptr $hex: was freed before" \
    "free of a block that was freed"

# Before init nobody knows which PE it is.
run 0 before_init
verdict=$(ended)
if [ "$verdict" = ok ] && [ "$(sort -u "$output.errors")" != \
    "anyshmem: error: nvshmem_uint64_p: called before nvshmem_init" ]; then
    verdict="another message"
fi
[ "$verdict" != ok ] || fault use "a routine is called before the library was started" \
    "$(head -n 1 "$output.errors")"
result "$verdict" before_init

for path in 0 all; do
    run "$path" global_exit
    verdict=$(ended)
    # srun says 7 or what it makes of it; the others 7.
    [ "$verdict" != ok ] || [ "$lines" -eq 0 ] || verdict="an error message"
    result "$verdict" "nvshmem_global_exit ends all, direct off: $path"

    { ls /dev/shm; echo "*"; } >"$output.before"
    run "$path" killed
    verdict=$(ended)
    # Other jobs come and go: what is ours stays.
    for attempt in 1 2 3 4 5 6; do
        left=$(for f in /dev/shm/*; do echo "${f##*/}"; done | grep -vxFf "$output.before" |
            tr "\n" " ")
        if [ -z "$left" ] || [ "$attempt" -eq 6 ]; then break; fi
        sleep 0.5
    done
    [ "$verdict" != ok ] || [ -z "$left" ] || verdict="left in /dev/shm: $left"
    result "$verdict" "a PE is killed, direct off: $path"

    run "$path" nothing_bad
    verdict=ok
    [ "$status" -eq 0 ] && [ "$(grep -c ': nothing bad' "$output")" -eq 2 ] &&
        [ "$lines" -eq 0 ] || verdict="status $status"
    result "$verdict" "arguments at the very border, direct off: $path"
done

faults_match
plan
