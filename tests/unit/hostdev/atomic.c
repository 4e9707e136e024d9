/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations on memory: every operation, width and boundary value
 * against a serial model, in the shapes in which compilers see them, and
 * counted exactly while several threads do the same.
 *
 * GCC 11 to 14 lose the result of __atomic_fetch_and, _or and _xor on x86-64 in
 * some of these shapes.  This program must fail with the plain builtins.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "device/routine/atomic.h"
#include "tests/unit/unit.h"

#define OPS(X) \
    X(FETCH) \
    X(SET) \
    X(SWAP) \
    X(COMPARE_SWAP) \
    X(ADD) \
    X(FETCH_ADD) \
    X(AND) \
    X(FETCH_AND) \
    X(OR) \
    X(FETCH_OR) \
    X(XOR) \
    X(FETCH_XOR) \
    X(SIGNAL_SET) \
    X(SIGNAL_ADD)

#define WIDTHS(X, OP) X(OP, 1) X(OP, 2) X(OP, 4) X(OP, 8)

#define THREADS 4
#define ROUNDS 20001

typedef uint64_t apply_fn(unsigned go, unsigned op, unsigned width, void *p, uint64_t operand,
                          uint64_t compare);

/*
 * The shapes: where the result goes, and what else may stand there.  `go` is 1,
 * which the compiler does not know; without it the operand would be returned,
 * so that operand and result want the same register: there GCC fails.
 */
#define SHAPES(X) X(always) X(branch) X(reuse) X(store) X(loop) X(select)

#define PARAMETERS \
    unsigned go, unsigned op, unsigned width, void *p, uint64_t operand, uint64_t compare

DEV uint64_t shape_always(PARAMETERS)
{
    return ash_atomic_apply(op, width, p, operand, compare);
}

DEV uint64_t shape_branch(PARAMETERS)
{
    if (go) return ash_atomic_apply(op, width, p, operand, compare);
    return operand;
}

DEV uint64_t shape_reuse(PARAMETERS)
{
    uint64_t x = operand;
    if (go) x = ash_atomic_apply(op, width, p, x, compare);
    return x;
}

static uint64_t stored;

DEV uint64_t shape_store(PARAMETERS)
{
    if (go)
        stored = ash_atomic_apply(op, width, p, operand, compare);
    else
        stored = operand;
    return stored;
}

DEV uint64_t shape_loop(PARAMETERS)
{
    uint64_t x = operand;
    for (unsigned i = 0; i < go; i++) x = ash_atomic_apply(op, width, p, x, compare);
    return x;
}

DEV uint64_t shape_select(PARAMETERS)
{
    uint64_t x = operand;
    switch (go) {
    case 1: x = ash_atomic_apply(op, width, p, operand, compare); break;
    case 2: x = ash_atomic_apply(ASH_OP_FETCH_OR, width, p, operand, compare); break;
    case 3: x = ash_atomic_apply(ASH_OP_FETCH_XOR, width, p, operand, compare); break;
    }
    return x;
}

/* Each shape as a function with constant op and width. */
#define FUNCTION(SHAPE, OP, WIDTH) \
    static __attribute__((noinline)) uint64_t SHAPE##_##OP##_##WIDTH(PARAMETERS) \
    { \
        (void)op; \
        (void)width; \
        return shape_##SHAPE(go, ASH_OP_##OP, WIDTH, p, operand, compare); \
    }
#define FUNCTIONS(OP, WIDTH) \
    FUNCTION(always, OP, WIDTH) \
    FUNCTION(branch, OP, WIDTH) \
    FUNCTION(reuse, OP, WIDTH) \
    FUNCTION(store, OP, WIDTH) \
    FUNCTION(loop, OP, WIDTH) \
    FUNCTION(select, OP, WIDTH)
#define X(OP) WIDTHS(FUNCTIONS, OP)
OPS(X)
#undef X

/* The same with op and width known at run time only. */
#define X(SHAPE) \
    static __attribute__((noinline)) uint64_t SHAPE##_run_time(PARAMETERS) \
    { \
        return shape_##SHAPE(go, op, width, p, operand, compare); \
    }
SHAPES(X)
#undef X

#define N_SHAPES 6

static const char *const shape_names[N_SHAPES] = {
#define X(SHAPE) #SHAPE,
    SHAPES(X)
#undef X
};

static apply_fn *const at_run_time[N_SHAPES] = {
#define X(SHAPE) SHAPE##_run_time,
    SHAPES(X)
#undef X
};

static const struct subject {
    const char *name;
    unsigned op;
    unsigned width;
    apply_fn *constant[N_SHAPES];
} subjects[] = {
#define ROW(OP, WIDTH) \
    {#OP " of " #WIDTH, ASH_OP_##OP, WIDTH, \
     {always_##OP##_##WIDTH, branch_##OP##_##WIDTH, reuse_##OP##_##WIDTH, store_##OP##_##WIDTH, \
      loop_##OP##_##WIDTH, select_##OP##_##WIDTH}},
#define X(OP) WIDTHS(ROW, OP)
    OPS(X)
#undef X
};

#define N_SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

/* What the compiler does not know. */
static volatile unsigned one = 1;

static uint64_t mask_of(unsigned width) { return UINT64_MAX >> (64 - 8 * width); }

/* The serial model. */
static uint64_t expected(unsigned op, uint64_t old, uint64_t operand, uint64_t compare)
{
    switch (op) {
    case ASH_OP_FETCH: return old;
    case ASH_OP_SET:
    case ASH_OP_SIGNAL_SET:
    case ASH_OP_SWAP: return operand;
    case ASH_OP_COMPARE_SWAP: return old == compare ? operand : old;
    case ASH_OP_ADD:
    case ASH_OP_SIGNAL_ADD:
    case ASH_OP_FETCH_ADD: return old + operand;
    case ASH_OP_AND:
    case ASH_OP_FETCH_AND: return old & operand;
    case ASH_OP_OR:
    case ASH_OP_FETCH_OR: return old | operand;
    case ASH_OP_XOR:
    case ASH_OP_FETCH_XOR: return old ^ operand;
    default: fail_msg("op %u", op); return 0;
    }
}

/* Operations that return nothing to their caller. */
static bool returns_old(unsigned op)
{
    return op != ASH_OP_SET && op != ASH_OP_SIGNAL_SET;
}

/* Apply to the word at place `place` of a line, and look at all of the line. */
static void check_one(const struct subject *subject, apply_fn *apply, const char *kind,
                      unsigned shape, const uint64_t values[3], unsigned place)
{
    unsigned char line[64] __attribute__((aligned(64))), before[64];
    unsigned width = subject->width, at = place * width;
    uint64_t mask = mask_of(width), old = values[0] & mask, now = 0, result;
    uint64_t want = expected(subject->op, old, values[1] & mask, values[2] & mask) & mask;
    memset(line, 0xa5, sizeof(line));
    memcpy(line + at, &old, width);
    memcpy(before, line, sizeof(line));
    result = apply(one, subject->op, width, line + at, values[1], values[2]);
    memcpy(&now, line + at, width);
    if (now != want || (returns_old(subject->op) && result != old))
        fail_msg("%s bytes, %s op, %s: %#llx with %#llx, %#llx: now %#llx (must be %#llx), "
                 "returned %#llx",
                 subject->name, kind, shape_names[shape], (unsigned long long)old,
                 (unsigned long long)values[1], (unsigned long long)values[2],
                 (unsigned long long)now, (unsigned long long)want, (unsigned long long)result);
    memcpy(before + at, &want, width);
    assert_memory_equal(line, before, sizeof(line));
}

static void check_all(bool constant)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0x80,
                                     0xf0,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     UINT64_C(0x5555555555555555),
                                     UINT64_C(0xaaaaaaaaaaaaaaaa),
                                     UINT64_C(0x0123456789abcdef),
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     UINT64_MAX};
    const size_t n = sizeof(edges) / sizeof(edges[0]);
    for (size_t s = 0; s < N_SUBJECTS; s++) {
        for (unsigned shape = 0; shape < N_SHAPES; shape++) {
            for (size_t i = 0; i < n * n; i++) {
                uint64_t old = edges[i / n], operand = edges[i % n];
                const uint64_t same[3] = {old, operand, old};
                const uint64_t other[3] = {old, operand, old + 1};
                apply_fn *apply = constant ? subjects[s].constant[shape] : at_run_time[shape];
                const char *kind = constant ? "constant" : "run-time";
                check_one(&subjects[s], apply, kind, shape, same, (unsigned)i % 8);
                check_one(&subjects[s], apply, kind, shape, other, 7);
            }
        }
    }
}

/* The bits of a number that a half has as well. */
static uint64_t bits_of_number(unsigned width, double number)
{
    union { uint64_t bits; double number; } wide = {.number = number};
    union { uint32_t bits; float number; } single = {.number = (float)number};
    int exponent;
    double fraction = frexp(fabs(number), &exponent);
    uint64_t sign = signbit(number) ? 0x8000 : 0;
    if (width == 8) return wide.bits;
    if (width == 4) return single.bits;
    if (number == 0) return sign;
    if (isinf(number)) return sign | 0x7c00;
    return sign | ((uint64_t)((exponent + 13) << 10) + (uint64_t)ldexp(fraction, 11));
}

/* Two numbers and their sum; where it is NaN, its one pattern. */
static void check_sum(unsigned width, double a, double b, uint64_t want)
{
    uint64_t words[3] = {UINT64_MAX, 0, UINT64_MAX}, old, before = bits_of_number(width, a);
    for (unsigned op = ASH_OP_SUM; op <= ASH_OP_FETCH_SUM; op++) {
        memcpy(&words[1], &before, width);
        old = ash_atomic_apply(op, width, &words[1], bits_of_number(width, b), 0);
        if (old != before || words[0] != UINT64_MAX || words[1] != want || words[2] != UINT64_MAX)
            fail_msg("op %u of %u bytes: %g + %g: now %#llx, must be %#llx", op, width, a, b,
                     (unsigned long long)words[1], (unsigned long long)want);
    }
}

/* Exact sums of numbers that all three types have, to both sides. */
static void test_sums_of_numbers(void **state)
{
    static const double numbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.25, 128.0, -127.0, 2.0,
                                     HUGE_VAL};
    const size_t n = sizeof(numbers) / sizeof(numbers[0]);
    for (unsigned width = 2; width <= 8; width *= 2)
        for (size_t i = 0; i < n * n; i++) {
            double a = numbers[i / n], b = numbers[i % n];
            check_sum(width, a, b, bits_of_number(width, a + b));
        }
}

static void test_sums_that_are_rounded_or_no_numbers(void **state)
{
    /* Ties to even, at 2048: half has 11 bits. */
    check_sum(2, 2048, 1, 0x6800);
    check_sum(2, 2048, 3, 0x6802);
    check_sum(2, 65504, 16, 0x7c00);
    check_sum(2, 65504, 15, 0x7bff);
    check_sum(4, 16777216, 1, 0x4b800000);
    check_sum(2, HUGE_VAL, -HUGE_VAL, 0x7e00);
    check_sum(4, HUGE_VAL, -HUGE_VAL, 0x7fc00000);
    check_sum(8, HUGE_VAL, -HUGE_VAL, UINT64_C(0x7ff8000000000000));
}

static void test_operation_known_at_compile_time(void **state) { check_all(true); }
static void test_operation_known_at_run_time(void **state) { check_all(false); }

/* What the threads share, for one width; neighbours of each other. */
static struct {
    uint64_t word[5];
    unsigned width;
} shared __attribute__((aligned(64)));

enum { SUM, BITS, TOGGLES, WINS, NUMBERS };

/* Each thread owns one bit of BITS, and sees it as it left it. */
static void *hammer(void *arg)
{
    unsigned thread = (unsigned)(uintptr_t)arg, width = shared.width;
    uint64_t bit = UINT64_C(1) << (2 * thread), mine = 0, wins = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t old, seen = ash_atomic_apply(ASH_OP_FETCH, width, &shared.word[WINS], 0, 0);
        ash_atomic_apply(ASH_OP_FETCH_ADD, width, &shared.word[SUM], thread + 1, 0);
        ash_atomic_apply(ASH_OP_XOR, width, &shared.word[TOGGLES], bit, 0);
        ash_atomic_apply(i % 2 ? ASH_OP_SUM : ASH_OP_FETCH_SUM, width, &shared.word[NUMBERS],
                         bits_of_number(width, 1), 0);
        if (mine)
            old = ash_atomic_apply(ASH_OP_FETCH_AND, width, &shared.word[BITS], ~bit, 0);
        else
            old = ash_atomic_apply(ASH_OP_FETCH_OR, width, &shared.word[BITS], bit, 0);
        if ((old & bit) != mine) return (void *)"a bit was lost";
        mine ^= bit;
        old = ash_atomic_apply(ASH_OP_COMPARE_SWAP, width, &shared.word[WINS], seen + 1, seen);
        wins += old == seen;
    }
    return (void *)(uintptr_t)(wins | UINT64_C(1) << 62);
}

static void check_threads(unsigned width)
{
    pthread_t threads[THREADS];
    uint64_t wins = 0, sum = 0, toggles = 0, mask = mask_of(width);
    memset(&shared, 0, sizeof(shared));
    shared.width = width;
    for (uintptr_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)i), 0);
        sum += ROUNDS * (i + 1);
        toggles ^= ROUNDS % 2 ? UINT64_C(1) << (2 * i) : 0;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        if (((uintptr_t)result >> 62) == 0) fail_msg("%s", (const char *)result);
        wins += (uintptr_t)result & ~(UINT64_C(3) << 62);
    }
    assert_int_equal(shared.word[SUM], sum & mask);
    assert_int_equal(shared.word[TOGGLES], toggles);
    assert_int_equal(shared.word[BITS], toggles);
    assert_int_equal(shared.word[WINS], wins & mask);
    assert_true(wins >= ROUNDS);
    /* A half counts by one up to 2048, and stays there. */
    if (width > 1)
        assert_int_equal(shared.word[NUMBERS],
                         bits_of_number(width, width == 2 ? 2048 : THREADS * ROUNDS));
}

static void test_concurrent_threads(void **state)
{
    for (unsigned width = 1; width <= 8; width *= 2) check_threads(width);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operation_known_at_compile_time),
                                       cmocka_unit_test(test_operation_known_at_run_time),
                                       cmocka_unit_test(test_sums_of_numbers),
                                       cmocka_unit_test(
                                           test_sums_that_are_rounded_or_no_numbers),
                                       cmocka_unit_test(test_concurrent_threads)};
    alarm(120);
    return cmocka_run_group_tests_name("atomic", tests, NULL, NULL);
}
