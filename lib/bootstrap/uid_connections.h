/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The root's connections, which one thread reads without ever waiting for a single one.
 */
#ifndef ASH_LIB_BOOTSTRAP_UID_CONNECTIONS_H
#define ASH_LIB_BOOTSTRAP_UID_CONNECTIONS_H

#include <poll.h>

#include "lib/bootstrap/uid.h"

/* The rank of a pending connection, which has not said yet which PE it is. */
#define ASH_UID_PENDING UINT32_MAX

struct ash_uid_connection {
    int fd;
    /* Set by on_message; ASH_UID_PENDING before. */
    uint32_t rank;
    /* When a pending connection is closed. */
    int64_t deadline;
    unsigned char *in;
    size_t have, room;
};

struct ash_uid_connections {
    int listener;
    struct ash_uid_connection *table;
    struct pollfd *ready;
    uint32_t n, room;
    /* Takes a complete message; false: it makes no sense, so close the connection. */
    bool (*on_message)(struct ash_uid_connection *from, const struct ash_uid_header *header,
                       const unsigned char *body);
    /* The connection of a PE is gone; its fd is closed. */
    void (*on_lost)(uint32_t rank);
    /* No more messages are passed on. */
    bool over;
    /* A connection could not be accepted for lack of descriptors or memory, which was logged. */
    bool full;
};

/* Room for n PEs and some pending connections; false: out of memory. */
bool ash_uid_connections_make(struct ash_uid_connections *all, int listener, uint32_t n_pes);
/* One more connection, pending; if there is no room, the oldest pending one is closed. */
void ash_uid_connections_add(struct ash_uid_connections *all, int fd);
/* Wait until something comes, at most until the deadline, and handle it. */
void ash_uid_connections_poll(struct ash_uid_connections *all, int64_t deadline);
void ash_uid_connections_close(struct ash_uid_connections *all);
void ash_uid_connections_free(struct ash_uid_connections *all);

/* In a forked child: close the descriptors only, because the parent may have been changing the
 * rest during the fork. */
void ash_uid_connections_forget(const struct ash_uid_connections *all);

#endif
