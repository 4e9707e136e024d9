/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One test for each operation that the documents and headers name, for any type.
 *
 * Every PE runs the same test at once: it acts on the memory of the next PE and
 * checks what the PE before it did to its own.  TEST_X(name, type, ...) is what
 * a row of the tables with operation X expands to; the macros hold the typed calls
 * and nothing else.  They are C and CUDA C++: device.cu has them in a CUDA kernel.
 */
#ifndef TESTS_CONFORMANCE_CONFORM_H
#define TESTS_CONFORMANCE_CONFORM_H

#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <shmem.h>
#include <string.h>

#include "tests/support/collective_table.h"
#include "tests/support/pe.h"

#define SET_ELEMS 5u
#define ROOM (SET_ELEMS * 16u)
#define GUARD 32u
#define GUARD_BYTE 0xa5

/* Bytes of a put that takes so long that what is not ordered overtakes it. */
#define LONG_BYTES (1u << 20)

/* Room for collectives, of elements of 8 bytes. */
#define CONFORM_PES_MAX 16u
#define EXCHANGE (CONFORM_PES_MAX * SET_ELEMS * 8u)

/* What another PE writes into; one for each PE, in symmetric memory. */
struct conform_memory {
    unsigned char before[GUARD];
    /* Aligned for every type. */
    __extension__ _Alignas(64) unsigned char variable[ROOM];
    unsigned char after[GUARD];
    uint64_t signal;
    __extension__ _Alignas(64) unsigned char exchange_source[EXCHANGE];
    __extension__ _Alignas(64) unsigned char exchange_dest[EXCHANGE + COLLECTIVE_GUARD];
};

/* Elements of the routines that are named after a size. */
typedef struct { unsigned char bytes[1]; } conform_bits8;
typedef struct { unsigned char bytes[2]; } conform_bits16;
typedef struct { unsigned char bytes[4]; } conform_bits32;
typedef struct { unsigned char bytes[8]; } conform_bits64;
typedef struct { unsigned char bytes[16]; } conform_bits128;

/* A thread that runs the tests: of a host, or of a kernel. */
struct conform {
    struct conform_memory *memory;
    /* LONG_BYTES of the symmetric heap each: what other PEs write, and what this one sends. */
    unsigned char *long_dest, *long_source;
    /* Private to the PE. */
    unsigned char source[ROOM], got[ROOM];
    int to, from;
    bool in_kernel;
    cudaStream_t stream;
    /* Two queue pairs. */
    int *qp;
    /* The collective that is tested. */
    struct collective_call call;
    unsigned seed;
    /* The function that is tested, and how many were before it: see conform_step. */
    const char *name;
    unsigned functions;
};

/* The first value of a variable, and the operand: negative, above 2^32, a NaN. */
static const uint64_t conform_first = UINT64_C(0x8123456789abcdef);
static const uint64_t conform_second = UINT64_C(0x7ff0dead7fa0beef);

/* Only this thread of the group calls what threads call alone, and checks. */
static inline bool is_leader(const struct conform *c)
{
    return !c->in_kernel || threadIdx.x == 0;
}

static inline bool calls(const struct conform *c, const char *caller)
{
    switch (caller[0]) {
    case 'w': return !c->in_kernel || threadIdx.x < ANYSHMEM_WARP_SIZE;
    case 'b': case 'g': return true;
    default: return is_leader(c);
    }
}

/* The test of a function begins, or one more of it. */
void conform_step(struct conform *c, const char *name);

/* All that was begun is done, on all PEs. */
void conform_barrier(struct conform *c);

/* Every byte as it was at first, but `variable` = `bits`, `width` bytes wide; a barrier. */
void conform_begin(struct conform *c, size_t width, uint64_t bits);

/* A barrier; the variable has these bits now, its neighbours are untouched. */
void conform_end(struct conform *c, size_t width, uint64_t bits);
void conform_guards(struct conform *c, size_t nbytes);

/* `bits` cut to `width` bytes. */
static inline uint64_t conform_cut(uint64_t bits, size_t width)
{
    return width == 8 ? bits : bits & ((UINT64_C(1) << 8 * width) - 1);
}

/* A fetched value, or a returned one, is the first value. */
void conform_fetched(struct conform *c, const void *value, size_t width, uint64_t bits);

/* Write `conform_second` + i to element i of the next PE's set, for each i of the mask. */
void conform_put_set(struct conform *c, size_t width, unsigned mask);

/* The comparisons of each family, and what each caller's call ends with. */
#define EQ_nvshmem NVSHMEM_CMP_EQ
#define EQ_nvshmemx NVSHMEM_CMP_EQ
#define EQ_shmem SHMEM_CMP_EQ
#define EQ_ishmem ISHMEM_CMP_EQ
#define EQ_ishmemx ISHMEM_CMP_EQ
/* What the routines with a queue pair have behind the PE. */
#define MORE_nvshmem
#define MORE_nvshmemx
#define MORE_qp , c->qp[0]
#define CALL_thread(F, ...) F(__VA_ARGS__)
#define CALL_warp(F, ...) F(__VA_ARGS__)
#define CALL_block(F, ...) F(__VA_ARGS__)
#define CALL_group(F, ...) F(__VA_ARGS__, ISHMEMX_GROUP_WORK_GROUP)
#define CALL_stream(F, ...) F(__VA_ARGS__, c->stream)

#define VARIABLE(TYPE) ((TYPE *)(void *)c->memory->variable)
/* A value of any type with these bits. */
#define VALUE(TYPE, NAME, BITS) \
    TYPE NAME; \
    pe_store_bits(&NAME, sizeof(NAME), BITS)

/* Atomics: the returned value, if any, and what stays behind. */
#define AMO(TYPE, AFTER, ...) \
    VALUE(TYPE, first, conform_first); \
    VALUE(TYPE, second, conform_second); \
    (void)first; \
    (void)second; \
    conform_begin(c, sizeof(TYPE), conform_first); \
    if (is_leader(c)) { \
        __VA_ARGS__; \
    } \
    conform_end(c, sizeof(TYPE), AFTER)
#define FETCHED(CALL) \
    old = (CALL); \
    conform_fetched(c, &old, sizeof(old), conform_first)

#define TEST_FETCH(F, TYPE, CALLER, API, VALUES) \
    TYPE old; \
    AMO(TYPE, conform_first, FETCHED(F(VARIABLE(TYPE), c->to)))
#define TEST_SET(F, TYPE, CALLER, API, VALUES) \
    AMO(TYPE, conform_second, F(VARIABLE(TYPE), second, c->to))
#define TEST_SWAP(F, TYPE, CALLER, API, VALUES) \
    TYPE old; \
    AMO(TYPE, conform_second, FETCHED(F(VARIABLE(TYPE), second, c->to)))
/* The first call compares with another value and changes nothing. */
#define TEST_COMPARE_SWAP(F, TYPE, CALLER, API, VALUES) \
    TYPE old; \
    AMO(TYPE, conform_second, \
        FETCHED(F(VARIABLE(TYPE), second, second, c->to)); \
        FETCHED(F(VARIABLE(TYPE), first, second, c->to)))
#define TEST_FETCH_INC(F, TYPE, CALLER, API, VALUES) \
    TYPE old; \
    AMO(TYPE, conform_first + 1, FETCHED(F(VARIABLE(TYPE), c->to)))
#define TEST_INC(F, TYPE, CALLER, API, VALUES) \
    AMO(TYPE, conform_first + 1, F(VARIABLE(TYPE), c->to))
#define TEST_COMPUTE(F, TYPE, OP) \
    AMO(TYPE, conform_first OP conform_second, F(VARIABLE(TYPE), second, c->to))
#define TEST_FETCH_COMPUTE(F, TYPE, OP) \
    TYPE old; \
    AMO(TYPE, conform_first OP conform_second, FETCHED(F(VARIABLE(TYPE), second, c->to)))
#define TEST_ADD(F, TYPE, CALLER, API, VALUES) TEST_COMPUTE(F, TYPE, +)
#define TEST_AND(F, TYPE, CALLER, API, VALUES) TEST_COMPUTE(F, TYPE, &)
#define TEST_OR(F, TYPE, CALLER, API, VALUES) TEST_COMPUTE(F, TYPE, |)
#define TEST_XOR(F, TYPE, CALLER, API, VALUES) TEST_COMPUTE(F, TYPE, ^)
#define TEST_FETCH_ADD(F, TYPE, CALLER, API, VALUES) TEST_FETCH_COMPUTE(F, TYPE, +)
#define TEST_FETCH_AND(F, TYPE, CALLER, API, VALUES) TEST_FETCH_COMPUTE(F, TYPE, &)
#define TEST_FETCH_OR(F, TYPE, CALLER, API, VALUES) TEST_FETCH_COMPUTE(F, TYPE, |)
#define TEST_FETCH_XOR(F, TYPE, CALLER, API, VALUES) TEST_FETCH_COMPUTE(F, TYPE, ^)
/* Numbers: 1.5 and 2.25. */
#define TEST_SUM(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, number, conform_number(sizeof(TYPE), 1)); \
    conform_begin_number(c, sizeof(TYPE)); \
    if (is_leader(c)) F(VARIABLE(TYPE), number, c->to); \
    conform_end(c, sizeof(TYPE), conform_number(sizeof(TYPE), 2))
#define TEST_FETCH_SUM(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, number, conform_number(sizeof(TYPE), 1)); \
    conform_begin_number(c, sizeof(TYPE)); \
    if (is_leader(c)) { \
        TYPE old = F(VARIABLE(TYPE), number, c->to); \
        conform_fetched(c, &old, sizeof(old), conform_number(sizeof(TYPE), 0)); \
    } \
    conform_end(c, sizeof(TYPE), conform_number(sizeof(TYPE), 2))
/* The bits of 1.5 (0), 2.25 (1) and 3.75 (2) as half, float or double. */
uint64_t conform_number(size_t width, unsigned which);
/* As conform_begin, but the variable is 1.5. */
void conform_begin_number(struct conform *c, size_t width);
#define TEST_SIGNAL(F, TYPE, CALLER, API, VALUES) TEST_SET(F, TYPE, CALLER, API, VALUES)

/* Wait for what the PE before writes; on a stream, for the stream's end as well. */
#define TEST_WAIT_UNTIL(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, second, conform_second); \
    conform_begin(c, sizeof(TYPE), conform_first); \
    conform_put_set(c, sizeof(TYPE), 1); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, VARIABLE(TYPE), EQ_##API, second); \
    conform_waited(c, #CALLER, sizeof(TYPE))
#define TEST_WAIT(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, first, conform_first); \
    conform_begin(c, sizeof(TYPE), conform_first); \
    conform_put_set(c, sizeof(TYPE), 1); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, VARIABLE(TYPE), first); \
    conform_waited(c, #CALLER, sizeof(TYPE))
/* What was queued is done. */
void conform_finish(struct conform *c, const char *caller);
/* After a wait: the value is there. */
void conform_waited(struct conform *c, const char *caller, size_t width);

/* Not yet, then at last. */
#define TEST_TEST(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, second, conform_second); \
    conform_begin(c, sizeof(TYPE), conform_first); \
    if (calls(c, #CALLER)) \
        PE_EQUAL(CALL_##CALLER(F, VARIABLE(TYPE), EQ_##API, second), 0); \
    conform_barrier(c); \
    conform_put_set(c, sizeof(TYPE), 1); \
    while (calls(c, #CALLER) && \
           CALL_##CALLER(F, VARIABLE(TYPE), EQ_##API, second) == 0) { \
    } \
    conform_waited(c, #CALLER, sizeof(TYPE))

/*
 * Sets of five: element 1 is masked and never written.  For "scalar" all become
 * the second value, for "vector" the second value plus their number.
 */
#define SET(TYPE) \
    int status[SET_ELEMS] = {0, 7, 0, 0, 0}; \
    TYPE vector[SET_ELEMS], *set = VARIABLE(TYPE); \
    size_t indices[SET_ELEMS + 1]; \
    (void)indices; \
    conform_values(vector, sizeof(TYPE)); \
    conform_begin(c, sizeof(TYPE), conform_first)
#define VALUES_scalar vector[0]
#define VALUES_vector vector
#define MASK_scalar 0
#define MASK_vector 0x100
void conform_values(void *vector, size_t width);

#define TEST_ALL(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    conform_put_set(c, sizeof(TYPE), 0x1d | MASK_##VALUES); \
    if (is_leader(c)) { \
        CALL_##CALLER(F, set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES); \
        conform_finish(c, #CALLER); \
        conform_set(c, sizeof(TYPE), 0x1d | MASK_##VALUES); \
        CALL_##CALLER(F, set, 0, NULL, EQ_##API, VALUES_##VALUES); \
        conform_finish(c, #CALLER); \
    } \
    conform_barrier(c)
#define TEST_TEST_ALL(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    if (is_leader(c)) PE_EQUAL(F(set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES), 0); \
    conform_barrier(c); \
    conform_put_set(c, sizeof(TYPE), 0x1d | MASK_##VALUES); \
    if (is_leader(c)) { \
        while (F(set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES) == 0) { \
        } \
        conform_set(c, sizeof(TYPE), 0x1d | MASK_##VALUES); \
        PE_EQUAL(F(set, 0, NULL, EQ_##API, VALUES_##VALUES), 1); \
        PE_EQUAL(F(set, SET_ELEMS, NULL, EQ_##API, VALUES_##VALUES), 0); \
    } \
    conform_barrier(c)
#define TEST_ANY(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    conform_put_set(c, sizeof(TYPE), 0x8 | MASK_##VALUES); \
    if (is_leader(c)) { \
        PE_EQUAL(F(set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES), 3); \
        conform_set(c, sizeof(TYPE), 0x8 | MASK_##VALUES); \
        PE_EQUAL(F(set, 0, NULL, EQ_##API, VALUES_##VALUES), SIZE_MAX); \
    } \
    conform_barrier(c)
#define TEST_TEST_ANY(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    if (is_leader(c)) \
        PE_EQUAL(F(set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES), SIZE_MAX); \
    conform_barrier(c); \
    conform_put_set(c, sizeof(TYPE), 0x8 | MASK_##VALUES); \
    if (is_leader(c)) { \
        size_t at; \
        do { \
            at = F(set, SET_ELEMS, status, EQ_##API, VALUES_##VALUES); \
        } while (at == SIZE_MAX); \
        PE_EQUAL(at, 3); \
        conform_set(c, sizeof(TYPE), 0x8 | MASK_##VALUES); \
    } \
    conform_barrier(c)
/* Elements 2 and 4, in one call or in two; what was reported is masked then. */
#define SOME(F, TYPE, API, VALUES) \
    if (is_leader(c)) { \
        unsigned found = 0; \
        while (found != 0x14) { \
            size_t n = F(set, SET_ELEMS, indices, status, EQ_##API, VALUES_##VALUES); \
            found = conform_found(found, n, indices, status); \
        } \
        conform_set(c, sizeof(TYPE), 0x14 | MASK_##VALUES); \
        PE_EQUAL(F(set, 0, indices, NULL, EQ_##API, VALUES_##VALUES), 0); \
    } \
    conform_barrier(c)
#define TEST_SOME(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    conform_put_set(c, sizeof(TYPE), 0x14 | MASK_##VALUES); \
    SOME(F, TYPE, API, VALUES)
#define TEST_TEST_SOME(F, TYPE, CALLER, API, VALUES) \
    SET(TYPE); \
    if (is_leader(c)) \
        PE_EQUAL(F(set, SET_ELEMS, indices, status, EQ_##API, VALUES_##VALUES), 0); \
    conform_barrier(c); \
    conform_put_set(c, sizeof(TYPE), 0x14 | MASK_##VALUES); \
    SOME(F, TYPE, API, VALUES)
/* Mark what was reported; stops the job if it was not to be. */
unsigned conform_found(unsigned found, size_t n, const size_t *indices, int *status);
/* The elements of the mask have come, the others are as they were. */
void conform_set(struct conform *c, size_t width, unsigned mask);

/* Five elements and a signal; then a signal alone, added. */
#define TEST_PUT_SIGNAL(F, TYPE, CALLER, API, VALUES) \
    TYPE *source = (TYPE *)(void *)c->source; \
    conform_begin(c, 0, 0); \
    if (calls(c, #CALLER)) \
        CALL_##CALLER(F, VARIABLE(TYPE), source, SET_ELEMS, &c->memory->signal, conform_second, \
                      NVSHMEM_SIGNAL_SET, c->to MORE_##API); \
    conform_signalled(c, SET_ELEMS * sizeof(TYPE), conform_second); \
    if (calls(c, #CALLER)) \
        CALL_##CALLER(F, VARIABLE(TYPE), source, 0, &c->memory->signal, 5, \
                      NVSHMEM_SIGNAL_ADD, c->to MORE_##API); \
    conform_signalled(c, SET_ELEMS * sizeof(TYPE), conform_second + 5)
void conform_signalled(struct conform *c, size_t nbytes, uint64_t signal);

/*
 * Three elements: every other one, from the last one of the source backwards; then every other
 * one of the source, packed.
 */
#define TEST_IPUT(F, TYPE, CALLER, API, VALUES) \
    TYPE *source = (TYPE *)(void *)c->source; \
    conform_begin(c, 0, 0); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, VARIABLE(TYPE), source + 4, 2, -2, 3, c->to); \
    conform_strided(c, c->memory->variable, sizeof(TYPE), 2, 4); \
    conform_begin(c, 0, 0); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, VARIABLE(TYPE), source, 1, 2, 3, c->to); \
    conform_strided(c, c->memory->variable, sizeof(TYPE), 1, 0)
#define TEST_IGET(F, TYPE, CALLER, API, VALUES) \
    TYPE *got = (TYPE *)(void *)c->got; \
    conform_offer(c); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, got, VARIABLE(TYPE) + 4, 2, -2, 3, c->from); \
    conform_strided(c, c->got, sizeof(TYPE), 2, 4); \
    conform_offer(c); \
    if (calls(c, #CALLER)) CALL_##CALLER(F, got, VARIABLE(TYPE), 1, 2, 3, c->from); \
    conform_strided(c, c->got, sizeof(TYPE), 1, 0)
/* What others get is in the variable, and nothing in `got`; a barrier. */
void conform_offer(struct conform *c);
/* A barrier; every dst-th element is one that the PE before sent or offered: its numbers 0, 2 and
 * 4, from `first` on. */
void conform_strided(struct conform *c, const unsigned char *got, size_t width, size_t dst,
                     size_t first);

/* Five elements; one. */
#define TEST_PUT(F, TYPE, CALLER, API, VALUES) \
    TYPE *source = (TYPE *)(void *)c->source; \
    conform_begin(c, 0, 0); \
    if (calls(c, #CALLER)) \
        CALL_##CALLER(F, VARIABLE(TYPE), source, SET_ELEMS, c->to MORE_##API); \
    conform_barrier(c); \
    conform_signalled(c, SET_ELEMS * sizeof(TYPE), 0)
#define TEST_GET(F, TYPE, CALLER, API, VALUES) \
    TYPE *got = (TYPE *)(void *)c->got; \
    conform_offer(c); \
    if (calls(c, #CALLER)) \
        CALL_##CALLER(F, got, VARIABLE(TYPE), SET_ELEMS, c->from MORE_##API); \
    conform_got(c, SET_ELEMS * sizeof(TYPE))
#define TEST_P(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, second, conform_second); \
    conform_begin(c, sizeof(TYPE), conform_first); \
    if (is_leader(c)) CALL_##CALLER(F, VARIABLE(TYPE), second, c->to MORE_##API); \
    conform_end(c, sizeof(TYPE), conform_second)
#define TEST_G(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, sizeof(TYPE), conform_first); \
    if (is_leader(c)) { \
        TYPE value = F(VARIABLE(TYPE), c->to MORE_##API); \
        conform_fetched(c, &value, sizeof(TYPE), conform_first); \
    } \
    conform_end(c, sizeof(TYPE), conform_first)
/* A barrier; so many bytes are those that the PE before offered. */
void conform_got(struct conform *c, size_t nbytes);

/* The data is there before the flag. */
#define TEST_QP_ORDER(F, TYPE, CALLER, API, VALUES) \
    conform_long_put(c); \
    if (calls(c, #CALLER)) F(c->to, c->qp, 2); \
    conform_long_ordered(c)
#define TEST_QP_CREATE(F, TYPE, CALLER, API, VALUES) \
    int *qp = NULL; \
    PE_EQUAL(F(3, &qp), 0); \
    PE_NEED(qp != NULL); \
    PE_TRUE(qp[0] != qp[1] && qp[0] != qp[2] && qp[1] != qp[2]); \
    PE_TRUE(qp[0] != c->qp[0] && qp[0] > NVSHMEMX_QP_DEFAULT && qp[0] < NVSHMEMX_QP_ALL); \
    PE_EQUAL(F(0, &qp), NVSHMEMX_ERROR_INVALID_VALUE); \
    PE_EQUAL(F(1, NULL), NVSHMEMX_ERROR_INVALID_VALUE); \
    conform_barrier(c)
/* The source may be changed. */
#define TEST_FLUSH(F, TYPE, CALLER, API, VALUES) \
    conform_long_put(c); \
    if (calls(c, #CALLER)) F(); \
    conform_flushed(c)
#define TEST_FLUSH_ON_STREAM(F, TYPE, CALLER, API, VALUES) \
    conform_long_begin(c); \
    nvshmemx_putmem_nbi_on_stream(c->long_dest, c->long_source, LONG_BYTES, c->to, c->stream); \
    F(c->stream); \
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0); \
    conform_flushed(c)
#define TEST_QUIET_ON_STREAM(F, TYPE, CALLER, API, VALUES) \
    conform_long_begin(c); \
    nvshmemx_putmem_nbi_on_stream(c->long_dest, c->long_source, LONG_BYTES, c->to, c->stream); \
    F(c->stream); \
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0); \
    conform_long_ordered(c)
#define TEST_SIGNAL_ON_STREAM(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, 0, 0); \
    F(&c->memory->signal, NVSHMEM_CMP_GE, 70, c->stream); \
    nvshmemx_signal_op(&c->memory->signal, 78, NVSHMEM_SIGNAL_SET, c->to); \
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0); \
    PE_EQUAL(c->memory->signal, 78); \
    conform_signalled(c, 0, 78)
/* A long put, which is under way; or what is before it.  Then: a flag behind it comes last. */
void conform_long_begin(struct conform *c);
void conform_long_put(struct conform *c);
void conform_long_ordered(struct conform *c);
/* Changes the source of the long put; a barrier; what was in it has come all the same. */
void conform_flushed(struct conform *c);
#define TEST_SIGNAL_COUNTED_RESET(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, sizeof(uint64_t), conform_first); \
    if (is_leader(c)) F(VARIABLE(uint64_t)); \
    conform_end(c, sizeof(uint64_t), 0)
/* Two pairs: the largest x is the last PE's and the first one's. */
#define TEST_MAXLOC(F, TYPE, CALLER, API, VALUES) \
    double2 *pairs = (double2 *)(void *)c->memory->variable; \
    conform_begin(c, 0, 0); \
    if (is_leader(c)) { \
        pairs[0] = (double2){(double)pe_me, 100.0 + pe_me}; \
        pairs[1] = (double2){-1.0 - pe_me, (double)pe_me}; \
    } \
    conform_barrier(c); \
    if (calls(c, #CALLER)) PE_EQUAL(F(NVSHMEM_TEAM_WORLD, pairs + 2, pairs, 2), 0); \
    conform_barrier(c); \
    PE_TRUE(pairs[2].x == pe_n - 1 && pairs[2].y == 99 + pe_n); \
    PE_TRUE(pairs[3].x == -1 && pairs[3].y == 0); \
    PE_TRUE(pairs[0].x == pe_me && pairs[1].y == pe_me); \
    conform_barrier(c)

/* What the stream put before is what it reads. */
#define TEST_G_ON_STREAM(F, TYPE, CALLER, API, VALUES) \
    VALUE(TYPE, second, conform_second); \
    conform_begin(c, sizeof(TYPE), conform_first); \
    nvshmemx_putmem_on_stream(VARIABLE(TYPE), &second, sizeof(TYPE), c->to, c->stream); \
    nvshmemx_quiet_on_stream(c->stream); \
    TYPE value = F(VARIABLE(TYPE), c->to, c->stream); \
    conform_fetched(c, &value, sizeof(TYPE), conform_second); \
    conform_end(c, sizeof(TYPE), conform_second)

/* The names without a type. */
#define TEST_SIGNAL_OP(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, 0, 0); \
    if (is_leader(c)) \
        CALL_##CALLER(F, &c->memory->signal, conform_second, NVSHMEM_SIGNAL_SET, \
                      c->to MORE_##API); \
    conform_signalled(c, 0, conform_second); \
    if (is_leader(c)) \
        CALL_##CALLER(F, &c->memory->signal, 3, NVSHMEM_SIGNAL_ADD, c->to MORE_##API); \
    conform_signalled(c, 0, conform_second + 3)
#define TEST_SIGNAL_FETCH(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, 0, 0); \
    if (is_leader(c)) { \
        nvshmemx_signal_op(&c->memory->signal, 77, NVSHMEM_SIGNAL_SET, c->to); \
        while (F(&c->memory->signal) != 77) { \
        } \
    } \
    conform_signalled(c, 0, 77)
#define TEST_SIGNAL_WAIT_UNTIL(F, TYPE, CALLER, API, VALUES) \
    conform_begin(c, 0, 0); \
    if (is_leader(c)) { \
        nvshmemx_signal_op(&c->memory->signal, 78, NVSHMEM_SIGNAL_SET, c->to); \
        PE_EQUAL(F(&c->memory->signal, NVSHMEM_CMP_GE, 70), 78); \
    } \
    conform_signalled(c, 0, 78)
#define TEST_QUIET(F, TYPE, CALLER, API, VALUES) \
    conform_order(c, (void (*)(void))NULL, F)
#define TEST_FENCE(F, TYPE, CALLER, API, VALUES) conform_order(c, F, (void (*)(void))NULL)
/* The data is there before the flag, by a fence or by a quiet. */
void conform_order(struct conform *c, void (*fence)(void), void (*quiet)(void));
/* Barriers, to which the last PE comes late: then what all have put has come. */
#define TEST_BARRIER_ALL(F, TYPE, CALLER, API, VALUES) \
    conform_put_late(c, false); \
    if (calls(c, #CALLER)) F(); \
    conform_signalled(c, 13, 0)
#define TEST_BARRIER(F, TYPE, CALLER, API, VALUES) \
    conform_put_late(c, false); \
    if (calls(c, #CALLER)) PE_EQUAL(F(NVSHMEM_TEAM_WORLD), 0); \
    conform_signalled(c, 13, 0)
#define TEST_SYNC_ALL(F, TYPE, CALLER, API, VALUES) \
    conform_put_late(c, true); \
    if (calls(c, #CALLER)) F(); \
    conform_signalled(c, 13, 0)
#define TEST_TEAM_SYNC(F, TYPE, CALLER, API, VALUES) \
    conform_put_late(c, true); \
    if (calls(c, #CALLER)) PE_EQUAL(F(NVSHMEM_TEAM_WORLD), 0); \
    conform_signalled(c, 13, 0)
/* A put that is under way, or complete. */
void conform_put_late(struct conform *c, bool complete);

/* Barriers on a stream, to which the last PE comes late: then the data of all has come. */
#define TEST_STREAM_BARRIER(F, TYPE, CALLER, API, VALUES) \
    conform_put_on_stream(c); \
    PE_EQUAL(F(NVSHMEM_TEAM_WORLD, c->stream), 0); \
    conform_put_has_come(c)
#define TEST_STREAM_BARRIER_ALL(F, TYPE, CALLER, API, VALUES) \
    conform_put_on_stream(c); \
    F(c->stream); \
    conform_put_has_come(c)
void conform_put_on_stream(struct conform *c);
void conform_put_has_come(struct conform *c);

/* Collectives of all PEs; VALUES is the operation of a reduction. */
#define EXCHANGED(F, TYPE, CALLER, KIND, OP, ...) \
    conform_exchange(c, #F, COLLECTIVE_##KIND, COLLECTIVE_##OP); \
    if (calls(c, #CALLER)) \
        PE_EQUAL(CALL_##CALLER(F, c->call.team, (TYPE *)c->call.dest, \
                               (const TYPE *)c->call.source, c->call.n __VA_ARGS__), 0); \
    conform_exchanged(c)
#define TEST_BROADCAST(F, TYPE, CALLER, API, VALUES) \
    EXCHANGED(F, TYPE, CALLER, BROADCAST, SUM, , c->call.root)
#define TEST_FCOLLECT(F, TYPE, CALLER, API, VALUES) EXCHANGED(F, TYPE, CALLER, FCOLLECT, SUM, )
#define TEST_ALLTOALL(F, TYPE, CALLER, API, VALUES) EXCHANGED(F, TYPE, CALLER, ALLTOALL, SUM, )
#define TEST_REDUCE(F, TYPE, CALLER, API, VALUES) EXCHANGED(F, TYPE, CALLER, REDUCE, VALUES, )
#define TEST_REDUCESCATTER(F, TYPE, CALLER, API, VALUES) \
    EXCHANGED(F, TYPE, CALLER, REDUCESCATTER, VALUES, )
void conform_exchange(struct conform *c, const char *function, enum collective_kind kind,
                      enum collective_op op);
void conform_exchanged(struct conform *c);

#endif
