#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each tracked file that can carry a comment names its licence in its first lines,
# and no file names a place that only one machine has.

: "${srcdir:=.}"
cd "$srcdir" || exit 99
# Without the repository nobody knows which files are ours.
if [ ! -e .git ] || ! git ls-files >/dev/null 2>&1; then
    echo "1..0 # SKIP not a git checkout"
    exit 0
fi

# Text for people, formats without comments, and what other programs write.
bare='^(COPYING|NEWS|.*\.md|.*/?\.gitignore|.*\.(png|pgm|svg|json|tsv|txt|patch))$'
bare="$bare|^contrib/debian/(changelog|copyright|source/format)\$"
number=0
failed=0

verdict()
{
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "$2" | head -n 30 | sed 's/^/# /'
        failed=1
    fi
}

without=$(git ls-files | grep -vE "$bare" | while read -r file; do
    [ ! -f "$file" ] || head -n 3 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' ||
        echo "$file"
done)
count=$(git ls-files | grep -vcE "$bare")
verdict "there are files to look at" "$([ "$count" -gt 50 ] || echo "$count files")"
verdict "each file names its licence" "$without"

# Written so that this file does not find itself.
places='/wor[k]/|/tmp/[h]/|/opt/la[b]|/hom[e]/[a-z]|/roo[t]/'
verdict "no place of one machine" "$(git ls-files -z | xargs -0 grep -nIE "$places" 2>/dev/null)"
verdict "no line that is left from a merge" \
    "$(git ls-files -z | xargs -0 grep -nIE '^(<<<<<<<|>>>>>>>) ' 2>/dev/null)"

echo "1..$number"
exit "$failed"
