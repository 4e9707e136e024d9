/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap by unique id, both sides, over local sockets with any bytes on
 * them: who does not know the key is told nothing; what comes back is whole
 * messages; a PE takes no job that cannot be.  Threads are run here, one after
 * the other, and the clock jumps, so that nothing waits.
 */
#include <errno.h>
#include <pthread.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/base/env.h"
#include "lib/base/end.h"
#include "lib/bootstrap/uid.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "uid";
const char *const fuzz_wanted[] = {"PE: started", "PE: not started", "PE: ended", "root: end",
                                   "root: other", NULL};
const unsigned long fuzz_executions = 20000;

#define CLIENTS 4u
#define BYTES_MAX 8192

/* Put in place by the linker, as ash_fatal is. */
int __wrap_ash_hostdev_thread(pthread_t *ret_thread, void *(*run)(void *), void *argument,
                              const char *name);
bool __wrap_ash_hostdev_join(pthread_t thread, int64_t seconds);
int64_t __wrap_ash_now_ms(void);
int __wrap_ash_poll_ms(int64_t deadline);
int __wrap_ash_uid_connect(const struct ash_uid *to, int64_t deadline, int *ret_fd);
_Noreturn void __wrap_ash_end(const struct ash_cause *cause, unsigned flags, const char *text);
int __wrap_pthread_join(pthread_t thread, void **retval);

static void *(*thread_main)(void *);
static int64_t now;
static int to_root;
static const struct ash_uid uid = {.magic = ASH_UID_MAGIC, .key = {11, 22}};

int __wrap_ash_hostdev_thread(pthread_t *ret_thread, void *(*run)(void *), void *argument,
                              const char *name)
{
    (void)ret_thread, (void)argument, (void)name;
    thread_main = run;
    return 0;
}

bool __wrap_ash_hostdev_join(pthread_t thread, int64_t seconds)
{
    (void)thread, (void)seconds;
    return true;
}

int __wrap_pthread_join(pthread_t thread, void **retval)
{
    (void)thread, (void)retval;
    return 0;
}

/* Each look at the clock takes half a second. */
int64_t __wrap_ash_now_ms(void) { return now += 500; }

int __wrap_ash_poll_ms(int64_t deadline)
{
    (void)deadline;
    return 0;
}

int __wrap_ash_uid_connect(const struct ash_uid *to, int64_t deadline, int *ret_fd)
{
    (void)to, (void)deadline;
    *ret_fd = to_root;
    return 0;
}

/* The end that the root asked for, or that it caused. */
void __wrap_ash_end(const struct ash_cause *cause, unsigned flags, const char *text)
{
    (void)flags;
    if (cause->kind < ASH_CAUSE_ENDED || cause->kind > ASH_CAUSE_BROKEN || cause->pe >= 4 ||
        strnlen(cause->host, sizeof(cause->host)) == sizeof(cause->host) ||
        strnlen(cause->why, sizeof(cause->why)) == sizeof(cause->why))
        fuzz_finding("a cause that cannot be");
    /* 7 is what it greets with; this PE's own process it cannot be. */
    if (strstr(text, "made the unique id") != NULL &&
        (cause->kind != ASH_CAUSE_LOST || cause->pid != 7))
        fuzz_finding("the root is lost, and the cause is another PE");
    fuzz_count("PE: ended");
    ash_fatal("%s", text);
}

struct bytes {
    unsigned char at[BYTES_MAX];
    size_t n;
    /* It begins with a right introduction. */
    bool knows_key;
};

static void add(struct bytes *bytes, const void *from, size_t n)
{
    if (bytes->n + n > BYTES_MAX) return;
    memcpy(bytes->at + bytes->n, from, n);
    bytes->n += n;
}

static void add_message(struct bytes *bytes, uint32_t type, uint32_t number, const void *body,
                        uint64_t nbytes, uint64_t said)
{
    struct ash_uid_header header = {type, number, said};
    add(bytes, &header, sizeof(header));
    if (nbytes > 0) add(bytes, body, nbytes);
}

/* Why the job ends, mostly with something in it that cannot be. */
static void add_end(struct fuzz_input *in, struct bytes *bytes)
{
    struct {
        struct ash_cause cause;
        char text[4];
    } body = {.text = "why"};
    uint64_t n = fuzz_take(in, 1) % 8 != 0 ? sizeof(body) - 1 : fuzz_take(in, 1) % sizeof(body);
    memset(&body.cause, (int)fuzz_take(in, 1), sizeof(body.cause));
    body.cause.kind = (uint32_t)fuzz_take(in, 1) % 6;
    body.cause.pe = (uint32_t)fuzz_take(in, 1) % 5;
    add_message(bytes, ASH_UID_END, 0, &body, n, n);
}

static void add_any(struct fuzz_input *in, struct bytes *bytes)
{
    unsigned char body[64];
    uint64_t type = fuzz_take(in, 1), number = fuzz_take(in, 1), n = fuzz_take(in, 1) % 64;
    uint64_t said = n;
    for (uint64_t i = 0; i < n; i++) body[i] = (unsigned char)(i % 4 == 0 ? number >> i % 8 : 0);
    if (type % 12 == ASH_UID_END) {
        add_end(in, bytes);
        return;
    }
    if (type >= 240) said = type >= 248 ? fuzz_take(in, 8) : ASH_UID_MESSAGE_MAX + type % 2;
    add_message(bytes, (uint32_t)(type % 12), number == 255 ? UINT32_MAX : (uint32_t)number % 5,
                body, n, said);
}

/* What a PE says of itself; wrong in some way for some `wrong`. */
static void add_hello(struct bytes *bytes, uint32_t rank, uint32_t n_ranks, uint64_t wrong)
{
    struct ash_uid_hello hello = {.key = {uid.key[0], uid.key[1]}, .n_ranks = n_ranks};
    memset(hello.host, wrong == 1 ? 'x' : 0, sizeof(hello.host));
    if (wrong == 2) hello.key[0] ^= 1;
    if (wrong == 3) hello.key[1] ^= UINT64_C(1) << 63;
    if (wrong == 4) hello.n_ranks++;
    bytes->knows_key = wrong != 2 && wrong != 3 && wrong != 5 && wrong != 6;
    add_message(bytes, wrong == 5 ? ASH_UID_GET : ASH_UID_HELLO, rank, &hello,
                sizeof(hello) - (wrong == 6), sizeof(hello) - (wrong == 6));
}

static void send_all(int fd, const struct bytes *bytes)
{
    if (bytes->n > 0 && send(fd, bytes->at, bytes->n, MSG_NOSIGNAL) != (ssize_t)bytes->n)
        fuzz_finding("%zu bytes cannot be sent", bytes->n);
    shutdown(fd, SHUT_WR);
}

/* What the root told a client: whole messages of the root's types. */
static void check_end(const unsigned char *body, size_t nbytes)
{
    static const char twice[] = "unique id: two processes say that they are PE ";
    char text[512] = "";
    if (nbytes < sizeof(struct ash_cause)) fuzz_finding("the root sends no whole cause");
    snprintf(text, sizeof(text), "%.*s", (int)(nbytes - sizeof(struct ash_cause)),
             (const char *)body + sizeof(struct ash_cause));
    /* Each number that is none of a PE is at least CLIENTS. */
    if (strncmp(text, twice, sizeof(twice) - 1) == 0 && atol(text + sizeof(twice) - 1) >= CLIENTS)
        fuzz_finding("one process is called two: %s", text);
}

static void check_told(int fd, bool knows_key)
{
    struct ash_uid_header header;
    unsigned char body[1 << 12];
    ssize_t n;
    while ((n = recv(fd, &header, sizeof(header), MSG_DONTWAIT)) > 0) {
        if (!knows_key) fuzz_finding("who does not know the key is told something");
        if (n != sizeof(header) || header.nbytes > sizeof(body))
            fuzz_finding("the root sends no whole message");
        if (header.type != ASH_UID_GREETING && header.type != ASH_UID_WELCOME &&
            header.type != ASH_UID_FENCED && header.type != ASH_UID_RECORD &&
            header.type != ASH_UID_END)
            fuzz_finding("the root sends a message of type %u", header.type);
        if (header.nbytes > 0 && recv(fd, body, header.nbytes, MSG_DONTWAIT) !=
                                     (ssize_t)header.nbytes)
            fuzz_finding("the root sends no whole message");
        if (header.type == ASH_UID_END) check_end(body, header.nbytes);
        fuzz_count(header.type == ASH_UID_END ? "root: end" : "root: other");
    }
}

static int make_listener(struct sockaddr_un *ret_address, socklen_t *ret_length)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->sun_family = AF_UNIX;
    /* Without a name the kernel finds one. */
    if (fd < 0 || bind(fd, (struct sockaddr *)ret_address, sizeof(sa_family_t)) != 0 ||
        listen(fd, CLIENTS) != 0)
        fuzz_finding("no listener: %s", strerror(errno));
    *ret_length = sizeof(*ret_address);
    getsockname(fd, (struct sockaddr *)ret_address, ret_length);
    return fd;
}

static void fuzz_root(struct fuzz_input *in)
{
    static struct bytes bytes[CLIENTS];
    uint32_t n_ranks = 1 + fuzz_take(in, 1) % 3, n = n_ranks + fuzz_take(in, 1) % 2;
    struct sockaddr_un address;
    socklen_t length;
    int fds[CLIENTS], ends[2], listener = make_listener(&address, &length);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fuzz_finding("no sockets");
    for (unsigned c = 0; c < n; c++) {
        uint64_t odd = fuzz_take(in, 1);
        bytes[c].n = 0;
        add_hello(&bytes[c], odd >= 250 ? (uint32_t)odd : c % n_ranks, n_ranks,
                  odd < 8 ? odd : 0);
        for (unsigned i = 0; i < 6 && in->left > 0; i++) add_any(in, &bytes[c]);
        fds[c] = c == 0 ? ends[0] : socket(AF_UNIX, SOCK_STREAM, 0);
        if (c > 0 && connect(fds[c], (struct sockaddr *)&address, length) != 0)
            fuzz_finding("not connected: %s", strerror(errno));
        send_all(fds[c], &bytes[c]);
    }
    if (ash_uid_root_start(&uid, listener, ends[1], 0, n_ranks) != 0) fuzz_finding("no root");
    thread_main(NULL);
    ash_uid_root_wait(1);
    for (unsigned c = 0; c < n; c++) {
        check_told(fds[c], bytes[c].knows_key);
        close(fds[c]);
    }
}

static struct ash_bootstrap job;

static void start_pe(void *ret_rc) { *(int *)ret_rc = ash_bootstrap_uid.start(&job); }

/* Until the root is gone, which ends the process. */
static void read_root(void *unused) { thread_main(unused); }

static void check_job(uint32_t rank, uint32_t n_ranks)
{
    bool with_me = false;
    if (job.pe != rank || job.n_pes != n_ranks || job.n_local > n_ranks)
        fuzz_finding("a job of other PEs");
    for (uint32_t i = 0; i < job.n_local; i++) {
        if (job.local_pes[i] >= n_ranks || (i > 0 && job.local_pes[i] <= job.local_pes[i - 1]))
            fuzz_finding("PE %u of %u is on this host", job.local_pes[i], n_ranks);
        with_me |= job.local_pes[i] == rank;
    }
    if (!with_me) fuzz_finding("the PE is not on its own host");
}

static void fuzz_pe(struct fuzz_input *in)
{
    static struct bytes bytes;
    uint32_t n_ranks = 1 + fuzz_take(in, 1) % 4, local[4] = {0, 1, 2, 3};
    uint64_t wrong = fuzz_take(in, 1);
    struct ash_uid_greeting greeting = {.pid = 7};
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_uniqueid_args_t args = {.id = &id, .myrank = 0, .nranks = (int)n_ranks};
    int ends[2], rc = 0;
    bytes.n = 0;
    args.myrank = (int)(wrong >> 4) % args.nranks;
    memcpy(id.internal, &uid, sizeof(uid));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fuzz_finding("no sockets");
    if (wrong % 8 == 1) local[fuzz_take(in, 1) % 4] = (uint32_t)fuzz_take(in, 4);
    if (wrong % 8 == 2) n_ranks = 1 + fuzz_take(in, 1) % 4;
    memset(greeting.host, (int)(wrong >> 4), sizeof(greeting.host));
    if (wrong % 8 != 6)
        add_message(&bytes, ASH_UID_GREETING, wrong % 8 == 4 ? (uint32_t)fuzz_take(in, 1) : 0,
                    &greeting, sizeof(greeting) - (wrong % 8 == 7),
                    sizeof(greeting) - (wrong % 8 == 7));
    if (wrong % 8 != 3)
        add_message(&bytes, ASH_UID_WELCOME, 0, local, n_ranks * 4 - (wrong % 8 == 5),
                    n_ranks * 4 - (wrong % 8 == 5));
    for (unsigned i = 0; i < 6 && in->left > 0; i++) add_any(in, &bytes);
    send_all(ends[0], &bytes);
    to_root = ends[1];
    if (!ash_uid_is_one(&id)) fuzz_finding("the id is refused");
    ash_bootstrap_uid.use(&args);
    fuzz_logged[0] = '\0';
    if (fuzz_refused(start_pe, &rc)) fuzz_finding("start ends the process: %s", fuzz_said);
    if (rc != 0 && strstr(fuzz_logged, "unique id") == NULL && wrong % 8 != 3)
        fuzz_count("PE: told by the root");
    fuzz_count(rc == 0 ? "PE: started" : "PE: not started");
    if (rc == 0) {
        check_job((uint32_t)args.myrank, (uint32_t)args.nranks);
        if (!fuzz_refused(read_root, NULL)) fuzz_finding("the root is gone, and nobody minds");
        ash_bootstrap_uid.stop();
        free(job.local_pes);
    }
    close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct fuzz_input in = {data, nbytes};
    ash_env.init_timeout = 3;
    now = 0;
    if (fuzz_take(&in, 1) % 2 == 0)
        fuzz_root(&in);
    else
        fuzz_pe(&in);
    return 0;
}
