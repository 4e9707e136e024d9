/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap by unique id, this PE's side: sends requests to the root, and a thread reads
 * the replies (lib/bootstrap/uid.h has the overview).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/base/deadline.h"
#include "lib/base/end.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/bootstrap/uid.h"

static struct {
    struct ash_uid_seat seat;
    pthread_t reader;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* One message is sent at a time, and one record is requested at a time. */
    pthread_mutex_t sending, getting;
    /* The job runs, so a lost connection ends it.  The thread that exchanges it to false (the
     * reader, or one that stops or aborts) handles the end. */
    bool running;
    /* The connection is lost while the job does not run; protected by mutex. */
    bool lost;
    /* This PE has logged why it ends, so the root's reason is less important.  Written by: a
     * thread that sends.  Read by: the reader. */
    bool reported;
    /* Fences and records that were requested, and that came; protected by mutex. */
    uint64_t fences, fenced, requested, received;
    /* The last record that came; uid_get owns it once `received` counts it. */
    unsigned char *record;
    size_t nbytes;
    bool prepared;
} self = {.seat = {.fd = -1},
          .mutex = PTHREAD_MUTEX_INITIALIZER,
          .sending = PTHREAD_MUTEX_INITIALIZER,
          .getting = PTHREAD_MUTEX_INITIALIZER};

bool ash_uid_is_one(const nvshmemx_uniqueid_t *id)
{
    struct ash_uid uid;
    memcpy(&uid, id->internal, sizeof(uid));
    return uid.magic == ASH_UID_MAGIC;
}

static void uid_use(const void *what)
{
    const nvshmemx_uniqueid_args_t *args = what;
    /* A second user joins a running library without arguments.  If the first user has ended it
     * meanwhile, the id of the last start is used again. */
    if (args == NULL) return;
    memcpy(&self.seat.uid, args->id->internal, sizeof(self.seat.uid));
    self.seat.rank = (uint32_t)args->myrank;
    self.seat.n_ranks = (uint32_t)args->nranks;
}

/* In a forked child: the connections belong to the parent. */
static void forget(void)
{
    if (self.seat.fd >= 0) close(self.seat.fd);
    self.seat.fd = -1;
    self.running = false;
    ash_uid_root_forget();
}

static void prepare(void)
{
    pthread_condattr_t attributes;
    if (self.prepared) return;
    self.prepared = true;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&self.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_atfork(NULL, NULL, forget);
}

static bool send_to_root(uint32_t type, uint32_t number, const void *body, size_t nbytes)
{
    bool ok;
    pthread_mutex_lock(&self.sending);
    ok = ash_uid_send(self.seat.fd, type, number, body, nbytes);
    pthread_mutex_unlock(&self.sending);
    return ok;
}

static unsigned flags_of_end(void)
{
    return __atomic_load_n(&self.reported, __ATOMIC_ACQUIRE) ? ASH_END_LOGGED : 0;
}

/* The root has ended the job and sent the reason. */
static void on_end(const struct ash_cause *cause, const char *text)
{
    if (!__atomic_exchange_n(&self.running, false, __ATOMIC_ACQ_REL)) return;
    ash_end(cause, cause->status == 0 ? ASH_END_LOGGED : flags_of_end(), text);
}

/* The root is gone: end with its loss as the cause, so that other PEs report that as well. */
static _Noreturn void end_for_root(void)
{
    const struct ash_uid_greeting *root = &self.seat.greeting;
    struct ash_cause cause;
    char text[192];
    ash_cause_of_peer(&cause, ASH_CAUSE_LOST, self.seat.root, root->pid, root->host);
    snprintf(text, sizeof(text), "PE %u (process %u on %s), which made the unique id, has ended "
                                 "without nvshmem_finalize", self.seat.root, root->pid, root->host);
    ash_end(&cause, flags_of_end(), text);
}

static void on_lost(bool no_memory)
{
    if (!__atomic_exchange_n(&self.running, false, __ATOMIC_ACQ_REL)) {
        pthread_mutex_lock(&self.mutex);
        self.lost = true;
        pthread_cond_broadcast(&self.changed);
        pthread_mutex_unlock(&self.mutex);
        return;
    }
    if (no_memory)
        ash_fatal("unique id: out of memory for what PE %u sends", self.seat.root);
    end_for_root();
}

/* Take a reply of the root; one that was not requested is dropped. */
static void on_reply(const struct ash_uid_header *header, unsigned char *body)
{
    pthread_mutex_lock(&self.mutex);
    if (header->type != ASH_UID_RECORD || self.received == self.requested) {
        if (header->type == ASH_UID_FENCED && self.fenced < self.fences) self.fenced++;
        free(body);
    } else {
        free(self.record);
        self.record = body;
        self.nbytes = (size_t)header->nbytes;
        self.received++;
    }
    pthread_cond_broadcast(&self.changed);
    pthread_mutex_unlock(&self.mutex);
}

static void *read_root(void *unused)
{
    struct ash_uid_header header;
    struct ash_cause cause;
    unsigned char *body;
    (void)unused;
    while (ash_uid_receive(self.seat.fd, INT64_MAX, &header, &body)) {
        const char *text = ash_uid_take_end(&header, body, self.seat.n_ranks, &cause);
        if (text != NULL) {
            on_end(&cause, text);
            free(body);
        } else {
            on_reply(&header, body);
        }
    }
    on_lost(errno == ENOMEM);
    return NULL;
}

static void close_connection(void)
{
    if (self.seat.fd >= 0) close(self.seat.fd);
    self.seat.fd = -1;
}

static int uid_start(struct ash_bootstrap *ret_bootstrap)
{
    int listener, rc;
    prepare();
    listener = ash_uid_take_listener(&self.seat.uid);
    self.lost = self.reported = false;
    self.fences = self.fenced = self.requested = self.received = 0;
    rc = ash_uid_join(&self.seat, listener, ret_bootstrap);
    if (rc == 0) {
        self.running = true;
        rc = ash_hostdev_thread(&self.reader, read_root, NULL, "anyshmem-uid");
        if (rc == 0) return 0;
        self.running = false;
        rc = ash_no_thread_for("what the unique id's process says", -rc);
    }
    close_connection();
    ash_uid_root_wait(ASH_ROOT_NOTIFY_MS / 1000);
    return rc;
}

/* Wait until a counter of the reader's reaches `goal`. */
static int wait_for(const uint64_t *counter, uint64_t goal, const char *what)
{
    int64_t deadline = ash_uid_deadline();
    struct timespec until = {(time_t)(deadline / 1000), (long)(deadline % 1000) * 1000000};
    bool done;
    int rc = 0;
    pthread_mutex_lock(&self.mutex);
    while (*counter < goal && !self.lost && rc != ETIMEDOUT)
        rc = deadline == INT64_MAX
                 ? pthread_cond_wait(&self.changed, &self.mutex)
                 : pthread_cond_timedwait(&self.changed, &self.mutex, &until);
    done = *counter >= goal;
    pthread_mutex_unlock(&self.mutex);
    if (done) return 0;
    ash_log(ASH_LOG_ERROR, "unique id: PE %u did not answer %s", self.seat.root, what);
    return ASH_ERROR_BOOTSTRAP;
}

/* The root has ended the job: let the reader receive the reason, log it and end this process. */
static void let_reader_end(void)
{
    int64_t deadline = ash_now_ms() + ASH_ROOT_REASON_MS;
    while (!ash_end_begun() && ash_now_ms() < deadline) ash_sleep_ms(10);
    if (ash_end_begun()) ash_fatal_logged();
}

static int request(uint32_t type, uint32_t number, const void *body, size_t nbytes)
{
    int error;
    if (send_to_root(type, number, body, nbytes)) return 0;
    error = errno;
    if (error == EPIPE || error == ECONNRESET) let_reader_end();
    __atomic_store_n(&self.reported, true, __ATOMIC_RELEASE);
    errno = error;
    ash_log(ASH_LOG_ERROR, "unique id: cannot send to PE %u: %m", self.seat.root);
    return ASH_ERROR_BOOTSTRAP;
}

static int uid_publish(const void *record, size_t nbytes)
{
    return request(ASH_UID_PUBLISH, 0, record, nbytes);
}

static uint64_t count(uint64_t *counter)
{
    uint64_t value;
    pthread_mutex_lock(&self.mutex);
    value = ++*counter;
    pthread_mutex_unlock(&self.mutex);
    return value;
}

static int uid_fence(void)
{
    uint64_t goal = count(&self.fences);
    int rc = request(ASH_UID_FENCE, 0, NULL, 0);
    return rc == 0 ? wait_for(&self.fenced, goal, "to a fence") : rc;
}

static int uid_get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    uint64_t goal;
    int rc;
    pthread_mutex_lock(&self.getting);
    goal = count(&self.requested);
    rc = request(ASH_UID_GET, pe, NULL, 0);
    if (rc == 0) rc = wait_for(&self.received, goal, "with a record");
    if (rc == 0) {
        *ret_record = self.record;
        *ret_nbytes = self.nbytes;
        self.record = NULL;
    }
    pthread_mutex_unlock(&self.getting);
    return rc;
}

static void uid_stop(void)
{
    bool aborted = !__atomic_exchange_n(&self.running, false, __ATOMIC_ACQ_REL);
    if (self.seat.fd < 0) return;
    /* If the goodbye cannot be sent, break the connection: the root then sees this PE as lost. */
    if (!aborted && !send_to_root(ASH_UID_BYE, 0, NULL, 0)) shutdown(self.seat.fd, SHUT_RDWR);
    /* The root stays until all have said goodbye; it gives up by itself. */
    while (!ash_uid_root_wait(1)) {
    }
    shutdown(self.seat.fd, SHUT_RDWR);
    pthread_join(self.reader, NULL);
    close_connection();
    free(self.record);
    self.record = NULL;
}

static void uid_abort(int status)
{
    if (!__atomic_exchange_n(&self.running, false, __ATOMIC_ACQ_REL)) return;
    send_to_root(ASH_UID_ABORT, (uint32_t)status, ash_end_cause(), sizeof(struct ash_cause));
    ash_uid_root_wait(ASH_ROOT_NOTIFY_MS / 1000);
}

const struct ash_bootstrap_backend ash_bootstrap_uid = {
    .name = "unique id",
    .use = uid_use,
    .start = uid_start,
    .publish = uid_publish,
    .fence = uid_fence,
    .get = uid_get,
    .stop = uid_stop,
    .abort = uid_abort,
};
