#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# contrib/pre-commit, as a hook of a repository with a part of this tree: a good commit
# is made, and each kind of bad one is refused with its reason.

# shellcheck disable=SC2016,SC2059 # stage takes a format
: "${srcdir:=.}"
# shellcheck source=tests/support/tap.sh
. "$srcdir/tests/support/tap.sh"
command -v git >/dev/null || { echo "1..0 # SKIP no git" && exit 0; }
repository=$output.repository
mkdir "$repository" || exit 99
(cd "$srcdir" && tar -cf - include device proxy lib tests/api/layers.sh \
    tests/api/spdx.sh contrib/pre-commit) |
    tar -xf - -C "$repository" || exit 99
cd "$repository" || exit 99
# Who commits, and nothing of the user's own settings.
export HOME="$repository" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git init -q . && git add -f -- '*.[ch]' '*.cu' '*.sh' '*.in' contrib/pre-commit || exit 99
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
plan
