/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread that brings the PEs of a job by unique id together.
 *
 * It reads many connections without ever waiting for one of them; what it sends
 * is short, and each PE has a thread that reads.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "lib/env.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/thread.h"
#include "lib/uid.h"

/* Connections that did not yet show the job's key, and how long they may take. */
#define GUESTS 64u
#define GUEST_SECONDS 10
#define SEND_SECONDS 10
#define NOBODY UINT32_MAX
#define READ_BYTES 65536u

struct connection {
    int fd;
    /* NOBODY for a guest. */
    uint32_t rank;
    int64_t deadline;
    unsigned char *in;
    size_t have, room;
};

struct member {
    /* Index of its connection; the PE is here while it has one. */
    uint32_t connection;
    bool joined, at_fence, left;
    char host[ASH_UID_HOST];
    void *record;
    size_t nbytes;
};

static struct {
    struct ash_uid uid;
    int listener;
    uint32_t rank, n_ranks;
    struct connection *connections;
    struct pollfd *ready;
    uint32_t n_connections;
    struct member *members;
    uint32_t n_joined, n_at_fence, n_left;
    /* When the PEs that are still awaited are given up. */
    int64_t deadline;
    bool over;
    pthread_t thread;
    bool running;
} root;

static void drop(uint32_t c)
{
    struct connection *last = &root.connections[--root.n_connections];
    close(root.connections[c].fd);
    free(root.connections[c].in);
    root.connections[c] = *last;
    if (c != root.n_connections && last->rank != NOBODY)
        root.members[last->rank].connection = c;
}

static bool send_to(uint32_t rank, uint32_t type, uint32_t number, const void *body, size_t nbytes)
{
    const struct member *m = &root.members[rank];
    if (!m->joined || m->left) return true;
    return ash_uid_send(root.connections[m->connection].fd, type, number, body, nbytes);
}

/* End the job: all PEs are told why, that of this process last. */
static void end_job(uint32_t status, const char *text)
{
    root.over = true;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++)
        if (rank != root.rank) send_to(rank, ASH_UID_ABORT, status, text, strlen(text));
    send_to(root.rank, ASH_UID_ABORT, status, text, strlen(text));
}

/* PEs that are awaited, as "2, 5 and 7 more". */
static void list_missing(bool joining, char *text, size_t nbytes)
{
    size_t length = 0;
    uint32_t listed = 0, more = 0;
    text[0] = '\0';
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) {
        const struct member *m = &root.members[rank];
        if (joining ? m->joined : m->at_fence || m->left) continue;
        if (listed++ < 8)
            length += (size_t)snprintf(text + length, nbytes - length, "%s%u",
                                       listed > 1 ? ", " : "", rank);
        else
            more++;
    }
    if (more > 0) snprintf(text + length, nbytes - length, " and %u more", more);
}

static void too_late(void)
{
    bool joining = root.n_joined < root.n_ranks;
    char missing[160], text[320];
    list_missing(joining, missing, sizeof(missing));
    snprintf(text, sizeof(text), "unique id: after %lld s PE %s of %u did not come to the %s "
                                 "(ANYSHMEM_INIT_TIMEOUT)",
             (long long)ash_env.init_timeout, missing, root.n_ranks,
             joining ? "start" : root.n_left > 0 ? "end" : "fence");
    end_job(ASH_EXIT_FATAL, text);
}

static void await(void)
{
    root.deadline = ash_deadline_ms(ash_env.init_timeout);
}

static void welcome_all(void)
{
    uint32_t *local = malloc(root.n_ranks * sizeof(*local));
    if (local == NULL) {
        end_job(ASH_EXIT_FATAL, "unique id: out of memory");
        return;
    }
    root.deadline = INT64_MAX;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < root.n_ranks; i++)
            if (strcmp(root.members[i].host, root.members[rank].host) == 0) local[n++] = i;
        send_to(rank, ASH_UID_WELCOME, root.rank, local, n * sizeof(*local));
    }
    free(local);
}

/* A guest says who it is; false: it is none of ours. */
static bool on_hello(uint32_t c, uint32_t rank, const unsigned char *body, size_t nbytes)
{
    struct ash_uid_hello hello;
    char text[160] = "";
    if (nbytes != sizeof(hello)) return false;
    memcpy(&hello, body, sizeof(hello));
    if (memcmp(hello.key, root.uid.key, sizeof(hello.key)) != 0) return false;
    if (hello.n_ranks != root.n_ranks)
        snprintf(text, sizeof(text), "unique id: nranks differs between PEs: %u on PE %u, %u on "
                                     "PE %u", root.n_ranks, root.rank, hello.n_ranks, rank);
    else if (rank >= root.n_ranks || root.members[rank].joined)
        snprintf(text, sizeof(text), "unique id: two processes say that they are PE %u", rank);
    if (text[0] != '\0') {
        ash_uid_send(root.connections[c].fd, ASH_UID_ABORT, ASH_EXIT_FATAL, text, strlen(text));
        end_job(ASH_EXIT_FATAL, text);
        return true;
    }
    root.connections[c].rank = rank;
    root.connections[c].deadline = INT64_MAX;
    root.members[rank].connection = c;
    root.members[rank].joined = true;
    memcpy(root.members[rank].host, hello.host, ASH_UID_HOST - 1);
    if (++root.n_joined == root.n_ranks) welcome_all();
    return true;
}

static void on_publish(struct member *m, const unsigned char *body, size_t nbytes)
{
    free(m->record);
    m->nbytes = 0;
    m->record = malloc(nbytes + 1);
    if (m->record == NULL) return;
    memcpy(m->record, body, nbytes);
    m->nbytes = nbytes;
}

static void on_fence(struct member *m)
{
    if (m->at_fence) return;
    m->at_fence = true;
    if (root.n_at_fence++ == 0) await();
    if (root.n_at_fence < root.n_ranks) return;
    root.n_at_fence = 0;
    root.deadline = INT64_MAX;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) root.members[rank].at_fence = false;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) send_to(rank, ASH_UID_FENCED, 0, NULL, 0);
}

static void on_get(uint32_t rank, uint32_t whose)
{
    const struct member *m = whose < root.n_ranks ? &root.members[whose] : NULL;
    send_to(rank, ASH_UID_RECORD, whose, m != NULL ? m->record : NULL, m != NULL ? m->nbytes : 0);
}

static void on_bye(struct member *m)
{
    m->left = true;
    if (root.n_left++ == 0) await();
    if (root.n_left == root.n_ranks) root.over = true;
}

static void on_abort(uint32_t rank, uint32_t status)
{
    char text[64];
    snprintf(text, sizeof(text), "PE %u ended the job", rank);
    root.members[rank].left = true;
    end_job(status, text);
}

/* False: the connection makes no sense and is to be closed. */
static bool on_message(uint32_t c, const struct ash_uid_header *header, const unsigned char *body)
{
    uint32_t rank = root.connections[c].rank;
    if (rank == NOBODY)
        return header->type == ASH_UID_HELLO && on_hello(c, header->number, body, header->nbytes);
    switch (header->type) {
    case ASH_UID_PUBLISH: on_publish(&root.members[rank], body, header->nbytes); return true;
    case ASH_UID_FENCE: on_fence(&root.members[rank]); return true;
    case ASH_UID_GET: on_get(rank, header->number); return true;
    case ASH_UID_BYE: on_bye(&root.members[rank]); return true;
    case ASH_UID_ABORT: on_abort(rank, header->number); return true;
    default: return false;
    }
}

/* Handle the whole messages that are there; false as above. */
static bool take_messages(uint32_t c)
{
    struct connection *connection = &root.connections[c];
    size_t used = 0;
    bool ok = true;
    while (ok && !root.over) {
        struct ash_uid_header header;
        uint64_t limit = connection->rank == NOBODY ? sizeof(struct ash_uid_hello)
                                                    : ASH_UID_MESSAGE_MAX;
        if (connection->have - used < sizeof(header)) break;
        memcpy(&header, connection->in + used, sizeof(header));
        if (header.nbytes > limit) return false;
        if (connection->have - used < sizeof(header) + header.nbytes) break;
        ok = on_message(c, &header, connection->in + used + sizeof(header));
        used += sizeof(header) + (size_t)header.nbytes;
    }
    memmove(connection->in, connection->in + used, connection->have - used);
    connection->have -= used;
    return ok;
}

/* Read what is there; false: the connection is lost. */
static bool read_some(uint32_t c)
{
    struct connection *connection = &root.connections[c];
    ssize_t n;
    if (connection->room - connection->have < READ_BYTES) {
        void *larger = realloc(connection->in, connection->have + READ_BYTES);
        if (larger == NULL) return false;
        connection->in = larger;
        connection->room = connection->have + READ_BYTES;
    }
    n = recv(connection->fd, connection->in + connection->have,
             connection->room - connection->have, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (n <= 0) return false;
    connection->have += (size_t)n;
    return take_messages(c);
}

static void on_lost(uint32_t c)
{
    uint32_t rank = root.connections[c].rank;
    char text[128 + ASH_UID_HOST];
    drop(c);
    if (rank == NOBODY || root.over || root.members[rank].left) return;
    root.members[rank].left = true;
    snprintf(text, sizeof(text), "PE %u on %.*s is lost: it ended without nvshmem_finalize", rank,
             (int)strcspn(root.members[rank].host, " "), root.members[rank].host);
    end_job(ASH_EXIT_FATAL, text);
}

static void accept_one(void)
{
    struct timeval limit = {SEND_SECONDS, 0};
    struct connection connection = {.rank = NOBODY};
    int one = 1, fd = accept4(root.listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    if (root.n_connections == root.n_ranks + GUESTS) {
        close(fd);
        return;
    }
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    connection.fd = fd;
    connection.deadline = ash_deadline_ms(GUEST_SECONDS);
    root.connections[root.n_connections++] = connection;
}

static int next_poll_ms(void)
{
    int64_t deadline = root.deadline;
    for (uint32_t c = 0; c < root.n_connections; c++)
        if (root.connections[c].deadline < deadline) deadline = root.connections[c].deadline;
    return deadline == INT64_MAX ? -1 : ash_poll_ms(deadline);
}

static void turn(void)
{
    uint32_t n = root.n_connections;
    for (uint32_t c = 0; c < n; c++)
        root.ready[c + 1] = (struct pollfd){root.connections[c].fd, POLLIN, 0};
    root.ready[0] = (struct pollfd){root.listener, POLLIN, 0};
    if (poll(root.ready, n + 1, next_poll_ms()) < 0) return;
    /* From the end: dropping one moves only those that were looked at. */
    for (uint32_t c = n; c-- > 0 && !root.over;) {
        bool late = ash_now_ms() >= root.connections[c].deadline;
        if (late || (root.ready[c + 1].revents != 0 && !read_some(c))) on_lost(c);
    }
    if (root.ready[0].revents != 0) accept_one();
    if (!root.over && ash_now_ms() >= root.deadline) too_late();
}

static void *serve(void *unused)
{
    (void)unused;
    while (!root.over) turn();
    while (root.n_connections > 0) drop(root.n_connections - 1);
    close(root.listener);
    return NULL;
}

static void free_tables(void)
{
    for (uint32_t rank = 0; root.members != NULL && rank < root.n_ranks; rank++)
        free(root.members[rank].record);
    free(root.members);
    free(root.connections);
    free(root.ready);
    memset(&root, 0, sizeof(root));
}

int ash_uid_root_start(const struct ash_uid *uid, int listener, uint32_t rank, uint32_t n_ranks)
{
    memset(&root, 0, sizeof(root));
    root.uid = *uid;
    root.listener = listener;
    root.rank = rank;
    root.n_ranks = n_ranks;
    root.members = calloc(n_ranks, sizeof(*root.members));
    root.connections = calloc(n_ranks + GUESTS, sizeof(*root.connections));
    root.ready = calloc(n_ranks + GUESTS + 1, sizeof(*root.ready));
    await();
    if (root.members == NULL || root.connections == NULL || root.ready == NULL ||
        ash_thread_start(&root.thread, serve, NULL) != 0) {
        ash_log(ASH_LOG_ERROR, "unique id: cannot serve %u PEs: out of memory", n_ranks);
        close(listener);
        free_tables();
        return ASH_ERROR_NO_MEMORY;
    }
    root.running = true;
    return 0;
}

bool ash_uid_root_wait(int64_t seconds)
{
    struct timespec until;
    if (!root.running) return true;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    if (pthread_timedjoin_np(root.thread, NULL, &until) != 0) return false;
    free_tables();
    return true;
}

void ash_uid_root_forget(void)
{
    if (!root.running) return;
    for (uint32_t c = 0; c < root.n_connections; c++) close(root.connections[c].fd);
    close(root.listener);
    root.running = false;
}
