#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the GPU routines cost, in their machine code: how often the usual path of
# each waits for its stores (MEMBAR) or drops the cache (CCTL.IVALL), and how many
# 16-byte stores it makes.  The kernels are those of tests/gpu/routines.cu.  One of
# each in a put, a get is that of copies by one thread within memory that is not
# symmetric, which lies in the same function.
#
# Needs nvcc, and nvdisasm: NVDISASM=PROGRAM, next to nvcc, in PATH, or in
# build/nvdisasm, where "contrib/install-nvdisasm" puts it.

: "${srcdir:=.}" "${builddir:=.}"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
targets='sm_80 sm_90 sm_100'
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
tmp=$output.work
mkdir "$tmp" || exit 99

skip()
{
    echo "1..0 # SKIP $*"
    exit 0
}

command -v "$nvcc" >/dev/null || skip "no nvcc"
for nvdisasm in "${NVDISASM:-}" "$(dirname "$(command -v "$nvcc")")/nvdisasm" nvdisasm \
    "$builddir/nvdisasm/bin/nvdisasm"; do
    [ -n "$nvdisasm" ] && command -v "$nvdisasm" >/dev/null && break
    nvdisasm=
done
[ -n "$nvdisasm" ] || skip "no nvdisasm: contrib/install-nvdisasm gets one from PyPI"

# Lines "KERNEL FUNCTION MEMBARS INVALIDATIONS STORES": each kernel's own code is
# the function "body"; the others are those that were not inlined into it.
# A MEMBAR for the threads of a block alone (.CTA) is free.
count()
{
    awk '
        /^\.text\.kernel_/ {
            kernel = $1; sub(/^\.text\.kernel_/, "", kernel); sub(/:$/, "", kernel)
            name = "body"
        }
        /^\$.*:$/ {
            name = $1; gsub(/^.*_cu_........|:$/, "", name); sub(/^[0-9]+/, "", name)
        }
        /\/\*[0-9a-f]+\*\// && kernel != "" {
            key = kernel " " name; seen[key] = 1
            if (/MEMBAR\.[A-Z]+\.(SYS|GPU)/) membars[key]++
            if (/CCTL\.IVALL/) drops[key]++
            if (/ STG?\.E\.128/) stores[key]++
        }
        END { for (key in seen) print key, membars[key] + 0, drops[key] + 0, stores[key] + 0 }
    '
}

# check TARGET KERNEL FUNCTIONS MEMBARS INVALIDATIONS STORES: the sums over what
# makes up one path of a routine.  A function that is not there was renamed or inlined.
check()
{
    awk -v target="$1" -v kernel="$2" -v functions="$3" -v wanted="$4 $5 $6" '
        BEGIN { n = split(functions, part, "+") }
        $1 == kernel {
            for (i = 1; i <= n; i++)
                if ($2 == part[i] || ($2 ~ "^" part[i] "E" && !found[i])) {
                    found[i] = 1; membars += $3; drops += $4; stores += $5
                }
        }
        END {
            for (i = 1; i <= n; i++) if (!found[i]) { print "no function " part[i]; bad = 1 }
            counted = membars + 0 " " drops + 0 " " stores + 0
            if (counted != wanted) {
                print "MEMBAR, CCTL.IVALL, 16-byte stores: " counted ", wanted: " wanted
                bad = 1
            }
            exit bad
        }' "$tmp/counts" >"$output"
    verdict $? "$1: $2 ($3): $4 MEMBAR, $5 CCTL.IVALL, $6 stores of 16 bytes"
}

for target in $targets; do
    "$nvcc" -arch="$target" -std=c++17 -cubin -I"$builddir/include" -I"$srcdir/include" \
        -I"$srcdir" -o "$tmp/cubin" "$srcdir/tests/gpu/routines.cu" >"$output" 2>&1 &&
        "$nvdisasm" "$tmp/cubin" >"$tmp/sass" 2>"$output" && count <"$tmp/sass" >"$tmp/counts"
    verdict $? "$target: the routines are compiled and disassembled"
    # A/B: B from sm_90 on, where a fence may acquire alone.
    case $target in sm_80) which='s,/[0-9]*,,g' ;; *) which='s,[0-9]*/,,g' ;; esac
    while read -r kernel functions numbers; do
        numbers=$(echo "$numbers" | sed "$which")
        # shellcheck disable=SC2086 # three numbers
        check "$target" "$kernel" "$functions" $numbers
    done <<EOF
p body 0 0 2
add body+ash_amo_send 0 0 2
fetch_add body+ash_amo_fetch 0 0 2
signal body+ash_amo_send 1 1 2
g body+ash_g_channel 0 0 2
put body+ash_put_channel 2/1 1 2
put body+ash_stage_put+ash_stage_claim 2/1 1 2
put_blocking body+ash_put_channel 2/1 1 2
put_warp body+ash_stage_put+ash_stage_claim 2/1 1 2
put_block body+ash_put_channel 2/1 1 2
put_block body+ash_stage_put+ash_stage_claim 2/1 1 2
put_signal ash_put_signal_channel 1 0 3
put_signal ash_put_signal_staged+ash_stage_claim 1 0 3
put_signal body+ash_amo_send 1 1 2
put_signal_block ash_put_signal_staged+ash_stage_claim 1 0 3
get body+ash_get_channel 4/1 3 2
fence body 1 1 0
fence ash_channel_fence_send 0 0 2
quiet body 1 1 0
quiet ash_channel_quiet_wait 0 2 2
wait_until body 1/0 1 0
test body 1/0 1 0
EOF
done
plan
