# SPDX-License-Identifier: BSD-3-Clause
"""The C library anyshmem, with its headers and tools: python -m anyshmem says where they are."""
