# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   busy   true on a machine under so much load that time limits should be longer

busy()
{
    read -r busy_load _ </proc/loadavg
    [ "${busy_load%.*}" -ge $((4 * $(getconf _NPROCESSORS_ONLN))) ]
}
