#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The manual: every function is in a page, and every name in a page exists; its
# types stand there, too; variables and options are those of the table and the
# tools, also for bash's completion; and mandoc has nothing to complain about.

: "${srcdir:=.}" "${builddir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
man=$srcdir/docs/man
# NVSHMEM's document mentions these two and declares them nowhere.
absent='nvshmem_ctx_putmem_signal|nvshmem_ctx_putmem_signal_nbi'

awk -f "$man/links.awk" "$man"/*.3 "${builddir:-.}/lib/anyshmem.map" >"$output.links"
awk '$3 == "none"' "$output.links" >"$output"
[ "$(grep -c ' link$' "$output.links")" -gt 3000 ] || echo "few functions" >>"$output"
nothing "each exported function has a page"

awk -f "$srcdir/tests/conformance/expand.awk" "$srcdir/tests/conformance/api.tsv" \
    >"$output.api.tsv"
cut -f2 "$output.api.tsv" | sed 1d | grep -vxE "$absent" >"$output.api"
awk -f "$man/links.awk" "$man"/*.3 "$output.api" | awk '$3 == "none"' >"$output"
[ "$(grep -c . "$output.api")" -gt 700 ] || echo "few functions" >>"$output"
nothing "each function that the documents name has a page"

awk '$3 == "unknown"' "$output.links" >"$output"
awk '$3 == "macro" { print $1 }' "$output.links" | while read -r name; do
    grep -rqE "define $name\(|[ *]$name\(" "$srcdir/include" || echo "$name: in no header"
done >>"$output"
nothing "each name in a page exists"

sed -n 's/^\.\(Dv\|Ev\) \([A-Z]*SHMEMX*_[A-Z_0-9]*\).*/\2/p' "$man"/*.[137] | sort -u |
    while read -r name; do
        case $name in
            *_) words="\\<${name}[A-Z]" ;; # SHMEM_MALLOC_*: all that begin so
            *) words="\\<$name\\>" ;;
        esac
        grep -rq "$words" "$srcdir/include" || grep -q "\"$name\"" "$srcdir/lib/base/env.def" ||
            echo "$name: no constant and no variable"
    done >"$output"
nothing "each constant and variable in a page exists"

awk -v types=1 -f "$man/links.awk" "$man"/*.3 "${builddir:-.}/lib/anyshmem.map" |
    while read -r type page; do
        grep -qE "^\.Vt (.* )?$type( |\$)" "$man/$page.3" || echo "$page.3: no type $type"
    done >"$output"
nothing "a page names the types of its functions"

# What a synopsis says of int, or of unsigned int, is what the documents say of it.
awk -F '\t' '
    function filled(text, word, type)
    {
        gsub(/TYPENAME/, word, text)
        gsub(/TYPE/, type, text)
        return text
    }
    function compare(    i, name, said)
    {
        for (i = 1; i <= 2; i++) {
            name = filled(routine, i == 1 ? "int" : "uint")
            # A class of objects, for which C has a handle; and bytes are called elements.
            if (!(name in wanted) || name ~ /_work_group$|^nvshmem_putmem$/) continue
            said = filled(result " " name "(" parameters ")", "", i == 1 ? "int" : "unsigned int")
            n++
            if (said != wanted[name]) print page ": " said ", not " wanted[name]
            return
        }
    }
    # The words of a line of mdoc, those between quotes as one.
    function more(text,    word)
    {
        while (match(text, /^ *("[^"]*"|[^ "]+)/)) {
            word = substr(text, RSTART, RLENGTH)
            gsub(/^ *"?|"$/, "", word)
            if (routine == "") routine = word
            else parameters = parameters (parameters != "" ? ", " : "") word
            text = substr(text, RSTART + RLENGTH)
        }
    }
    FILENAME ~ /api\.tsv$/ { wanted[$2] = $3 " " $2 "(" $4 ")"; next }
    FNR == 1 { page = FILENAME; sub(/.*\//, "", page) }
    /^\.Sh / { inside = $0 == ".Sh SYNOPSIS" }
    !inside { next }
    /^\.Ft / { result = substr($0, 5); gsub(/"/, "", result) }
    /^\.F[no] / { routine = parameters = "" }
    /^\.F[noa] / { more(substr($0, 5)) }
    /^\.F[nc]/ { compare() }
    END { if (n < 50) print n + 0 " prototypes compared" }' \
    "$output.api.tsv" "$man"/*.3 >"$output"
nothing "synopses are those of the documents"

# Names and defaults of the table, and of anyshmem(7).
sed -nE 's/^ENV\([a-z_0-9]+, [A-Z]+, ("[^"]*"), ("[^"]*").*/\1 \2/p' "$srcdir/lib/base/env.def" |
    tr -d '"' | sed 's/ $//' | sort >"$output.table"
awk '
    function tell() { if (name != "") print name (value != "" ? " " value : ""); name = "" }
    /^\.Sh / { tell(); inside = $2 == "ENVIRONMENT" }
    inside && /^\.(It|El)/ { tell(); name = $3; value = "" }
    inside && $1 == ".Cm" { value = $2 }' "$man/anyshmem.7" | sort >"$output.page"
diff "$output.table" "$output.page" >"$output"
[ "$(grep -c . "$output.table")" -eq "$(grep -c '^ENV(' "$srcdir/lib/base/env.def")" ] ||
    echo "not all lines of lib/base/env.def were read" >>"$output"
nothing "anyshmem(7) has the variables and their defaults"

# And what each accepts.
tr '\n' ' ' <"$srcdir/lib/base/env.def" | sed 's/ENV(/\nENV(/g' |
    sed -nE 's/^ENV\([a-z_0-9]+, [A-Z]+, "([^"]*)", "[^"]*", "([^"]+)".*/\1 \2/p' |
    sed 's/|/, /g; s/[.][.]/ to /' | sort >"$output.table"
awk '/^\.It/ { name = $3 } /^Takes / { sub(/^Takes /, ""); sub(/[.]$/, ""); print name " " $0 }' \
    "$man/anyshmem.7" | sort >"$output.page"
diff "$output.table" "$output.page" >"$output"
[ "$(grep -c . "$output.table")" -ge 15 ] || echo "few variables accept something" >>"$output"
nothing "anyshmem(7) says what each variable accepts"

# Options that a page's lists describe, one a line.
in_page()
{
    awk '/^\.It Fl / {
        for (i = 3; i <= NF && $i !~ /^(Ar|Ns|Op)$/; i++) if ($i != ",") print "-" $i
    }' "$man/$1.1" | sort -u
}

# Those that a tool's help names.
in_help()
{
    case $1 in
        anyshmem-trace) sh "$srcdir/contrib/trace/anyshmem-trace" -h ;;
        anyshmem-run) sh "$srcdir/contrib/run/anyshmem-run" -h ;;
        anyshmem-perf) "$builddir/contrib/perf/anyshmem-perf" --help ;;
        anyshmem-info) "$builddir/contrib/info/anyshmem-info" --help ;;
        anyshmem-nvcc) bash -c '. "$1"; usage_of_help' bash "$srcdir/contrib/nvcc/options.bash" ;;
    esac | grep -oE '(^|[^a-zA-Z-])--?[a-zA-Z][a-zA-Z_-]*' | sed 's/^[^-]*//' | sort -u
}

# Those that bash offers.
in_completion()
{
    bash -c '
        . "$1"
        COMP_WORDS=("$2" -) COMP_CWORD=1
        "_${2//-/_}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$srcdir/contrib/completion/$1" "$1" |
        grep -v = | sort -u
}

for tool in anyshmem-info anyshmem-nvcc anyshmem-perf anyshmem-run anyshmem-trace; do
    in_page "$tool" >"$output.page"
    in_help "$tool" >"$output.help"
    diff "$output.page" "$output.help" >"$output"
    [ -s "$output.page" ] || echo "no option" >>"$output"
    nothing "$tool: the page has the options of the tool"
    if command -v bash >/dev/null; then
        in_completion "$tool" >"$output.bash"
        diff "$output.page" "$output.bash" >"$output"
        nothing "$tool: bash completes these options"
    else
        skipped "no bash" "$tool: bash completes these options"
    fi
done

# Those of anyshmem-run stand in zsh's file; zsh takes the others from --help.
sed -n '/anyshmem-run |/,/;;/p' "$srcdir/contrib/completion/_anyshmem" |
    sed -n "s/\[.*//; / '/p" | grep -oE -e '--?[a-zA-Z]+' | sort -u >"$output.zsh"
in_page anyshmem-run | diff - "$output.zsh" >"$output"
nothing "anyshmem-run: zsh completes these options"
if command -v zsh >/dev/null; then
    zsh -n "$srcdir/contrib/completion/_anyshmem" >"$output" 2>&1
    nothing "zsh reads its file"
else
    skipped "no zsh" "zsh reads its file"
fi

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$man"/*.[137] >"$output" 2>&1
    nothing "mandoc has no warning"
else
    skipped "no mandoc" "mandoc has no warning"
fi
plan
