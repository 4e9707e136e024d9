/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pool of transfers: one is taken for each request, found again by its cookie, and
 * given back when its last part is complete.
 */
#ifndef ASH_PROXY_XFER_POOL_H
#define ASH_PROXY_XFER_POOL_H

#include "proxy/xfer.h"

/* Transfers in one chunk. */
#define ASH_XFER_CHUNK 256u
int ash_xfer_pool_init(struct ash_proxy *proxy);
void ash_xfer_pool_finish(struct ash_proxy *proxy);
/* A transfer that counts in this completion. */
struct ash_xfer *ash_xfer_new_in(struct ash_proxy *proxy, struct ash_completion *completion,
                                 struct ash_connection *conn, unsigned op);
/* The same, in the host's. */
struct ash_xfer *ash_xfer_new(struct ash_proxy *proxy, struct ash_connection *conn, unsigned op);
/* From now on it counts where another one does: the same quiet waits for it. */
void ash_xfer_count_with(struct ash_xfer *xfer, const struct ash_xfer *other);
void ash_xfer_free(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* One part of a transfer is complete. */
void ash_xfer_part_done(struct ash_proxy *proxy, struct ash_xfer *xfer);
/* The transfer in flight with this cookie, or NULL. */
struct ash_xfer *ash_xfer_find(struct ash_proxy *proxy, uint64_t cookie);
void ash_xfer_list_init(struct ash_xfer_list *list);
void ash_xfer_list_push(struct ash_xfer_list *list, struct ash_xfer *xfer);
struct ash_xfer *ash_xfer_list_pop(struct ash_xfer_list *list);

#endif
