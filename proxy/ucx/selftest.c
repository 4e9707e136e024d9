/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether UCX does fetching and, or, xor right.
 *
 * Debian's libuct was built by a GCC that loses the result of these on x86-64
 * for memory that the caller's CPU can reach: UCX reports OK and returns the
 * right old value, but memory is wrong.  So they are tried on an endpoint of the
 * worker to itself; if one fails, all of them go by messages.
 */
#include <stdlib.h>

#include "lib/base/log.h"
#include "proxy/internal.h"

struct trial {
    struct ash_proxy *proxy;
    ucp_ep_h ep;
    ucp_rkey_h rkey;
    uint64_t *word;
};

static bool finished(struct ash_proxy *proxy, ucs_status_ptr_t request)
{
    double end = ash_seconds() + 10.0;
    ucs_status_t status = UCS_OK;
    if (UCS_PTR_IS_ERR(request)) return false;
    if (request == NULL) return true;
    do {
        ucp_worker_progress(proxy->worker);
        status = ucp_request_check_status(request);
    } while (status == UCS_INPROGRESS && ash_seconds() < end);
    ucp_request_free(request);
    return status == UCS_OK;
}

static bool one_works(struct trial *trial, ucp_atomic_op_t op, size_t width, uint64_t before,
                      uint64_t operand, uint64_t after)
{
    static uint64_t value, old;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_REPLY_BUFFER | UCP_OP_ATTR_FIELD_DATATYPE |
                        UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .memory_type = UCS_MEMORY_TYPE_HOST,
        .reply_buffer = &old,
        .datatype = ucp_dt_make_contig(width)};
    value = operand;
    old = 0;
    *trial->word = before;
    return finished(trial->proxy,
                    ucp_atomic_op_nbx(trial->ep, op, &value, 1, (uintptr_t)trial->word,
                                      trial->rkey, &param)) &&
           *(volatile uint64_t *)trial->word == after && old == before;
}

static bool all_work(struct trial *trial)
{
    for (size_t width = 4; width <= 8; width += 4) {
        if (!one_works(trial, UCP_ATOMIC_OP_AND, width, 0xff, 0xf0, 0xf0)) return false;
        if (!one_works(trial, UCP_ATOMIC_OP_OR, width, 0x0f, 0xf0, 0xff)) return false;
        if (!one_works(trial, UCP_ATOMIC_OP_XOR, width, 0xff, 0x0f, 0xf0)) return false;
    }
    return true;
}

bool ash_ucx_fetch_bitwise_works(struct ash_proxy *proxy)
{
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                              .address = proxy->address};
    ucp_request_param_t close_param = {0};
    struct trial trial = {.proxy = proxy, .word = (uint64_t *)(void *)proxy->config.heap};
    uint64_t kept = *trial.word;
    bool works = false;
    if (ucp_ep_create(proxy->worker, &params, &trial.ep) != UCS_OK) return false;
    if (ucp_ep_rkey_unpack(trial.ep, proxy->rkey, &trial.rkey) == UCS_OK) {
        works = all_work(&trial);
        ucp_rkey_destroy(trial.rkey);
    }
    *trial.word = kept;
    finished(proxy, ucp_ep_close_nbx(trial.ep, &close_param));
    if (!works)
        ash_log(ASH_LOG_INFO,
                "fetching and/or/xor are wrong in this UCX: active messages are used");
    return works;
}
