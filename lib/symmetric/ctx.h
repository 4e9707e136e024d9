/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM: made, and ended with their team or with the library.
 */
#ifndef ASH_LIB_SYMMETRIC_CTX_H
#define ASH_LIB_SYMMETRIC_CTX_H

#include <stdint.h>

/* The contexts of this team end; of -1: all. */
void ash_ctxs_end(int32_t team);

#endif
