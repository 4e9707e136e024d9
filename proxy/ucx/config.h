/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The settings of UCX that anyshmem wants where the user has not set them.
 *
 * UCX chooses the network; shared-memory lanes are left out unless UCX_TLS
 * requests them, because PEs of one node map each other's heaps.  CPUs do
 * atomics (ATOMIC_MODE=cpu), never a NIC, so that they are atomic for all
 * agents that change a word.
 */
#ifndef ASH_PROXY_UCX_CONFIG_H
#define ASH_PROXY_UCX_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

/* The version of UCX at run time: major << 16 | minor << 8 | release. */
uint32_t ash_ucx_version(void);

/* UCX_TCP_RX_SEG_SIZE as UCX has it: bytes that it takes from a TCP connection at a time, which all
 * PEs must agree on, for a sender takes its own for the receiver's.  NULL: there is no TCP. */
const char *ash_ucx_tcp_segment(void);

/* UCX's configuration with this library's settings; the caller releases it. */
ucs_status_t ash_ucx_config_read(ucp_config_t **ret_config);

/* Is the name in a list as UCX_NET_DEVICES and UCX_TLS?  NULL: no list, which has all. */
bool ash_ucx_lists(const char *list, const char *name);

/* The part of a message that says what to check if UCX does not start. */
const char *ash_ucx_settings(void);

#endif
