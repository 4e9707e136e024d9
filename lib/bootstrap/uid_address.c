/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Addresses for the bootstrap by unique id: chooses the interface to listen on, connects to an
 * id's address, and identifies this host; and the ids that this process has made, each of which
 * has a listening port until it is used.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/base/text.h"
#include "lib/bootstrap/uid.h"

/* The most ids that were made and not used; one more replaces the oldest. */
#define PENDING 16u

static struct {
    struct pending {
        struct ash_uid uid;
        int listener;
        /* The process that made the id; 0: this entry is free. */
        pid_t made_by;
    } pending[PENDING];
    unsigned n_made;
} ids;

_Static_assert(sizeof(struct ash_uid) <= sizeof(((nvshmemx_uniqueid_t *)NULL)->internal),
               "it fits into the id");

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t address_of(const struct ash_uid *uid, union address *ret_address)
{
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->any.sa_family = uid->family;
    if (uid->family == AF_INET) {
        ret_address->v4.sin_port = uid->port;
        memcpy(&ret_address->v4.sin_addr, uid->address, 4);
        return sizeof(ret_address->v4);
    }
    ret_address->v6.sin6_port = uid->port;
    ret_address->v6.sin6_scope_id = uid->scope;
    memcpy(&ret_address->v6.sin6_addr, uid->address, 16);
    return sizeof(ret_address->v6);
}

static void set_address(struct ash_uid *uid, const union address *address)
{
    uid->family = address->any.sa_family;
    memset(uid->address, 0, sizeof(uid->address));
    if (uid->family == AF_INET) {
        uid->port = address->v4.sin_port;
        memcpy(uid->address, &address->v4.sin_addr, 4);
        return;
    }
    uid->port = address->v6.sin6_port;
    uid->scope = address->v6.sin6_scope_id;
    memcpy(uid->address, &address->v6.sin6_addr, 16);
}

void ash_uid_text(const struct ash_uid *uid, char *ret_text)
{
    char name[INET6_ADDRSTRLEN] = "?";
    inet_ntop(uid->family, uid->address, name, sizeof(name));
    snprintf(ret_text, ASH_UID_TEXT, uid->family == AF_INET ? "%s:%u" : "[%s]:%u", name,
             ntohs(uid->port));
}

/* Does the list of NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME allow this interface? */
static bool allowed(const char *name)
{
    const char *list = ash_env.uid_ifname;
    bool exclude = *list == '^', exact, found = false;
    if (exclude) list++;
    exact = *list == '=';
    if (exact) list++;
    if (*list == '\0') return true;
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        if (length > 0 && strncmp(name, list, length) == 0 && (!exact || name[length] == '\0'))
            found = true;
        list += length + (list[length] == ',');
    }
    return found != exclude;
}

/* How suitable an interface's address is: 0: best, larger: worse, -1: cannot be used. */
static int rank_of(const struct ifaddrs *i)
{
    const struct sockaddr_in6 *v6 = (const void *)i->ifa_addr;
    int family;
    if (i->ifa_addr == NULL || (i->ifa_flags & IFF_UP) == 0 || !allowed(i->ifa_name)) return -1;
    family = i->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) return -1;
    if (i->ifa_flags & IFF_LOOPBACK) return family == AF_INET ? 3 : 4;
    if (family == AF_INET) return 0;
    return IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) ? 2 : 1;
}

static int listen_at(const struct sockaddr *wanted, struct ash_uid *uid)
{
    union address address;
    socklen_t length = wanted->sa_family == AF_INET ? sizeof(address.v4) : sizeof(address.v6);
    int fd = socket(wanted->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    memset(&address, 0, sizeof(address));
    memcpy(&address, wanted, length);
    if (wanted->sa_family == AF_INET)
        address.v4.sin_port = 0;
    else
        address.v6.sin6_port = 0;
    if (bind(fd, &address.any, length) != 0 || listen(fd, SOMAXCONN) != 0 ||
        getsockname(fd, &address.any, &length) != 0) {
        close(fd);
        return -1;
    }
    set_address(uid, &address);
    return fd;
}

/* Listen on an interface that the environment allows; sets the address. */
static int listen_for(struct ash_uid *uid, int *ret_fd)
{
    struct ifaddrs *all;
    int fd = -1;
    if (getifaddrs(&all) != 0) {
        ash_log(ASH_LOG_ERROR, "unique id: cannot list the network interfaces: %m");
        return ASH_ERROR_SYSTEM;
    }
    for (int rank = 0; rank <= 4 && fd < 0; rank++)
        for (const struct ifaddrs *i = all; i != NULL && fd < 0; i = i->ifa_next)
            if (rank_of(i) == rank) fd = listen_at(i->ifa_addr, uid);
    freeifaddrs(all);
    if (fd < 0) {
        ash_log(ASH_LOG_ERROR, "unique id: no network interface can be used "
                               "(NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME=%s)", ash_env.uid_ifname);
        return ASH_ERROR_SYSTEM;
    }
    *ret_fd = fd;
    return 0;
}

int ash_uid_make(nvshmemx_uniqueid_t *ret_id)
{
    struct pending *p = &ids.pending[ids.n_made % PENDING];
    static const nvshmemx_uniqueid_t fresh = NVSHMEMX_UNIQUEID_INITIALIZER;
    struct ash_uid uid = {.magic = ASH_UID_MAGIC};
    int listener, rc;
    if (getrandom(uid.key, sizeof(uid.key), 0) != (ssize_t)sizeof(uid.key)) {
        ash_log(ASH_LOG_ERROR, "unique id: cannot get random numbers for its key: %m");
        return ASH_ERROR_SYSTEM;
    }
    rc = listen_for(&uid, &listener);
    if (rc != 0) return rc;
    if (p->made_by == getpid()) close(p->listener);
    *p = (struct pending){uid, listener, getpid()};
    ids.n_made++;
    *ret_id = fresh;
    memcpy(ret_id->internal, &uid, sizeof(uid));
    return 0;
}

int ash_uid_take_listener(const struct ash_uid *uid)
{
    int listener = -1;
    for (unsigned i = 0; i < PENDING; i++) {
        struct pending *p = &ids.pending[i];
        if (p->made_by != getpid()) continue;
        if (memcmp(&p->uid, uid, sizeof(*uid)) == 0)
            listener = p->listener;
        else
            close(p->listener);
        p->made_by = 0;
    }
    return listener;
}

/* Wait for a connection that is being made; 0 or an errno. */
static int finish_connect(int fd, int64_t deadline)
{
    struct pollfd ready = {fd, POLLOUT, 0};
    socklen_t length = sizeof(int);
    int error = 0;
    while (poll(&ready, 1, ash_poll_ms(deadline)) <= 0)
        if (ash_now_ms() >= deadline) return ETIMEDOUT;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
    return error;
}

int ash_uid_connect(const struct ash_uid *uid, int64_t deadline, int *ret_fd)
{
    union address address;
    socklen_t length = address_of(uid, &address);
    char text[ASH_UID_TEXT];
    int one = 1, error = 0;
    int fd = socket(uid->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, &address.any, length) != 0) error = errno;
    if (error == EINPROGRESS || error == EINTR) error = finish_connect(fd, deadline);
    if (error != 0) {
        ash_uid_text(uid, text);
        errno = error;
        ash_log(ASH_LOG_ERROR, "unique id: cannot connect to %s: %m%s", text,
                error == ECONNREFUSED ? " (has the process that made the id ended?)" : "");
        if (fd >= 0) close(fd);
        return ASH_ERROR_BOOTSTRAP;
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    *ret_fd = fd;
    return 0;
}

/*
 * PEs are on one host if they have the same kernel (boot id), the same network name space (so
 * that the local socket that passes heaps is found), and the same host name (so that containers
 * that have names of their own count as hosts).
 */
void ash_uid_host(char *ret_host)
{
    struct stat space = {.st_ino = 0};
    char name[64], boot[40] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file != NULL) {
        if (fgets(boot, sizeof(boot), file) == NULL) boot[0] = '\0';
        boot[strcspn(boot, "\n")] = '\0';
        fclose(file);
    }
    ash_host_name(name, sizeof(name));
    if (stat("/proc/self/ns/net", &space) != 0) space.st_ino = 0;
    memset(ret_host, 0, ASH_UID_HOST);
    snprintf(ret_host, ASH_UID_HOST, "%s %s %" PRIu64, name, boot, (uint64_t)space.st_ino);
}
