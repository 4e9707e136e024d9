#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What tests/inject/inject says of a process that aborts, or a job that does not end: what
# UCX or the launcher does is told apart, and nothing else passes for it.

# shellcheck source=tests/support/tap.sh
. "${srcdir:-.}/tests/support/tap.sh"

# judged HOW "REGULAR EXPRESSION" NAME: a victim that ends so; what the cell's line is.
judged()
{
    INJECT_ABORT=$1 "${srcdir:-.}/tests/inject/inject" 1 alone:signal:0 >"$output" 2>&1
    grep -Eq "$2" "$output"
    # shellcheck disable=SC2319 # grep's status
    case $? in
        0) result ok "$3" ;;
        *) result "another verdict" "$3" ;;
    esac
}

if sanitized; then
    echo "1..0 # SKIP a sanitizer must come first, nothing can be preloaded"
    exit 0
fi
judged ucx '^ok 1 - .* ended by UCX: 1$' "UCX ends a process: the cell passes, and says so"
judged ours '^not ok 1 - .*1 bad ones' "a process aborts: the cell fails"
judged other '^not ok 1 - .*1 bad ones' "another process was ended by UCX: the cell fails"
judged elsewhere '^not ok 1 - .*1 bad ones' "UCX aborts elsewhere: the cell fails"
judged signal '^not ok 1 - .*1 bad ones' "UCX has caught a signal: the cell fails"

# stayed CELL "REGULAR EXPRESSION" NAME: a launcher that stays; what the cell's line is.
stayed()
{
    LAUNCHER=$output.bin/prterun INJECT_TIMEOUT=12 "${srcdir:-.}/tests/inject/inject" 1000 \
        "$1" >"$output" 2>&1
    verdict="another verdict"
    ! grep -Eq "$2" "$output" || verdict=ok
    result "$verdict" "$3"
}
case ${LAUNCHER%% *} in
    *prterun)
        mkdir "$output.bin"
        prefix=$(command -v "${LAUNCHER%% *}")
        prefix=${prefix%/bin/*}
        cat >"$output.bin/prterun" <<END
#!/bin/sh
[ ! -f "$prefix/pyvenv.cfg" ] || export PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix"
$LAUNCHER "\$@"
exec sleep 60 # so that whoever ends the launcher ends this
END
        chmod 755 "$output.bin/prterun"
        stayed pair:signal:0 '^ok 1 - .*: 1 jobs, 1 right, .*, launchers that stayed: 1$' \
            "a launcher stays when its PEs have ended: the cell passes, and says so"
        INJECT_ABORT=stay stayed pair:signal:0 '^not ok 1 - .*: 1 bad ones' \
            "a PE does not end: the cell fails"
        ;;
    *) skipped "no prterun" "a launcher stays when its PEs have ended" ;;
esac
plan
