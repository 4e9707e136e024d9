/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits that a bare UCX measures.  PE 0 issues the operations; the peer calls
 * progress until PE 0's last message, because some transports need it.
 */
#include "perf.h"

#include <nvshmem.h>

#include "limit_ucx.h"

static const ucp_request_param_t plain;

/* Returns true on PE 0 at once, and false on the peer when PE 0 is done. */
static bool leads(struct perf *perf, long count)
{
    uint64_t wanted = ++perf->ucx->dones_awaited;
    perf->round += (uint64_t)count;
    if (perf->me == 0) return true;
    while (perf->ucx->dones < wanted) limit_ucx_progress(perf->ucx);
    return false;
}

static void send_message(struct limit_ucx *ucx, unsigned id, const void *data, size_t nbytes)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_AM_SEND_FLAG_EAGER};
    limit_ucx_finish(ucx, ucp_am_send_nbx(ucx->ep, id, NULL, 0, data, nbytes, &param));
}

static void flush(struct limit_ucx *ucx)
{
    limit_ucx_finish(ucx, ucp_ep_flush_nbx(ucx->ep, &plain));
}

static ucs_status_ptr_t put(const struct perf *perf)
{
    const struct limit_ucx *ucx = perf->ucx;
    return ucp_put_nbx(ucx->ep, perf->source, perf->size, ucx->peer_target, ucx->target_key,
                       &plain);
}

void limit_ucx_put(struct perf *perf, long count)
{
    if (!leads(perf, count)) return;
    for (long i = 0; i < count; i++) {
        limit_ucx_finish(perf->ucx, put(perf));
        flush(perf->ucx);
    }
    send_message(perf->ucx, LIMIT_DONE, NULL, 0);
}

/* Frees the request at once, so as many are in flight as UCX accepts; the final flush waits. */
static void let_go(struct limit_ucx *ucx, ucs_status_ptr_t request, long i)
{
    if (UCS_PTR_IS_ERR(request)) limit_ucx_finish(ucx, request);
    if (request != NULL) ucp_request_free(request);
    if (i % 64 == 63) limit_ucx_progress(ucx);
}

void limit_ucx_put_rate(struct perf *perf, long count)
{
    if (!leads(perf, count)) return;
    for (long i = 0; i < count; i++) let_go(perf->ucx, put(perf), i);
    flush(perf->ucx);
    send_message(perf->ucx, LIMIT_DONE, NULL, 0);
}

void limit_ucx_get(struct perf *perf, long count)
{
    struct limit_ucx *ucx = perf->ucx;
    if (!leads(perf, count)) return;
    for (long i = 0; i < count; i++)
        limit_ucx_finish(ucx, ucp_get_nbx(ucx->ep, perf->source, perf->size, ucx->peer_target,
                                          ucx->target_key, &plain));
    send_message(ucx, LIMIT_DONE, NULL, 0);
}

static ucs_status_ptr_t add(const struct perf *perf, const uint64_t *one, uint64_t *ret_before)
{
    const struct limit_ucx *ucx = perf->ucx;
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE,
                                 .datatype = ucp_dt_make_contig(sizeof(*one)),
                                 .reply_buffer = ret_before};
    if (ret_before != NULL) param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    return ucp_atomic_op_nbx(ucx->ep, UCP_ATOMIC_OP_ADD, one, 1,
                             ucx->peer_words + PERF_WORD_AMO * sizeof(*one), ucx->words_key,
                             &param);
}

void limit_ucx_fetch_add(struct perf *perf, long count)
{
    static uint64_t one = 1, before;
    if (!leads(perf, count)) return;
    for (long i = 0; i < count; i++) limit_ucx_finish(perf->ucx, add(perf, &one, &before));
    send_message(perf->ucx, LIMIT_DONE, NULL, 0);
}

void limit_ucx_add_rate(struct perf *perf, long count)
{
    static uint64_t one = 1;
    if (!leads(perf, count)) return;
    for (long i = 0; i < count; i++) let_go(perf->ucx, add(perf, &one, NULL), i);
    flush(perf->ucx);
    send_message(perf->ucx, LIMIT_DONE, NULL, 0);
}

/* A round trip of one message. */
void limit_ucx_ping_pong(struct perf *perf, long count)
{
    struct limit_ucx *ucx = perf->ucx;
    perf->round += (uint64_t)count;
    for (long i = 0; i < count; i++) {
        uint64_t wanted = ++ucx->pings_awaited;
        if (perf->me == 0) send_message(ucx, LIMIT_PING, perf->source, perf->size);
        while (ucx->pings < wanted) limit_ucx_progress(ucx);
        if (perf->me != 0) send_message(ucx, LIMIT_PING, perf->source, perf->size);
    }
}
