#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A few programs over two and three hosts: what make check runs of the lab.

. "${srcdir:-.}/tests/multihost/cells"
in_lab -n 3

cell hosts 2 hosts2
cell hosts 6 hosts3
cell sync 2 hosts2
cell rma 3 hosts3
cell amo 4 hosts2
cell signal 3 hosts3
cell order 4 hosts2
cell rma 2 hosts2-am
cell amo 3 hosts3-am
cell signal_order 3 hosts3-am
example 3 3 "^ring: .*kernel.*: correct$" ring
example 2 4 "^wordcount: .*: equal to the serial count$" wordcount --hash-bits 4 "$srcdir/README.md"
example 3 4 "^heat: .*: equal to the serial run$" heat -o "$tmp/picture"
finish
