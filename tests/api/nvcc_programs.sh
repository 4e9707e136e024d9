#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of tests/cuda and contrib/examples as CUDA programs on the CPU: compiled by
# anyshmem-nvcc and executed by 2 and 4 PEs, whose memory is mapped and not, and over TCP.
# Each checks its results.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/nvcc.sh
. "$srcdir/tests/support/nvcc.sh"
no_jobs
launch=$srcdir/tests/launch
nvcc_libraries

# build NAME "OPTION... FILE...": what compiles it, all of them at once later.
build()
{
    echo "$1 compiles|'$nvcc' -O2 -Xcompiler -Wall,-Wextra,-Werror -o '$scratch/$1' $2" \
        >>"$scratch/builds"
}

# run NAME TEXT ARGUMENT...: TEXT must be printed, in all ways.
run()
{
    [ -x "$scratch/$1" ] || return 0
    program=$1 text=$2
    shift 2
    for way in "2 A=" "4 A=" "2 ANYSHMEM_DISABLE_DIRECT=all" "4 ANYSHMEM_DISABLE_DIRECT=all" \
        "2 ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self"; do
        if [ "${way%tcp,self}" != "$way" ] && [ ! -d /sys/class/net ]; then
            skipped "without /sys UCX finds no network interface" "$program, $way"
            continue
        fi
        # shellcheck disable=SC2086 # a list of words
        env ${way#* } TEST_TIMEOUT=120 "$launch" "${way%% *}" "$scratch/$program" "$@" \
            >"$output" 2>&1 && grep -Eq "$text" "$output"
        verdict $? "$program, $way"
    done
}

programs=
for source in "$srcdir"/tests/cuda/*.cu; do
    name=$(basename "$source" .cu)
    case $name in
        # They have a compiler of MPI and a second job; facts and brings only compile.
        mpi_init) continue ;;
        brings | facts) ;;
        *) programs="$programs $name" ;;
    esac
    build "$name" "'$source'"
done
examples=$srcdir/contrib/examples
build ring-example "-x cu '$examples/ring.c'"
build wordcount "-x cu '$examples'/word*.c"
build heat "-x cu '$examples'/heat*.c"
# A device for each PE of the node, known before the library starts and after it.
cat >"$scratch/devices.cu" <<'EOF'
#include <cstdio>
#include <nvshmem.h>
int main()
{
    int before = 0, after = 0;
    if (cudaGetDeviceCount(&before) != cudaSuccess) return 1;
    nvshmem_init();
    if (cudaGetDeviceCount(&after) != cudaSuccess) return 1;
    printf("devices: %d of %d PEs, %d before\n", after, nvshmem_n_pes(), before);
    nvshmem_finalize();
}
EOF
build devices "'$scratch/devices.cu'"
nvcc_together <"$scratch/builds"
for name in $programs; do
    run "$name" "^$name: PE [0-9]+ of [0-9]+: correct$"
done
run ring-example '^ring: .*kernel.*: correct$'
run wordcount '^wordcount: .*: equal to the serial count$' "$srcdir/README.md"
run devices '^devices: ([24]) of \1 PEs, \1 before$'
run heat '^heat: .*: equal to the serial run$'
plan
