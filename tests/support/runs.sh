# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   runs PID   true while that process runs; one that only its parent has not asked for yet
#              has ended

runs() { grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null; }
