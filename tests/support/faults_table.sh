#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# faults_table.sh TEST...: print tests/api/faults.md from the rows that these tests
# wrote in their last run; the rows of a test that has not run are taken from the
# committed table.  See faults.sh.

srcdir=${srcdir:-.}
builddir=${builddir:-.}
FAULT_TEST=faults_table
# shellcheck source=tests/support/faults.sh
. "$srcdir/tests/support/faults.sh"
rm -f "$fault_rows"

rows=$(for test in "$@"; do
    if [ -f "$builddir/tests/faults/$test.rows" ]; then
        cat "$builddir/tests/faults/$test.rows"
    elif [ -f "$fault_table" ]; then
        fault_committed "$test"
    fi
done)

section()
{
    case $1 in
        use) title='The library is used at the wrong time, or in the wrong process' ;;
        arguments) title='A bad argument' ;;
        start) title='The job does not start' ;;
        resources) title='The machine has not enough of something' ;;
        failures) title='A PE, a host, the network or the launcher fails' ;;
        waits) title='A wait does not end' ;;
        requests) title='A request or a message that nobody of this job can have made' ;;
    esac
    ours=$(echo "$rows" | sed -n "s/^$1 |/|/p")
    [ -n "$ours" ] || return 0
    printf '\n<!-- section %s -->\n## %s\n\n' "$1" "$title"
    printf '| what happened | what is said | test |\n|---|---|---|\n%s\n' "$ours"
}

cat <<END
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Written by "make update-faults" from what the tests provoke; do not edit. -->
# What is said when something is wrong

Each mistake and each fault gives one line on standard error (and in \`NVSHMEM_DEBUG_FILE\`),

    anyshmem: PE 1/2 on HOST: error: nvshmem_int_p: pe -1 is out of range: this job has PEs 0..1

with the PE that found it, the number of PEs and its host (left out before they are known); then the
whole job ends, unless the line says \`warn\`, or the call returns an error. \`make check\` provokes each
row of this page and compares what comes out with what stands here. ADDRESS, HOST, PATH and N stand
for what differs from run to run; the last column is the test, \`tests/api/NAME.sh\` or
\`tests/multihost/NAME.sh\`.
END
for one in $fault_sections; do section "$one"; done
