/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of OpenSHMEM: made, and ended with their team or with the library.  Each has a channel
 * of its own, where there is a proxy.
 */
#ifndef ASH_LIB_SYMMETRIC_CTX_H
#define ASH_LIB_SYMMETRIC_CTX_H

#include <stdint.h>

struct ash_proxy;

/* From now on contexts can be made; NULL: all PEs are mapped. */
void ash_ctxs_start(struct ash_proxy *proxy);

/* The contexts of this team end, and what they have sent is complete; of -1: all. */
void ash_ctxs_end(int32_t team);

/* Free their channels; the proxy is gone. */
void ash_ctxs_stop(void);

#endif
