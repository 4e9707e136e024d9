/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slots of the ring are rewritten while requests are taken from them: what is
 * checked and what is done must be one copy.  First at the worst moment, between
 * the two, by a function that the linker puts before ash_dispatch: each request is
 * then done as it was sent.  Then at any moment, by a thread: each word is either
 * right or leads out of the heap, and nothing may be led out.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/fake_ucx.h"
#include "tests/fuzz/model.h"

#define LIMIT_SECONDS 300

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* The ring's slots; NULL while there is none.  Under the mutex. */
static struct ash_slot *slots;
static bool over;

static uint64_t pick(const uint64_t *values, unsigned n, uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return values[(*random >> 33) % n];
}
#define PICK(values, random) pick(values, sizeof(values) / sizeof((values)[0]), random)

static const uint64_t firsts[] = {
    ASH_WORD0(ASH_OP_PUT, 0, 1, 0), ASH_WORD0(ASH_OP_GET, 0, 2, 1),
    ASH_WORD0(ASH_OP_ADD, 3, 0, 0), ASH_WORD0(ASH_OP_FETCH_ADD, 2, 1, 2),
    ASH_WORD0(ASH_OP_INLINE, 0, 1, 48), ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, 2, 0),
    ASH_WORD0(ASH_OP_PUT, 0, ASH_MAX_PES - 1, 0), ASH_WORD0(ASH_OP_INLINE, 0, 0, 0xfffff),
    ASH_WORD0(ASH_OP_G, 3, 0, WORLD_LINES + 1), ASH_WORD0(ASH_OP_ADD, 0, 0, 0)};
static const uint64_t lengths[] = {8, 8, WORLD_HEAP, WORLD_HEAP + 1, UINT64_MAX};
static const uint64_t offsets[] = {0, 0, WORLD_HEAP - 8, WORLD_HEAP, ASH_OFFSET_MASK - 7};

/* All but the tag, which is the ring's: without it the request would never come. */
static void replace(uint64_t *word, uint64_t value)
{
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(word, &old, (old & ~ASH_OFFSET_MASK) | value, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void *rewrite(void *unused)
{
    uint64_t random = 7;
    (void)unused;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&mutex);
        for (unsigned n = 0; n < 200 && slots != NULL; n++) {
            uint64_t *word = slots[n % 8].word;
            __atomic_store_n(&word[1], PICK(lengths, &random), __ATOMIC_RELAXED);
            __atomic_store_n(&word[5], PICK(offsets, &random), __ATOMIC_RELAXED);
            replace(&word[0], PICK(firsts, &random));
            replace(&word[3], PICK(offsets, &random));
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* The ring that is rewritten before each request is looked at, or NULL. */
static struct ash_slot *scribbled;
void __real_ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                         const struct ash_request *request, uint64_t ticket);
void __wrap_ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                         const struct ash_request *request, uint64_t ticket);
void __wrap_ash_dispatch(struct ash_proxy *proxy, struct ash_client *client,
                         const struct ash_request *request, uint64_t ticket)
{
    for (unsigned n = 0; n < 8 && scribbled != NULL; n++) {
        uint64_t *word = scribbled[n].word;
        replace(&word[0], ASH_WORD0(ASH_OP_PUT, 0, ASH_MAX_PES - 1, 0));
        replace(&word[3], ASH_OFFSET_MASK - 7);
        word[1] = word[5] = UINT64_MAX;
    }
    __real_ash_dispatch(proxy, client, request, ticket);
}

static void use(struct world *world)
{
    pthread_mutex_lock(&mutex);
    slots = world != NULL ? world->client[ASH_HOST].slots : NULL;
    pthread_mutex_unlock(&mutex);
}

static void iterate(void *world)
{
    world_iterate(world);
    world_settle(world);
}

static struct ash_request any_request(uint64_t *random)
{
    return (struct ash_request){{PICK(firsts, random), PICK(lengths, random),
                                 (uintptr_t)world_arena, PICK(offsets, random), 7,
                                 PICK(offsets, random)}};
}

/* Each request is done, or refused, as it was when it was sent. */
static void check_copies(unsigned long n)
{
    uint64_t random = 3;
    for (unsigned long i = 0; i < n; i++) {
        struct world *world = world_use((enum world_path)(i % WORLD_PATHS));
        struct ash_request request = any_request(&random);
        struct model_request r;
        uint32_t rules;
        model_reset(world);
        model_read(&request, &r);
        rules = model_broken(&r, ASH_HOST);
        if (rules == 0) model_do(&r, ASH_HOST);
        world_push(&world->client[ASH_HOST], &request);
        scribbled = world->client[ASH_HOST].slots;
        if (fuzz_refused(iterate, world) != (rules != 0))
            fuzz_finding("a slot that was rewritten is read again: %s", fuzz_said);
        scribbled = NULL;
        model_compare(world);
        if (rules != 0) world_abandon(world);
    }
    printf("ok 1 - %lu requests are done as they were sent\n", n);
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000, refused = 0;
    struct world *world;
    uint64_t random = 1;
    pthread_t thread;
    alarm(LIMIT_SECONDS);
    printf("1..2\n");
    check_copies(n);
    world = world_use(WORLD_RMA);
    use(world);
    if (pthread_create(&thread, NULL, rewrite, NULL) != 0) fuzz_finding("no thread");
    for (unsigned long i = 0; i < n; i++) {
        struct ash_request request = any_request(&random);
        world_push(&world->client[ASH_HOST], &request);
        if (!fuzz_refused(iterate, world)) continue;
        refused++;
        use(NULL);
        world_abandon(world);
        world = world_use((enum world_path)(i % WORLD_PATHS));
        use(world);
    }
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    if (refused == 0 || refused == n) fuzz_finding("%lu of %lu were refused", refused, n);
    printf("ok 2 - %lu requests whose slots were rewritten, %lu refused\n", n, refused);
    return 0;
}
