/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many connections, read by one thread that never waits for one of them.
 */
#ifndef ASH_LIB_BOOTSTRAP_UID_CONNECTIONS_H
#define ASH_LIB_BOOTSTRAP_UID_CONNECTIONS_H

#include <poll.h>

#include "lib/bootstrap/uid.h"

/* The rank of a pending connection: it did not yet say which PE it is. */
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
    /* A whole message; false: the connection makes no sense and is closed. */
    bool (*on_message)(struct ash_uid_connection *from, const struct ash_uid_header *header,
                       const unsigned char *body);
    /* The connection of a PE is gone; its fd is closed. */
    void (*on_lost)(uint32_t rank);
    /* No more messages are handed over. */
    bool over;
    /* Connections could not be taken for want of file descriptors, which was said. */
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

/* The descriptors alone: in a child, whose parent may have been changing the rest. */
void ash_uid_connections_forget(const struct ash_uid_connections *all);

#endif
