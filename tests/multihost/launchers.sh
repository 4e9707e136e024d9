#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The hosts of the lab by the other launchers: mpirun, and srun of a Slurm that
# lives as long as this script.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3

some()
{
    cell hosts 6 hosts3
    cell rma 3 hosts3
    cell amo 4 hosts2
    cell signal 3 hosts3-am
    cell heap 4 hosts2
    example 3 4 "^wordcount: .*: equal to the serial count$" wordcount "$srcdir/README.md"
}

mine=$LAUNCHER
for launcher in prterun mpirun; do
    LABEL=", $launcher"
    if ! command -v "$launcher" >/dev/null; then
        skip "jobs" "no $launcher"
        continue
    fi
    export LAUNCHER="$launcher"
    some
done
LABEL=", srun"
export LAUNCHER="$mine"
if reason=$("$here/slurm" missing); then
    skip "jobs" "$reason"
else
    export LAUNCHER=srun LAB_SLURM="$LAB/slurm"
    "$here/slurm" start
    verdict $? "Slurm starts" 
    some
    "$here/slurm" stop
fi
finish
