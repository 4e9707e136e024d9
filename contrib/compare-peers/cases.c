/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of cases, as one table: each with its sizes, its body, its limit and its check. */
#include "bench.h"

#define LIMIT(NAME, BODY) {NAME, BODY, false}
#define LOCAL(NAME, BODY) {NAME, BODY, true}
#define NO_LIMIT {0, 0, false}

/* An AMO by PE 0 on its peer's word. */
#define AMO(NAME, WHO, MANY, BODY, LIMIT_NAME, LIMIT_BODY) \
    {"amo", NAME, "us", WHO, ONE, 1, MANY, BODY, LIMIT(LIMIT_NAME, LIMIT_BODY), check_word}
#define PING_PONG(NAME, BODY) \
    {"ping", NAME, "us", BOTH, MESSAGES, 2, TWO, BODY, LIMIT("memcpy+flag", limit_copy_flag), \
     check_target}
#define SCAN(NAME, BODY, LIMIT_BODY) \
    {"scan", NAME, "us", FIRST, VARIABLES, 1, TWO, BODY, LOCAL("reading", LIMIT_BODY), \
     check_array}

#define COLLECTIVE(NAME, BODY, CHECK) \
    {"coll", NAME, "us", ALL, BLOCKS, 1, ALL_SIZES, BODY, NO_LIMIT, CHECK}

const struct bench_case bench_cases[] = {
#if BENCH_COLLECTIVES != BENCH_MPI
    AMO("fetch_add", FIRST, FIRST_SIZE, bench_fetch_add, "atomic", limit_fetch_add),
    AMO("fetch_add_polled", POLLED, TWO, bench_fetch_add, "atomic", limit_fetch_add),
    AMO("compare_swap", FIRST, TWO, bench_compare_swap, "atomic", limit_compare_swap),
    AMO("swap", FIRST, TWO, bench_swap, "atomic", limit_swap),
    AMO("fetch", FIRST, TWO, bench_fetch, "load", limit_load),
    AMO("set_quiet", FIRST, TWO, bench_set_quiet, "store", limit_store),
    AMO("add_quiet", FIRST, TWO, bench_add_quiet, "atomic", limit_add),
    {"amo", "add_rate", "Mop/s", FIRST, ONE, 1, TWO, bench_add_rate,
     LIMIT("atomic", limit_add), check_word},
    {"amo", "contended_add", "us", ALL, ONE, 1, FIRST_SIZE, bench_contended,
     LIMIT("atomic", limit_contended), check_word},
    {"amo", "fetch_add_busy", "us", BUSY, ONE, 1, TWO, bench_fetch_add,
     LIMIT("atomic", limit_fetch_add), check_word},
    {"amo", "add_busy", "us", BUSY, ONE, 1, TWO, bench_add_rate, LIMIT("atomic", limit_add),
     check_word},
    AMO("ctx_fetch_add", FIRST, TWO, bench_ctx_fetch_add, "atomic", limit_fetch_add),
    AMO("ctx_set_quiet", FIRST, TWO, bench_ctx_set_quiet, "store", limit_store),
    {"amo", "ctx_add_rate", "Mop/s", FIRST, ONE, 1, TWO, bench_ctx_add_rate,
     LIMIT("atomic", limit_add), check_word},
    {"amo", "ctx_create", "us", FIRST, ONE, 1, TWO, bench_ctx_create, NO_LIMIT, 0},
    {"lock", "lock", "us", FIRST, ONE, 1, TWO, bench_lock, LIMIT("atomic", limit_swap), 0},
    {"lock", "lock_add", "us", ALL, ONE, 1, FIRST_SIZE, bench_lock_add, NO_LIMIT,
     check_own_word},
    {"ping", "p_wait", "us", BOTH, ONE, 2, FIRST_SIZE, bench_p_wait, LIMIT("flag", limit_flag), 0},
    {"ping", "p_test", "us", BOTH, ONE, 2, TWO, bench_p_test, LIMIT("flag", limit_flag), 0},
    {"ping", "set_wait", "us", BOTH, ONE, 2, TWO, bench_set_wait, LIMIT("flag", limit_flag), 0},
    {"ping", "inc_wait", "us", BOTH, ONE, 2, TWO, bench_inc_wait, LIMIT("flag", limit_flag), 0},
    PING_PONG("put_fence_p", bench_put_fence_p),
    PING_PONG("put_quiet_p", bench_put_quiet_p),
#if BENCH_SIGNALS
    {"ping", "put_signal", "us", BOTH, MESSAGES, 2, FIRST_SIZE, bench_put_signal,
     LIMIT("memcpy+flag", limit_copy_flag), check_target},
    PING_PONG("put_signal_nbi", bench_put_signal_nbi),
#endif
    {"bulk", "put_bw", "MB/s", FIRST, BULK, 1, TWO, bench_put_bw,
     LIMIT("memcpy", limit_copy_to), check_target},
    {"bulk", "get", "us", FIRST, MESSAGES, 1, TWO, bench_get, LIMIT("memcpy", limit_copy_from),
     check_source},
#if BENCH_SETS
    SCAN("wait_all", bench_wait_all, limit_scan_all),
    SCAN("wait_any", bench_wait_any, limit_scan_any),
    SCAN("wait_some", bench_wait_some, limit_scan_any),
    SCAN("test_any", bench_test_any, limit_scan_any),
    {"scan", "p_wait_any", "us", BOTH, VARIABLES, 2, TWO, bench_p_wait_any, NO_LIMIT, 0},
#endif
#if BENCH_VECTORS
    SCAN("wait_all_vector", bench_wait_all_vector, limit_scan_all),
    SCAN("wait_any_vector", bench_wait_any_vector, limit_scan_any),
    SCAN("wait_some_vector", bench_wait_some_vector, limit_scan_any),
#endif
    {"order", "ring", "us", ALL, ONE, 0, FIRST_SIZE, bench_ring, LIMIT("flag", limit_ring), 0},
    {"order", "barrier", "us", ALL, ONE, 1, FIRST_SIZE, bench_barrier,
     LIMIT("flags", limit_barrier), 0},
#endif
#if BENCH_COLLECTIVES
    COLLECTIVE("reduce", bench_reduce, check_reduce),
    COLLECTIVE("broadcast", bench_broadcast, check_broadcast),
    COLLECTIVE("collect", bench_collect, check_blocks),
    COLLECTIVE("fcollect", bench_fcollect, check_blocks),
    COLLECTIVE("alltoall", bench_alltoall, check_blocks),
#endif
#if BENCH_COLLECTIVES != BENCH_MPI
    {"init", "init", "ms", FIRST, ONE, 1, FIRST_SIZE, 0, NO_LIMIT, 0},
#endif
};

const unsigned bench_n_cases = sizeof(bench_cases) / sizeof(bench_cases[0]);
