#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs written as NVSHMEM's documents write them (tests/cuda) compile and link
# with -rdc=true, for one kind of GPU; nothing runs.
#
# NVCC, NVCC_ARCH  the compiler, and the flag for one kind of GPU
# CUDA_HEADERS     flags instead of those for our headers; CUDA_LIBRARIES: likewise.
#                  "none": the programs are not linked

: "${srcdir:=.}" "${builddir:=.}" "${MPICC:=mpicc}"
: "${CUDA_HEADERS:=-I$builddir/include -I$srcdir/include}"
: "${CUDA_LIBRARIES:=-L$builddir -lanyshmem_device -L$builddir/.libs -lanyshmem}"
if [ -z "$NVCC" ]; then
    echo "1..0 # SKIP no nvcc"
    exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
number=0
failed=0

# result STATUS TEXT
result()
{
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        head -n 20 "$tmp/messages" | sed 's/^/# /'
        failed=1
    fi
}

# build NAME [FLAG...]
build()
{
    name=$1
    shift
    # Warnings are for our headers and programs; those of a compiler for others.
    # shellcheck disable=SC2086 # lists of words
    "$NVCC" $NVCC_ARCH -std=c++17 -rdc=true -Werror all-warnings -Xcompiler -Wall,-Wextra \
        $CUDA_HEADERS "$@" -c -o "$tmp/$name.o" "$srcdir/tests/cuda/$name.cu" \
        >"$tmp/messages" 2>&1
    result $? "$name compiles"
    [ "$CUDA_LIBRARIES" != none ] || return 0
    # shellcheck disable=SC2086
    "$NVCC" $NVCC_ARCH -o "$tmp/$name" "$tmp/$name.o" $CUDA_LIBRARIES "$@" >"$tmp/messages" 2>&1
    result $? "$name links"
}

for program in "$srcdir"/tests/cuda/*.cu; do
    name=${program##*/}
    name=${name%.cu}
    [ "$name" != mpi_init ] || continue
    build "$name"
done
# What the wrapper of MPI adds, less what nvcc does not know.
if mpi=$("$MPICC" -show 2>/dev/null) && echo '#include <mpi.h>' | "$MPICC" -E -x c - >/dev/null 2>&1
then
    # Its C++ interface is no concern of ours, nor are warnings in its headers.
    # shellcheck disable=SC2046 # a list of words
    build mpi_init -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX $(printf '%s\n' "$mpi" | tr ' ' '\n' |
        sed -n 's/^-I/-isystem /p; /^-[Ll]/p')
else
    number=$((number + 1))
    echo "ok $number - mpi_init # SKIP no mpicc with an mpi.h"
fi
echo "1..$number"
exit "$failed"
