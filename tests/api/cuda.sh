#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# PEs with a GPU that is none (tests/preload/fake_cuda.c): what they say when it
# cannot be used, which PEs use one, and that programs run as they do without,
# also if only some PEs of a job have one.
#
# The variables are those of tests/launch; builddir, srcdir, abs_builddir as elsewhere.

: "${srcdir:=.}" "${builddir:=.}"
: "${abs_builddir:=$(cd "$builddir" && pwd)}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
launch=$srcdir/tests/launch
fake=$abs_builddir/.libs/fake_cuda.so
NVSHMEM_SYMMETRIC_SIZE=64M
export NVSHMEM_SYMMETRIC_SIZE
unset CUDA_VISIBLE_DEVICES

# A GPU for the PEs that GPU_PES names; the others have none.
cat >"$output.some" <<'END'
#!/bin/sh
case " $GPU_PES " in
    *" ${PMIX_RANK:-0} "*) ANYSHMEM_DEVICE=cuda ;;
    *) ANYSHMEM_DEVICE=cpu ;;
esac
export ANYSHMEM_DEVICE
exec "$@"
END
chmod +x "$output.some"

# start [VARIABLE=VALUE...]: one PE that starts and ends, with a GPU unless told otherwise.
start()
{
    env ANYSHMEM_TEST_CUDA_DRIVER="$fake" ANYSHMEM_DEVICE=cuda FAKE_CUDA_REPORT=1 \
        LAUNCHER=none "$@" "$launch" 1 "$builddir/tests/api/bad_input" start_only >"$output" 2>&1 </dev/null
    status=$?
}

# refused "REGULAR EXPRESSION" [VARIABLE=VALUE...]: one line says why there is no GPU.
refused()
{
    wanted=$1
    shift
    start "$@"
    verdict=ok
    others=$(grep 'error: ' "$output" | grep -vc "nvshmem_init failed")
    if [ "$status" -eq 0 ]; then
        verdict="it started"
    elif [ "$others" -ne 1 ]; then
        verdict="$others messages"
    elif ! grep -Eq "error: $wanted\$" "$output"; then
        verdict="another message"
    fi
    result "$verdict" "refused: $*"
}

without='ANYSHMEM_DEVICE=cpu runs without a GPU'
refused "ANYSHMEM_DEVICE=cuda: no CUDA driver: /nowhere/libcuda.so: .*; $without" \
    ANYSHMEM_TEST_CUDA_DRIVER=/nowhere/libcuda.so
refused "ANYSHMEM_DEVICE=cuda: the CUDA driver is too old: it is of CUDA 11.8, and 12.0 is needed; $without" \
    FAKE_CUDA_VERSION=11080
refused "ANYSHMEM_DEVICE=cuda: the CUDA driver has no device; $without" FAKE_CUDA_DEVICES=0
refused "ANYSHMEM_DEVICE=cuda: the CUDA driver has no device \(CUDA_VISIBLE_DEVICES=7\); $without" \
    FAKE_CUDA_DEVICES=0 CUDA_VISIBLE_DEVICES=7
refused "ANYSHMEM_DEVICE=cuda: the CUDA driver does not start: CUDA error 802, .*; $without" \
    FAKE_CUDA_FAIL=init:802
refused "ANYSHMEM_DEVICE=cuda: libc.so.6 is not a CUDA driver: it lacks cuInit; $without" \
    ANYSHMEM_TEST_CUDA_DRIVER=libc.so.6
pinned='cannot be pinned for the GPU: CUDA error 2, CUDA_ERROR_OUT_OF_MEMORY .*; a smaller'
pinned="$pinned NVSHMEM_SYMMETRIC_SIZE \(it is 67108864\) needs less memory"
refused "the symmetric heap of 95420416 bytes $pinned" FAKE_CUDA_FAIL=host_register:2
# What is shared with the proxy, and with it the teams'.
refused "memory of [0-9]+ bytes $pinned" FAKE_CUDA_FAIL=host_register:2:2
refused "memory of [0-9]+ bytes $pinned" FAKE_CUDA_FAIL=host_register:2:3
refused "memory of the GPU: cuMemAlloc: CUDA error 2, .*" FAKE_CUDA_FAIL=alloc:2
refused "memory of the GPU: cuMemcpyHtoDAsync: CUDA error 700, .*" FAKE_CUDA_FAIL=copy_to:700
refused "cuDevicePrimaryCtxRetain: CUDA error 46, .*" FAKE_CUDA_FAIL=primary_retain:46
refused "cuCtxSetCurrent: CUDA error 709, .*" FAKE_CUDA_FAIL=context_set:709
refused "cuStreamCreate: CUDA error 2, .*" FAKE_CUDA_FAIL=stream_create:2
refused "the symmetric heap is at 0x[0-9a-f]+ for the CPU and at 0x[0-9a-f]+ for the GPU: .*; $without" \
    FAKE_CUDA_SHIFT=1
refused 'invalid value ANYSHMEM_DEVICE=gpu: expected one of cpu\|cuda\|auto' ANYSHMEM_DEVICE=gpu

# uses TEXT GPU-OR-NOT [VARIABLE=VALUE...]: the PE starts, with a GPU or without.
uses()
{
    text=$1 wanted=$2
    shift 2
    start NVSHMEM_DEBUG=INFO "$@"
    gpus=$(grep -c ': info: GPU 0, fake 0' "$output")
    verdict=ok
    if [ "$status" -ne 0 ] || ! grep -q ': started' "$output"; then
        verdict="status $status"
    elif [ "$gpus" -ne "$wanted" ]; then
        verdict="$gpus GPUs"
    elif [ "$wanted" -eq 1 ] && ! grep -q '^fake_cuda: nothing is left' "$output"; then
        verdict="something is left"
    fi
    result "$verdict" "$text"
}
uses "cuda: a GPU" 1
uses "cpu: none" 0 ANYSHMEM_DEVICE=cpu
uses "auto without kernels and context: none" 0 ANYSHMEM_DEVICE=auto
uses "cpu: the driver is not even loaded" 0 ANYSHMEM_DEVICE=cpu ANYSHMEM_TEST_CUDA_DRIVER=/nowhere

if ! "$launch" 2 true >"$output" 2>&1 || grep -q '^1\.\.0 # SKIP' "$output"; then
    skipped "no PMIx launcher" "programs of several PEs"
    plan
fi

# runs PROGRAM N "PEs WITH A GPU" [VARIABLE=VALUE...]: as without a GPU, and nothing is left.
runs()
{
    program=$1 n=$2 pes=$3
    shift 3
    env ANYSHMEM_TEST_CUDA_DRIVER="$fake" FAKE_CUDA_REPORT=1 GPU_PES="$pes" TESTS_N_PES="$n" \
        TEST_WRAPPER="$output.some $TEST_WRAPPER" "$@" "$launch" "$n" \
        "$builddir/tests/pe/$program" >"$output" 2>&1 </dev/null
    status=$?
    ended=$(grep -c "$program: PE [0-9]* of $n: done, [1-9][0-9]* checks" "$output")
    clean=$(grep -c '^fake_cuda: nothing is left' "$output")
    verdict=ok
    if [ "$status" -ne 0 ] || [ "$ended" -ne "$n" ]; then
        verdict="status $status, $ended PEs ended"
    # The programs provoke errors of routines; none of the job is theirs.
    elif grep '^anyshmem: .*error: ' "$output" |
        grep -Evq 'error: (nvshmemx?_|the program was linked with the device library of NVSHMEM)'; then
        verdict="an error was reported"
    elif [ "$clean" -ne "$(echo "$pes" | wc -w)" ]; then
        verdict="$clean PEs left nothing"
    fi
    result "$verdict" "$program, $n PEs, with a GPU: $pes $*"
}
for program in rma amo order signal team; do
    runs "$program" 2 "0 1"
    runs "$program" 2 "0"
done
runs sync 1 "0"
runs collective 3 "1"
runs init 2 "0 1"
runs restart 2 "1"
runs rma 2 "0" ANYSHMEM_DISABLE_DIRECT=all
runs team 2 "1" ANYSHMEM_DISABLE_DIRECT=1
runs amo 2 "0 1" ANYSHMEM_CHANNEL_SLOTS=2

# Three PEs share two devices, which they take round-robin.
runs rma 3 "0 1 2" FAKE_CUDA_DEVICES=2 NVSHMEM_DEBUG=INFO
shared=$(sed -n 's/.*PE \([0-2]\).*info: GPU \([0-9]\), fake.*/\1\2/p' "$output" | sort |
    tr '\n' ' ')
result "$([ "$shared" = "00 11 20 " ] && echo ok || echo "$shared")" "PEs take devices round-robin"

plan
