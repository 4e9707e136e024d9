/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds variables with the library's prefixes that it does not know, mostly typing errors.
 */
#ifndef ASH_LIB_BASE_ENV_NAMES_H
#define ASH_LIB_BASE_ENV_NAMES_H

#include <stddef.h>

/* Warn about each, with the nearest known name; name_of(i) is NULL at the end. */
void ash_env_warn_unknown(const char *(*name_of)(size_t i));

/* The prefixes of names that are ignored, one by one; NULL at the end. */
const char *ash_env_ignored(size_t i);

#endif
