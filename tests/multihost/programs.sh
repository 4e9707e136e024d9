#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every program of tests/pe over three hosts, and over two with active messages
# between them; and the examples.  Not "large", which is for two PEs and has most of
# the machine's memory: make check-large.
#
# PROGRAMS   which of them; "more": on four hosts, and the examples [all, and more]

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 4
export TEST_TIMEOUT=300 PE_TIME_LIMIT=280

for list in "$srcdir"/tests/pe/*.pe; do
    name=$(basename "$list" .pe)
    case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    [ "$name" != large ] || continue
    if [ ! -x "$builddir/tests/pe/$name" ] && [ -f "$srcdir/tests/pe/$name.cc" ]; then
        skip "$name" "not built: no compiler of C++"
        continue
    fi
    cell "$name" 3 hosts3
    cell "$name" 4 hosts2-am
done
case " ${PROGRAMS:-more} " in *" more "*) ;; *) finish ;; esac
for name in amo hosts order random signal_order; do cell "$name" 8 hosts4; done
cell wait_set 4 hosts4
cell rma 4 hosts2-channel
for hosts in 2 3 4; do
    example "$hosts" 4 "^ring: .*kernel.*: correct$" ring
    example "$hosts" 4 "^wordcount: .*: equal to the serial count$" wordcount --hash-bits 4 \
        "$srcdir/README.md" "$srcdir/COPYING"
    example "$hosts" 4 "^heat: .*: equal to the serial run$" heat -o "$tmp/picture"
done
finish
