// SPDX-License-Identifier: BSD-3-Clause
// OpenSHMEM's names without a type as C++ has them: overloads, each of all types.
#include <shmem.h>
#include <string.h>

#include "tests/support/pe.h"

#if !defined(PROGRAM)
#define PROGRAM "shmem_cxx"
#endif

static int to, from;

// For another type the names without one do not compile.
template <typename T, typename = void>
struct has_test {
    static constexpr bool value = false;
};
template <typename T>
struct has_test<T, decltype(void(shmem_test((T *)nullptr, SHMEM_CMP_EQ, T())))> {
    static constexpr bool value = true;
};
static_assert(has_test<short>::value && has_test<uint64_t>::value && has_test<size_t>::value, "");
static_assert(!has_test<float>::value && !has_test<char>::value && !has_test<void *>::value, "");

static const size_t COUNT = 8;

template <typename T>
static void check_copy(T *got, int pe)
{
    for (size_t i = 0; i < COUNT; i++) PE_TRUE(got[i] == (T)(pe * 10 + (int)i + 1));
    memset((void *)got, 0, COUNT * sizeof(T));
}

template <typename T>
static void put(int form, T *dest, const T *source, uint64_t *word)
{
    switch (form) {
    case 0: shmem_put(dest, source, COUNT, to); break;
    case 1: shmem_put_nbi(dest, source, COUNT, to); break;
    case 2: shmem_put_signal(dest, source, COUNT, word, 1, SHMEM_SIGNAL_ADD, to); break;
    case 3: shmem_put_signal_nbi(dest, source, COUNT, word, 1, SHMEM_SIGNAL_ADD, to); break;
    default:
        for (size_t i = 0; i < COUNT; i++) shmem_p(&dest[i], source[i], to);
        break;
    }
}

template <typename T>
static void copies(const char *name, void *memory, uint64_t *word)
{
    T *dest = (T *)memory, *symmetric = dest + COUNT, source[COUNT], got[COUNT];
    uint64_t before = *word;
    pe_step("copies of %s", name);
    for (size_t i = 0; i < COUNT; i++) symmetric[i] = source[i] = (T)(pe_me * 10 + (int)i + 1);
    for (int form = 0; form < 5; form++) {
        shmem_barrier_all();
        put(form, dest, source, word);
        shmem_barrier_all();
        check_copy(dest, from);
    }
    PE_EQUAL(*word, before + 2);
    shmem_get(got, symmetric, COUNT, from);
    check_copy(got, from);
    shmem_get_nbi(got, symmetric, COUNT, from);
    shmem_quiet();
    check_copy(got, from);
    for (size_t i = 0; i < COUNT; i++) got[i] = shmem_g(&symmetric[i], from);
    check_copy(got, from);
    shmem_barrier_all();
}

// Only this PE uses the variable of the next one.
template <typename T>
static void moves(const char *name, void *memory)
{
    T *variable = (T *)memory, old = 0;
    pe_step("moves of %s", name);
    shmem_atomic_set(variable, (T)5, to);
    shmem_quiet();
    PE_TRUE(shmem_atomic_swap(variable, (T)6, to) == (T)5);
    shmem_atomic_swap_nbi(&old, variable, (T)7, to);
    shmem_quiet();
    PE_TRUE(old == (T)6);
    shmem_atomic_fetch_nbi(&old, variable, to);
    shmem_quiet();
    PE_TRUE(old == (T)7);
    PE_TRUE(shmem_atomic_fetch((const T *)variable, to) == (T)7);
}

template <typename T>
static void sums(const char *name, void *memory)
{
    T *variable = (T *)memory, old[3];
    pe_step("sums of %s", name);
    shmem_atomic_set(variable, (T)10, to);
    shmem_quiet();
    PE_TRUE(shmem_atomic_compare_swap(variable, (T)9, (T)1, to) == (T)10);
    PE_TRUE(shmem_atomic_compare_swap(variable, (T)10, (T)20, to) == (T)10);
    PE_TRUE(shmem_atomic_fetch_inc(variable, to) == (T)20);
    PE_TRUE(shmem_atomic_fetch_add(variable, (T)4, to) == (T)21);
    shmem_atomic_inc(variable, to);
    shmem_atomic_add(variable, (T)4, to);
    shmem_quiet();
    shmem_atomic_fetch_inc_nbi(&old[0], variable, to);
    shmem_quiet();
    shmem_atomic_fetch_add_nbi(&old[1], variable, (T)9, to);
    shmem_quiet();
    shmem_atomic_compare_swap_nbi(&old[2], variable, (T)40, (T)3, to);
    shmem_quiet();
    PE_TRUE(old[0] == (T)30 && old[1] == (T)31 && old[2] == (T)40);
    PE_TRUE(shmem_atomic_fetch(variable, to) == (T)3);
}

template <typename T>
static void bits(const char *name, void *memory)
{
    T *variable = (T *)memory, old[3];
    pe_step("bits of %s", name);
    shmem_atomic_set(variable, (T)0x0f, to);
    shmem_quiet();
    PE_TRUE(shmem_atomic_fetch_and(variable, (T)0x3c, to) == (T)0x0f);
    PE_TRUE(shmem_atomic_fetch_or(variable, (T)0x30, to) == (T)0x0c);
    PE_TRUE(shmem_atomic_fetch_xor(variable, (T)0xff, to) == (T)0x3c);
    shmem_atomic_and(variable, (T)0xf0, to);
    shmem_quiet();
    shmem_atomic_or(variable, (T)0x01, to);
    shmem_quiet();
    shmem_atomic_xor(variable, (T)0x11, to);
    shmem_quiet();
    shmem_atomic_fetch_and_nbi(&old[0], variable, (T)0x90, to);
    shmem_quiet();
    shmem_atomic_fetch_or_nbi(&old[1], variable, (T)0x06, to);
    shmem_quiet();
    shmem_atomic_fetch_xor_nbi(&old[2], variable, (T)0x16, to);
    shmem_quiet();
    PE_TRUE(old[0] == (T)0xd0 && old[1] == (T)0x90 && old[2] == (T)0x96);
    PE_TRUE(shmem_atomic_fetch(variable, to) == (T)0x80);
}

// The variables are 1, 2, 3, 4; the second one is left out where `status` stands.
template <typename T>
static void waits(const char *name)
{
    T ivars[] = {1, 2, 3, 4}, values[] = {1, 9, 3, 9};
    volatile T *shared = ivars;
    const int status[] = {0, 1, 0, 0};
    const int eq = SHMEM_CMP_EQ, ge = SHMEM_CMP_GE, gt = SHMEM_CMP_GT, le = SHMEM_CMP_LE;
    size_t found[4];
    pe_step("waits of %s", name);
    shmem_wait_until(&shared[2], gt, (T)2);
    PE_EQUAL(shmem_test(&ivars[2], gt, (T)2), 1);
    PE_EQUAL(shmem_test(&shared[2], gt, (T)3), 0);
    shmem_wait_until_all(shared, 4, NULL, ge, (T)1);
    PE_EQUAL(shmem_test_all(ivars, 4, NULL, ge, (T)2), 0);
    PE_EQUAL(shmem_test_all(ivars, 4, status, SHMEM_CMP_NE, (T)2), 1);
    PE_EQUAL(shmem_wait_until_any(ivars, 4, status, SHMEM_CMP_LT, (T)3), 0);
    PE_EQUAL(shmem_test_any(ivars, 4, status, eq, (T)2), SIZE_MAX);
    PE_EQUAL(shmem_test_any(ivars, 4, NULL, eq, (T)2), 1);
    PE_EQUAL(shmem_wait_until_some(ivars, 4, found, status, ge, (T)2), 2);
    PE_TRUE(found[0] + found[1] == 5);
    PE_EQUAL(shmem_test_some(shared, 4, found, status, eq, (T)2), 0);
    shmem_wait_until_all_vector(shared, 4, NULL, le, values);
    PE_EQUAL(shmem_test_all_vector(shared, 4, NULL, eq, values), 0);
    PE_EQUAL(shmem_test_all_vector(shared, 2, status, eq, values), 1);
    PE_TRUE(shmem_wait_until_any_vector(shared, 4, status, eq, values) % 2 == 0);
    PE_EQUAL(shmem_test_any_vector(shared, 4, status, gt, values), SIZE_MAX);
    PE_EQUAL(shmem_wait_until_some_vector(shared, 4, found, status, eq, values), 2);
    PE_TRUE(found[0] + found[1] == 2);
    PE_EQUAL(shmem_test_some_vector(shared, 4, found, NULL, SHMEM_CMP_LT, values), 2);
    PE_TRUE(found[0] + found[1] == 4);
}

// The sums that all types have, complex ones as well: PE i gives i + 1.
template <typename T>
static void sums_of_teams(const char *name, void *memory)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    T *source = (T *)memory, *dest = source + 1, product = T(1);
    pe_step("sums of teams of %s", name);
    for (int pe = 0; pe < pe_n; pe++) product = (T)(product * T(pe + 1));
    source[0] = T(pe_me + 1);
    PE_EQUAL(shmem_sum_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(pe_n * (pe_n + 1) / 2));
    PE_EQUAL(shmem_prod_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == product);
    PE_EQUAL(shmem_sum_inscan(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T((pe_me + 1) * (pe_me + 2) / 2));
    PE_EQUAL(shmem_sum_exscan(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(pe_me * (pe_me + 1) / 2));
}

#if defined(__GNUC__)
// The routines with a type take C's complex types, too.
static void complex_of_c(void *memory)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    static long psync[SHMEM_REDUCE_SYNC_SIZE];
    ash_c_complexf *floats = static_cast<ash_c_complexf *>(memory);
    ash_c_complexd *doubles = static_cast<ash_c_complexd *>(memory);
    pe_step("float _Complex, double _Complex");
    for (long &word : psync) word = SHMEM_SYNC_VALUE;
    floats[0] = ash_c_complexf(pe_me + 1);
    PE_EQUAL(shmem_complexf_sum_reduce(world, floats + 1, floats, 1), 0);
    PE_TRUE(floats[1] == ash_c_complexf(pe_n * (pe_n + 1) / 2));
    doubles[0] = ash_c_complexd(pe_me + 1);
    shmem_complexd_sum_to_all(doubles + 1, doubles, 1, 0, 0, pe_n, doubles + 2, psync);
    PE_TRUE(doubles[1] == ash_c_complexd(pe_n * (pe_n + 1) / 2));
    sums_of_teams<ash_c_complexf>("float _Complex", memory);
    sums_of_teams<ash_c_complexd>("double _Complex", memory);
}
#endif

template <typename T>
static void collectives(const char *name, void *memory)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    T *source = (T *)memory, *dest = source + COUNT;
    pe_step("collectives of %s", name);
    for (int pe = 0; pe < pe_n; pe++) source[pe] = T(pe_me * 10 + pe);
    PE_EQUAL(shmem_broadcast(world, dest, source, 1, pe_n - 1), 0);
    PE_TRUE(dest[0] == T((pe_n - 1) * 10));
    PE_EQUAL(shmem_fcollect(world, dest, source, 1), 0);
    PE_TRUE(dest[to] == T(to * 10));
    PE_EQUAL(shmem_collect(world, dest, source, pe_me == 0 ? 0 : 1), 0);
    if (pe_n > 1) PE_TRUE(dest[0] == T(10));
    PE_EQUAL(shmem_alltoall(world, dest, source, 1), 0);
    PE_TRUE(dest[to] == T(to * 10 + pe_me));
    PE_EQUAL(shmem_alltoalls(world, dest, source, 2, 1, 1), 0);
    PE_TRUE(dest[2 * to] == T(to * 10 + pe_me));
    PE_EQUAL(shmem_min_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(0));
    PE_EQUAL(shmem_max_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T((pe_n - 1) * 10));
}

template <typename T>
static void bits_of_teams(const char *name, void *memory)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    T *source = (T *)memory, *dest = source + 1;
    pe_step("bits of teams of %s", name);
    source[0] = T(pe_me == 0 ? 3 : 1);
    PE_EQUAL(shmem_and_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(pe_n == 1 ? 3 : 1));
    PE_EQUAL(shmem_or_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(3));
    PE_EQUAL(shmem_xor_reduce(world, dest, source, 1), 0);
    PE_TRUE(dest[0] == T(2 + pe_n % 2));
}

static void signals(uint64_t *word)
{
    pe_step("signals");
    shmem_barrier_all();
    shmem_signal_set(word, 40, to);
    shmem_quiet();
    shmem_signal_add(word, 2, to);
    shmem_barrier_all();
    PE_EQUAL(*word, 42);
    shmem_barrier_all();
}

int main()
{
    void *memory;
    uint64_t *word;
    pe_watch(PROGRAM);
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    memory = pe_alloc(2 * COUNT * sizeof(long double));
    word = (uint64_t *)pe_alloc(sizeof(*word));
#define X(NAME, TYPE) copies<TYPE>(#NAME, memory, word);
    SHMEM_RMA_TYPES(X)
#undef X
    signals(word);
#define X(NAME, TYPE) moves<TYPE>(#NAME, memory);
    NVSHMEM_EXTENDED_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) sums<TYPE>(#NAME, memory);
    NVSHMEM_AMO_TYPES(X)
#undef X
#define X(NAME, TYPE) bits<TYPE>(#NAME, memory);
    NVSHMEM_BITWISE_TYPES(X)
#undef X
#define X(NAME, TYPE) waits<TYPE>(#NAME);
    NVSHMEM_SYNC_TYPES(X)
#undef X
    shmem_barrier_all();
#define X(NAME, TYPE) collectives<TYPE>(#NAME, memory); sums_of_teams<TYPE>(#NAME, memory);
    SHMEM_RMA_TYPES(X)
#undef X
#define X(NAME, TYPE) sums_of_teams<TYPE>(#NAME, memory);
    SHMEM_COMPLEX_TYPES(X)
#undef X
#if defined(__GNUC__)
    complex_of_c(memory);
#endif
#define X(NAME, TYPE) bits_of_teams<TYPE>(#NAME, memory);
    SHMEM_REDUCE_BITWISE_TYPES(X)
#undef X
    PE_EQUAL(shmem_sync(SHMEM_TEAM_WORLD), 0);
    shmem_sync(0, 0, pe_n, nullptr);
    shmem_finalize();
    return pe_verdict();
}
