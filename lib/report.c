/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/report.h"

#include <stdio.h>

void ash_report_describe(char *text, size_t nbytes)
{
    snprintf(text, nbytes, "in a routine of the library or of the program");
}

void ash_report_tick(void)
{
}
