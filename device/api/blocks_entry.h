/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms of ibput and ibget, which copy blocks of elements, for the families that have them (see
 * entry.h).
 */
#ifndef ASH_DEVICE_API_BLOCKS_ENTRY_H
#define ASH_DEVICE_API_BLOCKS_ENTRY_H

#include "device/api/entry.h"
#include "device/routine/blocks.h"

/* ibput and ibget.  VERB is ibput or ibget. */
#define ASH_ENTRY_BLOCKS(FORM, FUNCTION, TYPE, BYTES, VERB) \
    NVSHMEM_ROUTINE void FUNCTION(ASH_FIRST_##FORM TYPE *dest, const TYPE *source, ptrdiff_t dst, \
                                  ptrdiff_t sst, size_t bsize, size_t nblocks, \
                                  int pe ASH_LAST_##FORM) \
    { \
        struct ash_blocks copy = { \
            dest, source, dst, sst, bsize, nblocks, BYTES, ASH_PE_##FORM(#FUNCTION)}; \
        ash_##VERB(#FUNCTION, copy); \
    }

#define ASH_ENTRIES_BLOCKS(FORM, PREFIX, NAME, TYPE) \
    ASH_ENTRY_BLOCKS(FORM, PREFIX##_##NAME##_ibput, TYPE, sizeof(TYPE), ibput) \
    ASH_ENTRY_BLOCKS(FORM, PREFIX##_##NAME##_ibget, TYPE, sizeof(TYPE), ibget)
#define ASH_ENTRIES_BLOCKS_UNTYPED(FORM, PREFIX, SIZE) \
    ASH_ENTRY_BLOCKS(FORM, PREFIX##_ibput##SIZE, void, SIZE / 8, ibput) \
    ASH_ENTRY_BLOCKS(FORM, PREFIX##_ibget##SIZE, void, SIZE / 8, ibget)

#endif
