#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A little of each part of tests/soak/soak: two minutes.
SOAK_KILLS=20 MINUTES=0 exec "${0%/*}/soak" mixed litmus store_buffer chaos kill stop launcher oversubscribed \
    launches heap
