/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables with our prefixes that nobody reads: most are typing errors.
 */
#ifndef ASH_LIB_BASE_ENV_NAMES_H
#define ASH_LIB_BASE_ENV_NAMES_H

#include <stddef.h>

/* Warn about each, with the nearest known name; name_of(i) is NULL at the end. */
void ash_env_warn_unknown(const char *(*name_of)(size_t i));

/* NVSHMEM's names that mean nothing here, or their beginnings; NULL at the end. */
const char *ash_env_ignored(size_t i);

#endif
