#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The device library as LLVM bitcode has each routine that device threads may call, needs nothing
# but CUDA's own function behind assert, and links into a kernel, which is assembled for a GPU if
# nvcc is here.  Nothing runs on one.

: "${srcdir:=.}" "${builddir:=.}"
if [ -z "$CLANG" ]; then
    echo "1..0 # SKIP no clang that compiles for GPUs of NVIDIA"
    exit 0
fi
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.work
mkdir "$tmp" || exit 99
bitcode=$builddir/libnvshmem_device.bc
tables=$srcdir/tests/conformance

# assembly FILE OUTPUT OPTION...: PTX of bitcode, for a GPU that all of it is for
assembly()
{
    from=$1 to=$2
    shift 2
    "$CLANG" --target=nvptx64-nvidia-cuda -march=sm_80 -S -Wno-override-module "$@" -o "$to" \
        "$from" >"$output" 2>&1
}

assembly "$bitcode" "$tmp/all.ptx" -x ir -O0
verdict $? "it is compiled to assembly"

# names KIND: the functions of that kind in the assembly
names()
{
    sed -n 's/^\.'"$1"' \.func *\(([^)]*)\)\{0,1\} *\([A-Za-z_0-9]*\).*/\2/p' "$tmp/all.ptx" | sort -u
}

names visible >"$tmp/there"
awk -f "$tables/expand.awk" "$tables/api.tsv" "$tables/nvshmem.tsv" |
    awk -F'\t' '$5 ~ /device/ && $4 !~ /no synopsis|TYPE/ && $8 != "absent" { print $2 }' |
    sort -u >"$tmp/wanted"
comm -13 "$tmp/there" "$tmp/wanted" >"$output"
[ -s "$tmp/wanted" ] && [ ! -s "$output" ]
verdict $? "it has all $(grep -c . "$tmp/wanted") routines that device threads may call"

names extern | grep -vx __assertfail >"$output"
[ $? -eq 1 ]
verdict $? "it needs nothing else"
grep -q '^\.visible \.const .* ash_device_state\[' "$tmp/all.ptx"
verdict $? "its state has the name by which nvshmemx_cumodule_init finds it"

cat >"$tmp/kernel.cu" <<'END'
extern "C" __attribute__((device)) int nvshmem_my_pe(void);
extern "C" __attribute__((device)) int nvshmem_n_pes(void);
extern "C" __attribute__((device)) void nvshmem_int_p(int *dest, int value, int pe);
extern "C" __attribute__((device)) void nvshmemx_barrier_all_block(void);
extern "C" __attribute__((global)) void ring(int *dest)
{
    nvshmem_int_p(dest, nvshmem_my_pe(), (nvshmem_my_pe() + 1) % nvshmem_n_pes());
    nvshmemx_barrier_all_block();
}
END
"$CLANG" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -O2 -S \
    -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx71 \
    -Xclang -mlink-builtin-bitcode -Xclang "$bitcode" -o "$tmp/kernel.ptx" "$tmp/kernel.cu" \
    >"$output" 2>&1 && grep -q '^\.visible \.entry ring' "$tmp/kernel.ptx" &&
    ! grep -q '^\.extern \.func.*nvshmem' "$tmp/kernel.ptx"
verdict $? "a kernel is linked with it"

ptxas=${NVCC:+$(dirname "$NVCC")/ptxas}
if [ -x "$ptxas" ]; then
    # clang writes the version that it knows; accesses of 16 bytes are of 8.4.
    sed -i 's/^\.version .*/.version 8.4/' "$tmp/kernel.ptx"
    "$ptxas" -arch=sm_80 -o "$tmp/kernel.cubin" "$tmp/kernel.ptx" >"$output" 2>&1
    verdict $? "the kernel is assembled for a GPU"
else
    skipped "no ptxas" "the kernel is assembled for a GPU"
fi
plan
