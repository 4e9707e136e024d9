#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The hosts of the lab by each launcher: prterun, mpirun, and srun of a Slurm that lives as
# long as this script.  Jobs that end well, and jobs that lose a PE, a host's daemon or the
# launcher itself.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 4
. "$here/losses"
export TEST_TIMEOUT=200 PE_TIME_LIMIT=180

# dies SETTINGS PLACE END: one PE of six.
dies()
{
    launcher_ends "$@"
    verdict $? "$2, $3${1:+, $1}: all ended after $took ms"
}

deaths()
{
    dies "" wait kill
    dies "" quiet exit0
    dies ANYSHMEM_REMOTE=am barrier abort
    dies ANYSHMEM_REMOTE=am finalize kill
    dies "" amo global
}

# Without PMIx its tasks do not know of each other.
srun_without_pmix()
{
    text='error: started as one of 2 tasks by srun, without PMIx: use srun --mpi=pmix$'
    ! srun --mpi=none -N 2 -n 2 "$builddir/tests/pe/hosts" >"$tmp/messages" 2>&1 </dev/null &&
        [ "$(grep -c "^anyshmem: $text" "$tmp/messages")" -eq 2 ]
    verdict $? "srun --mpi=none"
}

# What only this launcher has.
own()
{
    case ${LAUNCHER%% *} in
        mpirun)
            for turn in 2 8; do kill_launcher mpirun n0; done
            for turn in 2 8; do kill_launcher orted n1; done
            ;;
        srun)
            srun_without_pmix
            # What it has on a host; srun itself may go, and its job goes on.
            for turn in 2 8; do kill_launcher slurmstepd n1; done
            ;;
    esac
}

some()
{
    cell hosts 6 hosts3
    cell rma 3 hosts3
    cell amo 4 hosts2
    cell signal 3 hosts3-am
    cell heap 4 hosts2
    example 3 4 "^wordcount: .*: equal to the serial count$" wordcount "$srcdir/README.md"
    deaths
    own
}

by_each_launcher some
finish
