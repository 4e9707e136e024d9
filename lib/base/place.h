/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where in the program's source an address of its code is.
 */
#ifndef ASH_LIB_BASE_PLACE_H
#define ASH_LIB_BASE_PLACE_H

#include <stddef.h>

#include "device/hostdev/hostdev.h"

/* The size in bytes of the largest text. */
#define ASH_PLACE_TEXT 384

/*
 * "heat.cu:31 (kernel(float*))" of the call that returns to `address`, if the program has line
 * numbers (-g) and addr2line is there; else "PROGRAM(FUNCTION+OFFSET) [ADDRESS]".  The line is
 * that of the program where a function of this project's headers was inlined.  May be called in a
 * handler of a signal that ends the program, and takes some seconds at most.
 */
ASH_PRIVATE void ash_place_text(const void *address, char *ret_text, size_t nbytes);

#endif
