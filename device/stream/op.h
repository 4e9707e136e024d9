/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is queued on a stream: one call with its arguments, which were checked.
 *
 * The host's compiler and nvcc must lay it out alike, because an operation is passed to a
 * kernel as an argument.  Addresses are those of the caller; run.h runs an operation.
 */
#ifndef ASH_DEVICE_STREAM_OP_H
#define ASH_DEVICE_STREAM_OP_H

#include "device/routine/collective.h"
#include "device/routine/strided.h"
#include "device/routine/wait_search.h"

enum ash_stream_kind {
    ASH_STREAM_PUT,
    ASH_STREAM_GET,
    ASH_STREAM_IPUT,
    ASH_STREAM_IGET,
    ASH_STREAM_P,
    ASH_STREAM_PUT_SIGNAL,
    ASH_STREAM_SIGNAL,
    ASH_STREAM_WAIT,
    ASH_STREAM_WAIT_SET,
    ASH_STREAM_QUIET,
    ASH_STREAM_SYNC,
    ASH_STREAM_BARRIER,
    ASH_STREAM_COLLECTIVE,
    /* A function of the program: for the host only. */
    ASH_STREAM_CALL,
    /* A kernel of the host device; whoever has the operation is a user of its launch. */
    ASH_STREAM_LAUNCH
};

/* Of PUT and GET; PUT_SIGNAL has the signal's members as well, SIGNAL only those.  A SIGNAL's
 * nbytes is the data that earlier operations of the stream have put for it; 0: none. */
struct ash_stream_copy {
    void *dest;
    const void *source;
    uint64_t nbytes;
    uint64_t *sig_addr;
    uint64_t signal;
    int sig_op;
    int pe;
    bool blocking;
};

struct ash_stream_element {
    void *dest;
    uint64_t bits;
    unsigned width;
    int pe;
};

struct ash_stream_wait {
    const void *variable;
    uint64_t value;
    struct ash_kind kind;
    int cmp;
};

/* If one value is for all elements, `value` is a copy of it, of the set's kind, and set.values is
 * not used. */
struct ash_stream_wait_set {
    struct ash_wait_set set;
    uint64_t value;
};

/* SYNC and BARRIER have the call's team alone.  The call's function is not used, and its scope is
 * that in which the operation runs. */
struct ash_stream_collective {
    struct ash_collective_call call;
    enum ash_meeting kind;
    /* Of a broadcast. */
    int root;
    /* Of a reduction. */
    enum ash_number number;
    enum ash_reduction op;
};

struct ash_stream_call {
    void (*function)(void *arg);
    void *arg;
};

struct ash_kept_launch;

struct ash_stream_op {
    enum ash_stream_kind kind;
    /* The routine that was called, for messages: a string in host memory.  A kernel cannot
     * read it, so its launch passes a copy (gpu/module.cu). */
    const char *function;
    union {
        struct ash_stream_copy copy;
        struct ash_strided strided;
        struct ash_stream_element p;
        struct ash_stream_wait wait;
        struct ash_stream_wait_set wait_set;
        struct ash_stream_collective collective;
        struct ash_stream_call call;
        struct ash_kept_launch *launch;
    };
};

#endif
