/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quiet: publish to the devices up to which ticket everything is complete.
 *
 * Each transfer counts in a generation of its completion, whichever client sent it.  A quiet
 * flushes every dirty connection, closes the generation, and is complete when none of its transfers
 * is in flight, the flushes included.  One quiet of a completion is in progress at a time; the next
 * one completes all those that are requested meanwhile, on any of its channels, so that a steady
 * stream of them cannot postpone the first.
 *
 * A context has a channel and a completion of its own, so its quiets are its own, too.  They flush
 * the connections on which it has sent something, and wait there for others' transfers as well.
 *
 * With a GPU there are two channels.  A quiet on either one covers what was sent on both,
 * and so does the host's fence: for a kernel that has ended, the host's next quiet, and so
 * its next barrier, completes what the kernel sent; and a kernel's quiet completes what the
 * host had sent before the launch.  So a quiet waits until the other ring is popped up to
 * where it was written then.  Meanwhile both rings are popped as ever; a thread that has
 * claimed a slot owes it a few stores, no more.
 */
#include "proxy/internal.h"

/* Make the requested quiets the ones in progress; true if there were any. */
static bool take_requests(const struct ash_completion *completion)
{
    bool requested = false;
    for (unsigned i = 0; i < completion->n_clients; i++) {
        struct ash_client *client = &completion->clients[i];
        client->quiet_now = client->quiet_next;
        client->quiet_next = 0;
        requested |= client->quiet_now != 0;
    }
    return requested;
}

static void start(struct ash_proxy *proxy, struct ash_completion *completion)
{
    struct ash_connection *conn;
    completion->quiet_active = take_requests(completion);
    if (!completion->quiet_active) return;
    while ((conn = ash_completion_take(proxy, completion)) != NULL)
        ash_connection_submit(proxy, ash_xfer_new_in(proxy, completion, conn, ASH_XFER_FLUSH));
    ASH_ASSERT(completion->under_way[completion->generation ^ 1] == 0);
    completion->generation ^= 1;
}

void ash_quiet_request(struct ash_proxy *proxy, struct ash_client *client, uint64_t below)
{
    ASH_ASSERT(below >= client->quiet_next);
    client->quiet_next = below;
    if (!client->completion->quiet_active) start(proxy, client->completion);
}

static void complete(const struct ash_completion *completion)
{
    for (unsigned i = 0; i < completion->n_clients; i++) {
        struct ash_client *client = &completion->clients[i];
        if (client->quiet_now != 0) ash_channel_complete(client->own.channel, client->quiet_now);
    }
}

void ash_quiet_advance(struct ash_proxy *proxy, struct ash_completion *completion)
{
    while (completion->quiet_active && completion->under_way[completion->generation ^ 1] == 0) {
        complete(completion);
        start(proxy, completion);
    }
}

/* Let a fence take effect once the host's channel was popped up to `fence_until`; the host's own
 * fence always may. */
void ash_client_fence_when_due(struct ash_proxy *proxy, struct ash_client *client)
{
    if (proxy->clients[ASH_HOST].own.channel->proxy->next < client->fence_until) return;
    client->fence_until = 0;
    dev_fence_release(); /* orders the stores of ash_direct before it with those after it */
    proxy->fences++;     /* ash_connection_submit compares it on each connection */
}

/*
 * All that the host sent before it launched the kernel comes before all that follows a fence
 * in the kernel: the GPU's channel waits for the host's.  The host's channel does not wait:
 * while a GPU is attached, the host's fences are quiets.
 */
void ash_client_fence(struct ash_proxy *proxy, struct ash_client *client)
{
    if (client == &proxy->clients[ASH_GPU])
        client->fence_until = ash_channel_ticket(proxy->clients[ASH_HOST].own.channel);
    ash_client_fence_when_due(proxy, client);
}

/* True if the request `ahead` slots behind the next one to pop was published. */
bool ash_request_is_published(const struct ash_channel_progress *progress, uint64_t ahead)
{
    uint64_t index = (uint64_t)(progress->slot - progress->slots) + ahead;
    const struct ash_slot *slot = &progress->slots[index & progress->mask];
    uint64_t tag = progress->tag, word0, word3;
    if (index > progress->mask) tag += UINT64_C(1) << ASH_TAG_SHIFT;
    /* Both tags, as in ash_channel_pop: words 0,1 and 2,3 may be published in any order (I5). */
    word0 = dev_load_acquire64(&slot->word[0]); /* A0: pairs with the publisher's R0 */
    word3 = dev_load_acquire64(&slot->word[3]);
    return ((word0 ^ tag) | (word3 ^ tag)) >> ASH_TAG_SHIFT == 0;
}

/*
 * A ticket above all requests that were published before now.  The host's next ticket can
 * be read; a GPU's is in the GPU's own memory, so its ring is searched for the last request.
 */
static uint64_t sent(const struct ash_proxy *proxy, const struct ash_client *client)
{
    const struct ash_channel_progress *progress = client->own.channel->proxy;
    uint64_t ahead = progress->mask + 1;
    if (client == &proxy->clients[ASH_HOST]) return ash_channel_ticket(client->own.channel);
    while (ahead > 0 && !ash_request_is_published(progress, ahead - 1)) ahead--;
    return progress->next + ahead;
}

void ash_client_quiet(struct ash_proxy *proxy, struct ash_client *client, uint64_t below)
{
    bool is_host = client == &proxy->clients[ASH_HOST];
    const struct ash_client *other = &proxy->clients[is_host ? ASH_GPU : ASH_HOST];
    unsigned i = client->held[0].below != 0;
    if (client->completion != &proxy->completion || other->own.channel == NULL) {
        ash_quiet_request(proxy, client, below);
        return;
    }
    client->held[i].below = below;
    client->held[i].until = sent(proxy, other);
}

/* Start the client's quiets for which the other channel was popped far enough. */
void ash_client_start_held(struct ash_proxy *proxy, struct ash_client *client, uint64_t popped)
{
    while (client->held[0].below != 0 && popped >= client->held[0].until) {
        ash_quiet_request(proxy, client, client->held[0].below);
        client->held[0] = client->held[1];
        client->held[1].below = 0;
    }
}
