#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/compare-peers: the table of records whose medians are known, and a short run
# of ours and of what else is here; one that hangs or crashes spoils nothing else.  How
# large the figures are is none of this test's business.

: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
compare=$srcdir/contrib/compare-peers/compare-peers
perf=$builddir/contrib/perf/anyshmem-perf

refuses "$compare" "--rounds 0" "--rounds takes a number from 1 on, not \"0\""
refuses "$compare" "--pes 2,1" "--pes takes numbers from 2 to 256"
refuses "$compare" "--ways near" "no such way: near"
refuses "$compare" "--peer ours=/usr" "NAME"
refuses "$compare" "--csv" "--csv takes a value"
refuses "$compare" "--build /nowhere" "--build: no such folder"

# Times in ns; three rounds.
cat >"$output.records" <<'END'
# a machine
1 p mapped 2 fetch_add 0 us 40 39 10 9 4 atomic
1 ours mapped 2 fetch_add 0 us 30 29 10 9 3 atomic
2 ours mapped 2 fetch_add 0 us 10 9 10 9 1 atomic
2 p mapped 2 fetch_add 0 us 40 39 10 9 4 atomic
3 ours mapped 2 fetch_add 0 us 20 19 10 9 2 atomic
3 p mapped 2 fetch_add 0 us 40 39 10 9 4 atomic
1 ours mapped 2 put_bw 1000 MB/s 100 90 80 80 1.25 memcpy
2 ours mapped 2 put_bw 1000 MB/s 200 90 80 80 2.5 memcpy
1 ours mapped 2 put_signal 8 us 200 190 - - - -
1 ours mapped 2 put_quiet_p 8 us 500 400 - - - -
1 p mapped 2 swap 0 us 50 50 - - - -
2 p mapped 2 swap 0 - failed - - - - -
1 ours mapped 2 swap 0 us 50 50 - - - -
1 q mapped 2 swap 0 us 40 50 - - - -
1 q mapped 2 fetch 0 - wrong - - - - -
1 ours mapped 2 fetch 0 us 40 40 - - - -
1 ours mapped 2 ring 0 us 100 90 - - - -
1 ours mapped 16 ring 0 us 300 290 - - - -
1 ours mapped 2 barrier 0 us 100 90 - - - -
1 ours mapped 16 barrier 0 us 1200 900 - - - -
1 ours proxy-sm 2 fetch_add 0 us 500 400 - - - -
1 limit proxy-sm 2 fetch_add 0 us 250 240 - - - UCX
END
cat >"$output.goals" <<'END'
# a comment
mapped fetch_add * 2 limit 1.5
mapped put_signal 8|1024 2 put_quiet_p 0.5
mapped ring * 16 hops 2
mapped barrier * 4|16 each 2
mapped * * * peer 1
END
cat >"$output.expected" <<'END'
way,operation,pes,size,unit,ours,ours_q1,ours_q3,ours_rounds,p,p_q1,p_q3,p_rounds,q,q_q1,q_q3,q_rounds,limit_name,limit,per_limit,best_peer,per_peer,goals
mapped,fetch_add,2,0,us,0.02,0.015,0.025,3,0.04,0.04,0.04,3,,,,,atomic,0.01,2.000,p,0.500,MISSED limit 2>1.5; met peer
mapped,put_bw,2,1000,MB/s,6666.7,5714.3,8000,2,,,,,,,,,memcpy,12500,1.875,,,
mapped,put_signal,2,8,us,0.2,0.2,0.2,1,,,,,,,,,,,,,,met put_quiet_p
mapped,put_quiet_p,2,8,us,0.5,0.5,0.5,1,,,,,,,,,,,,,,
mapped,swap,2,0,us,0.05,0.05,0.05,1,failed,,,,0.04,0.04,0.04,1,,,,q,1.250,MISSED peer 1.25>1
mapped,fetch,2,0,us,0.04,0.04,0.04,1,,,,,wrong,,,,,,,,,
mapped,ring,2,0,us,0.1,0.1,0.1,1,,,,,,,,,,,,,,
mapped,barrier,2,0,us,0.1,0.1,0.1,1,,,,,,,,,,,,,,
mapped,ring,16,0,us,0.3,0.3,0.3,1,,,,,,,,,,,,,,MISSED hops 3>2
mapped,barrier,16,0,us,1.2,1.2,1.2,1,,,,,,,,,,,,,,met each
proxy-sm,fetch_add,2,0,us,0.5,0.5,0.5,1,0.04,0.04,0.04,3,,,,,UCX,0.25,2.000,p,12.500,
END
"$compare" --table "$output.records" --goals "$output.goals" --csv "$output.csv" \
    >"$output.text" 2>"$output" && diff "$output.expected" "$output.csv" >>"$output"
verdict $? "the table of known records, as CSV"

cat "$output.text" >"$output"
grep -q '^# a machine$' "$output" && grep -q '^goals: 3 met, 3 missed$' "$output" &&
    grep -q '^mapped *fetch_add .* 0.02 \[0.015..0.025\] *0.04 \[0.04..0.04\] *- ' "$output" &&
    grep -q '^mapped *fetch_add .* - *atomic 0.01 *2.00 *0.50  MISSED limit' "$output" &&
    grep -q '^mapped *put_bw *2 *1000 MB/s *6667 \[5714..8000\] *- ' "$output" &&
    grep -q '^mapped *put_bw .* memcpy 12500 *1.88 *-$' "$output" &&
    grep -q '^mapped *swap *2 *us *0.05 .* failed *0.04 ' "$output"
verdict $? "the same for people"

sed 's/ atomic$//' "$output.records" >"$output.short"
! "$compare" --table "$output.short" >"$output" 2>&1 && grep -q '^record: ' "$output"
verdict $? "a record that is not whole is refused"

if [ -z "$LAUNCHER" ]; then
    skipped "no PMIx launcher" "a short run"
    plan
fi
if sanitized || [ -n "$TEST_WRAPPER" ]; then
    skipped "the program is compiled without a sanitizer, and peers run under no wrapper" \
        "a short run"
    plan
fi

# A peer that is ours, but for a swap that never ends, a compare_swap that crashes and an
# add that does nothing; not over TCP.
names="swap compare_swap add"
cat >"$output.c" <<'END'
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>
long bad_swap(long *word, long value, int pe)
{
    while (getenv("UCX_TLS") == NULL) pause();
    return shmem_int64_atomic_swap((int64_t *)word, value, pe);
}
long bad_compare_swap(long *word, long old, long value, int pe)
{
    if (getenv("UCX_TLS") == NULL) abort();
    return shmem_int64_atomic_compare_swap((int64_t *)word, old, value, pe);
}
void bad_add(long *word, long value, int pe)
{
    if (getenv("UCX_TLS") != NULL) shmem_int64_atomic_add((int64_t *)word, value, pe);
}
END
libs=$(cd "$builddir" && pwd)/.libs
bad="$CC -I$builddir/include -I$srcdir/include -L$libs -Wl,-rpath,$libs -Wl,--no-as-needed"
bad="$bad -lanyshmem $output.c"
for name in $names; do bad="$bad -Dshmem_long_atomic_$name=bad_$name"; done

# One that has fetch_add, and does not start.
cat >"$output.cc" <<'END'
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\necho amo fetch_add many 0\n' >"$2" && chmod +x "$2"
END

# rows NAME: "WAY OPERATION SIZE FIGURE" of a name's column.
rows()
{
    awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { print $1, $2, $4, $at == "" ? "-" : $at }' "$output.csv"
}

# Have all rows of a name that match the pattern a figure above 0, and are there so many?
figures()
{
    rows "$1" | awk -v pattern="$2" -v wanted="$3" '
        $0 !~ pattern { next }
        $4 + 0 <= 0 { print; bad = 1 }
        { n++ }
        END { if (n != wanted) print n + 0 " rows, not " wanted; exit bad || n != wanted }' \
        >>"$output"
}

# Without a network UCX has no TCP; over shared memory a peer runs once, as for "mapped".
proxy=proxy-tcp runs=2
[ -d /sys/class/net ] || proxy=proxy-sm runs=1
BENCH_CFLAGS=-O0 "$compare" --build "$builddir" --quick --limit 3 --peer-cc "bad=$bad" \
    --peer-cc "never=sh $output.cc" --peer-run never=false --peer gone=/nowhere \
    --ways mapped,$proxy --only '^(fetch_add|swap|compare_swap|add_quiet)$' \
    --csv "$output.csv" --records "$output.kept" >"$output.text" 2>"$output"
status=$?
cat "$output.text" >>"$output"
[ $status -eq 0 ] && grep -q '^goals: ' "$output.text" && figures ours '^mapped' 4 &&
    figures ours "^$proxy" 4 && figures limit '^mapped' 4 &&
    { [ ! -x "$perf" ] || figures limit "^$proxy.*(fetch|swap)" 3; }
verdict $? "a short run: each operation of ours has its figure, and its limit"

rows bad >"$output.bad"
grep -q '^mapped swap 0 failed$' "$output.bad" &&
    grep -q '^mapped compare_swap 0 failed$' "$output.bad" &&
    grep -q '^mapped add_quiet 0 wrong$' "$output.bad" && figures bad '^mapped fetch_add' 1 &&
    { [ $runs -eq 1 ] || figures bad "^$proxy" 4; }
verdict $? "a peer that hangs, crashes and is wrong in some operations has its other figures"

# Once for each run.
rows never >>"$output"
[ "$(grep -c ' never, .* it does not start: failed' "$output")" -eq $runs ] &&
    [ "$(rows never | grep -c ' fetch_add 0 failed$')" -eq 2 ] && ! grep -q ',gone' "$output.csv" &&
    grep -q '^compare-peers: gone: no /nowhere/bin/oshcc: it is left out$' "$output"
verdict $? "a peer that does not start, and one that is not there"

# Debian 13 has that compiler without the header.
if command -v oshrun >/dev/null && echo '#include <shmem.h>' | oshcc -E -x c - >/dev/null 2>&1
then
    figures ompi '^mapped' 4
    verdict $? "Open MPI has its figures"
else
    skipped "no OpenSHMEM of Open MPI (Debian 12: libopenmpi-dev, openmpi-bin)" "Open MPI has its figures"
fi

"$compare" --table "$output.kept" >"$output.again" 2>>"$output" &&
    cmp -s "$output.text" "$output.again"
verdict $? "the records that were kept give the same table"

# Two hosts do not see each other's processes or memory.
why=$(builddir=$builddir "$srcdir/tests/multihost/lab" -n 2 true 2>&1 </dev/null)
if [ -z "$why" ]; then
    BENCH_CFLAGS=-O0 "$compare" --build "$builddir" --quick --no-peers --ways two-hosts \
        --only '^(fetch_add|barrier)$' --csv "$output.csv" >"$output.text" 2>"$output"
    status=$?
    cat "$output.text" >>"$output"
    [ $status -eq 0 ] && figures ours '^two-hosts' 2
    verdict $? "two hosts: each operation has its figure"
else
    skipped "${why#*# SKIP }" "two hosts: each operation has its figure"
fi
plan
