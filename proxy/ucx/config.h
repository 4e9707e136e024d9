/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What anyshmem asks of UCX, beside what the user does.
 *
 * UCX chooses the network; shared-memory lanes are left out unless UCX_TLS
 * asks for them, because PEs of one node map each other's heaps.  Atomics are
 * done by CPUs (ATOMIC_MODE=cpu), never by a NIC, so that all agents that
 * change a word agree.
 */
#ifndef ASH_PROXY_UCX_CONFIG_H
#define ASH_PROXY_UCX_CONFIG_H

#include <stdint.h>
#include <ucp/api/ucp.h>

/* UCX's at run time: major << 16 | minor << 8 | release. */
uint32_t ash_ucx_version(void);

/* UCX's configuration with what this library wants; to be released. */
ucs_status_t ash_ucx_config_read(ucp_config_t **ret_config);

/* The part of a message that says what to do about a UCX that does not start. */
const char *ash_ucx_settings(void);

#endif
