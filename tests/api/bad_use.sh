#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The library is used before it is started, after it has ended, in a forked child,
# by threads at once, or twice in one job; and by a program with other rights than
# its user's.

srcdir=${srcdir:-.}
program=${builddir:-.}/tests/api/bad_use
# shellcheck source=tests/support/job.sh
. "$srcdir/tests/support/job.sh"
no_jobs

# everywhere CASE TEXT LINE: each routine says "NAME: TEXT" once and ends with 70.
everywhere()
{
    job 1 "$program" "$1"
    sed -nE 's/^(i?(nv)?shmemx?_[a-z0-9_]+ -?[0-9]+: .*)/\1/p' "$output" >"$output.calls"
    verdict=ok
    [ "$status" -eq 0 ] && [ "$(grep -c . "$output.calls")" -ge 38 ] || verdict="status $status"
    wrong=$(grep -Ev "^([a-z0-9_]+) 70: anyshmem: (PE 0/1 on [^ ]+: )?error: \1: $2\$" \
        "$output.calls")
    [ -z "$wrong" ] || verdict="another message: $(echo "$wrong" | cut -d ' ' -f 1 | tr '\n' ' ')"
    line=$(sed -nE 's/^nvshmem_putmem [0-9]+: //p' "$output.calls")
    [ "$verdict" != ok ] || fault use "$3" "$line"
    result "$verdict" "$3"
}

everywhere before "called before (nv)?shmem_init" "a routine before the library is started"
everywhere after "called after (nv)?shmem_finalize" "a routine after the library has ended"
everywhere forked "not usable in a forked child" "a routine in a child of the program (fork)"

job 2 "$program" reborn
line=$(sed -n 's/^nvshmem_init 70: //p' "$output" | head -n 1)
verdict=ok
[ "$status" -eq 0 ] && [ "$(grep -Ec '^nvshmem_init 70: anyshmem: .*error: .*forked after its start' \
    "$output")" -eq 2 ] || verdict="status $status"
[ "$verdict" != ok ] || fault use "a child of the program (fork) starts the library again" "$line"
result "$verdict" "a child starts the library that the program has ended"

job 2 "$program" early
verdict=ok
[ "$status" -eq 0 ] && [ "$(grep -Ec '^(nvshmem_(init|quiet)) 70: .*error: \1: not usable in a forked' \
    "$output")" -eq 2 ] || verdict="status $status"
result "$verdict" "another thread forks while the library starts"

for path in 0 all; do
    ANYSHMEM_DISABLE_DIRECT=$path job 2 "$program" forks
    verdict=ok
    [ "$(grep -Ec '^PE [01]: sum 2000 of 2000, last ticket 1999$' "$output")" -eq 2 ] ||
        verdict="wrong sums"
    [ "$status" -eq 0 ] && [ ! -s "$output.error" ] || verdict="status $status"
    ! grep -q 'is lost' "$output" || verdict="a child ended badly"
    result "$verdict" "forks while atomics run change nothing, direct off: $path"
done

job 2 "$program" threads
verdict=ok
[ "$status" -eq 0 ] && [ "$(grep -c '^8 threads started the library, 0 found' "$output")" -eq 2 ] ||
    verdict="status $status"
result "$verdict" "threads start the library at once"

job 1 "$program" too_often
warns use "nvshmem_finalize more often than nvshmem_init" \
    "nvshmem_finalize: the library is not started"
# refused CASE "WHAT HAPPENED" "REGULAR EXPRESSION" [SED...]: one PE alone, which goes on.
refused()
{
    refused_case=$1
    shift
    job 0 "$program" "$refused_case"
    sed -i '/started without a launcher/d' "$output.warn"
    grep -q '^PE 0: refused$' "$output" || status=99
    warns arguments "$@"
}

refused align "an alignment that is no power of two: the routine returns NULL" \
    "nvshmem_align: alignment 24 is not a power of two of 8\.\.[0-9]+"
refused split "a team with PEs that its parent has not: the routine returns an error" \
    "nvshmem_team_split_strided: start 1, stride 1, size 1: not all in a team of 1 PEs"
refused split_2d "a grid of teams that has no width: the routine returns an error" \
    "nvshmem_team_split_2d: xrange 0 is not positive"
refused teams "more teams than there may be: the routine returns an error" \
    "nvshmem_team_split_strided: no PE can be in more than 64 teams"
refused buffer "memory of another kind is registered for all PEs: it stays that PE's own" \
    "nvshmemx_buffer_register_symmetric: 64 bytes at 0x[0-9a-f]+ were not allocated by nvshmem_malloc: .*"
job 0 "$program" flags
verdict=$(said error "nvshmemx_init_attr: flags 0x4000 are not supported, .*")
[ "$status" -eq 0 ] && grep -q '^PE 0: refused$' "$output" || verdict="status $status"
what="flags of nvshmemx_init_attr that there are not: it returns an error"
[ "$verdict" != ok ] || fault arguments "$what" "$(cat "$output.error")"
result "$verdict" "$what"

job 0 "$program" unended
sed -i '/started without a launcher/d' "$output.warn"
warns use "the program ends without nvshmem_finalize" \
    "the program ended without nvshmem_finalize"

# A whole job that does: who ends first is a PE that has ended early for those that still work,
# and for the launcher, which has the last word.
for path in 0 all; do
    ANYSHMEM_DISABLE_DIRECT=$path job 3 "$program" unended
    verdict=ok
    [ "$status" -ne 0 ] || verdict="status 0"
    [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
    [ -s "$output.warn" ] || verdict="no warning"
    ! grep -v 'warn: the program ended without nvshmem_finalize$' "$output.warn" ||
        verdict="another warning"
    ! grep -v 'error: PE [0-2] (process .*) has ended without nvshmem_finalize; ' \
        "$output.error" || verdict="another error"
    result "$verdict" "all PEs end without nvshmem_finalize, direct off: $path"
done

# Seldom the signal strikes a request before the proxy's work; that case comes next.
for case in handler_quiet handler_fetch; do
    for _ in 1 2 3 4 5; do
        ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_PEER_TIMEOUT=2 job 2 "$program" $case
        grep -q 'in the middle of a request' "$output.error" || break
    done
    verdict=$(said error "nvshmem_(quiet|long_atomic_fetch_add): called in a signal handler, it waits .*")
    [ "$status" -ne 0 ] || verdict="status 0"
    [ "$seconds" -le "$soon" ] || verdict="ended only after $seconds s"
    what="a wait in a signal handler, for what the signal has interrupted"
    [ "$verdict" != ok ] || fault use "$what" "$(head -n 1 "$output.error")" \
        's/^nvshmem_long_atomic_fetch_add/nvshmem_quiet/'
    result "$verdict" "$what, $case"
done

what="a signal handler leaves a put in the middle"
ANYSHMEM_DISABLE_DIRECT=all ANYSHMEM_PEER_TIMEOUT=2 ANYSHMEM_CHANNEL_SLOTS=16384 \
    job 2 "$program" abandoned
verdict=$(said error "a thread of this PE was interrupted in the middle of a request 2 s ago .*")
[ "$status" -ne 0 ] || verdict="status 0"
[ "$verdict" != ok ] || fault use "$what" "$(head -n 1 "$output.error")"
result "$verdict" "$what"

# Under a launcher that knows what the first process published.
job 2 "$program" nested
if grep -q '^the second one ended with 0$' "$output"; then
    fault_skipped use "a program starts itself again, within its job"
    skipped "this launcher forgets the first process" "a program is started twice in one job"
else
    verdict=$(said error "PE 0 was started before in this job: .*")
    [ "$status" -eq 0 ] && [ "$(grep -c ': went on$' "$output")" -eq 2 ] ||
        verdict="the first one did not go on"
    grep -q '^the second one ended with 70$' "$output" || verdict="the second one went on"
    [ "$verdict" != ok ] || fault use "a program starts itself again, within its job" \
        "$(head -n 1 "$output.error")"
    result "$verdict" "a program is started twice in one job"
fi

# A program of root's that another user starts: nothing of what he sets is obeyed.
other_user="setpriv --reuid 65534 --regid 65534 --clear-groups"
set_user_id="a program with other rights than its user starts the library"
libs=${abs_builddir:-$PWD}/.libs
if [ "$(id -u)" -ne 0 ] || ! $other_user test -x "$libs" 2>/dev/null; then
    skipped "only root can play another user, who must reach $libs" "$set_user_id"
    fault_skipped use "$set_user_id"
elif sanitized; then
    skipped "a sanitizer must come first, nothing can be linked by hand" "$set_user_id"
    fault_skipped use "$set_user_id"
else
    # The loader ignores LD_LIBRARY_PATH there, as it should.
    # shellcheck disable=SC2086 # a compiler and its options
    ${CC:-cc} -I"$srcdir/include" -I"${builddir:-.}/include" -I"$srcdir" -D_GNU_SOURCE \
        -o "$output.setuid" "$srcdir/tests/api/bad_use.c" "$srcdir/tests/support/pe.c" \
        -L"$libs" -Wl,-rpath,"$libs" -lanyshmem -lpthread >"$output" 2>&1 ||
        result "no program" "a set-user-id program is compiled"
    chmod 4755 "$output.setuid"
    mkdir -m 777 "$output.user"
    ANYSHMEM_CHANNEL_SLOTS=abc NVSHMEM_INFO=1 NVSHMEM_DEBUG_FILE="$output.user/log" \
        ANYSHMEM_TRACE="$output.user/trace" NVSHMEM_DEBUG=INFO \
        job 0 $other_user "$output.setuid" settings
    verdict=$(said error "the program has other rights than its user .*")
    [ "$status" -eq 70 ] || verdict="status $status"
    [ "$(wc -l <"$output")" -eq 1 ] || verdict="not one line"
    [ -z "$(ls -A "$output.user")" ] || verdict="a file that the user names is written"
    [ "$verdict" != ok ] || fault use "$set_user_id" "$(head -n 1 "$output.error")"
    result "$verdict" "$set_user_id"
fi

faults_match
plan
