/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The record that each PE publishes about itself and that the others read.
 */
#ifndef ASH_LIB_BOOTSTRAP_RECORD_H
#define ASH_LIB_BOOTSTRAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/cause.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/memory/fd_passing.h"
#include "lib/memory/memory.h"
#include "proxy/proxy.h"

/* Increased when PEs of the new and the old version cannot work together. */
#define ASH_PROTOCOL 17

/* The fixed part of a record; UCX's address and memory key follow. */
struct ash_record {
    uint64_t magic;
    uint32_t protocol;
    uint32_t pe;
    uint64_t heap_size;
    uint64_t heap_base;
    /* The static variables in it. */
    struct ash_memory_static variables;
    /* Settings that must be the same on all PEs. */
    uint32_t direct;
    uint32_t remote;
    uint32_t barrier;
    /* CPUs of its host that are online. */
    uint32_t n_cpus;
    /* The process and the heap's file, for the PEs of the node. */
    int64_t pid;
    int64_t fd;
    uint64_t device;
    uint64_t inode;
    struct ash_fd_passing fd_passing;
    /* The PEs of the node: the first, the last and how many. */
    uint32_t first_local;
    uint32_t last_local;
    uint32_t n_local;
    /* UCX's version (proxy.h); 0: without a proxy. */
    uint32_t ucx;
    /* Bytes of a segment of UCX's TCP (proxy.h); 0: not known, or without a proxy. */
    uint64_t tcp_segment;
    char host[ASH_HOST_BYTES];
    /* PE 0's numbers are the key of the job. */
    uint64_t random[2];
    uint32_t address_length;
    uint32_t rkey_length;
    /* The one CPU that this PE is bound to, or -1. */
    int64_t cpu;
    /* The PID name space in which `pid` is valid (ash_pid_space); 0: not known. */
    uint64_t pid_space;
};

/* Make and publish this PE's record; proxy may be NULL. */
int ash_record_publish(const struct ash_bootstrap *bootstrap, const struct ash_memory *memory,
                       const struct ash_fd_passing *passing, const struct ash_proxy *proxy);

/* Get and check the record of a PE, which the caller frees, with its variable part. */
int ash_record_get(uint32_t pe, struct ash_record **ret_record);

/* The heap's file as a PE announced it, open here as fd. */
struct ash_memory_file ash_record_file(const struct ash_record *record, int fd);

/* Is the record's pid valid in this process's PID name space?  False if that is not known. */
bool ash_record_same_processes(const struct ash_record *record);

/* For the proxy: how to reach the PE of a record.  Takes ownership of the record: *ret_info has
 * it, or it is freed after an error. */
int ash_record_reach(struct ash_record *record, struct ash_peer_info *ret_info);

/*
 * The first PEs of the next nodes, in a ring: at most n of them.  Only the first PE of a
 * node gets any.
 */
int ash_record_next_nodes(const struct ash_bootstrap *bootstrap, unsigned n, uint32_t *ret_pes,
                          unsigned *ret_n);

#endif
