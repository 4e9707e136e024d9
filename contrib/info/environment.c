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

static void write_variable(size_t i)
{
    char *value = NULL;
    size_t nbytes;
    FILE *to = open_memstream(&value, &nbytes);
    if (to == NULL) abort();
    ash_env_print_value(i, to);
    fclose(to);
    info_object((struct info_member[]){{"name", variables[i].name},
                                       {"value", value},
                                       {"default", variables[i].otherwise},
                                       {"takes", variables[i].accepted},
                                       {"help", variables[i].help}},
                5);
    free(value);
}

void info_environment(void)
{
    if (!info_is_json()) {
        ash_env_print(stdout);
        return;
    }
    for (size_t i = 0; i < N_VARIABLES; i++) write_variable(i);
}

void info_ignored(void)
{
    const char *name;
    char text[128];
    for (size_t i = 0; (name = ash_env_ignored(i)) != NULL; i++) {
        snprintf(text, sizeof(text), "%s%s", name, name[strlen(name) - 1] == '_' ? "*" : "");
        info_item(NULL, text);
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
