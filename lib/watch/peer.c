/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process is known to be the expected PE if the PE's heap is open in it, and if it was
 * alive before and after that check.  So neither a process id that another process has
 * reused nor one of another PID name space is taken for the PE.
 */
#include "lib/watch/peer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/kept.h"
#include "lib/base/log.h"
#include "lib/base/times.h"
#include "lib/memory/memory.h"

static bool has_ended(int process, int within_ms)
{
    struct pollfd fd = {.fd = process, .events = POLLIN};
    int64_t deadline = ash_now_ms() + within_ms;
    int n;
    do {
        n = poll(&fd, 1, ash_poll_ms(deadline));
    } while (n < 0 && errno == EINTR);
    return n > 0;
}

static bool is_heap(int fd, const struct ash_record *record)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_dev == record->device && st.st_ino == record->inode;
}

/* Open the heap by the process id: a descriptor, and *ret_process (-1: none), or -1. */
static int open_by_pid(const struct ash_record *record, int *ret_process)
{
    int fd, process = ash_process_open(record->pid);
    *ret_process = -1;
    fd = ash_memory_open_peer(record->pid, (int)record->fd);
    if (fd >= 0 && is_heap(fd, record) && (process < 0 || !has_ended(process, 0))) {
        *ret_process = process;
        return fd;
    }
    if (fd >= 0) close(fd);
    if (process >= 0) close(process);
    return -1;
}

/*
 * A PE passes its heap until all PEs have it.  If this one no longer does, has it ended?  Yes
 * if no process has its process id, or if the process that has it ends.
 */
static bool is_gone(const struct ash_record *record)
{
    static const struct ash_fd_passing none;
    int process;
    bool gone;
    if (memcmp(&record->fd_passing, &none, sizeof(none)) == 0) return false;
    if (!ash_record_same_processes(record)) return false;
    process = ash_process_open(record->pid);
    if (process < 0) return errno == ESRCH;
    gone = has_ended(process, ASH_EXITING_MS);
    close(process);
    return gone;
}

static struct ash_cause cause_of(const struct ash_monitored_peer *peer, enum ash_cause_kind kind)
{
    struct ash_cause own, cause;
    ash_cause_own(&own, 0);
    ash_cause_of_peer(&cause, kind, peer->pe, peer->pid, own.host);
    return cause;
}

void ash_monitored_open(struct ash_monitored_peer *peer, const struct ash_record *record,
                        uint64_t status_offset)
{
    int fd;
    memset(peer, 0, sizeof(*peer));
    peer->pe = record->pe;
    peer->pid = record->pid;
    fd = open_by_pid(record, &peer->process);
    if (fd < 0 && ash_fd_passing_receive(&record->fd_passing, &fd, &peer->process) != 0) {
        struct ash_cause lost = cause_of(peer, ASH_CAUSE_LOST);
        if (is_gone(record)) ash_end_for(&lost);
        fd = -1;
    }
    if (fd >= 0) {
        const struct ash_memory_file file = ash_record_file(record, fd);
        peer->status = ash_memory_map_part(&file, status_offset, sizeof(*peer->status));
        close(fd);
    }
    if (peer->process < 0 || peer->status == NULL)
        ash_log(ASH_LOG_INFO, "PE %u (process %lld) cannot be monitored", peer->pe,
                (long long)peer->pid);
}

static uint32_t state_of(const struct ash_monitored_peer *peer)
{
    if (peer->status == NULL) return ASH_STATUS_RUNNING;
    /* Pairs with the releases in status.c: if the state is ENDING, the cause is complete. */
    return __atomic_load_n(&peer->status->state, __ATOMIC_ACQUIRE);
}

bool ash_monitored_ends(const struct ash_monitored_peer *peer, struct ash_cause *ret_cause)
{
    if (state_of(peer) != ASH_STATUS_ENDING) return false;
    *ret_cause = peer->status->cause;
    return true;
}

bool ash_monitored_ended(struct ash_monitored_peer *peer)
{
    struct ash_cause cause;
    if (state_of(peer) == ASH_STATUS_LEFT) {
        close(peer->process);
        peer->process = -1;
        return false;
    }
    if (ash_monitored_ends(peer, &cause)) {
        ash_end_after(&cause, false, ash_cause_grace_ms(&cause));
    } else {
        cause = cause_of(peer, ASH_CAUSE_LOST);
        ash_end_after(&cause, false, ASH_TOGETHER_MS);
    }
    return true;
}

void ash_monitored_suspect(struct ash_monitored_peer *peer)
{
    if (peer->process >= 0 && has_ended(peer->process, ASH_EXITING_MS) && ash_monitored_ended(peer))
        ash_sleep_ms(ASH_END_MS);
}

static void end_for_timeout(struct ash_monitored_peer *peer)
{
    struct ash_cause cause = cause_of(peer, ASH_CAUSE_TIMEOUT);
    cause.seconds = (uint32_t)ash_env.peer_timeout;
    ash_end_after(&cause, false, 0);
}

void ash_monitored_heartbeat(struct ash_monitored_peer *peer, int elapsed_ms)
{
    int limit_ms = (int)ash_env.peer_timeout * 1000;
    uint64_t heartbeat;
    uint32_t state;
    bool due;
    if (peer->status == NULL || ash_env.peer_timeout == 0) return;
    heartbeat = __atomic_load_n(&peer->status->heartbeat, __ATOMIC_RELAXED);
    /* Pairs with the release in ash_status_end, as in state_of. */
    state = __atomic_load_n(&peer->status->state, __ATOMIC_ACQUIRE);
    if (heartbeat != peer->heartbeat || state == ASH_STATUS_LEFT) {
        peer->heartbeat = heartbeat;
        memset(&peer->timer, 0, sizeof(peer->timer));
        return;
    }
    due = ash_heartbeat_timer_advance(&peer->timer, elapsed_ms, limit_ms);
    /* It is ending.  Without a pidfd only the status block shows that: do not wait for the time
     * limit, which would add up where each PE of a node waits for the next one. */
    if (state == ASH_STATUS_ENDING && (peer->process < 0 || peer->timer.ms >= limit_ms))
        (void)ash_monitored_ended(peer);
    else if (peer->timer.ms >= limit_ms)
        end_for_timeout(peer);
    else if (due && state == ASH_STATUS_RUNNING)
        ash_log(ASH_LOG_WARN,
                "PE %u (process %lld) has sent no heartbeat for %.1f s: is it stopped?", peer->pe,
                (long long)peer->pid, peer->timer.ms / 1e3);
}

void ash_monitored_close(struct ash_monitored_peer *peer)
{
    if (peer->process >= 0) close(peer->process);
    peer->process = -1;
    if (peer->status != NULL) ash_memory_unmap_part(peer->status, sizeof(*peer->status));
    peer->status = NULL;
}
