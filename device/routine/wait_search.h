/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search of a set of variables for those that meet a comparison.
 *
 * It finds the next chunk of the set in which an element does.  A pass over the set
 * costs no more than reading it: the target compares vectors (target/host_vector.h),
 * and only in a chunk with a hit are the elements compared one by one.
 */
#ifndef ASH_DEVICE_ROUTINE_WAIT_SEARCH_H
#define ASH_DEVICE_ROUTINE_WAIT_SEARCH_H

#include "device/routine/wait.h"
#include "device/target/bits.h"

/* Elements of a chunk that are compared one by one: the bits of a word. */
#define ASH_CHUNK 64u
/* The limit to which chunks grow while there are no hits: the fixed cost of a small chunk is as
 * much as that of its vectors. */
#define ASH_CHUNK_MOST 1024u
/* Up to this many elements at the end of a set are compared one by one. */
#define ASH_CHUNK_SMALL 16u

struct ash_wait_set {
    /* The routine, for messages. */
    const char *function;
    const unsigned char *ivars;
    size_t nelems;
    /* nelems entries, not 0 for an element that is left out; NULL: none is. */
    const int *status;
    struct ash_kind kind;
    int cmp;
    /* The values to compare with: one for each element if many_values, else one for all. */
    const unsigned char *values;
    bool many_values;
};

/* Elements first .. first + n - 1; bit i of hits is set if element first + i meets the
 * comparison. */
struct ash_chunk {
    size_t first, n;
    uint64_t hits;
};

/* Of an empty set only the comparison is checked. */
DEV void ash_check_wait_set(const struct ash_wait_set *set)
{
    ash_check_cmp(set->function, set->cmp);
    if (set->nelems == 0) return;
    ash_check_local_variable(set->function, "ivars", set->ivars, set->kind.width);
    ash_check_local(set->function, "cmp_values", set->values);
    if (dev_unlikely(set->nelems > SIZE_MAX / 8))
        ash_raise(ASH_FAULT_SIZE, set->function, "nelems", set->nelems, set->kind.width);
}

DEV void ash_check_wait_some(const struct ash_wait_set *set, const size_t *indices)
{
    ash_check_wait_set(set);
    if (set->nelems > 0) ash_check_local(set->function, "indices", indices);
}

/* Reads the status anew each time: it may change during a wait. */
DEV bool ash_set_includes(const struct ash_wait_set *set, size_t i)
{
    return set->status == NULL || dev_load_status(&set->status[i]) == 0;
}

/* The values are the caller's own, which do not change during a wait. */
DEV uint64_t ash_set_value(const struct ash_wait_set *set, struct ash_kind kind, size_t i)
{
    const unsigned char *value = set->values + (set->many_values ? i * kind.width : 0);
    return ash_kind_extend(kind, ash_bits_load(value, kind.width));
}

/* Registers a long wait for a set, with element i as an example of those it waits for. */
DEV_COLD uint32_t ash_wait_register_set(enum ash_wait_kind kind, const struct ash_wait_set *set,
                               size_t i)
{
    struct ash_wait_info info = ash_wait_info_of(kind, set->function);
    info.address = (uint64_t)(uintptr_t)set->ivars;
    info.count = set->nelems;
    info.index = i;
    info.width = (uint8_t)set->kind.width;
    info.is_signed = set->kind.is_signed;
    info.cmp = (uint8_t)set->cmp;
    info.value = ash_set_value(set, set->kind, i);
    info.values = set->many_values ? (uint64_t)(uintptr_t)set->values : 0;
    return dev_wait_register(&info);
}

/* True if element i is in the set and does not meet the comparison. */
DEV bool ash_set_lacks(const struct ash_wait_set *set, size_t i)
{
    struct ash_kind kind = set->kind;
    uint64_t now;
    if (!ash_set_includes(set, i)) return false;
    now = ash_kind_load(kind, set->ivars + i * kind.width);
    return !ash_compare(kind, now, set->cmp, ash_set_value(set, kind, i));
}

DEV uint64_t ash_chunk_included(const struct ash_wait_set *set, const struct ash_chunk *chunk)
{
    uint64_t bits = 0;
    unsigned i;
    if (set->status == NULL) return chunk->n < 64 ? (UINT64_C(1) << chunk->n) - 1 : UINT64_MAX;
    for (i = 0; i < chunk->n; i++)
        bits |= (uint64_t)ash_set_includes(set, chunk->first + i) << i;
    return bits;
}

/* Compares one by one; kind and cmp are constants.  No branch depends on a value. */
DEV uint64_t ash_chunk_hits(const struct ash_wait_set *set, const struct ash_chunk *chunk,
                            struct ash_kind kind, int cmp, bool negate)
{
    const unsigned char *p = set->ivars + chunk->first * kind.width;
    uint64_t bits = 0;
    unsigned i;
    for (i = 0; i < chunk->n; i++) {
        uint64_t value = ash_set_value(set, kind, chunk->first + i);
        bits |= (uint64_t)ash_compare(kind, ash_kind_load(kind, p + i * kind.width), cmp, value)
                << i;
    }
    return (negate ? ~bits : bits) & ash_chunk_included(set, chunk);
}

/* Go to the chunk after this one; true if it consists of whole, aligned vectors. */
DEV bool ash_chunk_advance(const struct ash_wait_set *set, unsigned width, size_t end, size_t most,
                           struct ash_chunk *chunk)
{
    size_t left, lanes = DEV_VECTOR / width, behind;
    chunk->first += chunk->n;
    left = end - chunk->first;
    chunk->n = left;
    if (left <= ASH_CHUNK_SMALL) return false;
    behind = ((uintptr_t)set->ivars / width + chunk->first) % lanes;
    chunk->n = left < most ? left - left % lanes : most;
    if (behind == 0) return true;
    chunk->n = lanes - behind;
    return false;
}

/*
 * Finds the next chunk before `end` with a hit.  cmp is NVSHMEM's number of the comparison
 * before negation.  It is a constant, and so are all members of `comparison` but `negate`.
 */
DEV bool ash_set_next_as(const struct ash_wait_set *set, const struct dev_comparison *comparison,
                         int cmp, size_t end, struct ash_chunk *chunk)
{
    struct ash_kind kind = {comparison->width, comparison->is_signed};
    size_t most = ASH_CHUNK;
    while (chunk->first + chunk->n < end) {
        bool whole = ash_chunk_advance(set, kind.width, end, most, chunk);
        size_t first = chunk->first;
        if (whole && dev_none_meets(set->ivars + first * kind.width,
                                    set->values + (set->many_values ? first * kind.width : 0),
                                    set->many_values, set->status ? set->status + first : NULL,
                                    chunk->n, comparison)) {
            if (most < ASH_CHUNK_MOST) most *= 2;
            continue;
        }
        most = ASH_CHUNK;
        if (chunk->n > ASH_CHUNK) {
            chunk->n = 0; /* again from its beginning, in chunks of ASH_CHUNK */
            continue;
        }
        chunk->hits = ash_chunk_hits(set, chunk, kind, cmp, comparison->negate);
        if (chunk->hits != 0) return true;
    }
    return false;
}

/* NVSHMEM's numbers of a comparison and its opposite differ in bit 0, so three are enough. */
DEV bool ash_set_next_kind(const struct ash_wait_set *set, struct ash_kind kind, int cmp,
                           size_t end, struct ash_chunk *chunk)
{
    struct dev_comparison comparison = {kind.width, kind.is_signed, (cmp & 1) != 0, DEV_LESS};
    switch (cmp & ~1) {
    case NVSHMEM_CMP_EQ:
        comparison.relation = DEV_EQUAL;
        return ash_set_next_as(set, &comparison, NVSHMEM_CMP_EQ, end, chunk);
    case NVSHMEM_CMP_GT:
        comparison.relation = DEV_GREATER;
        return ash_set_next_as(set, &comparison, NVSHMEM_CMP_GT, end, chunk);
    default: return ash_set_next_as(set, &comparison, NVSHMEM_CMP_LT, end, chunk);
    }
}

/* The search, from the end of the chunk to `end`, exclusive. */
DEV_NOINLINE bool ash_set_next(const struct ash_wait_set *set, int cmp, size_t end,
                               struct ash_chunk *chunk)
{
    bool is_signed = set->kind.is_signed;
    switch (set->kind.width) {
    case 2:
        return is_signed ? ash_set_next_kind(set, ash_kind_of(2, true), cmp, end, chunk)
                         : ash_set_next_kind(set, ash_kind_of(2, false), cmp, end, chunk);
    case 4:
        return is_signed ? ash_set_next_kind(set, ash_kind_of(4, true), cmp, end, chunk)
                         : ash_set_next_kind(set, ash_kind_of(4, false), cmp, end, chunk);
    default:
        return is_signed ? ash_set_next_kind(set, ash_kind_of(8, true), cmp, end, chunk)
                         : ash_set_next_kind(set, ash_kind_of(8, false), cmp, end, chunk);
    }
}

/* The search from element `first` on; *ret_index is the first hit. */
DEV bool ash_set_find(const struct ash_wait_set *set, int cmp, size_t first, size_t end,
                      size_t *ret_index)
{
    struct ash_chunk chunk = {first, 0, 0};
    if (!ash_set_next(set, cmp, end, &chunk)) return false;
    *ret_index = chunk.first + dev_lowest_bit(chunk.hits);
    return true;
}

/* An element of the set: `i` if it is one, else the first; nelems if all are left out. */
DEV size_t ash_set_member(const struct ash_wait_set *set, size_t i)
{
    if (i < set->nelems && ash_set_includes(set, i)) return i;
    for (i = 0; i < set->nelems && !ash_set_includes(set, i); i++) continue;
    return i;
}

#endif
