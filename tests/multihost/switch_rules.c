/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/multihost/switch_rules.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_value(struct rule *rule, const char *key, const char *text)
{
    const struct {
        const char *name;
        double *value;
    } keys[] = {{"delay", &rule->delay}, {"jitter", &rule->jitter}, {"loss", &rule->loss},
                {"twice", &rule->twice}, {"cut", &rule->cut}};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        char *end;
        if (strcmp(keys[i].name, key) != 0) continue;
        *keys[i].value = strtod(text, &end);
        return end != text && *end == '\0' && *keys[i].value >= 0;
    }
    return false;
}

/* "KEY=VALUE,...", for hosts first..last-1. */
static bool set_rule(struct rule *rules, char *text, int first, int last)
{
    char *rest = text, *part;
    while ((part = strsep(&rest, ",")) != NULL) {
        char *value = strchr(part, '=');
        if (value == NULL) return false;
        *value++ = '\0';
        for (int i = first; i < last; i++)
            if (!set_value(&rules[i], part, value)) return false;
    }
    return true;
}

static bool read_line(char *line, struct rule *rules, int n, long *ret_generation)
{
    char *end;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0') return true;
    if (sscanf(line, "generation=%ld", ret_generation) == 1) return true;
    if (strncmp(line, "*:", 2) == 0) return set_rule(rules, line + 2, 0, n);
    if (line[0] == 'n') {
        long host = strtol(line + 1, &end, 10);
        if (host >= 0 && host < n && *end == ':')
            return set_rule(rules, end + 1, (int)host, (int)host + 1);
    }
    return false;
}

int switch_read_rules(const char *path, struct rule *ret_rules, int n, long *ret_generation)
{
    char line[256];
    bool good = true;
    long generation = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) return -1;
    memset(ret_rules, 0, (size_t)n * sizeof(*ret_rules));
    while (good && fgets(line, sizeof(line), file) != NULL)
        good = read_line(line, ret_rules, n, &generation);
    fclose(file);
    if (good) *ret_generation = generation;
    return good ? 0 : -1;
}
