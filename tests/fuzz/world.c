/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/world.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fake_ucx.h"

/* More turns than anything takes. */
#define TURNS_MAX 20000
/* A put-with-signal of more goes as a put and a signal. */
#define MESSAGE_MAX 64

unsigned char *world_heap[WORLD_PES], *world_arena, *world_stage;
const uint64_t world_key[2] = {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
static struct world *worlds[WORLD_PATHS];
static struct world *current;

static void make_memory(void)
{
    if (world_arena != NULL) return;
    /* Thousands of jobs a second: the system should not be asked for each. */
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    for (unsigned pe = 0; pe < WORLD_PES; pe++) world_heap[pe] = fuzz_guarded(WORLD_HEAP);
    world_arena = fuzz_guarded(WORLD_ARENA);
    world_stage = fuzz_guarded(WORLD_STAGE);
}

static int lookup(uint32_t pe, struct ash_peer_info *ret_info)
{
    struct ash_proxy_address address;
    ash_proxy_address(current->proxy[pe], &address);
    *ret_info = (struct ash_peer_info){.heap = (uintptr_t)world_heap[pe],
                                       .address = address.address,
                                       .rkey = address.rkey,
                                       .host = "here"};
    return 0;
}

static void open_channel(struct world_client *client)
{
    memset(client, 0, sizeof(*client));
    ash_channel_init(&client->channel, client->slots, 3, &client->progress, -1, 0);
}

static void make_proxy(struct world *world, uint32_t pe, enum world_path path)
{
    struct world_client *host = pe == 0 ? &world->client[ASH_HOST] : &world->other[pe];
    struct ash_proxy_config config = {.my_pe = pe,
                                      .n_pes = WORLD_PES,
                                      .n_local = WORLD_PES,
                                      .heap = world_heap[pe],
                                      .heap_size = WORLD_HEAP,
                                      .channel = &host->channel,
                                      .replies = host->replies,
                                      .n_replies = WORLD_LINES,
                                      .job_key = {world_key[0], world_key[1]},
                                      .messages_only = path == WORLD_MESSAGES,
                                      .message_max = MESSAGE_MAX,
                                      .cpus = "",
                                      .lookup = lookup};
    open_channel(host);
    if (ash_proxy_create(&config, &world->proxy[pe]) != 0) fuzz_finding("no proxy");
    if (fake_ucx_opens_memory(world->proxy[pe]->worker) != (path != WORLD_MESSAGES))
        fuzz_finding("UCX writes to memory by itself, or cannot");
    if (path == WORLD_RMA_NO_BITWISE) world->proxy[pe]->fetch_bitwise_works = false;
}

static void attach_gpu(struct world *world, enum world_path path)
{
    struct world_client *gpu = &world->client[ASH_GPU];
    struct ash_proxy_gpu own = {.channel = &gpu->channel,
                                .replies = gpu->replies,
                                .n_replies = WORLD_LINES - 1,
                                .stage = world_stage,
                                .n_stage = WORLD_BUFFERS,
                                .stage_shift = WORLD_BUFFER_SHIFT,
                                .stage_released = world->released,
                                .peer = world->mapped};
    open_channel(gpu);
    if (path == WORLD_DIRECT)
        for (unsigned pe = 0; pe < 2; pe++) world->mapped[pe] = world_heap[pe];
    ash_proxy_attach_gpu(world->proxy[0], &own);
}

struct world *world_use(enum world_path path)
{
    make_memory();
    fake_ucx_is_tcp = path == WORLD_TCP;
    current = worlds[path];
    if (current != NULL) return current;
    current = worlds[path] = calloc(1, sizeof(*current));
    if (current == NULL) fuzz_finding("no memory");
    for (uint32_t pe = 0; pe < WORLD_PES; pe++) make_proxy(current, pe, path);
    attach_gpu(current, path);
    return current;
}

/* Nobody detaches a GPU, or closes a connection, in the middle of something. */
void world_abandon(struct world *world)
{
    for (enum world_path path = 0; path < WORLD_PATHS; path++)
        if (worlds[path] == world) worlds[path] = NULL;
    fake_ucx_forget();
    for (unsigned pe = 0; pe < WORLD_PES; pe++) {
        struct ash_proxy *proxy = world->proxy[pe];
        for (unsigned other = 0; other < WORLD_PES; other++)
            if (proxy->connections[other] != NULL) free(proxy->connections[other]->ep);
        proxy->gpu_served = false;
        ash_proxy_destroy(proxy);
    }
    free(world);
}

void world_iterate(struct world *world)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++) ash_proxy_iterate(world->proxy[pe]);
}

static bool busy(const struct world *world)
{
    if (fake_ucx_busy()) return true;
    for (unsigned i = 0; i < ASH_CLIENTS; i++)
        if (ash_channel_ticket(&world->client[i].channel) != world->client[i].progress.next)
            return true;
    for (unsigned pe = 0; pe < WORLD_PES; pe++)
        if (world->proxy[pe]->live > 0 || world->proxy[pe]->ready != NULL ||
            world->proxy[pe]->completion.quiet_active)
            return true;
    return false;
}

void world_settle(struct world *world)
{
    for (unsigned turns = 0; busy(world); turns++) {
        if (turns == TURNS_MAX) fuzz_finding("it does not come to an end");
        world_iterate(world);
    }
}

void world_push(struct world_client *client, const struct ash_request *request)
{
    struct ash_channel *channel = &client->channel;
    uint64_t ticket = ash_channel_claim(channel);
    struct ash_place place = ash_channel_place(channel, ticket);
    for (unsigned i = 4; i < 8; i++) place.slot->word[i] = request->word[i];
    /* The tags are the ring's. */
    ash_channel_publish(place, request->word[0] & ASH_OFFSET_MASK, request->word[1],
                        request->word[2], request->word[3] & ASH_OFFSET_MASK);
}
