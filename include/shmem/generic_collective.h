/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM, C11: the names of collectives without a type.
 *
 * Each is a macro that selects the routine for the type that dest points to
 * (shmem/collective.h); with any other type the program does not compile.  Why the types are
 * repeated here: shmem/generic.h.
 */
#ifndef SHMEM_GENERIC_COLLECTIVE_H
#define SHMEM_GENERIC_COLLECTIVE_H

#include <shmem/active_set.h>
#include <shmem/collective.h>
#include <shmem/generic.h>

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* The routine for the type that dest points to: 16 types of sums, and 9 of bits. */
#define ASH_SHMEM_SUM_(dest, ROUTINE) \
    _Generic(*(dest), \
        ASH_SHMEM_SYNC_ROWS_(shmem, ROUTINE), \
        ASH_SHMEM_FLOAT_ROWS_(shmem, ROUTINE), \
        long double: shmem_longdouble_##ROUTINE, \
        char: shmem_char_##ROUTINE, \
        signed char: shmem_schar_##ROUTINE, \
        unsigned char: shmem_uchar_##ROUTINE, \
        float _Complex: shmem_complexf_##ROUTINE, \
        double _Complex: shmem_complexd_##ROUTINE)
#define ASH_SHMEM_REDUCE_BITWISE_(dest, ROUTINE) \
    _Generic(*(dest), \
        ASH_SHMEM_UNSIGNED_ROWS_(shmem, ROUTINE), \
        unsigned char: shmem_uchar_##ROUTINE, \
        unsigned short: shmem_ushort_##ROUTINE, \
        int8_t: shmem_int8_##ROUTINE, \
        int16_t: shmem_int16_##ROUTINE, \
        int32_t: shmem_int32_##ROUTINE, \
        int64_t: shmem_int64_##ROUTINE, \
        long long: ash_shmem_longlong_##ROUTINE)

/* long long is none of the standard's types of bits; programs of others' suites have it. */
#define ASH_DECLARE(ROUTINE) \
    static inline int ash_shmem_longlong_##ROUTINE(shmem_team_t team, long long *dest, \
                                                   const long long *source, size_t nreduce) \
    { \
        return shmem_int64_##ROUTINE(team, (int64_t *)(void *)dest, \
                                     (const int64_t *)(const void *)source, nreduce); \
    }
ASH_DECLARE(and_reduce)
ASH_DECLARE(or_reduce)
ASH_DECLARE(xor_reduce)
#undef ASH_DECLARE

/* Exchanges: 14 types. */
#define shmem_broadcast(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, broadcast)(team, dest, __VA_ARGS__)
#define shmem_collect(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, collect)(team, dest, __VA_ARGS__)
#define shmem_fcollect(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, fcollect)(team, dest, __VA_ARGS__)
#define shmem_alltoall(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, alltoall)(team, dest, __VA_ARGS__)
#define shmem_alltoalls(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, alltoalls)(team, dest, __VA_ARGS__)

/* Reductions and scans. */
#define shmem_sum_reduce(team, dest, ...) \
    ASH_SHMEM_SUM_(dest, sum_reduce)(team, dest, __VA_ARGS__)
#define shmem_prod_reduce(team, dest, ...) \
    ASH_SHMEM_SUM_(dest, prod_reduce)(team, dest, __VA_ARGS__)
#define shmem_min_reduce(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, min_reduce)(team, dest, __VA_ARGS__)
#define shmem_max_reduce(team, dest, ...) \
    ASH_SHMEM_RMA_(shmem, dest, max_reduce)(team, dest, __VA_ARGS__)
#define shmem_and_reduce(team, dest, ...) \
    ASH_SHMEM_REDUCE_BITWISE_(dest, and_reduce)(team, dest, __VA_ARGS__)
#define shmem_or_reduce(team, dest, ...) \
    ASH_SHMEM_REDUCE_BITWISE_(dest, or_reduce)(team, dest, __VA_ARGS__)
#define shmem_xor_reduce(team, dest, ...) \
    ASH_SHMEM_REDUCE_BITWISE_(dest, xor_reduce)(team, dest, __VA_ARGS__)
#define shmem_sum_inscan(team, dest, ...) \
    ASH_SHMEM_SUM_(dest, sum_inscan)(team, dest, __VA_ARGS__)
#define shmem_sum_exscan(team, dest, ...) \
    ASH_SHMEM_SUM_(dest, sum_exscan)(team, dest, __VA_ARGS__)

/* shmem_sync of a team, and of an active set, by the number of arguments. */
#define ASH_SHMEM_FIFTH_(a, b, c, d, fifth, ...) fifth
#define shmem_sync(...) \
    ASH_SHMEM_FIFTH_(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_team_sync, 0) \
    (__VA_ARGS__)

#endif

#endif
