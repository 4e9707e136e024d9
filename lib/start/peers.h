/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heaps that this PE has mapped: its own and those of the PEs of its node.
 */
#ifndef ASH_LIB_START_PEERS_H
#define ASH_LIB_START_PEERS_H

#include <stdbool.h>

#include "lib/bootstrap/bootstrap.h"
#include "lib/memory/memory.h"

/*
 * Map the heaps that ANYSHMEM_DISABLE_DIRECT allows.  A peer whose heap cannot be mapped is an
 * error, unless `remote` is set: then the proxy reaches it.
 */
int ash_peers_map(const struct ash_bootstrap *bootstrap, const struct ash_memory *own, bool remote);

/* One address, or NULL, for each PE of the job. */
unsigned char *const *ash_peers_table(void);

void ash_peers_unmap(void);

#endif
