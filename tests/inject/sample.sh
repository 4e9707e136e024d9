#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Some of what tests/inject/inject does: less than 20 seconds.
exec "${0%/*}/inject" 7 alone-channel:resource:0 alone-channel:others:0 alone-channel:signal:0 \
    pair:resource:1
