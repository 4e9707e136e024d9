/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * litmus SECONDS: data with a signal, and data, fence, flags; each PE sends to the
 * next one and takes from the one before it.
 *
 * Messages lie in slots, each with a word of its own that says which message is
 * there: nothing but the signal, or the fence, orders the word behind the bytes.
 * The target compares every byte, then writes the complement of what comes next:
 * a byte that is late is seen, whatever was there before.
 *
 * PE_SEED  which bytes and sizes [1]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/clock.h"
#include "tests/support/pe.h"

#define SMALL_MAX 64u
#define SMALL_SLOTS 1024u
#define LARGE_MAX (1u << 20)
#define LARGE_SLOTS 4u
/* Messages behind one fence, at most; also sent and taken in one go. */
#define BATCH 16u
/* One in so many is a large one, if there is room. */
#define SMALL_PER_LARGE 2048u
#define PATTERN (4u << 20)

enum form { BY_SIGNAL, BY_FENCE, FORMS };

/* What one PE sends to the next: its end there, and symmetric memory of both. */
struct stream {
    enum form form;
    uint32_t n_slots, bytes_max;
    /* At the target: bytes, and the number of the message whose bytes they are. */
    unsigned char *bytes;
    uint64_t *is;
    /* At the origin: how many were taken.  At the target: how many there are, at the end. */
    uint64_t *taken, *last;
    uint64_t n_sent, n_taken, n_notified;
};

static struct stream streams[2 * FORMS];
static unsigned char *pattern, *complement;
static uint64_t seed, n_bytes;
static int next, before;

/* Where a message lies in its slot and in the pattern, and its size: from its number. */
struct message {
    size_t at, nbytes, from;
};

static struct message message(const struct stream *s, int origin, uint64_t number)
{
    uint64_t state = seed ^ number << 8 ^ (uint64_t)(s - streams) << 60 ^ (uint64_t)origin;
    uint64_t x = pe_random(&state), slot = number % s->n_slots;
    struct message m;
    if (s->bytes_max == SMALL_MAX)
        m.nbytes = 1 + x % s->bytes_max;
    else
        m.nbytes = 1 + (x >> 16) % ((uint64_t)s->bytes_max >> x % 15);
    m.at = slot * s->bytes_max + (x >> 40) % (s->bytes_max - m.nbytes + 1);
    m.from = (x >> 20) % (PATTERN - LARGE_MAX);
    return m;
}

/* The number that the slot's word has then, from 1 on. */
static uint64_t mark(const struct stream *s, uint64_t number)
{
    return number / s->n_slots + 1;
}

static void expect(struct stream *s, uint64_t number)
{
    struct message m = message(s, before, number);
    memcpy(s->bytes + m.at, complement + m.from, m.nbytes);
}

static void send_signal(struct stream *s, uint64_t number)
{
    struct message m = message(s, pe_me, number);
    uint64_t *word = &s->is[number % s->n_slots], value = mark(s, number);
    bool add = m.from & 1, blocks = m.from & 2;
    (blocks ? nvshmem_putmem_signal : nvshmem_putmem_signal_nbi)(
        s->bytes + m.at, pattern + m.from, m.nbytes, word, add ? 1 : value,
        add ? NVSHMEM_SIGNAL_ADD : NVSHMEM_SIGNAL_SET, next);
}

/* All bytes, one fence, then the flags, the last one first. */
static void send_fence(struct stream *s, uint64_t number, uint64_t n)
{
    for (uint64_t i = number; i < number + n; i++) {
        struct message m = message(s, pe_me, i);
        if (m.from & 2)
            nvshmem_putmem(s->bytes + m.at, pattern + m.from, m.nbytes, next);
        else
            nvshmem_putmem_nbi(s->bytes + m.at, pattern + m.from, m.nbytes, next);
    }
    nvshmem_fence();
    for (uint64_t i = number + n; i-- > number;) {
        uint64_t *word = &s->is[i % s->n_slots];
        switch (i % 3) {
        case 0: nvshmem_uint64_p(word, mark(s, i), next); break;
        case 1: nvshmem_uint64_atomic_set(word, mark(s, i), next); break;
        default: nvshmem_uint64_atomic_inc(word, next); break;
        }
    }
}

/* As many as there is room for; returns whether there was any. */
static bool send_some(struct stream *s)
{
    uint64_t taken = nvshmem_signal_fetch(s->taken), n = s->n_slots - (s->n_sent - taken);
    if (n > BATCH) n = BATCH;
    if (n > s->n_slots / 2) n = s->n_slots / 2;
    if (n == 0) return false;
    for (uint64_t i = 0; s->form == BY_SIGNAL && i < n; i++) send_signal(s, s->n_sent + i);
    if (s->form == BY_FENCE) send_fence(s, s->n_sent, n);
    s->n_sent += n;
    return true;
}

static bool take_one(struct stream *s)
{
    uint64_t number = s->n_taken;
    struct message m = message(s, before, number);
    if (nvshmem_signal_fetch(&s->is[number % s->n_slots]) < mark(s, number)) return false;
    if (memcmp(s->bytes + m.at, pattern + m.from, m.nbytes) != 0) {
        size_t i = 0;
        while (s->bytes[m.at + i] == pattern[m.from + i]) i++;
        pe_step("PE_SEED=%llu, stream %d, message %llu of %zu bytes", (unsigned long long)seed,
                (int)(s - streams), (unsigned long long)number, m.nbytes);
        PE_EQUAL(i, m.nbytes);
    }
    PE_EQUAL(s->is[number % s->n_slots], mark(s, number));
    n_bytes += m.nbytes;
    s->n_taken++;
    expect(s, number + s->n_slots);
    return true;
}

/* Returns whether there was any; notifies the origin of what it may use again. */
static bool take_some(struct stream *s)
{
    unsigned n = 0;
    while (n < 2 * BATCH && take_one(s)) n++;
    if (s->n_taken - s->n_notified >= (s->n_slots > 8 ? s->n_slots / 8 : 1)) {
        /* The new one must not come before the old one. */
        nvshmem_fence();
        nvshmem_uint64_p(s->taken, s->n_taken, before);
        s->n_notified = s->n_taken;
    }
    return n > 0;
}

static void run(double seconds)
{
    double end = now() + seconds;
    bool open[PE_COUNT(streams)], all_taken = false, time_is_up = false;
    memset(open, 1, sizeof(open));
    for (unsigned turn = 0; !all_taken; turn++) {
        bool moved = false;
        if (turn % 64 == 0) time_is_up = now() > end;
        all_taken = true;
        for (unsigned i = 0; i < PE_COUNT(streams); i++) {
            struct stream *s = &streams[i];
            bool large = s->bytes_max == LARGE_MAX;
            if (open[i] && time_is_up) {
                /* One more than the number: zero says nothing. */
                nvshmem_uint64_p(s->last, s->n_sent + 1, next);
                open[i] = false;
            }
            if (open[i] && (!large || turn % (SMALL_PER_LARGE / BATCH) == 0))
                moved |= send_some(s);
            moved |= take_some(s);
            all_taken &= !open[i] && s->n_taken + 1 == nvshmem_signal_fetch(s->last);
        }
        if (!moved) pe_yield_cpu();
    }
}

static void prepare(void)
{
    uint64_t state = seed;
    pattern = malloc(PATTERN);
    complement = malloc(PATTERN);
    PE_NEED(pattern != NULL && complement != NULL);
    for (size_t i = 0; i < PATTERN; i++) {
        pattern[i] = (unsigned char)pe_random(&state);
        complement[i] = (unsigned char)~pattern[i];
    }
    for (unsigned i = 0; i < PE_COUNT(streams); i++) {
        struct stream *s = &streams[i];
        s->form = i % FORMS;
        s->bytes_max = i < FORMS ? SMALL_MAX : LARGE_MAX;
        s->n_slots = i < FORMS ? SMALL_SLOTS : LARGE_SLOTS;
        s->bytes = pe_alloc((size_t)s->n_slots * s->bytes_max);
        s->is = pe_alloc(s->n_slots * sizeof(*s->is));
        s->taken = pe_alloc(64);
        s->last = pe_alloc(64);
        for (uint64_t number = 0; number < s->n_slots; number++) expect(s, number);
    }
}

int main(int argc, char **argv)
{
    const char *seed_text = getenv("PE_SEED");
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    uint64_t *sums, small, large;
    bool mapped;
    seed = seed_text != NULL ? strtoull(seed_text, NULL, 0) : 1;
    setenv("NVSHMEM_SYMMETRIC_SIZE", "32M", 1);
    pe_start("litmus");
    next = (pe_me + 1) % pe_n;
    before = (pe_me + pe_n - 1) % pe_n;
    prepare();
    sums = pe_alloc(4 * sizeof(*sums));
    mapped = nvshmem_ptr(sums, before) != NULL;
    nvshmem_barrier_all();
    run(seconds);
    small = streams[0].n_taken + streams[1].n_taken;
    large = streams[2].n_taken + streams[3].n_taken;
    PE_TRUE(small > 0);
    nvshmem_uint64_atomic_add(&sums[mapped ? 0 : 1], small + large, 0);
    nvshmem_uint64_atomic_add(&sums[2], large, 0);
    nvshmem_uint64_atomic_add(&sums[3], n_bytes >> 20, 0);
    nvshmem_barrier_all();
    if (pe_me == 0)
        printf("litmus: %llu messages mapped, %llu by UCX, %llu of them to 1 MiB, %llu MiB\n",
               (unsigned long long)sums[0], (unsigned long long)sums[1],
               (unsigned long long)sums[2], (unsigned long long)sums[3]);
    return pe_finish();
}
