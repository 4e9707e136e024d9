# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   sanitized   true if the library is built with a sanitizer, whose own library must be
#               loaded first: then nothing else can be preloaded, nor linked by hand

# clang links its sanitizer into each program, so ldd shows none for the library.
sanitized()
{
    sanitized_library=${builddir:-.}/.libs/libanyshmem.so
    ldd "$sanitized_library" 2>/dev/null | grep -q 'lib[a-z]*san' ||
        grep -q '__[at]san_init' "$sanitized_library" 2>/dev/null
}
