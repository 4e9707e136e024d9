/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iput and iget with random strides, numbers of elements and addresses that are not aligned, by a
 * host thread, on a stream, and by a thread, a warp and a block of a kernel: the right elements
 * change, and nothing between them.
 */
#include <anyshmem_kernel.h>
#include <nvshmemx.h>

#define ROUNDS 60u
/* Elements of 16 bytes that a stride may pass over, to both sides. */
#define SPAN 700u
#define ROOM (2 * SPAN * 16)
#define KERNEL_THREADS 40u

#include "tests/support/strided.h"

enum who { BY_THREAD, BY_WARP, BY_BLOCK, BY_STREAM };

/* A copy of single elements, and who makes it. */
struct strided {
    struct strided_copy copy;
    enum who who;
    cudaStream_t stream;
};

#define CALL(SIZE, VERB, SUFFIX, ...) \
    case SIZE / 8: \
        nvshmemx_i##VERB##SIZE##SUFFIX(dest, source, c->dst, c->sst, c->nblocks, __VA_ARGS__); \
        break;
#define CALL_THREAD(SIZE, VERB) \
    case SIZE / 8: \
        nvshmem_i##VERB##SIZE(dest, source, c->dst, c->sst, c->nblocks, c->to); \
        break;
#define SIZES(FORM, ...) \
    switch (c->size) { \
        FORM(8, __VA_ARGS__) \
        FORM(16, __VA_ARGS__) FORM(32, __VA_ARGS__) FORM(64, __VA_ARGS__) FORM(128, __VA_ARGS__) \
    }

static void call_put(const struct strided *s, void *dest, const void *source)
{
    const struct strided_copy *c = &s->copy;
    switch (s->who) {
    case BY_THREAD: SIZES(CALL_THREAD, put) break;
    case BY_WARP: SIZES(CALL, put, _warp, c->to) break;
    case BY_BLOCK: SIZES(CALL, put, _block, c->to) break;
    case BY_STREAM: SIZES(CALL, put, _on_stream, c->to, s->stream) break;
    }
}

static void call_get(const struct strided *s, void *dest, const void *source)
{
    const struct strided_copy *c = &s->copy;
    switch (s->who) {
    case BY_THREAD: SIZES(CALL_THREAD, get) break;
    case BY_WARP: SIZES(CALL, get, _warp, c->to) break;
    case BY_BLOCK: SIZES(CALL, get, _block, c->to) break;
    case BY_STREAM: SIZES(CALL, get, _on_stream, c->to, s->stream) break;
    }
}

static void call(const struct strided *s)
{
    const struct strided_copy *c = &s->copy;
    (c->put ? call_put : call_get)(s, c->dest + c->to_first, c->source + c->from_first);
}

ANYSHMEM_KERNEL(call_in_kernel)
{
    const struct strided *s = (const struct strided *)arg;
    if (s->who == BY_BLOCK || threadIdx.x < (s->who == BY_WARP ? ANYSHMEM_WARP_SIZE : 1u)) call(s);
}

static void launch(struct strided *s)
{
    void *arg = s, *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {KERNEL_THREADS, 1, 1};
    PE_EQUAL(nvshmemx_collective_launch((const void *)call_in_kernel, grid, block, args, 0, 0), 0);
}

/* All elements lie within ROOM: a stride's sign says on which side of the middle. */
static ptrdiff_t random_stride(uint64_t *random, size_t nelems)
{
    ptrdiff_t most = (ptrdiff_t)(SPAN / nelems), step = 1;
    if (most > 9) most = 9;
    if (pe_random(random) % 3 != 0) step = (ptrdiff_t)(pe_random(random) % (uint64_t)most) + 1;
    return pe_random(random) % 3 == 0 ? -step : step;
}

static void draw(struct strided *s, uint64_t *random)
{
    s->copy.size = (size_t)1 << pe_random(random) % 5;
    s->copy.nblocks = pe_random(random) % 4 == 0 ? pe_random(random) % 4 : pe_random(random) % 130;
    s->copy.dst = random_stride(random, s->copy.nblocks + 1);
    s->copy.sst = random_stride(random, s->copy.nblocks + 1);
    s->copy.to_first = ROOM / 2 + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
    s->copy.from_first = ROOM / 2 + (pe_random(random) % 4 == 0 ? pe_random(random) % 16 : 0);
    s->copy.put = pe_random(random) % 2 == 0;
    s->who = (enum who)(pe_random(random) % 4);
}

static void run(struct strided *s, bool in_kernel)
{
    strided_begin(&s->copy);
    if (in_kernel)
        launch(s);
    else
        call(s);
    PE_EQUAL(anyshmemx_stream_synchronize(s->stream), 0);
    strided_end(&s->copy);
}

int main(void)
{
    static unsigned char private_dest[ROOM], private_source[ROOM];
    unsigned char *dest, *source;
    struct strided s;
    uint64_t random = 1;
    pe_start("strided");
    memset(&s, 0, sizeof(s));
    s.copy.bsize = 1;
    dest = pe_alloc(ROOM);
    source = pe_alloc(ROOM);
    s.copy.to = (pe_me + 1) % pe_n;
    PE_NEED(anyshmemx_stream_create(&s.stream) == 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool in_kernel;
        draw(&s, &random);
        in_kernel = s.who != BY_STREAM && pe_random(&random) % 2 == 0;
        /* The local side is private memory, or of the heap. */
        bool private = pe_random(&random) % 2 == 0;
        s.copy.dest = !s.copy.put && private ? private_dest : dest;
        s.copy.source = s.copy.put && private ? private_source : source;
        pe_step("%u: i%s of %zu * %zu bytes, strides %td and %td, by %d%s", round,
                s.copy.put ? "put" : "get", s.copy.nblocks, s.copy.size, s.copy.dst, s.copy.sst,
                (int)s.who, in_kernel ? " in a kernel" : "");
        run(&s, in_kernel);
    }
    PE_EQUAL(anyshmemx_stream_destroy(s.stream), 0);
    nvshmem_free(source);
    nvshmem_free(dest);
    return pe_finish();
}
