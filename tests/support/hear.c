/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Standard error is a pipe meanwhile: a thread reads it, writes all on to the old standard
 * error, and keeps the text for heard().
 */
#include "tests/support/hear.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pe.h"

#define BYTES_MAX (4u << 20)

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    /* The old standard error, and the reading end of the pipe. */
    int before, from;
    /* Written by: the thread, under the lock.  Read by: heard(), under the lock. */
    char text[BYTES_MAX + 1];
    size_t n;
} hear = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *pass_on(void *unused)
{
    char bytes[4096];
    ssize_t n;
    (void)unused;
    while ((n = read(hear.from, bytes, sizeof(bytes))) > 0) {
        PE_NEED(write(hear.before, bytes, (size_t)n) == n);
        pthread_mutex_lock(&hear.lock);
        PE_NEED(hear.n + (size_t)n <= BYTES_MAX);
        memcpy(hear.text + hear.n, bytes, (size_t)n);
        hear.n += (size_t)n;
        hear.text[hear.n] = '\0';
        pthread_mutex_unlock(&hear.lock);
    }
    return NULL;
}

void hear_begin(void)
{
    int ends[2];
    PE_NEED(pipe(ends) == 0);
    hear.before = dup(STDERR_FILENO);
    hear.from = ends[0];
    PE_NEED(hear.before >= 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    close(ends[1]);
    PE_NEED(pthread_create(&hear.thread, NULL, pass_on, NULL) == 0);
}

void hear_end(void)
{
    /* This closes the last writing end of the pipe, so the thread's read() returns 0. */
    PE_NEED(dup2(hear.before, STDERR_FILENO) == STDERR_FILENO);
    pthread_join(hear.thread, NULL);
    close(hear.from);
    close(hear.before);
}

unsigned heard(const char *text)
{
    unsigned n = 0;
    const char *at = hear.text;
    pthread_mutex_lock(&hear.lock);
    while ((at = strstr(at, text)) != NULL) {
        const char *end = strchr(at, '\n');
        n++;
        at = end != NULL ? end : at + strlen(at);
    }
    pthread_mutex_unlock(&hear.lock);
    return n;
}
