/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hand the heap's file, and a descriptor of this process, to the PEs of this node
 * that cannot open them: those in another PID name space, or where /proc/PID/fd is
 * closed to them.
 *
 * While the library starts, a thread of each PE answers on a local socket
 * without a name in any file system.  It gives the file to who runs as the same
 * user and knows the key, which only the PEs of the job are told.
 */
#ifndef ASH_LIB_MEMORY_FD_PASSING_H
#define ASH_LIB_MEMORY_FD_PASSING_H

#include <stdint.h>

/* How a PE's offer is found, and what it asks for.  All zero: no offer. */
struct ash_offer {
    uint64_t name[2];
    uint64_t key[2];
};

/* Offer `fd` until ash_offer_stop.  Returns 0 or an ASH_ERROR. */
int ash_offer_start(int fd, struct ash_offer *ret_offer);
void ash_offer_stop(void);

/*
 * Ask for what was offered; the caller closes *ret_fd and *ret_process, which is
 * -1 where that system has no such descriptors.  ret_process may be NULL.  Takes
 * 10 s at most.
 */
int ash_offer_ask(const struct ash_offer *offer, int *ret_fd, int *ret_process);

/* A descriptor that is readable when the process has ended; -1 and errno if there is none. */
int ash_process_open(int64_t pid);

/* The PID name space of this process, for those of one host; 0 if that is not known. */
uint64_t ash_pid_space(void);

#endif
