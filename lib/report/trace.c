/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each line of the file is one event.  Each write ends with a "]" that the next one
 * overwrites, so the file is valid JSON whenever the process is killed.
 */
#include "lib/report/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/observe/trace.h"
#include "lib/base/env.h"
#include "lib/base/error.h"
#include "lib/base/log.h"
#include "lib/base/text.h"
#include "proxy/proxy.h"

#define TEXT_BYTES 65536u
/* The most bytes of one event with its flows; names of routines are short. */
#define EVENT_BYTES 1024u

static struct {
    pthread_mutex_t lock;
    int fd;
    uint32_t pe;
    /* The file offset of the next event: that of the "]". */
    off_t at;
    struct ash_text text;
    char bytes[TEXT_BYTES + 8];
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, .text = {file.bytes, 0, TEXT_BYTES}};

/* A full disk ends the trace, not the job. */
static void write_out(void)
{
    static const char end[] = "\n]\n";
    size_t done = 0, nbytes = file.text.used + sizeof(end) - 1;
    if (file.fd < 0) return;
    memcpy(file.bytes + file.text.used, end, sizeof(end));
    while (done < nbytes) {
        ssize_t n = pwrite(file.fd, file.bytes + done, nbytes - done, file.at + (off_t)done);
        if (n >= 0) {
            done += (size_t)n;
        } else if (errno != EINTR) {
            ash_log(ASH_LOG_WARN, "ANYSHMEM_TRACE: the trace is cut off here: %s", strerror(errno));
            (void)close(file.fd);
            file.fd = -1;
            return;
        }
    }
    file.at += (off_t)file.text.used;
    file.text.used = 0;
}

/* The format wants microseconds. */
#define TIME "%" PRIu64 ".%03u"
#define TIME_OF(ns) (ns) / 1000, (unsigned)((ns) % 1000)

static const char *const event_names[ASH_EVENT_KINDS] = {
#define X(NAME, TEXT) TEXT,
    ASH_EVENTS(X)
#undef X
};

static const char *const call_names[ASH_CALL_KINDS] = {
#define X(NAME, TEXT) TEXT,
    ASH_CALLS(X)
#undef X
};

static void add_flow(const struct ash_event *event, unsigned which)
{
    static const char *const names[ASH_FLOWS] = {"request", "message", "value"};
    const struct ash_flow *flow = &event->flow[which];
    uint64_t ns = event->began;
    if (flow->id == 0) return;
    /* A flow into a call comes at the call's end, when it got what it waited for. */
    if (event->function != NULL && flow->phase == 'f' && event->ended > ns)
        ns = event->ended - 1;
    ash_print(&file.text,
              ",\n{\"ph\":\"%c\",\"name\":\"%s\",\"cat\":\"%s\",\"id\":\"0x%" PRIx64
              "\",\"pid\":%u,\"tid\":%u,\"ts\":" TIME ",\"bp\":\"e\"}", flow->phase, names[which],
              names[which], flow->id, file.pe, event->track, TIME_OF(ns));
}

static void add_event(const struct ash_event *event)
{
    bool call = event->function != NULL;
    uint64_t duration = event->ended - event->began;
    ash_print(&file.text,
              ",\n{\"ph\":\"X\",\"name\":\"%s%s%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":"
              TIME ",\"dur\":" TIME ",\"args\":{\"bytes\":%" PRIu64 ",\"pe\":%d}}",
              event->kind == ASH_EVENT_PART ? call_names[event->op] : "", event_names[event->kind],
              call ? event->function : ash_op_name(event->op), call ? "call" : "path", file.pe,
              event->track, TIME_OF(event->began), TIME_OF(duration), event->nbytes, event->pe);
    for (unsigned i = 0; i < ASH_FLOWS; i++) add_flow(event, i);
}

/* Cancellation is disabled, because a thread that is cancelled here would keep the lock. */
static void take_events(const struct ash_event *events, uint64_t n)
{
    int cancel, kept_errno = errno;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    (void)pthread_mutex_lock(&file.lock);
    for (uint64_t i = 0; i < n; i++) {
        if (file.text.used > TEXT_BYTES - EVENT_BYTES) write_out();
        if (file.fd < 0) file.text.used = 0;
        add_event(&events[i]);
    }
    write_out();
    (void)pthread_mutex_unlock(&file.lock);
    (void)pthread_setcancelstate(cancel, NULL);
    errno = kept_errno;
}

/* ANYSHMEM_TRACE with the PE's number for each %d, or appended if there is none. */
static void expand(struct ash_text path)
{
    bool has_number = false;
    for (const char *from = ash_env.trace; *from != '\0'; from++) {
        bool is_number = from[0] == '%' && from[1] == 'd';
        if (is_number)
            ash_print(&path, "%u", file.pe);
        else
            ash_print(&path, "%c", *from);
        from += is_number;
        has_number |= is_number;
    }
    if (!has_number) ash_print(&path, ".%u", file.pe);
}

/* The names that viewers show for this process and its proxy. */
static void add_names(void)
{
    char host[256];
    ash_host_name(host, sizeof(host));
    ash_print(&file.text,
              "[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,"
              "\"args\":{\"name\":\"PE %u on %s\"}}", file.pe, file.pe, host);
    ash_print(&file.text,
              ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,"
              "\"args\":{\"name\":\"proxy\"}}", file.pe, ASH_TRACK_PROXY);
}

int ash_trace_open(uint32_t pe)
{
    /* A path that is cut is too long to be opened. */
    char path[PATH_MAX + 1];
    if (*ash_env.trace == '\0') return 0;
    file.pe = pe;
    file.at = 0;
    file.text.used = 0;
    expand(ash_text_in(path, sizeof(path)));
    file.fd = ash_output_open(path, O_TRUNC);
    if (file.fd < 0) {
        ash_log(ASH_LOG_ERROR, "invalid value ANYSHMEM_TRACE=%s: %s cannot be written: %s",
                ash_env.trace, path, ash_output_error(errno));
        return ASH_ERROR_BAD_VALUE;
    }
    add_names();
    write_out();
    ash_trace_sink = take_events;
    return 0;
}

/* Processes with the same boot id have the same CLOCK_MONOTONIC. */
static void read_boot_id(char id[40])
{
    FILE *from = fopen("/proc/sys/kernel/random/boot_id", "re");
    id[0] = '\0';
    if (from == NULL) return;
    if (fscanf(from, "%39[0-9a-f-]", id) != 1) id[0] = '\0';
    fclose(from);
}

void ash_trace_begin(void)
{
    char boot_id[40];
    struct timespec day;
    uint64_t left = ash_now_ns(), now;
    if (ash_trace_sink == NULL) return;
    read_boot_id(boot_id);
    (void)clock_gettime(CLOCK_REALTIME, &day);
    now = ash_now_ns();
    (void)pthread_mutex_lock(&file.lock);
    ash_print(&file.text,
              ",\n{\"ph\":\"M\",\"name\":\"anyshmem_clock\",\"pid\":%u,\"tid\":0,\"args\":{"
              "\"met_ns\":%" PRIu64 ",\"monotonic_ns\":%" PRIu64 ",\"realtime_ns\":%lld%09ld,"
              "\"boot_id\":\"%s\"}}", file.pe, left, now, (long long)day.tv_sec, day.tv_nsec,
              boot_id);
    write_out();
    (void)pthread_mutex_unlock(&file.lock);
}

void ash_trace_close(void)
{
    if (ash_trace_sink == NULL) return;
    ash_trace_flush_all();
    ash_trace_sink = NULL;
    if (file.fd >= 0 && close(file.fd) != 0)
        ash_log(ASH_LOG_WARN, "ANYSHMEM_TRACE: the file is incomplete: %s", strerror(errno));
    file.fd = -1;
}

void ash_trace_forked(void)
{
    (void)pthread_mutex_init(&file.lock, NULL);
    ash_trace_sink = NULL;
    if (file.fd >= 0) (void)close(file.fd);
    file.fd = -1;
}
