/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A text in a buffer of a fixed size, and the name of this host.
 */
#ifndef ASH_LIB_BASE_TEXT_H
#define ASH_LIB_BASE_TEXT_H

#include <stddef.h>

struct ash_text {
    char *start;
    /* Its length, and the bytes of the buffer, of which a zero byte is always one. */
    size_t used, limit;
};

/* Begin an empty text in a buffer. */
struct ash_text ash_text_in(char *buffer, size_t nbytes);

/* Append; what does not fit is cut. */
void ash_print(struct ash_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* This host's name, cut to fit; "?" if it cannot be had. */
void ash_host_name(char *ret_name, size_t nbytes);

#endif
