/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing many variables at once, with the vectors of gcc and clang.
 *
 * Other PEs write the variables meanwhile.  So each vector is loaded once, by a
 * volatile access that no compiler repeats, splits or drops, from an address
 * that is a multiple of the vector.  On x86-64 and on AArch64 such a load is
 * made of accesses of 8 bytes or more that are single-copy atomic, and no variable of
 * 2, 4 or 8 bytes lies in two of them: each lane has a value that its variable
 * had, as if it was loaded alone, relaxed.  On other machines, and with
 * ThreadSanitizer, which does not know this, host.h compares nothing at once.
 *
 * The result of a comparison is the top bit of a lane; the other bits are
 * anything.  SSE2 has no comparison of 64 bits; subtraction and shifts replace it, so
 * that any x86-64 CPU will do.
 */
#ifndef ASH_DEVICE_TARGET_HOST_VECTOR_H
#define ASH_DEVICE_TARGET_HOST_VECTOR_H

typedef uint64_t dev_vector __attribute__((vector_size(16), may_alias));
typedef uint64_t dev_vector_anywhere __attribute__((vector_size(16), may_alias, aligned(1)));
typedef int16_t dev_lanes2 __attribute__((vector_size(16), may_alias));
typedef int32_t dev_lanes4 __attribute__((vector_size(16), may_alias));
typedef int64_t dev_lanes8 __attribute__((vector_size(16), may_alias));
typedef int32_t dev_four_ints __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint64_t dev_two_ints __attribute__((may_alias, aligned(4)));

/* The lanes 0, 2, ... of a, then those of b; and lanes 0 and 1 of a, each twice. */
#if defined(__clang__)
#define dev_even_lanes2(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define dev_twice_lanes4(a) __builtin_shufflevector(a, a, 0, 0, 1, 1)
#else
#define dev_even_lanes2(a, b) __builtin_shuffle(a, b, (dev_lanes2){0, 2, 4, 6, 8, 10, 12, 14})
#define dev_twice_lanes4(a) __builtin_shuffle(a, (dev_lanes4){0, 0, 1, 1})
#endif

/* The low `width` bytes of a value in each lane. */
DEV dev_vector dev_vector_splat(uint64_t value, unsigned width)
{
    if (width == 2) value = (value & 0xffff) * UINT64_C(0x0001000100010001);
    if (width == 4) value = (value & 0xffffffff) * UINT64_C(0x0000000100000001);
    return (dev_vector){value, value};
}

DEV dev_vector dev_vector_equal(dev_vector a, dev_vector b, unsigned width)
{
    dev_vector halves;
    switch (width) {
    case 2: return (dev_vector)((dev_lanes2)a == (dev_lanes2)b);
    case 4: return (dev_vector)((dev_lanes4)a == (dev_lanes4)b);
    default:
#if defined(__SSE2__) && !defined(__SSE4_1__)
        halves = (dev_vector)((dev_lanes4)a == (dev_lanes4)b);
        return halves & halves << 32;
#else
        (void)halves;
        return (dev_vector)((dev_lanes8)a == (dev_lanes8)b);
#endif
    }
}

/* a < b */
DEV dev_vector dev_vector_less(dev_vector a, dev_vector b, unsigned width, bool is_signed)
{
    /* Unsigned numbers compare as signed ones whose top bit is flipped. */
    const dev_vector bias = dev_vector_splat(is_signed ? 0 : UINT64_C(1) << (8 * width - 1), width);
    switch (width) {
    case 2: return (dev_vector)((dev_lanes2)(a ^ bias) < (dev_lanes2)(b ^ bias));
    case 4: return (dev_vector)((dev_lanes4)(a ^ bias) < (dev_lanes4)(b ^ bias));
    default:
#if defined(__SSE2__) && !defined(__SSE4_2__)
        /* If the top bits differ, they decide; else a - b is negative, and cannot overflow. */
        return (is_signed ? a & ~b : b & ~a) | (~(a ^ b) & (a - b));
#else
        return (dev_vector)((dev_lanes8)(a ^ bias) < (dev_lanes8)(b ^ bias));
#endif
    }
}

/* Which of the next 16 / width status words are 0. */
DEV dev_vector dev_vector_included(const int *status, unsigned width)
{
    const volatile dev_four_ints *ints = (const volatile dev_four_ints *)status;
    dev_lanes4 two;
    switch (width) {
    case 2: return (dev_vector)dev_even_lanes2((dev_lanes2)(ints[0] == 0),
                                               (dev_lanes2)(ints[1] == 0));
    case 4: return (dev_vector)(ints[0] == 0);
    default:
        two = (dev_lanes4)(dev_vector){*(const volatile dev_two_ints *)status, 0};
        return (dev_vector)dev_twice_lanes4(two == 0);
    }
}

/* A search: what is compared with what.  All but pointers, `one` and `flip` are constants. */
struct dev_search {
    const unsigned char *variables, *values;
    const int *status;
    dev_vector one, flip;
    unsigned width;
    enum dev_relation relation;
    bool is_signed, many, masked;
};

/* Which variables meet the comparison, of the vector of them that begins with number i. */
DEV dev_vector dev_search_vector(const struct dev_search *s, size_t i)
{
    size_t at = i * s->width;
    dev_vector a = *(const volatile dev_vector *)(const void *)(s->variables + at), b = s->one, now;
    if (s->many) b = *(const dev_vector_anywhere *)(const void *)(s->values + at);
    if (s->relation == DEV_EQUAL)
        now = dev_vector_equal(a, b, s->width);
    else if (s->relation == DEV_LESS)
        now = dev_vector_less(a, b, s->width, s->is_signed);
    else
        now = dev_vector_less(b, a, s->width, s->is_signed);
    now ^= s->flip;
    if (s->masked) now &= dev_vector_included(s->status + i, s->width);
    return now;
}

DEV bool dev_search_fails(const struct dev_search *s, size_t n)
{
    const dev_vector top = dev_vector_splat(UINT64_C(1) << (8 * s->width - 1), s->width);
    const size_t lanes = sizeof(top) / s->width;
    dev_vector met = {0, 0};
    size_t i = 0;
    /* Most sets are many vectors: four at a time take a quarter of the index instructions. */
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        met |= dev_search_vector(s, i) | dev_search_vector(s, i + lanes);
        met |= dev_search_vector(s, i + 2 * lanes) | dev_search_vector(s, i + 3 * lanes);
    }
    for (; i < n; i += lanes) met |= dev_search_vector(s, i);
    met &= top;
    return (met[0] | met[1]) == 0;
}

/* See target.h.  In each call all members of the comparison but `negate` are constants. */
DEV bool dev_none_meets(const void *variables, const void *values, bool many, const int *status,
                        size_t n, const struct dev_comparison *comparison)
{
    unsigned width = comparison->width;
    struct dev_search s;
    s.variables = (const unsigned char *)variables;
    s.values = (const unsigned char *)values;
    s.status = status;
    s.one = dev_vector_splat(dev_load_relaxed(values, width), width);
    s.flip = dev_vector_splat(comparison->negate ? UINT64_MAX : 0, width);
    s.width = width;
    s.relation = comparison->relation;
    s.is_signed = comparison->is_signed;
    /* Four loops, in each of which these two are constants. */
    s.many = s.masked = true;
    if (many && status != NULL) return dev_search_fails(&s, n);
    s.many = false;
    if (status != NULL) return dev_search_fails(&s, n);
    s.masked = false;
    if (!many) return dev_search_fails(&s, n);
    s.many = true;
    return dev_search_fails(&s, n);
}

#endif
