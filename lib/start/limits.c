/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tries each resource before UCX does: looks for the lowest free descriptor, starts two
 * threads, binds a port.
 */
#include "lib/start/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/log.h"

/* Descriptors that UCX needs for itself, and for each PE that it may have to reach. */
#define FILES_OF_UCX 16u
#define FILES_OF_PE 2u
/* UCX starts one, and the proxy is one. */
#define THREADS 2

/* At least so many descriptors are in use: all below the lowest free one. */
static uint64_t files_in_use(uint64_t limit)
{
    int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
    /* Where there is no /dev/null, the number is unknown: assume none. */
    if (lowest < 0) return errno == EMFILE ? limit : 0;
    close(lowest);
    return (uint64_t)lowest;
}

static int check_files(uint32_t n_pes)
{
    struct rlimit limit;
    unsigned long long used, wanted;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    used = files_in_use(limit.rlim_cur);
    wanted = used + FILES_OF_UCX + FILES_OF_PE * ((unsigned long long)n_pes - 1);
    if (limit.rlim_cur >= wanted) return 0;
    if (limit.rlim_cur < used + FILES_OF_UCX + FILES_OF_PE) {
        ash_log(ASH_LOG_ERROR,
                "%llu open files, and a limit of %llu, leave too few for UCX: ulimit -n %llu", used,
                (unsigned long long)limit.rlim_cur, wanted);
        return ASH_ERROR_SYSTEM;
    }
    ash_log(ASH_LOG_WARN,
            "%llu open files, and a limit of %llu, may leave too few to reach %u PEs: ulimit -n "
            "%llu",
            used, (unsigned long long)limit.rlim_cur, n_pes, wanted);
    return 0;
}

static pthread_mutex_t all_started = PTHREAD_MUTEX_INITIALIZER;

static void *one_thread(void *unused)
{
    pthread_mutex_lock(&all_started);
    pthread_mutex_unlock(&all_started);
    return unused;
}

static int check_threads(void)
{
    pthread_t threads[THREADS];
    int n = 0, rc = 0;
    pthread_mutex_lock(&all_started);
    while (n < THREADS && (rc = pthread_create(&threads[n], NULL, one_thread, NULL)) == 0) n++;
    pthread_mutex_unlock(&all_started);
    while (n > 0) pthread_join(threads[--n], NULL);
    if (rc == 0) return 0;
    ash_log(ASH_LOG_ERROR,
            "cannot start %d threads for UCX (%s): set the limit of processes higher (ulimit -u, "
            "or pids.max of the control group)",
            THREADS, strerror(rc));
    return ASH_ERROR_SYSTEM;
}

/* UCX 1.13 retries indefinitely if no port is free. */
static int check_ports(void)
{
    const struct sockaddr_in any = {.sin_family = AF_INET};
    int rc = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    /* If IPv4 or the network is missing, UCX reports it itself. */
    if (fd < 0) return 0;
    if (bind(fd, (const struct sockaddr *)&any, sizeof(any)) != 0 && errno == EADDRINUSE) {
        ash_log(ASH_LOG_ERROR, "no TCP port is free for UCX: close what uses them, or make "
                               "net.ipv4.ip_local_port_range wider");
        rc = ASH_ERROR_SYSTEM;
    }
    close(fd);
    return rc;
}

int ash_limits_check(uint32_t n_pes)
{
    int rc = check_files(n_pes);
    if (rc == 0) rc = check_threads();
    return rc == 0 ? check_ports() : rc;
}

void ash_standard_files_fill(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* open takes the lowest free number: fd, unless another thread has just taken that. */
        int null = fcntl(fd, F_GETFD) < 0 ? open("/dev/null", O_RDWR) : fd;
        if (null > STDERR_FILENO) close(null);
    }
}
