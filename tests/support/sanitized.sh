# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   sanitized   true if the library is built with a sanitizer, which must be loaded
#               first: then nothing can be preloaded, nor linked by hand

sanitized()
{
    ldd "${builddir:-.}/.libs/libanyshmem.so" 2>/dev/null | grep -q 'lib[a-z]*san'
}
