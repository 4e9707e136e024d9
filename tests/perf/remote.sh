#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions of a remote operation, by callgrind: ours, those of UCX and of the C
# library, and what a bare UCX takes that does the same; over TCP, unless UCX_TLS says
# otherwise.  From two runs, one with MORE operations than the other, each counted from
# the first operation on: what it takes to connect is different each time.
#
# usage: remote.sh [--functions] [CASE...]     from the build folder
set -u
program=${builddir:-.}/tests/perf/remote
few=200 more=1000
export UCX_TLS="${UCX_TLS:-tcp}"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
functions=
[ "${1:-}" != --functions ] || { functions=1; shift; }
[ $# -gt 0 ] || set -- fetch_add bare_fetch_add add bare_add put_signal p bare_message iterations \
    bare_iterations

run() {
    timeout 250 valgrind --tool=callgrind --compress-strings=no --compress-pos=no \
        --toggle-collect="$1" --callgrind-out-file="$scratch/$1.$2" \
        "$program" "$1" "$2" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; exit 1; }
}

printf '%-16s %8s %8s %8s %8s\n' "for one" ours UCX libc all
for name in "$@"; do
    run "$name" $few
    run "$name" $((few + more))
    awk -v name="$name" -v more=$more -v functions="$functions" '
        FNR == 1 { file++; object = "" }
        /^ob=/ { object = substr($0, 4); next }
        /^fn=/ { function_name = substr($0, 4); next }
        /^calls=/ { inclusive = 1; next }
        /^[0-9+*-]/ {
            if (inclusive) { inclusive = 0; next }
            self[object "\t" function_name] += file == 1 ? -$2 : $2
        }
        END {
            for (key in self) {
                split(key, part, "\t")
                whose = "ours"
                if (part[1] ~ /libc|ld-|vdso|pthread/) whose = "libc"
                if (part[1] ~ /libuc[pst]/) whose = "UCX"
                sum[whose] += self[key] / more
                if (functions && self[key] / more >= 1)
                    printf "    %8.1f %-5s %s\n", self[key] / more, whose, part[2] | "sort -rn"
            }
            close("sort -rn")
            printf "%-16s %8.1f %8.1f %8.1f %8.1f\n", name, sum["ours"], sum["UCX"], sum["libc"],
                   sum["ours"] + sum["UCX"] + sum["libc"]
        }' "$scratch/$name.$few" "$scratch/$name.$((few + more))"
done
