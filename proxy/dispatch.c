/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 3 of 6: check a request and make a transfer of it.
 *
 * The proxy trusts no request: op, PE, width, offsets, lengths and the reply
 * line are checked on a copy of the slot, before anything is done.  Addresses
 * of the caller's own memory cannot be checked, but for those in a GPU's stage;
 * they are used as memcpy would.
 */
#include "lib/base/end.h"
#include "proxy/internal.h"

static const char *const op_names[ASH_OPS] = {
#define X(NAME, TEXT, ...) TEXT,
    ASH_REQUEST_OPS(X)
#undef X
};

const char *ash_op_name(unsigned op)
{
    return op < ASH_OPS ? op_names[op] : op == ASH_XFER_FLUSH ? "flush" : "message";
}

static _Noreturn void refuse(const struct ash_request *request, const char *why)
{
    unsigned op = ash_request_op(request);
    ash_fatal("proxy: bad request: op %u (%s), pe %u, offset %llu, %llu bytes: %s", op,
              op < ASH_OPS ? op_names[op] : "unknown", ash_request_pe(request),
              (unsigned long long)ash_request_offset(request),
              (unsigned long long)request->word[1], why);
}

static void check_range(const struct ash_proxy *proxy, const struct ash_request *request,
                        uint64_t offset, uint64_t nbytes)
{
    uint64_t size = proxy->config.heap_size;
    if (offset > size || nbytes > size - offset) refuse(request, "outside the symmetric heap");
}

static void check_variable(const struct ash_proxy *proxy, const struct ash_request *request,
                           uint64_t offset, unsigned width)
{
    if (offset & (width - 1)) refuse(request, "not aligned");
    check_range(proxy, request, offset, width);
}

/* Operations on one variable; its value is word 2, a comparand word 1. */
static void fill_variable(struct ash_proxy *proxy, const struct ash_request *request,
                          struct ash_xfer *xfer)
{
    if (xfer->width < 4 && ash_op_class(xfer->op) == ASH_CLASS_ATOMIC)
        refuse(request, "no atomic of this width");
    if (ash_amo_fetches(xfer->op) && xfer->reply == NULL) refuse(request, "nobody to answer to");
    check_variable(proxy, request, xfer->offset, xfer->width);
    /* UCX fetches by adding. */
    xfer->operand = xfer->op == ASH_OP_FETCH ? 0 : request->word[2];
    xfer->compare = request->word[1];
}

static void fill_inline(struct ash_proxy *proxy, const struct ash_request *request,
                        struct ash_xfer *xfer)
{
    static const unsigned char words[6] = {1, 2, 4, 5, 6, 7};
    xfer->nbytes = ash_request_aux(request);
    if (xfer->nbytes == 0 || xfer->nbytes > ASH_INLINE_MAX) refuse(request, "inline length");
    check_range(proxy, request, xfer->offset, xfer->nbytes);
    for (unsigned i = 0; i < 6; i++) xfer->data[i] = request->word[words[i]];
}

/*
 * Local memory that touches the stage must be in one piece of it.  The source of
 * a put is given back when it was read; a get's piece the GPU gives back itself.
 */
static void fill_stage(const struct ash_client *client, const struct ash_request *request,
                       struct ash_xfer *xfer)
{
    uint64_t begin = (uintptr_t)client->own.stage, shift = client->own.stage_shift;
    uint64_t end = begin + ((uint64_t)client->own.n_stage << shift);
    uint64_t piece, left;
    if (xfer->local >= end) return;
    if (xfer->local < begin) {
        if (xfer->nbytes > begin - xfer->local) refuse(request, "only partly in the stage");
        return;
    }
    piece = (xfer->local - begin) >> shift;
    left = begin + ((piece + 1) << shift) - xfer->local;
    if (xfer->nbytes > left) refuse(request, "not within a piece of the stage");
    if (xfer->op != ASH_OP_GET) xfer->released = &client->own.stage_released[piece];
}

static void fill_copy(struct ash_proxy *proxy, const struct ash_client *client,
                      const struct ash_request *request, struct ash_xfer *xfer)
{
    xfer->nbytes = request->word[1];
    xfer->local = request->word[2];
    if (xfer->nbytes == 0 || xfer->local == 0) refuse(request, "nothing to copy");
    check_range(proxy, request, xfer->offset, xfer->nbytes);
    if (xfer->nbytes > UINT64_MAX - xfer->local) refuse(request, "memory has an end");
    if (client->own.n_stage > 0) fill_stage(client, request, xfer);
}

static void fill_put_signal(struct ash_proxy *proxy, const struct ash_client *client,
                            const struct ash_request *request, struct ash_xfer *xfer)
{
    bool add = (ash_request_aux(request) & ASH_AUX_ADD) != 0;
    fill_copy(proxy, client, request, xfer);
    xfer->signal_op = add ? ASH_OP_SIGNAL_ADD : ASH_OP_SIGNAL_SET;
    xfer->signal = request->word[4];
    xfer->signal_offset = ash_request_signal_offset(request);
    check_variable(proxy, request, xfer->signal_offset, 8);
}

/* Who waits for the answer, if anybody does. */
static struct ash_reply *reply_of(const struct ash_client *client,
                                  const struct ash_request *request)
{
    uint32_t reply = ash_request_aux(request) & ASH_AUX_REPLY_MASK;
    if (reply == 0 || ash_request_op(request) == ASH_OP_INLINE) return NULL;
    if (reply > client->own.n_replies) refuse(request, "no such reply line");
    return &client->own.replies[reply - 1];
}

static bool is_uncounted(const struct ash_request *request)
{
    unsigned op = ash_request_op(request);
    return (op == ASH_OP_SIGNAL_SET || op == ASH_OP_SIGNAL_ADD) &&
           (ash_request_aux(request) & ASH_AUX_UNCOUNTED) != 0;
}

/*
 * No quiet waits for this request: where all before it is complete, it is so as
 * well, and the next quiet has nothing to ask (a barrier's, after a barrier).
 */
static void keep_complete(const struct ash_client *client, uint64_t ticket)
{
    struct ash_channel *channel = client->own.channel;
    if (channel->proxy->completed == ticket) ash_channel_complete(channel, ticket + 1);
}

static void start_transfer(struct ash_proxy *proxy, struct ash_client *client,
                           const struct ash_request *request)
{
    uint32_t pe = ash_request_pe(request);
    unsigned char *const *peer = client->own.peer;
    struct ash_xfer *xfer;
    if (pe >= proxy->config.n_pes) refuse(request, "no such PE");
    xfer = ash_xfer_new(proxy, ash_target_get(proxy, pe), ash_request_op(request));
    xfer->width = (uint8_t)ash_request_width(request);
    xfer->offset = ash_request_offset(request);
    xfer->reply = reply_of(client, request);
    xfer->uncounted = is_uncounted(request);
    switch (xfer->op) {
    case ASH_OP_PUT:
    case ASH_OP_GET: fill_copy(proxy, client, request, xfer); break;
    case ASH_OP_INLINE: fill_inline(proxy, request, xfer); break;
    case ASH_OP_PUT_SIGNAL: fill_put_signal(proxy, client, request, xfer); break;
    case ASH_OP_G:
        xfer->nbytes = xfer->width;
        if (xfer->reply == NULL) refuse(request, "nobody to answer to");
        check_range(proxy, request, xfer->offset, xfer->nbytes);
        break;
    default: fill_variable(proxy, request, xfer); break;
    }
    if (proxy->config.counts != NULL) ash_request_taken(proxy, client, xfer);
    if (peer != NULL && peer[pe] != NULL)
        ash_direct(proxy, xfer, peer[pe]);
    else
        ash_target_submit(proxy, xfer);
}

static void dispatch(struct ash_proxy *proxy, struct ash_client *client,
                     const struct ash_request *request, uint64_t ticket)
{
    if (proxy->config.counts != NULL)
        ash_request_marker(proxy, client, ash_request_op(request));
    switch (ash_request_op(request)) {
    case ASH_OP_FENCE:
        ash_client_fence(proxy, client);
        keep_complete(client, ticket);
        break;
    case ASH_OP_QUIET: ash_client_quiet(proxy, client, ticket + 1); break;
    case ASH_OP_NONE: refuse(request, "no operation");
    default:
        if (ash_request_op(request) >= ASH_OPS) refuse(request, "no such operation");
        start_transfer(proxy, client, request);
        if (is_uncounted(request)) keep_complete(client, ticket);
        break;
    }
}

void ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket)
{
    uint64_t began;
    if (dev_likely(proxy->trace == NULL)) {
        dispatch(proxy, client, request, ticket);
        return;
    }
    began = ash_now_ns();
    proxy->flow_taken = ash_flow_request(proxy->config.my_pe, client != proxy->clients, ticket);
    dispatch(proxy, client, request, ticket);
    ash_tell_take(proxy, request, began);
}
