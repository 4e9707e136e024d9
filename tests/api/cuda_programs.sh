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
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.tmp
mkdir "$tmp" || exit 99
# shellcheck source=tests/support/together.sh
. "$srcdir/tests/support/together.sh"

# step VERB NAME: one line of TAP of what was done to it, if anything was.
step()
{
    [ -e "$tmp/$1/$2.status" ] || return 0
    cp "$tmp/$1/$2" "$output"
    verdict "$(cat "$tmp/$1/$2.status")" "$(sed -n "$2p" "$tmp/names") $1"
}

mkdir "$tmp/compiles" "$tmp/links"
for program in "$srcdir"/tests/cuda/*.cu; do
    program=${program##*/}
    [ "$program" = mpi_init.cu ] || echo "${program%.cu}"
done >"$tmp/names"
# What the wrapper of MPI adds, less what nvcc does not know.
if mpi=$("$MPICC" -show 2>/dev/null) && echo '#include <mpi.h>' | "$MPICC" -E -x c - >/dev/null 2>&1
then
    # Its C++ interface is no concern of ours, nor are warnings in its headers.
    mpi_flags="-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX $(printf '%s\n' "$mpi" | tr ' ' '\n' |
        sed -n 's/^-I/-isystem /p; /^-[Ll]/p' | tr '\n' ' ')"
    echo mpi_init >>"$tmp/names"
fi
flags_of() { [ "$1" != mpi_init ] || echo "$mpi_flags"; }
# Warnings are for our headers and programs; those of a compiler for others.
while read -r name; do
    echo "$NVCC $NVCC_ARCH -std=c++17 -rdc=true -Werror all-warnings -Xcompiler -Wall,-Wextra" \
        "$CUDA_HEADERS $(flags_of "$name") -c -o '$tmp/$name.o' '$srcdir/tests/cuda/$name.cu'"
done <"$tmp/names" | together "$tmp/compiles"
[ "$CUDA_LIBRARIES" = none ] || while read -r name; do
    echo "$NVCC $NVCC_ARCH -o '$tmp/$name' '$tmp/$name.o' $CUDA_LIBRARIES $(flags_of "$name")"
done <"$tmp/names" | together "$tmp/links"
for n in $(seq "$(wc -l <"$tmp/names")"); do
    step compiles "$n"
    step links "$n"
done
[ -n "$mpi_flags" ] || skipped "no mpicc with an mpi.h" mpi_init
plan
