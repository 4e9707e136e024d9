# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   together FOLDER   run each line of standard input as a command of sh, as many at
#                     once as there are processors; the output of line N is in
#                     FOLDER/N, and its status in FOLDER/N.status

together()
{
    nl -b a -w 1 -s ' ' | tr '\n' '\0' |
        xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
            n=${1%% *}
            sh -c "${1#* }" >"$0/$n" 2>&1
            echo $? >"$0/$n.status"' "$1"
}
