#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs with a sanitizer use the library as it is, and their kernels' mistakes are found,
# with the line: overflows of shared memory, missing barriers, races between blocks.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
if sanitized; then
    echo "1..0 # SKIP the library has a sanitizer itself"
    exit 0
fi
source=$srcdir/tests/unit/hostdev/tools.c
abs_libs=$(cd "$builddir/.libs" && pwd -P) || exit 99

# line WORD FUNCTION: the number of the line of the program that is marked so.
line()
{
    awk -v word="$1" -v function_name="$2" '
        $0 ~ "^static void " function_name "\\(" { inside = 1 }
        inside && $0 ~ "/\\* " word " \\*/" { print FNR; exit }' "$source"
}

# compiled SANITIZER: the program, or why there is none.
compiled()
{
    # shellcheck disable=SC2086 # a compiler with its options
    $CC -std=gnu11 -g -O1 -fsanitize="$1" -D_GNU_SOURCE -I"$builddir/include" -I"$srcdir/include" \
        -I"$srcdir" "$source" -o "$output.$1" -L"$abs_libs" -lanyshmem \
        -Wl,-rpath,"$abs_libs" -lpthread >"$output" 2>&1 || return 1
    # Some machines' address space is none for these tools.
    run "$1" right
    ! grep -q "unexpected memory mapping\|Shadow memory range" "$output"
}

run()
{
    env ASAN_OPTIONS=exitcode=9 TSAN_OPTIONS=exitcode=9 ANYSHMEM_HOSTDEV_WORKERS="${workers:-1}" \
        timeout -k 5 "${TEST_TIMEOUT:-100}" "$output.$1" "$2" >"$output" 2>&1 </dev/null
}

# finds SANITIZER CASE KIND WORD
finds()
{
    run "$1" "$2"
    verdict=ok
    grep -q "$3" "$output" || verdict="no report of a $3"
    at=$(line "$4" "$2")
    grep -q "tools\.c:$at" "$output" || verdict="$verdict; not of line $at"
    result "$verdict" "$1 finds $2"
}

# clean SANITIZER
clean()
{
    for workers in 1 3; do
        run "$1" right
        status=$?
        verdict=ok
        [ "$status" = 0 ] || verdict="status $status"
        [ "$(cat "$output")" = "done" ] || verdict="$verdict, it says more than done"
        result "$verdict" "$1 finds nothing in what is right, with $workers workers"
    done
    workers=1
}

if compiled address; then
    clean address
    finds address overflow heap-buffer-overflow overflow
    finds address dynamic_overflow heap-buffer-overflow overflow
else
    skipped "the compiler has none, or it does not run here" "AddressSanitizer"
fi
if compiled thread; then
    clean thread
    finds thread no_barrier "data race" race
    finds thread no_warp_barrier "data race" race
    finds thread blocks_race "data race" race
else
    skipped "the compiler has none, or it does not run here" "ThreadSanitizer"
fi
plan
