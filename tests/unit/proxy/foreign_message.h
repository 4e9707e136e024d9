/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sender outside the job, with a UCX worker of its own, that knows the address of the job's
 * only PE and sends it foreign messages.
 */
#ifndef TESTS_UNIT_PROXY_FOREIGN_MESSAGE_H
#define TESTS_UNIT_PROXY_FOREIGN_MESSAGE_H

#include "tests/unit/gpu_proxy.h"

#define VALUE UINT64_C(0x1122334455667788)

/* The sender's own UCX context, worker and endpoint. */
static struct {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h ep;
} foreign;

static inline void start_foreign(void)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_AM};
    ucp_worker_params_t worker_params = {.field_mask = 0};
    struct ash_proxy_address address;
    ucp_ep_params_t ep_params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS};
    ash_proxy_address(proxy, &address);
    ep_params.address = address.address;
    assert_int_equal(ucp_init(&params, NULL, &foreign.context), UCS_OK);
    assert_int_equal(ucp_worker_create(foreign.context, &worker_params, &foreign.worker), UCS_OK);
    assert_int_equal(ucp_ep_create(foreign.worker, &ep_params, &foreign.ep), UCS_OK);
}

static inline void work(void)
{
    ucp_worker_progress(foreign.worker);
    ash_proxy_iterate(proxy);
}

static inline void finish(ucs_status_ptr_t request)
{
    double end = ash_seconds() + LIMIT_SECONDS;
    assert_false(UCS_PTR_IS_ERR(request));
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS) {
        if (ash_seconds() > end) fail_msg("it was not sent");
        work();
    }
    if (UCS_PTR_IS_PTR(request)) ucp_request_free(request);
}

static inline int start(void **state)
{
    start_path(MESSAGES);
    start_foreign();
    return 0;
}

static inline int stop(void **state)
{
    ucp_request_param_t param = {0};
    finish(ucp_ep_close_nbx(foreign.ep, &param));
    ucp_worker_destroy(foreign.worker);
    ucp_cleanup(foreign.context);
    return stop_path(state);
}

static inline void send_header(const void *header, size_t length, const void *payload,
                               size_t nbytes, uint32_t flags)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = flags};
    finish(ucp_am_send_nbx(foreign.ep, ASH_MESSAGE_ID, header, length, payload, nbytes, &param));
}

/* A valid message: the first one of PE 0, which sets a word of the heap. */
static inline struct ash_message right_message(void)
{
    return (struct ash_message){.key = {1, 2}, .seq = 1, .kind = ASH_MESSAGE_APPLY,
                                .op = ASH_OP_SIGNAL_SET, .width = 8, .offset = 64,
                                .operand = VALUE};
}

#endif
