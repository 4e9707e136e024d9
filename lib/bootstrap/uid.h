/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap by unique id, inside.
 *
 * The process that made the id listens on a TCP port; the id contains its address and
 * the job's key.  When the library starts in that process, a thread of it, the root,
 * serves all PEs (uid_root.c).  Each PE, the root's own included, has one connection to
 * the root and a thread that reads it (uid.c).  If a connection ends before its PE has
 * said goodbye, the job ends.
 */
#ifndef ASH_LIB_BOOTSTRAP_UID_H
#define ASH_LIB_BOOTSTRAP_UID_H

#include <nvshmem/init_attr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/cause.h"
#include "lib/bootstrap/bootstrap.h"

#define ASH_UID_MAGIC UINT64_C(0x3230646975687361) /* "ashuid02" in memory */
/* Bytes of the text form of an address with its port. */
#define ASH_UID_TEXT 64
/* Bytes of the text that identifies a host (ash_uid_host). */
#define ASH_UID_HOST 128
/* Bytes of the text that says why a job ends. */
#define ASH_UID_END_TEXT 384
/* The most bytes of a message's body. */
#define ASH_UID_MESSAGE_MAX (UINT64_C(1) << 24)

/* The contents of an id. */
struct ash_uid {
    uint64_t magic;
    uint64_t key[2];
    /* AF_INET or AF_INET6; the port in network order. */
    uint16_t family;
    uint16_t port;
    uint32_t scope;
    uint8_t address[16];
};

/* Message                  sent by   number          body */
enum ash_uid_type {
    ASH_UID_HELLO,       /* PE        rank            struct ash_uid_hello */
    ASH_UID_WELCOME,     /* root                      uint32_t: PEs of this PE's host */
    ASH_UID_PUBLISH,     /* PE                        its record */
    ASH_UID_FENCE,       /* PE */
    ASH_UID_FENCED,      /* root */
    ASH_UID_GET,         /* PE        whose */
    ASH_UID_RECORD,      /* root      whose           its record, or nothing */
    ASH_UID_BYE,         /* PE */
    ASH_UID_ABORT,       /* PE        exit status     struct ash_cause, or nothing */
    ASH_UID_END,         /* root                      struct ash_cause, text that says why */
    ASH_UID_GREETING     /* root      root's rank     struct ash_uid_greeting: first of all */
};

struct ash_uid_header {
    uint32_t type;
    uint32_t number;
    uint64_t nbytes;
};

struct ash_uid_hello {
    uint64_t key[2];
    uint32_t n_ranks;
    uint32_t pid;
    char host[ASH_UID_HOST];
};

/* The root's process: the PEs must be able to name it before all have come. */
struct ash_uid_greeting {
    uint32_t pid;
    char host[ASH_HOST_BYTES];
};

/* uid_address.c: 0, or an error that was logged. */

/* Make an id, and listen for PEs that join by it. */
int ash_uid_make(nvshmemx_uniqueid_t *ret_id);
int ash_uid_connect(const struct ash_uid *uid, int64_t deadline, int *ret_fd);
void ash_uid_text(const struct ash_uid *uid, char *ret_text);
/* A text that is the same on all PEs that can map each other's memory, and on no others. */
void ash_uid_host(char *ret_host);

/* The listener of an id that this process made, or -1; closes those of its other ids. */
int ash_uid_take_listener(const struct ash_uid *uid);
/* uid.c: was it made by this library? */
bool ash_uid_is_one(const nvshmemx_uniqueid_t *id);

/* uid_message.c: false if the connection is lost, or the time is over. */

bool ash_uid_send(int fd, uint32_t type, uint32_t number, const void *body, size_t nbytes);
/* The caller frees *ret_body, which has a zero byte at its end that is not counted; NULL after a
 * failure. */
bool ash_uid_receive(int fd, int64_t deadline, struct ash_uid_header *ret_header,
                     unsigned char **ret_body);
bool ash_uid_send_end(int fd, const struct ash_cause *cause, const char *text);
/* The text of a message ASH_UID_END; NULL if the message is another one or invalid. */
const char *ash_uid_take_end(const struct ash_uid_header *header, const unsigned char *body,
                             uint32_t n_ranks, struct ash_cause *ret_cause);

/* uid_join.c */

/* A PE's place in a job. */
struct ash_uid_seat {
    /* Set before it joins. */
    struct ash_uid uid;
    uint32_t rank, n_ranks;
    /* The connection to the root; -1: none. */
    int fd;
    /* The root's PE, and its process; greeting.pid is 0 until they are known. */
    uint32_t root;
    struct ash_uid_greeting greeting;
};

/*
 * Introduce this PE and wait until all are there; listener < 0: the root is another process.
 * 0, or an error that was logged, after which seat->fd may be open.
 */
int ash_uid_join(struct ash_uid_seat *seat, int listener, struct ash_bootstrap *ret_bootstrap);
/* The deadline of a wait for the root that begins now. */
int64_t ash_uid_deadline(void);

/*
 * uid_root.c: start the thread that serves the job.  Takes ownership of `listener`, and
 * of `own`, the root's end of the connection of this process's PE, which is served first.
 */
int ash_uid_root_start(const struct ash_uid *uid, int listener, int own, uint32_t rank,
                       uint32_t n_ranks);
/* Wait until all PEs have said goodbye, or the job is over; false after `seconds`. */
bool ash_uid_root_wait(int64_t seconds);
/* In a forked child: the parent's connections are not the child's. */
void ash_uid_root_forget(void);

#endif
