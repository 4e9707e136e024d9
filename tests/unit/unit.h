/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmocka, with the headers that its own header wants.  A test has a state and a thread or kernel an
 * argument, which few look at.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
