/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The proxy's transfers in flight and its connections as text, read under the proxy's lock,
 * for a user who wants to know why a job makes no progress.
 */
#include <inttypes.h>

#include "lib/base/text.h"
#include "proxy/internal.h"

/* How many are shown: the oldest transfers, the first connections. */
#define SHOWN 8u

/* "3 bytes at heap + 64 of PE 1" */
#define PLACE "%" PRIu64 " bytes at heap + %" PRIu64 " of PE %u"

static uint64_t length_of(const struct ash_xfer *xfer)
{
    return xfer->nbytes > 0 ? xfer->nbytes : xfer->width;
}

/* The SHOWN oldest transfers, oldest first; without fragments, which are parts of others. */
static unsigned oldest(const struct ash_proxy *proxy, const struct ash_xfer **ret_oldest)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < proxy->n_chunks * ASH_XFER_CHUNK; i++) {
        const struct ash_xfer *xfer = &proxy->chunks[i / ASH_XFER_CHUNK][i % ASH_XFER_CHUNK];
        unsigned at;
        if (xfer->conn == NULL || xfer->whole != NULL) continue;
        at = n < SHOWN ? n++ : SHOWN;
        for (; at > 0 && ret_oldest[at - 1]->since_ms > xfer->since_ms; at--)
            if (at < SHOWN) ret_oldest[at] = ret_oldest[at - 1];
        if (at < SHOWN) ret_oldest[at] = xfer;
    }
    return n;
}

static void add_transfers(struct ash_text *text, const struct ash_proxy *proxy)
{
    const struct ash_xfer *first[SHOWN];
    unsigned n = oldest(proxy, first);
    int64_t now = ash_coarse_ms();
    for (unsigned i = 0; i < n; i++) {
        double seconds = 1e-3 * (double)(now - first[i]->since_ms);
        if (first[i]->op < ASH_OPS)
            ash_print(text, "in flight for %.1f s: %s, " PLACE "\n", seconds,
                      ash_op_name(first[i]->op), length_of(first[i]), first[i]->offset,
                      first[i]->conn->pe);
        else
            ash_print(text, "in flight for %.1f s: %s to PE %u\n", seconds,
                      ash_op_name(first[i]->op), first[i]->conn->pe);
    }
    ash_print(text, "transfers in flight: %u\n", proxy->live);
}

static void add_connection(struct ash_text *text, const struct ash_connection *conn)
{
    unsigned held = 0;
    for (const struct ash_xfer *xfer = conn->held.head; xfer != NULL; xfer = xfer->next) held++;
    ash_print(text,
              "PE %u: %" PRIu64 " messages sent, %" PRIu64 " known to be applied, %" PRIu64
              " received; %u transfers deferred, %u flushes in flight\n", conn->pe, conn->sent,
              conn->acked, conn->handled, held, conn->rma_flushes);
}

static void add_connections(struct ash_text *text, const struct ash_proxy *proxy)
{
    unsigned n = 0;
    for (uint32_t pe = 0; pe < proxy->config.n_pes; pe++)
        if (proxy->connections[pe] != NULL && n++ < SHOWN)
            add_connection(text, proxy->connections[pe]);
    if (n > SHOWN) ash_print(text, "and %u more PEs\n", n - SHOWN);
}

static void fill(struct ash_proxy *proxy, struct ash_text *text)
{
    const struct ash_channel *gpu = proxy->clients[ASH_GPU].own.channel;
    if (gpu != NULL)
        ash_print(text, "the GPU's channel: %" PRIu64 " popped, %" PRIu64 " complete\n",
                  gpu->proxy->next, gpu->proxy->completed);
    if (proxy->tally.n_completed > 0)
        ash_print(text, "operations complete: %" PRIu64 ", the last one: %s, " PLACE "\n",
                  proxy->tally.n_completed, ash_op_name(proxy->tally.last.op),
                  proxy->tally.last.nbytes, proxy->tally.last.offset, proxy->tally.last.pe);
    add_transfers(text, proxy);
    add_connections(text, proxy);
    ash_print(text, "messages dropped: %" PRIu64 "\n", proxy->dropped);
}

bool ash_proxy_report(struct ash_proxy *proxy, unsigned ms, char *ret_text, size_t nbytes)
{
    struct ash_text text = ash_text_in(ret_text, nbytes);
    if (!ash_proxy_lock_within(proxy, (int)ms)) return false;
    fill(proxy, &text);
    ash_proxy_unlock(proxy);
    return true;
}
