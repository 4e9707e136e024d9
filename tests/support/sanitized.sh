# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   sanitized   true if the library is built with a sanitizer, which must be loaded
#               first: then nothing can be preloaded, nor linked by hand

# clang's is part of each program, and the library does not name it.
sanitized()
{
    sanitized_library=${builddir:-.}/.libs/libanyshmem.so
    ldd "$sanitized_library" 2>/dev/null | grep -q 'lib[a-z]*san' ||
        grep -q '__[at]san_init' "$sanitized_library" 2>/dev/null
}
