#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Explore the real code of the channel (explore.c).  A scenario must hold in all its
# executions; each mutant of the code must fail as it is named here; and so must each
# scenario if any place that orders memory is weakened to a relaxed one, but for those
# that are named as not needed there.
#
# usage: check.sh [full]     full adds larger sizes: some minutes, 4 GB of memory
set -u
: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}" "${TEST_UCX_CFLAGS:=}"

# A path of its own, for the compiler runs elsewhere.
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

# clang's code is not explored yet: its threads go astray.
if $CC -dM -E -x c /dev/null 2>/dev/null | grep -q __clang__; then
    if ! command -v gcc >/dev/null 2>&1; then
        echo "1..0 # SKIP needs gcc"
        exit 0
    fi
    CC=gcc
fi

# The explorer itself; what is explored is compiled with the hooks.
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

# hooked OBJECT SOURCE DEFINES...: with the hooks.
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

# holds SCENARIO DEFINES...: all executions, and no error.
holds() {
    limit=60
    [ "$1" != -l ] || { limit=3600; shift; }
    if compile "$@" && timeout "$limit" ./prog >log 2>&1; then
        report ok "$* holds: $(tail -n 1 log)"
    else
        report 'not ok' "$* holds"
    fi
}

# A copy of $file that sed edits, in mutant; none if it edits nothing.
edit_copy() {
    mkdir -p "mutant/${file%/*}"
    sed -e "$edit" "$root/$file" >"mutant/$file"
    case $file in *.h) : >mutant/header ;; esac
    if cmp -s "$root/$file" "mutant/$file"; then
        echo "the edit finds nothing in $file" >log
        rm -rf mutant
    fi
}

# fails SCENARIO ERROR FILE EDIT DEFINES...: with such a copy it fails so.
fails() {
    scenario=$1 error=$2 file=$3 edit=$4
    shift 4
    edit_copy
    if [ -d mutant ] && compile "$scenario" "$@"; then
        timeout 60 ./prog >log 2>&1
    fi
    # shellcheck disable=SC2154 # of the case
    if [ -d mutant ] && grep -q "^failed: .*\($error\)" log; then
        report ok "$scenario $*: $mutant is caught ($(sed -n 's/^failed: //p' log))"
    else
        report 'not ok' "$scenario $*: $mutant is caught ($error)"
    fi
    rm -rf mutant
}

# harmless SCENARIO FILE EDIT DEFINES...: a mutant that holds.
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

# weakened NEEDED NEEDLESS SCENARIO DEFINES...: places that the first pattern names are
# caught without their order; those that the second one names hold without it.
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
