/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers: allocated in chunks that are kept until the proxy ends, and found by a
 * cookie that carries a count of uses, so that a stale reply finds none.  When the last
 * part is complete, the transfer sends its reply, gives back its staging buffer and is freed.
 */
#include <stdlib.h>
#include <string.h>

#include "device/channel/reply.h"
#include "device/target/bits.h"
#include "lib/base/end.h"
#include "lib/base/error.h"
#include "proxy/internal.h"

#define INDEX_BITS 24

int ash_xfer_pool_init(struct ash_proxy *proxy)
{
    proxy->chunks = calloc((1u << INDEX_BITS) / ASH_XFER_CHUNK, sizeof(*proxy->chunks));
    ash_xfer_list_init(&proxy->outbox);
    return proxy->chunks == NULL ? ASH_ERROR_NO_MEMORY : 0;
}

void ash_xfer_pool_finish(struct ash_proxy *proxy)
{
    if (proxy->chunks == NULL) return;
    for (uint32_t i = 0; i < proxy->n_chunks; i++) {
        for (uint32_t k = 0; k < ASH_XFER_CHUNK; k++) free(proxy->chunks[i][k].changes);
        free(proxy->chunks[i]);
    }
    free(proxy->chunks);
    proxy->chunks = NULL;
}

static void add_chunk(struct ash_proxy *proxy)
{
    struct ash_xfer *chunk = calloc(ASH_XFER_CHUNK, sizeof(*chunk));
    if (chunk == NULL || proxy->n_chunks == (1u << INDEX_BITS) / ASH_XFER_CHUNK)
        ash_fatal("proxy: out of memory for %u transfers in flight", proxy->live);
    for (uint32_t i = 0; i < ASH_XFER_CHUNK; i++) {
        chunk[i].cookie = proxy->n_chunks * ASH_XFER_CHUNK + i;
        chunk[i].next = proxy->free_xfers;
        proxy->free_xfers = &chunk[i];
    }
    proxy->chunks[proxy->n_chunks++] = chunk;
}

struct ash_xfer *ash_xfer_new_in(struct ash_proxy *proxy, struct ash_completion *completion,
                                 struct ash_connection *conn, unsigned op)
{
    struct ash_xfer *xfer;
    uint64_t cookie;
    if (proxy->free_xfers == NULL) add_chunk(proxy);
    xfer = proxy->free_xfers;
    ASH_ASSERT(!xfer->conn); /* it is free */
    proxy->free_xfers = xfer->next;
    proxy->live++;
    cookie = xfer->cookie;
    memset(xfer, 0, sizeof(*xfer));
    /* The upper bits count uses: a reply to an earlier use finds nothing. */
    xfer->cookie = cookie + (UINT64_C(1) << INDEX_BITS);
    xfer->conn = conn;
    xfer->op = (uint8_t)op;
    xfer->completion = completion;
    xfer->generation = completion->generation;
    xfer->since_ms = proxy->tally.now_ms;
    completion->under_way[xfer->generation]++;
    return xfer;
}

struct ash_xfer *ash_xfer_new(struct ash_proxy *proxy, struct ash_connection *conn, unsigned op)
{
    return ash_xfer_new_in(proxy, &proxy->completion, conn, op);
}

void ash_xfer_count_with(struct ash_xfer *xfer, const struct ash_xfer *other)
{
    ASH_ASSERT(xfer->completion->under_way[xfer->generation] > 0);
    xfer->completion->under_way[xfer->generation]--;
    xfer->completion = other->completion;
    xfer->generation = other->generation;
    xfer->completion->under_way[xfer->generation]++;
}

void ash_xfer_free(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    ASH_ASSERT(xfer->conn); /* it is not free */
    ASH_ASSERT(xfer->completion->under_way[xfer->generation] > 0);
    ASH_ASSERT(proxy->live > 0);
    xfer->completion->under_way[xfer->generation]--;
    proxy->live--;
    xfer->conn = NULL;
    xfer->next = proxy->free_xfers;
    proxy->free_xfers = xfer;
}

/* The device takes an atomic's old value as a number, and the result of g as bytes. */
static void send_reply(const struct ash_xfer *xfer)
{
    if (ash_amo_fetches(xfer->op))
        ash_reply_send(xfer->reply, ash_bits_load(&xfer->result[0], xfer->width));
    else
        ash_reply_send(xfer->reply, xfer->result[0]);
}

/* The source was read: the GPU may use its staging buffer again.  The release pairs with
 * dev_load_room64 in ash_stage_claim: the buffer is not overwritten before it was read here. */
static void release(uint64_t *released)
{
    dev_store_release64(released, dev_load_relaxed(released, 8) + 1);
}

/* For reports. */
static void note_completed(struct ash_proxy *proxy, const struct ash_xfer *xfer)
{
    struct ash_tally *tally = &proxy->tally;
    tally->n_completed++;
    tally->last.op = xfer->op;
    tally->last.pe = xfer->conn->pe;
    tally->last.nbytes = xfer->nbytes > 0 ? xfer->nbytes : xfer->width;
    tally->last.offset = xfer->offset;
}

void ash_xfer_part_done(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_xfer *whole = xfer->whole;
    ASH_ASSERT(xfer->parts > 0);
    if (--xfer->parts > 0) return;
    ASH_ASSERT(!whole || xfer->conn->sending > 0);
    if (whole != NULL) xfer->conn->sending--;
    /* The transfers that wait for this flush, or the next fragment, may go. */
    if (xfer->op == ASH_XFER_FLUSH || (whole != NULL && xfer->conn->streaming != NULL))
        ash_connection_mark_ready(proxy, xfer->conn);
    if (xfer->op < ASH_OPS && whole == NULL) note_completed(proxy, xfer);
    if (xfer->taken_ns != 0) ash_request_done(proxy, xfer);
    if (xfer->reply != NULL) send_reply(xfer);
    if (xfer->released != NULL) release(xfer->released);
    if (xfer->changes != NULL) ash_coalesce_free(proxy, xfer);
    ash_xfer_free(proxy, xfer);
    if (whole != NULL) ash_xfer_part_done(proxy, whole);
}

struct ash_xfer *ash_xfer_find(struct ash_proxy *proxy, uint64_t cookie)
{
    uint32_t index = (uint32_t)cookie & ((1u << INDEX_BITS) - 1);
    struct ash_xfer *xfer;
    if (index / ASH_XFER_CHUNK >= proxy->n_chunks) return NULL;
    xfer = &proxy->chunks[index / ASH_XFER_CHUNK][index % ASH_XFER_CHUNK];
    return xfer->cookie == cookie && xfer->conn != NULL ? xfer : NULL;
}

void ash_xfer_list_init(struct ash_xfer_list *list)
{
    list->head = NULL;
    list->tail = &list->head;
}

void ash_xfer_list_push(struct ash_xfer_list *list, struct ash_xfer *xfer)
{
    ASH_ASSERT(!*list->tail);
    xfer->next = NULL;
    *list->tail = xfer;
    list->tail = &xfer->next;
}

struct ash_xfer *ash_xfer_list_pop(struct ash_xfer_list *list)
{
    struct ash_xfer *xfer = list->head;
    if (xfer == NULL) return NULL;
    ASH_ASSERT(xfer->next || list->tail == &xfer->next);
    list->head = xfer->next;
    if (list->head == NULL) list->tail = &list->head;
    return xfer;
}
