#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What is installed is enough: README's first program, compiled and linked with
# pkg-config as README says, runs as a job; and nothing is missing that it does
# not use.  Where the device library was built, so is a program of CUDA: by
# pkg-config, by CMake, and with NVSHMEM's own names; it runs with and without a
# GPU.

: "${srcdir:=.}"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
number=0

# report STATUS TEXT
report()
{
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        sed 's/^/# /' "$tmp/log"
    fi
}

skip()
{
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# run PROGRAM TEXT: as a job, PE 0 of which prints the text.
run()
{
    LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH \
        "$srcdir/tests/launch" $pes "$1" >"$tmp/log" 2>&1 && grep -q "^$2\$" "$tmp/log"
}

${MAKE:-make} -s install DESTDIR="$tmp/root" >"$tmp/log" 2>&1
report $? "make install"

pc=$(find "$tmp/root" -name anyshmem.pc)
prefix=${pc%/lib*}
# shellcheck disable=SC2016 # not to be expanded
sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >"$tmp/hello.c"
flags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --define-variable=prefix="$prefix" --cflags --libs \
    anyshmem 2>"$tmp/log")
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/hello.c" -o "$tmp/hello" $CFLAGS $flags >>"$tmp/log" 2>&1
report $? "README's program compiles with pkg-config's flags"

pes=2
[ -n "$LAUNCHER" ] || pes=1
libdir=$(dirname "$(find "$tmp/root" -name libanyshmem.so)")
run "$tmp/hello" "PE 0 of $pes got $((pes - 1))"
report $? "README's program runs"

# Each header, where the others look for it.
(cd "$srcdir/include" && find . -name '*.h') | sed 's|^\./\(.*\)|#include <\1>|' >"$tmp/all.c"
echo 'int main(void) { return 0; }' >>"$tmp/all.c"
# shellcheck disable=SC2086 # a list of words
$CC -Werror "$tmp/all.c" -o "$tmp/all" $CFLAGS $flags >"$tmp/log" 2>&1
report $? "all headers are installed"

# The version, and the libraries that a static program adds for us.
printf '#include <nvshmem/version.h>\n#include <stdio.h>\n%s\n' \
    'int main(void) { return puts(ANYSHMEM_VERSION) < 0; }' >"$tmp/version.c"
version=$(PKG_CONFIG_PATH=${pc%/*}:$PKG_CONFIG_PATH pkg-config --modversion anyshmem 2>"$tmp/log")
private=$(sed -n 's/^Libs\.private: //p' "$pc")
echo "version: $version; Libs.private: $private" >>"$tmp/log"
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/version.c" -o "$tmp/version" $CFLAGS $flags $private >>"$tmp/log" 2>&1 &&
    [ -n "$version" ] &&
    [ "$(LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH "$tmp/version")" = "$version" ]
report $? "the version and the libraries in anyshmem.pc"

# Tools, completion, and a manual page for each function.
for file in bin/anyshmem-info bin/anyshmem-perf bin/anyshmem-run bin/anyshmem-trace \
    share/bash-completion/completions/anyshmem-info share/man/man7/anyshmem.7 \
    share/man/man1/anyshmem-run.1 share/man/man3/nvshmem_fence.3 share/man/man3/shmem_put.3; do
    [ -s "$prefix/$file" ] || echo "no $file"
done >"$tmp/log"
[ "$(cat "$prefix/share/man/man3/nvshmem_int_put.3")" = '.so man3/nvshmem_put.3' ] ||
    echo "nvshmem_int_put.3 is no link to nvshmem_put.3" >>"$tmp/log"
sed -n 's/^ *\([a-z]*shmemx*_[a-z0-9_]*\);$/\1/p' "$srcdir/lib/anyshmem.map" |
    grep -v '^anyshmem_module_' | while read -r name; do
        [ -s "$prefix/share/man/man3/$name.3" ] || echo "no page $name.3"
    done >>"$tmp/log"
[ ! -s "$tmp/log" ]
report $? "tools, completion and manual pages"
LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH "$prefix/bin/anyshmem-info" -n >"$tmp/log" 2>&1 &&
    grep -q "^library .*$libdir/libanyshmem" "$tmp/log"
report $? "the installed anyshmem-info has the installed library"

# NVSHMEM's own names.
home=$libdir/anyshmem/nvshmem
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/hello.c" -o "$tmp/named" $CFLAGS -I"$home/include" -L"$home/lib" -lnvshmem_host \
    >"$tmp/log" 2>&1 && run "$tmp/named" "PE 0 of $pes got $((pes - 1))"
report $? "README's program with -lnvshmem_host"

finish()
{
    echo "1..$number"
    exit 0
}
if [ ! -e "$libdir/libanyshmem_device.a" ]; then
    skip "a program of CUDA" "the device library was not built"
    finish
elif ldd "$libdir/libanyshmem.so" | grep -q 'lib[a-z]*san'; then
    skip "a program of CUDA" "nvcc has no sanitizers"
    finish
fi

cat >"$tmp/app.cu" <<'END'
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>

__global__ void store(int *dest, int value, int pe) { nvshmem_int_p(dest, value, pe); }

int main(void)
{
    int n_devices = 0;
    nvshmem_init();
    int me = nvshmem_my_pe(), next = (me + 1) % nvshmem_n_pes();
    int *dest = (int *)nvshmem_calloc(1, sizeof(int));
    if (cudaGetDeviceCount(&n_devices) == cudaSuccess && n_devices > 0) {
        store<<<1, 1>>>(dest, me, next);
        nvshmemx_barrier_all_on_stream(0);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    } else {
        nvshmem_int_p(dest, me, next);
        nvshmem_barrier_all();
    }
    printf("PE %d of %d got %d\n", me, nvshmem_n_pes(), *dest);
    nvshmem_free(dest);
    nvshmem_finalize();
    return 0;
}
END
text="PE 0 of $pes got $((pes - 1))"
query()
{
    PKG_CONFIG_PATH=${pc%/*} pkg-config --define-variable=prefix="$prefix" "$@" anyshmem-device
}
# shellcheck disable=SC2046 # lists of words
"$NVCC" $(query --variable=nvccflags) "$tmp/app.cu" -o "$tmp/app" $(query --cflags --libs) \
    >"$tmp/log" 2>&1 && run "$tmp/app" "$text"
report $? "a program of CUDA by pkg-config"

home=$(query --variable=nvshmem_home)
# For one kind of GPU, for the flags are not what is tested.
"$NVCC" -rdc=true "$NVCC_ARCH" "$tmp/app.cu" -o "$tmp/app" -I"$home/include" -L"$home/lib" \
    -lnvshmem_host -lnvshmem_device >"$tmp/log" 2>&1 && run "$tmp/app" "$text"
report $? "a program of CUDA with -lnvshmem_host -lnvshmem_device"

if ! command -v cmake >/dev/null; then
    skip "a program of CUDA by CMake" "no cmake"
    finish
fi
cat >"$tmp/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES CXX CUDA)
find_package(anyshmem ${WANTED} REQUIRED COMPONENTS device)
find_package(NVSHMEM REQUIRED)
add_executable(ours app.cu)
target_link_libraries(ours PRIVATE anyshmem::device)
add_executable(theirs app.cu)
target_link_libraries(theirs PRIVATE nvshmem::nvshmem_host nvshmem::nvshmem_device)
set_target_properties(ours theirs PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
END
kind=$(printf '%s\n' "$NVCC_ARCH" | sed -n 's/.*code=sm_//p')
{
    cmake -S "$tmp" -B "$tmp/cmake" -DCMAKE_CUDA_COMPILER="$NVCC" -DWANTED="$version" \
        -DCMAKE_CUDA_ARCHITECTURES="${kind:-native}" \
        -DCMAKE_PREFIX_PATH="$prefix;$home" && cmake --build "$tmp/cmake"
} >"$tmp/log" 2>&1 && run "$tmp/cmake/ours" "$text"
report $? "a program of CUDA by CMake: anyshmem::device"
run "$tmp/cmake/theirs" "$text"
report $? "a program of CUDA by CMake: nvshmem::nvshmem_host, nvshmem::nvshmem_device"

# asks WANTED: does CMake find anyshmem as this?
asks()
{
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(p NONE)\n%s\n' \
        "find_package(anyshmem $1 REQUIRED)" >"$tmp/CMakeLists.txt"
    rm -rf "$tmp/asks"
    cmake -S "$tmp" -B "$tmp/asks" -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1
}

# Its own version and series; not what is newer, or of another series; nor another part.
series=${version%.*}
for wanted in "$version EXACT COMPONENTS device" "$series"; do
    asks "$wanted"
    report $? "CMake finds anyshmem $wanted"
done
for wanted in 99.0 0.0 "$series.99"; do
    ! asks "$wanted" && grep -q "anyshmem-config.cmake, version: $version\$" "$tmp/log"
    report $? "CMake does not find anyshmem $wanted"
done
! asks "$version COMPONENTS other" && grep -q 'anyshmem was installed without other$' "$tmp/log"
report $? "CMake does not find another part of anyshmem"
finish
