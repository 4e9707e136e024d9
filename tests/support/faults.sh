# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# tests/api/faults.md lists what the tests provoke.  A test sources tap.sh and then this file,
# and for each mistake or fault that it provokes it calls
#
#   fault SECTION "WHAT HAPPENED" "MESSAGE" [SED...]
#       One row of the table.  Sections: use, arguments, start, resources,
#       failures, waits, requests.  MESSAGE is the output, one line or more.
#       Addresses, processes and hosts become placeholders; the SED expressions
#       replace anything else that changes from run to run.  A row that is
#       added twice is one row.
#   fault_skipped SECTION "WHAT HAPPENED"
#       The fault cannot be provoked here: the row stays as it is committed.
#   faults_match
#       At the end, before plan: one result, ok if the rows of this test in
#       tests/api/faults.md are those that this run has added.
#
# The rows are in $builddir/tests/faults; `make update-faults` runs the tests
# again and writes tests/api/faults.md from them.
#
# FAULT_HOSTS   names of hosts other than this one
# FAULT_TEST    the test's name [that of the script]

fault_sections='use arguments start resources failures waits requests'
fault_test=${FAULT_TEST:-$(basename "$0" .sh)}
fault_table=${FAULT_TABLE:-${srcdir:-.}/tests/api/faults.md}
fault_rows=${builddir:-.}/tests/faults/$fault_test.rows
mkdir -p "${builddir:-.}/tests/faults" && rm -f "$fault_rows" || exit 99

# Remove the prefix of messages and put in placeholders.  A level other than error stays.
fault_text()
{
    fault_here=$(uname -n)
    set -- -e 's/^anyshmem: (PE [0-9]+\/[0-9]+ on [^ ]+: )?(error: )?//' \
        -e 's/0x[0-9a-f]{4,}/ADDRESS/g' -e 's/(process|pid|socket) [0-9]+/\1 N/g' "$@"
    for fault_name in $fault_here "${fault_here%%.*}" $FAULT_HOSTS; do
        set -- -e "s/(^|[^A-Za-z0-9_.-])$fault_name([^A-Za-z0-9_.-]|\$)/\\1HOST\\2/g" "$@"
    done
    for fault_name in "$abs_builddir" "${TMPDIR:-/tmp}" /tmp; do
        [ -z "$fault_name" ] || set -- "$@" -e "s|$fault_name/[^ :,;)]*|PATH|g"
    done
    sed -E "$@"
}

# Print a line of the table; bars in the message are escaped.
fault_row()
{
    fault_message=$(printf '%s\n' "$2" | sed -e 's/|/\\|/g' -e 's/`/'"'"'/g' -e 's/^/`/' \
        -e 's/$/`/' | awk 'NR > 1 { printf "<br>" } { printf "%s", $0 }')
    printf '| %s | %s | %s |\n' "$1" "$fault_message" "$fault_test"
}

fault_known()
{
    case " $fault_sections " in
        *" $1 "*) ;;
        *)
            echo "Bail out! fault: no such section: $1"
            exit 99
            ;;
    esac
}

fault()
{
    fault_section=$1
    fault_what=$2
    fault_known "$1"
    fault_lines=$3
    shift 3
    for fault_sed; do
        shift
        set -- "$@" -e "$fault_sed"
    done
    fault_row "$fault_what" "$(printf '%s\n' "$fault_lines" | fault_text "$@")" |
        sed "s/^/$fault_section /" | fault_add
}

# Add the row of standard input, unless it is there already.
fault_add()
{
    cat >"$fault_rows.one"
    grep -qsxFf "$fault_rows.one" "$fault_rows" || cat "$fault_rows.one" >>"$fault_rows"
    rm -f "$fault_rows.one"
}

# Print the rows of a test in the committed table, each behind its section.
fault_committed()
{
    awk -v test="| $1 |" '/^<!-- section / { section = $3 }
        /^\| / && substr($0, length($0) - length(test) + 1) == test { print section, $0 }' \
        "$fault_table"
}

fault_skipped()
{
    fault_known "$1"
    fault_committed "$fault_test" | awk -v start="$1 | $2 |" 'index($0, start) == 1' | fault_add
}

faults_match()
{
    fault_committed "$fault_test" | LC_ALL=C sort >"$output.committed"
    LC_ALL=C sort /dev/null "$fault_rows" 2>/dev/null | diff -U 0 "$output.committed" - >"$output"
    # shellcheck disable=SC2319 # diff's status
    case $? in
        0) result ok "tests/api/faults.md has these messages" ;;
        *) result "make update-faults writes them" "tests/api/faults.md has these messages" ;;
    esac
}
