#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# make html: there is a page for each document and each page of the manual, each link leads to
# a page and to a place in it, nothing is read from elsewhere, the search finds routines,
# headings and words, and a tool that is missing is named with its package.
#
# srcdir: as in the other checks.

: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
make_html=$srcdir/contrib/html/make-html
pages=$srcdir/tests/api/html_pages.py
folder=$output.html
export srcdir

"$make_html" "$folder" >"$output" 2>&1
status=$?
if [ $status -eq 77 ]; then
    echo "1..0 # SKIP $(sed 's/^make html: //' "$output")"
    exit 0
fi
[ $status -eq 0 ] && [ ! -e "$folder.new" ]
verdict $? "make html"

# One line, and which package.
lacks()
{
    [ $status -eq 77 ] && [ "$(grep -c . "$output")" -eq 1 ] && grep -q "$1" "$output" &&
        [ -e "$folder/index.html" ]
    verdict $? "without $1 it says so, and leaves what is there"
}
PATH=/none /bin/sh "$make_html" "$folder" >"$output" 2>&1
status=$?
lacks 'package mandoc'
mkdir "$output.python"
echo "raise ImportError" >"$output.python/markdown_it.py"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$output.python "$make_html" "$folder" >"$output" 2>&1
status=$?
lacks 'python3-markdown-it'

# Each with its heading.
(cd "$srcdir" && {
    echo README.md CONTRIBUTING.md SECURITY.md | tr ' ' '\n'
    find docs include device proxy lib tests contrib -name '*.md'
}) | while read -r file; do
    page=${file%.md}.html
    [ "$file" != README.md ] || page=index.html
    heading=$(sed -n 's/^# //p' "$srcdir/$file" | head -n 1)
    echo "$page $heading"
done >"$output.wanted"
for file in "$srcdir"/docs/man/*.[1-9]; do
    name=${file##*/}
    echo "man/$name.html ${name%.*}(${name##*.})"
done >>"$output.wanted"
echo "NEWS.html News" >>"$output.wanted"
while read -r page heading; do
    grep -qF "<title>$heading" "$folder/$page" || echo "no $page, or it is not \"$heading\""
    # The page is in the list of pages, too.
    grep -qF "<a href=\"$page\">" "$folder/index.html" || [ "$page" = index.html ] ||
        echo "$page is not in the list"
done <"$output.wanted" >"$output" 2>&1
[ "$(grep -c . "$output.wanted")" -gt 50 ] || echo "few pages" >>"$output"
nothing "each document and each page of the manual is there"

# links FOLDER: what is wrong, in $output.
links()
{
    python3 -B "$pages" links "$1" >"$output.all" 2>&1
    awk '/^links [0-9]+$/ && $2 > 3000 { seen = 1; next } { print }
        END { if (!seen) print "few links" }' "$output.all" >"$output"
}
links "$folder"
nothing "each link leads to a place that is there, and nothing is from elsewhere"

# That can fail: a link to no file, one to no heading, a script from elsewhere.
cp -R "$folder" "$output.broken"
{
    echo '<a href="tuor.html">x</a><a href="tour.html#step-7">x</a>'
    echo '<script src="https://example.org/x.js"></script><a href="../../x">x</a>'
} >>"$output.broken/docs/tour.html"
links "$output.broken"
broken='tuor.html|tour.html#step-7|https://example.org/x.js|../../x'
[ "$(grep -cE "^docs/tour.html: ($broken)(:| is)" "$output")" -eq 4 ]
verdict $? "links that lead nowhere are found"

grep -q '<img src="tour.svg"' "$folder/docs/tour.html" && [ -s "$folder/docs/tour.svg" ]
verdict $? "the tour has its picture"

python3 -B "$pages" routines "$folder" 2>&1 | sort >"$output.found"
awk -f "$srcdir/docs/man/links.awk" "$srcdir"/docs/man/*.3 "${builddir:-.}/lib/anyshmem.map" |
    awk '$3 ~ /self|link|macro/ { print $1, $2 }' | sort >"$output.wanted"
comm -13 "$output.found" "$output.wanted" >"$output"
[ "$(grep -c . "$output.wanted")" -gt 3000 ] || echo "few routines" >>"$output"
nothing "the search knows each routine's page"

# Names that are in no page of ours, as nvcc(1), are no links; all others are.
{
    awk '{ print $1 "(3)" }' "$output.wanted"
    find "$srcdir/docs/man" -name '*.[1-9]' | sed 's|.*/||; s/\.\(.\)$/(\1)/'
} | sort -u >"$output.names"
cat "$folder"/man/*.html | tr '\n' ' ' | grep -o '<span class="Xr">[^<]*' | sed 's/.*>//' |
    sort -u | comm -12 - "$output.names" >"$output"
[ "$(cat "$folder"/man/*.html | grep -o '<a class="Xr"' | grep -c .)" -gt 100 ] ||
    echo "few references" >>"$output"
grep -q '<a href="../man/nvshmemx_collective_launch.3.html#nvshmemx_cumodule_init"' \
    "$folder/docs/cuda.html" || echo "no link of code" >>"$output"
nothing "names of the manual's pages lead there"

# finds WORDS | FILE#ID: what is first.
finds()
{
    echo "$2" >"$output.wanted"
    {
        cat "$folder/search-index.js" "$folder/search.js"
        echo "for (const one of find(searchIndex, \"$1\").slice(0, 5)) console.log(one[0]);"
    } | timeout 60 node - >"$output" 2>&1
    head -n 1 "$output" | diff - "$output.wanted" >/dev/null
    verdict $? "search: $1"
}
while IFS='|' read -r words place; do
    if command -v node >/dev/null; then
        finds "$words" "$place"
    else
        skipped "no node" "search: $words"
    fi
done <<'END'
nvshmem_int_put_signal|man/nvshmem_put_signal.3.html#nvshmem_TYPENAME_put_signal
NVSHMEM_QUIET|man/nvshmem_fence.3.html#nvshmem_quiet
shmem_put64|man/shmem.3.html#shmem_putSIZE
guided tour|docs/tour.html
ANYSHMEM_WARN_AFTER|man/anyshmem.7.html#ANYSHMEM_WARN_AFTER
a job that hangs|docs/troubleshooting.html#a-job-that-hangs
END
plan
