/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process is known to be the PE that it should be: its heap is found open
 * in it, and it lived before and after that look.  A number that was used again
 * by another process does not pass; nor does one of another PID name space.
 */
#include "lib/watch/peer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/log.h"
#include "lib/memory/memory.h"

/* From when a process that ends has no open files any more until it has ended. */
#define ENDING_MS 1000
/*
 * A launcher that ends the job kills the PEs of a host at once, and this one is not to name
 * another that was killed so: until it is killed as well.
 */
#define TOGETHER_MS 50

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

/* The heap by the process's number; *ret_process is set if it is that process. */
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
 * It passes its heap until all are there, and no longer does: nobody has its
 * number, or the process that has it ends.
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
    gone = has_ended(process, ENDING_MS);
    close(process);
    return gone;
}

static _Noreturn void end_for_lost(const struct ash_monitored_peer *peer)
{
    struct ash_cause own, lost;
    ash_cause_own(&own, 0);
    ash_cause_of_peer(&lost, ASH_CAUSE_LOST, peer->pe, peer->pid, own.host);
    ash_end_for(&lost);
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
        if (is_gone(record)) end_for_lost(peer);
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
    return __atomic_load_n(&peer->status->state, __ATOMIC_ACQUIRE);
}

bool ash_monitored_ends(const struct ash_monitored_peer *peer, struct ash_cause *ret_cause)
{
    if (state_of(peer) != ASH_STATUS_ENDING) return false;
    *ret_cause = peer->status->cause;
    return true;
}

void ash_monitored_ended(struct ash_monitored_peer *peer)
{
    struct ash_cause cause;
    if (state_of(peer) == ASH_STATUS_LEFT) {
        close(peer->process);
        peer->process = -1;
        return;
    }
    if (ash_monitored_ends(peer, &cause)) ash_end_for(&cause);
    ash_sleep_ms(TOGETHER_MS);
    end_for_lost(peer);
}

void ash_monitored_suspect(struct ash_monitored_peer *peer)
{
    if (peer->process >= 0 && has_ended(peer->process, ENDING_MS)) ash_monitored_ended(peer);
}

void ash_monitored_heartbeat(struct ash_monitored_peer *peer, int elapsed_ms)
{
    struct ash_cause own, cause;
    int limit_ms = (int)ash_env.peer_timeout * 1000;
    uint64_t heartbeat;
    uint32_t state;
    bool due;
    if (peer->status == NULL || ash_env.peer_timeout == 0) return;
    heartbeat = __atomic_load_n(&peer->status->heartbeat, __ATOMIC_RELAXED);
    state = __atomic_load_n(&peer->status->state, __ATOMIC_ACQUIRE);
    if (heartbeat != peer->heartbeat || state == ASH_STATUS_LEFT) {
        peer->heartbeat = heartbeat;
        memset(&peer->timer, 0, sizeof(peer->timer));
        return;
    }
    /* Nothing else says of such a one that it ends: do not wait for each of a row. */
    if (peer->process < 0 && state == ASH_STATUS_ENDING) ash_monitored_ended(peer);
    due = ash_heartbeat_timer_advance(&peer->timer, elapsed_ms, limit_ms);
    if (peer->timer.ms >= limit_ms) {
        /* It ends, and takes too long for that. */
        if (state == ASH_STATUS_ENDING) ash_monitored_ended(peer);
        ash_cause_own(&own, 0);
        ash_cause_of_peer(&cause, ASH_CAUSE_TIMEOUT, peer->pe, peer->pid, own.host);
        cause.seconds = (uint32_t)ash_env.peer_timeout;
        ash_end_for(&cause);
    }
    if (!due || state != ASH_STATUS_RUNNING) return;
    ash_log(ASH_LOG_WARN, "PE %u (process %lld) has sent no heartbeat for %d s: is it stopped?",
            peer->pe, (long long)peer->pid, peer->timer.ms / 1000);
}

void ash_monitored_close(struct ash_monitored_peer *peer)
{
    if (peer->process >= 0) close(peer->process);
    peer->process = -1;
    if (peer->status != NULL) ash_memory_unmap_part(peer->status, sizeof(*peer->status));
    peer->status = NULL;
}
