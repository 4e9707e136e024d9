#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/launch asks a launcher again that says that it did not start, and no other:
# with a prterun that is none.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
fake=$output.bin/prterun
words="The PMIx server's listener thread failed to start. We cannot"
other='It looks like "prte_init()" failed for some reason. There are many'
mkdir "$output.bin" || exit 99

# It counts its starts, and does first what START says; TIMES may be in it.
cat >"$fake" <<'END'
#!/bin/sh
echo start >>"$STARTS"
n=$(grep -c . "$STARTS")
eval "$START"
while [ "$1" != -n ]; do shift; done
shift 2
exec "$@"
END
chmod +x "$fake"
export STARTS="$output.starts" START TIMES

# launched COMMAND...: a job of it.
launched()
{
    rm -f "$STARTS"
    LAUNCHER=$fake TEST_WRAPPER='' TEST_PRELOAD='' LAUNCH_NODES='' LAB='' \
        "$srcdir/tests/launch" 1 "$@" >>"$output" 2>&1
    status=$?
}

# is STATUS STARTS NAME: the job before ended so, after so many starts, and that was said.
is()
{
    starts=$(grep -c . "$STARTS")
    again=$(grep -c '^launch: prterun did not start: once more$' "$output")
    if [ "$status" -ne "$1" ]; then
        result "status $status" "$3"
    elif [ "$starts" -ne "$2" ] || [ "$again" -ne $(($2 - 1)) ]; then
        result "$starts starts, $again times it was said" "$3"
    else
        result ok "$3"
    fi
    : >"$output"
}

# Its first TIMES times prterun does not start.
# shellcheck disable=SC2016 # the fake expands it
stops='[ "$n" -gt "$TIMES" ] || { printf "%s\n" -- "'$words'" continue. -- >&2; exit 213; }'
START=$stops
for TIMES in 0 1 2; do
    launched sh -c 'echo a PE runs; exit 7'
    [ "$(grep -c '^a PE runs$' "$output")" -eq 1 ] || status=99
    is 7 $((TIMES + 1)) "it does not start $TIMES times"
done
TIMES=3
launched true
is 213 3 "it does not start at all"
TIMES=1
START=$(printf '%s' "$stops" | sed "s/\"$words\"/'$other'/")
launched true
is 0 2 "it does not start, in other words"

START='exit 213'
launched true
is 213 1 "it ends without a word"
# shellcheck disable=SC2016 # the fake expands it
START='kill -SEGV $$'
launched true
is 139 1 "it crashes"
START="echo \"$words\" >&2"
launched true
is 0 1 "it says so and starts"
START='exit 1'
echo "$words" >"$output"
launched true
is 1 1 "another one said so before"
START=
# shellcheck disable=SC2016 # the PE expands it
launched sh -c 'echo "PE 0: $1" >&2; exit 1' sh "$words"
is 1 1 "a PE says something like it"
START="echo \"$words\" >&2; exec sleep 100"
TEST_TIMEOUT=1
export TEST_TIMEOUT
launched true
unset TEST_TIMEOUT
is 124 1 "it hangs instead of ending"

# Where it cannot be looked at, a job is one all the same.
START=$stops
rm -f "$STARTS"
LAUNCHER=$fake "$srcdir/tests/launch" 1 true 2>&1 >/dev/null | cat >"$output"
[ "$(grep -c . "$STARTS")" -eq 1 ] && grep -q "^$words" "$output"
verdict $? "stderr is a pipe"

# A cell of tests/pe says it, too.
rm -f "$STARTS"
env -u TEST_WRAPPER LAUNCHER="$fake" MATRIX_ONLY=1:direct "$srcdir/tests/pe/matrix" \
    "$srcdir/tests/pe/order.pe" >"$output" 2>&1
status=$?
[ $status -eq 0 ] && grep -q '^ok 1 ' "$output" &&
    grep -qx '# order 1 PEs direct: launch: prterun did not start: once more' "$output"
verdict $? "a cell that passes says so"
plan
