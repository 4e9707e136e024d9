/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats each message in a buffer and writes it by one write(), after poll() has shown that
 * the descriptor takes it.
 */
#include "lib/base/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "lib/base/times.h"

enum ash_level ash_log_level = ASH_LOG_WARN;

static struct {
    int pe, n_pes;
    int fd;
} target = {.pe = -1, .fd = STDERR_FILENO};

void ash_log_identify(int pe, int n_pes)
{
    target.pe = pe;
    target.n_pes = n_pes;
}

int ash_output_open(const char *path, int flags)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0644);
    /* Only the open must not wait: with the flag, what a full pipe does not take would be lost. */
    if (fd >= 0) (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

const char *ash_output_error(int error)
{
    return error == ENXIO ? "nobody reads from it" : strerror(error);
}

void ash_log_to(const char *path)
{
    /* A path that is cut is too long to be opened. */
    char expanded[PATH_MAX + 1], host[256];
    struct ash_text text = ash_text_in(expanded, sizeof(expanded));
    int fd;
    ash_host_name(host, sizeof(host));
    for (; *path != '\0'; path++) {
        if (path[0] == '%' && path[1] == 'h')
            ash_print(&text, "%s", host);
        else if (path[0] == '%' && path[1] == 'p')
            ash_print(&text, "%ld", (long)getpid());
        else
            ash_print(&text, "%c", *path);
        path += path[0] == '%' && (path[1] == 'h' || path[1] == 'p');
    }
    fd = ash_output_open(expanded, O_APPEND);
    if (fd < 0) {
        ash_log(ASH_LOG_WARN, "NVSHMEM_DEBUG_FILE: cannot open %s: %s", expanded,
                ash_output_error(errno));
        return;
    }
    if (target.fd != STDERR_FILENO) close(target.fd);
    target.fd = fd;
}

static int format_prefix(char *line, size_t nbytes, enum ash_level level)
{
    static const char *const names[] = {"error", "warn", "info", "debug", "trace"};
    char host[256];
    if (target.pe < 0) return snprintf(line, nbytes, "anyshmem: %s: ", names[level]);
    ash_host_name(host, sizeof(host));
    return snprintf(line, nbytes, "anyshmem: PE %d/%d on %s: %s: ", target.pe, target.n_pes, host,
                    names[level]);
}

/*
 * Can the descriptor be written to?  The caller may be the watch thread, whose heartbeats show
 * that this PE is alive, so a stuck reader is waited for only once; until it reads again, its
 * lines are lost.
 */
static bool is_writable(int fd)
{
    static bool stuck[2];
    bool *is_stuck = &stuck[fd == STDERR_FILENO];
    struct pollfd to = {.fd = fd, .events = POLLOUT};
    int ready = poll(&to, 1, __atomic_load_n(is_stuck, __ATOMIC_RELAXED) ? 0 : ASH_STUCK_MS);
    __atomic_store_n(is_stuck, ready == 0, __ATOMIC_RELAXED);
    /* Without a reader the write would raise SIGPIPE.  It still does if the reader leaves now. */
    return ready < 0 || (ready > 0 && (to.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0);
}

/* False if the line could not be written. */
static bool write_line(int fd, const char *line, size_t nbytes)
{
    ssize_t written;
    if (!is_writable(fd)) return false;
    do
        written = write(fd, line, nbytes);
    while (written < 0 && errno == EINTR);
    return written >= 0;
}

void ash_log_text(const char *text, size_t nbytes)
{
    /* At most PIPE_BUF bytes at once: so many a pipe takes without blocking if it is writable. */
    while (nbytes > 0 && is_writable(STDERR_FILENO)) {
        ssize_t written = write(STDERR_FILENO, text, nbytes < PIPE_BUF ? nbytes : PIPE_BUF);
        if (written < 0 && errno != EINTR) return;
        if (written < 0) continue;
        text += written;
        nbytes -= (size_t)written;
    }
}

static bool had_error, had_last_error;

bool ash_log_had_error(void)
{
    return __atomic_load_n(&had_error, __ATOMIC_RELAXED);
}

void ash_log_last_error(void)
{
    __atomic_store_n(&had_last_error, true, __ATOMIC_RELAXED);
}

void ash_log_write(enum ash_level level, const char *format, ...)
{
    char line[1280];
    bool to_file = target.fd != STDERR_FILENO;
    int kept_errno = errno;
    size_t used = (size_t)format_prefix(line, sizeof(line), level);
    va_list args;
    if (level == ASH_LOG_ERROR && __atomic_load_n(&had_last_error, __ATOMIC_RELAXED)) return;
    if (level == ASH_LOG_ERROR) __atomic_store_n(&had_error, true, __ATOMIC_RELAXED);
    va_start(args, format);
    errno = kept_errno; /* for %m */
    vsnprintf(line + used, sizeof(line) - used - 1, format, args);
    va_end(args);
    /* Keep it one line, even if it shows a user's value with control characters. */
    for (used = 0; line[used] != '\0'; used++)
        if (iscntrl((unsigned char)line[used])) line[used] = '?';
    line[used++] = '\n';
    /* Errors go to standard error, too: the user must see why a job ended. */
    if (to_file) to_file = write_line(target.fd, line, used);
    if (!to_file || level == ASH_LOG_ERROR) write_line(STDERR_FILENO, line, used);
    errno = kept_errno;
}
