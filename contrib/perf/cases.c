/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of cases, as one table: each with its text, its sizes, its body and its limits. */
#include "cases.h"

#define MAPPED(NAME, BODY) .mapped = {NAME, BODY, false}
/* The peer runs it, too, because a bare UCX needs progress on both PEs. */
#define REMOTE(NAME, BODY) .remote = {NAME, BODY, true}

/* A round trip of an AMO on one word. */
#define FETCHING(NAME, TEXT, MAPPED_NAME, MAPPED_BODY) \
    {#NAME, TEXT ", with its result", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_##NAME, \
     MAPPED(MAPPED_NAME, MAPPED_BODY), REMOTE("UCX fetch-add", limit_ucx_fetch_add)}
/* AMOs without a result, issued without waiting. */
#define PLAIN(NAME, TEXT) \
    {#NAME "_rate", TEXT ", one after the other, and a quiet", PERF_RATE, PERF_FIRST, PERF_ONE, 1, \
     perf_##NAME##_rate, MAPPED("CPU atomic", limit_add), REMOTE("UCX add", limit_ucx_add_rate)}
/* Waits and tests on an array of this PE. */
#define SCAN(NAME, LIMIT, TEXT) \
    {#NAME, TEXT, PERF_TIME, PERF_FIRST, PERF_VARIABLES, 1, perf_##NAME, \
     MAPPED("reading them", LIMIT), .remote = {"reading them", LIMIT, false}}

const struct perf_case perf_cases[] = {
    {"put", "putmem and quiet", PERF_TIME, PERF_FIRST, PERF_BYTES, 1, perf_put,
     MAPPED("memcpy", limit_copy_to), REMOTE("UCX put and flush", limit_ucx_put)},
    {"put_bw", "putmem_nbi, one after the other", PERF_BANDWIDTH, PERF_FIRST, PERF_BYTES, 1,
     perf_put_rate, MAPPED("memcpy", limit_copy_to), REMOTE("UCX put", limit_ucx_put_rate)},
    {"get", "getmem", PERF_TIME, PERF_FIRST, PERF_BYTES, 1, perf_get,
     MAPPED("memcpy", limit_copy_from), REMOTE("UCX get", limit_ucx_get)},
    {"get_bw", "getmem_nbi, one after the other", PERF_BANDWIDTH, PERF_FIRST, PERF_BYTES, 1,
     perf_get_rate, MAPPED("memcpy", limit_copy_from), {0, 0, false}},
    {"put_signal", "putmem_signal there and back, half of it", PERF_TIME, PERF_BOTH, PERF_BYTES, 2,
     perf_put_signal, MAPPED("memcpy and a flag", limit_ping_pong),
     REMOTE("UCX message", limit_ucx_ping_pong)},
    {"put_signal_rate", "putmem_signal_nbi, one after the other", PERF_RATE, PERF_FIRST,
     PERF_BYTES, 1,
     perf_put_signal_rate, {0, 0, false}, {0, 0, false}},
    {"p_rate", "p, one after the other, and a quiet", PERF_RATE, PERF_FIRST, PERF_ONE, 1,
     perf_p_rate, MAPPED("store", limit_store), {0, 0, false}},
    {"p_quiet", "p and quiet", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_p_quiet,
     MAPPED("store", limit_store), {0, 0, false}},
    {"g", "g", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_g, MAPPED("load", limit_load), {0, 0,
     false}},
    {"p_wait", "p and wait_until, half of the round trip", PERF_TIME, PERF_BOTH, PERF_ONE, 2,
     perf_p_wait, MAPPED("a flag", limit_lines), REMOTE("UCX message", limit_ucx_ping_pong)},
    {"signal_op", "signal_op and signal_wait_until, half of the round trip", PERF_TIME, PERF_BOTH,
     PERF_ONE, 2, perf_signal_op, MAPPED("a flag", limit_lines),
     REMOTE("UCX message", limit_ucx_ping_pong)},
    FETCHING(fetch, "atomic_fetch", "load", limit_load),
    FETCHING(fetch_add, "atomic_fetch_add", "CPU atomic", limit_fetch_add),
    {"fetch_add_polled", "the same while the target polls the word", PERF_TIME, PERF_POLLED,
     PERF_ONE,
     1, perf_fetch_add, MAPPED("CPU atomic", limit_fetch_add), {0, 0, false}},
    FETCHING(fetch_inc, "atomic_fetch_inc", "CPU atomic", limit_fetch_add),
    FETCHING(fetch_and, "atomic_fetch_and", "CPU atomic", limit_compare_swap),
    FETCHING(fetch_or, "atomic_fetch_or", "CPU atomic", limit_compare_swap),
    FETCHING(fetch_xor, "atomic_fetch_xor", "CPU atomic", limit_compare_swap),
    FETCHING(swap, "atomic_swap", "CPU atomic", limit_swap),
    FETCHING(compare_swap, "atomic_compare_swap", "CPU atomic", limit_compare_swap),
    PLAIN(set, "atomic_set"),
    PLAIN(add, "atomic_add"),
    PLAIN(inc, "atomic_inc"),
    PLAIN(and, "atomic_and"),
    PLAIN(or, "atomic_or"),
    PLAIN(xor, "atomic_xor"),
    {"wait", "wait_until on a value that is there", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_wait,
     MAPPED("load", limit_load), {0, 0, false}},
    {"test", "test", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_test, MAPPED("load", limit_load),
     {0, 0, false}},
    SCAN(wait_all, limit_scan_all, "wait_until_all"),
    SCAN(wait_any, limit_scan_any, "wait_until_any, the last one is met"),
    SCAN(wait_some, limit_scan_any, "wait_until_some, the last one is met"),
    SCAN(wait_all_vector, limit_scan_all, "wait_until_all_vector"),
    SCAN(wait_any_vector, limit_scan_any, "wait_until_any_vector, the last one is met"),
    SCAN(wait_some_vector, limit_scan_any, "wait_until_some_vector, the last one is met"),
    SCAN(test_all, limit_scan_all, "test_all"),
    SCAN(test_any, limit_scan_any, "test_any, the last one is met"),
    SCAN(test_some, limit_scan_any, "test_some, the last one is met"),
    SCAN(test_all_vector, limit_scan_all, "test_all_vector"),
    SCAN(test_any_vector, limit_scan_any, "test_any_vector, the last one is met"),
    SCAN(test_some_vector, limit_scan_any, "test_some_vector, the last one is met"),
    {"quiet", "quiet with nothing to wait for", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_quiet,
     {0, 0, false}, {0, 0, false}},
    {"fence", "fence with nothing before it", PERF_TIME, PERF_FIRST, PERF_ONE, 1, perf_fence, {0,
     0, false},
     {0, 0, false}},
    {"barrier", "barrier_all", PERF_TIME, PERF_ALL, PERF_ONE, 1, perf_barrier, {0, 0, false}, {0,
     0, false}},
    {"sync", "sync_all", PERF_TIME, PERF_ALL, PERF_ONE, 1, perf_sync, {0, 0, false}, {0, 0, false}},
    {"ring", "one hop of a token that goes round all PEs", PERF_TIME, PERF_ALL, PERF_ONE, 1,
     perf_ring, {0, 0, false}, {0, 0, false}},
    {"all_to_all", "each PE signals all, and waits for all", PERF_TIME, PERF_ALL, PERF_ONE, 1,
     perf_all_to_all, {0, 0, false}, {0, 0, false}},
};

const unsigned perf_n_cases = sizeof(perf_cases) / sizeof(perf_cases[0]);
