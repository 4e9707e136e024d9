#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Layers: include <- device <- proxy <- lib <- tests.  A file may include what is
# in its own folder and in those to the left of it, and only a few files may know
# a system or another library.  The exceptions stand here, each with its reason.

: "${srcdir:=.}"
cd "$srcdir" || exit 99
number=0
failed=0
# Lines "FILE HEADER", the header with its < or ".
all=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' include device proxy lib tests \
    --include='*.[ch]' --include='*.cu' --include='*.h.in' --include='*.cuh' |
    sed -E 's/^([^:]+):[0-9]+:[^<"]*([<"][^>"]+)[>"].*/\1 \2/')

# allow TEXT FILES HEADERS: what the files include matches one of the headers.
allow()
{
    verdict "$1" "$(echo "$all" | grep -E "^($2) " | grep -vE " ($3)\$")"
}

# only TEXT HEADERS FILES: nobody but these files includes the headers.
only()
{
    verdict "$1" "$(echo "$all" | grep -E " ($2)\$" | grep -vE "^($3) ")"
}

verdict()
{
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
        return
    fi
    echo "not ok $number - $1"
    echo "$2" | sed 's/^/# /'
    failed=1
}

# What a macro names would be overlooked below.
verdict "no header is named by a macro" \
    "$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[A-Za-z_]' include device proxy lib tests \
        --include='*.[ch]' --include='*.cu' --include='*.h.in' --include='*.cuh')"
lines=$(echo "$all" | grep -c .)
verdict "there are #include lines to look at" "$([ "$lines" -gt 100 ] || echo "$lines lines")"

public='[<"](nvshmem\.h|nvshmemx\.h|anyshmem_kernel\.h|shmem\.h|ishmemx?\.h|i?(nv)?shmem/[a-z_]+\.h)'
# CUDA's types stand in the headers for users of CUDA, under __CUDACC__.
cuda='<(cuda_runtime_api|cuda_bf16|cuda_fp16)\.h'
# What a device routine needs from C: no system.
plain='<(stddef|stdint|stdbool|string|errno)\.h'
# What the threads of the host device need, and what its contexts tell the tools.
threads='<(pthread|sched|semaphore|stdlib|unistd|time|ucontext|signal)\.h|<sys/mman\.h'
threads="$threads|<(sanitizer|valgrind)/[a-z_]+\.h|<limits\.h|<linux/futex\.h|<sys/syscall\.h"

allow "include/ knows only itself, stddef, stdint" 'include/.*' \
    "$public|<(stddef|stdint|stdbool)\.h|$cuda"
device='"device/[a-z]+/[a-z_]+\.h'
allow "device/ knows include/ and itself" 'device/(api|gpu|routine|channel|target|state)/.*' \
    "$public|$device|$plain|<cuda/.*"
allow "the host device, streams and observation know threads as well" 'device/(hostdev|stream|observe)/.*' \
    "$public|$device|$plain|$threads"
allow "device/ has no other folder" 'device/.*' "$public|$device|$plain|$threads|<cuda/.*"
# Of lib/ the proxy knows how to say what is wrong.
allow "proxy/ knows device/, itself, and what lib/base says of errors" 'proxy/.*' \
    "$public|\"device/.*|\"proxy/.*|\"lib/base/(log|error|end|cause|fault|deadline)\.h|<[^/]*|<sys/.*|<ucp/api/ucp\.h|<ucs/.*"
allow "lib/ knows the proxy by one header" 'lib/.*' \
    "$public|\"device/.*|\"proxy/proxy\.h|\"lib/.*|<[^/]*|<(sys|net|netinet|arpa)/.*|\"config\.h"

only "UCX stands in proxy/" '<uc[pst]/.*' 'proxy/(connection|ucx/[a-z]+|failure/heartbeat)\.[ch]|tests/.*'
only "PMIx stands in the files of its name" '<pmix.*' 'lib/bootstrap/pmix(_[a-z]+)?\.[ch]|tests/(preload|multihost)/.*|tests/perf/scale_pmix\.c'
only "loading at run time stands in one file" '<dlfcn\.h' 'lib/(cuda/driver|bootstrap/mpi_library)\.c|tests/.*'
only "CUDA stands in the headers for it" '<cu(da)?[a-z_/]*\.h' \
    'include/nvshmem/(cuda_types|types)\.h|device/target/cuda\.h|tests/.*'
# hostdev_limits.c and others of unit/ reach inside; what runs as a job does not.
allow "tests of jobs know the public interface alone" 'tests/(pe|support|api|conformance|programs|soak|inject)/.*' \
    "$public|\"tests/(support|pe|conformance)/.*|<[^/]*|<sys/.*"

echo "1..$number"
exit "$failed"
