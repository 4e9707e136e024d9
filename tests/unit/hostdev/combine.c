/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reduction computes of two elements: wrap, rounding, the ends of each type's
 * range; and the two number types that C does not have, all of them.
 */
#include <math.h>
#include <string.h>

#include "device/routine/combine.h"
#include "tests/unit/unit.h"

#define HALF_INFINITY 0x7c00u
#define BFLOAT16_INFINITY 0x7f80u

static const char *const names[] = {"i8",  "i16", "i32", "i64", "u8",   "u16",
                                    "u32", "u64", "f32", "f64", "half", "bfloat16"};
static const unsigned sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2, 2};

struct row {
    enum ash_number number;
    enum ash_reduction op;
    uint64_t a, b, want;
};

#define I8 ASH_NUMBER_I8
#define I16 ASH_NUMBER_I16
#define I32 ASH_NUMBER_I32
#define I64 ASH_NUMBER_I64
#define U8 ASH_NUMBER_U8
#define U16 ASH_NUMBER_U16
#define U32 ASH_NUMBER_U32
#define U64 ASH_NUMBER_U64
#define SUM ASH_REDUCE_SUM
#define PROD ASH_REDUCE_PROD
#define MIN ASH_REDUCE_MIN
#define MAX ASH_REDUCE_MAX
#define HALF ASH_NUMBER_HALF
#define BFLOAT16 ASH_NUMBER_BFLOAT16

static const struct row rows[] = {
    {I8, SUM, 127, 1, 0x80},
    {I8, PROD, 0x80, 0xff, 0x80},
    {I8, MIN, 0xff, 1, 0xff},
    {I8, MAX, 0x80, 0x7f, 0x7f},
    {I16, SUM, 0x8000, 0xffff, 0x7fff},
    {I16, PROD, 0x7fff, 0x7fff, 1},
    {I16, MIN, 1, 0x8000, 0x8000},
    {I32, SUM, 0x7fffffff, 1, 0x80000000},
    {I32, PROD, 0x80000000, 0xffffffff, 0x80000000},
    {I32, MIN, 1, 0xffffffff, 0xffffffff},
    {I32, MAX, 1, 0xffffffff, 1},
    {I64, SUM, INT64_MAX, 1, UINT64_C(1) << 63},
    {I64, SUM, 0xffffffff, 1, UINT64_C(1) << 32},
    {I64, PROD, UINT64_C(3) << 32, 5, UINT64_C(15) << 32},
    {I64, PROD, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 63},
    {I64, MIN, 1, UINT64_C(1) << 63, UINT64_C(1) << 63},
    {I64, MAX, UINT64_C(1) << 33, 7, UINT64_C(1) << 33},
    {U8, SUM, 200, 100, 44},
    {U8, MIN, 0xff, 1, 1},
    {U16, PROD, 0xffff, 0xffff, 1},
    {U16, MAX, 0x8000, 1, 0x8000},
    {U32, SUM, 0xffffffff, 2, 1},
    {U32, MIN, 0xffffffff, 1, 1},
    {U32, ASH_REDUCE_XOR, 0xffff0000, 0x0ff00ff0, 0xf00f0ff0},
    {U64, SUM, UINT64_MAX, 2, 1},
    {U64, PROD, UINT64_C(1) << 33, UINT64_C(1) << 33, 0},
    {U64, MAX, UINT64_C(1) << 63, 1, UINT64_C(1) << 63},
    {U64, ASH_REDUCE_AND, UINT64_C(3) << 62, UINT64_C(1) << 63 | 1, UINT64_C(1) << 63},
    {U64, ASH_REDUCE_OR, UINT64_C(1) << 63, 1, UINT64_C(1) << 63 | 1},
    /* 65504 + 8 and + 16: the largest one, infinity. */
    {HALF, SUM, 0x7bff, 0x4800, 0x7bff},
    {HALF, SUM, 0x7bff, 0x4c00, HALF_INFINITY},
    {HALF, PROD, 0x5c00, 0x5c00, HALF_INFINITY},
    {HALF, PROD, 0x5c00, 0xdc00, 0xfc00},
    /* 2048 + 1 and 2050 + 1 lie in the middle. */
    {HALF, SUM, 0x6800, 0x3c00, 0x6800},
    {HALF, SUM, 0x6801, 0x3c00, 0x6802},
    /* Subnormal ones: 1 + 1, 1023 + 1, and 1 / 2, 3 / 2 of their unit. */
    {HALF, SUM, 0x0001, 0x0001, 0x0002},
    {HALF, SUM, 0x03ff, 0x0001, 0x0400},
    {HALF, PROD, 0x0001, 0x3800, 0x0000},
    {HALF, PROD, 0x0003, 0x3800, 0x0002},
    {HALF, PROD, 0x8003, 0x3800, 0x8002},
    {HALF, SUM, 0x8000, 0x8000, 0x8000},
    {HALF, MIN, 0xbc00, 0x3c00, 0xbc00},
    {HALF, MAX, 0xc000, 0xbc00, 0xbc00},
    /* 256 + 1 and 258 + 1 lie in the middle. */
    {BFLOAT16, SUM, 0x4380, 0x3f80, 0x4380},
    {BFLOAT16, SUM, 0x4381, 0x3f80, 0x4382},
    {BFLOAT16, SUM, 0x7f7f, 0x7f7f, BFLOAT16_INFINITY},
    {BFLOAT16, PROD, 0xff7f, 0x4000, 0xff80},
    {BFLOAT16, SUM, 0x0001, 0x0001, 0x0002},
    {BFLOAT16, MIN, 0xbf80, 0x3f80, 0xbf80},
    {BFLOAT16, MAX, 0x4000, 0x4040, 0x4040},
};

/* The low bytes of a word, in the machine's order. */
static void store(void *to, uint64_t value, unsigned size)
{
    uint8_t v8 = (uint8_t)value;
    uint16_t v16 = (uint16_t)value;
    uint32_t v32 = (uint32_t)value;
    const void *from = size == 1 ? (void *)&v8 : size == 2 ? (void *)&v16 : (void *)&v32;
    memcpy(to, size == 8 ? &value : from, size);
}

/* Of six elements every second one, from the second on. */
static void test_each_type_and_operation(void **state)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        const struct row *row = &rows[r];
        unsigned size = sizes[row->number];
        unsigned char to[6 * 8], from[6 * 8], want[6 * 8];
        for (unsigned i = 0; i < 6; i++) {
            store(to + i * size, row->a, size);
            store(from + i * size, row->b, size);
            store(want + i * size, i % 2 == 1 ? row->want : row->a, size);
        }
        ash_combine(row->number, row->op, to, from, 6, 1, 2);
        if (memcmp(to, want, 6 * size) != 0)
            fail_msg("%s, op %d: %#llx and %#llx", names[row->number], (int)row->op,
                     (unsigned long long)row->a, (unsigned long long)row->b);
    }
}

/* In each of them, where float would not do for double, nor double for float. */
static void test_float_and_double(void **state)
{
    float f[3] = {16777216.0f, 1e-45f, 3e38f}, f_from[3] = {1.0f, 1e-45f, 3e38f};
    double d[3] = {0.1, 9007199254740992.0, 1e300}, d_from[3] = {0.2, 1.0, 1e300};
    ash_combine(ASH_NUMBER_F32, SUM, f, f_from, 3, 0, 1);
    assert_true(f[0] == 16777216.0f && f[1] == 3e-45f && isinf(f[2]));
    ash_combine(ASH_NUMBER_F64, SUM, d, d_from, 3, 0, 1);
    assert_true(d[0] == 0.30000000000000004 && d[1] == 9007199254740992.0 && d[2] == 2e300);
    d[0] = 1.0 / 3;
    ash_combine(ASH_NUMBER_F64, MIN, d, d_from, 1, 0, 1);
    assert_true(d[0] == 0.2);
}

static bool is_nan(uint16_t bits, uint16_t infinity) { return (bits & 0x7fffu) > infinity; }

static void test_not_a_number(void **state)
{
    static const enum ash_number numbers[] = {HALF, BFLOAT16};
    static const uint16_t infinity[] = {HALF_INFINITY, BFLOAT16_INFINITY};
    for (unsigned k = 0; k < 2; k++) {
        /* Infinity less infinity; a NaN that only its lowest bit makes one; zero times infinity. */
        uint16_t inf = infinity[k], to[2] = {inf, (uint16_t)(inf + 1)}, zero = 0;
        uint16_t from[2] = {(uint16_t)(inf | 0x8000u), 0};
        ash_combine(numbers[k], SUM, to, from, 2, 0, 1);
        assert_true(is_nan(to[0], inf) && is_nan(to[1], inf));
        ash_combine(numbers[k], PROD, &zero, &inf, 1, 0, 1);
        assert_true(is_nan(zero, inf));
    }
}

/* A positive finite number by its definition. */
static double value_of(uint16_t bits, int fraction_bits, int bias)
{
    int exponent = bits >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    double value = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
    int power = (exponent == 0 ? 1 : exponent) - bias - fraction_bits;
    for (; power < 0; power++) value /= 2;
    for (; power > 0; power--) value *= 2;
    return value;
}

/* The next float, of a positive one. */
static float after(float value) { return ash_float_of_bits(ash_bits_of_float(value) + 1); }
static float before(float value) { return ash_float_of_bits(ash_bits_of_float(value) - 1); }

/* Each number; the middle to the next one, and the floats beside that. */
static void check_all(uint16_t infinity, int fraction_bits, int bias, float (*widen)(uint16_t),
                      uint16_t (*round)(float))
{
    for (uint16_t bits = 0; bits < infinity; bits++) {
        double here = value_of(bits, fraction_bits, bias);
        double next = value_of((uint16_t)(bits + 1), fraction_bits, bias);
        float middle = (float)((here + next) / 2);
        uint16_t even = (uint16_t)(bits + (bits & 1)), sign = 0x8000u;
        assert_true((double)widen(bits) == here && (double)widen(bits | sign) == -here);
        assert_int_equal(round(widen(bits)), bits);
        assert_int_equal(round(widen(bits | sign)), bits | sign);
        if ((double)middle != (here + next) / 2) continue; /* smaller than any float, or larger */
        assert_int_equal(round(middle), even);
        assert_int_equal(round(-middle), even | sign);
        assert_int_equal(round(before(middle)), bits);
        assert_int_equal(round(after(middle)), bits + 1);
    }
    assert_true(isinf(widen(infinity)) && widen(infinity | 0x8000u) < 0);
    assert_int_equal(round(INFINITY), infinity);
    assert_int_equal(round(-INFINITY), infinity | 0x8000u);
}

static float widen_half(uint16_t bits) { return ash_float_of_half(bits); }
static uint16_t round_half(float value) { return ash_half_of_float(value); }
static float widen_bfloat16(uint16_t bits) { return ash_float_of_bfloat16(bits); }
static uint16_t round_bfloat16(float value) { return ash_bfloat16_of_float(value); }

static void test_all_values_of_half(void **state)
{
    check_all(HALF_INFINITY, 10, 15, widen_half, round_half);
}

static void test_all_values_of_bfloat16(void **state)
{
    check_all(BFLOAT16_INFINITY, 7, 127, widen_bfloat16, round_bfloat16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_type_and_operation),
        cmocka_unit_test(test_float_and_double),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_all_values_of_half),
        cmocka_unit_test(test_all_values_of_bfloat16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
