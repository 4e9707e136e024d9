/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UCX of one process, without a network: its workers are PEs of this process.
 *
 * The functions are UCX's own, defined once more, so that the linker takes these.
 * Operations complete at once or some turns of progress later, in any order that
 * UCX allows, as a seed says.  What no UCX would do well is a finding: an address
 * outside of the memory that was registered, a key of another PE, a set or swap
 * without a reply.
 */
#ifndef ASH_TESTS_FUZZ_FAKE_UCX_H
#define ASH_TESTS_FUZZ_FAKE_UCX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

/* Which operations are late from now on; 0: none is. */
void fake_ucx_seed(uint64_t seed);

/* Forget all that is under way, of all workers. */
void fake_ucx_forget(void);

/* Is anything under way? */
bool fake_ucx_busy(void);

/* A worker's number, counted from 0 as they were made; it is free again when it is destroyed. */
unsigned fake_ucx_number(ucp_worker_h worker);

/* Was UCX asked for puts, gets or atomics, so that it writes where a message says? */
bool fake_ucx_opens_memory(ucp_worker_h worker);

/* What carries a connection, as UCX tells. */
extern bool fake_ucx_is_tcp;

/* Sees each message before it goes on its way; false: it does not.  NULL: nobody looks. */
extern bool (*fake_ucx_wire)(unsigned from, unsigned to, const void *header,
                             size_t header_length, const void *data, size_t nbytes);

/* A message comes to this worker, now: its handler has returned when this does. */
void fake_ucx_deliver(unsigned to, const void *header, size_t header_length, const void *data,
                      size_t nbytes, bool rendezvous);

#endif
