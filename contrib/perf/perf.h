/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem-perf: measures how fast the routines are, and the limit of the machine
 * in the same run.
 *
 *   main.c      options; measures the paths of the data one after the other
 *   core.h      clock, order of values, pause between polls
 *   measure.c   alternates rounds of ours and of the limit; medians
 *   table.c     prints rows as a table or CSV, and reads CSV; plot.c: draws them
 *   cases.c     the list of cases; rma.c amo.c wait.c order.c: their bodies
 *   limit.c     limits of plain loads, stores and atomics; limit_ucx.c: of UCX
 */
#ifndef ANYSHMEM_PERF_H
#define ANYSHMEM_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_ROUNDS_MAX 99
#define PERF_VARIABLES_MAX 4096
#define PERF_FROM_MAX 32

/* The paths of the data. */
#define PERF_WAYS(X) \
    X(MAPPED, "mapped", "peers on this machine, whose heaps are mapped") \
    X(SHARED, "proxy-sm", "over the channel, the proxy, and UCX's shared memory") \
    X(TCP, "proxy-tcp", "over the channel, the proxy, and UCX's TCP") \
    X(AM, "proxy-am", "the same by active messages (ANYSHMEM_REMOTE=am)") \
    X(GIVEN, "given", "as the environment says; nothing is set")

enum perf_way {
#define X(NAME, TEXT, HELP) PERF_##NAME,
    PERF_WAYS(X)
#undef X
    PERF_N_WAYS
};

enum perf_unit { PERF_TIME, PERF_RATE, PERF_BANDWIDTH };

/*
 * The arguments of a body.  `peer_words`, `peer_target` and `ucx` belong to this PE,
 * as does `me`; the other values are the same on all PEs.
 */
struct perf {
    int me, n_pes, peer;
    enum perf_way way;
    /* Bytes of a message, or variables of a wait. */
    size_t size;
    /* Symmetric: words, each in its own cache line, and buffers for messages. */
    uint64_t *words;
    char *target, *source;
    /* The peer's words and target if they are mapped here; else NULL. */
    uint64_t *peer_words;
    char *peer_target;
    /* Increases over all bodies, so that no round sees a value of an earlier one. */
    uint64_t round;
    struct limit_ucx *ucx;
};

/* Indices of the words that bodies use, in separate cache lines; the last are an array. */
enum { PERF_WORD_AMO = 0, PERF_WORD_SIGNAL = 32, PERF_WORD_DATA = 64, PERF_WORD_ASK = 96,
       PERF_WORD_REPLY = 128, PERF_WORD_ARRAY = 160,
       PERF_WORDS = PERF_WORD_ARRAY + PERF_VARIABLES_MAX };

/* Runs the operation `count` times.  If two or all PEs run it, each adds `count` to round. */
typedef void perf_body(struct perf *perf, long count);

/* Which PEs run a body; the others wait in a barrier, or poll the word of the AMOs. */
enum perf_who { PERF_FIRST, PERF_BOTH, PERF_ALL, PERF_POLLED };

/* The sizes that a case is measured with: one, sizes of a message, or numbers of variables. */
enum perf_size { PERF_ONE, PERF_BYTES, PERF_VARIABLES };

struct perf_limit {
    const char *name;
    perf_body *body;
    /* The peer runs it as well. */
    bool both;
};

struct perf_case {
    const char *name;
    const char *help;
    enum perf_unit unit;
    enum perf_who who;
    enum perf_size sized;
    /* Operations in one iteration of a body; 2 for a round trip. */
    unsigned per_turn;
    perf_body *body;
    /* The limits if the peer is mapped, and if it is not. */
    struct perf_limit mapped, remote;
};

extern const struct perf_case perf_cases[];
extern const unsigned perf_n_cases;

struct perf_options {
    size_t smallest, largest, step;
    /* 0: as many as fit in batch_ms. */
    long iterations;
    unsigned rounds, batch_ms, warmup;
    /* The user has chosen the paths. */
    bool chosen;
    bool ways[PERF_N_WAYS];
    /* The message about a path that cannot be measured here, or NULL. */
    const char *left_out;
    bool csv, kernel;
    const char *picture;
    /* CSV files to draw, instead of a measurement. */
    const char *from[PERF_FROM_MAX];
    int n_from;
    char **names;
    int n_names;
};

/* One row; times in ns of one operation. */
struct perf_row {
    enum perf_way way;
    const struct perf_case *test;
    size_t size;
    int n_pes;
    double median, least, spread;
    /* 0: there is no limit to compare with. */
    double limit, ratio;
    const char *limit_name;
};

/* measure.c: all PEs call it; the row is valid on PE 0. */
void perf_measure(struct perf *perf, const struct perf_options *options,
                  const struct perf_case *test, struct perf_row *ret_row);

/* measure.c: returns PE 0's value on all PEs; collective. */
long perf_share(struct perf *perf, long value);

/* table.c */
extern const char *const perf_way_names[];
const char *perf_unit_name(const struct perf_row *row);
/* Converts ns to the unit of the row's case. */
double perf_convert(const struct perf_row *row, double ns);
void perf_table_begin(const struct perf_options *options);
void perf_table_row(const struct perf_options *options, const struct perf_row *row);
/* All rows so far, those that were read from files included. */
const struct perf_row *perf_table_rows(unsigned *ret_n);
/* Adds the rows of a CSV file; false, with a message, if it cannot be read. */
bool perf_table_read(const char *file);

/* plot.c: is the file one that can be drawn, by a gnuplot that is there?  If not it says why. */
bool perf_plot_possible(const char *picture);
/* Draws a picture or, if the rows have several units, one for each, with the unit in the file's
 * name; returns false, with a message, if it cannot. */
bool perf_plot(const char *picture);

/* limit.c */
perf_body limit_store, limit_load, limit_copy_to, limit_copy_from, limit_fetch_add, limit_add,
    limit_compare_swap, limit_swap, limit_ping_pong, limit_lines, limit_scan_any,
    limit_scan_all;

/* limit_ucx.c: starts a bare UCX between PE 0 and its peer; NULL, with a message, on failure. */
struct limit_ucx *limit_ucx_open(struct perf *perf, size_t target_nbytes);
void limit_ucx_close(struct limit_ucx *ucx);
perf_body limit_ucx_put, limit_ucx_put_rate, limit_ucx_get, limit_ucx_fetch_add,
    limit_ucx_add_rate, limit_ucx_ping_pong;

#endif
