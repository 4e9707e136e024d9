/* SPDX-License-Identifier: BSD-3-Clause */
#include "ir.h"
bool ash_launch_braces(const char *source, const char *path, char **ret_text)
{ (void)source; (void)path; (void)ret_text; return false; }
