#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# anyshmem-info: each part is shown, and each line of a check is provoked.

# shellcheck disable=SC2016 # what another shell expands
: "${srcdir:=.}" "${builddir:=.}" "${abs_builddir:=$PWD}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# Not libtool's script, which needs a PATH.
info=$abs_builddir/contrib/info/.libs/anyshmem-info
[ -x "$info" ] || info=$abs_builddir/contrib/info/anyshmem-info
export LD_LIBRARY_PATH="$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
no_settings
root=$output.root
mkdir "$root" || exit 99

verdict()
{
    if [ "$1" -eq 0 ]; then result ok "$2"; else result "see below" "$2"; fi
}

# shows TEXT REGEX COMMAND...: it succeeds, and a line of it matches.
shows()
{
    text=$1
    regex=$2
    shift 2
    "$@" >"$output" 2>&1 && grep -qE -e "$regex" "$output"
    verdict $? "$text"
}

# refuses REGEX ARGUMENT...
refuses()
{
    regex=$1
    shift
    "$info" "$@" >"$output" 2>&1
    status=$?
    [ $status -eq 2 ] && grep -qE -e "$regex" "$output"
    verdict $? "refused: $*"
}

# finds LEVEL TEXT REGEX COMMAND...: a line of a check; "stop" makes the status 1.
finds()
{
    level=$1
    text=$2
    regex=$3
    shift 3
    "$@" >"$output" 2>&1
    status=$?
    echo "exit status $status" >>"$output"
    { [ "$level" != stop ] || [ $status -eq 1 ]; } &&
        grep -qE -e "^$level +$regex" "$output"
    verdict $? "check: $text"
}

version=$(sed -n 's/.*ANYSHMEM_VERSION "\(.*\)"/\1/p' "$builddir/include/nvshmem/version.h")
shows "-n: the tool's version" "^tool +anyshmem $version\$" "$info" -n
shows "-n: the library, and where it is" \
    "^library +anyshmem $version \(.*/libanyshmem\.so\.[0-9.]*\)\$" "$info" --version
shows "-n: UCX, and where it is" '^UCX +1\.[0-9.]+ \(.*libucp\.so' "$info" -n
shows "-n: PMIx, and where it is" '^PMIx .*[0-9]+\.[0-9]+.* \(.*libpmix\.so' "$info" -n
shows "-b: compiler" '^compiler +(gcc |.*[Cc]lang ).*, C 20' "$info" -b
shows "-b: UCX's version" '^UCX +1\.[0-9]+$' "$info" --build
shows "-b: configure's arguments" "^configure +(none|'.*')\$" "$info" -b
if [ -e "$builddir/libanyshmem_device.a" ]; then cuda=yes; else cuda=no; fi
shows "-b: CUDA: $cuda" "^CUDA +$cuda" "$info" -b

shows "-e: a value and its default" '^NVSHMEM_SYMMETRIC_SIZE=67108864  # default 1G; bytes' \
    env NVSHMEM_SYMMETRIC_SIZE=64M "$info" -e
"$info" -e 2>&1 | sed 's/=.*//' >"$output.names"
sed -n 's/^ENV(.*, "\([A-Z]*SHMEM_[A-Z0-9_]*\)", .*/\1/p' "$srcdir/lib/base/env.def" |
    diff - "$output.names" >"$output"
verdict $? "-e: all variables of the library's table"
NVSHMEM_DEBUG=bad ANYSHMEM_DEVICE=worse "$info" -e >"$output" 2>&1 &&
    [ "$(grep -cE '^anyshmem-info: error: invalid value (NVSHMEM_DEBUG=bad|ANYSHMEM_DEVICE=worse): ' \
        "$output")" -eq 2 ] &&
    grep -q '^ANYSHMEM_DEVICE=auto  #' "$output"
verdict $? "-e: each bad value is told"
shows "-d: names without meaning" '^NVSHMEM_IB_\*$' "$info" -d
shows "-r: a table" '^   \* - ``ANYSHMEM_TIMEOUT``$' "$info" --rst
shows "-l: launchers" '^mpirun +(/.*|not in PATH)$' "$info" -l
if [ -d /sys/class/net ]; then
    shows "-t: a network" '^transport +tcp/' "$info" -t
else
    skipped 'without /sys UCX finds no network interface' "-t: a network"
fi
shows "-m: the heap" '^heap +256M ' env NVSHMEM_SYMMETRIC_SIZE=256M "$info" -m
shows "-m: open files" '^files +100 ' sh -c 'ulimit -n 100; exec "$1" -m' - "$info"
shows "-g: no GPU, and why" '^GPUs +none: no CUDA driver: ' \
    env ANYSHMEM_TEST_CUDA_DRIVER=/nowhere "$info" -g
fake=$abs_builddir/.libs/fake_cuda.so
if [ -e "$fake" ]; then
    shows "-g: GPUs" '^GPU 0 ' env ANYSHMEM_TEST_CUDA_DRIVER="$fake" "$info" -g
else
    skipped "no driver that acts as one" "-g: GPUs"
fi
# But how much memory is left right now.
steady() { grep -v -e '^memory' -e '^/dev/shm' -e '^\[.* UCX '; }
for part in -n -b -e -l -t -m -g; do "$info" $part; done 2>&1 | steady >"$output.parts"
"$info" 2>&1 | steady | diff - "$output.parts" >"$output"
verdict $? "no option: all of these"
shows "--help" '--check' "$info" --help

# says TEXT EXPRESSION COMMAND...: it prints JSON, of which this expression of Python is true.
says()
{
    text=$1
    expression=$2
    shift 2
    # What UCX logs must not be in it.
    UCX_LOG_LEVEL=info "$@" >"$output.json" 2>"$output"
    python3 -c 'import json, os, sys
it = json.load(open(sys.argv[1]))
print(json.dumps(it)[:2000])
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$output.json" "$expression" >>"$output" 2>&1
    verdict $? "--json: $text"
}
if command -v python3 >/dev/null; then
    says "all parts" \
        'set(it) == {"version", "build", "environment", "launcher", "transports", "memory", "gpus"}' \
        "$info" --json
    says "the version" 'it["version"]["tool"] == "anyshmem '"$version"'"
        and "libucp" in it["version"]["UCX path"] and len(it) == 1' "$info" -jn
    variables=$(grep -c '^ENV(' "$srcdir/lib/base/env.def")
    export launcher='a "b" \c'
    says "a variable, its value and its default" \
        "len(it['environment']) == $variables"' and os.environ["launcher"] ==
        [v for v in it["environment"] if v["name"] == "ANYSHMEM_LAUNCHER"][0]["value"]' \
        env ANYSHMEM_LAUNCHER="$launcher" "$info" -j -e
    says "sizes are numbers, no limit is null" \
        'it["memory"]["heap"] == 65536 * 4096 and it["memory"]["files"] == 100
        and it["memory"]["address"] is None' \
        env NVSHMEM_SYMMETRIC_SIZE=256M sh -c 'ulimit -n 100; exec "$1" -jm' - "$info"
    says "no launcher" 'set(it["launcher"].values()) == {None}' env PATH=/nowhere "$info" -jl
    says "no GPU" 'it["gpus"] == []' env ANYSHMEM_TEST_CUDA_DRIVER=/nowhere "$info" -jg
    says "names without meaning" '"NVSHMEM_IB_*" in it["ignored"]' "$info" -jd
    says "a check" '{"level": "ok", "topic": "launcher", "text": "a job of one PE needs none"}
        in it["check"] and len(it["check"]) >= 5' "$info" -j --check=node --pes 1
    ANYSHMEM_TIMEOUT=x "$info" -jcnode >"$output" 2>/dev/null
    status=$?
    [ $status -eq 1 ] && grep -q '"level": "stop"' "$output" && ! grep -q 'would stop' "$output"
    verdict $? "--json: a check that fails"
else
    skipped "no python3" "--json"
fi
refuses '--json does not take --rst' -jr

refuses 'unrecognized option' --nonsense
refuses 'no argument is taken: nonsense' nonsense
refuses '--pes takes a number from 1 to 1000000, not 0' --pes 0
refuses '--check takes node, not here' --check=here

# Whatever this machine is like.
"$info" --check >"$output" 2>&1
status=$?
if grep -q '^stop' "$output"; then [ $status -eq 1 ]; else [ $status -eq 0 ]; fi
verdict $? "check: the exit status says whether something is wrong"
[ "$(grep -cE '^(ok|warn|stop) ' "$output")" -ge 8 ]
verdict $? "check: eight topics"
shows "check: one PE on this node" '^ok +launcher: a job of one PE needs none' \
    "$info" --check=node --pes 1

finds stop "a bad value" 'environment: invalid value ANYSHMEM_TIMEOUT=x: expected a number' \
    env ANYSHMEM_TIMEOUT=x "$info" -c
finds warn "a variable that is misspelt" \
    'environment: unknown variable ANYSHMEM_TIMOUT \(did you mean ANYSHMEM_TIMEOUT\?\)' \
    env ANYSHMEM_TIMOUT=1 "$info" -c
finds stop "two things" '.*' env ANYSHMEM_TIMEOUT=x NVSHMEM_DEBUG=x "$info" -cnode --pes 1
grep -q '^2 things would stop a job' "$output"
verdict $? "check: how many things"

finds stop "no launcher" 'launcher: neither prterun, srun nor mpirun is in PATH: install' \
    env PATH=/nowhere "$info" -c
finds stop "a launcher that is not there" \
    'launcher: ANYSHMEM_LAUNCHER=/nowhere/run -x: there is no such program' \
    env ANYSHMEM_LAUNCHER='/nowhere/run -x' "$info" -c
mkdir "$output.bin"
printf '#!/bin/sh\n' >"$output.bin/mpiexec.hydra"
chmod +x "$output.bin/mpiexec.hydra"
ln -s mpiexec.hydra "$output.bin/mpirun"
finds stop "a launcher without PMIx" "launcher: .*/mpirun is MPICH's, which has no PMIx" \
    env PATH="$output.bin" "$info" -c

mkdir "$output.lib"
real=$(find "$abs_builddir/.libs/" -name 'libanyshmem.so.[0-9]*' -type f)
cp "$real" "$output.lib/libanyshmem.so.0"
both=$LD_LIBRARY_PATH:$output.lib
LD_LIBRARY_PATH=$both "$info" -c >"$output" 2>&1
! grep -qF "$output.lib" "$output"
verdict $? "check: the same library twice"
echo >>"$output.lib/libanyshmem.so.0"
finds warn "two builds of the library" \
    'library: .*lib/libanyshmem.so.0 is another build than .*: all PEs of a job need the same' \
    env LD_LIBRARY_PATH="$both" "$info" -c
if sanitized; then
    skipped "a sanitizer is linked" "check: a library of another version"
    skipped "a sanitizer is linked" "check: no room for addresses"
else
    printf '#include <string.h>\n%s\n%s\n' 'void nvshmem_info_get_name(char *name);' \
        'void nvshmem_info_get_name(char *name) { strcpy(name, "anyshmem 9.9.9"); }' \
        >"$output.other.c"
    $CC -shared -fPIC -o "$output.other.so" "$output.other.c"
    finds warn "a library of another version" \
        'library: .* is anyshmem 9\.9\.9, and this program of anyshmem ' \
        env LD_PRELOAD="$output.other.so" "$info" -c
    finds stop "no room for addresses" \
        'memory: 1 heap of 1.0G has no room in 879M of addresses: ulimit -v unlimited' \
        sh -c 'ulimit -v 900000; exec "$1" -cnode --pes 1' - "$info"
    finds stop "no room for the addresses of all PEs" \
        'memory: 64 heaps of 1.0G have no room in 8.6G of addresses: ulimit -v unlimited' \
        sh -c 'ulimit -v 9000000; exec "$1" -cnode --pes 64' - "$info"
fi

"$info" -ac >"$output" 2>&1
[ $? -le 1 ] && grep -q 'ANYSHMEM_PEER_TIMEOUT' "$output" && grep -q '^[a-z]* *memory: ' "$output"
verdict $? "a check and all parts"

finds stop "too few open files" 'limits: .* leave too few for UCX: ulimit -n [0-9]+' \
    sh -c 'ulimit -n 14; exec "$1" -c' - "$info"
grep -q '^ok *UCX: not asked' "$output"
verdict $? "check: then UCX is not started"
finds warn "too few open files for many PEs" \
    'limits: .* may leave too few to reach 5000 PEs: ulimit -n [0-9]+' \
    sh -c 'ulimit -n 200; exec "$1" -c --pes 5000' - "$info"

# A tree in the place of /proc and /sys.
mkdir -p "$root/proc" "$root/sys/class"
echo 'MemAvailable: 300000 kB' >"$root/proc/meminfo"
finds warn "little memory" 'memory: of a heap of 1.0G, 229M can be had here' \
    "$info" -c --sysroot "$root"
finds stop "no /sys/class/net" 'network: there is no /sys/class/net' \
    "$info" -c --sysroot "$root"
mkdir -p "$root/sys/class/net/lo" "$root/sys/class/net/eth7"
echo 0x9 >"$root/sys/class/net/lo/flags"
echo 0x1002 >"$root/sys/class/net/eth7/flags"
finds stop "no interface is up" 'network: no interface but the loopback is up \(ip link set' \
    "$info" -c --sysroot "$root"
echo 0x1003 >"$root/sys/class/net/eth7/flags"
finds ok "an interface is up" 'network: eth7 is up' "$info" -c --sysroot "$root"
mkdir -p "$root/sys/class/infiniband/mlx5_0"
finds stop "little memory can be locked" \
    'memory: the network mlx5_0 locks the heap of 1.0G in memory, and the limit is 64.0K' \
    sh -c 'ulimit -l 64; exec "$1" -c --sysroot "$2"' - "$info" "$root"

finds stop "UCX_TLS leaves no network" \
    'UCX: has no transport to other nodes; UCX_TLS=self may leave no .*: unset it' \
    env UCX_TLS=self "$info" -c
finds stop "UCX_TLS names nothing" 'UCX: .*; UCX_TLS=nonsense may leave no .*: unset it' \
    env UCX_TLS=nonsense "$info" -c
finds stop "a GPU is asked for and there is none" \
    'GPU: ANYSHMEM_DEVICE=cuda: no CUDA driver: .*; ANYSHMEM_DEVICE=cpu runs without' \
    env ANYSHMEM_DEVICE=cuda ANYSHMEM_TEST_CUDA_DRIVER=/nowhere "$info" -c
plan
