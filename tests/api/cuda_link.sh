#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What a program gets of libanyshmem_device.a: its device link registers itself,
# the host calls libanyshmem.so, and two links of one program do not mix.  What
# runs here needs no GPU.

: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}" "${NM:=nm}"
if [ -z "$NVCC" ]; then
    echo "1..0 # SKIP no nvcc"
    exit 0
fi
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.work
mkdir "$tmp" || exit 99
arch=$(printf '%s\n' "$NVCC_ARCH" | tr ' ' '\n' | grep -m 1 'code=sm_80' ||
    printf '%s\n' "$NVCC_ARCH" | tr ' ' '\n' | head -n 1)
headers="-I$builddir/include -I$srcdir/include"
host="-L$builddir/.libs -lanyshmem -Xlinker -rpath=$(cd "$builddir" && pwd)/.libs"
both="-L$builddir -lanyshmem_device $host"

# compile FLAG...: by nvcc
compile()
{
    # shellcheck disable=SC2086 # lists of words
    "$NVCC" $arch -std=c++17 $headers "$@" >"$output" 2>&1
}

# says TEXT COMMAND...: the command ends well and prints that, within a minute
says()
{
    text=$1
    shift
    timeout 60 "$@" >"$output" 2>&1 && grep -q -x "$text" "$output"
}

cat >"$tmp/one.cu" <<'END'
#include <cstdio>
#include <nvshmem.h>
#include <nvshmemx.h>

__global__ void kernel(int *dest)
{
    nvshmem_int_p(dest, nvshmem_n_pes(), nvshmem_my_pe());
}

#if defined(WITH_LIBRARY)
extern "C" void launch_other(void);
#else
extern "C" void launch_other(void) {}
#endif

int main(int argc, char **)
{
    int *word, value = 0;
    if (argc > 1) launch_other();
    if (argc > 1) kernel<<<1, 1>>>(nullptr);
    nvshmem_init();
    word = (int *)nvshmem_calloc(1, sizeof(*word));
    nvshmemx_int_p_on_stream(word, 7, nvshmem_my_pe(), nullptr);
    nvshmem_quiet();
    anyshmemx_stream_synchronize(nullptr);
    value = nvshmem_int_g(word, nvshmem_my_pe());
    printf("%d of %d has %d\n", nvshmem_my_pe(), nvshmem_n_pes(), value);
    nvshmem_finalize();
    return 0;
}
END
cat >"$tmp/other.cu" <<'END'
#include <nvshmem.h>
__global__ void other(int *dest) { nvshmem_int_p(dest, 1, 0); }
extern "C" void launch_other(void) { other<<<1, 1>>>(nullptr); }
END
cat >"$tmp/plain.cu" <<'END'
#include <cstdio>
#include <nvshmem.h>
__global__ void plain(int *word) { *word = 1; }
int main(int argc, char **)
{
    if (argc > 1) plain<<<1, 1>>>(nullptr);
    nvshmem_init();
    printf("%d of %d\n", nvshmem_my_pe(), nvshmem_n_pes());
    nvshmem_finalize();
    return 0;
}
END
cat >"$tmp/note.c" <<'END'
#include <stdio.h>
void anyshmem_module_register(void *module);
void anyshmem_module_register(void *module) { printf("registered %d\n", module != NULL); }
END

$NM -g --defined-only "$builddir/libanyshmem_device.a" >"$tmp/symbols" 2>&1
# A constructor of CUDA's dim3 is C++'s own business.
grep ' [TW] ' "$tmp/symbols" | grep -v ' _Z' >"$output"
[ $? -eq 1 ] && grep -q ' anyshmem_device_module$' "$tmp/symbols"
verdict $? "the device library has no function for the host"

# shellcheck disable=SC2086
compile -rdc=true -o "$tmp/one" "$tmp/one.cu" $both
verdict $? "a program of one file compiles and links"
says '0 of 1 has 7' env ANYSHMEM_DEVICE=cpu "$tmp/one"
verdict $? "it calls the library's host routines"
says '0 of 1 has 7' "$tmp/one"
verdict $? "it runs with a GPU and without"
$CC -shared -fPIC -o "$tmp/note.so" "$tmp/note.c" >"$output" 2>&1 &&
    says 'registered 1' env ANYSHMEM_DEVICE=cpu LD_PRELOAD="$tmp/note.so" "$tmp/one"
verdict $? "its device link is registered"

# Of headers in two files nothing is there twice, on the host or on the device.
# Those of include/cuda are anyshmem-nvcc's alone.
(cd "$srcdir/include" && find . -name '*.h' ! -path './cuda/*' | sort) |
    sed 's|^\./\(.*\)|#include <\1>|' >"$tmp/all.h"
# shellcheck disable=SC2086
compile -rdc=true -include "$tmp/all.h" -DWITH_LIBRARY -o "$tmp/joined" "$tmp/one.cu" \
    "$tmp/other.cu" $both && says '0 of 1 has 7' env ANYSHMEM_DEVICE=cpu "$tmp/joined"
verdict $? "a program of two files, with all headers in both"

# shellcheck disable=SC2086
compile -rdc=true -Xcompiler -fPIC -shared -o "$tmp/libother.so" "$tmp/other.cu" $both \
    -Xlinker -Bsymbolic-functions &&
    compile -rdc=true -DWITH_LIBRARY -o "$tmp/two" "$tmp/one.cu" "$tmp/libother.so" $both
verdict $? "a program and a library, each with a device link"
LD_DEBUG=bindings LD_DEBUG_OUTPUT="$tmp/bindings" ANYSHMEM_DEVICE=cpu "$tmp/two" \
    >"$output" 2>&1 && cat "$tmp"/bindings.* >"$tmp/all" &&
    ! grep 'libother.so .* to .*/two .*__cudaRegisterLinkedBinary' "$tmp/all" >"$output"
verdict $? "neither registers the other's device code"
timeout 60 env ANYSHMEM_DEVICE=cpu LD_PRELOAD="$tmp/note.so" "$tmp/two" >"$output" 2>&1 &&
    [ "$(grep -c 'registered 1' "$output")" -eq 2 ]
verdict $? "both device links are registered"

# shellcheck disable=SC2086
compile -o "$tmp/plain" "$tmp/plain.cu" $host && says '0 of 1' "$tmp/plain"
verdict $? "CUDA without relocatable code needs libanyshmem alone"

# A file that calls host routines alone says so, and links without the device library.
# shellcheck disable=SC2086
! compile -rdc=true -o "$tmp/host" "$tmp/plain.cu" $host &&
    compile -rdc=true -DNVSHMEM_HOSTLIB_ONLY -o "$tmp/host" "$tmp/plain.cu" $host &&
    says '0 of 1' "$tmp/host"
verdict $? "NVSHMEM_HOSTLIB_ONLY with relocatable code needs libanyshmem alone"

# What lib/ knows of the driver without its header, beside the header.
cat >"$tmp/facts.cu" <<'END'
#include <cuda.h>

#include "lib/cuda/driver.h"
#define SAME(ours, theirs) static_assert((int)ours == (int)theirs, #ours)
SAME(ASH_CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME(ASH_CUDA_DEINITIALIZED, CUDA_ERROR_DEINITIALIZED);
SAME(ASH_CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(ASH_CUDA_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT);
SAME(ASH_CUDA_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE);
SAME(ASH_CUDA_NOT_READY, CUDA_ERROR_NOT_READY);
SAME(ASH_CUDA_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(ASH_CUDA_NOT_PERMITTED, CUDA_ERROR_NOT_PERMITTED);
SAME(ASH_CUDA_CAPTURE_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
SAME(ASH_CUDA_HOST_NATIVE_ATOMIC, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
SAME(ASH_CUDA_WAIT_VALUE64, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS);
SAME(ASH_CUDA_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(ASH_CUDA_MEMORY_HOST, CU_MEMORYTYPE_HOST);
SAME(ASH_CUDA_REGISTER_PORTABLE_MAPPED,
     (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP));
SAME(ASH_CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME(ASH_CUDA_WAIT_EQ, CU_STREAM_WAIT_VALUE_EQ);
SAME(ASH_CUDA_CAPTURE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED);
END
compile -I"$srcdir" -c -o "$tmp/facts.o" "$tmp/facts.cu"
verdict $? "the driver's numbers are those of CUDA's header"

plan
