#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What is installed is enough: README's first program, compiled and linked with
# pkg-config as README says, runs as a job; and nothing is missing that it does
# not use.  Where the device library was built, so is a program of CUDA: by
# pkg-config, by CMake, and with NVSHMEM's own names; it runs with and without a
# GPU.

: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.tmp
mkdir "$tmp" || exit 99

# run PROGRAM TEXT: as a job, PE 0 of which prints the text.
run()
{
    LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH \
        "$srcdir/tests/launch" $pes "$1" >"$output" 2>&1 && grep -q "^$2\$" "$output"
}

${MAKE:-make} -s install DESTDIR="$tmp/root" >"$output" 2>&1
verdict $? "make install"

pc=$(find "$tmp/root" -name anyshmem.pc)
prefix=${pc%/lib*}
# shellcheck disable=SC2016 # not to be expanded
sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >"$tmp/hello.c"
flags=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --define-variable=prefix="$prefix" --cflags --libs \
    anyshmem 2>"$output")
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/hello.c" -o "$tmp/hello" $CFLAGS $flags >>"$output" 2>&1
verdict $? "README's program compiles with pkg-config's flags"

pes=2
[ -n "$LAUNCHER" ] || pes=1
libdir=$(dirname "$(find "$tmp/root" -name libanyshmem.so)")
run "$tmp/hello" "PE 0 of $pes got $((pes - 1))"
verdict $? "README's program runs"

# Each header, where the others look for it.
# Those of include/cuda stand in for CUDA's, of which this machine may have others
# (runtime_headers.sh).
(cd "$srcdir/include" && find . -name '*.h' ! -path './cuda/*') | sed 's|^\./\(.*\)|#include <\1>|' >"$tmp/all.c"
echo 'int main(void) { return 0; }' >>"$tmp/all.c"
# shellcheck disable=SC2086 # a list of words
$CC -Werror "$tmp/all.c" -o "$tmp/all" $CFLAGS $flags >"$output" 2>&1
verdict $? "all headers are installed"

# The version, and the libraries that a static program adds for us.
printf '#include <nvshmem/version.h>\n#include <stdio.h>\n%s\n' \
    'int main(void) { return puts(ANYSHMEM_VERSION) < 0; }' >"$tmp/version.c"
version=$(PKG_CONFIG_PATH=${pc%/*}:$PKG_CONFIG_PATH pkg-config --modversion anyshmem 2>"$output")
private=$(sed -n 's/^Libs\.private: //p' "$pc")
echo "version: $version; Libs.private: $private" >>"$output"
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/version.c" -o "$tmp/version" $CFLAGS $flags $private >>"$output" 2>&1 &&
    [ -n "$version" ] &&
    [ "$(LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH "$tmp/version")" = "$version" ]
verdict $? "the version and the libraries in anyshmem.pc"

# Tools, completion, and a manual page for each function.
for file in bin/anyshmem-info bin/anyshmem-perf bin/anyshmem-run bin/anyshmem-trace \
    share/bash-completion/completions/anyshmem-info share/zsh/site-functions/_anyshmem \
    share/man/man7/anyshmem.7 share/man/man1/anyshmem-run.1 share/man/man3/nvshmem_fence.3 \
    share/man/man3/shmem_put.3; do
    [ -s "$prefix/$file" ] || echo "no $file"
done >"$output"
[ "$(cat "$prefix/share/man/man3/nvshmem_int_put.3")" = '.so man3/nvshmem_put.3' ] ||
    echo "nvshmem_int_put.3 is no link to nvshmem_put.3" >>"$output"
sed -n 's/^ *\([a-z]*shmemx*_[a-z0-9_]*\);$/\1/p' "${builddir:-.}/lib/anyshmem.map" |
    grep -v '^anyshmem_module_' | while read -r name; do
        [ -s "$prefix/share/man/man3/$name.3" ] || echo "no page $name.3"
    done >>"$output"
nothing "tools, completion and manual pages"
LD_LIBRARY_PATH=$libdir:$LD_LIBRARY_PATH "$prefix/bin/anyshmem-info" -n >"$output" 2>&1 &&
    grep -q "^library .*$libdir/libanyshmem" "$output"
verdict $? "the installed anyshmem-info has the installed library"

# NVSHMEM's own names.
home=$libdir/anyshmem/nvshmem
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/hello.c" -o "$tmp/named" $CFLAGS -I"$home/include" -L"$home/lib" -lnvshmem_host \
    >"$output" 2>&1 && run "$tmp/named" "PE 0 of $pes got $((pes - 1))"
verdict $? "README's program with -lnvshmem_host"

# OpenSHMEM's: the compilers and oshrun, and pkg-config's oshmem.
shmem=$libdir/anyshmem/shmem
cat >"$tmp/osh.c" <<'END'
#include <mpp/shmem.h>
#include <pshmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    long *word;
    shmem_init();
    word = (long *)shmem_calloc(1, sizeof(*word));
    shmem_put(word, word, 0, 0);
    pshmem_long_p(word, _my_pe() + 1, (_my_pe() + 1) % _num_pes());
    shmem_barrier_all();
    printf("PE %d of %d got %ld, %s\n", shmem_my_pe(), shmem_n_pes(), *word, getenv("OSH_TEXT"));
    return 0;
}
END
cp "$tmp/osh.c" "$tmp/osh.cc"
for name in oshcc shmemcc oshc++ oshcxx oshCC shmemc++ shmemcxx shmemCC; do
    case $name in osh*) run=oshrun ;; *) run=shmemrun ;; esac
    what="$name and $run"
    source=$tmp/osh.cc
    case $name in *cc) source=$tmp/osh.c ;; esac
    # shellcheck disable=SC2086 # a list of words
    if ! OSHCC_CC=$CC "$shmem/bin/$name" "$source" -o "$tmp/osh" $CFLAGS >"$output" 2>&1 ||
        ! "$shmem/bin/$name" --version >>"$output" 2>&1; then
        verdict 1 "$what"
    elif [ -z "$LAUNCHER" ]; then
        skipped "no launcher" "$what"
    else
        ANYSHMEM_LAUNCHER=$LAUNCHER "$shmem/bin/$run" -np 2 -x OSH_TEXT=hello "$tmp/osh" \
            >"$output" 2>&1 && grep -q '^PE 0 of 2 got 2, hello$' "$output"
        verdict $? "$what"
    fi
done
{
    echo "compile $("$shmem/bin/oshcc" --showme:compile), link $("$shmem/bin/oshcc" --showme:link)"
    for option in -show --show -showme --showme; do
        echo "whole $(OSHCC_CC=some "$shmem/bin/oshcc" $option -c x.c)"
    done
    PKG_CONFIG_PATH=$shmem/lib/pkgconfig pkg-config --cflags --libs oshmem
} >"$output" 2>&1
grep -qxF "compile -I$shmem/include, link -L$libdir -Wl,-rpath,$libdir -lanyshmem" "$output" &&
    [ "$(grep -cxF "whole some -I$shmem/include -c x.c" "$output")" -eq 4 ] &&
    grep -q '^-I.* -lanyshmem' "$output"
verdict $? "oshcc says what it does, and pkg-config knows oshmem"

# The headers that NVSHMEM has beside these two, each alone.
for path in nvshmem_host.h host/nvshmem_api.h host/nvshmemx_api.h host/nvshmem_coll_api.h \
    host/nvshmemx_coll_api.h host/nvshmem_macros.h device/nvshmem_defines.h \
    device/nvshmemx_defines.h device/nvshmem_device_macros.h device/nvshmem_coll_defines.cuh \
    device/nvshmemx_coll_defines.cuh device/nvshmemx_collective_launch_apis.h \
    device_host/nvshmem_types.h device_host/nvshmem_common.cuh \
    device_host_transport/nvshmem_constants.h non_abi/nvshmemx_error.h; do
    printf '#include <%s>\n#include <nvshmem.h>\n%s\n' "$path" \
        'nvshmemx_init_attr_t attr; enum nvshmemx_status status = NVSHMEMX_SUCCESS;
        int (*launch)() = (int (*)())nvshmemx_collective_launch;' >"$tmp/path.c"
    # shellcheck disable=SC2086 # a list of words
    $CC -w -c "$tmp/path.c" -o "$tmp/path.o" $CFLAGS -I"$home/include" 2>&1
done >"$output"
printf '#include <%s>\n#include <%s>\n#include <%s>\n%s\n' non_abi/nvshmem_version.h \
    non_abi/nvshmem_build_options.h bootstrap_device_host/nvshmem_uniqueid.h \
    'nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    _Static_assert(NVSHMEM_VENDOR_VERSION == 30800, "3.8.0");' >"$tmp/path.c"
# shellcheck disable=SC2086 # a list of words
$CC -c "$tmp/path.c" -o "$tmp/path.o" $CFLAGS -I"$home/include" >>"$output" 2>&1
# Projects read the release by a regular expression.
[ "$(sed -n 's/^#define NVSHMEM_VENDOR_M[AJINOR]*_VERSION \([0-9]*\)$/\1/p' \
    "$home/include/non_abi/nvshmem_version.h" | tr '\n' .)" = 3.8. ] || echo "no 3.8" >>"$output"
nothing "the paths of NVSHMEM's headers"

# linked "FLAGS" TEXT: README's program, linked so, with NVSHMEM's folder for the loader.
linked()
{
    # shellcheck disable=SC2086 # lists of words
    $CC "$tmp/hello.c" -o "$tmp/named" $CFLAGS -I"$home/include" -L"$home/lib" $1 \
        -Wl,-rpath,"$home/lib" >"$output" 2>&1 &&
        LD_LIBRARY_PATH=$home/lib:$LD_LIBRARY_PATH "$srcdir/tests/launch" $pes "$tmp/named" \
            >>"$output" 2>&1 && grep -q "^PE 0 of $pes got $((pes - 1))\$" "$output"
    verdict $? "$2"
}
linked -l:libnvshmem_host.so.3 "README's program with libnvshmem_host.so.3"
readelf -d "$tmp/named" 2>&1 | grep -q 'NEEDED.*\[libnvshmem_host.so.3\]'
verdict $? "it needs a library of that name"
linked -lnvshmem "README's program with -lnvshmem"

# A program that has nothing of ours but the name of the library that it loads.
cat >"$tmp/load.c" <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;
static sem_t has_called, may_end;
static void *routine(const char *name)
{
    void *address = dlsym(library, name);
    if (address == NULL) exit(fprintf(stderr, "%s: %s\n", name, dlerror()));
    return address;
}
#define CALL(RESULT, NAME, TYPES) (((RESULT (*)TYPES)routine(NAME)))

/* Its end comes after the library was closed. */
static void *other_thread(void *word)
{
    (void)CALL(int, "nvshmem_int_g", (const int *, int))(word, 0);
    sem_post(&has_called);
    sem_wait(&may_end);
    return NULL;
}

int main(void)
{
    int me, n, sum;
    int *word;
    pthread_t thread;
    sem_init(&has_called, 0, 0);
    sem_init(&may_end, 0, 0);
    library = dlopen("libnvshmem_host.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (CALL(int, "nvshmemx_init_status", (void))() != 0) return 2;
    if (CALL(int, "nvshmemx_hostlib_init_attr", (unsigned, void *))(0, NULL) != 0) return 3;
    if (CALL(int, "nvshmemid_init_status", (void))() != 2) return 4;
    me = CALL(int, "nvshmem_my_pe", (void))();
    n = CALL(int, "nvshmem_n_pes", (void))();
    word = CALL(int *, "nvshmem_calloc", (size_t, size_t))(2, sizeof(*word));
    CALL(void, "nvshmem_int_p", (int *, int, int))(word, me + 1, (me + 1) % n);
    CALL(void, "nvshmem_barrier_all", (void))();
    CALL(int, "nvshmem_int_sum_reduce", (int, int *, const int *, size_t))(0, word + 1, word, 1);
    sum = word[1];
    if (pthread_create(&thread, NULL, other_thread, word) != 0) return 6;
    sem_wait(&has_called);
    CALL(void, "nvshmemx_hostlib_finalize", (void))();
    if (dlclose(library) != 0) return 7;
    sem_post(&may_end);
    pthread_join(thread, NULL);
    library = dlopen("libnvshmem_host.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 8;
    printf("PE %d of %d: sum %d\n", me, n, sum);
    /* What the library does at the end of a program of OpenSHMEM, it does unloaded as well. */
    CALL(void, "shmem_init", (void))();
    CALL(void, "shmem_finalize", (void))();
    return dlclose(library) == 0 ? 0 : 5;
}
END
sum=$((pes * (pes + 1) / 2))
# shellcheck disable=SC2086 # a list of words
$CC "$tmp/load.c" -o "$tmp/load" $CFLAGS -pthread -ldl >"$output" 2>&1 &&
    LD_LIBRARY_PATH=$home/lib:$LD_LIBRARY_PATH run "$tmp/load" "PE 0 of $pes: sum $sum"
verdict $? "a program that loads libnvshmem_host.so.3, and closes it"
# In a program that has the library already there is one of it: the loaded names are its own.
cat >"$tmp/both.c" <<'END'
#include <dlfcn.h>
#include <nvshmem.h>
#include <stdio.h>
int main(void)
{
    void *library = dlopen("libnvshmem_host.so.3", RTLD_NOW | RTLD_LOCAL);
    nvshmem_init();
    printf("%d\n", library != NULL && dlsym(library, "nvshmem_quiet") == (void *)nvshmem_quiet);
    nvshmem_finalize();
    return 0;
}
END
# shellcheck disable=SC2086 # lists of words
$CC "$tmp/both.c" -o "$tmp/both" $CFLAGS $flags -ldl >"$output" 2>&1 &&
    LD_LIBRARY_PATH=$home/lib:$LD_LIBRARY_PATH run "$tmp/both" 1
verdict $? "a program that has the library and loads it by that name"

# asks_nvshmem WANTED: does CMake find NVSHMEM as this, for a program of C?
asks_nvshmem()
{
    mkdir -p "$tmp/c" && cp "$tmp/hello.c" "$tmp/c" &&
        printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(p LANGUAGES C)' \
            "find_package(NVSHMEM $1 REQUIRED)" 'add_executable(hello hello.c)' \
            'target_link_libraries(hello PRIVATE nvshmem::nvshmem)' \
            'target_compile_options(hello PRIVATE -include host/nvshmem_api.h)' \
            >"$tmp/c/CMakeLists.txt"
    rm -rf "$tmp/asks"
    cmake -S "$tmp/c" -B "$tmp/asks" -DCMAKE_PREFIX_PATH="$home" >"$output" 2>&1
}
if ! command -v cmake >/dev/null; then
    skipped "no cmake" "CMake finds NVSHMEM"
else
    asks_nvshmem 3.0 && cmake --build "$tmp/asks" >>"$output" 2>&1 &&
        run "$tmp/asks/hello" "PE 0 of $pes got $((pes - 1))"
    verdict $? "CMake finds NVSHMEM 3.0, and nvshmem::nvshmem"
    asks_nvshmem "3.8.0 EXACT"
    verdict $? "CMake finds NVSHMEM 3.8.0"
    ! asks_nvshmem 3.9 && grep -q 'NVSHMEMConfig.cmake, version: 3.8.0$' "$output"
    verdict $? "CMake does not find NVSHMEM 3.9"
fi

if [ ! -e "$libdir/libanyshmem_device.a" ]; then
    skipped "the device library was not built" "a program of CUDA"
    plan
elif ldd "$libdir/libanyshmem.so" | grep -q 'lib[a-z]*san'; then
    skipped "nvcc has no sanitizers" "a program of CUDA"
    plan
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
    >"$output" 2>&1 && run "$tmp/app" "$text"
verdict $? "a program of CUDA by pkg-config"

home=$(query --variable=nvshmem_home)
# For one kind of GPU, for the flags are not what is tested.
"$NVCC" -rdc=true "$NVCC_ARCH" "$tmp/app.cu" -o "$tmp/app" -I"$home/include" -L"$home/lib" \
    -lnvshmem_host -lnvshmem_device >"$output" 2>&1 && run "$tmp/app" "$text"
verdict $? "a program of CUDA with -lnvshmem_host -lnvshmem_device"
"$NVCC" -rdc=true "$NVCC_ARCH" "$tmp/app.cu" -o "$tmp/app" -I"$home/include" -L"$home/lib" \
    -lnvshmem >"$output" 2>&1 && run "$tmp/app" "$text"
verdict $? "a program of CUDA with -lnvshmem"

if ! command -v cmake >/dev/null; then
    skipped "no cmake" "a program of CUDA by CMake"
    plan
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
} >"$output" 2>&1 && run "$tmp/cmake/ours" "$text"
verdict $? "a program of CUDA by CMake: anyshmem::device"
run "$tmp/cmake/theirs" "$text"
verdict $? "a program of CUDA by CMake: nvshmem::nvshmem_host, nvshmem::nvshmem_device"

# asks WANTED: does CMake find anyshmem as this?
asks()
{
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(p NONE)\n%s\n' \
        "find_package(anyshmem $1 REQUIRED)" >"$tmp/CMakeLists.txt"
    rm -rf "$tmp/asks"
    cmake -S "$tmp" -B "$tmp/asks" -DCMAKE_PREFIX_PATH="$prefix" >"$output" 2>&1
}

# Its own version and series; not what is newer, or of another series; nor another part.
series=${version%.*}
for wanted in "$version EXACT COMPONENTS device" "$series"; do
    asks "$wanted"
    verdict $? "CMake finds anyshmem $wanted"
done
for wanted in 99.0 0.0 "$series.99"; do
    ! asks "$wanted" && grep -q "anyshmem-config.cmake, version: $version\$" "$output"
    verdict $? "CMake does not find anyshmem $wanted"
done
! asks "$version COMPONENTS other" && grep -q 'anyshmem was installed without other$' "$output"
verdict $? "CMake does not find another part of anyshmem"
plan
