/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/watch/status.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/log.h"
#include "lib/report/report.h"

_Static_assert(sizeof(struct ash_mark) <= ASH_MARK_BYTES, "the mark has room");

/* What the launcher gets to end this PE after another one ended the job. */
#define GRACE_MS 400

static struct {
    struct ash_mark *mark;
    uint32_t pe;
} own;

void ash_mark_pe(uint32_t my_pe)
{
    own.pe = my_pe;
}

void ash_mark_use(struct ash_mark *mark)
{
    __atomic_store_n(&own.mark, mark, __ATOMIC_RELEASE);
}

void ash_mark_beat(void)
{
    struct ash_mark *mark = __atomic_load_n(&own.mark, __ATOMIC_ACQUIRE);
    if (mark != NULL) __atomic_store_n(&mark->beat, mark->beat + 1, __ATOMIC_RELAXED);
}

void ash_mark_leave(void)
{
    if (own.mark != NULL) __atomic_store_n(&own.mark->state, ASH_MARK_LEFT, __ATOMIC_RELEASE);
}

void ash_mark_end(const struct ash_cause *cause)
{
    struct ash_mark *mark = __atomic_load_n(&own.mark, __ATOMIC_ACQUIRE);
    if (mark == NULL || mark->state != ASH_MARK_RUNNING) return;
    mark->cause = *cause;
    __atomic_store_n(&mark->state, ASH_MARK_ENDING, __ATOMIC_RELEASE);
}

void ash_cause_own(struct ash_cause *ret_cause, int status)
{
    memset(ret_cause, 0, sizeof(*ret_cause));
    ret_cause->kind = ASH_CAUSE_ENDED;
    ret_cause->status = status;
    ret_cause->pe = own.pe;
    ret_cause->pid = getpid();
    if (gethostname(ret_cause->host, sizeof(ret_cause->host)) != 0) ret_cause->host[0] = '?';
    ret_cause->host[sizeof(ret_cause->host) - 1] = '\0';
}

void ash_cause_describe(const struct ash_cause *cause, char *text, size_t nbytes)
{
    /* Another process wrote it. */
    int length = (int)strnlen(cause->host, sizeof(cause->host));
    int used = snprintf(text, nbytes, "PE %u (process %lld on %.*s) ", cause->pe,
                        (long long)cause->pid, length, cause->host);
    text += used;
    nbytes -= (size_t)used;
    switch (cause->kind) {
    case ASH_CAUSE_ENDED:
        snprintf(text, nbytes, "has ended the job with status %d", cause->status);
        break;
    case ASH_CAUSE_SILENT:
        snprintf(text, nbytes, "did not stir for %u s (ANYSHMEM_PEER_TIMEOUT)", cause->seconds);
        break;
    case ASH_CAUSE_BROKEN:
        length = (int)strnlen(cause->why, sizeof(cause->why));
        snprintf(text, nbytes, "cannot be reached any more (%.*s)", length, cause->why);
        break;
    default: snprintf(text, nbytes, "has ended without nvshmem_finalize"); break;
    }
}

_Noreturn void ash_end_for(const struct ash_cause *cause)
{
    char what[256], mine[ASH_REPORT_TEXT], text[1024];
    /* The PE that ended the job has said why. */
    int level = cause->kind == ASH_CAUSE_ENDED ? ASH_LOG_WARN : ASH_LOG_ERROR;
    ash_end_begins(cause->status);
    /* A proxy that waits for the word on a lost PE goes on, for others are to be told. */
    __atomic_store_n(&ash_end_cause, cause, __ATOMIC_RELEASE);
    if (cause->kind == ASH_CAUSE_ENDED) {
        /* The launcher was told, too: let it end this PE. */
        if (ash_tell_hook != NULL) ash_tell_hook(cause);
        ash_sleep_ms(GRACE_MS);
    }
    ash_cause_describe(cause, what, sizeof(what));
    ash_report_describe(mine, sizeof(mine));
    snprintf(text, sizeof(text), "%s; this PE was %s", what, mine);
    ash_end(cause, level, text);
}
