/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams as programs use them: a pipeline through all PEs that is queued
 * before it runs, random programs on several streams, and their end and new
 * begin with the library's.
 */
#include <nvshmemx.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pe.h"
#include "tests/support/stream_table.h"

/* The pipeline: each PE changes an item and hands it on. */

#define ITEMS 150u
#define SLOTS 4u
#define WORDS 600u

struct stage {
    /* Items that have come from the PE before; items that the next one has read. */
    uint64_t come, read;
    uint64_t inbox[SLOTS][WORDS];
};

static struct stage *stage;
static uint64_t outbox[SLOTS][WORDS];
static uint64_t result[ITEMS][WORDS];

struct item {
    unsigned number;
    unsigned n_words;
};
static struct item items[ITEMS];

/* What stage pe makes of a word. */
static uint64_t change(uint64_t word, int pe)
{
    return word * 6364136223846793005u + (uint64_t)pe + 1;
}

static uint64_t first_word(unsigned number, unsigned i)
{
    return (uint64_t)number << 32 | i;
}

static void work(void *pointer)
{
    const struct item *item = pointer;
    unsigned slot = item->number % SLOTS;
    uint64_t *out = pe_me == pe_n - 1 ? result[item->number] : outbox[slot];
    for (unsigned i = 0; i < item->n_words; i++)
        out[i] = change(pe_me == 0 ? first_word(item->number, i) : stage->inbox[slot][i], pe_me);
}

/* All that this PE does for an item, queued. */
static void queue_item(struct item *item, cudaStream_t stream)
{
    unsigned slot = item->number % SLOTS;
    size_t nbytes = item->n_words * sizeof(uint64_t);
    if (pe_me > 0)
        nvshmemx_signal_wait_until_on_stream(&stage->come, NVSHMEM_CMP_GE, item->number + 1,
                                             stream);
    PE_EQUAL(anyshmemx_launch_host_func(stream, work, item), 0);
    if (pe_me > 0)
        nvshmemx_signal_op_on_stream(&stage->read, 1, NVSHMEM_SIGNAL_ADD, pe_me - 1, stream);
    if (pe_me == pe_n - 1) return;
    if (item->number >= SLOTS)
        nvshmemx_uint64_wait_until_on_stream(&stage->read, NVSHMEM_CMP_GE,
                                             item->number + 1 - SLOTS, stream);
    nvshmemx_putmem_signal_on_stream(stage->inbox[slot], outbox[slot], nbytes, &stage->come,
                                     item->number + 1, NVSHMEM_SIGNAL_SET, pe_me + 1, stream);
}

static void pipeline(cudaStream_t stream)
{
    stage = pe_alloc(sizeof(*stage));
    pe_step("pipeline");
    for (unsigned k = 0; k < ITEMS; k++) {
        items[k].number = k;
        /* Of some bytes, and of some thousand. */
        items[k].n_words = k % 3 == 0 ? 1 + k % 5 : 1 + k * 37 % WORDS;
        queue_item(&items[k], stream);
    }
    PE_EQUAL(anyshmemx_stream_synchronize(stream), 0);
    for (unsigned k = 0; pe_me == pe_n - 1 && k < ITEMS; k++) {
        unsigned wrong = 0;
        pe_step("pipeline: item %u", k);
        for (unsigned i = 0; i < items[k].n_words; i++) {
            uint64_t word = first_word(k, i);
            for (int pe = 0; pe < pe_n; pe++) word = change(word, pe);
            wrong += word != result[k][i];
        }
        PE_EQUAL(wrong, 0);
    }
    nvshmem_barrier_all();
}

/*
 * Random programs: each stream of each PE has a region of its own in every PE's
 * heap, and a model of it.  What it reads back must be what the model had when
 * the read was queued.
 */

#define STREAMS 4u
#define REGION 512u
#define STEPS 400u
#define PES 8

struct lane {
    cudaStream_t stream;
    uint64_t random;
    unsigned char model[PES][REGION];
    /* Sources, which must last; what was read, and what it should be. */
    unsigned char source[STEPS][64], got[STEPS][64], want[STEPS][64];
};

static struct lane lanes[STREAMS];
/* [PE][stream][byte]: the region of a PE's stream. */
static unsigned char (*regions)[STREAMS][REGION];

static void random_copy(struct lane *lane, unsigned char *region, unsigned step, int pe)
{
    const struct stream_copy_row *row =
        &stream_copy_rows[pe_random(&lane->random) % STREAM_COPY_ROWS];
    size_t nelems = pe_random(&lane->random) % (64 / row->size + 1), nbytes = nelems * row->size;
    size_t at = pe_random(&lane->random) % ((REGION - 64) / row->size) * row->size;
    unsigned nbi = pe_random(&lane->random) & 1;
    pe_fill(lane->source[step], nbytes, lane->random);
    switch (pe_random(&lane->random) % 4) {
    case 0: row->put[nbi](region + at, lane->source[step], nelems, pe, lane->stream); break;
    case 1:
        row->put_signal[nbi](region + at, lane->source[step], nelems,
                             (uint64_t *)(void *)(region + REGION - 8), step,
                             NVSHMEM_SIGNAL_SET, pe, lane->stream);
        pe_store_bits(&lane->model[pe][REGION - 8], 8, step);
        break;
    case 2:
        if (row->p != NULL) {
            nbytes = row->size;
            pe_fill(lane->source[step], nbytes, lane->random);
            row->p(region + at, pe_load_bits(lane->source[step], nbytes), pe, lane->stream);
            break;
        } /* fall through */
    default:
        memcpy(lane->want[step], &lane->model[pe][at], nbytes);
        row->get[nbi](lane->got[step], region + at, nelems, pe, lane->stream);
        return;
    }
    memcpy(&lane->model[pe][at], lane->source[step], nbytes);
}

static void random_step(unsigned k, unsigned step)
{
    struct lane *lane = &lanes[k];
    int pe = (int)(pe_random(&lane->random) % (unsigned)pe_n);
    unsigned char *region = regions[pe_me][k];
    uint64_t *word = (uint64_t *)(void *)(region + REGION - 8);
    if (pe_random(&lane->random) % 5 == 0) {
        uint64_t before = pe_load_bits(&lane->model[pe][REGION - 8], 8);
        nvshmemx_signal_op_on_stream(word, step, NVSHMEM_SIGNAL_ADD, pe, lane->stream);
        pe_store_bits(&lane->model[pe][REGION - 8], 8, before + step);
    } else {
        random_copy(lane, region, step, pe);
    }
    nvshmemx_quiet_on_stream(lane->stream);
}

static void random_programs(uint64_t seed)
{
    for (unsigned k = 0; k < STREAMS; k++) {
        memset(&lanes[k], 0, sizeof(lanes[k]));
        lanes[k].random = seed * 1000 + (uint64_t)pe_me * STREAMS + k + 1;
        PE_NEED(k == 0 || anyshmemx_stream_create(&lanes[k].stream) == 0);
    }
    memset(regions, 0, PES * sizeof(*regions));
    nvshmem_barrier_all();
    for (unsigned step = 0; step < STEPS; step++)
        for (unsigned k = 0; k < STREAMS; k++) random_step(k, step);
    for (unsigned k = 0; k < STREAMS; k++) {
        unsigned wrong = 0;
        pe_step("random program %llu, stream %u", (unsigned long long)seed, k);
        PE_EQUAL(anyshmemx_stream_synchronize(lanes[k].stream), 0);
        for (unsigned step = 0; step < STEPS; step++)
            wrong += memcmp(lanes[k].got[step], lanes[k].want[step], 64) != 0;
        PE_EQUAL(wrong, 0);
        for (int pe = 0; pe < pe_n; pe++) {
            unsigned char now[REGION];
            nvshmem_getmem(now, regions[pe_me][k], REGION, pe);
            PE_EQUAL(memcmp(now, lanes[k].model[pe], REGION), 0);
        }
        PE_EQUAL(anyshmemx_stream_destroy(lanes[k].stream),
                 k == 0 ? NVSHMEMX_ERROR_INVALID_VALUE : 0);
    }
    nvshmem_barrier_all();
}

/* nvshmem_finalize completes what is queued, also what waits for another PE. */
static uint64_t last_seen;

static void see(void *word)
{
    last_seen = pe_load_bits(word, sizeof(last_seen));
}

static void end_and_begin_again(void)
{
    uint64_t *word = pe_alloc(sizeof(*word));
    cudaStream_t old, again;
    pe_step("finalize and init");
    PE_NEED(anyshmemx_stream_create(&old) == 0);
    nvshmemx_uint64_wait_until_on_stream(word, NVSHMEM_CMP_NE, 0, old);
    PE_EQUAL(anyshmemx_launch_host_func(old, see, word), 0);
    if (pe_me == 0) pe_sleep_us(20000);
    nvshmemx_uint64_p_on_stream(word, 5, (pe_me + 1) % pe_n, NULL);
    nvshmem_finalize();
    PE_EQUAL(last_seen, 5);
    nvshmem_init();
    PE_EQUAL(anyshmemx_stream_query(old), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(anyshmemx_stream_query(NULL), 0);
    PE_NEED(anyshmemx_stream_create(&again) == 0);
    PE_TRUE(again != old);
    word = pe_alloc(sizeof(*word));
    nvshmemx_uint64_wait_on_stream(word, 0, again);
    PE_EQUAL(anyshmemx_launch_host_func(again, see, word), 0);
    nvshmemx_uint64_p_on_stream(word, 6, (pe_me + 1) % pe_n, NULL);
    PE_EQUAL(anyshmemx_stream_synchronize(again), 0);
    PE_EQUAL(last_seen, 6);
}

int main(void)
{
    cudaStream_t stream;
    pe_start("stream_flow");
    PE_NEED(pe_n <= PES);
    PE_NEED(anyshmemx_stream_create(&stream) == 0);
    pipeline(stream);
    regions = pe_alloc(PES * sizeof(*regions));
    for (uint64_t seed = 1; seed <= 3; seed++) random_programs(seed);
    end_and_begin_again();
    return pe_finish();
}
