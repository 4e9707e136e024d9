/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ASH_ASSERT(condition): an invariant of this library's own, which CPUs check after configure
 * --enable-debug.  What a program or another process does wrong ends in a message instead.  Each
 * one is seen to fail in tests/unit/proxy/asserts.c.
 */
#ifndef ASH_DEVICE_TARGET_ASSERT_H
#define ASH_DEVICE_TARGET_ASSERT_H

#if defined(ASH_DEBUG) && !DEV_IS_GPU
#include <assert.h>
#define ASH_ASSERT(condition) assert(condition)
#else
#define ASH_ASSERT(condition) ((void)0)
#endif

#endif
