# SPDX-License-Identifier: BSD-3-Clause
# One macro per question configure asks.

# ASH_CHECK_DEP(NAME, MODULE, MIN, PROBE-HEADER, LIBS, PROBE-FUNCTION)
# --with-NAME=DIR looks below DIR; otherwise pkg-config decides.
AC_DEFUN([ASH_CHECK_DEP], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=DIR], [use $1 below DIR instead of asking pkg-config])],
    [], [with_$1=yes])
  AS_CASE([$with_$1],
    [no], [AC_MSG_ERROR([$1 is required])],
    [yes], [PKG_CHECK_MODULES(m4_toupper([$1]), [$2 >= $3])],
    [m4_toupper([$1])_CFLAGS="-I$with_$1/include"
     m4_toupper([$1])_LIBS="-L$with_$1/lib -l$5"
     AC_SUBST(m4_toupper([$1])_CFLAGS) AC_SUBST(m4_toupper([$1])_LIBS)])
  ash_save_CPPFLAGS=$CPPFLAGS ash_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $m4_toupper([$1])_CFLAGS" LIBS="$m4_toupper([$1])_LIBS $LIBS"
  AC_CHECK_HEADER([$4], [], [AC_MSG_ERROR([$4 not found])])
  AC_CHECK_FUNC([$6], [], [AC_MSG_ERROR([$6 not found in $1])])
  CPPFLAGS=$ash_save_CPPFLAGS LIBS=$ash_save_LIBS
])

AC_DEFUN([ASH_CHECK_UCX], [ASH_CHECK_DEP([ucx], [ucx], [$1], [ucp/api/ucp.h], [ucp -lucs], [ucp_put_nbx])])

AC_DEFUN([ASH_CHECK_PMIX], [
  ASH_CHECK_DEP([pmix], [pmix], [$1], [pmix.h], [pmix], [PMIx_Init])
  # Debian's pmix.pc carries an rpath, which Debian Policy 10.2 does not allow.
  PMIX_LIBS=$(AS_ECHO(["$PMIX_LIBS"]) | sed 's/-Wl,-rpath -Wl,[[^ ]]*//; s/-Wl,--enable-new-dtags//')
])

# ASH_CUDA_ARCH(LIST): NVCC_ARCH, nvcc's flags for the architectures of LIST, such
# as "80,90": code for each and, of the last one, what newer GPUs compile from.
# "all-major" is such a list, so that programs are linked for the same ones with
# another nvcc as well; other words that begin with "all" or "native" are nvcc's own.
AC_DEFUN([ASH_CUDA_ARCH], [
  ash_archs=$1
  AS_IF([test "$ash_archs" = all-major],
    [ash_archs=`$NVCC --list-gpu-arch | sed 's/^compute_//' | sort -n |
       awk 'NR == 1 || $[1] % 10 == 0 { printf "%s%s", sep, $[1]; sep = "," }'`])
  AS_CASE([$ash_archs],
    [all*|native], [NVCC_ARCH="-arch=$ash_archs"],
    [*[[!0-9a-z_,]]*|,*|*,|*,,*|""], [AC_MSG_ERROR([--with-cuda-arch=$ash_archs is no list such as 80,90])],
    [NVCC_ARCH=
     for ash_arch in `AS_ECHO(["$ash_archs"]) | tr ',' ' '`; do
       ash_arch=`AS_ECHO(["$ash_arch"]) | sed 's/^sm_//; s/^compute_//'`
       NVCC_ARCH="$NVCC_ARCH -gencode=arch=compute_$ash_arch,code=sm_$ash_arch"
     done
     NVCC_ARCH="$NVCC_ARCH -gencode=arch=compute_$ash_arch,code=compute_$ash_arch"])
  NVCC_ARCH=`AS_ECHO(["$NVCC_ARCH"]) | sed 's/^ //'`
])

AC_DEFUN([ASH_CHECK_CUDA], [
  AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@], [build the device library with the nvcc below DIR @<:@if found@:>@])],
    [], [with_cuda=auto])
  AC_ARG_WITH([cuda-arch], [AS_HELP_STRING([--with-cuda-arch=LIST], [GPUs of the device library, such as 80,90 @<:@all-major@:>@])],
    [], [with_cuda_arch=all-major])
  AC_ARG_VAR([NVCC], [CUDA compiler])
  AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags])
  AS_CASE([$with_cuda],
    [no], [NVCC=],
    [yes|auto], [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])],
    [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  AS_IF([test -n "$NVCC"], [
    ASH_CUDA_ARCH([$with_cuda_arch])
    AC_MSG_CHECKING([whether $NVCC compiles for $with_cuda_arch])
    AS_ECHO(["__global__ void kernel() {}"]) >conftest.cu
    AS_IF([$NVCC $NVCC_ARCH $NVCCFLAGS -rdc=true -c -o conftest.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AS_CASE([$with_cuda], [auto], [NVCC= NVCC_ARCH=], [AC_MSG_ERROR([$NVCC does not compile for $with_cuda_arch; see config.log])])])
    rm -f conftest.cu conftest.o
  ], [AS_CASE([$with_cuda], [no|auto], [], [AC_MSG_ERROR([--with-cuda was given, but nvcc was not found])])])
  AC_SUBST([NVCC_ARCH])
  # The same as CMake calls it; nvcc's own words are CMake's as well.
  CUDA_ARCHITECTURES=`AS_ECHO(["$NVCC_ARCH"]) | tr ' ' '\n' |
    sed -n 's/^-arch=//p; s/.*code=sm_\(.*\)/\1-real/p; s/.*code=compute_\(.*\)/\1-virtual/p' | tr '\n' ' '`
  AC_SUBST([CUDA_ARCHITECTURES])
  # One kind of GPU, for tests: sm_80 or the first.
  NVCC_ONE_ARCH=`AS_ECHO(["$NVCC_ARCH"]) | tr ' ' '\n' | awk 'NR == 1 || /code=sm_80$/ { one = $[0] } END { print one }'`
  AC_SUBST([NVCC_ONE_ARCH])
  AM_CONDITIONAL([HAVE_CUDA], [test -n "$NVCC"])
])

# The device library as LLVM bitcode, which clang makes without CUDA's headers.
AC_DEFUN([ASH_CHECK_BITCODE], [
  AC_ARG_WITH([bitcode], [AS_HELP_STRING([--with-bitcode], [build the device library as LLVM bitcode @<:@if clang can@:>@])],
    [], [with_bitcode=auto])
  AC_ARG_VAR([CLANG], [compiler of the device library's bitcode])
  BITCODE_FLAGS="-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -std=c++17 -O2"
  BITCODE_FLAGS="$BITCODE_FLAGS -Xclang -target-feature -Xclang +ptx71 -emit-llvm -Wno-unknown-cuda-version"
  AS_IF([test "$with_bitcode" = no], [CLANG=], [
    AC_PATH_PROG([CLANG], [clang])
    AS_IF([test -n "$CLANG"], [
      AC_MSG_CHECKING([whether $CLANG compiles for GPUs of NVIDIA])
      AS_ECHO(["#include <__clang_cuda_builtin_vars.h>"]) >conftest.cu
      AS_ECHO(["__attribute__((device)) int f(int x) { return __nvvm_shfl_sync_idx_i32(1, x, 0, 31) + threadIdx.x; }"]) >>conftest.cu
      AS_IF([$CLANG $BITCODE_FLAGS -c -o conftest.bc conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
        [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no]); CLANG=])
      rm -f conftest.cu conftest.bc
    ])
    AS_CASE([$CLANG.$with_bitcode], [.yes], [AC_MSG_ERROR([--with-bitcode was given, but no clang compiles for GPUs of NVIDIA; see config.log])])
  ])
  AC_SUBST([BITCODE_FLAGS])
  AM_CONDITIONAL([HAVE_BITCODE], [test -n "$CLANG"])
])

# Light-weight contexts of the host device: Boost.Context's C entry points where
# they are, swapcontext elsewhere (forty times slower).
AC_DEFUN([ASH_CHECK_CONTEXT], [
  AC_ARG_WITH([boost-context], [AS_HELP_STRING([--without-boost-context], [switch contexts with swapcontext])],
    [], [with_boost_context=yes])
  ash_context=swapcontext
  AS_IF([test "$with_boost_context" != no],
    [AC_CHECK_LIB([boost_context], [make_fcontext], [ash_context=boost CONTEXT_LIBS=-lboost_context])])
  AS_IF([test $ash_context = boost], [CONTEXT_CPPFLAGS=-DASH_CONTEXT_BOOST])
  AC_SUBST([CONTEXT_CPPFLAGS])
  AC_SUBST([CONTEXT_LIBS])
  AM_CONDITIONAL([HAVE_BOOST_CONTEXT], [test $ash_context = boost])
])

# ASH_CHECK_LLVM_CONFIG(PREFIX, LLVM-CONFIG): PREFIX_MAJOR, _CPPFLAGS and _LIBS, if that LLVM does.
AC_DEFUN([ASH_CHECK_LLVM_CONFIG], [
  $1_MAJOR=`$2 --version | sed 's/\..*//'`
  $1_CPPFLAGS="-isystem `$2 --includedir`"
  $1_LIBS="`$2 --ldflags` `$2 --libs`"
  ash_save_CPPFLAGS=$CPPFLAGS ash_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $$1_CPPFLAGS" LIBS="$$1_LIBS $LIBS"
  AC_MSG_CHECKING([whether $2 has LLVM 14 or newer with its headers])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <llvm-c/Core.h>
      #include <llvm/Config/llvm-config.h>
      #if LLVM_VERSION_MAJOR < 14
      #error
      #endif]], [[LLVMGetGEPSourceElementType(0)]])],
    [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no]); $1_MAJOR=])
  CPPFLAGS=$ash_save_CPPFLAGS LIBS=$ash_save_LIBS
  AC_SUBST([$1_MAJOR])
  AC_SUBST([$1_CPPFLAGS])
  AC_SUBST([$1_LIBS])
])

# The compiler of CUDA C++ for CPUs: a tool of ours on LLVM's C interface, and the clang of
# the same version when a program is compiled.  A second LLVM gives a second tool, for -ccbin.
AC_DEFUN([ASH_CHECK_LLVM], [
  AC_ARG_WITH([llvm], [AS_HELP_STRING([--with-llvm@<:@=LLVM-CONFIG@<:@,LLVM-CONFIG@:>@@:>@], [build anyshmem-nvcc with LLVM 14 or newer, and for a second one @<:@if found@:>@])],
    [], [with_llvm=auto])
  LLVM_CONFIG= LLVM2_CONFIG= LLVM_MAJOR= LLVM2_MAJOR= ash_nvcc_missing="--without-llvm"
  AS_CASE([$with_llvm],
    [no], [],
    [yes|auto], [AC_PATH_PROGS([LLVM_CONFIG], [llvm-config llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15 llvm-config-14])
     ash_nvcc_missing="no llvm-config"],
    [LLVM_CONFIG=`echo "$with_llvm" | sed 's/,.*//'` ash_nvcc_missing="no $with_llvm"
     AS_CASE([$with_llvm], [*,*], [LLVM2_CONFIG=`echo "$with_llvm" | sed 's/.*,//'`])])
  AS_IF([test -n "$LLVM_CONFIG"], [
    ASH_CHECK_LLVM_CONFIG([LLVM], [$LLVM_CONFIG])
    AS_IF([test -n "$LLVM_MAJOR"], [
      AC_PATH_PROGS([NVCC_CLANG], [clang++-$LLVM_MAJOR clang-$LLVM_MAJOR], [], [$PATH:`$LLVM_CONFIG --bindir`])
      ash_nvcc_missing=], [LLVM_CONFIG= ash_nvcc_missing="no headers of LLVM 14 or newer"])])
  AS_CASE([$LLVM_CONFIG.$with_llvm], [.no|.auto], [], [.*], [AC_MSG_ERROR([--with-llvm was given, but $ash_nvcc_missing])])
  # The oldest other one that is there.
  AS_IF([test -n "$LLVM_CONFIG" && test "$with_llvm" = auto], [
    for ash_one in 14 15 16 17 18 19; do
      AS_IF([test -z "$LLVM2_CONFIG" && test $ash_one != "$LLVM_MAJOR" && type llvm-config-$ash_one >/dev/null 2>&1],
        [LLVM2_CONFIG=llvm-config-$ash_one])
    done])
  AS_IF([test -n "$LLVM_CONFIG" && test -n "$LLVM2_CONFIG"],
    [ASH_CHECK_LLVM_CONFIG([LLVM2], [$LLVM2_CONFIG])])
  AM_CONDITIONAL([HAVE_LLVM], [test -n "$LLVM_CONFIG"])
  AM_CONDITIONAL([HAVE_LLVM2], [test -n "$LLVM2_MAJOR"])
])

AC_DEFUN([ASH_CHECK_EXAMPLES], [
  PKG_CHECK_MODULES([PNG], [libpng], [have_png=yes], [have_png=no])
  AS_IF([test $have_png = yes], [AC_DEFINE([HAVE_LIBPNG], [1], [libpng is there: heat writes pictures])])
])

AC_DEFUN([ASH_CHECK_TESTS], [
  PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1.5], [have_cmocka=yes], [have_cmocka=no])
  AM_CONDITIONAL([HAVE_CMOCKA], [test $have_cmocka = yes])
  AC_ARG_VAR([LAUNCHER], [PMIx launcher that runs the multi-PE tests])
  AC_CHECK_PROGS([LAUNCHER], [prterun srun mpirun])
  AC_PATH_PROG([VALGRIND], [valgrind])
  AM_CONDITIONAL([PE_TESTS], [test "$enable_tsan" != yes])
  AC_MSG_CHECKING([whether $CC compiles C++])
  AS_ECHO(["template <class T> T f(T t) { return t; } int x = f(1);"]) >conftest.cc
  AS_IF([$CC -x c++ -std=c++11 -c -o conftest.o conftest.cc >&AS_MESSAGE_LOG_FD 2>&1],
    [cxx_tests=yes], [cxx_tests=no])
  AC_MSG_RESULT([$cxx_tests])
  rm -f conftest.cc conftest.o
  AM_CONDITIONAL([CXX_TESTS], [test $cxx_tests = yes && test "$enable_tsan" != yes])
])

AC_DEFUN([ASH_SANITIZER_], [
  AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [build with -fsanitize=$2])], [], [enable_$1=no])
  AS_IF([test $enable_$1 = yes],
    [CFLAGS="$CFLAGS -fsanitize=$2 -fno-omit-frame-pointer" LDFLAGS="$LDFLAGS -fsanitize=$2"
     ash_sanitizers="$ash_sanitizers $1"
     NVCC_HOST_LDFLAGS="$NVCC_HOST_LDFLAGS -Xcompiler -fsanitize=$2"
     AC_LINK_IFELSE([AC_LANG_PROGRAM()], [], [AC_MSG_ERROR([$CC cannot -fsanitize=$2])])])
])
AC_DEFUN([ASH_SANITIZERS], [
  ash_sanitizers=
  dnl What nvcc must be told when it links objects of the C compiler.
  AC_SUBST([NVCC_HOST_LDFLAGS], [])
  m4_map([ASH_SANITIZER_], [$@])
])

AC_DEFUN([ASH_ASSERTIONS], [
  AC_ARG_ENABLE([debug], [AS_HELP_STRING([--enable-debug], [check the library's own invariants])],
    [], [enable_debug=no])
  AS_IF([test $enable_debug = yes], [DEBUG_CPPFLAGS=-DASH_DEBUG])
  AC_SUBST([DEBUG_CPPFLAGS])
])

AC_DEFUN([ASH_COVERAGE], [
  AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [count what the tests execute (gcov)])],
    [], [enable_coverage=no])
  AS_IF([test $enable_coverage = yes],
    [CFLAGS="$CFLAGS -O0 --coverage" LDFLAGS="$LDFLAGS --coverage"
     NVCC_HOST_LDFLAGS="$NVCC_HOST_LDFLAGS -Xcompiler --coverage"])
])

# What keeps an overflow from becoming more.  Not with sanitizers, which see more of
# it, nor where nothing is optimized; what CFLAGS say of it already stays as it is.
# Not -fstack-protector-strong: that guards the slow branch of a put-with-signal, and
# the usual one pays for it (43 instructions for 36).
AC_DEFUN([ASH_HARDENING], [
  AC_ARG_ENABLE([hardening], [AS_HELP_STRING([--disable-hardening],
    [without stack protector, FORTIFY and read-only relocations])], [], [enable_hardening=yes])
  AS_IF([test -n "$ash_sanitizers" || test "$enable_coverage" = yes], [enable_hardening=no])
  HARDEN_CFLAGS= HARDEN_LDFLAGS=
  AS_IF([test "$enable_hardening" = yes], [
    ash_kept_cflags=$CFLAGS ash_kept_ldflags=$LDFLAGS
    CFLAGS="$CFLAGS -fstack-protector"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [HARDEN_CFLAGS=-fstack-protector])
    CFLAGS=$ash_kept_cflags
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
        #if !defined __OPTIMIZE__ || defined _FORTIFY_SOURCE
        #error
        #endif]])], [HARDEN_CFLAGS="$HARDEN_CFLAGS -D_FORTIFY_SOURCE=2"])
    for ash_flag in -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack; do
      LDFLAGS="$ash_kept_ldflags $ash_flag"
      AC_LINK_IFELSE([AC_LANG_PROGRAM()], [HARDEN_LDFLAGS="$HARDEN_LDFLAGS $ash_flag"])
    done
    LDFLAGS=$ash_kept_ldflags])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])
])

# A routine that begins in the middle of 32 bytes of code, which processors fetch at
# once, may take a cycle more, of an atomic's nine (Zen 4).
AC_DEFUN([ASH_ALIGNMENT], [
  ALIGN_CFLAGS=
  AS_CASE([$host_cpu], [x86_64], [
    ash_kept_cflags=$CFLAGS
    CFLAGS="$CFLAGS -falign-functions=32"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [ALIGN_CFLAGS=-falign-functions=32])
    CFLAGS=$ash_kept_cflags])
  AC_SUBST([ALIGN_CFLAGS])
])

# Warnings never stop a packager's build; --enable-werror is for our CI.
AC_DEFUN([ASH_WARNINGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [let warnings stop the build])], [], [enable_werror=no])
  AC_SUBST([WARN_CFLAGS], ["-Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes"])
  AS_IF([test $enable_werror = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
])

# What anyshmem-info tells of the build.  Folders that only the build has seen
# (-ffile-prefix-map and its like) stay out of it.
AC_DEFUN([ASH_BUILD_FACTS], [
  ash_arguments=`AS_ECHO(["$ac_configure_args"]) |
    sed "s/ *-f[[a-z]]*-prefix-map=[[^ ']]*//g; s/^ *//"`
  ASH_DEFINE_TEXT([ASH_CONFIGURE], [$ash_arguments], [arguments of configure])
  ASH_DEFINE_TEXT([ASH_CUDA_ARCHS], [${NVCC:+$with_cuda_arch}],
    [GPUs of the device library, or nothing])
  ASH_DEFINE_TEXT([ASH_CONTEXT], [$ash_context], [how the host device switches contexts])
  ASH_DEFINE_TEXT([ASH_SANITIZED], [${ash_sanitizers# }], [sanitizers])
])
AC_DEFUN([ASH_DEFINE_TEXT], [
  ash_text=`AS_ECHO(["$2"]) | sed 's/[[\\"]]/\\&/g'`
  AC_DEFINE_UNQUOTED([$1], ["$ash_text"], [$3])
])

AC_DEFUN([ASH_SUMMARY], [
  AS_ECHO(["
  $PACKAGE_STRING

    prefix        $prefix
    compiler      $CC $CFLAGS
    UCX           $UCX_LIBS
    PMIx          $PMIX_LIBS
    contexts      $ash_context
    CUDA          ${NVCC:-no (CPU host device only)} ${NVCC:+for $with_cuda_arch}
    anyshmem-nvcc ${LLVM_MAJOR:+LLVM $LLVM_MAJOR${LLVM2_MAJOR:+ and $LLVM2_MAJOR}, clang ${NVCC_CLANG:-missing: needed to compile programs}}${ash_nvcc_missing:+left out: $ash_nvcc_missing}
    pictures      libpng $have_png
    tests         cmocka $have_cmocka, launcher ${LAUNCHER:-none}
    sanitizers   ${ash_sanitizers:- none}
    hardening     ${HARDEN_CFLAGS:-none}
"])
])
