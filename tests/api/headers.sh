#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each installed header compiles alone, as C and as C++, without a warning; and
# each list of types has the rows that the specification has.

: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.work
mkdir "$tmp" || exit 99

# shellcheck source=tests/support/together.sh
. "$srcdir/tests/support/together.sh"
strict="-fsyntax-only -Wall -Wextra -pedantic -Werror -Wstrict-aliasing"
includes="-I'$builddir/include' -I'$srcdir/include'"

compile()
{
    # shellcheck disable=SC2086 # a list of words
    "$@" $strict -I"$builddir/include" -I"$srcdir/include" >"$output" 2>&1
}

# Those of include/cuda are anyshmem-nvcc's alone, and have a test of their own.
headers=$(cd "$srcdir/include" && find . -name '*.h' ! -path './cuda/*' | sed 's|^\./||' | sort)
case $headers in
    *nvshmem/version.h*) ;;
    *) headers="$headers nvshmem/version.h" ;;
esac
headers="$headers pshmem.h"

# all_headers NAME COMMAND: each header alone, with that command, which finds its
# program in $program.  It includes the header twice, for it must protect itself; and
# one declaration follows, for ISO C wants one.
all_headers()
{
    rm -rf "$tmp/alone"
    mkdir "$tmp/alone"
    n=0
    for header in $headers; do
        n=$((n + 1))
        printf '#include <%s>\n#include <%s>\nextern int one_declaration;\n' "$header" "$header" \
            >"$tmp/alone/$n.program"
        echo "program='$tmp/alone/$n.program'; $2"
    done | together "$tmp/alone"
    n=0
    for header in $headers; do
        n=$((n + 1))
        mv "$tmp/alone/$n" "$output"
        verdict "$(cat "$tmp/alone/$n.status")" "$header as $1"
    done
}

# check COMPILER LANGUAGE STANDARD
check()
{
    all_headers "$3 with ${1##*/}" "$1 -x $2 -std=$3 \$program $strict $includes"
}

# The compiler of the build, and clang where there is one.
compilers=${CC%% *}
command -v clang >/dev/null && [ "${compilers##*/}" != clang ] && compilers="$compilers clang"
for compiler in $compilers; do
    for standard in c11 c17; do
        check "$compiler" c "$standard"
    done
    echo 'int x;' >"$tmp/try.c"
    if ! "$compiler" -x c++ -fsyntax-only "$tmp/try.c" 2>/dev/null; then
        skipped "it does not compile C++" "C++ with $compiler"
        continue
    fi
    for standard in c++11 c++17; do
        check "$compiler" c++ "$standard"
    done
done

# As CUDA, where there is its compiler: for hosts and devices at once.
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ -x "$(command -v "$nvcc")" ]; then
    all_headers CUDA "$nvcc -x cu -std=c++17 -rdc=true -Werror all-warnings \
        -Xcompiler -Wall,-Wextra $includes --ptx -o \$program.ptx \$program"
else
    skipped "there is no nvcc" "CUDA"
fi

# What nvshmem.h brings of others: for CUDA, and for C++ that finds CUDA's headers, all that
# NVIDIA's brings; else nothing.  Each header is known by a macro.
macros="assert EOF EXIT_FAILURE _STRING_H errno INT_MAX CUDA_VERSION CUDART_VERSION __CUDA_FP16_H__"
macros="$macros __CUDA_BF16_H__ NVSHMEMI_ERROR_PRINT"
# brought nothing|all FILE: a program that compiles where so much is brought.
brought()
{
    echo '#include <nvshmem.h>'
    for macro in $macros; do
        case $1 in
            nothing) printf '#if defined(%s)\n#error "%s"\n#endif\n' "$macro" "$macro" ;;
            all) printf '#if !defined(%s)\n#error "no %s"\n#endif\n' "$macro" "$macro" ;;
        esac
    done
    case $1 in
        nothing) echo 'extern int dim3, __half;' ;;
        all) echo 'size_t length(const char *s) { return strlen(s); } dim3 blocks(2);
            void say(int i) { NVSHMEMI_ERROR_PRINT("%d", i); NVSHMEMI_ERROR_PRINT("none"); }' ;;
    esac
}
brought nothing >"$tmp/nothing.c"
brought all >"$tmp/all.cc"
{
    cat "$tmp/all.cc"
    echo 'cooperative_groups::thread_block *block; cudaStream_t stream; CUmodule module;'
} >"$tmp/all.cu"
# The folders that the compiler looks into, less those with CUDA's headers.
folders_without_cuda()
{
    "${CC%% *}" -x "$1" -E -v /dev/null 2>&1 |
        sed -n '/^#include </,/^End of search/s/^ \([^ ]*\).*/\1/p' | while read -r folder; do
            [ -e "$folder/cuda_runtime.h" ] || printf '%s\n' "-isystem $folder"
        done
}
for language in c c++; do
    if ! "${CC%% *}" -x $language -fsyntax-only "$tmp/try.c" 2>/dev/null; then
        skipped "it does not compile C++" "without CUDA nvshmem.h brings nothing, $language"
        continue
    fi
    # shellcheck disable=SC2046 # lists of words
    echo '#include <stdint.h>' >"$tmp/try.h" && set -- -nostdinc $(folders_without_cuda $language)
    [ "$language" = c ] || set -- -nostdinc++ "$@"
    if ! "${CC%% *}" -x $language "$@" -fsyntax-only "$tmp/try.h" 2>"$output"; then
        skipped "CUDA's headers lie among the system's" "without CUDA nvshmem.h brings nothing"
        continue
    fi
    compile "${CC%% *}" -x $language "$@" "$tmp/nothing.c"
    verdict $? "without CUDA nvshmem.h brings nothing, $language"
done
compile "${CC%% *}" -x c -std=c11 "$tmp/nothing.c"
verdict $? "to C nvshmem.h brings nothing, with CUDA or without"
if echo '#include <cuda_runtime.h>' | "${CC%% *}" -x c++ -fsyntax-only - 2>/dev/null; then
    for standard in c++11 c++17; do
        compile "${CC%% *}" -x c++ -std=$standard -Wno-missing-declarations "$tmp/all.cc"
        verdict $? "to $standard with CUDA's headers nvshmem.h brings what NVIDIA's does"
    done
else
    skipped "CUDA's headers are not there" "to C++ nvshmem.h brings what NVIDIA's does"
fi
if [ -x "$(command -v "$nvcc")" ]; then
    "$nvcc" -std=c++17 -rdc=true -I"$builddir/include" -I"$srcdir/include" --ptx \
        -o "$tmp/all.ptx" "$tmp/all.cu" >"$output" 2>&1
    verdict $? "to CUDA nvshmem.h brings what NVIDIA's does"
else
    skipped "there is no nvcc" "to CUDA nvshmem.h brings what NVIDIA's does"
fi

cat >"$tmp/rows.c" <<'END'
#include <nvshmem/types.h>
#define COUNT(NAME, TYPE) +1
#define COUNT_SIZE(SIZE) +1
#define MUST_HAVE(LIST, ROWS) \
    _Static_assert((0 NVSHMEM_##LIST##_TYPES(COUNT)) == ROWS, #LIST " must have " #ROWS " rows")
MUST_HAVE(BITWISE, 7);
MUST_HAVE(AMO, 12);
MUST_HAVE(EXTENDED_AMO, 14);
MUST_HAVE(SYNC, 14);
MUST_HAVE(RMA, 25);
_Static_assert((0 NVSHMEM_SIZES(COUNT_SIZE)) == 5, "8, 16, 32, 64 and 128 bits");
/* No name stands twice, and each is of the type that it says. */
#define NAME_OF(NAME, TYPE) ROW_##NAME,
enum { NVSHMEM_RMA_TYPES(NAME_OF) ROWS };
_Static_assert(ROWS == 25, "25 names");
#define IS(NAME, TYPE) const TYPE *NAME##_is;
struct { NVSHMEM_RMA_TYPES(IS) } of;
_Static_assert(sizeof(*of.half_is) == 2 && sizeof(*of.bfloat16_is) == 2, "2 bytes");
#define SAME(NAME, TYPE) _Static_assert(_Generic(of.NAME##_is, const TYPE *: 1, default: 0), #NAME)
SAME(int, int); SAME(long, long); SAME(longlong, long long); SAME(uint, unsigned int);
SAME(ulong, unsigned long); SAME(ulonglong, unsigned long long); SAME(int8, int8_t);
SAME(int16, int16_t); SAME(int32, int32_t); SAME(int64, int64_t); SAME(uint8, uint8_t);
SAME(uint16, uint16_t); SAME(uint32, uint32_t); SAME(uint64, uint64_t); SAME(size, size_t);
SAME(ptrdiff, ptrdiff_t); SAME(short, short); SAME(ushort, unsigned short); SAME(float, float);
SAME(double, double); SAME(char, char); SAME(schar, signed char); SAME(uchar, unsigned char);
END
compile "${CC%% *}" -x c -std=c11 "$tmp/rows.c"
verdict $? "7, 12, 14, 14 and 25 types"

cat >"$tmp/openshmem.c" <<'END'
#include <shmem.h>
#define COUNT(NAME, TYPE) +1
_Static_assert((0 SHMEM_RMA_TYPES(COUNT)) == 24, "OpenSHMEM's standard RMA types");
_Static_assert((0 SHMEM_DISTINCT_RMA_TYPES(COUNT)) == 14, "types of C for put and get");
_Static_assert((0 SHMEM_DISTINCT_SYNC_TYPES(COUNT)) == 8, "types of C for wait and test");
/* Pointers to const are as good, where the routine only reads. */
int one(const int *source);
int one(const int *source) { return shmem_g(source, 0) + shmem_atomic_fetch(source, 0); }
#if defined(WRONG)
void wrong(float *variable);
void wrong(float *variable) { WRONG; }
#endif
END
compile "${CC%% *}" -x c -std=c11 "$tmp/openshmem.c"
verdict $? "OpenSHMEM: 24 types, 14 and 8 of them distinct"
for call in 'shmem_atomic_inc(variable, 0)' 'shmem_test(variable, SHMEM_CMP_EQ, 1)' \
    'shmem_put((void **)variable, (void **)variable, 1, 0)'; do
    ! compile "${CC%% *}" -x c -std=c11 "-DWRONG=$call" "$tmp/openshmem.c"
    verdict $? "no routine of that type: $call"
done

plan
