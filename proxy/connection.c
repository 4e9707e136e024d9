/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Targets: one connection to each PE that is used, and the order of what goes
 * there.
 *
 * A fence is state of a target: the next transfer to it waits, asynchronously,
 * until what was posted before is complete there.  While anything waits, all
 * that comes later waits behind it, in order.  The proxy never blocks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/end.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

struct ash_target *ash_target_get(struct ash_proxy *proxy, uint32_t pe)
{
    struct ash_target *target = proxy->targets[pe];
    if (target != NULL) return target;
    target = calloc(1, sizeof(*target));
    if (target == NULL) ash_fatal("proxy: out of memory for the connection to PE %u", pe);
    target->proxy = proxy;
    target->pe = pe;
    ash_xfer_list_init(&target->held);
    ash_xfer_list_init(&target->acks);
    proxy->targets[pe] = target;
    return target;
}

void ash_target_free(struct ash_target *target)
{
    if (target != NULL) ash_messages_forget(target);
    free(target);
}

static void on_broken(void *arg, ucp_ep_h ep, ucs_status_t status)
{
    struct ash_target *target = arg;
    struct ash_cause cause;
    (void)ep;
    target->broken = true;
    ash_failure_cause(&cause, target->pe, target->pid, target->host, "connection", status);
    ash_failure_lost(target->proxy, &cause);
}

/*
 * UCX's own mode for peers that fail is left alone: some versions abort in it when
 * a peer goes while it is being connected to, and others cannot do atomics in it.
 * Without it the handler is called all the same, and the job's end completes what
 * UCX then does not.
 */
ucs_status_t ash_endpoint_make(struct ash_proxy *proxy, const void *address,
                               ucp_err_handler_cb_t on_error, void *arg, ucp_ep_h *ret_ep)
{
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
                              .address = address,
                              .err_mode = UCP_ERR_HANDLING_MODE_NONE,
                              .err_handler = {on_error, arg}};
    return ucp_ep_create(proxy->worker, &params, ret_ep);
}

void ash_target_look_up(struct ash_proxy *proxy, uint32_t pe, struct ash_peer_info *ret_info)
{
    *ret_info = (struct ash_peer_info){.host = "?"};
    if (proxy->config.lookup(pe, ret_info) == 0) return;
    if (ash_log_had_error()) ash_fatal_told();
    ash_fatal("proxy: PE %u did not publish how to reach it", pe);
}

void ash_target_connect(struct ash_proxy *proxy, struct ash_target *target)
{
    struct ash_peer_info info;
    ucs_status_t status;
    ash_target_look_up(proxy, target->pe, &info);
    target->pid = info.pid;
    snprintf(target->host, sizeof(target->host), "%s", info.host);
    status = ash_endpoint_make(proxy, info.address, on_broken, target, &target->ep);
    if (status == UCS_OK && !proxy->config.messages_only)
        status = ucp_ep_rkey_unpack(target->ep, info.rkey, &target->rkey);
    if (status != UCS_OK)
        ash_fatal("proxy: cannot connect to PE %u: %s; %s", target->pe, ucs_status_string(status),
                  ash_ucx_settings());
    target->heap = info.heap;
    target->is_tcp = ash_endpoint_is_tcp(target->ep);
    ash_news_add(proxy, target);
    free(info.storage);
    ash_log(ASH_LOG_DEBUG, "proxy: connected to PE %u", target->pe);
}

static void mark_dirty(struct ash_proxy *proxy, struct ash_target *target)
{
    if (target->is_dirty) return;
    target->is_dirty = true;
    target->next_dirty = proxy->dirty;
    proxy->dirty = target;
}

void ash_target_mark_ready(struct ash_proxy *proxy, struct ash_target *target)
{
    if (target->is_ready) return;
    target->is_ready = true;
    target->next_ready = proxy->ready;
    proxy->ready = target;
}

static void flush(struct ash_proxy *proxy, struct ash_target *target)
{
    ash_post(proxy, ash_xfer_new(proxy, target, ASH_XFER_FLUSH));
}

/*
 * Puts, gets and atomics wait until that PE has an endpoint to this one; messages need
 * none.  For the first of them UCX asks there for one, and where it is made while TCP
 * reads that, and more has come behind it, as from PEs that share a core, UCX reads on
 * at NULL (1.13; uct_tcp_ep_progress_am_rx).  So it is asked for with a message, which
 * to which the proxy replies from its loop.
 */
static bool knows_us(struct ash_proxy *proxy, struct ash_target *target)
{
    if (target->heard || target->greeted) return target->heard;
    target->greeted = true;
    if (target->pe == proxy->config.my_pe) {
        target->heard = true;
        return true;
    }
    ash_message_request_ack(proxy, target);
    return false;
}

void ash_target_heard(struct ash_proxy *proxy, struct ash_target *target)
{
    if (target->heard) return;
    target->heard = true;
    ash_target_mark_ready(proxy, target);
}

/*
 * May this transfer go, as far as an earlier fence is concerned?  If not, the
 * flush that it waits for is under way.  Messages follow messages in order, so
 * they wait for puts and atomics alone.
 */
static bool may_go(struct ash_proxy *proxy, struct ash_target *target,
                   const struct ash_xfer *xfer)
{
    bool small_puts = target->small_puts;
    if (dev_unlikely(!target->heard) && !ash_post_is_message(proxy, xfer) &&
        !knows_us(proxy, target))
        return false;
    if (!target->fence && !xfer->after_puts) return true;
    if (target->rma_dirty) flush(proxy, target);
    if (target->rma_dirty || target->rma_flushes > 0) {
        if (small_puts && target->fence) target->puts_by_message = true;
        return false;
    }
    if (!target->fence) return true;
    if (target->counted > target->acked) {
        if (ash_post_is_message(proxy, xfer)) return target->pending_replies == 0;
        /* Requested now, and not when the replies have come, which would be a round trip more. */
        if (target->ack_requested < target->counted) flush(proxy, target);
        return false;
    }
    if (target->pending_replies > 0) return false;
    target->fence = false;
    return true;
}

/* Not even a flush goes before the last fragment of a put. */
static bool is_streaming(struct ash_proxy *proxy, struct ash_target *target)
{
    return target->streaming != NULL && !ash_post_put_next(proxy, target->streaming);
}

static void drain(struct ash_proxy *proxy, struct ash_target *target)
{
    struct ash_xfer *xfer;
    while (!is_streaming(proxy, target) && (xfer = target->held.head) != NULL) {
        if (xfer->op == ASH_OP_FENCE) {
            ash_xfer_list_pop(&target->held);
            ash_xfer_free(proxy, xfer);
            target->fence = true;
            continue;
        }
        if (xfer->op != ASH_XFER_FLUSH && !may_go(proxy, target, xfer)) return;
        ash_xfer_list_pop(&target->held);
        ash_post(proxy, xfer);
    }
}

/* A fence came since the last transfer to this target. */
static void take_fence(struct ash_proxy *proxy, struct ash_target *target)
{
    target->fences = proxy->fences;
    if (target->held.head == NULL)
        target->fence = true;
    else
        ash_xfer_list_push(&target->held, ash_xfer_new(proxy, target, ASH_OP_FENCE));
}

void ash_target_submit(struct ash_proxy *proxy, struct ash_xfer *xfer)
{
    struct ash_target *target = xfer->target;
    bool flushes = xfer->op == ASH_XFER_FLUSH;
    if (!flushes) {
        if (!xfer->uncounted) mark_dirty(proxy, target);
        if (target->fences != proxy->fences) take_fence(proxy, target);
    }
    if (target->held.head == NULL && target->streaming == NULL &&
        (flushes || may_go(proxy, target, xfer)))
        ash_post(proxy, xfer);
    else
        ash_xfer_list_push(&target->held, xfer);
}

void ash_targets_serve_ready(struct ash_proxy *proxy)
{
    /* Who gets ready meanwhile is served in the next turn. */
    struct ash_target *next = proxy->ready;
    proxy->ready = NULL;
    while (next != NULL) {
        struct ash_target *target = next;
        next = target->next_ready;
        target->is_ready = false;
        drain(proxy, target);
    }
}

void ash_target_acknowledge(struct ash_proxy *proxy, struct ash_target *target, uint64_t seq)
{
    if (seq > target->sent) ash_fatal("proxy: PE %u acknowledged what was not sent", target->pe);
    if (seq > target->acked) target->acked = seq;
    while (target->acks.head != NULL && target->acks.head->operand <= target->acked)
        ash_xfer_part_done(proxy, ash_xfer_list_pop(&target->acks));
    ash_target_mark_ready(proxy, target);
}

/*
 * Nothing of this PE's is on its way after this.  Connections are not closed one
 * by one: what one side closes breaks the flush of the other, which says so on
 * stderr.  They end with the worker, when no PE needs another's any more.
 */
void ash_targets_finish(struct ash_proxy *proxy)
{
    ucp_request_param_t param = {0};
    const double limit = 2.0;
    double end = ash_seconds() + limit;
    ucs_status_ptr_t request = ucp_worker_flush_nbx(proxy->worker, &param);
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS &&
           ash_seconds() < end)
        ucp_worker_progress(proxy->worker);
    if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
    for (uint32_t pe = 0; pe < proxy->config.n_pes; pe++) {
        struct ash_target *target = proxy->targets[pe];
        if (target == NULL || target->rkey == NULL) continue;
        ucp_rkey_destroy(target->rkey);
        target->rkey = NULL;
    }
}
