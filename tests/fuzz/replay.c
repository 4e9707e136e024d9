/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that come a second time: another job's are dropped and counted, and
 * the own job's are refused.  Not a fuzzer, but it needs the same job in one
 * process, whose messages can be kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fake_ucx.h"
#include "tests/fuzz/model.h"

#define KEPT_MAX 4096
#define REQUESTS 1000

static struct {
    unsigned to;
    size_t nbytes;
    struct ash_message message;
    unsigned char payload[64];
} kept[KEPT_MAX];
static unsigned n_kept, n_now;

static bool keep(unsigned from, unsigned to, const void *header, size_t header_length,
                 const void *data, size_t nbytes)
{
    (void)from;
    if (n_kept == KEPT_MAX || nbytes > sizeof(kept[0].payload)) return true;
    if (header_length != sizeof(kept[0].message)) fuzz_finding("a message of another length");
    kept[n_kept].to = to;
    kept[n_kept].nbytes = nbytes;
    memcpy(&kept[n_kept].message, header, header_length);
    if (nbytes > 0) memcpy(kept[n_kept].payload, data, nbytes);
    n_kept++;
    return true;
}

/* Puts, atomics, signals and gets of PE 0 to all PEs. */
static void communicate(struct world *world)
{
    static const uint8_t ops[4] = {ASH_OP_FETCH_ADD, ASH_OP_SIGNAL_ADD, ASH_OP_PUT, ASH_OP_GET};
    for (unsigned i = 0; i < REQUESTS; i++) {
        unsigned op = ops[i % 4];
        struct ash_request request = {{ASH_WORD0(op, 3, i % WORLD_PES, i % 4 % 3 == 0), 32,
                                       (uintptr_t)world_arena + i % 512 * 32, i % 768 * 32}};
        world_push(&world->client[ASH_HOST], &request);
        world_settle(world);
    }
}

static void deliver(void *unused)
{
    (void)unused;
    fake_ucx_deliver(kept[n_now].to, &kept[n_now].message, sizeof(kept[n_now].message),
                     kept[n_now].payload, kept[n_now].nbytes, false);
}

/* The next job of these PEs gets all messages of the one before. */
static unsigned replay_to_other(struct world *world, const uint64_t key[2])
{
    uint64_t dropped = 0, before = 0;
    for (unsigned pe = 0; pe < WORLD_PES; pe++) {
        before += world->proxy[pe]->dropped;
        ash_proxy_set_job_key(world->proxy[pe], key);
    }
    model_reset(world);
    for (n_now = 0; n_now < n_kept; n_now++)
        if (fuzz_refused(deliver, NULL)) fuzz_finding("it is refused: %s", fuzz_said);
    world_settle(world);
    model_compare(world);
    for (unsigned pe = 0; pe < WORLD_PES; pe++) dropped += world->proxy[pe]->dropped;
    if (dropped - before != n_kept)
        fuzz_finding("%llu of %u were dropped", (unsigned long long)(dropped - before), n_kept);
    return n_kept;
}

/* The same job gets a message again. */
static unsigned replay_to_same(struct world *world)
{
    for (unsigned pe = 0; pe < WORLD_PES; pe++) ash_proxy_set_job_key(world->proxy[pe], world_key);
    model_reset(world);
    n_now = n_kept / 2;
    if (!fuzz_refused(deliver, NULL)) fuzz_finding("a message is taken twice");
    if (strstr(fuzz_said, "duplicate message") == NULL &&
        strstr(fuzz_said, "an unexpected reply") == NULL)
        fuzz_finding("it says: %s", fuzz_said);
    model_compare(world);
    return 1;
}

int main(void)
{
    const uint64_t low[2] = {world_key[0] ^ 1, world_key[1]};
    const uint64_t high[2] = {world_key[0], world_key[1] ^ UINT64_C(1) << 63};
    const uint64_t none[2] = {0, 0};
    struct world *world = world_use(WORLD_MESSAGES);
    unsigned n;
    fake_ucx_wire = keep;
    communicate(world);
    fake_ucx_wire = NULL;
    if (n_kept < REQUESTS) fuzz_finding("%u messages", n_kept);
    printf("1..4\n");
    n = replay_to_other(world, low);
    printf("ok 1 - %u messages of a job whose key differs in its first bit\n", n);
    n = replay_to_other(world, high);
    printf("ok 2 - %u messages of a job whose key differs in its last bit\n", n);
    /* Not even a message of zeros is taken while the key is not known. */
    for (unsigned i = 0; i < n_kept; i += 2) memset(kept[i].message.key, 0, 16);
    n = replay_to_other(world, none);
    printf("ok 3 - %u messages to a job whose key is not known yet\n", n);
    for (unsigned i = 0; i < n_kept; i++) memcpy(kept[i].message.key, world_key, 16);
    replay_to_same(world);
    printf("ok 4 - a message of the own job, again\n");
    return 0;
}
