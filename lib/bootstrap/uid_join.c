/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins a job by unique id: a PE sends a hello to the root, then receives the root's greeting
 * and, once all PEs have come, the list of its host's PEs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/bootstrap/uid.h"

/* How much longer a PE waits than the root, whose message says which PEs are missing. */
#define EXTRA_SECONDS 10

static const char strange[] = "unique id: a strange answer";

int64_t ash_uid_deadline(void)
{
    return ash_deadline_ms(ash_env.init_timeout > 0 ? ash_env.init_timeout + EXTRA_SECONDS : 0);
}

static bool introduce(const struct ash_uid_seat *seat)
{
    struct ash_uid_hello hello = {.n_ranks = seat->n_ranks, .pid = (uint32_t)getpid()};
    memcpy(hello.key, seat->uid.key, sizeof(hello.key));
    ash_uid_host(hello.host);
    return ash_uid_send(seat->fd, ASH_UID_HELLO, seat->rank, &hello, sizeof(hello));
}

/*
 * Start the root in this process.  Its own PE uses a local socket, and introduces itself
 * before the root thread starts, so it has joined before any other PE.
 */
static int serve_job(struct ash_uid_seat *seat, int listener, bool *ret_introduced)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        ash_log(ASH_LOG_ERROR, "unique id: no local socket: %m");
        close(listener);
        return ASH_ERROR_SYSTEM;
    }
    seat->fd = ends[0];
    *ret_introduced = introduce(seat);
    return ash_uid_root_start(&seat->uid, listener, ends[1], seat->rank, seat->n_ranks);
}

/* Is this a valid list of this host's PEs: in order, of this job, with this PE? */
static bool is_welcome(const struct ash_uid_seat *seat, const struct ash_uid_header *header,
                       const uint32_t *local)
{
    uint64_t n = header->nbytes / sizeof(*local);
    bool with_me = false;
    if (header->nbytes % sizeof(*local) != 0 || n > seat->n_ranks) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (local[i] >= seat->n_ranks || (i > 0 && local[i] <= local[i - 1])) return false;
        with_me |= local[i] == seat->rank;
    }
    return with_me;
}

/* The connection is lost, or the time is over; errno says which. */
static void log_lost(const struct ash_uid_seat *seat)
{
    int error = errno;
    char text[ASH_UID_TEXT];
    ash_uid_text(&seat->uid, text);
    if (seat->greeting.pid == 0)
        ash_log(ASH_LOG_ERROR, "unique id: no answer from %s: %s (did the process that made the id "
                               "start the library, too?)", text, strerror(error));
    else if (error == ECONNRESET || error == EPIPE)
        ash_log(ASH_LOG_ERROR, "PE %u (process %u on %s), which made the unique id, has ended "
                               "without nvshmem_finalize", seat->root, seat->greeting.pid,
                seat->greeting.host);
    else
        ash_log(ASH_LOG_ERROR, "unique id: PE %u (process %u on %s) does not answer: %s",
                seat->root, seat->greeting.pid, seat->greeting.host, strerror(error));
}

/* Receive the root's next message; NULL: it has another type, or none came, which was logged. */
static unsigned char *receive(const struct ash_uid_seat *seat, int64_t deadline, uint32_t type,
                              struct ash_uid_header *ret_header)
{
    struct ash_cause cause;
    unsigned char *body;
    const char *why;
    if (!ash_uid_receive(seat->fd, deadline, ret_header, &body)) {
        log_lost(seat);
        return NULL;
    }
    if (ret_header->type == type) return body;
    why = ash_uid_take_end(ret_header, body, seat->n_ranks, &cause);
    ash_log(ASH_LOG_ERROR, "%s", why != NULL ? why : strange);
    free(body);
    return NULL;
}

static int receive_greeting(struct ash_uid_seat *seat, int64_t deadline)
{
    struct ash_uid_header header;
    unsigned char *body = receive(seat, deadline, ASH_UID_GREETING, &header);
    bool whole = body != NULL && header.nbytes == sizeof(seat->greeting) &&
                 header.number < seat->n_ranks;
    if (body != NULL && !whole) ash_log(ASH_LOG_ERROR, "%s", strange);
    if (whole) {
        memcpy(&seat->greeting, body, sizeof(seat->greeting));
        seat->greeting.host[sizeof(seat->greeting.host) - 1] = '\0';
        seat->root = header.number;
        ash_log(ASH_LOG_INFO, "unique id: PE %u (process %u on %s) is the root of the bootstrap",
                seat->root, seat->greeting.pid, seat->greeting.host);
    }
    free(body);
    return whole ? 0 : ASH_ERROR_BOOTSTRAP;
}

static int receive_welcome(struct ash_uid_seat *seat, int64_t deadline,
                           struct ash_bootstrap *ret_bootstrap)
{
    struct ash_uid_header header;
    unsigned char *body = receive(seat, deadline, ASH_UID_WELCOME, &header);
    if (body == NULL) return ASH_ERROR_BOOTSTRAP;
    if (!is_welcome(seat, &header, (const uint32_t *)(const void *)body)) {
        ash_log(ASH_LOG_ERROR, "%s", strange);
        free(body);
        return ASH_ERROR_BOOTSTRAP;
    }
    ret_bootstrap->pe = seat->rank;
    ret_bootstrap->n_pes = seat->n_ranks;
    ret_bootstrap->local_pes = (uint32_t *)(void *)body;
    ret_bootstrap->n_local = (uint32_t)(header.nbytes / sizeof(uint32_t));
    return 0;
}

int ash_uid_join(struct ash_uid_seat *seat, int listener, struct ash_bootstrap *ret_bootstrap)
{
    int64_t deadline = ash_uid_deadline();
    bool introduced = false;
    char text[ASH_UID_TEXT];
    int rc;
    memset(&seat->greeting, 0, sizeof(seat->greeting));
    rc = listener >= 0 ? serve_job(seat, listener, &introduced)
                       : ash_uid_connect(&seat->uid, deadline, &seat->fd);
    if (rc != 0) return rc;
    if (listener < 0) introduced = introduce(seat);
    if (!introduced) {
        ash_uid_text(&seat->uid, text);
        ash_log(ASH_LOG_ERROR, "unique id: cannot send to %s", text);
        return ASH_ERROR_BOOTSTRAP;
    }
    rc = receive_greeting(seat, deadline);
    return rc == 0 ? receive_welcome(seat, deadline, ret_bootstrap) : rc;
}
