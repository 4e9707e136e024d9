#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/pre-commit and contrib/commit-msg, as hooks of a repository with a part of this
# tree: a good commit is made, and each kind of bad one is refused with its reason.

# shellcheck disable=SC2016,SC2059 # stage takes a format
: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
command -v git >/dev/null || { echo "1..0 # SKIP no git" && exit 0; }
repository=$output.repository
mkdir "$repository" || exit 99
(cd "$srcdir" && tar -cf - include device proxy lib tests/api/layers.sh tests/api/spdx.sh \
    tests/support/tap.sh tests/support/sanitized.sh contrib/pre-commit contrib/commit-msg) |
    tar -xf - -C "$repository" || exit 99
cd "$repository" || exit 99
# Who commits, and nothing of the user's own settings.
export HOME="$repository" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git init -q . && git add -f -- '*.[ch]' '*.cu' '*.sh' '*.in' 'contrib/*' || exit 99
git commit -q -m first || exit 99
ln -s ../../contrib/pre-commit .git/hooks/pre-commit

# commits TEXT: what is staged becomes a commit.
commits()
{
    git commit -q -m one >"$output" 2>&1
    verdict $? "$1"
}

# refused TEXT REASON: it does not, and REASON is said; then it is gone.
refused()
{
    if git commit -q -m one >"$output" 2>&1; then
        result "it was accepted" "$1"
        git reset -q --hard HEAD^
    elif grep -q "$2" "$output"; then
        result ok "$1"
    else
        result "for another reason" "$1"
    fi
    git reset -q --hard
}

licence='/* SPDX-License-Identifier: BSD-3-Clause */'
# stage FILE LINE...: what printf makes of the lines is staged as that file.
stage()
{
    file=$1
    shift
    printf "$@" >"$file"
    git add -f "$file"
}

stage device/state/good.c "$licence\n#include <nvshmem.h>\n\n#include \"device/state/state.h\"\n"
commits "a good file"
git rm -q device/state/good.c
commits "a file that goes"
stage lib/bare.c 'int x;\n'
refused "no licence" 'lib/bare.c'
stage device/up.c "$licence\n#include \"lib/base/log.h\"\n"
refused "an include from left to right" 'device/up.c lib/base/log.h\|device/up.c "lib/base/log.h'
stage lib/space.c "$licence\nint x; \n"
refused "a space at the end of a line" 'lib/space.c:2'
stage lib/long.c "$licence\nint x; /* %0100d */\n" 1
refused "a long line" 'lib/long.c:2'
stage lib/tab.c "$licence\nint f(void)\n{\n\treturn 0;\n}\n"
refused "a tab" 'lib/tab.c:4'
stage lib/place.c "$licence\n/* /hom%sx/y */\n" e/
refused "a place of one machine" 'lib/place.c'
if command -v shellcheck >/dev/null; then
    stage tests/api/script.sh '#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause\nrm -rf $1\n'
    refused "a warning of shellcheck" 'SC2086'
else
    skipped "no shellcheck" "a warning of shellcheck"
fi

# What is staged counts, not what lies in the folder.
stage lib/both.c 'int x;\n'
printf '%s\nint x;\n' "$licence" >lib/both.c
refused "bad where it is staged, good in the folder" 'lib/both.c'
stage lib/both.c "$licence\nint x;\n"
printf 'int x; \n' >lib/both.c
commits "good where it is staged, bad in the folder"
git checkout -q lib/both.c

# Messages, by themselves.
rm .git/hooks/pre-commit
ln -s ../../contrib/commit-msg .git/hooks/commit-msg

# says TEXT FORMAT...: a commit is made with the message that printf makes.
says()
{
    text=$1
    shift
    printf "$@" | git commit -q --allow-empty -F - >"$output" 2>&1
    verdict $? "$text"
}

# unsaid TEXT REASON FORMAT...: none is made, and REASON alone is said.
unsaid()
{
    text=$1
    reason=$2
    shift 2
    if printf "$@" | git commit -q --allow-empty -F - >"$output" 2>&1; then
        result "it was accepted" "$text"
    elif grep -q "$reason" "$output" && [ "$(grep -c '^commit-msg: ' "$output")" -eq 1 ]; then
        result ok "$text"
    else
        result "for another reason" "$text"
    fi
}

says "a good message" 'proxy: kick the thread\n\nIt slept on.\n'
says "several areas, with folders and digits" 'tests/unit, lib-2: name both\n\nThey differed.\n'
says "a subject of 72 characters" 'lib: %067d\n\nWhy.\n' 1
says "72 characters that are not 72 bytes" 'lib: \303\266%066d\n\nWhy.\n' 1
says "comments and empty lines before it" '# Who\n\nlib: free it\n# where\n\nIt leaked.\n# %0120d\n' 1
says "what is below the scissors" 'lib: free it\n\nIt leaked.\n# ---- >8 ----\n%0120d\n' 1
says "a long URL" 'lib: free it\n\nAs https://example.org/%0120d says.\n' 1
says "a line of 100 columns" 'lib: free it\n\n%0100d\n' 1
says "a merge" "Merge branch 'x'\n"
says "a revert" 'Revert "lib: free it"\n'
says "a fixup" 'fixup! lib: free it\n'
says "a squash" 'squash! lib: free it\n'
unsaid "no area" 'not "area: imperative"' 'Free it\n\nIt leaked.\n'
unsaid "an area in capitals" 'not "area: imperative"' 'Lib: free it\n\nIt leaked.\n'
unsaid "an area of two words" 'not "area: imperative"' 'the lib: free it\n\nIt leaked.\n'
unsaid "areas without a space between" 'not "area: imperative"' 'lib,proxy: free\n\nIt leaked.\n'
unsaid "nothing behind the area" 'not "area: imperative"' 'lib:\n\nIt leaked.\n'
unsaid "a subject of 73 characters" 'has 73 characters' 'lib: %068d\n\nWhy.\n' 1
unsaid "a full stop" 'ends with a full stop' 'lib: free it.\n\nIt leaked.\n'
unsaid "no empty line" 'second line is not empty' 'lib: free it\nIt leaked.\n'
unsaid "no body" 'no body' 'lib: free it\n'
unsaid "a body of comments alone" 'no body' 'lib: free it\n\n# It leaked.\n'
unsaid "a body of a signature alone" 'no body' 'lib: free it\n\nSigned-off-by: a <a@b>\n'
unsaid "a line of 101 columns" 'line 3: 101 columns' 'lib: free it\n\n%0101d\n' 1
unsaid "a long line beside a URL" 'line 3: ' 'lib: free it\n\nhttps://example.org %0101d\n' 1
plan
