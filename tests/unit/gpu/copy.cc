// SPDX-License-Identifier: BSD-3-Clause
//
// How threads of a GPU copy (device/target/cuda_group.h), done by a CPU: all bytes and no
// others, at all addresses; and no variable that lies at its alignment in parts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/state/group.h"

#define DEV static inline __attribute__((unused))
#define DEV_NOINLINE static __attribute__((noinline, unused))
#define __shared__ static

static struct {
    unsigned x, y, z;
} threadIdx, blockDim = {1, 1, 1};

static inline unsigned __activemask() { return 1; }
static inline void __syncwarp(unsigned) {}
static inline void __syncthreads() {}
static inline unsigned long long __shfl_sync(unsigned, unsigned long long value, int)
{
    return value;
}

static inline unsigned dev_lanes_below() { return 0; }

// Uncached loads, and the fewest bytes of one.
static unsigned loads, narrowest;

static void count(const void *p, unsigned width)
{
    if ((uintptr_t)p % width != 0) {
        printf("Bail out! %u bytes at %p\n", width, p);
        exit(1);
    }
    loads++;
    if (width < narrowest) narrowest = width;
}

static uint64_t dev_load_relaxed(const void *p, unsigned width)
{
    uint64_t value = 0;
    count(p, width);
    memcpy(&value, p, width); // of a little-endian machine
    return value;
}

static void dev_load_pair(const uint64_t *p, uint64_t *ret_first, uint64_t *ret_second)
{
    count(p, 16);
    *ret_first = p[0];
    *ret_second = p[1];
}

// What a fence of this kind drops, a cache that the CPU does not have.
static unsigned fences;
static inline void dev_fence_acquire() { fences++; }

#include "device/target/cuda_group.h"

enum { ROOM = 512, MOST = 330 };

static unsigned char from[ROOM] __attribute__((aligned(16)));
static unsigned char to[ROOM] __attribute__((aligned(16)));
static unsigned char want[ROOM];

static void fill()
{
    for (unsigned i = 0; i < ROOM; i++) {
        from[i] = (unsigned char)(i * 7 + 1);
        to[i] = want[i] = (unsigned char)(i * 3);
    }
}

static int number, failed;

static void result(bool good, const char *name)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++number, name);
    if (!good) failed = 1;
}

// One copy by so many threads, in the order of their numbers or against it.
static bool is_right(unsigned dest, unsigned source, unsigned nbytes, unsigned threads)
{
    fill();
    memcpy(want + dest, from + source, nbytes);
    loads = 0;
    narrowest = 16;
    for (unsigned i = 0; i < threads; i++)
        dev_copy_part<true>(to + dest, from + source, nbytes,
                            nbytes % 2 ? i : threads - 1 - i, threads);
    return memcmp(to, want, ROOM) == 0;
}

static bool all_copies(unsigned threads)
{
    for (unsigned dest = 16; dest < 32; dest++)
        for (unsigned source = 16; source < 32; source++)
            for (unsigned nbytes = 0; nbytes <= MOST; nbytes += nbytes < 80 ? 1 : 7)
                if (!is_right(dest, source, nbytes, threads)) {
                    printf("# to %u, from %u, %u bytes\n", dest, source, nbytes);
                    return false;
                }
    return true;
}

// Arrays of a type, wherever it may lie.
static bool none_is_cut(unsigned width, unsigned threads)
{
    for (unsigned dest = 16; dest < 32; dest += width)
        for (unsigned source = 16; source < 32; source += width)
            for (unsigned n = 1; n * width <= MOST; n++) {
                bool right = is_right(dest, source, n * width, threads);
                if (!right || narrowest < width || (n == 1 && loads != 1)) {
                    printf("# to %u, from %u, %u of %u bytes: %u loads, %u bytes\n", dest, source,
                           n, width, loads, narrowest);
                    return false;
                }
            }
    return true;
}

// Within one array, both ways.
static bool overlaps_are_right()
{
    for (unsigned dest = 16; dest < 96; dest++)
        for (unsigned nbytes = 0; nbytes <= MOST; nbytes++) {
            fill();
            memcpy(want, from, ROOM);
            memmove(want + dest, want + 48, nbytes);
            dev_copy(from + dest, from + 48, nbytes);
            if (memcmp(from, want, ROOM) != 0) {
                printf("# to %u, from 48, %u bytes\n", dest, nbytes);
                return false;
            }
        }
    return true;
}

// One thread: a single access, or a fence before several.
static bool uncached_is_fenced()
{
    for (unsigned nbytes = 1; nbytes <= MOST; nbytes++) {
        fill();
        loads = fences = 0;
        memcpy(want + 16, from + 16, nbytes);
        dev_copy_uncached(to + 16, from + 16, nbytes);
        if (memcmp(to, want, ROOM) != 0 || (nbytes > 16) != (fences == 1) ||
            (nbytes > 16) != (loads == 0)) {
            printf("# %u bytes: %u loads, %u fences\n", nbytes, loads, fences);
            return false;
        }
    }
    return true;
}

int main()
{
    static const unsigned threads[] = {1, 3, 32, 48};
    char name[64];
    for (unsigned t : threads) {
        snprintf(name, sizeof(name), "%u threads copy all bytes, and no others", t);
        result(all_copies(t), name);
        for (unsigned width = 1; width <= 8; width *= 2) {
            snprintf(name, sizeof(name), "%u threads cut no variable of %u bytes", t, width);
            result(none_is_cut(width, t), name);
        }
    }
    result(overlaps_are_right(), "source and dest may overlap");
    result(uncached_is_fenced(), "a thread's uncached copy is one load, or has a fence");
    printf("1..%d\n", number);
    return failed;
}
