/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts UCX: a context, one worker for all of the proxy's work, and the registration of the
 * heap; and stops it.
 */
#include "lib/base/cause.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "proxy/internal.h"

static int failed(const char *what, ucs_status_t status)
{
    ash_log(ASH_LOG_ERROR, "UCX: %s: %s; %s", what, ucs_status_string(status), ash_ucx_settings());
    return ASH_ERROR_UCX;
}

static int start_context(struct ash_proxy *proxy)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME |
                                         UCP_PARAM_FIELD_ESTIMATED_NUM_EPS |
                                         UCP_PARAM_FIELD_ESTIMATED_NUM_PPN,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
                           .estimated_num_eps = proxy->config.n_pes,
                           .estimated_num_ppn = proxy->config.n_local,
                           .name = "anyshmem"};
    ucp_config_t *config;
    ucs_status_t status = ash_ucx_config_read(&config);
    if (status != UCS_OK) return failed("cannot read its configuration", status);
    if (!proxy->config.messages_only)
        params.features |= UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64;
    status = ucp_init(&params, config, &proxy->context);
    ucp_config_release(config);
    return status == UCS_OK ? 0 : failed("cannot start", status);
}

static int start_worker(struct ash_proxy *proxy)
{
    /* One thread at a time calls UCX: the holder of the proxy's lock, and before, lib's thread. */
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(proxy->context, &params, &proxy->worker);
    if (status != UCS_OK) return failed("cannot make a worker", status);
    status = ucp_worker_get_efd(proxy->worker, &proxy->worker_fd);
    if (status != UCS_OK) return failed("cannot wait for events", status);
    status = ucp_worker_get_address(proxy->worker, &proxy->address, &proxy->address_length);
    if (status != UCS_OK) return failed("cannot get its address", status);
    return 0;
}

static int register_heap(struct ash_proxy *proxy)
{
    ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS | UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE,
        .address = proxy->config.heap,
        .length = proxy->config.heap_size,
        /* Do not touch pages of the heap that are not allocated yet. */
        .flags = UCP_MEM_MAP_NONBLOCK,
        .memory_type = UCS_MEMORY_TYPE_HOST};
    ucs_status_t status = ucp_mem_map(proxy->context, &params, &proxy->memory);
    if (status != UCS_OK) return failed("cannot register the symmetric heap", status);
    status = ucp_rkey_pack(proxy->context, proxy->memory, &proxy->rkey, &proxy->rkey_length);
    if (status != UCS_OK) return failed("cannot make a memory key", status);
    return 0;
}

int ash_ucx_start(struct ash_proxy *proxy)
{
    int rc = start_context(proxy);
    if (rc == 0) rc = start_worker(proxy);
    if (rc == 0) rc = ash_messages_listen(proxy);
    if (rc == 0 && !proxy->config.messages_only) rc = register_heap(proxy);
    if (rc == 0 && !proxy->config.messages_only)
        proxy->fetch_bitwise_works = ash_ucx_fetch_bitwise_works(proxy);
    if (rc != 0) ash_ucx_stop(proxy);
    return rc;
}

void ash_ucx_stop(struct ash_proxy *proxy)
{
    if (proxy->rkey != NULL) ucp_rkey_buffer_release(proxy->rkey);
    if (proxy->memory != NULL) ucp_mem_unmap(proxy->context, proxy->memory);
    if (proxy->address != NULL) ucp_worker_release_address(proxy->worker, proxy->address);
    if (proxy->worker != NULL) ucp_worker_destroy(proxy->worker);
    if (proxy->context != NULL) ucp_cleanup(proxy->context);
    proxy->rkey = NULL;
    proxy->memory = NULL;
    proxy->address = NULL;
    proxy->worker = NULL;
    proxy->context = NULL;
}
