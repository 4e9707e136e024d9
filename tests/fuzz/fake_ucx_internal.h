/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the UCX without a network share. */
#ifndef ASH_TESTS_FUZZ_FAKE_UCX_INTERNAL_H
#define ASH_TESTS_FUZZ_FAKE_UCX_INTERNAL_H

#include "tests/fuzz/fake_ucx.h"
#include "tests/fuzz/fuzz.h"

#define WORKERS 32

/* A message that has arrived. */
struct letter {
    struct letter *next;
    void *header, *data;
    size_t header_length, nbytes;
};

/* Context, worker and memory of one PE. */
struct worker {
    bool used, opens_memory;
    unsigned number;
    ucp_am_recv_callback_t handler;
    void *arg;
    uint64_t memory, length;
    struct letter *letters;
};

struct ep {
    struct worker *from, *to;
};

extern struct worker fake_ucx_workers[WORKERS];

#endif
