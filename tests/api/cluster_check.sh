#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/cluster-check: with tools that are stubs, what it says of those that fail or hang and what
# it makes of names; and one quick run with the real ones.

# shellcheck disable=SC2016 # what another shell expands
: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
check=$srcdir/contrib/cluster-check
bin=$output.bin
file=$output.txt
mkdir "$bin" || exit 99
no_settings

# tool NAME COMMANDS
tool()
{
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"
}

# says TEXT LINE: the file has this line.
says()
{
    grep -qxF -e "$2" "$file"
    verdict $? "$1"
}

refuses "$check" -z "no such option: -z"
refuses "$check" "-t 0" "-t takes seconds"
refuses "$check" "-b $output.nowhere" "no folder"

# Two hosts, of which one has a domain; a barrier fails, and an all_to_all has no end.
tool anyshmem-info 'echo "library $0, of $HOME/lib, 10.1.2.3,10.1.2.4; node17x 1.20.0"'
tool anyshmem-perf 'exit 0'
tool anyshmem-run '
case "$*" in
    *uname*) printf "node17\nnode18.example.org\nnode17\nnode18.example.org\n" ;;
    *PMIX_RANK*) exit 137 ;;
    *barrier*) echo "node17 and node18: no barrier" && exit 70 ;;
    *all_to_all*) exec sleep 20 ;;
    *) echo "PE 1 on node18.example.org" ;;
esac'
PATH=$bin:$PATH HOME=/people/jane "$check" -q -t 3 -o "$file" >"$output" 2>&1
status=$?
[ $status -eq 1 ]
verdict $? "a failure is its status"
grep -q '^cluster-check: [0-9]* passed, 3 did not, on 2 nodes$' "$file"
verdict $? "it counts what passed and did not"
says "a job that fails" "status 70: barrier"
says "a job that hangs" "no end after 3 s: all_to_all"
says "a job that hangs, by active messages" "no end after 3 s: all_to_all, by active messages"
says "one that does not" "ok: put"
says "a PE that is killed" "ok: a PE is killed, and the job ends"
says "hosts and their domain, as HOST1 and HOST2" "PE 1 on HOST2"
says "a short name of a host" "HOST1 and HOST2: no barrier"
says "home and addresses, and no word within another" \
    "library $bin/anyshmem-info, of /HOME/lib, ADDRESS,ADDRESS; node17x 1.20.0"
grep -nE 'node1[78]([^x]|$)|/people/jane|10\.1\.2' "$file" >"$output"
nothing "no name is left"
PATH=$bin:$PATH HOME=/people/jane "$check" -q -k -t 3 -o "$file" >"$output" 2>&1
says "-k keeps names" "PE 1 on node18.example.org"

what="a quick run: all of it passes"
if [ -z "$LAUNCHER" ] || [ "$LAUNCHER" = none ]; then
    skipped "no launcher" "$what"
elif sanitized; then
    skipped "a sanitizer takes its time" "$what"
elif [ ! -d /sys/class/net ]; then
    skipped "without /sys UCX finds no network interface" "$what"
else
    ANYSHMEM_LAUNCHER=$LAUNCHER "$check" -q -b "${abs_builddir:-$PWD}" -o "$file" >"$output" 2>&1
    status=$?
    sed '/^$/,$d' "$file" >>"$output"
    verdict $status "$what"
    grep -q '^ *[0-9]* ep_cfg\|cfg#' "$file"
    verdict $? "it shows lanes"
    grep -q '^mapped .* put ' "$file" && grep -q '^proxy-tcp .* put ' "$file"
    verdict $? "it measures mapped and remote"
    sed -n "s/.*\(\b$(uname -n)\b\).*/\1/p" "$file" >"$output"
    [ "$(uname -n)" = localhost ] || nothing "the name of this host is not in it"
fi
plan
