/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of all cases, for the list in cases.c: those of rma.c, amo.c, wait.c and order.c. */
#ifndef ANYSHMEM_PERF_CASES_H
#define ANYSHMEM_PERF_CASES_H

#include "perf.h"

perf_body perf_put, perf_put_rate, perf_get, perf_get_rate, perf_p_rate, perf_g, perf_put_signal,
    perf_put_signal_rate, perf_p_wait, perf_signal_op;
perf_body perf_fetch, perf_fetch_add, perf_fetch_inc, perf_fetch_and, perf_fetch_or,
    perf_fetch_xor, perf_swap, perf_compare_swap, perf_set_rate, perf_add_rate, perf_inc_rate,
    perf_and_rate, perf_or_rate, perf_xor_rate;
perf_body perf_wait, perf_wait_all, perf_wait_any, perf_wait_some, perf_wait_all_vector,
    perf_wait_any_vector, perf_wait_some_vector, perf_test, perf_test_all, perf_test_any,
    perf_test_some, perf_test_all_vector, perf_test_any_vector, perf_test_some_vector;
perf_body perf_quiet, perf_fence, perf_p_quiet, perf_barrier, perf_sync, perf_ring,
    perf_all_to_all;

#endif
