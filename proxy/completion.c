/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dirty connections of a completion: a list of PEs, and a bit for each PE that tells whether
 * it is in the list.  Both are made when the first connection becomes dirty.
 */
#include <stdlib.h>

#include "lib/base/end.h"
#include "proxy/internal.h"

#define BITS 64u
#define ROOM_FIRST 8u

static void make_bits(const struct ash_proxy *proxy, struct ash_completion *completion)
{
    size_t n_words = (proxy->config.n_pes + BITS - 1) / BITS;
    completion->is_dirty = calloc(n_words, sizeof(*completion->is_dirty));
    if (completion->is_dirty == NULL) ash_fatal("proxy: out of memory for dirty connections");
}

static void add(struct ash_completion *completion, uint32_t pe)
{
    if (completion->n_dirty == completion->room) {
        uint32_t room = completion->room == 0 ? ROOM_FIRST : 2 * completion->room;
        uint32_t *dirty = realloc(completion->dirty, room * sizeof(*dirty));
        if (dirty == NULL) ash_fatal("proxy: out of memory for %u dirty connections", room);
        completion->dirty = dirty;
        completion->room = room;
    }
    completion->dirty[completion->n_dirty++] = pe;
}

void ash_completion_mark(struct ash_proxy *proxy, struct ash_completion *completion, uint32_t pe)
{
    uint64_t bit = UINT64_C(1) << pe % BITS;
    if (dev_unlikely(completion->is_dirty == NULL)) make_bits(proxy, completion);
    if (completion->is_dirty[pe / BITS] & bit) return;
    completion->is_dirty[pe / BITS] |= bit;
    add(completion, pe);
}

struct ash_connection *ash_completion_take(struct ash_proxy *proxy,
                                           struct ash_completion *completion)
{
    uint32_t pe;
    uint64_t *word, bit;
    if (completion->n_dirty == 0) return NULL;
    pe = completion->dirty[--completion->n_dirty];
    word = &completion->is_dirty[pe / BITS];
    bit = UINT64_C(1) << pe % BITS;
    ASH_ASSERT(*word & bit);
    *word &= ~bit;
    return ash_connection_get(proxy, pe);
}

void ash_completion_finish(struct ash_completion *completion)
{
    free(completion->dirty);
    free(completion->is_dirty);
}
