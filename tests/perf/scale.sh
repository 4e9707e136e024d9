#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scale.sh [PES...]: start and end jobs of so many PEs, over each path; print what that
# takes and what a PE uses, then what each PE more costs, by least squares.
#
# Paths: direct (PEs of one node), and ANYSHMEM_DISABLE_DIRECT=all over TCP (as
# between nodes: each PE that is written to is a connection).  Their limit: pmix,
# processes that start PMIx, publish as much, fence and read it, and nothing else.
# SCALE_PEERS   how many PEs each PE writes to at the end [16]
set -u
here=$(cd "${0%/*}" && pwd)
: "${builddir:=.}" "${SCALE_PEERS:=16}"
rows=$(mktemp) || exit 99
trap 'rm -f "$rows"' EXIT
trap 'exit 99' HUP INT TERM
[ $# -gt 0 ] || set -- 2 4 8 16 32 64 128
status=0
printf '%-8s %4s %9s %9s %5s %8s %11s %8s %11s %8s\n' path PEs "init ms" "init KiB" fds \
    "job ms" "barrier KiB" fds "peer KiB" "peer fds"
for path in pmix direct remote; do
    settings='' program=$builddir/tests/perf/scale
    [ $path != pmix ] || program=${program}_pmix
    # A host's barrier would connect one PE with all.
    [ $path != remote ] ||
        settings="ANYSHMEM_DISABLE_DIRECT=all UCX_TLS=tcp,self ANYSHMEM_BARRIER=rounds"
    for pes; do
        began=$(awk '{ print $1 * 1000 }' /proc/uptime)
        # shellcheck disable=SC2086 # a list of words
        said=$(env TEST_TIMEOUT=300 PE_TIME_LIMIT=250 $settings "$here/../launch" "$pes" "$program" \
            "$SCALE_PEERS" 2>&1 </dev/null)
        line=$(printf '%s\n' "$said" | sed -n 's/.*scale: pes/pes/p')
        if [ -z "$line" ]; then
            printf '%s\n' "$said" | tail -n 20
            echo "$path, $pes PEs: failed"
            status=1
            continue
        fi
        echo "$line" | awk -v path=$path -v began="$began" -v rows="$rows" '
            { for (i = 1; i < NF; i += 2) v[$i] = $(i + 1) }
            END {
                getline now <"/proc/uptime"
                job = now * 1000 - began
                # Who the barrier wrote to is connected already.
                n_rounds = 0
                for (step = 1; step < v["pes"]; step *= 2) n_rounds++
                new = v["peers"] - n_rounds
                each = new > 0 ? (v["peers_kib"] - v["barrier_kib"]) / new : 0
                fds = new > 0 ? (v["peers_fds"] - v["barrier_fds"]) / new : 0
                printf "%-8s %4d %9.1f %9d %5d %8d %11d %8d %11.1f %8.1f\n", path, v["pes"],
                    v["init_us"] / 1000, v["init_kib"], v["init_fds"], job, v["barrier_kib"],
                    v["barrier_fds"], each, fds
                print path, v["pes"], v["init_us"] / 1000, v["init_kib"], job >>rows
            }'
    done
done
awk '
    { n[$1]++; x[$1] += $2; xx[$1] += $2 * $2
      for (i = 3; i <= 5; i++) { y[$1, i] += $i; xy[$1, i] += $2 * $i } }
    END {
        name[3] = "init, ms"; name[4] = "memory after init, KiB"; name[5] = "launch to end, ms"
        for (path in n) for (i = 3; i <= 5 && n[path] > 1; i++) {
            d = n[path] * xx[path] - x[path] * x[path]
            slope = (n[path] * xy[path, i] - x[path] * y[path, i]) / d
            printf "%s: %s: %.1f + %.3f for each PE of the job\n", path, name[i],
                (y[path, i] - slope * x[path]) / n[path], slope
        }
    }' "$rows" | sort
exit $status
