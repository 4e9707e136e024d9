/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-up of the UCX without a network: everything succeeds. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fake_ucx_internal.h"

#define ADDRESS_MAGIC UINT64_C(0x61646472)
#define KEY_MAGIC UINT64_C(0x6b6579)

/* With these UCX answers whoever reaches it, wherever in memory that is. */
#define OPENS_MEMORY (UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64)

/* What an address or a key holds. */
struct blob {
    uint64_t magic, number;
};

ucs_status_t ucp_config_read(const char *prefix, const char *filename, ucp_config_t **config_p)
{
    static char config;
    (void)prefix, (void)filename;
    *config_p = (ucp_config_t *)(void *)&config;
    return UCS_OK;
}

ucs_status_t ucp_config_modify(ucp_config_t *config, const char *name, const char *value)
{
    (void)config, (void)name, (void)value;
    return UCS_OK;
}

void ucp_config_release(ucp_config_t *config) { (void)config; }

ucs_status_t ucp_init_version(unsigned api_major_version, unsigned api_minor_version,
                              const ucp_params_t *params, const ucp_config_t *config,
                              ucp_context_h *context_p)
{
    unsigned i = 0;
    (void)api_major_version, (void)api_minor_version, (void)config;
    while (i < WORKERS && fake_ucx_workers[i].used) i++;
    if (i == WORKERS) return UCS_ERR_NO_MEMORY;
    fake_ucx_workers[i] = (struct worker){
        .used = true, .number = i, .opens_memory = (params->features & OPENS_MEMORY) != 0};
    *context_p = (ucp_context_h)&fake_ucx_workers[i];
    return UCS_OK;
}

bool fake_ucx_opens_memory(ucp_worker_h worker)
{
    return ((const struct worker *)worker)->opens_memory;
}

void ucp_cleanup(ucp_context_h context_p) { ((struct worker *)context_p)->used = false; }

ucs_status_t ucp_worker_create(ucp_context_h context, const ucp_worker_params_t *params,
                               ucp_worker_h *worker_p)
{
    (void)params;
    *worker_p = (ucp_worker_h)context;
    return UCS_OK;
}

void ucp_worker_destroy(ucp_worker_h worker) { (void)worker; }

ucs_status_t ucp_worker_get_efd(ucp_worker_h worker, int *fd)
{
    (void)worker;
    *fd = -1;
    return UCS_OK;
}

ucs_status_t ucp_worker_arm(ucp_worker_h worker)
{
    (void)worker;
    return UCS_OK;
}

static ucs_status_t make_blob(uint64_t magic, const void *handle, void **ret_blob,
                              size_t *ret_length)
{
    struct blob *blob = malloc(sizeof(*blob));
    if (blob == NULL) return UCS_ERR_NO_MEMORY;
    *blob = (struct blob){magic, ((const struct worker *)handle)->number};
    *ret_blob = blob;
    *ret_length = sizeof(*blob);
    return UCS_OK;
}

static struct worker *read_blob(uint64_t magic, const void *bytes)
{
    struct blob blob;
    memcpy(&blob, bytes, sizeof(blob));
    if (blob.magic != magic || blob.number >= WORKERS || !fake_ucx_workers[blob.number].used)
        fuzz_finding("UCX is given an address or a key that it did not make");
    return &fake_ucx_workers[blob.number];
}

ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t **address_p,
                                    size_t *address_length_p)
{
    return make_blob(ADDRESS_MAGIC, worker, (void **)address_p, address_length_p);
}

void ucp_worker_release_address(ucp_worker_h worker, ucp_address_t *address)
{
    (void)worker;
    free(address);
}

ucs_status_t ucp_worker_set_am_recv_handler(ucp_worker_h worker,
                                            const ucp_am_handler_param_t *param)
{
    ((struct worker *)worker)->handler = param->cb;
    ((struct worker *)worker)->arg = param->arg;
    return UCS_OK;
}

ucs_status_t ucp_mem_map(ucp_context_h context, const ucp_mem_map_params_t *params,
                         ucp_mem_h *memh_p)
{
    struct worker *worker = (struct worker *)context;
    worker->memory = (uintptr_t)params->address;
    worker->length = params->length;
    *memh_p = (ucp_mem_h)context;
    return UCS_OK;
}

ucs_status_t ucp_mem_unmap(ucp_context_h context, ucp_mem_h memh)
{
    (void)context, (void)memh;
    return UCS_OK;
}

ucs_status_t ucp_rkey_pack(ucp_context_h context, ucp_mem_h memh, void **rkey_buffer_p,
                           size_t *size_p)
{
    (void)memh;
    return make_blob(KEY_MAGIC, context, rkey_buffer_p, size_p);
}

void ucp_rkey_buffer_release(void *rkey_buffer) { free(rkey_buffer); }

ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *ep_p)
{
    struct ep *ep = malloc(sizeof(*ep));
    if (ep == NULL) return UCS_ERR_NO_MEMORY;
    *ep = (struct ep){(struct worker *)worker, read_blob(ADDRESS_MAGIC, params->address)};
    *ep_p = (ucp_ep_h)ep;
    return UCS_OK;
}

bool fake_ucx_is_tcp;

void ucp_ep_print_info(ucp_ep_h ep, FILE *stream)
{
    (void)ep;
    fprintf(stream, "#     lane[0]:  1:%s md[1]\n", fake_ucx_is_tcp ? "tcp/lo.0" : "self/memory.0");
}

ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    (void)param;
    free(ep);
    return NULL;
}

ucs_status_t ucp_ep_rkey_unpack(ucp_ep_h ep, const void *rkey_buffer, ucp_rkey_h *rkey_p)
{
    (void)ep;
    *rkey_p = (ucp_rkey_h)read_blob(KEY_MAGIC, rkey_buffer);
    return UCS_OK;
}

void ucp_rkey_destroy(ucp_rkey_h rkey) { (void)rkey; }

void ucp_get_version(unsigned *major_version, unsigned *minor_version, unsigned *release_number)
{
    *major_version = 1;
    *minor_version = 13;
    *release_number = 0;
}
