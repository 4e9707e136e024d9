/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options, and the loop over paths: for each, main sets the environment, initializes the
 * library anew, measures all chosen cases and finalizes it.
 */
#include "perf.h"

#include <getopt.h>
#include <nvshmem.h>
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name, *help;
} ways[] = {
#define X(NAME, TEXT, HELP) {TEXT, HELP},
    PERF_WAYS(X)
#undef X
};

/* Seconds between two progress lines. */
#define PROGRESS_S 10

enum { OPTION_CSV = 256, OPTION_PLOT, OPTION_FROM, OPTION_KERNEL, OPTION_ROUNDS, OPTION_TIME,
       OPTION_LIST };

static const struct option long_options[] = {
    {"min_size", required_argument, NULL, 'b'}, {"max_size", required_argument, NULL, 'e'},
    {"step", required_argument, NULL, 'f'},     {"iters", required_argument, NULL, 'n'},
    {"warmup", required_argument, NULL, 'w'},   {"way", required_argument, NULL, 'W'},
    {"rounds", required_argument, NULL, OPTION_ROUNDS},
    {"time", required_argument, NULL, OPTION_TIME},
    {"csv", no_argument, NULL, OPTION_CSV},     {"plot", required_argument, NULL, OPTION_PLOT},
    {"from", required_argument, NULL, OPTION_FROM},
    {"kernel", no_argument, NULL, OPTION_KERNEL}, {"list", no_argument, NULL, OPTION_LIST},
    {"help", no_argument, NULL, 'h'},           {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0}};

static void help(void)
{
    puts("usage: LAUNCHER -n 2 anyshmem-perf [OPTION...] [CASE...]\n\n"
         "Measures anyshmem beside the limit of this machine, in turns.  A CASE is the name of\n"
         "one, or its beginning (put, fetch, wait, ...); without any, all are measured.\n\n"
         "  -b, --min_size BYTES   smallest message, or number of variables (8)\n"
         "  -e, --max_size BYTES   largest one (65536; 4096 variables at most)\n"
         "  -f, --step FACTOR      from one size to the next (8)\n"
         "  -n, --iters N          operations in a batch (as many as take --time)\n"
         "  -w, --warmup N         batches that do not count (1)\n"
         "      --rounds N         batches that count, of ours and of the limit in turn (9)\n"
         "      --time MS          what a batch takes (5)\n"
         "  -W, --way WAY[,WAY]    how the data goes (mapped,proxy-tcp)\n"
         "      --kernel           a thread of a kernel calls the routines, not the host's\n"
         "      --csv              comma-separated values\n"
         "      --plot FILE        draw what has sizes, as .svg or .png, a picture for each unit\n"
         "      --from FILE.csv    measure nothing, draw such files, over PEs if these differ\n"
         "      --list             name all cases\n"
         "  -h, --help   -V, --version\n\nWays:");
    for (unsigned i = 0; i < PERF_N_WAYS; i++) printf("  %-10s %s\n", ways[i].name, ways[i].help);
}

static void list(void)
{
    for (unsigned i = 0; i < perf_n_cases; i++)
        printf("%-18s %s\n", perf_cases[i].name, perf_cases[i].help);
}

static _Noreturn void refuse(const char *what, const char *value)
{
    fprintf(stderr, "anyshmem-perf: %s: %s (--help says more)\n", what, value);
    exit(2);
}

static size_t number(const char *option, const char *text, size_t least, size_t most)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || text[0] == '-' || value < least || value > most) {
        fprintf(stderr, "anyshmem-perf: %s takes a number from %zu to %zu, not \"%s\"\n", option,
                least, most, text);
        exit(2);
    }
    return (size_t)value;
}

static void choose_ways(struct perf_options *options, char *text)
{
    memset(options->ways, 0, sizeof(options->ways));
    options->chosen = true;
    for (char *save, *name = strtok_r(text, ",", &save); name != NULL;
         name = strtok_r(NULL, ",", &save)) {
        unsigned i = 0;
        while (i < PERF_N_WAYS && strcmp(ways[i].name, name) != 0) i++;
        if (i == PERF_N_WAYS) refuse("no such way", name);
        options->ways[i] = true;
    }
}

/* The paths if the user names none. */
static void choose_usual_ways(struct perf_options *options)
{
    options->ways[PERF_MAPPED] = options->ways[PERF_TCP] = true;
    if (access("/sys/class/net", F_OK) == 0) return;
    options->ways[PERF_TCP] = false;
    options->left_out = "# proxy-tcp is left out: without /sys/class/net UCX finds no network";
}

static bool is_wanted(const struct perf_options *options, const struct perf_case *test)
{
    for (int i = 0; i < options->n_names; i++)
        if (strncmp(test->name, options->names[i], strlen(options->names[i])) == 0) return true;
    return options->n_names == 0;
}

static void check_names(struct perf_options *options)
{
    for (int i = 0; i < options->n_names; i++) {
        struct perf_options one = {.names = &options->names[i], .n_names = 1};
        unsigned k = 0;
        while (k < perf_n_cases && !is_wanted(&one, &perf_cases[k])) k++;
        if (k == perf_n_cases) refuse("no such case (--list names them)", options->names[i]);
    }
}

/* Returns false if there is nothing to measure, as after --help. */
static bool parse(struct perf_options *options, int argc, char **argv)
{
    int c;
    while ((c = getopt_long(argc, argv, "b:e:f:n:w:W:hV", long_options, NULL)) != -1) {
        switch (c) {
        case 'b': options->smallest = number("--min_size", optarg, 1, SIZE_MAX / 4); break;
        case 'e': options->largest = number("--max_size", optarg, 1, SIZE_MAX / 4); break;
        case 'f': options->step = number("--step", optarg, 2, 1024); break;
        case 'n': options->iterations = (long)number("--iters", optarg, 1, 1000000000); break;
        case 'w': options->warmup = (unsigned)number("--warmup", optarg, 0, 1000); break;
        case 'W': choose_ways(options, optarg); break;
        case OPTION_ROUNDS:
            options->rounds = (unsigned)number("--rounds", optarg, 1, PERF_ROUNDS_MAX);
            break;
        case OPTION_TIME: options->batch_ms = (unsigned)number("--time", optarg, 1, 60000); break;
        case OPTION_CSV: options->csv = true; break;
        case OPTION_PLOT: options->picture = optarg; break;
        case OPTION_FROM:
            if (options->n_from == PERF_FROM_MAX) refuse("too many files", optarg);
            options->from[options->n_from++] = optarg;
            break;
        case OPTION_KERNEL: options->kernel = true; break;
        case OPTION_LIST: list(); return false;
        case 'h': help(); return false;
        case 'V': puts("anyshmem-perf " NVSHMEM_VENDOR_STRING); return false;
        default: exit(2);
        }
    }
    if (options->n_from > 0 && options->picture == NULL) refuse("--from needs --plot", "FILE");
    if (!options->chosen) choose_usual_ways(options);
    options->names = argv + optind;
    options->n_names = argc - optind;
    check_names(options);
    return true;
}

/* Sets the environment of a path; the user's other variables stay. */
static void set_way(enum perf_way way)
{
    static const char *const transports[PERF_N_WAYS] = {
        [PERF_SHARED] = "sm,self", [PERF_TCP] = "tcp,self", [PERF_AM] = "tcp,self"};
    if (way == PERF_GIVEN) return;
    setenv("ANYSHMEM_DISABLE_DIRECT", way == PERF_MAPPED ? "0" : "all", 1);
    unsetenv("ANYSHMEM_REMOTE");
    if (way == PERF_AM) setenv("ANYSHMEM_REMOTE", "am", 1);
    if (transports[way] != NULL)
        setenv("UCX_TLS", transports[way], 1);
    else
        unsetenv("UCX_TLS");
}

static void *allocate(size_t nbytes)
{
    void *memory = nvshmem_calloc(1, nbytes);
    if (memory != NULL) return memory;
    fprintf(stderr, "anyshmem-perf: NVSHMEM_SYMMETRIC_SIZE is too small for --max_size\n");
    nvshmem_global_exit(1);
    abort();
}

/* The range of sizes of a case. */
static size_t smallest_of(const struct perf_options *options, const struct perf_case *test)
{
    return test->sized != PERF_ONE ? options->smallest : 8;
}

static size_t largest_of(const struct perf_options *options, const struct perf_case *test)
{
    if (test->sized == PERF_ONE) return smallest_of(options, test);
    if (test->sized == PERF_VARIABLES && options->largest > PERF_VARIABLES_MAX)
        return PERF_VARIABLES_MAX;
    return options->largest;
}

/* Is the case measured in a job of n_pes PEs? */
static bool takes_place(const struct perf_options *options, const struct perf_case *test, int n_pes)
{
    return is_wanted(options, test) && (n_pes > 1 || test->who == PERF_FIRST);
}

/* Rows so far, and in total; times of the start and of the last progress line. */
static struct {
    unsigned done, all;
    time_t began, said;
} progress;

static void progress_begin(const struct perf_options *options, int n_pes)
{
    unsigned n_ways = 0, rows = 0;
    for (unsigned way = 0; way < PERF_N_WAYS; way++) n_ways += options->ways[way];
    for (unsigned i = 0; i < perf_n_cases; i++) {
        const struct perf_case *test = &perf_cases[i];
        if (!takes_place(options, test, n_pes)) continue;
        for (size_t size = smallest_of(options, test); size <= largest_of(options, test);
             size *= options->step)
            rows++;
    }
    progress.all = n_ways * rows;
    progress.began = progress.said = time(NULL);
}

/* Prints a progress line if the last one is PROGRESS_S old. */
static void progress_row(const struct perf *perf, const struct perf_case *test)
{
    time_t now = time(NULL);
    double left;
    if (++progress.done == progress.all || now - progress.said < PROGRESS_S) return;
    progress.said = now;
    left = difftime(now, progress.began) * (progress.all - progress.done) / progress.done;
    fprintf(stderr, "anyshmem-perf: %s %s: %u of %u rows, about %.0f s to go\n",
            perf_way_names[perf->way], test->name, progress.done, progress.all, left);
}

static void measure_sizes(struct perf *perf, const struct perf_options *options,
                          const struct perf_case *test)
{
    struct perf_row row;
    for (perf->size = smallest_of(options, test); perf->size <= largest_of(options, test);
         perf->size *= options->step) {
        perf_measure(perf, options, test, &row);
        if (perf->me != 0) continue;
        perf_table_row(options, &row);
        progress_row(perf, test);
    }
}

/*
 * PE 0 decides for all PEs whether the peer is mapped: on several machines, PEs may see different
 * things.  A PE without a mapping then takes its own words, so that the pointer is not NULL.
 */
static void look_at_peer(struct perf *perf)
{
    int other = perf->me == 0 ? perf->peer : 0;
    perf->peer_words = nvshmem_ptr(perf->words, other);
    perf->peer_target = nvshmem_ptr(perf->target, other);
    if (perf_share(perf, perf->peer_words != NULL) == 0) perf->peer_words = NULL;
    else if (perf->peer_words == NULL) perf->peer_words = perf->words;
}

static void measure_all(struct perf *perf, const struct perf_options *options)
{
    size_t nbytes = options->largest < 8 ? 8 : options->largest;
    perf->me = nvshmem_my_pe();
    perf->n_pes = nvshmem_n_pes();
    perf->peer = perf->n_pes - 1;
    perf->words = allocate(PERF_WORDS * sizeof(uint64_t));
    perf->target = allocate(nbytes);
    perf->source = allocate(nbytes);
    perf->round = 0;
    look_at_peer(perf);
    perf->ucx = NULL;
    if (perf->peer_words == NULL && perf->n_pes > 1) perf->ucx = limit_ucx_open(perf, nbytes);
    for (unsigned i = 0; i < perf_n_cases; i++)
        if (takes_place(options, &perf_cases[i], perf->n_pes))
            measure_sizes(perf, options, &perf_cases[i]);
    if (perf->ucx != NULL) limit_ucx_close(perf->ucx);
    nvshmem_free(perf->source);
    nvshmem_free(perf->target);
    nvshmem_free(perf->words);
}

static void begin(const struct perf_options *options)
{
    /* An hour of measurements must not end without its picture. */
    if (options->picture != NULL && !perf_plot_possible(options->picture)) nvshmem_global_exit(2);
    if (options->left_out != NULL) fprintf(stderr, "%s\n", options->left_out);
    perf_table_begin(options);
    progress_begin(options, nvshmem_n_pes());
}

/* Draws the rows of earlier runs. */
static int draw(const struct perf_options *options)
{
    if (!perf_plot_possible(options->picture)) return 2;
    for (int i = 0; i < options->n_from; i++)
        if (!perf_table_read(options->from[i])) return 1;
    return perf_plot(options->picture) ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct perf perf;
    struct perf_options options = {.smallest = 8, .largest = 65536, .step = 8, .rounds = 9,
                                   .batch_ms = 5, .warmup = 1};
    bool begun = false, drawn = true;
    if (!parse(&options, argc, argv)) return 0;
    if (options.n_from > 0) return draw(&options);
    for (unsigned way = 0; way < PERF_N_WAYS; way++) {
        if (!options.ways[way]) continue;
        set_way((enum perf_way)way);
        perf.way = (enum perf_way)way;
        nvshmem_init();
        if (nvshmem_my_pe() == 0 && !begun) begin(&options);
        begun = true;
        measure_all(&perf, &options);
        nvshmem_finalize();
    }
    if (perf.me == 0 && options.picture != NULL) drawn = perf_plot(options.picture);
    return drawn ? 0 : 1;
}
