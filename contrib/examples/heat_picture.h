/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A picture of the plate, with a scale.
 */
#ifndef EXAMPLES_HEAT_PICTURE_H
#define EXAMPLES_HEAT_PICTURE_H

#include <stddef.h>

/*
 * Writes size x size values, 0 to hottest, as a PNG file.  0, or -1 after a
 * message.  Without libpng it only says so, and returns 0.
 */
int picture_write(const char *path, size_t size, const double *values, double hottest);

#endif
