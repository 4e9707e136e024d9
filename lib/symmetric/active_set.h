/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ASH_LIB_SYMMETRIC_ACTIVE_SET_H
#define ASH_LIB_SYMMETRIC_ACTIVE_SET_H

#include <stdbool.h>
#include <stdint.h>

/* offset: of the words of active sets in every heap, all zero.  one_node: all PEs of the job are on
 * this node.  0, or an ASH_ERROR that was logged. */
int ash_active_sets_start(uint64_t offset, uint32_t n_pes, bool one_node);

void ash_active_sets_stop(void);

#endif
