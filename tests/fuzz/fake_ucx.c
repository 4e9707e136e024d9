/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fake_ucx_internal.h"

/* Turns that a late operation takes at most. */
#define LATE_TURNS 5

bool (*fake_ucx_wire)(unsigned from, unsigned to, const void *header, size_t header_length,
                      const void *data, size_t nbytes);

enum kind { PUT, GET, ATOMIC, SEND, FLUSH };

/* An operation under way; UCX's request. */
struct op {
    struct op *next;
    enum kind kind;
    bool done;
    unsigned turns;
    struct ep ep;
    void *buffer, *reply;
    const void *header;
    size_t nbytes, header_length;
    uint64_t address;
    ucp_atomic_op_t atomic;
    ucp_send_nbx_callback_t callback;
    void *user_data;
};

struct worker fake_ucx_workers[WORKERS];
static struct op *ops;
/* What the handler has in hand. */
static struct letter *open_letter;
static uint64_t seed;

void fake_ucx_seed(uint64_t new_seed) { seed = new_seed; }

static uint64_t choose(uint64_t n)
{
    if (seed == 0) return 0;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 16) % n;
}

static void burn(struct letter *letter)
{
    if (letter == NULL) return;
    free(letter->header);
    free(letter->data);
    free(letter);
}

void fake_ucx_forget(void)
{
    struct op *op;
    while ((op = ops) != NULL) {
        ops = op->next;
        free(op);
    }
    burn(open_letter);
    open_letter = NULL;
    for (int i = 0; i < WORKERS; i++) {
        struct letter *letter;
        while ((letter = fake_ucx_workers[i].letters) != NULL) {
            fake_ucx_workers[i].letters = letter->next;
            burn(letter);
        }
    }
}

bool fake_ucx_busy(void)
{
    for (int i = 0; i < WORKERS; i++)
        if (fake_ucx_workers[i].letters != NULL) return true;
    return ops != NULL;
}

unsigned fake_ucx_number(ucp_worker_h worker) { return ((struct worker *)worker)->number; }

/* An exact copy, so that a tool sees who reads past its end. */
static void *copy_of(const void *bytes, size_t nbytes)
{
    void *copy = nbytes > 0 ? malloc(nbytes) : NULL;
    if (copy != NULL) memcpy(copy, bytes, nbytes);
    return copy;
}

static struct letter *write_letter(const void *header, size_t header_length, const void *data,
                                   size_t nbytes)
{
    struct letter *letter = calloc(1, sizeof(*letter));
    if (letter == NULL) fuzz_finding("no memory");
    letter->header = copy_of(header, header_length);
    letter->header_length = header_length;
    letter->data = copy_of(data, nbytes);
    letter->nbytes = nbytes;
    return letter;
}

static void read_letter(struct worker *to, struct letter *letter, bool rendezvous)
{
    ucp_am_recv_param_t param = {.recv_attr = rendezvous ? UCP_AM_RECV_ATTR_FLAG_RNDV : 0};
    open_letter = letter;
    to->handler(to->arg, letter->header, letter->header_length, letter->data, letter->nbytes,
                &param);
    open_letter = NULL;
    burn(letter);
}

void fake_ucx_deliver(unsigned to, const void *header, size_t header_length, const void *data,
                      size_t nbytes, bool rendezvous)
{
    read_letter(&fake_ucx_workers[to], write_letter(header, header_length, data, nbytes),
                rendezvous);
}

/* Letters arrive in order most of the time. */
static void post_letter(struct worker *to, struct letter *letter)
{
    struct letter **link = &to->letters;
    while (*link != NULL && choose(8) != 7) link = &(*link)->next;
    letter->next = *link;
    *link = letter;
}

static unsigned char *memory_of(const struct op *op, size_t nbytes)
{
    const struct worker *to = op->ep.to;
    uint64_t at = op->address - to->memory;
    if (op->address < to->memory || at > to->length || nbytes > to->length - at)
        fuzz_finding("UCX is asked for %zu bytes at heap + %lld of PE %u", nbytes,
                     (long long)at, to->number);
    return (unsigned char *)(uintptr_t)op->address;
}

static uint64_t load(const void *from, size_t width)
{
    uint64_t value = 0;
    memcpy(&value, from, width);
    return value;
}

static void run_atomic(const struct op *op)
{
    unsigned char *p = memory_of(op, op->nbytes);
    uint64_t operand = load(op->buffer, op->nbytes), old = load(p, op->nbytes), value = old;
    bool swaps = op->atomic == UCP_ATOMIC_OP_SWAP || op->atomic == UCP_ATOMIC_OP_CSWAP;
    if (op->address % op->nbytes != 0) fuzz_finding("UCX is asked for an atomic, not aligned");
    if (op->nbytes != 4 && op->nbytes != 8)
        fuzz_finding("UCX is asked for an atomic of %zu bytes", op->nbytes);
    if (swaps && op->reply == NULL) fuzz_finding("UCX is asked for a swap without a reply");
    switch (op->atomic) {
    case UCP_ATOMIC_OP_ADD: value = old + operand; break;
    case UCP_ATOMIC_OP_AND: value = old & operand; break;
    case UCP_ATOMIC_OP_OR: value = old | operand; break;
    case UCP_ATOMIC_OP_XOR: value = old ^ operand; break;
    case UCP_ATOMIC_OP_SWAP: value = operand; break;
    case UCP_ATOMIC_OP_CSWAP:
        if (old == operand) value = load(op->reply, op->nbytes);
        break;
    default: fuzz_finding("UCX is asked for atomic %d", (int)op->atomic);
    }
    memcpy(p, &value, op->nbytes);
    if (op->reply != NULL) memcpy(op->reply, &old, op->nbytes);
}

static void run(const struct op *op)
{
    switch (op->kind) {
    case PUT: memcpy(memory_of(op, op->nbytes), op->buffer, op->nbytes); break;
    case GET: memcpy(op->buffer, memory_of(op, op->nbytes), op->nbytes); break;
    case ATOMIC: run_atomic(op); break;
    case SEND:
        if (fake_ucx_wire == NULL ||
            fake_ucx_wire(op->ep.from->number, op->ep.to->number, op->header, op->header_length,
                          op->buffer, op->nbytes))
            post_letter(op->ep.to, write_letter(op->header, op->header_length, op->buffer,
                                                op->nbytes));
        break;
    case FLUSH: break;
    }
}

static bool waits(const struct op *flush)
{
    for (const struct op *op = ops; op != NULL; op = op->next)
        if (!op->done && op->kind != FLUSH && op->kind != SEND && op->ep.from == flush->ep.from &&
            op->ep.to == flush->ep.to)
            return true;
    return false;
}

static ucs_status_ptr_t now_or_later(struct op op, ucp_ep_h ep, const ucp_request_param_t *param)
{
    bool may_be_late = (param->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) != 0;
    bool of_host = (param->op_attr_mask & UCP_OP_ATTR_FIELD_MEMORY_TYPE) != 0 &&
                   param->memory_type == UCS_MEMORY_TYPE_HOST;
    struct op *kept;
    if (op.kind != FLUSH && !of_host) fuzz_finding("UCX must ask whose memory it is");
    op.ep = *(struct ep *)ep;
    if (op.kind == FLUSH ? !waits(&op) : !may_be_late || choose(2) == 0) {
        run(&op);
        return NULL;
    }
    kept = malloc(sizeof(*kept));
    if (kept == NULL) fuzz_finding("no memory");
    *kept = op;
    kept->turns = (unsigned)choose(LATE_TURNS);
    kept->callback = param->cb.send;
    kept->user_data = param->user_data;
    kept->next = ops;
    ops = kept;
    return kept;
}

ucs_status_ptr_t ucp_put_nbx(ucp_ep_h ep, const void *buffer, size_t count, uint64_t remote_addr,
                             ucp_rkey_h rkey, const ucp_request_param_t *param)
{
    if ((void *)rkey != ((struct ep *)ep)->to) fuzz_finding("a key of another PE");
    return now_or_later((struct op){.kind = PUT, .buffer = (void *)(uintptr_t)buffer,
                                    .nbytes = count, .address = remote_addr}, ep, param);
}

ucs_status_ptr_t ucp_get_nbx(ucp_ep_h ep, void *buffer, size_t count, uint64_t remote_addr,
                             ucp_rkey_h rkey, const ucp_request_param_t *param)
{
    if ((void *)rkey != ((struct ep *)ep)->to) fuzz_finding("a key of another PE");
    return now_or_later((struct op){.kind = GET, .buffer = buffer, .nbytes = count,
                                    .address = remote_addr}, ep, param);
}

ucs_status_ptr_t ucp_atomic_op_nbx(ucp_ep_h ep, ucp_atomic_op_t opcode, const void *buffer,
                                   size_t count, uint64_t remote_addr, ucp_rkey_h rkey,
                                   const ucp_request_param_t *param)
{
    bool has_reply = (param->op_attr_mask & UCP_OP_ATTR_FIELD_REPLY_BUFFER) != 0;
    size_t width = (size_t)(param->datatype >> UCP_DATATYPE_SHIFT);
    if ((void *)rkey != ((struct ep *)ep)->to) fuzz_finding("a key of another PE");
    if (count != 1) fuzz_finding("UCX is asked for %zu atomics", count);
    return now_or_later((struct op){.kind = ATOMIC, .buffer = (void *)(uintptr_t)buffer,
                                    .nbytes = width, .address = remote_addr, .atomic = opcode,
                                    .reply = has_reply ? param->reply_buffer : NULL}, ep, param);
}

ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header,
                                 size_t header_length, const void *buffer, size_t count,
                                 const ucp_request_param_t *param)
{
    (void)id;
    return now_or_later((struct op){.kind = SEND, .buffer = (void *)(uintptr_t)buffer,
                                    .nbytes = count, .header = header,
                                    .header_length = header_length}, ep, param);
}

ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    return now_or_later((struct op){.kind = FLUSH}, ep, param);
}

/* One operation of this worker that is due, or NULL; the others have waited one turn more. */
static struct op *next_due(const struct worker *worker)
{
    for (struct op *op = ops; op != NULL; op = op->next) {
        if (op->done || op->ep.from != worker) continue;
        if (op->turns > 0)
            op->turns--;
        else if (op->kind != FLUSH || !waits(op))
            return op;
    }
    return NULL;
}

unsigned ucp_worker_progress(ucp_worker_h handle)
{
    struct worker *worker = (struct worker *)handle;
    struct letter *letter;
    struct op *op;
    unsigned n = 0;
    for (; n < 8 && (op = next_due(worker)) != NULL; n++) {
        run(op);
        op->done = true;
        op->callback(op, UCS_OK, op->user_data);
    }
    for (; n < 16 && (letter = worker->letters) != NULL; n++) {
        worker->letters = letter->next;
        read_letter(worker, letter, false);
    }
    return n;
}

void ucp_request_free(void *request)
{
    struct op **link = &ops;
    while (*link != NULL && *link != request) link = &(*link)->next;
    if (*link == NULL) fuzz_finding("a request of UCX is given back twice");
    *link = (*link)->next;
    free(request);
}

ucs_status_t ucp_request_check_status(void *request)
{
    return ((struct op *)request)->done ? UCS_OK : UCS_INPROGRESS;
}
