/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows the environment variables, from the library's own table (lib/base/env.def).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/info/info.h"
#include "lib/base/env.h"
#include "lib/base/env_names.h"

static const struct {
    const char *name, *otherwise, *accepted, *help;
} variables[] = {
#define ENV(field, kind, name, otherwise, accepted, help) {name, otherwise, accepted, help},
#include "lib/base/env.def"
#undef ENV
};
#define N_VARIABLES (sizeof(variables) / sizeof(variables[0]))

/* Loading stops at the first bad value.  To report all of them, unset that variable and reload. */
void info_load(void)
{
    unsigned bad = 0;
    while (ash_env_load() != 0 && bad++ < N_VARIABLES) unsetenv(info_bad_variable());
}

/* A line of ash_env_print, "NAME=VALUE  # default ...", as an object; false: it is no line of
 * variable i. */
static bool write_variable(char *line, size_t i)
{
    char *value = strchr(line, '='), *end;
    if (value == NULL || (end = strstr(value, "  # default ")) == NULL) return false;
    *value++ = *end = '\0';
    if (i >= N_VARIABLES || strcmp(line, variables[i].name) != 0) return false;
    info_object((struct info_member[]){{"name", line},
                                       {"value", value},
                                       {"default", variables[i].otherwise},
                                       {"takes", variables[i].accepted},
                                       {"help", variables[i].help}},
                5);
    return true;
}

void info_environment(void)
{
    char *text = NULL, *line, *rest;
    size_t nbytes, i = 0;
    FILE *to;
    if (!info_is_json()) {
        ash_env_print(stdout);
        return;
    }
    to = open_memstream(&text, &nbytes);
    if (to == NULL) abort();
    ash_env_print(to);
    fclose(to);
    for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        i += write_variable(line, i);
    free(text);
}

void info_ignored(void)
{
    const char *name;
    char text[128];
    for (size_t i = 0; (name = ash_env_ignored(i)) != NULL; i++) {
        snprintf(text, sizeof(text), "%s%s", name, name[strlen(name) - 1] == '_' ? "*" : "");
        if (info_is_json())
            info_item(text);
        else
            puts(text);
    }
}

/* Prints a cell of a list-table: an empty cell needs a placeholder, and "|" no escape. */
static void cell(const char *text, bool is_code)
{
    if (*text == '\0')
        puts("     -");
    else
        printf("     - %s%s%s\n", is_code ? "``" : "", text, is_code ? "``" : "");
}

void info_rst(void)
{
    puts(".. list-table::\n   :header-rows: 1\n\n   * - variable\n     - default\n     - takes\n"
         "     - what it does");
    for (size_t i = 0; i < N_VARIABLES; i++) {
        printf("   * - ``%s``\n", variables[i].name);
        cell(variables[i].otherwise, true);
        cell(variables[i].accepted, true);
        cell(variables[i].help, false);
    }
}
