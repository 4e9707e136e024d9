/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The root of a job by unique id: a thread that counts PEs in, keeps their records, and
 * replies to fences and requests for records.
 *
 * It never waits for one PE: what it sends is short, and each PE has a thread that reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/cause.h"
#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/key.h"
#include "lib/base/text.h"
#include "lib/bootstrap/uid_connections.h"

/* The most missing PEs that are named. */
#define NAMED 8u

/* A PE. */
struct member {
    int fd;
    bool joined, at_fence, left;
    uint32_t pid;
    char host[ASH_UID_HOST];
    void *record;
    size_t nbytes;
};

/* Used by the root thread while that runs; by the thread that starts or ends the library before
 * and after. */
static struct {
    struct ash_uid uid;
    uint32_t rank, n_ranks;
    struct ash_uid_connections connections;
    struct member *members;
    uint32_t n_joined, n_at_fence, n_left;
    /* When the root gives up the PEs that are still missing. */
    int64_t deadline;
    pthread_t thread;
    bool running;
} root;

/* Send a message to a PE.  If that fails, break the connection: the PE would wait for nothing. */
static void send_to(uint32_t rank, uint32_t type, uint32_t number, const void *body, size_t nbytes)
{
    const struct member *m = &root.members[rank];
    if (!m->joined || m->left) return;
    if (!ash_uid_send(m->fd, type, number, body, nbytes)) shutdown(m->fd, SHUT_RDWR);
}

static void end_for(uint32_t rank, const struct ash_cause *cause, const char *text)
{
    const struct member *m = &root.members[rank];
    if (m->joined && !m->left) ash_uid_send_end(m->fd, cause, text);
}

/* End the job: notify all PEs of the reason, this process's own PE last. */
static void end_job(const struct ash_cause *cause, const char *text)
{
    root.connections.over = true;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++)
        if (rank != root.rank) end_for(rank, cause, text);
    end_for(root.rank, cause, text);
}

/* The root itself ends the job. */
static void refuse_job(const char *text)
{
    struct ash_cause cause;
    ash_cause_own(&cause, ASH_EXIT_FATAL);
    end_job(&cause, text);
}

/* List those that are missing, at the start (joining) or at a fence, as "2, 5 and 7 more". */
static void list_missing(bool joining, struct ash_text text)
{
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) {
        const struct member *m = &root.members[rank];
        if (joining ? m->joined : m->at_fence || m->left) continue;
        if (n++ < NAMED) ash_print(&text, "%s%u", n > 1 ? ", " : "", rank);
    }
    if (n > NAMED) ash_print(&text, " and %u more", n - NAMED);
}

static void too_late(void)
{
    bool joining = root.n_joined < root.n_ranks;
    char missing[160], text[320];
    list_missing(joining, ash_text_in(missing, sizeof(missing)));
    snprintf(text, sizeof(text), "unique id: after %lld s PE %s of %u did not come to the %s "
                                 "(ANYSHMEM_INIT_TIMEOUT)",
             (long long)ash_env.init_timeout, missing, root.n_ranks,
             joining ? "start" : root.n_left > 0 ? "end" : "fence");
    refuse_job(text);
}

static void await(void)
{
    root.deadline = ash_deadline_ms(ash_env.init_timeout);
}

/* List the PEs of `rank`'s host, in order; returns how many. */
static uint32_t list_host(uint32_t rank, uint32_t *ret_list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < root.n_ranks; i++)
        if (strcmp(root.members[i].host, root.members[rank].host) == 0) ret_list[n++] = i;
    return n;
}

static void welcome_all(void)
{
    uint32_t *local = malloc(root.n_ranks * sizeof(*local));
    if (local == NULL) {
        refuse_job("unique id: out of memory for the list of a host's PEs");
        return;
    }
    root.deadline = INT64_MAX;
    for (uint32_t rank = 0; rank < root.n_ranks; rank++) {
        uint32_t n = list_host(rank, local);
        send_to(rank, ASH_UID_WELCOME, 0, local, n * sizeof(*local));
    }
    free(local);
}

/* Tell a PE that has joined which process it waits for. */
static void greet(uint32_t rank)
{
    struct ash_uid_greeting greeting = {.pid = (uint32_t)getpid()};
    ash_host_name(greeting.host, sizeof(greeting.host));
    send_to(rank, ASH_UID_GREETING, root.rank, &greeting, sizeof(greeting));
}

/* A pending connection says which PE it is; false: it is not a PE of this job. */
static bool on_hello(struct ash_uid_connection *pending, uint32_t rank, const unsigned char *body,
                     size_t nbytes)
{
    struct ash_uid_hello hello;
    struct ash_cause cause;
    char text[160] = "";
    if (nbytes != sizeof(hello)) return false;
    memcpy(&hello, body, sizeof(hello));
    if (!ash_same_key(hello.key, root.uid.key)) return false;
    if (hello.n_ranks != root.n_ranks)
        snprintf(text, sizeof(text), "unique id: nranks differs between PEs: %u on PE %u, %u on "
                                     "PE %u", root.n_ranks, root.rank, hello.n_ranks, rank);
    else if (rank >= root.n_ranks)
        snprintf(text, sizeof(text), "unique id: a process says that it is PE %u, and the job has "
                                     "PEs 0..%u", rank, root.n_ranks - 1);
    else if (root.members[rank].joined)
        snprintf(text, sizeof(text), "unique id: two processes say that they are PE %u", rank);
    if (text[0] != '\0') {
        ash_cause_own(&cause, ASH_EXIT_FATAL);
        ash_uid_send_end(pending->fd, &cause, text);
        end_job(&cause, text);
        return true;
    }
    pending->rank = rank;
    root.members[rank].fd = pending->fd;
    root.members[rank].joined = true;
    root.members[rank].pid = hello.pid;
    memcpy(root.members[rank].host, hello.host, ASH_UID_HOST - 1);
    greet(rank);
    if (++root.n_joined == root.n_ranks) welcome_all();
    return true;
}

static void on_publish(struct member *m, const unsigned char *body, size_t nbytes)
{
    free(m->record);
    m->nbytes = 0;
    m->record = malloc(nbytes + 1);
    if (m->record == NULL) {
        refuse_job("unique id: out of memory for the record of a PE");
        return;
    }
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
    if (root.n_left == root.n_ranks) root.connections.over = true;
}

/* A PE that has joined is lost, or ends the job: make that cause, and do not wait for it. */
static void blame(uint32_t rank, enum ash_cause_kind kind, struct ash_cause *ret_cause)
{
    struct member *m = &root.members[rank];
    /* The text of ash_uid_host begins with the name. */
    ash_cause_of_peer(ret_cause, kind, rank, m->pid, m->host);
    ret_cause->host[strcspn(ret_cause->host, " ")] = '\0';
    m->left = true;
}

/* A PE ends the job; its cause may be another PE. */
static void on_abort(uint32_t rank, uint32_t status, const unsigned char *body, size_t nbytes)
{
    struct ash_cause cause, given;
    char text[256];
    blame(rank, ASH_CAUSE_ENDED, &cause);
    cause.status = (int32_t)status;
    snprintf(text, sizeof(text), "PE %u ended the job with status %d", rank, (int32_t)status);
    if (ash_cause_take(&given, body, nbytes, root.n_ranks) && given.pe != rank) {
        cause = given;
        ash_cause_describe(&cause, text, sizeof(text));
    }
    end_job(&cause, text);
}

static bool on_message(struct ash_uid_connection *from, const struct ash_uid_header *header,
                       const unsigned char *body)
{
    uint32_t rank = from->rank;
    if (rank == ASH_UID_PENDING)
        return header->type == ASH_UID_HELLO &&
               on_hello(from, header->number, body, header->nbytes);
    switch (header->type) {
    case ASH_UID_PUBLISH: on_publish(&root.members[rank], body, header->nbytes); return true;
    case ASH_UID_FENCE: on_fence(&root.members[rank]); return true;
    case ASH_UID_GET: on_get(rank, header->number); return true;
    case ASH_UID_BYE: on_bye(&root.members[rank]); return true;
    case ASH_UID_ABORT: on_abort(rank, header->number, body, header->nbytes); return true;
    default: return false;
    }
}

static void on_lost(uint32_t rank)
{
    struct ash_cause cause;
    char text[128 + ASH_HOST_BYTES];
    if (root.connections.over || root.members[rank].left) return;
    blame(rank, ASH_CAUSE_LOST, &cause);
    snprintf(text, sizeof(text), "PE %u on %s is lost: it ended without nvshmem_finalize", rank,
             cause.host);
    end_job(&cause, text);
}

static void *serve(void *unused)
{
    (void)unused;
    while (!root.connections.over) {
        ash_uid_connections_poll(&root.connections, root.deadline);
        if (!root.connections.over && ash_now_ms() >= root.deadline) too_late();
    }
    ash_uid_connections_close(&root.connections);
    return NULL;
}

static void free_tables(void)
{
    for (uint32_t rank = 0; root.members != NULL && rank < root.n_ranks; rank++)
        free(root.members[rank].record);
    free(root.members);
    ash_uid_connections_free(&root.connections);
    memset(&root, 0, sizeof(root));
}

/* The table must exist before this PE's connection is added to it. */
static bool make_tables(int listener, int own, uint32_t n_ranks)
{
    root.members = calloc(n_ranks, sizeof(*root.members));
    if (!ash_uid_connections_make(&root.connections, listener, n_ranks) || root.members == NULL)
        return false;
    ash_uid_connections_add(&root.connections, own);
    return true;
}

int ash_uid_root_start(const struct ash_uid *uid, int listener, int own, uint32_t rank,
                       uint32_t n_ranks)
{
    int rc;
    memset(&root, 0, sizeof(root));
    root.uid = *uid;
    root.rank = rank;
    root.n_ranks = n_ranks;
    root.connections.on_message = on_message;
    root.connections.on_lost = on_lost;
    await();
    if (!make_tables(listener, own, n_ranks)) {
        rc = ash_no_memory_for("the PEs of the unique id");
        goto give_up;
    }
    rc = ash_hostdev_thread(&root.thread, serve, NULL, "anyshmem-root");
    if (rc != 0) {
        rc = ash_no_thread_for("the unique id", -rc);
        goto give_up;
    }
    root.running = true;
    return 0;

give_up:
    close(listener);
    close(own);
    free_tables();
    return rc;
}

bool ash_uid_root_wait(int64_t seconds)
{
    if (!root.running) return true;
    if (!ash_hostdev_join(root.thread, seconds)) return false;
    free_tables();
    return true;
}

void ash_uid_root_forget(void)
{
    if (!root.running) return;
    ash_uid_connections_forget(&root.connections);
    root.running = false;
}
