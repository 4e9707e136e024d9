# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   busy   true where the machine has so much to do that a time limit is to be longer

busy()
{
    read -r busy_load _ </proc/loadavg
    [ "${busy_load%.*}" -ge $((4 * $(getconf _NPROCESSORS_ONLN))) ]
}
