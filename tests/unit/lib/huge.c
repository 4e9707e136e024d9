/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Huge pages of a heap: at this process's request, and where the kernel makes none or needs long.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "device/hostdev/clock.h"
#include "tests/unit/unit.h"

#define MIB (UINT64_C(1) << 20)

/* A kernel that makes no huge pages, for this reason, or needs so long. */
static struct {
    int error, n_asked;
    uint64_t ns;
} no_huge;

static int limited_madvise(void *start, size_t nbytes, int advice)
{
    no_huge.n_asked++;
    ash_sleep_ns(no_huge.ns);
    if (no_huge.error == 0) return madvise(start, nbytes, advice);
    errno = no_huge.error;
    return -1;
}

static int new_kernel(void **state)
{
    no_huge.error = no_huge.n_asked = 0;
    no_huge.ns = 0;
    return 0;
}

#define madvise limited_madvise
#include "lib/memory/huge.c"
#undef madvise

static uint64_t real_bytes(const struct ash_memory *memory)
{
    struct stat st;
    assert_int_equal(fstat(memory->file.fd, &st), 0);
    return (uint64_t)st.st_blocks * 512;
}

/* Bytes of this process that are mapped by huge pages of files without a disk. */
static uint64_t huge_bytes(void)
{
    FILE *rollup = fopen("/proc/self/smaps_rollup", "r");
    char line[128];
    unsigned long long kib = 0;
    assert_non_null(rollup);
    while (fgets(line, sizeof(line), rollup) != NULL)
        if (sscanf(line, "ShmemPmdMapped: %llu", &kib) == 1) break;
    fclose(rollup);
    return kib * 1024;
}

/* At this process's request, whatever the system does by itself. */
static void test_large_commit_has_huge_pages(void **state)
{
    struct ash_memory m;
    unsigned char *peer;
    uint64_t own;
    assert_int_equal(ash_memory_reserve(&m, 64 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, MIB, 40 * MIB), 0);
    assert_int_equal(real_bytes(&m), 40 * MIB);
    if (m.huge == ASH_HUGE_REFUSED) {
        ash_memory_finish(&m);
        skip();
    }
    memset(m.base + MIB, 1, 40 * MIB);
    own = huge_bytes();
    assert_true(own >= 2 * MIB && own <= 38 * MIB);
    assert_int_equal(ash_memory_map_peer(&m, 0, &m.file, &peer), 0);
    for (uint64_t at = MIB; at < 41 * MIB; at += 4096) assert_int_equal(peer[at], 1);
    assert_int_equal(huge_bytes(), 2 * own);
    ash_memory_unmap_peer(peer, m.file.size);
    ash_memory_undo(&m);
    assert_int_equal(real_bytes(&m), 0);
    ash_memory_finish(&m);
}

/* An old kernel is asked once, one that has none just now each time. */
static void test_commit_without_huge_pages(void **state)
{
    struct ash_memory m;
    for (int error = 0; error < 2; error++) {
        no_huge.error = error == 0 ? EINVAL : ENOMEM;
        assert_int_equal(ash_memory_reserve(&m, 128 * MIB), 0);
        assert_int_equal(ash_memory_commit(&m, 5 * MIB, 48 * MIB), 0);
        assert_int_equal(no_huge.n_asked, error == 0 ? 1 : 3);
        assert_int_equal(real_bytes(&m), 48 * MIB);
        memset(m.base + 5 * MIB, 1, 48 * MIB);
        assert_int_equal(huge_bytes(), 0);
        /* A block of less than a huge page is not asked for. */
        no_huge.n_asked = 0;
        assert_int_equal(ash_memory_commit(&m, 60 * MIB, MIB), 0);
        assert_int_equal(no_huge.n_asked, 0);
        ash_memory_undo(&m);
        assert_int_equal(real_bytes(&m), 48 * MIB);
        ash_memory_finish(&m);
    }
}

/* It is not asked again within a block where it has to move other pages for each huge one. */
static void test_slow_huge_pages(void **state)
{
    struct ash_memory m;
    no_huge.ns = 8 * SLOW_NS + 1000000;
    assert_int_equal(ash_memory_reserve(&m, 128 * MIB), 0);
    assert_int_equal(ash_memory_commit(&m, 0, 48 * MIB), 0);
    assert_int_equal(no_huge.n_asked, 1);
    assert_int_equal(real_bytes(&m), 48 * MIB);
    assert_int_equal(ash_memory_commit(&m, 48 * MIB, 48 * MIB), 0);
    assert_int_equal(no_huge.n_asked, 2);
    ash_memory_finish(&m);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, new_kernel)
    const struct CMUnitTest tests[] = {
        TEST(test_large_commit_has_huge_pages),
        TEST(test_commit_without_huge_pages),
        TEST(test_slow_huge_pages),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
