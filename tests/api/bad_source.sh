#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A put from memory that is not mapped, or not any more, over TCP: the message names the routine,
# the argument and the address, and no PE is said to be unreachable.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/bad_source
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs

hex='0x[0-9a-f]+'
export ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self

# ends REMOTE CASE "WHAT HAPPENED" "REGULAR EXPRESSION": the job ends so, where there is a network.
ends()
{
    if [ -d /sys/class/net ]; then
        ANYSHMEM_REMOTE=$1 job 2 "$program" "$2"
        fails arguments "$3" "$4"
    else
        fault_skipped arguments "$3"
        skipped "without /sys UCX finds no network interface" "$3"
    fi
}

# source_case CASE ROUTINE N_BYTES ADDRESS "WHAT HAPPENED", by messages and by puts.
source_case()
{
    for remote in rma am; do
        ends $remote "$1" "$5" "$2: argument source: $3 bytes at $4, for PE 0: there is no readable \
memory at $4 \(it must stay mapped until the put is complete\)"
    done
}

source_case put nvshmem_put 20000 0x1000 "a put from memory that is not mapped"
source_case put_nbi nvshmem_put_nbi 20000 0x1000 "the same, nonblocking"
source_case put_signal nvshmem_put_signal 20000 0x1000 "the same, with a signal"
source_case put_signal_nbi nvshmem_put_signal_nbi 20000 0x1000 "the same, with a signal, nonblocking"
source_case half nvshmem_put 67108864 "$hex" "a put from memory of which half is not mapped"
source_case unmapped nvshmem_put_nbi 67108864 "$hex" "the source is unmapped before nvshmem_quiet"

ends am heap "a PE has unmapped a part of its heap, which another one gets" \
    "proxy: the symmetric heap, from which PE 1 gets [0-9]+ bytes at $hex, is not readable at $hex: .*"

faults_match
plan
