#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# anyshmem-run: which launcher it picks, with which options; and a job.

# shellcheck disable=SC2016 # what another shell expands
: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
run=$srcdir/contrib/run/anyshmem-run
# Not libtool's script, which needs a PATH.
info=${abs_builddir:-$PWD}/contrib/info/.libs/anyshmem-info
[ -x "$info" ] || info=${abs_builddir:-$PWD}/contrib/info/anyshmem-info
libs=${abs_builddir:-$PWD}/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
shell=$(command -v sh)
unset ANYSHMEM_LAUNCHER SLURM_JOB_ID SLURM_CONF
bin=$output.bin
mkdir "$bin" || exit 99

# stub NAME: a launcher that says how it was called.
stub()
{
    printf '#!%s\necho "%s: $*; root $PRTE_ALLOW_RUN_AS_ROOT, HOME $HOME, A $A"\nexit 7\n' \
        "$shell" "$1" >"$bin/$1"
    chmod +x "$bin/$1"
}

# picks TEXT LAUNCHER OPTIONS [NAME=VALUE]: with the stubs alone in PATH, it runs "LAUNCHER
# OPTIONS -n 3 ./a -n b c", says so, and its status is the launcher's.
picks()
{
    env PATH="$bin" HOME=/h A=a ${4:+"$4"} "$shell" "$run" -n 3 ./a -n 'b c' >"$output" 2>&1
    status=$?
    called="$2 $3 -n 3 ./a -n b c"
    [ $status -eq 7 ] && grep -qxF "anyshmem-run: $called" "$output" &&
        grep -qxF "${called%% *}: ${called#* }; root 1, HOME /h, A a" "$output"
    verdict $? "$1"
}

# takes LAUNCHER WANTED OPTION...: with these options, LAUNCHER is called with WANTED, and A is 1 2.
takes()
{
    launcher=$1 wanted=$2
    shift 2
    env PATH="$bin:$PATH" HOME=/h ANYSHMEM_LAUNCHER="$launcher" "$shell" "$run" "$@" -- ./a -n b \
        >"$output" 2>&1
    status=$?
    [ $status -eq 7 ] && grep -qF " $wanted ./a -n b; root 1, HOME /h, A 1 2" "$output"
    verdict $? "$launcher: $*"
}

refused()
{
    regex=$1
    shift
    "$shell" "$run" "$@" >"$output" 2>&1
    status=$?
    [ $status -eq 2 ] && grep -q -e "^anyshmem-run: $regex" "$output"
    verdict $? "refused: $*"
}

refused 'usage:'
refused '-n takes a number of PEs, not "0"' -n 0 true
refused '-n takes a number of PEs, not "x"' -n x true
refused '-n takes a number' -n
refused 'no such option: -z' -z true
refused '-N takes a number of PEs, not "0"' -N 0 true
refused '--ppn takes a number of PEs, not "x"' --ppn=x true
refused '--host takes a value' --host
refused '--hostfile: cannot read /nonexistent' --hostfile /nonexistent true
refused '-x takes a variable, not "1a"' -x 1a true
refused '-x NO_SUCH_VARIABLE: there is no such variable' -x NO_SUCH_VARIABLE true
for option in -h --help; do
    "$shell" "$run" $option >"$output" && grep -q '^usage: anyshmem-run' "$output"
    verdict $? "$option"
done
PATH=${info%/*}:$PATH LD_LIBRARY_PATH=$libs "$shell" "$run" -V >"$output" 2>&1 &&
    grep -q '^tool  *anyshmem [0-9]' "$output"
verdict $? "-V"

slots='--map-by slot:oversubscribe --bind-to none'
slurm='--mpi=pmix --overcommit --cpu-bind=none --kill-on-bad-exit=1'
env PATH="$bin" "$shell" "$run" -n 3 ./a >"$output" 2>&1
status=$?
[ $status -eq 127 ] && grep -q 'neither prterun, srun nor mpirun is in PATH' "$output"
verdict $? "no launcher"
stub mpirun
picks "mpirun alone" mpirun "$slots"
stub srun
picks "srun in a job of Slurm" srun "$slurm" SLURM_JOB_ID=1
if [ -e /etc/slurm/slurm.conf ]; then
    picks "srun where there is a Slurm" srun "$slurm"
else
    picks "mpirun where there is none" mpirun "$slots"
fi
stub prterun
picks "prterun before srun" prterun "$slots"
picks "ANYSHMEM_LAUNCHER" srun "$slurm" ANYSHMEM_LAUNCHER=srun
picks "ANYSHMEM_LAUNCHER with options" "mpirun -x A" "$slots" "ANYSHMEM_LAUNCHER=mpirun -x A"
node='--map-by ppr:2:node:oversubscribe --bind-to none'
echo localhost >"$output.hosts"
takes prterun "$slots -x A --host h1,h2 -n 3" -np 3 -x 'A=1 2' -H h1,h2
takes prterun "$node -x A --hostfile $output.hosts -n 4" -n4 -N2 -xA='1 2' "--hostfile=$output.hosts"
takes mpirun "$node -x A" --ppn 2 -x 'A=1 2'
takes srun "$slurm --ntasks-per-node=2 --nodelist h1 -n 4" -x 'A=1 2' --np=4 --host h1 -N 2
takes srun "$slurm --nodefile $output.hosts -n 1" -x 'A=1 2' --hostfile "$output.hosts"
env -u HOME PATH="$bin" A=a "$shell" "$run" ./a 2>/dev/null | grep -q 'HOME /, A a'
verdict $? "a HOME where there is none"
stub mpirun.openmpi
picks "Debian's own name for one" mpirun.openmpi "$slots" ANYSHMEM_LAUNCHER=mpirun.openmpi
rm "$bin/mpirun.openmpi"
env ANYSHMEM_LAUNCHER=ssh "$shell" "$run" ./a >"$output" 2>&1
status=$?
[ $status -eq 2 ] && grep -q 'ANYSHMEM_LAUNCHER=ssh: not prterun, mpirun, mpiexec or srun' "$output"
verdict $? "ANYSHMEM_LAUNCHER that is none"

# The same one as anyshmem-info finds.
for name in prterun srun mpirun; do
    [ $name != srun ] || export SLURM_JOB_ID=1
    PATH=$bin LD_LIBRARY_PATH=$libs "$info" -l >"$output.found"
    read -r _ found <"$output.found"
    [ "$found" = "$bin/$name" ] || echo "$found, not $bin/$name"
    rm "$bin/$name"
done >"$output" 2>&1
unset SLURM_JOB_ID
nothing "anyshmem-info -l finds the same one"

if [ -z "$LAUNCHER" ] || [ "$LAUNCHER" = none ]; then
    skipped "no PMIx launcher" "a job"
    plan
fi
ANYSHMEM_LAUNCHER=$LAUNCHER timeout 100 "$shell" "$run" -n 3 sh -c 'echo "PE $PMIX_RANK $1"' - x \
    >"$output" 2>&1 && [ "$(grep -c '^PE [012] x$' "$output")" -eq 3 ]
verdict $? "a job of 3 processes"
ANYSHMEM_LAUNCHER=$LAUNCHER timeout 100 "$shell" "$run" -n 4 "$builddir/contrib/examples/ring" \
    >"$output" 2>&1
verdict $? "a job of 4 PEs"
plan
