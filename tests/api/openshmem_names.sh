#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each function of OpenSHMEM 1.5 and 1.6 (tests/conformance/openshmem.tsv) is called by programs
# that check what it does, where PEs are mapped and over TCP; and each generic of C11, for each of
# its types, by the programs that call generics alone.

srcdir=${srcdir:-.}
builddir=${builddir:-.}
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
no_jobs
list=$output.list
awk -f "$srcdir/tests/conformance/expand.awk" "$srcdir/tests/conformance/openshmem.tsv" >"$list" ||
    exit 99
libs=${abs_builddir:-$(cd "$builddir" && pwd)}/.libs
if sanitized; then
    echo "1..0 # SKIP a sanitizer must come before the library that records calls"
    exit 0
fi
if [ ! -e "$libs/recorder.so" ] || ! nm -D "$libs/recorder.so" | grep -q ' T shmem_quiet'; then
    echo "1..0 # SKIP there is no recorder for this processor"
    exit 0
fi

# record FILE PROGRAM...: run two PEs of these programs, and mark in the file what they call.
record()
{
    file=$1
    shift
    for program in "$@"; do
        # Those of C++ are built where there is C++; what is missing for another reason is not called.
        [ -x "$builddir/tests/$program" ] || continue
        SHMEM_RECORD=$file TEST_PRELOAD=$libs/recorder.so "$srcdir/tests/launch" 2 \
            "$builddir/tests/$program" >"$output" 2>&1 </dev/null && continue
        result "status $?" "$program"
    done
    # This one ends its job with status 7.
    SHMEM_RECORD=$file TEST_PRELOAD=$libs/recorder.so "$srcdir/tests/launch" 2 \
        "$builddir/tests/api/openshmem" exit_in_thread >"$output" 2>&1 </dev/null
}

# called FILE: the names that are marked in it, one a line.
called()
{
    od -An -v -tu1 -w1 "$1" >"$output.bytes"
    awk -F '\t' '$4 == "c" { print $2 }' "$list" | paste - "$output.bytes" |
        awk '$2 == 1 { print $1 }'
}

# all_called FILE NAME: none of the list is missing in it.
all_called()
{
    called "$1" >"$output.called"
    awk -F '\t' 'NR == FNR { called[$1] = 1; next } $4 == "c" && !($2 in called) { print $2 }' \
        "$output.called" "$list" >"$output"
    n=$(grep -c . "$output.called")
    if [ -s "$output" ]; then
        result "$(grep -c . "$output") are not" "$2"
    else
        result ok "$2: $n functions"
    fi
}

# The types that differ in C, and the names that go with them.
types='char|schar|short|int|long|longlong|uchar|ushort|uint|ulong|ulonglong'
types="$types|float|double|longdouble|complexf|complexd"

programs=$(cd "$srcdir/tests" && ls pe/shmem*.pe | sed 's/\.pe$//')
# shellcheck disable=SC2086 # lists of words
record "$output.direct" $programs
all_called "$output.direct" "called where PEs are mapped"
if [ -d /sys/class/net ]; then
    export ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self
    # shellcheck disable=SC2086
    record "$output.tcp" $programs
    all_called "$output.tcp" "called over TCP"
    unset ANYSHMEM_DISABLE_DIRECT UCX_TLS
else
    skipped "without /sys UCX finds no network interface" "called over TCP"
fi
# shellcheck disable=SC2046
record "$output.generic" $(echo "$programs" | grep _generic)
called "$output.generic" >"$output.called"
awk -F '\t' -v types="$types" '
    NR == FNR { called[$1] = 1; next }
    $4 == "c" { functions[++n] = $2 }
    $4 == "c11" { generics[substr($2, 7)] = 1 }
    END {
        for (i = 1; i <= n; i++) {
            generic = functions[i]
            if (!sub("^shmem_(ctx_)?(" types ")_", "", generic) || !(generic in generics)) continue
            if (functions[i] in called) had[generic]++
            else print functions[i]
        }
        for (generic in had) count += had[generic]
        print count + 0 > "/dev/stderr"
    }' "$output.called" "$list" >"$output" 2>"$output.count"
if [ -s "$output" ]; then
    result "some are not" "generics call the functions of their types"
elif [ "$(cat "$output.count")" -lt 700 ]; then
    result "only $(cat "$output.count")" "generics call the functions of their types"
else
    result ok "generics call the functions of their types: $(cat "$output.count")"
fi
# Those without a type in the function: shmem_sync(team) and the like.
for name in shmem_signal_set shmem_signal_add shmem_ctx_signal_set shmem_ctx_signal_add \
    shmem_team_sync; do
    verdict=ok
    grep -qx "$name" "$output.called" || verdict="not called"
    result "$verdict" "a generic calls $name"
done
plan
