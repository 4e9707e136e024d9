/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pass the heap's file, and a descriptor of this process, to the PEs of this node
 * that cannot open them: those in another PID name space, or where /proc/PID/fd is
 * closed to them.
 *
 * While the library starts, a thread of each PE listens on a local socket
 * without a name in any file system.  It passes the file to processes that run as the
 * same user and know the key, which is published to the PEs of the job only.
 */
#ifndef ASH_LIB_MEMORY_FD_PASSING_H
#define ASH_LIB_MEMORY_FD_PASSING_H

#include <stdint.h>

/* The address at which a PE passes its descriptors, and the key that it requires.  All zero: it
 * passes none. */
struct ash_fd_passing {
    uint64_t name[2];
    uint64_t key[2];
};

/* Pass `fd` to PEs that request it, until ash_fd_passing_stop.  Returns 0 or an ASH_ERROR. */
int ash_fd_passing_start(int fd, struct ash_fd_passing *ret_passing);
void ash_fd_passing_stop(void);

/*
 * Receive what a PE passes: its heap's file, and a pidfd of its process, or -1 where the system
 * has no pidfds.  The caller closes both; ret_process may be NULL.  Takes 10 s at most.
 */
int ash_fd_passing_receive(const struct ash_fd_passing *passing, int *ret_fd, int *ret_process);

/* A descriptor that is readable when the process has ended; -1 and errno if there is none. */
int ash_process_open(int64_t pid);

/* A number of this process's PID name space, unique on its host; 0 if it is not known. */
uint64_t ash_pid_space(void);

#endif
