#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Check the models of the channel, and of collectives, with spin.  A right one must have no error;
# each mutant must have the error that is named for it: an assertion, or an
# invalid end state (somebody waits indefinitely).
#
# usage: check.sh [full]     full adds larger sizes: some minutes, 3 GB of memory
set -u

sources=$(cd "$(dirname "$0")" && pwd)
if ! command -v spin >/dev/null 2>&1; then
    echo "1..0 # SKIP spin is not installed"
    exit 0
fi
# shellcheck source=tests/support/together.sh
. "$sources/../support/together.sh"

# run MODEL SECONDS CFLAGS DEFINES...: leave spin's report in log.
run() {
    model=$1 limit=$2 cflags=$3
    shift 3
    spin -a "$@" "$sources/$model.pml" >log 2>&1 || return 1
    # shellcheck disable=SC2086
    ${CC:-cc} $cflags -w -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c >>log 2>&1 || return 1
    timeout "$limit" ./pan -m1000000 >log 2>&1
}

# holds MODEL DEFINES...: the whole state space, and no error.
holds() {
    limit=120
    [ "$1" != -l ] || { limit=1800; shift; }
    model=$1
    shift
    echo "$model holds $*"
    run "$model" "$limit" -O2 "$@" && grep -q 'errors: 0' log &&
        ! grep -q 'not completed\|max search depth too small' log &&
        echo "($(awk '/states, stored/ { print $1; exit }' log) states)"
}

# fails MODEL MUTANT ERROR DEFINES...: the mutant is caught by that error.
fails() {
    model=$1 mutant=$2 error=$3
    shift 3
    echo "$model: $mutant is caught $* ($error)"
    run "$model" 120 -O1 "-DBUG=$mutant" "$@" && grep -q 'errors: [1-9]' log && grep -q "$error" log
}

# check.sh case FOLDER holds|fails ...: one of them; its name, then what is to be shown.
if [ "${1:-}" = case ]; then
    mkdir "$2" && cd "$2" || exit 99
    shift 2
    "$@" && exit 0
    cat log
    exit 1
fi

cases() {
    cat <<'END'
holds ring -DP=2 -DK=3 -DN=2
holds ring -DP=3 -DK=1 -DN=2
holds ring -DP=1 -DK=5 -DN=4 -DTAG_BITS=2
fails ring PUBLISH_FIRST 'assertion violated'
fails ring NO_ROOM_CHECK 'assertion violated'
fails ring ROOM_OFF_BY_ONE 'assertion violated'
fails ring NO_IDLE_TAIL 'invalid end state'
fails ring PARTIAL_TAG 'assertion violated'
fails ring PARTIAL_TAG 'assertion violated' -DK=5 -DTAG_BITS=2
fails ring ONE_TAG 'assertion violated'
fails ring TAIL_BEFORE_COPY 'assertion violated'
fails ring SPLIT_CLAIM 'assertion violated\|invalid end state'
fails ring SEEN_AHEAD 'assertion violated'
fails ring PROXY_CLEARS 'assertion violated\|invalid end state'
fails ring SAME_TAG 'assertion violated'
holds wake
holds wake -DP=3 -DK=2
fails wake TWO_WORDS 'invalid end state'
fails wake NO_COMPARE 'invalid end state'
fails wake WAKE_FIRST 'invalid end state'
fails wake LATE_DRAIN 'invalid end state'
fails wake WAKE_BEFORE_PUBLISH 'invalid end state'
fails wake NO_TAIL 'invalid end state'
fails wake CLEAR_ONLY 'invalid end state'
holds producer
holds producer -DK=6 -DN=4
fails producer NO_FENCE 'invalid end state'
fails producer LATE_FENCE 'invalid end state'
fails producer NO_LOOK 'invalid end state'
fails producer LOOK_FIRST 'invalid end state'
fails producer NO_TAIL 'invalid end state'
fails producer CLEAR_ONLY 'invalid end state'
holds quiet
holds quiet -DWAITERS=3 -DROUNDS=1
fails quiet TOO_EARLY 'assertion violated'
fails quiet COMPLETES_PENDING 'assertion violated'
fails quiet FORGETS_PENDING 'invalid end state'
fails quiet NEVER_LAST 'assertion violated'
fails quiet OFF_BY_ONE 'assertion violated'
fails quiet NO_GENERATION 'assertion violated'
fails quiet COMPLETED_BACK 'invalid end state' -DWAITERS=3
holds reply
fails reply COUNT_FIRST 'assertion violated'
fails reply FLAG 'assertion violated'
fails reply SHARED_LINE 'assertion violated\|invalid end state'
fails reply GIVEN_EARLY 'assertion violated'
fails reply RESET_LATE 'invalid end state'
fails reply REPLIED_TWICE 'assertion violated\|invalid end state'
fails reply COUNT_LATE 'invalid end state'
holds waiters
fails waiters NO_FENCE 'invalid end state'
fails waiters LOOK_FIRST 'invalid end state'
fails waiters NO_COMPARE 'invalid end state'
fails waiters CLEAR_ONLY 'invalid end state'
fails waiters WAKE_FIRST 'invalid end state'
fails waiters WAKE_ONE 'invalid end state'
fails waiters STAYS_ARMED 'invalid end state'
holds ahead
holds ahead -DR=1 -DK=6
fails ahead NO_LIMIT 'assertion violated'
fails ahead PARITY 'assertion violated'
fails ahead SHARED_SLOTS 'assertion violated'
fails ahead TWO_WORDS 'invalid end state'
fails ahead SIGNAL_FIRST 'assertion violated'
fails ahead STAYS_ROW 'assertion violated'
END
    [ "${1:-}" = full ] || return 0
    cat <<'END'
holds -l ring -DP=3 -DK=2 -DN=2
holds -l ring -DP=4 -DK=1 -DN=2
holds -l ring -DP=4 -DK=1 -DN=4
holds -l ring -DP=2 -DK=5 -DN=2 -DTAG_BITS=2
holds -l ring -DP=2 -DK=3 -DN=4 -DTAG_BITS=2
holds -l wake -DP=3 -DK=3
holds -l quiet -DROUNDS=3
holds -l waiters -DK=3
holds -l waiters -DSLEEPERS=3 -DK=1
holds -l ahead -DK=8
END
}

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
cases "${1:-}" | nl -b a -w 1 -s ' ' | sed "s|^\([0-9]*\) |'$sources/check.sh' case '$scratch/model\1' |" |
    together "$scratch"
number=0
failures=0
for status in $(cd "$scratch" && echo *.status | tr ' ' '\n' | sort -n); do
    number=$((number + 1))
    said=$scratch/${status%.status}
    if [ "$(cat "$scratch/$status")" -eq 0 ]; then
        echo "ok $number - $(paste -s -d ' ' "$said")"
    else
        echo "not ok $number - $(head -n 1 "$said")"
        sed 's/^/# /' "$said"
        failures=$((failures + 1))
    fi
done
echo "1..$number"
[ "$failures" -eq 0 ] && [ "$number" -eq "$(cases "${1:-}" | wc -l)" ]
