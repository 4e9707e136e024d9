/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What OpenSHMEM calls deprecated: deprecated.c with its names; and the names of 1.0 and before.
 *
 * shmem_deprecated_cxx.cc is this file as C++, where the names without a type are overloads.
 */
#include <mpp/shmem.h>

#define FURTHER old_names

static void old_names(void);

#include "tests/pe/deprecated.c"

/* The function that C before C11 calls; in C++ an overload is all there is. */
#if defined(__cplusplus)
#define OLD_WAIT_UNTIL shmem_wait_until
#else
#define OLD_WAIT_UNTIL (shmem_wait_until)
#endif

static void old_names(void)
{
    const int to = (_my_pe() + 1) % _num_pes();
    long *words;
    pe_step("names of 1.0 and before");
    start_pes(0);
    PE_EQUAL(my_pe(), pe_me);
    PE_EQUAL(num_pes(), pe_n);
    words = (long *)shmalloc(2 * sizeof(*words));
    PE_NEED(words != NULL);
    words[0] = words[1] = 7;
    words = (long *)shrealloc(words, 4 * sizeof(*words));
    PE_NEED(words != NULL);
    PE_EQUAL(words[1], 7);
    shmem_long_p(&words[0], pe_me, to);
    OLD_WAIT_UNTIL(&words[0], _SHMEM_CMP_NE, 7);
    PE_EQUAL(words[0], (pe_me + pe_n - 1) % pe_n);
    shmem_udcflush();
    shmem_udcflush_line(words);
    shmem_set_cache_inv();
    shmem_set_cache_line_inv(words);
    shmem_clear_cache_inv();
    shmem_clear_cache_line_inv(words);
    shfree(words);
    words = (long *)shmemalign(4096, 8);
    PE_EQUAL((uintptr_t)words % 4096, 0);
    shfree(words);
#if !defined(__cplusplus)
    {
        unsigned *number = (unsigned *)shmalloc(sizeof(*number));
        PE_NEED(number != NULL);
        shmem_set(number, 7u, pe_me);
        shmem_quiet();
        PE_EQUAL(shmem_cswap(number, 7u, 0xffffffffu, pe_me), 7u);
        PE_EQUAL(shmem_fadd(number, 2u, pe_me), 0xffffffffu);
        PE_EQUAL(shmem_fetch(number, pe_me), 1u);
        shfree(number);
    }
#endif
    shmem_pcontrol(1);
    shmem_pcontrol(7, "more", 1.0);
}
