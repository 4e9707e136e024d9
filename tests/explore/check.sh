#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Explore the real code of the channel (explore.c).  A scenario must hold in all its
# executions.  Each mutant of the code must fail with the error that cases.sh names for
# it.  A scenario must also fail when any one of the places that order memory is weakened
# to a relaxed one, except those that cases.sh names as not needed.
#
# usage: check.sh [full]     full adds larger sizes: some minutes, 4 GB of memory
set -u
: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}" "${TEST_UCX_CFLAGS:=}"

# Absolute paths, because the compiler runs in the scratch folder.
root=$(cd "$srcdir" && pwd) || exit 99
build=$(cd "$builddir" && pwd) || exit 99
here=$root/tests/explore
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

includes="-D_GNU_SOURCE -I$scratch/mutant -I$build/include -I$root/include -I$root -I$build"
warnings="-std=gnu11 -Wall -Wextra -Wstrict-prototypes"
number=0
failures=0

# report WORD NAME: one line of TAP.
report() {
    number=$((number + 1))
    echo "$1 $number - $2"
    [ "$1" = ok ] || { failures=$((failures + 1)); tail -n 60 log | sed 's/^/# /'; }
}

# Code compiled by clang is not explored yet: the explorer's threads go wrong with it.
if $CC -dM -E -x c /dev/null 2>/dev/null | grep -q __clang__; then
    if ! command -v gcc >/dev/null 2>&1; then
        echo "1..0 # SKIP needs gcc"
        exit 0
    fi
    CC=gcc
fi

# The explorer itself, without the hooks; the code under test is compiled with them.
if ! echo 'int f(int *p); int f(int *p) { return __atomic_load_n(p, 2); }' |
    $CC -fsanitize=thread -x c -c -o probe.o - >log 2>&1; then
    echo "1..0 # SKIP $CC has no -fsanitize=thread here"
    exit 0
fi
objects=
for file in cells explore fiber hash hooks memory sites trace; do
    # shellcheck disable=SC2086 # lists of words
    $CC -O2 -U_FORTIFY_SOURCE -fno-stack-protector $warnings $includes -c "$here/$file.c" -o "$file.o" || exit 1
    objects="$objects $file.o"
done

# hooked OBJECT SOURCE DEFINES...: compile a source with the hooks.
hooked() {
    object=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    $CC -O1 -fsanitize=thread -fno-stack-protector -ffunction-sections -fdata-sections \
        $warnings -Wno-tsan -Wno-unknown-warning-option -Wno-type-limits $includes $TEST_UCX_CFLAGS "$@" -c "$source" -o "$object"
}

# compile SCENARIO DEFINES...: a program, prog, with the real sources that it needs.
compile() {
    scenario=$1 linked=
    shift
    case $scenario in
        wake) sources="client iteration lock" ;;
        reply) sources="client dispatch xfer_pool order" ;;
        *) sources= ;;
    esac
    : >log
    for real in $sources; do
        source=proxy/$real.c object=$real.o
        if [ ! -d mutant ]; then
            [ -e "$object" ] || hooked "$object" "$root/$source" >>log 2>&1 || return 1
        elif [ -e "mutant/$source" ]; then
            object=mutant.$object
            hooked "$object" "mutant/$source" >>log 2>&1 || return 1
        elif [ -e mutant/header ]; then
            object=mutant.$object
            hooked "$object" "$root/$source" >>log 2>&1 || return 1
        fi
        linked="$linked $object"
    done
    # shellcheck disable=SC2086
    hooked scenario.o "$here/$scenario.c" "$@" >>log 2>&1 &&
        $CC -Wl,--gc-sections -Wl,--wrap=memcpy,--wrap=memset \
            -Wl,--wrap=ppoll,--wrap=read,--wrap=clock_nanosleep,--wrap=syscall -o prog $objects $linked \
            scenario.o >>log 2>&1
}

# holds [-l] SCENARIO DEFINES...: explore all executions and find no error; -l: a longer limit.
holds() {
    limit=60
    [ "$1" != -l ] || { limit=3600; shift; }
    if compile "$@" && timeout "$limit" ./prog >log 2>&1; then
        report ok "$* holds: $(tail -n 1 log)"
    else
        report 'not ok' "$* holds"
    fi
}

# Make a copy of $file in mutant/, edited by sed; no copy if the edit changes nothing.
edit_copy() {
    mkdir -p "mutant/${file%/*}"
    sed -e "$edit" "$root/$file" >"mutant/$file"
    case $file in *.h) : >mutant/header ;; esac
    if cmp -s "$root/$file" "mutant/$file"; then
        echo "the edit finds nothing in $file" >log
        rm -rf mutant
    fi
}

# fails SCENARIO ERROR FILE EDIT DEFINES...: with that copy it fails with that error.
fails() {
    scenario=$1 error=$2 file=$3 edit=$4
    shift 4
    edit_copy
    if [ -d mutant ] && compile "$scenario" "$@"; then
        timeout 60 ./prog >log 2>&1
    fi
    # shellcheck disable=SC2154 # cases.sh sets it
    if [ -d mutant ] && grep -q "^failed: .*\($error\)" log; then
        report ok "$scenario $*: $mutant is caught ($(sed -n 's/^failed: //p' log))"
    else
        report 'not ok' "$scenario $*: $mutant is caught ($error)"
    fi
    rm -rf mutant
}

# harmless SCENARIO FILE EDIT DEFINES...: the scenario holds with that mutant, too.
harmless() {
    scenario=$1 file=$2 edit=$3
    shift 3
    edit_copy
    if [ -d mutant ] && compile "$scenario" "$@" && timeout 60 ./prog >log 2>&1; then
        report ok "$scenario $*: $mutant does no harm"
    else
        report 'not ok' "$scenario $*: $mutant does no harm"
    fi
    rm -rf mutant
}

# weakened NEEDED NEEDLESS SCENARIO DEFINES...: relax one place after the other.  Without the
# order of a place that NEEDED matches the scenario fails; without that of one that NEEDLESS
# matches it holds.
weakened() {
    needed=$1 needless=$2
    shift 2
    compile "$@" && timeout 60 ./prog -s -n 20000 >sites 2>log
    sed -n 's/^site //p' sites | grep -E ": ($needed|$needless)\$" >list
    [ -s list ] || report 'not ok' "$*: there are places"
    while read -r site address what; do
        timeout 60 ./prog -w "$site" >log 2>&1
        status=$?
        verdict=$(sed -n 's/^failed: //p' log)
        if echo "$what" | grep -qE ": ($needless)\$"; then
            word=ok
            [ "$status" -eq 0 ] || word='not ok'
            report "$word" "$*: $what, place $site, is not needed"
        elif [ -n "$verdict" ]; then
            report ok "$*: $what, place $site, relaxed is caught ($verdict)"
        else
            report 'not ok' "$*: $what, place $site ($address), relaxed is caught"
        fi
    done <list
}

. "$here/cases.sh"
echo "1..$number"
[ "$failures" -eq 0 ]
