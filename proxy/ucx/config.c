/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX's configuration is read as usual, and then changed by ucp_config_modify for variables that
 * the environment does not have; some settings depend on UCX's version.
 */
#include "proxy/ucx/config.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/log.h"
#include "proxy/message.h"

#define UCX_1_14 0x010e00u
#define UCX_1_16 0x011000u
/* What UCX takes of TCP at a time where nothing is set. */
#define DEFAULT_TCP_SEGMENT "8K"

static pid_t loaded_in;

__attribute__((constructor)) static void note_process(void)
{
    loaded_in = getpid();
}

const char *ash_ucx_settings(void)
{
    static char text[256];
    const char *tls = getenv("UCX_TLS"), *devices = getenv("UCX_NET_DEVICES");
    if (tls == NULL && devices == NULL)
        return "is a network up (ip link), and the limit of open files high enough (ulimit -n)?";
    snprintf(text, sizeof(text), "%s%s%s%s%s may leave no transport that serves: unset %s",
             tls != NULL ? "UCX_TLS=" : "", tls != NULL ? tls : "",
             tls != NULL && devices != NULL ? " and " : "",
             devices != NULL ? "UCX_NET_DEVICES=" : "", devices != NULL ? devices : "",
             tls != NULL && devices != NULL ? "them" : "it");
    return text;
}

/* Set NAME unless the user has set UCX_NAME; a UCX that does not know NAME is fine. */
static void configure(ucp_config_t *config, const char *variable, const char *name,
                      const char *value)
{
    if (getenv(variable) == NULL) (void)ucp_config_modify(config, name, value);
}

uint32_t ash_ucx_version(void)
{
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    return major << 16 | minor << 8 | release;
}

bool ash_ucx_lists(const char *list, const char *name)
{
    bool others = list != NULL && *list == '^', found = false;
    size_t length;
    if (list == NULL || strcmp(list, "all") == 0 || strchr(list, '[') != NULL) return true;
    for (list += others; *list != '\0' && !found; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        found = length == strlen(name) && strncmp(list, name, length) == 0;
    }
    return found != others;
}

/*
 * Will UCX use TCP?  If it may, it does over each interface that is up, has an address and is
 * listed.  Where these cannot be asked for it may all the same, and all PEs must have segments of
 * one size.
 */
static bool has_tcp(void)
{
    const char *list = getenv("UCX_NET_DEVICES");
    struct ifaddrs *all, *one;
    bool found = false;
    if (!ash_ucx_lists(getenv("UCX_TLS"), "tcp")) return false;
    if (getifaddrs(&all) != 0) return true;
    for (one = all; one != NULL && !found; one = one->ifa_next)
        found = one->ifa_addr != NULL && (one->ifa_flags & IFF_UP) != 0 &&
                (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6) &&
                ash_ucx_lists(list, one->ifa_name);
    freeifaddrs(all);
    return found;
}

/*
 * UCX's shared-memory lanes are left out, except where it would have no others:
 * without /sys (a bare chroot) it finds no network interface.
 */
static void choose_transports(ucp_config_t *config)
{
    if (getenv("UCX_TLS") != NULL) return;
    if (access("/sys/class/net", X_OK) == 0)
        configure(config, "UCX_TLS", "TLS", "^sm");
    else
        ash_log(ASH_LOG_INFO, "no /sys/class/net: UCX finds no network, only shared memory");
}

/* 1.14 and 1.15 are left as they are. */
static bool has_tcp_settings(void)
{
    return ash_ucx_version() < UCX_1_14 || ash_ucx_version() >= UCX_1_16;
}

/* Before 1.14 UCX knows settings of TCP without TCP's name. */
static void configure_tcp(ucp_config_t *config, const char *name, const char *value)
{
    char variable[64];
    snprintf(variable, sizeof(variable), "UCX_TCP_%s", name);
    if (!has_tcp_settings()) return;
    if (ash_ucx_version() >= UCX_1_16) name = variable + strlen("UCX_");
    configure(config, variable, name, value);
}

const char *ash_ucx_tcp_segment(void)
{
    const char *set = getenv("UCX_TCP_RX_SEG_SIZE");
    if (!has_tcp()) return NULL;
    if (set != NULL) return set;
    return has_tcp_settings() ? ASH_FRAGMENT_TCP_SEGMENT : DEFAULT_TCP_SEGMENT;
}

/*
 * Over TCP a fragment should be one segment, and small puts should complete at once.  A UCX without
 * TCP warns about the names of its settings.
 */
static void choose_tcp(ucp_config_t *config)
{
    if (!has_tcp()) return;
    configure_tcp(config, "RX_SEG_SIZE", ASH_FRAGMENT_TCP_SEGMENT);
    if (getenv("UCX_TLS") != NULL) return;
    /* Otherwise TCP gives up an idle connection after 16 s, whatever ANYSHMEM_PEER_TIMEOUT is. */
    configure_tcp(config, "KEEPIDLE", "inf");
    if (ash_ucx_version() >= UCX_1_16) configure_tcp(config, "PUT_ENABLE", "n");
}

/*
 * No message of ours is a rendezvous.  A second lane for rendezvous, over another network
 * interface, is polled in each iteration, with TCP by a system call; from 1.16 on UCX uses it for
 * puts as well, so there it stays.
 */
static void choose_lanes(ucp_config_t *config)
{
    if (ash_ucx_version() < UCX_1_16 && getenv("UCX_MAX_RNDV_RAILS") == NULL)
        configure(config, "UCX_MAX_RNDV_LANES", "MAX_RNDV_LANES", "1");
}

/*
 * From its load on, UCX's own mmap, munmap, madvise and brk hold a lock for reading.  If another
 * thread is in one of them while the program forks (UCX 1.18 has such a thread as it starts),
 * nobody in the child releases that lock, and the registration cache's start waits for it forever.
 */
static void choose_registration(ucp_config_t *config)
{
    if (getpid() != loaded_in) configure(config, "UCX_RCACHE_ENABLE", "RCACHE_ENABLE", "n");
}

ucs_status_t ash_ucx_config_read(ucp_config_t **ret_config)
{
    ucs_status_t status = ucp_config_read(NULL, NULL, ret_config);
    if (status != UCS_OK) return status;
    choose_transports(*ret_config);
    choose_tcp(*ret_config);
    choose_lanes(*ret_config);
    choose_registration(*ret_config);
    configure(*ret_config, "UCX_ATOMIC_MODE", "ATOMIC_MODE", "cpu");
    return UCS_OK;
}
