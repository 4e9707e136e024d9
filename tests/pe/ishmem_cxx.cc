// SPDX-License-Identifier: BSD-3-Clause
// Intel SHMEM's names without a type, which only C++ has, each of all types.
#define GENERIC
#include "tests/support/family_ishmem.h"
#include <string.h>

#include "tests/support/amo_table.c"
#include "tests/support/rma_table.c"

// For another type the names without one do not compile.
template <typename T, typename = void>
struct has_test {
    static constexpr bool value = false;
};
template <typename T>
struct has_test<T, decltype(void(ishmem_test((T *)nullptr, 1, T())))> {
    static constexpr bool value = true;
};
static_assert(has_test<int>::value && has_test<uint64_t>::value && has_test<size_t>::value, "");
static_assert(!has_test<float>::value && !has_test<short>::value && !has_test<char>::value, "");

static int to_pe() { return (pe_me + 1) % pe_n; }

static void all_atomics(unsigned char *cell)
{
    static const uint64_t values[] = {0, 3, UINT64_MAX, UINT64_C(0x100000005),
                                      UINT64_C(0x7ff4000000000abc), UINT64_C(0xffc123457fa00b01)};
    for (size_t i = 0; i < amo_n_rows * 36; i++) {
        const amo_row &row = amo_rows[i / 36];
        uint64_t start = values[i / 6 % 6], value = values[i % 6];
        uint64_t cond = i % 2 ? start : value, old, now = ~start;
        pe_step("%s", row.name);
        pe_store_bits(&now, row.width, start);
        ishmem_putmem(cell, &now, 8, to_pe());
        ishmem_quiet();
        old = row.run(cell, value, cond, to_pe());
        ishmem_quiet();
        ishmem_getmem(&now, cell, 8, to_pe());
        if (amo_returns(row.kind)) PE_EQUAL(old, start & amo_mask(row.width));
        PE_EQUAL(pe_load_bits(&now, row.width), amo_model(&row, start, value, cond));
    }
}

static void all_copies(unsigned char *area, uint64_t *word)
{
    unsigned char source[64 * 16], back[64 * 16];
    int from = (pe_me + pe_n - 1) % pe_n;
    uint64_t signal = 0;
    for (size_t i = 0; i < rma_n_rows; i++) {
        const rma_row &row = rma_rows[i];
        size_t nbytes = 64 * row.size;
        pe_step("%s", row.name);
        for (int form = 0; form < 4; form++) {
            pe_fill(source, nbytes, i * 4 + (unsigned)form + 1000 * (unsigned)pe_me);
            signal++;
            if (form < 2) {
                (form ? row.put : row.put_nbi)(area, source, 64, to_pe());
                ishmem_fence();
                ishmemx_signal_set(word, signal, to_pe());
            } else {
                (form == 2 ? row.put_signal : row.put_signal_nbi)(
                    area, source, 64, word, 1, NVSHMEM_SIGNAL_ADD, to_pe());
            }
            ishmem_wait_until(word, ISHMEM_CMP_EQ, signal);
            PE_FILLED(area, nbytes, i * 4 + (unsigned)form + 1000 * (unsigned)from);
            ishmem_quiet();
            (form % 2 ? row.get : row.get_nbi)(back, area, 64, to_pe());
            ishmem_quiet();
            PE_FILLED(back, nbytes, i * 4 + (unsigned)form + 1000 * (unsigned)pe_me);
            ishmem_barrier_all();
        }
        if (row.p == nullptr) continue;
        row.p(area, UINT64_C(0x8899aabbccddeeff) + (unsigned)pe_me, to_pe());
        ishmem_barrier_all();
        PE_EQUAL(pe_load_bits(area, row.size),
                 (UINT64_C(0x8899aabbccddeeff) + (unsigned)from) & amo_mask(row.size));
        PE_EQUAL(row.g(area, to_pe()),
                 (UINT64_C(0x8899aabbccddeeff) + (unsigned)pe_me) & amo_mask(row.size));
        ishmem_barrier_all();
    }
}

int main()
{
    pe_watch("ishmem_cxx");
    ishmem_init();
    pe_started();
    PE_EQUAL(amo_n_rows, 14 * 3 + 12 * 5 + 7 * 6 + 14);
    PE_EQUAL(rma_n_rows, 23 + 5 + 1);
    all_atomics((unsigned char *)pe_alloc(8));
    all_copies((unsigned char *)pe_alloc(64 * 16), (uint64_t *)pe_alloc(8));
    ishmem_finalize();
    return pe_verdict();
}
