/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes causes of what this PE knows, and checks those that another process has sent, of which
 * no field is trusted.
 */
#include "lib/base/cause.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/family.h"
#include "lib/base/text.h"
#include "lib/base/times.h"

/* This PE's number; 0 until it is known. */
static uint32_t own_pe;

void ash_cause_set_pe(uint32_t my_pe)
{
    own_pe = my_pe;
}

void ash_cause_own(struct ash_cause *ret_cause, int status)
{
    memset(ret_cause, 0, sizeof(*ret_cause));
    ret_cause->kind = ASH_CAUSE_ENDED;
    ret_cause->status = status;
    ret_cause->pe = own_pe;
    ret_cause->pid = getpid();
    ash_host_name(ret_cause->host, sizeof(ret_cause->host));
}

void ash_cause_of_peer(struct ash_cause *ret_cause, enum ash_cause_kind kind, uint32_t pe,
                       int64_t pid, const char *host)
{
    memset(ret_cause, 0, sizeof(*ret_cause));
    ret_cause->kind = kind;
    ret_cause->status = ASH_EXIT_PEER_LOST;
    ret_cause->pe = pe;
    ret_cause->pid = pid;
    snprintf(ret_cause->host, sizeof(ret_cause->host), "%s", host);
}

int ash_cause_grace_ms(const struct ash_cause *cause)
{
    /* The PE that has ended the job has also logged why, and notified the launcher. */
    return cause->kind == ASH_CAUSE_ENDED ? ASH_LAUNCHER_GRACE_MS : 0;
}

bool ash_cause_take(struct ash_cause *ret_cause, const void *bytes, size_t nbytes,
                    uint32_t n_pes)
{
    if (nbytes != sizeof(*ret_cause)) return false;
    memcpy(ret_cause, bytes, sizeof(*ret_cause));
    ret_cause->host[sizeof(ret_cause->host) - 1] = '\0';
    ret_cause->why[sizeof(ret_cause->why) - 1] = '\0';
    return ret_cause->kind >= ASH_CAUSE_ENDED && ret_cause->kind <= ASH_CAUSE_BROKEN &&
           ret_cause->pe < n_pes;
}

void ash_cause_describe(const struct ash_cause *cause, char *ret_text, size_t nbytes)
{
    struct ash_text text = ash_text_in(ret_text, nbytes);
    /* Another process wrote the cause, so its texts may lack their ends. */
    int length = (int)strnlen(cause->host, sizeof(cause->host));
    /* Only another PE can have found that this one is lost. */
    bool is_accused = cause->pe == own_pe && cause->pid == getpid() &&
                      cause->kind != ASH_CAUSE_ENDED;
    ash_print(&text, "%sPE %u (process %lld on %.*s)%s ",
              is_accused ? "another PE has found that this one, " : "", cause->pe,
              (long long)cause->pid, length, cause->host, is_accused ? "," : "");
    switch (cause->kind) {
    case ASH_CAUSE_ENDED:
        ash_print(&text, "has ended the job with status %d", cause->status);
        break;
    case ASH_CAUSE_TIMEOUT:
        ash_print(&text, "sent no heartbeat for %u s (ANYSHMEM_PEER_TIMEOUT)", cause->seconds);
        break;
    case ASH_CAUSE_BROKEN:
        length = (int)strnlen(cause->why, sizeof(cause->why));
        ash_print(&text, "is unreachable (%.*s)", length, cause->why);
        break;
    default:
        ash_print(&text, "has ended without %s", ash_family_name("nvshmem_finalize"));
        break;
    }
}
