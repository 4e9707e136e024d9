/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's atomic functions.  All threads run on the CPU, so a scope (_block, _system) is no
 * weaker order here.
 */
#ifndef ANYSHMEM_CUDA_ATOMICS_H
#define ANYSHMEM_CUDA_ATOMICS_H

/* Without lines of their own: messages and debuggers show that of the caller. */
#define ASH_ATOMIC(type) static __device__ __attribute__((always_inline, nodebug)) inline type

/* Under each of the three names. */
#define ASH_SCOPES(name, type, parameters, arguments) \
    ASH_ATOMIC(type) name##_block parameters { return name arguments; } \
    ASH_ATOMIC(type) name##_system parameters { return name arguments; }
#define ASH_FETCH(name, type, builtin) \
    ASH_ATOMIC(type) name(type *word, type value) \
    { \
        return builtin(word, value, __ATOMIC_RELAXED); \
    } \
    ASH_SCOPES(name, type, (type *word, type value), (word, value))
/* By compare-and-swap: `seen` is what is there. */
#define ASH_UPDATE(name, type, bits_type, expression) \
    ASH_ATOMIC(type) name(type *word, type value) \
    { \
        bits_type *bits = (bits_type *)word, before = __atomic_load_n(bits, __ATOMIC_RELAXED); \
\
        for (;;) { \
            type seen, next; \
            bits_type after; \
\
            __builtin_memcpy(&seen, &before, sizeof(seen)); \
            next = expression; \
            __builtin_memcpy(&after, &next, sizeof(next)); \
            if (__atomic_compare_exchange_n(bits, &before, after, false, __ATOMIC_RELAXED, \
                                            __ATOMIC_RELAXED)) \
                return seen; \
        } \
    } \
    ASH_SCOPES(name, type, (type *word, type value), (word, value))

#define ASH_INTEGERS(X, ...) \
    X(__VA_ARGS__, int) \
    X(__VA_ARGS__, unsigned int) \
    X(__VA_ARGS__, unsigned long long int)
#define ASH_ADD(name, type) ASH_FETCH(name, type, __atomic_fetch_add)
#define ASH_SUB(name, type) ASH_FETCH(name, type, __atomic_fetch_sub)
#define ASH_AND(name, type) ASH_FETCH(name, type, __atomic_fetch_and)
#define ASH_OR(name, type) ASH_FETCH(name, type, __atomic_fetch_or)
#define ASH_XOR(name, type) ASH_FETCH(name, type, __atomic_fetch_xor)
#define ASH_EXCH(name, type) ASH_FETCH(name, type, __atomic_exchange_n)
ASH_INTEGERS(ASH_ADD, atomicAdd)
ASH_SUB(atomicSub, int)
ASH_SUB(atomicSub, unsigned int)
ASH_INTEGERS(ASH_AND, atomicAnd)
ASH_INTEGERS(ASH_OR, atomicOr)
ASH_INTEGERS(ASH_XOR, atomicXor)
ASH_INTEGERS(ASH_EXCH, atomicExch)
ASH_UPDATE(atomicExch, float, unsigned int, (void(seen), value))
ASH_UPDATE(atomicAdd, float, unsigned int, seen + value)
ASH_UPDATE(atomicAdd, double, unsigned long long int, seen + value)

#define ASH_MIN_MAX(type) \
    ASH_UPDATE(atomicMin, type, type, (value < seen ? value : seen)) \
    ASH_UPDATE(atomicMax, type, type, (value > seen ? value : seen))
ASH_MIN_MAX(int)
ASH_MIN_MAX(unsigned int)
ASH_MIN_MAX(long long int)
ASH_MIN_MAX(unsigned long long int)
ASH_UPDATE(atomicInc, unsigned int, unsigned int, (seen >= value ? 0u : seen + 1))
ASH_UPDATE(atomicDec, unsigned int, unsigned int,
           (seen == 0 || seen > value ? value : seen - 1))
ASH_FETCH(atomicAnd, long long int, __atomic_fetch_and)
ASH_FETCH(atomicOr, long long int, __atomic_fetch_or)
ASH_FETCH(atomicXor, long long int, __atomic_fetch_xor)

#define ASH_CAS(type) \
    ASH_ATOMIC(type) atomicCAS(type *word, type compare, type value) \
    { \
        __atomic_compare_exchange_n(word, &compare, value, false, __ATOMIC_RELAXED, \
                                    __ATOMIC_RELAXED); \
        return compare; \
    } \
    ASH_SCOPES(atomicCAS, type, (type *word, type compare, type value), (word, compare, value))
ASH_CAS(int)
ASH_CAS(unsigned int)
ASH_CAS(unsigned long long int)
ASH_CAS(unsigned short int)

#undef ASH_INTEGERS
#undef ASH_ADD
#undef ASH_SUB
#undef ASH_AND
#undef ASH_OR
#undef ASH_XOR
#undef ASH_EXCH
#undef ASH_MIN_MAX
#undef ASH_CAS

#endif
