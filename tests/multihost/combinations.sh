#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each launcher with each UCX and each PMIx that can be had (tests/multihost/releases):
# mixed atomics over three hosts are exact, and ten jobs that lose a PE end, each in time.
#
# KILLS   so many of them [10]

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 4
. "$here/losses"
. "$here/releases"
export TEST_TIMEOUT=200 PE_TIME_LIMIT=180

# kills: PE 1 of six, at another place and moment each time.
kills()
{
    for _ in $(seq "${KILLS:-10}"); do
        next_place
        # The others would come back from a place that PE 1 is at as well, and waits at no more.
        case $place in
            quiet | amo) moment=$((turn * 37 % 200 * 1000)) ;;
            *) moment=0 ;;
        esac
        launcher_ends "$path" "$place" kill "$moment"
        judged $? "PE 1 killed, $place, $moment us${path:+, $path}"
    done
    count "PE 1 killed"
}

all_releases()
{
    while read -r ucx ucx_folder; do
        while read -r pmix pmix_folder; do
            use all "$ucx_folder:$pmix_folder" "UCX $ucx PMIx $pmix"
            LABEL="$LABEL, ${LAUNCHER##*/}"
            PE_SECONDS=8 cell mixed 6 hosts3
            kills
        done <"$tmp/pmix"
    done <"$tmp/ucx"
}

by_each_launcher all_releases
finish
