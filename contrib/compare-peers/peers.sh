# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154,SC2034 # variables of compare-peers, or of eval
#
# For compare-peers: the peers, and how each is compiled and started.
# A peer NAME has files in $work: NAME.prefix, NAME.cc, NAME.run, NAME.env, and the
# program NAME.bench.

peers=
no_peers=

# words LIST: the elements of a comma-separated list, as words.
words() { echo "$1" | tr ',' ' '; }

# peer_option --peer[-WHAT] NAME=VALUE: keeps it in variables until $work exists.
peer_option()
{
    name=${2%%=*}
    value=${2#*=}
    case $name in
        '' | "$2" | *[!a-zA-Z0-9_]* | [0-9]* | ours | limit)
            die "$1 takes NAME=VALUE, not \"$2\"; NAME: letters, digits, not ours or limit" ;;
    esac
    case " $peers " in *" $name "*) ;; *) peers="$peers $name" ;; esac
    case $1 in
        --peer) eval "prefix_$name=\$value" ;;
        *) eval "${1#--peer-}_$name=\$value" ;;
    esac
}

# before_option DIR: another build of anyshmem, in a folder of its sources.
before_option()
{
    before=$(cd "$1" 2>/dev/null && pwd) || die "--before: no such folder"
    [ -e "$before/.libs/libanyshmem.so" ] || die "--before: $before has no libanyshmem"
    peer_option --peer-cc "before=$(anyshmem_cc "$before" "${before%/*}")"
}

# anyshmem_cc BUILD SOURCES: the command that compiles a program for that anyshmem.
anyshmem_cc()
{
    echo "$CC -DBENCH_COLLECTIVES=2 -I$1/include -I$2/include -L$1/.libs -Wl,-rpath,$1/.libs" \
        "-Wl,--push-state,--no-as-needed -lanyshmem -Wl,--pop-state"
}

# what WHAT NAME: prints the value of the option --peer[-WHAT] of a peer.
what() { eval "echo \"\${$1_$2:-}\""; }

# compile NAME COMMAND...: compiles "$work/NAME.bench".
compile()
{
    name=$1
    shift
    "$@" -std=gnu11 "${BENCH_CFLAGS:--O2}" -falign-functions=64 -falign-loops=64 -o "$work/$name.bench" "$here"/*.c >"$work/log" 2>&1 ||
        { sed 's/^/  /;8q' "$work/log" >&2 && return 1; }
}

find_ours()
{
    if [ -z "${LAUNCHER:-}" ]; then
        LAUNCHER=$(command -v prterun || command -v mpirun) ||
            die "LAUNCHER: neither prterun nor mpirun is in the path"
    fi
    export LAUNCHER
    build=$(cd "$build" 2>/dev/null && pwd) || die "--build: no such folder"
    [ -e "$build/.libs/libanyshmem.so" ] || die "$build: no libanyshmem (--build DIR says where)"
    # shellcheck disable=SC2046,SC2086 # words
    compile ours $(anyshmem_cc "$build" "$top") || die "no program for anyshmem"
}

# use_peer NAME: compiles a peer's program; false, with a message, if that is not possible.
use_peer()
{
    prefix=$(what prefix "$1")
    cc=$(what cc "$1")
    if [ -z "$cc" ]; then
        cc=$prefix/bin/oshcc
        if [ ! -x "$cc" ]; then
            say "$1: no $cc: it is left out"
            return 1
        fi
    fi
    # shellcheck disable=SC2086 # words
    compile "$1" $cc || { say "$1: no program: it is left out"; return 1; }
}

find_peers()
{
    found=
    if [ -z "$no_peers" ]; then
        path=$(command -v oshcc)
        path=${path%/bin/oshcc}
        if [ -n "$path" ] && [ -x "$path/bin/oshrun" ]; then
            [ -n "$(what prefix ompi)$(what cc ompi)" ] || peer_option --peer "ompi=$path"
            # Its MPI's collectives, in a program that oshcc links with both.
            if [ -n "$(what prefix mpi)$(what cc mpi)" ] || [ ! -x "$path/bin/mpicc" ]; then :
            else
                peer_option --peer "mpi=$path"
                peer_option --peer-cc "mpi=$path/bin/oshcc -DBENCH_COLLECTIVES=3"
            fi
        else
            say "no oshcc in the path (Debian: libopenmpi-dev, openmpi-bin): Open MPI is no peer"
        fi
    fi
    for name in $peers; do
        if use_peer "$name"; then found="$found $name"; fi
    done
    peers=$found
}

# open_mpi PREFIX: Open MPI's own launcher, for more PEs than processors (run_peer lets root use
# it), and without a hook with which every program of Debian's Open MPI ends with a fault.
open_mpi()
{
    echo "$1/bin/oshrun --mca opal_common_ucx_opal_mem_hooks 0 --oversubscribe --bind-to none"
}

# hosts_of WAY: the number of hosts of the lab, or nothing.
hosts_of()
{
    case $1 in
        two-hosts) echo 2 ;;
        eight-hosts) echo 8 ;;
    esac
}

# Are there several hosts, where they are asked for?
find_hosts()
{
    for way in $(words "$ways"); do
        hosts=$(hosts_of "$way")
        [ -n "$hosts" ] || continue
        why=$(builddir=$build "$top/tests/multihost/lab" -n "$hosts" true 2>&1 </dev/null)
        [ -z "$why" ] || die "$way: ${why#*# SKIP }"
    done
}

# on_hosts WAY COMMAND...: on hosts of the lab, if that is the way.
# shellcheck disable=SC2016 # LAB is the lab's
on_hosts()
{
    hosts=$(hosts_of "$1")
    shift
    if [ -z "$hosts" ]; then
        "$@"
        return
    fi
    builddir=$build "$top/tests/multihost/lab" -n "$hosts" sh -c '
        export LAUNCH_MAP=node OMPI_MCA_plm_rsh_agent="$LAB/agent"
        export OMPI_MCA_orte_default_hostfile="$LAB/hosts.$LAB_HOSTS"
        export OMPI_MCA_rmaps_base_mapping_policy=node
        for part in oob_tcp btl_tcp; do export "OMPI_MCA_${part}_if_include=10.77.0.0/24"; done
        exec "$@"' sh "$@"
}

# run_peer NAME WAY PES ARGUMENT...
run_peer()
{
    name=$1 way=$2 pes=$3
    shift 3
    prefix=$(what prefix "$name")
    run=$(what run "$name")
    variables=$(what env "$name")
    if [ "$name" = before ]; then
        variables=$(way_variables "$way")
    elif [ "$way" = proxy-tcp ]; then
        variables="UCX_TLS=tcp,self $variables"
        # Open MPI's collectives are MPI's, which would take shared memory.
        case $* in
            "-g coll "*) variables="OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self $variables" ;;
        esac
    fi
    if [ -z "$run" ] && [ -n "$prefix" ] && [ -x "$prefix/bin/oshmem_info" ]; then
        run=$(open_mpi "$prefix")
    fi
    if [ -n "$run" ]; then
        # shellcheck disable=SC2086 # words
        on_hosts "$way" env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $variables \
            timeout --foreground -k 5 "$launch_limit" $run -n "$pes" "$work/$name.bench" "$@"
    else
        # shellcheck disable=SC2086 # words
        on_hosts "$way" env $variables TEST_TIMEOUT="$launch_limit" \
            "$top/tests/launch" "$pes" "$work/$name.bench" "$@"
    fi
}

# way_variables WAY: the environment of a path, for anyshmem.
way_variables()
{
    case $1 in
        mapped | *-hosts) echo ANYSHMEM_DISABLE_DIRECT=0 ;;
        proxy-sm) echo ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=sm,self ;;
        proxy-tcp) echo ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self ;;
    esac
}

# run_ours WAY PES ARGUMENT...
run_ours()
{
    way=$1 pes=$2
    shift 2
    # shellcheck disable=SC2046 # words
    on_hosts "$way" env $(way_variables "$way") TEST_TIMEOUT="$launch_limit" \
        "$top/tests/launch" "$pes" "$work/ours.bench" "$@"
}

# The machine and the options of the measurement.
describe()
{
    model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    echo "# $(uname -sm), $(nproc) processors ${model:+($model)}"
    echo "# rounds $rounds, batches $batches of $batch_ms ms, $((5 * batch_ms)) with more than 2 PEs${pin:+, each PE on one processor}"
}
