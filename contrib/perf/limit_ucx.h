/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bare UCX, separate from the library's: its own context and worker.  Two PEs call
 * its progress themselves.
 */
#ifndef ANYSHMEM_PERF_LIMIT_UCX_H
#define ANYSHMEM_PERF_LIMIT_UCX_H

#include <stdint.h>
#include <ucp/api/ucp.h>

enum { LIMIT_PING = 1, LIMIT_DONE };

struct limit_ucx {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_mem_h words, target;
    ucp_ep_h ep;
    ucp_rkey_h words_key, target_key;
    /* Addresses in the peer's memory. */
    uint64_t peer_words, peer_target;
    /* Numbers of messages received, and of those waited for. */
    uint64_t pings, dones, pings_awaited, dones_awaited;
    /* This PE's card and the other's; symmetric. */
    struct card *cards;
};

void limit_ucx_progress(struct limit_ucx *ucx);
/* Waits for a request and frees it; an error ends the job. */
void limit_ucx_finish(struct limit_ucx *ucx, ucs_status_ptr_t request);

#endif
