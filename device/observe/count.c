/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each POSIX thread has counts of its own, found by a thread-local pointer and listed under a
 * lock; a thread that ends adds its counts to those of ended threads.  It also makes the trace's
 * events of calls and pushes, which trace.c keeps until they are written.
 */
#include "device/observe/count.h"
#include "device/observe/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>


/*
 * Counts of one POSIX thread, whose device threads run one at a time.  Written by: that
 * thread; by ash_observe_start, while no thread calls.  Read by: ash_observe_sum.
 */
struct counts {
    struct counts *next;
    struct ash_call_counts calls;
    /* NULL until it has emitted an event. */
    struct ash_trace_buffer *trace;
};

uint32_t ash_observed_pes;

static struct {
    pthread_mutex_t lock;
    /* Counts of each running thread, and the sum of those of threads that have ended. */
    struct counts *living;
    struct ash_call_counts ended;
    pthread_once_t once;
    pthread_key_t key;
    int key_error;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static __thread struct counts *own __attribute__((tls_model("initial-exec")));

static void add(uint64_t *counter, uint64_t value)
{
    dev_store_relaxed(counter, 8, dev_load_relaxed(counter, 8) + value);
}

void ash_count_add(struct ash_count *count, uint64_t nbytes, uint64_t ns)
{
    unsigned bin = 63u - (unsigned)__builtin_clzll(ns | 1);
    add(&count->n, 1);
    add(&count->nbytes, nbytes);
    if (ns == ASH_COUNT_NO_TIME) return;
    add(&count->bins[bin < ASH_COUNT_BINS ? bin : ASH_COUNT_BINS - 1], 1);
    if (ns > dev_load_relaxed(&count->max_ns, 8)) dev_store_relaxed(&count->max_ns, 8, ns);
}

void ash_count_sum(struct ash_count *io_sum, const struct ash_count *part)
{
    uint64_t max_ns = dev_load_relaxed(&part->max_ns, 8);
    io_sum->n += dev_load_relaxed(&part->n, 8);
    io_sum->nbytes += dev_load_relaxed(&part->nbytes, 8);
    if (max_ns > io_sum->max_ns) io_sum->max_ns = max_ns;
    for (unsigned i = 0; i < ASH_COUNT_BINS; i++)
        io_sum->bins[i] += dev_load_relaxed(&part->bins[i], 8);
}

static void sum(struct ash_call_counts *io_sum, const struct ash_call_counts *part)
{
    io_sum->n_threads += part->n_threads;
    for (unsigned call = 0; call < ASH_CALL_KINDS; call++)
        for (unsigned via = 0; via < ASH_CALL_VIAS; via++)
            ash_count_sum(&io_sum->count[call][via], &part->count[call][via]);
}

/* A thread ends: its counts stay.  Flushed under the lock, for ash_trace_flush_all may run. */
static void thread_end(void *pointer)
{
    struct counts *counts = pointer, **link = &all.living;
    (void)pthread_mutex_lock(&all.lock);
    while (*link != counts) link = &(*link)->next;
    *link = counts->next;
    sum(&all.ended, &counts->calls);
    if (counts->trace != NULL) ash_trace_flush(counts->trace);
    (void)pthread_mutex_unlock(&all.lock);
    own = NULL;
    free(counts->trace);
    free(counts);
}

static void key_make(void) { all.key_error = pthread_key_create(&all.key, thread_end); }

static struct counts *counts_of_caller(void)
{
    struct counts *counts = own;
    if (counts != NULL) return counts;
    (void)pthread_once(&all.once, key_make);
    counts = calloc(1, sizeof(*counts));
    if (counts == NULL || all.key_error != 0 || pthread_setspecific(all.key, counts) != 0)
        ash_hostdev_fail("out of memory for ANYSHMEM_STATS");
    (void)pthread_mutex_lock(&all.lock);
    counts->next = all.living;
    all.living = counts;
    (void)pthread_mutex_unlock(&all.lock);
    return own = counts;
}

/* A call to one PE is counted by the path to it, others by whether there is a channel. */
static unsigned via(const struct ash_observed *observed)
{
    bool mapped;
    if (observed->call == ASH_CALL_WAIT || observed->call == ASH_CALL_TEST) return ASH_VIA_MAPPED;
    mapped = observed->pe == ASH_NO_PE ? ash_state.channel == NULL
                                       : ash_state.peer[observed->pe] != NULL;
    return mapped ? ASH_VIA_MAPPED : ASH_VIA_CHANNEL;
}

/* Add an event to the buffer of the calling thread. */
static void emit(struct ash_event *event)
{
    struct counts *counts = counts_of_caller();
    if (counts->trace == NULL) counts->trace = calloc(1, sizeof(*counts->trace));
    if (counts->trace == NULL) ash_hostdev_fail("out of memory for ANYSHMEM_TRACE");
    event->track = ash_hostdev_attach()->reply + 1;
    ash_trace_add(counts->trace, event);
}

/* A value's flow starts at the call that stored it and finishes at the call that saw it. */
static char phase_of_value(const struct ash_observed *observed)
{
    return observed->call == ASH_CALL_WAIT || observed->call == ASH_CALL_TEST ? 'f' : 's';
}

static void emit_call(const struct ash_observed *observed, uint64_t ended)
{
    struct ash_event event = {.began = observed->began,
                              .ended = ended,
                              .function = observed->function,
                              .nbytes = observed->nbytes,
                              .pe = observed->pe,
                              .kind = observed->outer == NULL ? ASH_EVENT_CALL : ASH_EVENT_PART,
                              .op = observed->call};
    event.flow[ASH_FLOW_REQUEST] = (struct ash_flow){observed->request, 'f'};
    event.flow[ASH_FLOW_VALUE] = (struct ash_flow){observed->value, phase_of_value(observed)};
    emit(&event);
}

void ash_observed_value(struct ash_observed *observed, int pe, uint64_t offset, uint64_t value)
{
    if (offset < ash_state.heap_size) observed->value = ash_flow_value((uint32_t)pe, offset, value);
}

uint64_t ash_observed_push(void) { return ash_trace_sink != NULL ? ash_now_ns() : 0; }

void ash_observed_pushed(uint64_t began, uint32_t doorbell, uint64_t ticket, unsigned op,
                         uint32_t pe, bool waits)
{
    struct ash_event event = {.began = began,
                              .ended = ash_now_ns(),
                              .pe = (int32_t)pe,
                              .kind = ASH_EVENT_PUSH,
                              .op = (uint8_t)op};
    uint64_t id = ash_flow_request((uint32_t)ash_state.my_pe, false, doorbell, ticket);
    event.flow[ASH_FLOW_REQUEST] = (struct ash_flow){id, 's'};
    if (waits && ash_hostdev_attach()->observed != NULL)
        ash_context_current->observed->request = id;
    emit(&event);
}

void ash_trace_flush_caller(void)
{
    if (own != NULL && own->trace != NULL) ash_trace_flush(own->trace);
}

void ash_trace_flush_all(void)
{
    (void)pthread_mutex_lock(&all.lock);
    for (struct counts *counts = all.living; counts != NULL; counts = counts->next)
        if (counts->trace != NULL) ash_trace_flush(counts->trace);
    (void)pthread_mutex_unlock(&all.lock);
}

void ash_observed_begin(struct ash_observed *observed)
{
    struct ash_context *context = ash_hostdev_attach();
    observed->outer = context->observed;
    context->observed = observed;
    observed->request = observed->value = 0;
    observed->untraced = false;
    observed->began = ash_now_ns();
}

void ash_observed_end(struct ash_observed *observed)
{
    uint64_t ended = ash_now_ns(), ns = ended - observed->began;
    struct counts *counts;
    ash_context_current->observed = observed->outer;
    if (ash_trace_sink != NULL && !observed->untraced) emit_call(observed, ended);
    if (observed->outer != NULL) return;
    counts = counts_of_caller();
    dev_store_relaxed(&counts->calls.n_threads, 8, 1);
    ash_count_add(&counts->calls.count[observed->call][via(observed)], observed->nbytes, ns);
}

void ash_observe_start(uint32_t n_pes)
{
    (void)pthread_mutex_lock(&all.lock);
    memset(&all.ended, 0, sizeof(all.ended));
    for (struct counts *counts = all.living; counts != NULL; counts = counts->next)
        memset(&counts->calls, 0, sizeof(counts->calls));
    (void)pthread_mutex_unlock(&all.lock);
    /* A wait may last indefinitely: events from before it are passed on when it is registered. */
    ash_hostdev_wait_hook = ash_trace_flush_caller;
    ash_observed_pes = n_pes;
    ash_state.n_pes = 0;
}

void ash_observe_stop(void)
{
    if (ash_observed_pes == 0) return;
    ash_state.n_pes = ash_observed_pes;
    ash_observed_pes = 0;
}

void ash_observe_forked(void)
{
    (void)pthread_mutex_init(&all.lock, NULL);
    ash_observed_pes = 0;
}

void ash_observe_sum(struct ash_call_counts *ret_counts)
{
    memset(ret_counts, 0, sizeof(*ret_counts));
    (void)pthread_mutex_lock(&all.lock);
    sum(ret_counts, &all.ended);
    for (const struct counts *counts = all.living; counts != NULL; counts = counts->next)
        sum(ret_counts, &counts->calls);
    (void)pthread_mutex_unlock(&all.lock);
}
