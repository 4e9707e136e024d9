/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Appends by vsnprintf, and never beyond the end of the buffer.
 */
#include "lib/base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct ash_text ash_text_in(char *buffer, size_t nbytes)
{
    *buffer = '\0';
    return (struct ash_text){buffer, 0, nbytes};
}

void ash_print(struct ash_text *text, const char *format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(text->start + text->used, text->limit - text->used, format, arguments);
    va_end(arguments);
    if (length > 0) text->used += (size_t)length;
    if (text->used >= text->limit) text->used = text->limit - 1;
}

void ash_host_name(char *ret_name, size_t nbytes)
{
    if (gethostname(ret_name, nbytes) != 0 && errno != ENAMETOOLONG)
        snprintf(ret_name, nbytes, "?");
    ret_name[nbytes - 1] = '\0';
}
