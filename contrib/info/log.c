/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In the place of lib/base/log.c: what the library's files log is what this program
 * has to say of the topic at hand.
 */
#include "lib/base/log.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contrib/info/info.h"

enum ash_level ash_log_level = ASH_LOG_WARN;

static struct {
    const char *topic;
    /* Lines said of the topic, and those of all topics that stop a job. */
    unsigned said, stops;
    /* The last thing said that stops a job, if it is of a variable: its name. */
    char variable[64];
} state;

void info_topic(const char *topic)
{
    state.topic = topic;
    state.said = 0;
}

void info_topic_end(const char *format, ...)
{
    va_list args;
    if (state.said == 0) {
        printf("ok    %s: ", state.topic);
        va_start(args, format);
        vprintf(format, args);
        va_end(args);
        putchar('\n');
    }
    state.topic = NULL;
}

unsigned info_stops(void)
{
    return state.stops;
}

const char *info_bad_variable(void)
{
    return state.variable;
}

/* The variable of "invalid value NAME=VALUE: ...", or what else a message begins with. */
static void keep_variable(const char *text)
{
    static const char invalid[] = "invalid value ";
    if (strncmp(text, invalid, strlen(invalid)) == 0) text += strlen(invalid);
    snprintf(state.variable, sizeof(state.variable), "%.*s", (int)strcspn(text, "=: "), text);
}

void ash_log_write(enum ash_level level, const char *format, ...)
{
    static const char *const names[] = {"error", "warning", "note", "note", "note"},
                             *const verdicts[] = {"stop", "warn", "note", "note", "note"};
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    for (char *c = text; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';
    state.said++;
    if (level == ASH_LOG_ERROR) state.stops++;
    if (state.topic != NULL)
        printf("%-5s %s: %s\n", verdicts[level], state.topic, text);
    else
        fprintf(stderr, "anyshmem-info: %s: %s\n", names[level], text);
    if (level == ASH_LOG_ERROR) keep_variable(text);
}

/* This program's messages are no job's. */
void ash_log_to(const char *path)
{
    (void)path;
}
