#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each tracked file that can carry a comment names its licence in its first lines,
# and no file names a place that only one machine has.

: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
cd "$srcdir" || exit 99
# Without the repository nobody knows which files are ours.
if [ ! -e .git ] || ! git ls-files >/dev/null 2>&1; then
    echo "1..0 # SKIP not a git checkout"
    exit 0
fi

# Text for people, formats without comments, and what other programs write.
bare='^(COPYING|NEWS|.*\.md|.*/?\.gitignore|.*\.(png|pgm|svg|json|tsv|txt|patch))$'
bare="$bare|^contrib/debian/(changelog|copyright|source/format)\$"

without=$(git ls-files | grep -vE "$bare" | while read -r file; do
    [ ! -f "$file" ] || head -n 3 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' ||
        echo "$file"
done)
count=$(git ls-files | grep -vcE "$bare")
nothing "there are files to look at" "$([ "$count" -gt 50 ] || echo "$count files")"
nothing "each file names its licence" "$without"

# Written so that this file does not find itself.
places='/wor[k]/|/tmp/[h]/|/opt/la[b]|/hom[e]/[a-z]|/roo[t]/'
nothing "no place of one machine" "$(git ls-files -z | xargs -0 grep -nIE "$places" 2>/dev/null)"
nothing "no line that is left from a merge" \
    "$(git ls-files -z | xargs -0 grep -nIE '^(<<<<<<<|>>>>>>>) ' 2>/dev/null)"

plan
