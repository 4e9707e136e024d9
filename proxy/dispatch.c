/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step 3 of 6: decode a request, check it, and make a transfer of it.
 *
 * The proxy trusts no request: it checks op, PE, width, offsets, lengths and the
 * reply line on a copy of the slot, before it does anything.  Addresses of the
 * caller's own memory cannot be checked, except those in a GPU's staging area;
 * they are used as memcpy would.
 */
#include <string.h>

#include "lib/base/end.h"
#include "proxy/internal.h"

/* The columns of the table that gdb reads (contrib/gdb): it cannot call functions of request.h. */
static const struct {
    const char *name;
    uint8_t op_class, update, brings;
} ops[ASH_OPS] = {
#define X(NAME, TEXT, CLASS, UPDATE, BRINGS, ...) \
    {TEXT, ASH_CLASS_##CLASS, ASH_UPDATE_##UPDATE, ASH_BRINGS_##BRINGS},
    ASH_REQUEST_OPS(X)
#undef X
};

const char *ash_op_name(unsigned op)
{
    return op < ASH_OPS ? ops[op].name : op == ASH_XFER_FLUSH ? "flush" : "message";
}

static _Noreturn void refuse(const struct ash_decoded *d, const char *why)
{
    ash_fatal("proxy: bad request: op %u (%s), pe %u, offset %llu, %llu bytes: %s", d->op,
              d->op < ASH_OPS ? ops[d->op].name : "unknown", d->pe, (unsigned long long)d->offset,
              (unsigned long long)d->nbytes, why);
}

static void check_range(const struct ash_proxy *proxy, const struct ash_decoded *d,
                        uint64_t offset, uint64_t nbytes)
{
    if (!ash_range_exists(proxy, offset, nbytes)) refuse(d, "outside the symmetric heap");
}

/* One element or variable. */
static void check_variable(const struct ash_proxy *proxy, const struct ash_decoded *d)
{
    enum ash_brings brings = ash_op_brings(d->op);
    bool asks = brings == ASH_BRINGS_VALUE || brings == ASH_BRINGS_BYTES;
    if (d->op_class == ASH_CLASS_ATOMIC && d->width < 2) refuse(d, "no atomic of this width");
    if (asks && d->reply == 0) refuse(d, "no reply line");
    if (d->op_class != ASH_CLASS_ELEMENT && d->offset & (d->width - 1)) refuse(d, "not aligned");
    check_range(proxy, d, d->offset, d->width);
}

static void check_inline(const struct ash_proxy *proxy, const struct ash_decoded *d)
{
    if (d->inline_nbytes == 0 || d->inline_nbytes > ASH_INLINE_MAX) refuse(d, "inline length");
    check_range(proxy, d, d->offset, d->inline_nbytes);
}

/* Offset of an address in the client's staging area; it wraps to a huge one before the area. */
static uint64_t stage_offset(const struct ash_client *client, uint64_t address)
{
    return address - (uintptr_t)client->own.stage;
}

static bool is_staged(const struct ash_client *client, uint64_t address)
{
    uint64_t nbytes = (uint64_t)client->own.n_stage << client->own.stage_shift;
    return stage_offset(client, address) < nbytes;
}

/* Local memory that touches the staging area must lie within one buffer of it. */
static void check_stage(const struct ash_client *client, const struct ash_decoded *d)
{
    uint64_t begin = (uintptr_t)client->own.stage, piece = UINT64_C(1) << client->own.stage_shift;
    uint64_t left = piece - (stage_offset(client, d->local) & (piece - 1));
    if (is_staged(client, d->local) && d->nbytes > left)
        refuse(d, "not within a staging buffer");
    if (d->local < begin && d->nbytes > begin - d->local) refuse(d, "only partly in the stage");
}

static void check_copy(const struct ash_proxy *proxy, const struct ash_client *client,
                       const struct ash_decoded *d)
{
    if (d->nbytes == 0 || d->local == 0) refuse(d, "nothing to copy");
    check_range(proxy, d, d->offset, d->nbytes);
    if (d->nbytes > UINT64_MAX - d->local) refuse(d, "address overflow");
    if (client->own.n_stage > 0) check_stage(client, d);
    if (d->op != ASH_OP_PUT_SIGNAL) return;
    if (d->signal_offset & 7) refuse(d, "not aligned");
    check_range(proxy, d, d->signal_offset, 8);
}

static void check(const struct ash_proxy *proxy, const struct ash_client *client,
                  const struct ash_decoded *d)
{
    if (d->op == ASH_OP_NONE) refuse(d, "no operation");
    if (d->op_class == ASH_CLASS_NOTHING) refuse(d, "unknown operation");
    if (d->op_class == ASH_CLASS_ORDER) return;
    if (d->pe >= proxy->config.n_pes) refuse(d, "PE out of range");
    if (d->reply > client->own.n_replies) refuse(d, "no such reply line");
    switch (d->op_class) {
    case ASH_CLASS_COPY: check_copy(proxy, client, d); break;
    case ASH_CLASS_INLINE: check_inline(proxy, d); break;
    default: check_variable(proxy, d); break;
    }
}

/*
 * The count of the staging buffer to give back when the source of a put was read, or NULL.
 * The GPU itself gives back the buffer of a get.
 */
static uint64_t *released_by(const struct ash_client *client, const struct ash_decoded *d)
{
    if (ash_op_brings(d->op) == ASH_BRINGS_MEMORY || !is_staged(client, d->local)) return NULL;
    return &client->own.stage_released[stage_offset(client, d->local) >> client->own.stage_shift];
}

static void fill_copy(const struct ash_client *client, const struct ash_decoded *d,
                      struct ash_xfer *xfer)
{
    xfer->nbytes = d->nbytes;
    xfer->local = d->local;
    xfer->released = released_by(client, d);
    if (d->op != ASH_OP_PUT_SIGNAL) return;
    xfer->signal_op = d->adds ? ASH_OP_SIGNAL_ADD : ASH_OP_SIGNAL_SET;
    xfer->signal = d->signal;
    xfer->signal_offset = d->signal_offset;
}

static struct ash_xfer *new_transfer(struct ash_proxy *proxy, const struct ash_client *client,
                                     const struct ash_decoded *d)
{
    struct ash_connection *conn = ash_connection_get(proxy, d->pe);
    struct ash_xfer *xfer = ash_xfer_new_in(proxy, client->completion, conn, d->op);
    xfer->width = (uint8_t)d->width;
    xfer->offset = d->offset;
    if (d->reply != 0) xfer->reply = &client->own.replies[d->reply - 1];
    xfer->uncounted = d->uncounted;
    switch (d->op_class) {
    case ASH_CLASS_COPY: fill_copy(client, d, xfer); break;
    case ASH_CLASS_INLINE:
        xfer->nbytes = d->inline_nbytes;
        memcpy(xfer->data, d->inline_data, sizeof(xfer->data));
        break;
    case ASH_CLASS_ELEMENT: xfer->nbytes = d->width; break;
    default:
        /* UCX fetches by adding. */
        xfer->operand = ash_op_update(d->op) == ASH_UPDATE_LOAD ? 0 : d->operand;
        xfer->compare = d->compare;
        break;
    }
    return xfer;
}

/*
 * No quiet waits for this request: if all before it are complete, count it as complete, too,
 * so that the next quiet has nothing to do (a barrier's, after a barrier).
 */
static void keep_complete(const struct ash_client *client, uint64_t ticket)
{
    struct ash_channel *channel = client->own.channel;
    if (channel->proxy->completed == ticket) ash_channel_complete(channel, ticket + 1);
}

static void start_transfer(struct ash_proxy *proxy, struct ash_client *client,
                           const struct ash_decoded *d)
{
    unsigned char *const *peer = client->own.peer;
    struct ash_xfer *xfer = new_transfer(proxy, client, d);
    if (proxy->config.counts != NULL) ash_request_taken(proxy, client, xfer);
    if (peer != NULL && peer[d->pe] != NULL)
        ash_direct(proxy, xfer, peer[d->pe]);
    else
        ash_connection_submit(proxy, xfer);
}

static void dispatch(struct ash_proxy *proxy, struct ash_client *client,
                     const struct ash_decoded *d, uint64_t ticket)
{
    check(proxy, client, d);
    if (proxy->config.counts != NULL && d->op_class == ASH_CLASS_ORDER)
        ash_request_marker(proxy, client, d->op);
    switch (d->op) {
    case ASH_OP_FENCE:
        ash_client_fence(proxy, client);
        keep_complete(client, ticket);
        break;
    case ASH_OP_QUIET: ash_client_quiet(proxy, client, ticket + 1); break;
    case ASH_OP_DOORBELL:
        ash_ctx_serve(proxy, d->operand);
        keep_complete(client, ticket);
        break;
    default:
        start_transfer(proxy, client, d);
        if (d->uncounted) keep_complete(client, ticket);
        break;
    }
}

void ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                  const struct ash_request *request, uint64_t ticket)
{
    struct ash_decoded decoded;
    bool traced = dev_unlikely(proxy->trace != NULL);
    uint64_t began = traced ? ash_now_ns() : 0;
    ash_decode(request, &decoded);
    if (traced)
        proxy->flow_taken = ash_flow_request(proxy->config.my_pe, client->kind == ASH_GPU,
                                             client->own.channel->doorbell, ticket);
    dispatch(proxy, client, &decoded, ticket);
    if (traced) ash_emit_take(proxy, &decoded, began);
}
