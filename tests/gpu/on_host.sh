#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/gpu/run for the host device: what is taken to a machine with a GPU is put
# together and run in a place of its own, with the same script and the same tests.

: "${srcdir:=.}"
: "${builddir:=.}"
place=$(mktemp -d) || exit 99
trap 'rm -rf "$place"' EXIT
trap 'exit 99' HUP INT TERM
if [ -z "$LAUNCHER" ]; then
    echo "1..0 # SKIP no PMIx launcher"
    exit 0
fi
if ! BUILD=$builddir "$srcdir/tests/gpu/run" --cpu collect "$place/collected" \
    >"$place/log" 2>&1; then
    if grep -q 'no prterun of the Python package' "$place/log"; then
        echo "1..0 # SKIP the launcher is not one that can be taken along"
        exit 0
    fi
    sed 's/^/# /' "$place/log"
    echo "1..1"
    echo "not ok 1 - collect"
    exit 1
fi
# Nothing of the build is found by chance.
env -i PATH="$PATH" HOME="$place" LSAN_OPTIONS="$LSAN_OPTIONS" \
    "$place/collected/execute" "$place/report"
