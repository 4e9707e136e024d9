#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What a newcomer gets wrong when a job is started: each mistake gives one line
# that says what to do, within a second or so, and nothing hangs.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/bad_input
libs=${abs_builddir:-$PWD}/.libs
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs

# One process without a launcher and without the signs of one, but for NAME=VALUE...
alone()
{
    job 0 env -u PMIX_NAMESPACE -u PMIX_RANK -u PMI_SIZE -u OMPI_COMM_WORLD_SIZE \
        -u SLURM_STEP_NUM_TASKS "$@" "$program" start_only
}

# A job of two PEs, of which PE 1 has NAME=VALUE.
differ()
{
    job 2 sh -c 'if [ "$PMIX_RANK" = 1 ]; then export "$2"; fi; exec "$1" start_only' - \
        "$program" "$1"
}

alone A=
warns start "a program is started without a launcher" \
    "started without a launcher: a job of one PE; one of N PEs is started with prterun .*"
result "$(grep -q '^bad_input: PE 0: started' "$output" || echo not started
    grep -qv . "$output" || echo ok)" "a job of one PE without a launcher is started"
alone SLURM_STEP_NUM_TASKS=4
fails start "srun without --mpi=pmix (its default, or pmi2)" \
    "started as one of 4 tasks by srun, without PMIx: use srun --mpi=pmix"
alone OMPI_COMM_WORLD_SIZE=4
fails start "an mpirun that has no PMIx" \
    "started as one of 4 tasks by mpirun, without PMIx: use an mpirun that has PMIx"
alone PMI_SIZE=4
fails start "another launcher that has no PMIx" \
    "started as one of 4 tasks by a launcher of PMI, not PMIx: use prterun, .*"
alone PMIX_NAMESPACE=gone PMIX_RANK=0
fails start "variables of a launcher that is not there" \
    "PMIx: no server answers \([A-Z_-]+\), though PMIX_NAMESPACE is set: start with .*" \
    's/\([A-Z_-]+\)/(UNREACHABLE)/'
alone PMIX_NAMESPACE=gone PMIX_RANK=0 PMIX_SERVER_URI2='gone.0;tcp4://127.0.0.1:9' \
    PMIX_SERVER_URI3='gone.0;tcp4://127.0.0.1:9' PMIX_SERVER_URI4='gone.0;tcp4://127.0.0.1:9' \
    PMIX_SERVER_URI41='gone.0;tcp4://127.0.0.1:9'
fails start "variables of a launcher that has ended" \
    "PMIx: no server answers \([A-Z_-]+\), though PMIX_NAMESPACE is set: start with .*" \
    's/\([A-Z_-]+\)/(UNREACHABLE)/'

job 2 sh -c '"$1" start_only && exec "$1" start_only' - "$program"
if [ "$status" -eq 0 ]; then
    fault_skipped start "a job starts programs one after the other (sh -c './a && ./b')"
    works "this launcher lets a job start programs one after the other"
else
    fails start "a job starts programs one after the other (sh -c './a && ./b')" \
        "PE [01] was started before in this job: a job runs one program, once; .*" \
        's/^PE [01] /PE 0 /'
fi

# PEs that never come, as processes that go on and as ones that have ended.
# absent "PES" COMMAND
absent()
{
    # shellcheck disable=SC2016 # the inner shell expands them
    ANYSHMEM_INIT_TIMEOUT=2 job 3 sh -c \
        'case " $2 " in *" $PMIX_RANK "*) eval "$3" ;; *) exec "$1" start_only ;; esac' - \
        "$program" "$1" "$2"
}
absent 1 "exec sleep 15"
fails start "a PE does not call nvshmem_init" \
    "PE 1 did not start the library within 2 s \(ANYSHMEM_INIT_TIMEOUT\): each PE must .*"
absent "0 2" "exit 0"
fails start "PEs end without nvshmem_init" \
    "PE 0, 2 did not start the library within 2 s \(ANYSHMEM_INIT_TIMEOUT\): each PE must .*"

differ NVSHMEM_SYMMETRIC_SIZE=2M
fails start "heaps of different sizes" \
    "NVSHMEM_SYMMETRIC_SIZE=1073741824 on PE 0, but NVSHMEM_SYMMETRIC_SIZE=2097152 on PE 1: .*"
differ ANYSHMEM_DISABLE_DIRECT=1
fails start "PEs that reach each other in different ways" \
    "ANYSHMEM_DISABLE_DIRECT=0 on PE 0, but ANYSHMEM_DISABLE_DIRECT=1 on PE 1: .*"
ANYSHMEM_DISABLE_DIRECT=all differ ANYSHMEM_REMOTE=am
fails start "different providers" \
    "ANYSHMEM_REMOTE=rma on PE 0, but ANYSHMEM_REMOTE=am on PE 1: it must be .*"
differ ANYSHMEM_BARRIER=gather
fails start "barriers of different forms" \
    "ANYSHMEM_BARRIER=auto on PE 0, but ANYSHMEM_BARRIER=gather on PE 1: it must be .*"
ANYSHMEM_DISABLE_DIRECT=all differ UCX_TCP_RX_SEG_SIZE=8K
fails start "TCP segments of different sizes" \
    "UCX_TCP_RX_SEG_SIZE=270336 on PE 0, but UCX_TCP_RX_SEG_SIZE=8192 on PE 1: it must be .*"
differ ANYSHMEM_STATIC=1
fails start "static variables are symmetric on some PEs alone" \
    "other static variables on PE 0 \(0 bytes\) than on PE 1 \([0-9]+ bytes\): start one .*" \
    's/PE 1 \([0-9]+ bytes/PE 1 (N bytes/'
# shellcheck disable=SC2016 # PMIX_RANK of each PE
ANYSHMEM_STATIC=1 job 2 sh -c '[ "$PMIX_RANK" = 0 ] || exec "$2"; exec "$1" start_only' - \
    "$program" "${builddir:-.}/tests/pe/sync"
fails start "PEs run different programs, whose static variables are symmetric" \
    "other static variables on PE 0 \([0-9]+ bytes\) than on PE 1 \([0-9]+ bytes\): start one .*" \
    's/\([0-9]+ bytes/(N bytes/g'

# PE 2 is alone on its node: the launcher keeps no time limit for the others'.  prterun 3.0.14
# now and then does not end such a job (9 times of 190): then the PEs' own ends count.
# shellcheck disable=SC2016 # PMIX_RANK of each PE
LAUNCH_NODES=2 ANYSHMEM_INIT_TIMEOUT=1 job 3 sh -c '
    [ "$PMIX_RANK" = 2 ] && exec sleep 20
    "$1" start_only
    status=$?
    echo "$status $(cut -d. -f1 /proc/uptime)" >>"$2"
    exit $status' - "$program" "$output.ends"
if [ "$seconds" -gt "$soon" ] && [ "$(grep -c '^70 ' "$output.ends")" -eq 2 ]; then
    seconds=$(($(sort -n "$output.ends" | sed -n '$s/.* //p') - job_began))
fi
if grep -q '^1\.\.0 # SKIP' "$output"; then
    fault_skipped start "a PE of another node does not call nvshmem_init"
    skipped "no nodes on this machine" "a PE of another node does not call nvshmem_init"
else
    fails start "a PE of another node does not call nvshmem_init" \
        "PEs of other nodes did not start the library within 1 s \(ANYSHMEM_INIT_TIMEOUT\): .*"
fi

# other WHAT "WHAT HAPPENED" "REGULAR EXPRESSION" [SED...]
other()
{
    TEST_PRELOAD=$libs/other_version.so OTHER_VERSION=$1 ANYSHMEM_INIT_TIMEOUT=3 \
        job 2 "$program" start_only
    shift
    fails start "$@"
}
# all_say "WHAT HAPPENED" "REGULAR EXPRESSION" COMMAND...: a job of two PEs on two nodes that
# nobody ends but they themselves: each of them says it.
all_say()
{
    what=$1 text=$2
    shift 2
    usual=$LAUNCHER
    case ${LAUNCHER%% *} in *prterun*) LAUNCHER="$LAUNCHER --runtime-options continuous" ;; esac
    LAUNCH_NODES=2 TEST_PRELOAD=$libs/deaf_launcher.so${TEST_PRELOAD:+:$TEST_PRELOAD} "$@"
    if grep -q '^1\.\.0 # SKIP' "$output"; then
        skipped "no nodes on this machine" "on two nodes, each PE says it: $what"
        LAUNCHER=$usual
        return
    fi
    verdict=$(said error "$text")
    [ "$verdict" != ok ] || [ "$LAUNCHER" = "$usual" ] ||
        [ "$(grep -c . "$output.error")" -eq 2 ] || verdict="not both PEs"
    [ "$status" -ne 0 ] || verdict="status 0"
    [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
    LAUNCHER=$usual
    result "$verdict" "on two nodes, each PE says it: $what"
}
if sanitized; then
    fault_skipped start "two versions of the library in one job"
    fault_skipped start "two versions of UCX in one job"
    fault_skipped start "a program in the job that is none of anyshmem"
    fault_skipped start "another library of the same name in the job"
    fault_skipped start "a launcher whose PMIx server does not answer"
    skipped "a sanitizer must come first" "other programs in the job"
else
    other protocol "two versions of the library in one job" \
        "PE 1 runs another version of anyshmem: protocol [0-9]+, this PE [0-9]+; .*" \
        's/protocol [0-9]+, this PE [0-9]+/protocol N, this PE N/'
    ANYSHMEM_DISABLE_DIRECT=all other ucx "two versions of UCX in one job" \
        "UCX [0-9.]+ on PE 0, but UCX 9\.99 on PE 1: start all PEs with the same one .*" \
        's/UCX [0-9.]+ on PE 0/UCX 1.N on PE 0/; s/9\.99/1.N/'
    other magic "another library of the same name in the job" "PE 1 does not run anyshmem: .*"
    for setting in NVSHMEM_SYMMETRIC_SIZE=2M ANYSHMEM_DISABLE_DIRECT=1 ANYSHMEM_REMOTE=am \
        ANYSHMEM_BARRIER=gather; do
        all_say $setting "${setting%%=*}=.* on PE 0, but ${setting%%=*}=.* on PE 1: it must be .*" \
            differ $setting
    done
    TEST_PRELOAD=$libs/other_version.so OTHER_VERSION=protocol \
        all_say "two versions of the library" \
        "PE 1 runs another version of anyshmem: protocol [0-9]+, this PE [0-9]+; .*" \
        job 2 "$program" start_only
    TEST_PRELOAD=$libs/other_version.so OTHER_VERSION=unanswered absent "1 2" "exec sleep 15"
    result "$(said error 'PE 2 did not start the library within 2 s .*')" \
        "a PE of which the server says nothing is not named"
    TEST_PRELOAD=$libs/other_version.so OTHER_VERSION=silent ANYSHMEM_INIT_TIMEOUT=1 \
        job 2 "$program" start_only
    fails start "a launcher whose PMIx server does not answer" \
        "PMIx: the launcher's server has not answered within 3 s \(ANYSHMEM_INIT_TIMEOUT\)"
    other nothing "a program in the job that is none of anyshmem" \
        "PE 1 published nothing \(PMIx: [A-Z_-]+\): it ended in nvshmem_init, or does not run anyshmem" \
        's/PMIx: [A-Z_-]+/PMIx: NOT-FOUND/'
fi

# Settings: every one that not any text will do for.
while IFS='|' read -r name kind; do
    alone "$name=zzz"
    case $kind in
        BOOL) what="a setting that is 0 or 1" ;;
        INT) what="a setting that is a number" ;;
        SIZE) what="a setting that is a size" ;;
        CHOICE) what="a setting that is one of several words" ;;
    esac
    verdict=$(said error "invalid value $name=zzz: expected .*")
    [ "$status" -ne 0 ] || verdict="status 0"
    case $verdict:$name in
        ok:NVSHMEM_INFO | ok:ANYSHMEM_INIT_TIMEOUT | ok:NVSHMEM_SYMMETRIC_SIZE | ok:NVSHMEM_DEBUG)
            fault start "$what" "$(cat "$output.error")"
            ;;
    esac
    result "$verdict" "$name=zzz"
done <<END
$(sed -nE 's/^ENV\([a-z_0-9]+, (BOOL|INT|SIZE|CHOICE), "([A-Z_0-9]+)".*/\2|\1/p' "$srcdir/lib/base/env.def")
END
alone ANYSHMEM_INIT_TIMEOUT=-1
fails start "a number out of its range" \
    "invalid value ANYSHMEM_INIT_TIMEOUT=-1: expected a number 0\.\.86400"
alone NVSHMEM_SYMMETRIC_SIZE=0
fails start "a heap of no bytes" "invalid value NVSHMEM_SYMMETRIC_SIZE=0: expected a size .*"
alone NVSHMEM_SYMMETRIC_SIZE=3
works NVSHMEM_SYMMETRIC_SIZE=3
alone ANYSHMEM_CHANNEL_SLOTS=1000
fails start "slots that are no power of two" \
    "invalid value ANYSHMEM_CHANNEL_SLOTS=1000: expected a power of two .*"
alone ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_PROXY_CPUS=4095
fails start "a CPU that is not there, for the proxy" "invalid value ANYSHMEM_PROXY_CPUS=4095: expected .*"
alone NVSHMEM_SYMMETRIC_SIZE=1.5G
works NVSHMEM_SYMMETRIC_SIZE=1.5G
alone NVSHMEM_IB_ENABLE_IBGDA=1
works "a setting of another NVSHMEM is passed over"
job 2 env NVSHMEM_SYMETRIC_SIZE=1M "$program" start_only
warns start "a setting whose name is misspelt" \
    "unknown variable NVSHMEM_SYMETRIC_SIZE \(did you mean NVSHMEM_SYMMETRIC_SIZE\?\)"
job 2 env ANYSHMEM_FROBNICATE_ALL=1 "$program" start_only
warns start "a setting that there is not" "unknown variable ANYSHMEM_FROBNICATE_ALL"
job 1 env NVSHMEM_DEBUG_FILE=/nowhere/log "$program" start_only
warns start "a log that cannot be written" \
    "NVSHMEM_DEBUG_FILE: cannot open /nowhere/log: No such file or directory"

# UCX that is told to use what there is not.
ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=foo job 2 "$program" start_only
fails start "UCX_TLS excludes everything" \
    "UCX: cannot start: No such device; UCX_TLS=foo may leave no transport that serves: unset it"
ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=self job 2 "$program" start_only
fails start "UCX_TLS excludes every network" \
    "proxy: cannot connect to PE [01]: [A-Za-z ]+; UCX_TLS=self may leave no .*" 's/PE [01]/PE 1/'
ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self UCX_NET_DEVICES=nil0 job 2 "$program" start_only
fails start "UCX_NET_DEVICES names no interface" \
    "proxy: cannot connect to PE [01]: .*; UCX_TLS=tcp,self and UCX_NET_DEVICES=nil0 may leave .*" \
    's/PE [01]/PE 1/'

# A launcher that binds all PEs to one core.
if [ "$(nproc --all)" -lt 2 ] || ! taskset -c 0 true 2>/dev/null; then
    fault_skipped start "the launcher binds all PEs to one core"
    skipped "one CPU, or no taskset" "the launcher binds all PEs to one core"
else
    TEST_WRAPPER="taskset -c 0" job 3 "$program" start_only
    warns start "the launcher binds all PEs to one core" \
        "all 3 PEs of this host are bound to CPU 0, one of its [0-9]+, and share it: .*" \
        's/one of its [0-9]+/one of its N/'
    # Nodes that are all this machine share that core; each says so of itself.
    TEST_WRAPPER="taskset -c 0" LAUNCH_NODES=2 job 4 "$program" start_only
    if grep -q '^1\.\.0 # SKIP' "$output"; then
        skipped "this launcher has one node" "one warning for each node"
    else
        verdict=ok
        [ "$(grep -c 'all 2 PEs of this host are bound to CPU 0' "$output.warn")" -eq 2 ] &&
            [ "$(grep -c . "$output.warn")" -eq 2 ] && [ "$status" -eq 0 ] ||
            verdict="$(grep -c . "$output.warn") warnings, status $status"
        result "$verdict" "one warning for each node"
    fi
    TEST_WRAPPER="taskset -c 0" job 1 "$program" start_only
    works "a single PE may be bound"
    TEST_WRAPPER="taskset -c 0,1" job 3 "$program" start_only
    works "PEs may share the CPUs of a set"
    job 2 sh -c 'exec taskset -c "$PMIX_RANK" "$1" start_only' - "$program"
    works "PEs may be bound to a core each"
fi

faults_match
plan
