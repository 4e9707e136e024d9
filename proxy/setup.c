/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX: context, worker, the heap's registration, and their end.
 *
 * UCX chooses the network; shared-memory lanes are left out unless UCX_TLS
 * asks for them, because PEs of one node map each other's heaps.  Atomics are
 * done by CPUs (ATOMIC_MODE=cpu), never by a NIC, so that all agents that
 * change a word agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/error.h"
#include "lib/log.h"
#include "proxy/internal.h"

#define UCX_1_14 0x010e00u
#define UCX_1_16 0x011000u

void ash_ucx_failed(struct ash_proxy *proxy, const struct ash_xfer *xfer, ucs_status_t status)
{
    const struct ash_target *target = xfer->target;
    struct ash_cause cause;
    ash_heartbeat_cause(&cause, target->pe, target->pid, target->host, ash_op_name(xfer->op),
                        status);
    ash_proxy_lost(proxy, &cause);
}

const char *ash_ucx_settings(void)
{
    static char text[256];
    const char *tls = getenv("UCX_TLS"), *devices = getenv("UCX_NET_DEVICES");
    if (tls == NULL && devices == NULL)
        return "is a network up (ip link), and the limit of open files high enough (ulimit -n)?";
    snprintf(text, sizeof(text), "%s%s%s%s%s may leave no transport that serves: unset %s",
             tls != NULL ? "UCX_TLS=" : "", tls != NULL ? tls : "",
             tls != NULL && devices != NULL ? " and " : "",
             devices != NULL ? "UCX_NET_DEVICES=" : "", devices != NULL ? devices : "",
             tls != NULL && devices != NULL ? "them" : "it");
    return text;
}

static int failed(const char *what, ucs_status_t status)
{
    ash_log(ASH_LOG_ERROR, "UCX: %s: %s; %s", what, ucs_status_string(status), ash_ucx_settings());
    return ASH_ERROR_UCX;
}

/* Ours unless the user set UCX_NAME; a UCX that does not know NAME is fine. */
static void configure(ucp_config_t *config, const char *variable, const char *name,
                      const char *value)
{
    if (getenv(variable) == NULL) (void)ucp_config_modify(config, name, value);
}

uint32_t ash_ucx_version(void)
{
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    return major << 16 | minor << 8 | release;
}

/*
 * UCX's shared-memory lanes are left out, but where it would have no other:
 * without /sys (a bare chroot) it finds no network interface.  With TCP small
 * puts shall complete at once (a UCX without TCP would warn about the name).
 */
static void choose_transports(ucp_config_t *config)
{
    uint32_t version = ash_ucx_version();
    if (getenv("UCX_TLS") != NULL) return;
    if (access("/sys/class/net", X_OK) != 0) {
        ash_log(ASH_LOG_INFO, "no /sys/class/net: UCX finds no network, only shared memory");
        return;
    }
    configure(config, "UCX_TLS", "TLS", "^sm");
    /* Or TCP gives up an idle connection after 16 s, whatever ANYSHMEM_PEER_TIMEOUT says. */
    if (version < UCX_1_14) configure(config, "UCX_TCP_KEEPIDLE", "KEEPIDLE", "inf");
    if (version < UCX_1_16) return;
    configure(config, "UCX_TCP_KEEPIDLE", "TCP_KEEPIDLE", "inf");
    configure(config, "UCX_TCP_PUT_ENABLE", "TCP_PUT_ENABLE", "n");
}

static int read_config(ucp_config_t **ret_config)
{
    ucs_status_t status = ucp_config_read(NULL, NULL, ret_config);
    if (status != UCS_OK) return failed("cannot read its configuration", status);
    choose_transports(*ret_config);
    configure(*ret_config, "UCX_ATOMIC_MODE", "ATOMIC_MODE", "cpu");
    return 0;
}

static int start_context(struct ash_proxy *proxy)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES |
                                         UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
                           .estimated_num_eps = proxy->config.n_pes,
                           .name = "anyshmem"};
    ucp_config_t *config;
    ucs_status_t status;
    int rc = read_config(&config);
    if (rc != 0) return rc;
    if (!proxy->config.messages_only)
        params.features |= UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64;
    status = ucp_init(&params, config, &proxy->context);
    ucp_config_release(config);
    return status == UCS_OK ? 0 : failed("cannot start", status);
}

static int start_worker(struct ash_proxy *proxy)
{
    /* Only the proxy thread calls UCX, and before it starts only lib/. */
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(proxy->context, &params, &proxy->worker);
    if (status != UCS_OK) return failed("cannot make a worker", status);
    status = ucp_worker_get_efd(proxy->worker, &proxy->worker_fd);
    if (status != UCS_OK) return failed("cannot wait for events", status);
    status = ucp_worker_get_address(proxy->worker, &proxy->address, &proxy->address_length);
    if (status != UCS_OK) return failed("cannot tell its address", status);
    return 0;
}

static int register_heap(struct ash_proxy *proxy)
{
    ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS | UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE,
        .address = proxy->config.heap,
        .length = proxy->config.heap_size,
        /* Do not touch pages that no one has allocated. */
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
