/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that device routines work on: this PE, where the heaps are, the channel.
 *
 * lib/ fills it in nvshmem_init; device routines only read it, but write some of what
 * it points to, such as the channel.  Before nvshmem_init and after nvshmem_finalize
 * n_pes and heap_size are 0, so that every argument check fails and the slow
 * path says why: the fast path needs no test of its own.
 */
#ifndef ASH_DEVICE_STATE_STATE_H
#define ASH_DEVICE_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ash_wake_word;
struct ash_channel;

/*
 * A reply line: 64 bytes in which the proxy replies to one device thread at a time.
 * Value and sequence are one aligned pair, which a GPU reads by one load.
 */
struct ash_reply {
    /* The reply: a fetched value.  Written by: proxy.  Read by: device. */
    uint64_t value;
    /* Replies so far.  Written by: proxy (R3).  Read by: device (A3). */
    uint64_t sequence;
    uint64_t unused[6];
};

/* What is invalid: it selects the message that ends the program. */
enum ash_fault_kind {
    ASH_FAULT_NOT_STARTED,
    ASH_FAULT_PE,
    ASH_FAULT_RANGE,
    ASH_FAULT_ALIGNMENT,
    ASH_FAULT_CMP,
    ASH_FAULT_SIGNAL_OP,
    ASH_FAULT_SIZE,
    ASH_FAULT_TEAM,
    ASH_FAULT_ROOT,
    /* A context that does not exist, or not any more. */
    ASH_FAULT_CTX,
    /* The PEs of a team are in different collective calls: see routine/meeting.h. */
    ASH_FAULT_MEETING,
    /* Another thread of this PE, in the routine `argument`, is in a collective of the team. */
    ASH_FAULT_CONCURRENT,
    /* A signal handler has interrupted what it waits for. */
    ASH_FAULT_INTERRUPTED,
    ASH_FAULT_NULL,
    ASH_FAULT_ISHMEM_CMP,
    ASH_FAULT_ISHMEM_SIGNAL_OP,
    ASH_FAULT_GROUP,
    ASH_FAULT_STREAM,
    ASH_FAULT_QUEUE,
    /* The caller cannot wait for the stream. */
    ASH_FAULT_STREAM_WAIT,
    /* The host device cannot go on; `argument` says why. */
    ASH_FAULT_HOST_DEVICE,
    /* None: the program ends the job, with the status `value`. */
    ASH_FAULT_EXIT,
    /* A kernel has found that it is wrong: `argument` says how, `function` and `value` are file and
     * line, or NULL. */
    ASH_FAULT_KERNEL,
    /* A symmetric lock: this PE does not have it, or nbytes, found in its word, is no PE. */
    ASH_FAULT_LOCK,
    /* A stride of alltoalls that is not positive. */
    ASH_FAULT_STRIDE,
    /* An active set with PEs that there are not, or without the caller: `value` has PE_start, and
     * in its upper half logPE_stride, and `nbytes` PE_size. */
    ASH_FAULT_ACTIVE_SET
};

struct ash_fault {
    enum ash_fault_kind kind;
    /* Routine and argument, as the specification names them. */
    const char *function;
    const char *argument;
    /* The bad value (PE, comparison, address) and, for a range, its length in bytes. */
    uint64_t value;
    uint64_t nbytes;
};

/* Teams at a time, including the seven predefined ones: a bit for each in the word with which PEs
 * agree on a number. */
#define ASH_TEAMS 64
/* Bytes in which a team's collectives receive from other PEs. */
#define ASH_TEAM_SCRATCH 660480

/* How the PEs of a team share what small collectives give: see routine/share.h. */
enum ash_sharing {
    /* Each reads it in the others' memory, which is mapped. */
    ASH_SHARING_READ,
    /* They send it, as the signals of the two forms of a barrier. */
    ASH_SHARING_ROUNDS,
    ASH_SHARING_GATHERED
};

/* What the PEs of a team count, all alike.  One for CPU and GPU of a PE. */
struct ash_team_count {
    /* Meetings so far, and how many of them were broadcasts that nobody's signal ended at the root
     * (routine/ahead.h). */
    uint64_t epoch, ahead;
    /* The last meetings were so many of these. */
    uint64_t row;
};

/* A team of PEs; all of them have it under the same number. */
struct ash_team {
    /* This PE's number in the team, and the team's size; size 0: there is no such team here. */
    int32_t my_pe;
    int32_t n_pes;
    /* Its barrier gathers the arrivals at its first PE: see routine/barrier.h. */
    bool gathers;
    /* Its meetings use so many words and records in turn, less one: 15 where a root may go ahead
     * (routine/ahead.h), else 1. */
    uint8_t turn_mask;
    /* From the word of one turn to that of the next one. */
    uint8_t turn_words;
    enum ash_sharing sharing;
    /* n_pes entries: the PEs' numbers in the job; NULL: the same as in the team. */
    const int32_t *pes;
    struct ash_team_count *count;
    /* Offsets in every heap of the words of its barriers (routine/barrier.h), of the records of its
     * calls (routine/meeting.h), and of its slots for small collectives (routine/share.h). */
    uint64_t words, records, slots;
    /* ASH_TEAM_SCRATCH bytes of this PE. */
    unsigned char *scratch;
    /* The address of the name of the collective routine in which a thread is, or 0; not for a GPU.
     * Read and written by: device. */
    uint64_t caller;
};

/* Bytes of the names in a fault that a GPU reports, with the terminating zero. */
#define ASH_FAULT_FUNCTION 64
#define ASH_FAULT_ARGUMENT 16

/* A fault, as a GPU reports it to the proxy.  In host memory; the first one counts. */
struct ash_fault_box {
    char function[ASH_FAULT_FUNCTION];
    char argument[ASH_FAULT_ARGUMENT];
    uint64_t kind, value, nbytes;
    uint32_t block[3], thread[3];
    /* 1, with release, when the rest is in place.  Written by: device.  Read by: proxy. */
    uint64_t ready;
};

/*
 * What only a GPU has; all zero for the host device.  "Own" memory is the GPU's;
 * all else is host memory that the GPU sees at the same addresses.
 */
struct ash_gpu {
    /* 1: the GPU's atomics on host memory are atomic for CPUs, too. */
    uint32_t native_atomics;
    /* 1: the heaps of all PEs are mapped, so that the host sends no requests. */
    uint32_t all_mapped;
    /* Number of reply lines - 1; a thread takes its line by ticket (channel/lap.h). */
    uint32_t reply_mask;
    /* Own: next ticket of reply lines; how often each line was given back.  Read and written
     * by: device. */
    uint64_t *reply_ticket;
    uint64_t *reply_released;
    /* Staging: stage_mask + 1 buffers of 1 << stage_shift bytes. */
    unsigned char *stage;
    uint32_t stage_shift;
    uint32_t stage_mask;
    /* Own: next ticket of staging buffers.  Read and written by: device. */
    uint64_t *stage_ticket;
    /* How often each buffer was given back.  Written by: proxy for a put, device for a get.
     * Read by: device. */
    uint64_t *stage_released;
    struct ash_fault_box *fault;
    /* Own: set by the first thread with a fault, which alone reports one. */
    uint32_t *fault_taken;
    /* Not 0: the job ends, so waiting threads exit.  Written by: host.  Read by: device. */
    const uint32_t *poison;
};

/* The first cache line has all that a usual put, get, p, g or atomic reads. */
struct ash_state {
    int32_t my_pe;
    /* 0 while the library is not started, and while calls are observed (observe/observe.h). */
    uint32_t n_pes;
    /* This PE's heap; symmetric addresses are addresses in it. */
    unsigned char *heap;
    /* The heap's size in bytes, and in aligned elements of 1, 2, 4 and 8 bytes. */
    union {
        uint64_t heap_size;
        uint64_t heap_elements[4];
    };
    /* n_pes entries: where that PE's heap is mapped here, or NULL. */
    unsigned char *const *peer;
    /* NULL where there is no proxy, as every PE is mapped. */
    struct ash_channel *channel;
    /* Progress: does one iteration of the proxy's work in the calling thread; true if there
     * was work.  NULL where there is no proxy. */
    bool (*progress)(void);
    /* Yields progress to the proxy's thread: the caller, which made it while it waited, will
     * sleep. */
    void (*yield_progress)(void);
    /* True if a signal handler, the caller, has interrupted its thread in the proxy's work. */
    bool (*interrupted)(void);
    /* The proxy is in a timed sleep, because callers make progress: a thread that sends a
     * request without waiting for it kicks the proxy.  Written by: proxy.  Read by: device. */
    bool proxy_in_timed_sleep;
    /* Requests that kicks have left in the channel for the next one, or for a wait, which then
     * makes progress at once (proxy/kick.c).  Written by: proxy.  Read by: device. */
    uint32_t requests_left;
    void (*kick)(bool can_wait);
    /* This PE's wake word, in its heap (target/waiters.h); NULL: the library is not started. */
    struct ash_wake_word *wake_word;
    /* Reply lines; a request carries the index of its line + 1. */
    struct ash_reply *replies;
    /* Teams by their numbers; the first one has all PEs. */
    struct ash_team team[ASH_TEAMS];
    /* Ends the program with a message; never NULL, does not return.  Not for a GPU. */
    void (*on_fault)(const struct ash_fault *fault);
    struct ash_gpu gpu;
};

/* The state of this PE, on its host (lib/start/state.c). */
extern __attribute__((visibility("hidden"))) struct ash_state ash_state;

static inline void ash_state_set_heap(struct ash_state *state, unsigned char *heap, uint64_t size)
{
    unsigned i;
    state->heap = heap;
    for (i = 0; i < 4; i++) state->heap_elements[i] = size >> i;
}

#endif
