#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A little of each part of tests/soak/soak: less than a minute.
SOAK_KILLS=6 MINUTES=0 exec "${0%/*}/soak" mixed litmus crossed chaos kill launcher crowd \
    launches heap
