#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The hosts of the lab by the other launchers: mpirun, and srun of a Slurm that
# lives as long as this script.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 4
export TEST_TIMEOUT=200 PE_TIME_LIMIT=180

some()
{
    cell hosts 6 hosts3
    cell rma 3 hosts3
    cell amo 4 hosts2
    cell signal 3 hosts3-am
    cell heap 4 hosts2
    example 3 4 "^wordcount: .*: equal to the serial count$" wordcount "$srcdir/README.md"
}

LABEL=", ${LAUNCHER##*/}"
some
LABEL=", mpirun"
if command -v mpirun >/dev/null; then
    export LAUNCHER=mpirun
    some
else
    skip "jobs" "no mpirun"
fi
LABEL=", srun"
if reason=$("$here/slurm" missing); then
    skip "jobs" "$reason"
else
    # Its controller is n0, its nodes are the others.
    export LAUNCHER=srun SLURM_CONF="$LAB/slurm/slurm.conf"
    "$here/slurm" start >"$tmp/messages" 2>&1
    verdict $? "Slurm starts"
    some
    "$here/slurm" stop
fi
finish
