/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches the table of PEs for those that are missing, and for those of one host.
 */
#include "lib/bootstrap/uid_members.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/text.h"

void ash_uid_list_missing(const struct ash_uid_member *members, uint32_t n, bool joining,
                          char *ret_text, size_t nbytes)
{
    struct ash_text text = ash_text_in(ret_text, nbytes);
    uint32_t listed = 0, more = 0;
    for (uint32_t rank = 0; rank < n; rank++) {
        const struct ash_uid_member *m = &members[rank];
        if (joining ? m->joined : m->at_fence || m->left) continue;
        if (listed++ < 8)
            ash_print(&text, "%s%u", listed > 1 ? ", " : "", rank);
        else
            more++;
    }
    if (more > 0) ash_print(&text, " and %u more", more);
}

uint32_t ash_uid_list_host(const struct ash_uid_member *members, uint32_t n, uint32_t rank,
                           uint32_t *ret_list)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(members[i].host, members[rank].host) == 0) ret_list[found++] = i;
    return found;
}

void ash_uid_host_name(const char *host, char *ret_name)
{
    snprintf(ret_name, ASH_HOST_BYTES, "%.*s", (int)strcspn(host, " "), host);
}

void ash_uid_blame(struct ash_uid_member *members, uint32_t rank, enum ash_cause_kind kind,
                   struct ash_cause *ret_cause)
{
    struct ash_uid_member *m = &members[rank];
    char host[ASH_HOST_BYTES];
    ash_uid_host_name(m->host, host);
    ash_cause_of_peer(ret_cause, kind, rank, m->pid, host);
    m->left = true;
}
