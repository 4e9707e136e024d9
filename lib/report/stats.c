/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums the threads' counts of calls and the proxy's counts of requests, and formats them as a
 * table in memory, which is written at once.
 */
#include "lib/report/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/channel/channel.h"
#include "lib/base/env.h"
#include "lib/base/log.h"
#include "lib/base/text.h"

static struct ash_request_counts requests;
static uint64_t began;
static uint32_t job_pes;

static const char *const call_names[ASH_CALL_KINDS] = {
#define X(NAME, TEXT) TEXT,
    ASH_CALLS(X)
#undef X
};

struct ash_request_counts *ash_stats_requests(void)
{
    if (!ash_env.stats && ash_trace_sink == NULL) return NULL;
    memset(&requests, 0, sizeof(requests));
    return &requests;
}

void ash_stats_start(uint32_t n_pes)
{
    began = ash_now_ns();
    job_pes = n_pes;
    /* For a trace each push should take the slow path, which a ring that looks full makes it do. */
    if (ash_trace_sink != NULL && ash_state.channel != NULL)
        dev_store_own64(&ash_state.channel->seen,
                        ash_channel_ticket(ash_state.channel) - ash_state.channel->mask - 1);
    ash_observe_start(n_pes);
}

/* The lower limit of a bin, 2^bin ns, in units that differ by a factor of 1024. */
static const char *bin_text(unsigned bin, char text[16])
{
    static const char *const units[] = {"ns", "us", "ms", "s", "ks"};
    snprintf(text, 16, "%u%s", 1u << bin % 10, units[bin / 10]);
    return text;
}

/* The bin of a quantile: of_thousand of 1000 timed calls are in it or in lower ones. */
static unsigned quantile(const struct ash_count *count, uint64_t of_thousand)
{
    uint64_t timed = 0, seen = 0;
    unsigned bin = 0;
    for (unsigned i = 0; i < ASH_COUNT_BINS; i++) timed += count->bins[i];
    while (bin < ASH_COUNT_BINS - 1) {
        seen += count->bins[bin];
        if (seen * 1000 >= timed * of_thousand) break;
        bin++;
    }
    return bin;
}

static void print_times(FILE *to, const struct ash_count *count)
{
    char text[16];
    bool timed = false;
    for (unsigned i = 0; i < ASH_COUNT_BINS && !timed; i++) timed = count->bins[i] > 0;
    if (!timed) return;
    fprintf(to, " <%-6s", bin_text(quantile(count, 500) + 1, text));
    fprintf(to, " <%-6s %10" PRIu64, bin_text(quantile(count, 990) + 1, text), count->max_ns);
    for (unsigned i = 0; i < ASH_COUNT_BINS; i++)
        if (count->bins[i] > 0) fprintf(to, " %s:%" PRIu64, bin_text(i, text), count->bins[i]);
}

static void print_row(FILE *to, int pe, const char *call, const char *way,
                      const struct ash_count *count)
{
    if (count->n == 0) return;
    fprintf(to, "[%d] %-16s %-10s %10" PRIu64 " %14" PRIu64, pe, call, way, count->n,
            count->nbytes);
    print_times(to, count);
    fputc('\n', to);
}

static void print_heading(FILE *to, int pe, const char *what)
{
    fprintf(to, "[%d] %-16s %-10s %10s %14s %-7s %-7s %10s %s\n", pe, what, "way", "count", "bytes",
            "median", "p99", "max_ns", "from:count");
}

static void print_calls(FILE *to, int pe)
{
    struct ash_call_counts calls;
    ash_observe_sum(&calls);
    fprintf(to, "[%d] Calls of %" PRIu64 " threads of the host and of the host device, and how "
                "long each took; none of a GPU's.\n", pe, calls.n_threads);
    print_heading(to, pe, "call");
    for (unsigned call = 0; call < ASH_CALL_KINDS; call++) {
        bool own = call == ASH_CALL_WAIT || call == ASH_CALL_TEST;
        print_row(to, pe, call_names[call], own ? "own" : "mapped",
                  &calls.count[call][ASH_VIA_MAPPED]);
        print_row(to, pe, call_names[call], "channel", &calls.count[call][ASH_VIA_CHANNEL]);
    }
}

static void print_requests(FILE *to, int pe)
{
    static const char *const ways[2][ASH_REQUEST_BYS] = {{"proxy", "rma", "am"},
                                                         {"gpu:proxy", "gpu:rma", "gpu:am"}};
    if (ash_state.channel == NULL) {
        fprintf(to, "[%d] No channel and no proxy: all PEs are mapped.\n", pe);
        return;
    }
    fprintf(to, "[%d] Requests that the proxy took from the channel, the library's own among them, "
                "and how long each took from there to its completion; gpu: a GPU's threads.\n", pe);
    print_heading(to, pe, "request");
    for (unsigned call = 0; call < ASH_CALL_KINDS; call++)
        for (unsigned client = 0; client < 2; client++)
            for (unsigned by = 0; by < ASH_REQUEST_BYS; by++) {
                struct ash_count count = {0};
                ash_count_sum(&count, &requests.count[client][call][by]);
                print_row(to, pe, call_names[call], ways[client][by], &count);
            }
}

void ash_stats_print(void)
{
    char *text = NULL, host[256];
    size_t nbytes;
    int pe = ash_state.my_pe;
    FILE *to = open_memstream(&text, &nbytes);
    if (to == NULL) {
        ash_log(ASH_LOG_WARN, "ANYSHMEM_STATS: out of memory for the table");
        return;
    }
    ash_host_name(host, sizeof(host));
    fprintf(to, "[%d] anyshmem statistics of PE %d of %" PRIu32 " on %s, process %ld: %.3f s\n",
            pe, pe, job_pes, host, (long)getpid(), (double)(ash_now_ns() - began) * 1e-9);
    print_calls(to, pe);
    print_requests(to, pe);
    fprintf(to, "[%d] Times are powers of two, 1us is 1024 ns; from:count, so many took that long "
                "or up to twice.\n", pe);
    if (fclose(to) == 0) ash_log_text(text, nbytes);
    free(text);
}
