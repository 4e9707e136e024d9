#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/gdb/anyshmem-gdb.py: what gdb shows of a PE that is stopped, with requests
# that the proxy has not taken and a thread that waits; and of one that is not started.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/gdb.sh
. "$srcdir/tests/support/gdb.sh"
script=$srcdir/contrib/gdb/anyshmem-gdb.py
program=$builddir/tests/api/.libs/gdb
[ -x "$program" ] || program=$builddir/tests/api/gdb
abs_libs=$(cd "$builddir/.libs" && pwd -P) || exit 99
libs=$abs_libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

leave()
{
    echo "1..0 # SKIP $*"
    exit 0
}
lacks=$(gdb_lacks)
[ -z "$lacks" ] || leave "$lacks"
! sanitized || leave "a sanitizer and gdb do not go together"
case $CFLAGS in
    *-g*) ;;
    *) leave "built without -g" ;;
esac

# in_gdb COMMAND...: one each, of gdb, in $output.
in_gdb()
{
    for gdb_command; do
        shift
        set -- "$@" -ex "$gdb_command"
    done
    # A single PE, without a launcher; all goes through the channel.
    env LD_LIBRARY_PATH="$libs" ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_CHANNEL_SLOTS=16 \
        NVSHMEM_SYMMETRIC_SIZE=1M timeout -k 5 "${TEST_TIMEOUT:-100}" \
        gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' \
        -ex 'set print pretty off' -ex "source $script" "$@" "$program" \
        >"$output.all" 2>&1 </dev/null
    cp "$output.all" "$output"
}

# A compare-and-swap of 4 bytes, far away, reply on line 2.
word0='10 | 2 << 6 | 1048574 << 8 | 3 << 28 | 5 << 48'
# Stopped when the thread's wait is in the table; then the main thread alone goes on.
in_gdb 'break ash_hostdev_wait_register if info->kind == 0' run finish 'delete breakpoints' \
    'set var go = 1' 'thread 1' 'break all_sent' 'set scheduler-locking on' continue \
    'echo == state\n' anyshmem 'echo == heap\n' 'anyshmem heap' 'echo == slots\n' \
    'anyshmem slots' 'echo == printed\n' 'print *ash_state.channel' \
    'print ash_state.channel->slots[ash_state.channel->proxy->next & 15]' \
    "print *'lib/symmetric/heap.c'::heap.alloc.blocks" "print 'lib/symmetric/heap.c'::heap.alloc" \
    'set var ash_state.channel->ticket = ash_state.channel->ticket | 1ull << 63' \
    'print *ash_state.channel' \
    'set var ash_state.channel->ticket = ash_state.channel->ticket & ~(1ull << 63)' \
    "python import struct; print(gdb.Value(struct.pack('8Q', $word0, 7, 8, 5 << 48 | 1 << 40, 0, 0, 0, 0), gdb.lookup_type('struct ash_request')))" \
    'anyshmem nonsense' 'set scheduler-locking off' 'delete breakpoints' continue

bytes_at='bytes at heap \+ [0-9]+ of PE 0, from 0x[0-9a-f]+(, reply line [0-9]+)?'
bytes='[0-9]+ bytes at heap \+ [0-9]+ of PE 0'
slot='[0-9]+: lap [0-9]+, slot [0-9]+'
shows "the PE" 'PE 0 of 1, heap of 29360128 bytes at 0x[0-9a-f]+'
shows "the channel" "the host's channel of 16 slots: [0-9]+ pushed, [0-9]+ popped, [0-9]+ complete; the proxy (sleeps|is awake)"
shows "requests that were not popped" '  requests not known to be complete: [0-9]+' \
    "  $slot, published: put, 4096 bytes at heap \+ [0-9]+ of PE 0, from 0x[0-9a-f]+" \
    "  $slot, published: fence" \
    "  $slot, published: atomic add, 8 bytes at heap \+ [0-9]+ of PE 0, operand 41" \
    "  $slot, published: put with signal, 100 bytes at heap \+ [0-9]+ of PE 0, from 0x[0-9a-f]+; signal add 5, 8 bytes at heap \+ [0-9]+ of PE 0" \
    "  $slot, published: inline put, 20 bytes at heap \+ [0-9]+ of PE 0" \
    "  $slot, published: p, 8 bytes at heap \+ [0-9]+ of PE 0, operand 99"
# What was sent lies where the program's variables do, in one order.
offsets=$(sed -n 's/^  [0-9]*: .*published: .*bytes at heap + \([0-9]*\) of.*/\1/p' "$output.all" |
    tr '\n' ' ')
first=${offsets%% *}
verdict=ok
case $offsets in
    "$first $((first - 24)) $((first - 8)) $first $((first - 16)) "*) ;;
    *) verdict="offsets $offsets" ;;
esac
result "$verdict" "their offsets"
shows "transfers" 'transfers in flight: 0'
shows "the wait" 'waits that last: 1' \
    '  nvshmem_int32_wait_until: ivar 0x[0-9a-f]+ >= -7, is -9'
shows "the heap" 'blocks of the heap: [0-9]+' \
    '  taken block of [0-9]+ bytes at heap \+ 0' '  free block of [0-9]+ bytes at heap \+ [0-9]+'
shows "slots" "  $slot, published: inline put, $bytes" "  $slot, free"
shows "printers" '\$[0-9]+ = channel of 16 slots: .*' \
    "\\\$[0-9]+ = tag [0-9]+: put, 4096 bytes at heap .*" \
    '\$[0-9]+ = channel of 16 slots: 6 pushed, 0 popped, 0 complete; the proxy sleeps' \
    'atomic compare-and-swap, 4 bytes at heap \+ 1099511627776 of PE 1048574, operand 8, compare 7, reply line 2' \
    "\\\$[0-9]+ = taken block of .*" '\$[0-9]+ = allocator: [0-9]+ of 29360128 bytes free'
shows "a word that is none" 'anyshmem: no such thing: nonsense \(slots, heap, kernel, shared, grids, or nothing\)'
shows "the program goes on, and is right" 'gdb: right'

# Stopped in the proxy, which has made a transfer of the first request.
in_gdb 'break ash_connection_submit if xfer->op == 1' 'run now' 'echo == state\n' anyshmem 'print *xfer'
shows "a transfer" 'transfers in flight: 1' \
    '  put, 4096 bytes at heap \+ [0-9]+ of PE 0, [0-9]+ parts left' \
    '\$[0-9]+ = put, 4096 bytes at heap \+ [0-9]+ of PE 0, [0-9]+ parts left' \
    "  $slot, popped: put, 4096 $bytes_at"
in_gdb 'break main' run anyshmem
shows "before nvshmem_init" 'anyshmem is not started'
in_gdb anyshmem
shows "without the library" 'anyshmem: the library is not there, or has no symbols \(-g\)'

# As it is installed, where gdb looks by itself.
mkdir -p "$output.auto$abs_libs" &&
    cp "$builddir"/contrib/gdb/libanyshmem.so.*-gdb.py "$output.auto$abs_libs/"
script=/dev/null
in_gdb "set auto-load scripts-directory $output.auto" "add-auto-load-safe-path $output.auto" \
    'break main' run anyshmem
shows "gdb loads it with the library" 'anyshmem is not started'
plan
