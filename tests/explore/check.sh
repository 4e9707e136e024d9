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
: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}" "${UCX_CFLAGS:=}"

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

# The explorer itself; what is explored is compiled with the hooks.
if ! echo 'int f(int *p); int f(int *p) { return __atomic_load_n(p, 2); }' |
    $CC -fsanitize=thread -x c -c -o probe.o - >log 2>&1; then
    echo "1..0 # SKIP $CC has no -fsanitize=thread here"
    exit 0
fi
objects=
for file in cells explore fiber hash hooks memory sites trace; do
    # shellcheck disable=SC2086 # lists of words
    $CC -O2 -U_FORTIFY_SOURCE $warnings $includes -c "$here/$file.c" -o "$file.o" || exit 1
    objects="$objects $file.o"
done

# compile SCENARIO DEFINES...: a program, prog.
compile() {
    scenario=$1
    shift
    # shellcheck disable=SC2086
    $CC -O1 -g -fsanitize=thread -fno-stack-protector -ffunction-sections $warnings -Wno-tsan -Wno-type-limits \
        $includes $UCX_CFLAGS "$@" -c "$here/$scenario.c" -o scenario.o >log 2>&1 &&
        $CC -Wl,--gc-sections -Wl,--wrap=memcpy,--wrap=memset $wraps -o prog $objects \
            scenario.o >>log 2>&1
}
wraps=

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

# fails SCENARIO ERROR FILE EDIT DEFINES...: a copy of FILE that sed edits fails so.
fails() {
    scenario=$1 error=$2 file=$3 edit=$4
    shift 4
    mkdir -p "mutant/${file%/*}"
    sed -e "$edit" "$root/$file" >"mutant/$file"
    name="$scenario $*: $mutant is caught"
    if cmp -s "$root/$file" "mutant/$file"; then
        echo "the edit finds nothing in $file" >log
        report 'not ok' "$name"
    elif ! compile "$scenario" "$@"; then
        report 'not ok' "$name"
    else
        timeout 60 ./prog >log 2>&1
        if grep -q "^failed: .*$error" log; then
            report ok "$name ($(sed -n 's/^failed: //p' log))"
        else
            report 'not ok' "$name ($error)"
        fi
    fi
    rm -rf mutant
}

# weakened NEEDLESS SCENARIO DEFINES...: places without their order are caught, but
# for those that the pattern names: those must hold.
weakened() {
    needless=$1
    shift
    compile "$@" && timeout 60 ./prog -s >sites 2>log || report 'not ok' "$*: places"
    sed -n 's/^site //p' sites >list
    [ -s list ] || report 'not ok' "$*: there are places"
    while read -r site address what; do
        timeout 60 ./prog -w "$site" >log 2>&1
        verdict=$(sed -n 's/^failed: //p' log)
        if echo "$what" | grep -qE "^($needless)\$"; then
            [ -z "$verdict" ] && report ok "$*: $what, place $site, is not needed" ||
                report 'not ok' "$*: $what, place $site, is not needed"
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
