/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of the bare UCX that is the limit if the peer is not mapped.  PE 0
 * and its peer both call its progress all the time; like the library's UCX it reads
 * the UCX_ variables of the environment.
 */
#include "perf.h"

#include <nvshmem.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limit_ucx.h"

#define CARD_BYTES 8192

/* The data that PE 0 and its peer exchange: in `bytes` the worker's address, then, in the second
 * half, the packed keys of words and target. */
struct card {
    uint64_t address_length, key_length, words, target, ready;
    unsigned char bytes[CARD_BYTES];
};

static ucs_status_t on_ping(void *argument, const void *header, size_t header_length, void *data,
                            size_t length, const ucp_am_recv_param_t *param)
{
    (void)header, (void)header_length, (void)data, (void)length, (void)param;
    ++*(uint64_t *)argument;
    return UCS_OK;
}

void limit_ucx_progress(struct limit_ucx *ucx)
{
    static unsigned idle;
    if (ucp_worker_progress(ucx->worker) == 0 && ++idle % 200 == 0) sched_yield();
}

void limit_ucx_finish(struct limit_ucx *ucx, ucs_status_ptr_t request)
{
    if (UCS_PTR_IS_ERR(request)) {
        fprintf(stderr, "anyshmem-perf: UCX: %s\n", ucs_status_string(UCS_PTR_STATUS(request)));
        nvshmem_global_exit(1);
    }
    if (request == NULL) return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS) limit_ucx_progress(ucx);
    ucp_request_free(request);
}

static bool add_handler(struct limit_ucx *ucx, unsigned id, uint64_t *counter)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                      UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = id,
        .cb = on_ping,
        .arg = counter};
    return ucp_worker_set_am_recv_handler(ucx->worker, &param) == UCS_OK;
}

/* Atomics and lanes as the library sets them, so that the ratio shows only the library's cost. */
static void configure(ucp_config_t *config)
{
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    if (getenv("UCX_ATOMIC_MODE") == NULL) (void)ucp_config_modify(config, "ATOMIC_MODE", "cpu");
    if (major == 1 && minor < 16 && getenv("UCX_MAX_RNDV_LANES") == NULL &&
        getenv("UCX_MAX_RNDV_RAILS") == NULL)
        (void)ucp_config_modify(config, "MAX_RNDV_LANES", "1");
}

static bool start(struct limit_ucx *ucx)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_RMA | UCP_FEATURE_AMO64};
    ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_config_t *config;
    ucs_status_t status;
    if (ucp_config_read(NULL, NULL, &config) != UCS_OK) return false;
    configure(config);
    status = ucp_init(&params, config, &ucx->context);
    ucp_config_release(config);
    return status == UCS_OK &&
           ucp_worker_create(ucx->context, &worker, &ucx->worker) == UCS_OK &&
           add_handler(ucx, LIMIT_PING, &ucx->pings) && add_handler(ucx, LIMIT_DONE, &ucx->dones);
}

static bool add_memory(struct limit_ucx *ucx, void *memory, size_t nbytes, ucp_mem_h *ret_memory,
                       struct card *card)
{
    ucp_mem_map_params_t params = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                                                 UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                   .address = memory,
                                   .length = nbytes};
    size_t length = 0;
    void *key;
    if (ucp_mem_map(ucx->context, &params, ret_memory) != UCS_OK ||
        ucp_rkey_pack(ucx->context, *ret_memory, &key, &length) != UCS_OK)
        return false;
    if (card->key_length + length <= CARD_BYTES / 2)
        memcpy(card->bytes + CARD_BYTES / 2 + card->key_length, key, length);
    card->key_length += length;
    ucp_rkey_buffer_release(key);
    return card->key_length <= CARD_BYTES / 2;
}

/* Both keys have the same length, because they differ only in their memory: so connect_peer
 * finds the second one at half of key_length. */
static bool fill_card(struct perf *perf, struct limit_ucx *ucx, size_t target_nbytes)
{
    struct card *card = &ucx->cards[0];
    ucp_address_t *address;
    size_t length;
    bool fits;
    card->words = (uintptr_t)perf->words;
    card->target = (uintptr_t)perf->target;
    if (ucp_worker_get_address(ucx->worker, &address, &length) != UCS_OK) return false;
    fits = length <= CARD_BYTES / 2;
    if (fits) memcpy(card->bytes, address, length);
    card->address_length = length;
    ucp_worker_release_address(ucx->worker, address);
    return fits &&
           add_memory(ucx, perf->words, PERF_WORDS * sizeof(uint64_t), &ucx->words, card) &&
           add_memory(ucx, perf->target, target_nbytes, &ucx->target, card);
}

static bool connect_peer(struct limit_ucx *ucx)
{
    const struct card *peer = &ucx->cards[1];
    const unsigned char *keys = peer->bytes + CARD_BYTES / 2;
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                              .address = (const ucp_address_t *)peer->bytes};
    if (peer->address_length == 0) return false;
    ucx->peer_words = peer->words;
    ucx->peer_target = peer->target;
    return ucp_ep_create(ucx->worker, &params, &ucx->ep) == UCS_OK &&
           ucp_ep_rkey_unpack(ucx->ep, keys, &ucx->words_key) == UCS_OK &&
           ucp_ep_rkey_unpack(ucx->ep, keys + peer->key_length / 2, &ucx->target_key) == UCS_OK;
}

/* All PEs must know whether the bare UCX works: PE 0 collects the results and sends them to all. */
static bool agree(struct perf *perf, struct limit_ucx *ucx, bool ready, int other)
{
    struct card *cards = ucx->cards;
    if (perf->me == perf->peer) nvshmem_uint64_p(&cards[1].ready, ready, other);
    nvshmem_barrier_all();
    if (perf->me == 0)
        for (int pe = 0; pe < perf->n_pes; pe++)
            nvshmem_uint64_p(&cards[0].ready, ready && cards[1].ready != 0, pe);
    nvshmem_barrier_all();
    return cards[0].ready != 0;
}

struct limit_ucx *limit_ucx_open(struct perf *perf, size_t target_nbytes)
{
    struct limit_ucx *ucx = calloc(1, sizeof(*ucx));
    int other = perf->me == 0 ? perf->peer : 0;
    bool mine = perf->me == 0 || perf->me == perf->peer, ready = false;
    struct card *cards = nvshmem_calloc(2, sizeof(*cards));
    if (ucx == NULL || cards == NULL) {
        fprintf(stderr, "anyshmem-perf: out of memory\n");
        nvshmem_global_exit(1);
    }
    ucx->cards = cards;
    if (mine) ready = start(ucx) && fill_card(perf, ucx, target_nbytes);
    if (!ready) cards[0].address_length = 0;
    if (mine) nvshmem_putmem(&cards[1], &cards[0], sizeof(*cards), other);
    nvshmem_barrier_all();
    ready = agree(perf, ucx, ready && connect_peer(ucx), other);
    if (ready) return ucx;
    if (perf->me == 0) fprintf(stderr, "anyshmem-perf: no bare UCX to compare with\n");
    limit_ucx_close(ucx);
    return NULL;
}

void limit_ucx_close(struct limit_ucx *ucx)
{
    static const ucp_request_param_t param;
    nvshmem_barrier_all();
    if (ucx->words_key != NULL) ucp_rkey_destroy(ucx->words_key);
    if (ucx->target_key != NULL) ucp_rkey_destroy(ucx->target_key);
    if (ucx->ep != NULL) limit_ucx_finish(ucx, ucp_ep_close_nbx(ucx->ep, &param));
    nvshmem_barrier_all();
    if (ucx->words != NULL) ucp_mem_unmap(ucx->context, ucx->words);
    if (ucx->target != NULL) ucp_mem_unmap(ucx->context, ucx->target);
    if (ucx->worker != NULL) ucp_worker_destroy(ucx->worker);
    if (ucx->context != NULL) ucp_cleanup(ucx->context);
    nvshmem_free(ucx->cards);
    free(ucx);
}
