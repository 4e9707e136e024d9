/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strided copy to or from the next PE, and what it must leave: the same copy, done byte by byte
 * on copies of the memory.  A program defines ROOM, the bytes of each side, before it includes
 * this.
 */
#ifndef TESTS_SUPPORT_STRIDED_H
#define TESTS_SUPPORT_STRIDED_H

#include <nvshmem.h>
#include <stdbool.h>
#include <string.h>

#include "tests/support/family.h"
#include "tests/support/pe.h"

#define BYTE_BEFORE 0x5a

/* The same numbers on all PEs: nblocks blocks of bsize elements of `size` bytes.  first: bytes to
 * the first block.  Strides are in elements. */
struct strided_copy {
    size_t size, bsize, nblocks, to_first, from_first;
    ptrdiff_t dst, sst;
    bool put;
    int to;
    unsigned char *dest, *source;
};

static void strided_begin(const struct strided_copy *s)
{
    memset(s->dest, BYTE_BEFORE, ROOM);
    pe_fill(s->source, ROOM, (uint64_t)pe_me);
    FAMILY_BARRIER_ALL();
}

/* What the PE `from` copies. */
static void strided_check(const struct strided_copy *s, int from)
{
    static unsigned char source[ROOM], want[ROOM];
    pe_fill(source, ROOM, (uint64_t)from);
    memset(want, BYTE_BEFORE, ROOM);
    for (size_t i = 0; i < s->nblocks; i++)
        for (size_t byte = 0; byte < s->bsize * s->size; byte++) {
            ptrdiff_t at = (ptrdiff_t)(i * s->size);
            want[(size_t)((ptrdiff_t)(s->to_first + byte) + s->dst * at)] =
                source[(size_t)((ptrdiff_t)(s->from_first + byte) + s->sst * at)];
        }
    PE_EQUAL(memcmp(s->dest, want, ROOM), 0);
}

/* The call has returned: a put has read its source; a get has its data, without a quiet. */
static void strided_end(const struct strided_copy *s)
{
    if (s->put)
        memset(s->source, 1, ROOM);
    else
        strided_check(s, s->to);
    FAMILY_BARRIER_ALL();
    if (s->put) strided_check(s, (pe_me + pe_n - 1) % pe_n);
    FAMILY_BARRIER_ALL();
}

#endif
