/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PE of the job would be told of a proxy of this process, for its lookup. */
#ifndef TESTS_UNIT_PEER_INFO_H
#define TESTS_UNIT_PEER_INFO_H

#include <stddef.h>
#include <stdint.h>

#include "lib/memory/memory.h"
#include "proxy/internal.h"

static inline int peer_info_of(struct ash_proxy *proxy, const struct ash_memory *memory,
                               struct ash_peer_info *ret_info)
{
    struct ash_proxy_address address;
    ash_proxy_address(proxy, &address);
    ret_info->heap = (uintptr_t)memory->base;
    ret_info->address = address.address;
    ret_info->rkey = address.rkey;
    ret_info->storage = NULL;
    return 0;
}

#endif
