/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds which transport carries an endpoint.  Before 1.14 UCX says so only in the text of
 * ucp_ep_print_info, and newer versions print the same text: "lane[0]:  2:tcp/eth0.0 md[1] ..",
 * one line for each lane.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proxy/internal.h"

/* True if this text names lanes, and all of them are TCP's. */
bool ash_lanes_are_tcp(const char *text)
{
    static const char lane[] = "lane[", tcp[] = "tcp/";
    unsigned n = 0;
    while ((text = strstr(text, lane)) != NULL) {
        text += strlen(lane);
        text += strcspn(text, ":\n");
        if (*text++ != ':') return false;
        text += strcspn(text, ":\n");
        if (*text++ != ':' || strncmp(text, tcp, strlen(tcp)) != 0) return false;
        n++;
    }
    return n > 0;
}

bool ash_endpoint_is_tcp(ucp_ep_h ep)
{
    char *text = NULL;
    size_t nbytes = 0;
    FILE *stream = open_memstream(&text, &nbytes);
    bool tcp;
    if (stream == NULL) return false;
    ucp_ep_print_info(ep, stream);
    tcp = fclose(stream) == 0 && text != NULL && ash_lanes_are_tcp(text);
    free(text);
    return tcp;
}
