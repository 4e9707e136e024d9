# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
#   runs PID   true while that process runs; a zombie, which its parent has not waited for,
#              has ended

runs() { grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null; }
