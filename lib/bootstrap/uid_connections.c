/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polls the listener and all connections, collects what each sends in a buffer, and calls
 * on_message for each complete message.
 */
#include "lib/bootstrap/uid_connections.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/log.h"

/* The most connections that have not shown the job's key yet, and how long they may take. */
#define PENDING_MAX 64u
#define PENDING_SECONDS 10
#define SEND_SECONDS 10
#define READ_BYTES 65536u

static void drop(struct ash_uid_connections *all, uint32_t c)
{
    close(all->table[c].fd);
    free(all->table[c].in);
    all->table[c] = all->table[--all->n];
}

/* Pass on the complete messages in the buffer; false: the connection sent nonsense. */
static bool take_messages(struct ash_uid_connections *all, struct ash_uid_connection *from)
{
    size_t used = 0;
    bool ok = true;
    while (ok && !all->over) {
        struct ash_uid_header header;
        uint64_t limit = from->rank == ASH_UID_PENDING ? sizeof(struct ash_uid_hello)
                                                     : ASH_UID_MESSAGE_MAX;
        if (from->have - used < sizeof(header)) break;
        memcpy(&header, from->in + used, sizeof(header));
        if (header.nbytes > limit) return false;
        if (from->have - used < sizeof(header) + header.nbytes) break;
        ok = all->on_message(from, &header, from->in + used + sizeof(header));
        used += sizeof(header) + (size_t)header.nbytes;
    }
    memmove(from->in, from->in + used, from->have - used);
    from->have -= used;
    if (from->rank != ASH_UID_PENDING) from->deadline = INT64_MAX;
    return ok;
}

static void backoff(void) { ash_sleep_ms(1); }

/* Read what is there; false: the connection is lost. */
static bool read_some(struct ash_uid_connections *all, struct ash_uid_connection *from)
{
    ssize_t n;
    if (from->room - from->have < READ_BYTES) {
        void *larger = realloc(from->in, from->have + READ_BYTES);
        /* The data stays in the socket and is read soon. */
        if (larger == NULL) {
            backoff();
            return true;
        }
        from->in = larger;
        from->room = from->have + READ_BYTES;
    }
    n = recv(from->fd, from->in + from->have, from->room - from->have, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (n <= 0) return false;
    from->have += (size_t)n;
    return take_messages(all, from);
}

/* A PE shows the key at once, so the oldest pending connection is the least likely to be a PE's. */
static bool drop_oldest_pending(struct ash_uid_connections *all)
{
    uint32_t oldest = all->n;
    for (uint32_t c = 0; c < all->n; c++)
        if (all->table[c].rank == ASH_UID_PENDING &&
            (oldest == all->n || all->table[c].deadline < all->table[oldest].deadline))
            oldest = c;
    if (oldest == all->n) return false;
    drop(all, oldest);
    return true;
}

void ash_uid_connections_add(struct ash_uid_connections *all, int fd)
{
    struct timeval limit = {SEND_SECONDS, 0};
    struct ash_uid_connection pending = {.rank = ASH_UID_PENDING};
    int one = 1;
    if (all->n == all->room && !drop_oldest_pending(all)) {
        close(fd);
        return;
    }
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    pending.fd = fd;
    pending.deadline = ash_deadline_ms(PENDING_SECONDS);
    all->table[all->n++] = pending;
}

/* A connection that cannot be accepted stays in the backlog and is tried again soon: others may
 * be closed meanwhile. */
static void accept_one(struct ash_uid_connections *all)
{
    int fd = accept4(all->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) {
        ash_uid_connections_add(all, fd);
        return;
    }
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
    if (!all->full)
        ash_log(ASH_LOG_WARN, "unique id: the connection of a PE cannot be taken: %m (ulimit -n)");
    all->full = true;
    backoff();
}

static int next_poll_ms(const struct ash_uid_connections *all, int64_t deadline)
{
    for (uint32_t c = 0; c < all->n; c++)
        if (all->table[c].deadline < deadline) deadline = all->table[c].deadline;
    return deadline == INT64_MAX ? -1 : ash_poll_ms(deadline);
}

static bool look_at(struct ash_uid_connections *all, uint32_t c)
{
    if (all->ready[c + 1].revents != 0) return read_some(all, &all->table[c]);
    return ash_now_ms() < all->table[c].deadline;
}

void ash_uid_connections_poll(struct ash_uid_connections *all, int64_t deadline)
{
    uint32_t n = all->n;
    for (uint32_t c = 0; c < n; c++)
        all->ready[c + 1] = (struct pollfd){all->table[c].fd, POLLIN, 0};
    all->ready[0] = (struct pollfd){all->listener, POLLIN, 0};
    if (poll(all->ready, n + 1, next_poll_ms(all, deadline)) < 0) return;
    /* From the end: drop moves the last connection, which was looked at already, to the gap. */
    for (uint32_t c = n; c-- > 0 && !all->over;) {
        uint32_t rank;
        if (look_at(all, c)) continue;
        rank = all->table[c].rank;
        drop(all, c);
        if (rank != ASH_UID_PENDING) all->on_lost(rank);
    }
    if (all->ready[0].revents != 0) accept_one(all);
}

bool ash_uid_connections_make(struct ash_uid_connections *all, int listener, uint32_t n_pes)
{
    all->listener = listener;
    all->n = 0;
    all->room = n_pes + PENDING_MAX;
    all->over = all->full = false;
    all->table = calloc(all->room, sizeof(*all->table));
    all->ready = calloc(all->room + 1, sizeof(*all->ready));
    return all->table != NULL && all->ready != NULL;
}

void ash_uid_connections_close(struct ash_uid_connections *all)
{
    while (all->n > 0) drop(all, all->n - 1);
    close(all->listener);
}

void ash_uid_connections_forget(const struct ash_uid_connections *all)
{
    for (uint32_t c = 0; c < all->n; c++) close(all->table[c].fd);
    close(all->listener);
}

void ash_uid_connections_free(struct ash_uid_connections *all)
{
    free(all->table);
    free(all->ready);
    all->table = NULL;
    all->ready = NULL;
}
