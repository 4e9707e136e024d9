#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What README.md, CONTRIBUTING.md, SECURITY.md, PACKAGERS.md, docs/*.md, the README.md of each top folder and
# that of the recipes say of this tree: links lead somewhere, files, routines, targets of make and
# options exist, code compiles and its programs run, the tools' commands do what they are to,
# variables are those of the table, messages, events, operations and figures those of the
# code, and the tour has each file that is a step.
#
# CC, NVCC, LAUNCHER, builddir, srcdir: as in the other checks.

# shellcheck disable=SC2016,SC2317 # backquotes of Markdown; functions that each calls
: "${srcdir:=.}" "${builddir:=.}" "${CC:=cc}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
# shellcheck source=tests/support/together.sh
. "$srcdir/tests/support/together.sh"
library=${abs_builddir:-$PWD}/.libs
work=$output.work
faults=$srcdir/tests/api/faults.md # what tests said
mkdir "$work" "$work/log" || exit 99
documents=$(cd "$srcdir" && {
    find README.md CONTRIBUTING.md SECURITY.md contrib/PACKAGERS.md contrib/recipes docs \
        -name '*.md'
    for folder in include device proxy lib tests contrib; do
        [ ! -e $folder/README.md ] || echo $folder/README.md
    done
} | sort)

# each COMMAND: its output for each document, "DOCUMENT: LINE".
each()
{
    for document in $documents; do
        "$@" "$srcdir/$document" | sed "s|^|$document: |"
    done
}

# What a heading's link is called.
anchors()
{
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# The targets of links and pictures, one a line.
links()
{
    awk '/^```/ { code = !code } !code' "$1" | sed 's/`[^`]*`//g' | grep -oE '\]\([^)]*\)' |
        sed 's/^](//; s/)$//'
}

each links >"$work/links"
while IFS=' ' read -r document target; do
    folder=$srcdir/$(dirname "${document%:}")
    case $target in
        http://* | https://*) continue ;;
        '#'*) file=$srcdir/${document%:} ;;
        *) file=$folder/${target%%#*} ;;
    esac
    [ -e "$file" ] || { echo "$document $target: no such file" && continue; }
    case $target in
        *'#'*) anchors "$file" | grep -qxF "${target#*#}" || echo "$document $target: no such heading" ;;
    esac
done <"$work/links" >"$output"
[ "$(grep -c . "$work/links")" -ge 10 ] || echo "few links" >>"$output"
nothing "links lead somewhere"

# Paths below this tree; NAME and the like stand for others, and a folder's name
# also for what is built, installed or called so elsewhere.
paths()
{
    grep -oE '(^|[^A-Za-z0-9_./$*-])(include|device|proxy|lib|tests|contrib|docs)/[A-Za-z0-9_./*-]*' "$1" |
        sed 's/^[^a-z]*//; s/[.]*$//' | grep -vE '[A-Z]{4}|\.log$|^include/anyshmem/' | sort -u
}

each paths >"$work/paths"
while IFS=' ' read -r document path; do
    found=
    for file in "$srcdir"/$path "$srcdir/$path".* "$builddir/$path"; do
        [ ! -e "$file" ] || found=yes
    done
    [ -n "$found" ] || echo "$document $path"
done <"$work/paths" >"$output"
[ "$(grep -c . "$work/paths")" -ge 50 ] || echo "few files" >>"$output"
nothing "files exist"

# steps N: the files of the tour's chapter N that are named; and those that say so.
steps()
{
    awk -v n="$1" '/^## / { in_it = $0 ~ "^## " n } in_it' "$srcdir/docs/tour.md"
}
for n in 1 2 3 4 5 6; do
    (cd "$srcdir" && grep -rlE "[Ss]tep $n of 6" device proxy --include='*.[ch]') | while read -r file; do
        case $n:$file in
            6:device/channel/reply.h) steps 'The way back' ;;
            *) steps "Step $n" ;;
        esac | grep -qF "\`$file\`" || echo "$file: not in step $n"
    done
done >"$output"
(cd "$srcdir" && grep -rlE '[Ss]tep [1-6] of 6' device proxy --include='*.[ch]') >"$work/steps"
[ "$(grep -c . "$work/steps")" -ge 12 ] || echo "few files are a step" >>"$output"
nothing "the tour has each file that is a step"

# Words in `make WORD`, and in lines of commands.
targets()
{
    grep -oE '(`|^    |&& )(sudo )?make [a-z][a-z/_-]*' "$1" | sed 's/.*make //' | grep -v / | sort -u
}
each targets >"$work/targets"
while IFS=' ' read -r document target; do
    case $target in check | html | install | install-html | installcheck | dist | distcheck | clean | all) continue ;; esac
    grep -qE "^([a-z-]+ )*$target( [a-z-]+)* *:" "$srcdir/Makefile.am" "$srcdir"/*/local.am "$srcdir"/*/*/local.am ||
        echo "$document make $target"
done <"$work/targets" >"$output"
[ "$(grep -c . "$work/targets")" -ge 5 ] || echo "few targets" >>"$output"
nothing "targets of make exist"

# Options of configure and of the tools.
options()
{
    grep -oE -e '--(with|without|enable|disable)-[a-z]+' -e 'anyshmem-(info|run|perf) +-[a-zA-Z-]+' "$1" |
        sort -u
}
each options >"$work/options"
while read -r document word option; do
    case $word in
        --*) grep -qE "\[${word#--*-}[],-]" "$srcdir/configure.ac" "$srcdir"/contrib/m4/anyshmem.m4 ;;
        *) grep -qw -e "$option" "$srcdir/contrib/completion/$word" ;;
    esac || echo "$document $word $option"
done <"$work/options" >"$output"
[ "$(grep -c . "$work/options")" -ge 10 ] || echo "few options" >>"$output"
nothing "options of configure and of the tools exist"

# Variables: of the table, of the headers (constants), or NVSHMEM's that mean nothing here.
variables()
{
    grep -oE '\b(NVSHMEMX?|ANYSHMEM)_[A-Z][A-Z0-9_]*[A-Z0-9]' "$1" | sort -u
}
ignored=$(sed -n '/ignored\[\] = {/,/};/p' "$srcdir/lib/base/env_names.c" | grep -oE '"[A-Z_0-9]+"' |
    tr -d '"' | tr '\n' '|' | sed 's/|$//')
each variables >"$work/variables"
while IFS=' ' read -r document name; do
    grep -q "\"$name\"" "$srcdir/lib/base/env.def" || grep -rqw "$name" "$srcdir/include" ||
        echo "$name" | grep -qE "^($ignored)" || echo "$document $name"
done <"$work/variables" >"$output"
[ "$(grep -c . "$work/variables")" -ge 30 ] || echo "few variables" >>"$output"
nothing "variables and constants exist"

# Routines, of the library or of its inside.  What is said to be missing stands in a
# table whose first words are "not here", or in a list of what is not there; CMake and
# pkg-config have names of their own.
routines()
{
    awk '/^\| not here/ { absent = 1 } /^$/ { absent = 0 } !absent' "$1" |
        grep -oE '\b(nvshmemx?|anyshmemx?|shmem|ishmemx?|ash|dev)_[A-Za-z0-9_]*[*]?' | sort -u
}
each routines >"$work/routines"
while IFS=' ' read -r document name; do
    case $name in
        nvshmem_ctx_putmem_signal | nvshmem_api | nvshmem_home | shmem_home | nvshmem_host | nvshmem_device | \
            anyshmem_CUDA_ARCHITECTURES | anyshmem_clock) continue ;;
        # A page of the manual, and what was added once to see how that goes.
        nvshmem_atomic | anyshmemx_TYPENAME_atomic_fetch_dec | ishmem_constants) continue ;;
        *_\* | *_) pattern="\\b${name%\*}" ;;
        *TYPENAME*) pattern="\\b$(echo "$name" | sed 's/TYPENAME/int/')\\b" ;;
        *) pattern="\\b$name\\b" ;;
    esac
    case $name in
        ash_* | dev_*) grep -rqE "$pattern" "$srcdir/device" "$srcdir/proxy" "$srcdir/lib" ;;
        *) grep -qE "$pattern" "${builddir:-.}/lib/anyshmem.map" || grep -rqE "$pattern" "$srcdir/include" ;;
    esac || echo "$document $name"
done <"$work/routines" >"$output"
[ "$(grep -c . "$work/routines")" -ge 40 ] || echo "few routines" >>"$output"
nothing "routines exist"

# The table of families has the counts of the tables that tests/pe/conformance executes, and
# what is not there stands in docs/porting.md with its reason.
tables=$srcdir/tests/conformance
awk -f "$tables/expand.awk" "$tables/api.tsv" "$tables/nvshmem.tsv" >"$work/functions"
sed '/^| family | NVSHMEM 3.8.0 |/,/^$/!d' "$srcdir/docs/functions.md" | sed '1,2d; /^$/d' >"$work/families"
{
    awk -v mode=table -f "$tables/rows.awk" "$work/functions" | diff - "$work/families"
    awk -F '\t' '$8 == "absent" { print $2 }' "$work/functions" | while read -r name; do
        sed '/^### What is missing/,/^## /!d' "$srcdir/docs/porting.md" | grep -qF "\`$name\`" ||
            echo "$name: not in docs/porting.md"
    done
} >"$output" 2>&1
[ "$(grep -c . "$work/families")" -ge 15 ] || echo "few families" >>"$output"
nothing "the counts of functions in docs/functions.md are those of tests/conformance"
sed '/^| family | 1.5 | 1.6 adds/,/^$/!d' "$srcdir/docs/functions.md" | sed '1,2d; /^$/d' >"$work/families"
awk -f "$tables/expand.awk" "$tables/openshmem.tsv" |
    awk -v mode=table -f "$tables/openshmem.awk" | diff - "$work/families" >"$output" 2>&1
[ "$(grep -c . "$work/families")" -ge 13 ] || echo "few families" >>"$output"
nothing "the counts of OpenSHMEM's functions in docs/functions.md are those of its list"

# README says how many of NVSHMEM's functions are there, of how many.
absent=$(awk -F '\t' '$8 == "absent"' "$work/functions" | grep -c .)
awk -v mode=table -f "$tables/rows.awk" "$work/functions" |
    awk -v absent="$absent" '/\*\*all\*\*/ { print $4 - absent " of the " $4 " functions" }' |
    sed -E 's/([0-9])([0-9]{3}) /\1,\2 /g' >"$work/count"
{
    [ "$absent" -gt 0 ] || echo "none is absent"
    grep -qF "$(cat "$work/count")" "$srcdir/README.md" || echo "README.md has not \"$(cat "$work/count")\""
} >"$output"
nothing "README.md's count of NVSHMEM's functions is that of the tables"

# Strings of the code, each on a line and joined where the compiler joins them.
(cd "$srcdir" && cat lib/*/*.[ch] proxy/*.[ch] proxy/*/*.[ch] device/*/*.[ch] contrib/info/*.c) |
    tr '\n' ' ' | sed "s/'.\{0,1\}\"'//g" | sed 's/" *[A-Z][A-Za-z0-9_]* *"/N/g; s/\([^\\]\)" *"/\1/g' |
    grep -oE "\"([^\"\\\\]|\\\\.)*\"" >"$work/strings"
grep -oE 'AC_MSG_(ERROR|WARN)\(.*' "$srcdir/contrib/m4/anyshmem.m4" >>"$work/strings"
# The headings that quote a message, up to the chapter of what others say.
sed '/^## .*other programs/,$d' "$srcdir/docs/troubleshooting.md" | grep '^### ' |
    grep -oE '`[^`]*`' | tr -d '`' >"$work/messages"
while IFS= read -r message; do
    pattern=$(printf '%s\n' "$message" | sed 's/[][\.*^$+?(){}|]/\\&/g; s/\\\.\\\.\\\./.*/g')
    grep -qE -e "$pattern" "$work/strings" || grep -qE -e "$pattern" "$faults" ||
        echo "$message"
    case $message in *...* | *[a-z]*' '*) ;; *) echo "$message: too short" ;; esac
done <"$work/messages" >"$output"
[ "$(grep -c . "$work/messages")" -ge 25 ] || echo "few messages" >>"$output"
[ "$(grep -c . "$work/strings")" -ge 500 ] || echo "few strings" >>"$output"
nothing "messages in docs/troubleshooting.md are those of the code"

# Those that docs/porting.md quotes, too.
sed '/^### What its users complain about/,/^## /!d' "$srcdir/docs/porting.md" |
    sed -nE 's/^\|.*\| `(.*)` \|$/\1/p' >"$work/quoted"
while IFS= read -r message; do
    pattern=$(printf '%s\n' "$message" | sed 's/[][\.*^$+?(){}|]/\\&/g; s/\\\.\\\.\\\./.*/g')
    grep -qE -e "$pattern" "$work/strings" || grep -qE -e "$pattern" "$faults" ||
        echo "$message"
done <"$work/quoted" >"$output"
[ "$(grep -c . "$work/quoted")" -ge 10 ] || echo "few messages" >>"$output"
nothing "messages in docs/porting.md are those of the code"

# And each that a test provokes can be looked up there.
sed 's/[][\.*^$+?(){}|]/\\&/g; s/\\\.\\\.\\\./.*/g; s/^/^((warn|info): )?/' "$work/messages" \
    >"$work/patterns"
sed -nE 's/^\| .* \| `(.*)` \| [a-z_0-9]+ \|$/\1/p' "$faults" |
    sed 's/\\|/|/g' >"$work/provoked"
grep -Evf "$work/patterns" "$work/provoked" >"$output"
[ "$(grep -c . "$work/provoked")" -ge 100 ] || echo "few messages" >>"$output"
nothing "messages in tests/api/faults.md have a place in docs/troubleshooting.md"

# What is named in the first column of a document's table.
first_column()
{
    sed -nE 's/^\| (`[^|]*`)( \|.*|$)/\1/p' "$srcdir/$1" | grep -oE '`[^`]*`' | tr -d '`'
}

# Events of a trace: what comes before OP is a name in the list of events.
first_column docs/trace.md | sed -n 's/ OP$//p' >"$work/events"
while read -r event; do
    grep -qF "\"$event \"" "$srcdir/device/observe/trace.h" || echo "$event"
done <"$work/events" >"$output"
[ "$(grep -c . "$work/events")" -eq "$(grep -cE '^ +X\([A-Z_]+, "[a-z][^"]*"\)' \
    "$srcdir/device/observe/trace.h")" ] || echo "not all events" >>"$output"
nothing "events in docs/trace.md are those of the code"

# Operations and options of compare-peers; each operation of the program is in the table.
sed '/^| operation |/,/^$/!d' "$srcdir/contrib/compare-peers/README.md" | sed -nE 's/^\| ([^|]*)\|.*/\1/p' |
    grep -oE '`[^`]*`' | tr -d '`' | sed 's/[*]$//' >"$work/operations"
{
    while read -r operation; do
        grep -qE "\"$operation" "$srcdir/contrib/compare-peers/cases.c" || echo "$operation"
    done <"$work/operations"
    grep -vE "^ +LIMIT" "$srcdir/contrib/compare-peers/cases.c" |
        grep -oE '^ +([A-Z_]+\(|[{]"[a-z]+", )"[a-z_]+"' |
        sed 's/.*"\([a-z_]*\)"$/\1/' | while read -r operation; do
            case $operation in wait_*) operation=wait_ ;; esac
            grep -qx "$operation" "$work/operations" || echo "$operation is not in the table"
        done
    grep -oE -e '--[a-z]+(-[a-z]+)*' "$srcdir/contrib/compare-peers/README.md" | sort -u |
        grep -vxE -e '--(oversubscribe|bind-to)' | while read -r option; do
            grep -qw -e "$option" "$srcdir/contrib/compare-peers/compare-peers" || echo "$option"
        done
} >"$output"
[ "$(grep -c . "$work/operations")" -ge 20 ] || echo "few operations" >>"$output"
nothing "operations and options in contrib/compare-peers/README.md are those of the program"

# Figures of a GPU, as far as SIZE, BLOCKS, thread and grid: steps that give them, too.
first_column docs/gpu-results.md | sed 's/_SIZE.*//; s/_thread$//; s/_grid$//' >"$work/figures"
{
    while read -r figure; do
        grep -qF "\"$figure" "$srcdir"/tests/gpu/figures*.c || echo "$figure"
    done <"$work/figures"
    sed -nE 's/^\| ([a-z_, ]+), (barrier|graph)[^|]*\|.*/\1, \2/p' "$srcdir/docs/gpu-results.md" |
        tr -d ',' | tr ' ' '\n' | while read -r step; do
            grep -qw "$step" "$srcdir/tests/gpu/execute" || echo "no step $step"
        done
} >"$output"
[ "$(grep -c . "$work/figures")" -ge 14 ] || echo "few figures" >>"$output"
nothing "figures and steps in docs/gpu-results.md are those of the tests"

# Our column of the table of conventions: nothing is missing in it, and the files are there.
sed '/^| | anyshmem |/,/^$/!d' "$srcdir/docs/conventions.md" |
    sed -n '3,$s/^| *\([^|]*\)| *\([^|]*\)|.*/\1|\2/p' >"$work/conventions"
{
    for row in "compiler wrappers" launcher "info tool" "performance tool" pkg-config CMake PyPI \
        Spack conda-forge EasyBuild "HTML documentation" "CI template" container; do
        grep -q "^$row *|[^|]*\`" "$work/conventions" || echo "no row \"$row\", or nothing in it"
    done
    grep -nwiE 'none|not found|nothing' "$work/conventions"
    grep -oE '`(contrib|docs|tests)/[^`]*`' "$work/conventions" | tr -d '`' | while read -r file; do
        [ -e "$srcdir/$file" ] || echo "$file: no such file"
    done
} >"$output"
nothing "nothing is missing in anyshmem's column of docs/conventions.md"

# By itself a launcher refuses root, and more PEs than processors.
grep -nE '^    (prterun|mpirun|srun) ' "$srcdir/README.md" >"$output"
nothing "commands in README.md start jobs by anyshmem-run"

# Code: each piece in a file of its own, N.c, N.cc or N.cu, and who it is of.
for document in $documents; do
    awk -v to="$work/" -v name="$document" '
        BEGIN { end["c"] = "c"; end["c++"] = "cc"; end["cuda"] = "cu" }
        /^```/ && file != "" { close(file); file = ""; next }
        /^```/ {
            word = substr($0, 4)
            if (!(word in end)) next
            gsub(/\//, "-", name)
            file = to name "-" NR "." end[word]
            printf "/* %s, line %d */\n", name, NR + 1 >file
            next
        }
        file != "" { print >file }' "$srcdir/$document"
done

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$(command -v "$nvcc")" ] || nvcc=
compiler=${CC%% *}
echo 'int x;' >"$work/log/try.cc"
plus=yes
"$compiler" -x c++ -fsyntax-only "$work/log/try.cc" 2>/dev/null || plus=
warn='-Wall -Wextra -Werror -Wno-unused-function'
includes="-I'$builddir/include' -I'$srcdir/include'"
n_programs=0
n_pieces=0
: >"$work/names"
: >"$work/commands"
# piece FILE LANGUAGE COMMAND: to be compiled; a program is linked and run as a job of one PE.
piece()
{
    echo "$1 as $2" >>"$work/names"
    if ! grep -q 'int main(' "$work/$1"; then
        echo "$3 -c '$work/$1' -o '$work/$1.$2.o'" >>"$work/commands"
    elif [ "$2" = CUDA ] || sanitized; then
        echo "$3 -c '$work/$1' -o '$work/$1.$2.o'" >>"$work/commands"
    elif [ "$2" = "CUDA on CPUs" ]; then
        echo "$3 '$work/$1' -o '$work/$1.cpu' && timeout 60 '$work/$1.cpu'" >>"$work/commands"
    else
        echo "$3 '$work/$1' -x none '$library/libanyshmem.so' -Wl,-rpath,'$library' \
            -o '$work/$1.$2.run' && timeout 60 '$work/$1.$2.run'" >>"$work/commands"
        n_programs=$((n_programs + 1))
    fi
}
for_cpus=$(dirname "$library")/contrib/nvcc/anyshmem-nvcc
[ -x "$for_cpus" ] || for_cpus=
unset PMIX_NAMESPACE PMIX_RANK
for file in "$work"/*.c "$work"/*.cc "$work"/*.cu; do
    [ -e "$file" ] || continue
    name=${file##*/}
    n_pieces=$((n_pieces + 1))
    # What has no #include of its own has these.
    if ! grep -q '^#include' "$file"; then
        printf '#include <%s>\n' nvshmemx.h anyshmem_kernel.h shmemx.h ishmemx.h |
            cat - "$file" >"$file.new" && mv "$file.new" "$file"
    fi
    # Options of languages come before the file.
    if grep -q __global__ "$file"; then
        [ -z "$nvcc" ] || piece "$name" CUDA "$nvcc -x cu -std=c++17 -rdc=true $includes"
        [ -z "$for_cpus" ] || piece "$name" "CUDA on CPUs" "$for_cpus"
        continue
    fi
    case $name in
        *.c | *.cu) piece "$name" C "$compiler -x c -std=gnu11 $warn $includes" ;;
    esac
    case $name in
        *.cc | *.cu) [ -z "$plus" ] || piece "$name" C++ "$compiler -x c++ -std=c++17 $warn $includes" ;;
    esac
    case $name in
        *.cu) [ -z "$nvcc" ] || piece "$name" CUDA "$nvcc -x cu -std=c++17 -rdc=true $includes" ;;
    esac
done
together "$work/log" <"$work/commands"
n=0
while read -r name; do
    n=$((n + 1))
    cp "$work/log/$n" "$output"
    status=$(cat "$work/log/$n.status")
    if [ "$status" -eq 0 ]; then result ok "code: $name"; else result "status $status" "code: $name"; fi
done <"$work/names"
: >"$output"
[ "$n_pieces" -ge 6 ] || echo "$n_pieces pieces of code" >>"$output"
[ "$n_programs" -ge 3 ] || sanitized || echo "$n_programs programs" >>"$output"
nothing "there is code to compile, and there are programs to run"
[ -n "$nvcc" ] || skipped "there is no nvcc" "code as CUDA"
[ -n "$for_cpus" ] || skipped "anyshmem-nvcc was not built" "code as CUDA on CPUs"

# README's program of CUDA is the example.
tail -n +3 "$srcdir/contrib/examples/hello.cu" >"$work/example"
cat "$work"/README.md-*.cu | grep -vx '/\* README.md, line [0-9]* \*/' | diff - "$work/example" \
    >"$output"
nothing "README's program of CUDA is contrib/examples/hello.cu"

# The page's files are those of contrib/templates, but for the licence's line.
for name in yaml:workflow.yml dockerfile:Dockerfile json:devcontainer.json; do
    sed -n "/^\`\`\`${name%%:*}\$/,/^\`\`\`\$/p" "$srcdir/docs/ci.md" | sed '1d;$d' >"$work/shown"
    grep -v SPDX-License-Identifier "$srcdir/contrib/templates/${name#*:}" | diff - "$work/shown"
done >"$output" 2>&1
nothing "files in docs/ci.md are those of contrib/templates"

# Commands of the tools, in a folder with README's program; the order is that of the page.
commands()
{
    awk '/^```/ { code = !code } !code && /^    ([A-Z_]+=[^ ]+ )*anyshmem-(run|info|perf|trace|nvcc) / {
        sub(/^ +/, ""); sub(/  +#.*/, ""); print }' "$1"
}
tool_of_build()
{
    printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"
}
top=$(cd "$srcdir" && pwd)
mkdir "$work/bin" "$work/here"
tool_of_build anyshmem-run "$top/contrib/run/anyshmem-run"
tool_of_build anyshmem-trace "$top/contrib/trace/anyshmem-trace"
tool_of_build anyshmem-info "$(dirname "$library")/contrib/info/anyshmem-info"
tool_of_build anyshmem-perf "$(dirname "$library")/contrib/perf/anyshmem-perf"
[ -z "$for_cpus" ] || tool_of_build anyshmem-nvcc "$for_cpus"
cp "$work"/README.md-*.cu "$work/here/hello.cu"
for file in "$work"/docs-without-gpu.md-*.cu; do cp "$file" "$work/here/sum.cu"; done
for name in hello program; do cp "$work"/README.md-*.c.C.run "$work/here/$name"; done 2>/dev/null
each commands >"$work/tools"
n=0
while IFS=' ' read -r document line; do
    n=$((n + 1))
    case ${LAUNCHER:-none}:$line in
        none:*anyshmem-run*) skipped "no launcher" "command: $line" && continue ;;
        *:anyshmem-nvcc* | *:*hello-cuda* | *:*./sum*)
            [ -n "$for_cpus" ] || { skipped "no anyshmem-nvcc" "command: $line" && continue; }
            ;;
    esac
    if sanitized; then
        skipped "a sanitizer speaks, too" "command: $line"
        continue
    fi
    (cd "$work/here" && PATH=$work/bin:$PATH ANYSHMEM_LAUNCHER=$LAUNCHER timeout 120 sh -c "$line") \
        >"$output" 2>&1 </dev/null
    status=$?
    # 1: something would stop a job of that kind here, and it is said what.
    case $status:$line in 1:*--check*) grep -q '^stop' "$output" && status=0 ;; esac
    if [ "$status" -eq 0 ]; then result ok "command: $line"; else
        result "status $status" "command of $document $line"; fi
done <"$work/tools"
: >"$output"
[ "$n" -ge 6 ] || echo "$n commands" >>"$output"
nothing "there are commands to run"
plan
