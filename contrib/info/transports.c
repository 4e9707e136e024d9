/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists UCX's transports: starts UCX as the library does, and parses the text that UCX prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/info/info.h"
#include "proxy/ucx/config.h"

/* The last word, if it has a slash, of "#  resource 0 : md 0 dev 0 flags -- tcp/eth0"; or NULL. */
static const char *resource_of(char *line)
{
    char *word;
    if (strstr(line, "resource ") == NULL) return NULL;
    line[strcspn(line, "\n")] = '\0';
    word = strrchr(line, ' ');
    return word != NULL && strchr(word, '/') != NULL ? word + 1 : NULL;
}

/* Parses the text that UCX prints of a context: before there is a connection, UCX reports its
 * transports in no other way. */
static char *resources_of(ucp_context_h context)
{
    char *printed = NULL, *names = NULL, *line = NULL;
    size_t n_printed, n_names, n_line = 0;
    FILE *to = open_memstream(&printed, &n_printed), *out = open_memstream(&names, &n_names);
    if (to == NULL || out == NULL) abort();
    ucp_context_print_info(context, to);
    fclose(to);
    to = fmemopen(printed, strlen(printed), "r");
    while (to != NULL && getline(&line, &n_line, to) > 0) {
        const char *name = resource_of(line);
        if (name != NULL) fwrite(name, 1, strlen(name) + 1, out);
    }
    if (to != NULL) fclose(to);
    fputc('\0', out);
    fclose(out);
    free(line);
    free(printed);
    return names;
}

char *info_ucx_transports(const char **ret_why)
{
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                           .features = UCP_FEATURE_AM | UCP_FEATURE_RMA | UCP_FEATURE_WAKEUP |
                                       UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64};
    ucp_config_t *config;
    ucp_context_h context;
    char *names;
    ucs_status_t status = ash_ucx_config_read(&config);
    if (status == UCS_OK) {
        status = ucp_init(&params, config, &context);
        ucp_config_release(config);
    }
    if (status != UCS_OK) {
        *ret_why = ucs_status_string(status);
        return NULL;
    }
    names = resources_of(context);
    ucp_cleanup(context);
    return names;
}

void info_transports(void)
{
    const char *why;
    char *names = info_ucx_transports(&why);
    if (names == NULL) {
        if (info_is_json())
            fprintf(stderr, "anyshmem-info: UCX does not start: %s\n", why);
        else
            info_row("UCX", "none: %s; %s", why, ash_ucx_settings());
        return;
    }
    for (const char *name = names; *name != '\0'; name += strlen(name) + 1)
        info_item("transport", name);
    free(names);
}
