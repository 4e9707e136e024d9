/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options, and the loop over cases and sizes.  alarm() ends the program if a case takes too
 * long; a line before each case shows the script which one it was.
 */
#include "bench.h"

#include <regex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SKIPS_MAX 128
/* Additional seconds for the start of the program. */
#define START_S 30

static const size_t sizes[N_SIZES][8] = {
    [ONE] = {0},
    [MESSAGES] = {8, 1024, 65536},
    [BULK] = {8, 64, 512, 4096, 32768, 262144, BYTES_MAX},
    [VARIABLES] = {1, 64, 1024, VARIABLES_MAX},
    [BLOCKS] = {8, 1024, 16384, 262144, BLOCK_MAX},
};

static const char *group, *skips[SKIPS_MAX];
static unsigned n_skips, limit_s = 60;
static regex_t only;

static void help(void)
{
    puts("usage: LAUNCHER -n N bench -g GROUP [OPTION...]\n\n"
         "Measures an OpenSHMEM, and prints for each operation a line\n"
         "  bench OPERATION SIZE PES UNIT MEDIAN MIN LIMIT LIMIT_MIN RATIO LIMIT_NAME\n"
         "with times in ns of one operation; \"wrong\" for MEDIAN: so was the result.\n\n"
         "  -g GROUP    the operations of this group\n"
         "  -o REGEX    only these operations (an extended regular expression)\n"
         "  -x OP:SIZE  not this one; may be given more than once\n"
         "  -b N        batches of each operation and of its limit (9)\n"
         "  -t MS       what a batch takes (2)\n"
         "  -s S        seconds until the program ends itself (60)\n"
         "  -r          the peer is not reached by loads and stores: no limit made of them\n"
         "  -p          each PE stays on one CPU\n"
         "  -m FILE     PEs share this file, for their hosts do not see each other's processes\n"
         "  -l          lists what there is, GROUP OPERATION two|many|all SIZES; starts nothing");
}

static void list(void)
{
    static const char *const names[] = {"two", "many", "all"};
    for (unsigned i = 0; i < bench_n_cases; i++) {
        const size_t *size = sizes[bench_cases[i].sizes];
        printf("%s %s %s", bench_cases[i].group, bench_cases[i].name,
               names[bench_cases[i].many]);
        do
            printf(" %zu", *size++);
        while (*size != 0);
        putchar('\n');
    }
}

static bool is_skipped(const char *name, size_t size)
{
    char text[80];
    snprintf(text, sizeof(text), "%s:%zu", name, size);
    for (unsigned i = 0; i < n_skips; i++)
        if (strcmp(text, skips[i]) == 0) return true;
    return false;
}

static bool is_wanted(const struct options *options, const struct bench_case *test, int n_pes)
{
    if (strcmp(test->group, group) != 0 || (n_pes > 2 && test->many == TWO)) return false;
    if (test->sizes == BLOCKS && n_pes > COLLECTIVE_PES_MAX) return false;
    /* OpenSHMEM does not promise that an AMO completes while its target makes no call. */
    if (options->remote && test->who == POLLED) return false;
    return regexec(&only, test->name, 0, NULL, 0) == 0;
}

/* Binds the PE to one CPU, as a binding launcher does, with any launcher. */
static void stay_on_one_cpu(void)
{
    static const char *const names[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                        "SLURM_PROCID"};
    cpu_set_t all, one;
    const char *rank = NULL;
    int wanted;
    for (unsigned i = 0; rank == NULL && i < sizeof(names) / sizeof(names[0]); i++)
        rank = getenv(names[i]);
    if (rank == NULL || sched_getaffinity(0, sizeof(all), &all) != 0) return;
    wanted = atoi(rank) % CPU_COUNT(&all);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all) || wanted-- > 0) continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        (void)sched_setaffinity(0, sizeof(one), &one);
        return;
    }
}

/* Prints the case before it runs, so that the script knows where a failed run ended. */
static void announce(const struct bench *bench, const char *name)
{
    if (bench->me == 0) printf("bench # %s:%zu\n", name, bench->size);
    fflush(stdout);
    alarm(limit_s);
}

static void measure_sizes(struct bench *bench, const struct options *options,
                          const struct bench_case *test)
{
    /* A 0 ends a list, except as its first size. */
    for (unsigned i = 0; i == 0 || sizes[test->sizes][i] != 0; i++) {
        bench->size = sizes[test->sizes][i];
        if (bench->n_pes > 2 && test->many != ALL_SIZES && i > 0) return;
        if (is_skipped(test->name, bench->size)) continue;
        announce(bench, test->name);
        bench_measure(bench, options, test);
    }
}

static void *allocate(size_t nbytes)
{
    void *memory = shmem_malloc(nbytes);
    if (memory == NULL) {
        fprintf(stderr, "bench: no symmetric memory\n");
        shmem_global_exit(1);
        abort();
    }
    memset(memory, 0, nbytes);
    return memory;
}

static void allocate_blocks(struct bench *bench)
{
    size_t nbytes = BLOCK_MAX * (size_t)bench->n_pes;
    bench->dest = allocate(nbytes);
    bench->block = allocate(nbytes);
    memset(bench->block, bench->me + 1, nbytes);
    bench->work = allocate(BLOCK_MAX);
    bench->sync = allocate(4 * BENCH_SYNC_WORDS * sizeof(long));
#if BENCH_COLLECTIVES == BENCH_ACTIVE_SET
    for (size_t i = 0; i < 4 * BENCH_SYNC_WORDS; i++) bench->sync[i] = SHMEM_SYNC_VALUE;
    _Static_assert(SHMEM_BARRIER_SYNC_SIZE <= BENCH_SYNC_WORDS, "pSync");
    _Static_assert(SHMEM_BCAST_SYNC_SIZE <= BENCH_SYNC_WORDS, "pSync");
    _Static_assert(SHMEM_REDUCE_SYNC_SIZE <= BENCH_SYNC_WORDS, "pSync");
    _Static_assert(SHMEM_COLLECT_SYNC_SIZE <= BENCH_SYNC_WORDS, "pSync");
    _Static_assert(SHMEM_ALLTOALL_SYNC_SIZE <= BENCH_SYNC_WORDS, "pSync");
#endif
}

static void measure_all(struct bench *bench, const struct options *options)
{
    bench->words = allocate(WORDS * sizeof(long));
    bench->array = allocate(VARIABLES_MAX * sizeof(long));
    bench->signal = allocate(sizeof(uint64_t) * 16);
    bench->target = allocate(BYTES_MAX);
    bench->source = allocate(BYTES_MAX);
    if (strcmp(group, "coll") == 0) allocate_blocks(bench);
    shmem_barrier_all();
    bench->page = page_open(bench, options->page);
    if (bench->page == NULL) shmem_global_exit(1);
    for (unsigned i = 0; i < bench_n_cases; i++)
        if (is_wanted(options, &bench_cases[i], bench->n_pes))
            measure_sizes(bench, options, &bench_cases[i]);
}

static void refuse(const char *text)
{
    fprintf(stderr, "bench: %s (-h says more)\n", text);
    exit(2);
}

/* Returns false if there is nothing to measure, as after -l. */
static bool parse(struct options *options, int argc, char **argv)
{
    const char *pattern = "";
    int c;
    while ((c = getopt(argc, argv, "g:o:x:b:t:s:m:rplh")) != -1) {
        switch (c) {
        case 'g': group = optarg; break;
        case 'o': pattern = optarg; break;
        case 'x': if (n_skips < SKIPS_MAX) skips[n_skips++] = optarg; break;
        case 'b': options->batches = (unsigned)atoi(optarg); break;
        case 't': options->batch_ns = 1e6 * atof(optarg); break;
        case 's': limit_s = (unsigned)atoi(optarg); break;
        case 'm': options->page = optarg; break;
        case 'r': options->remote = true; break;
        case 'p': options->pin = true; break;
        case 'l': list(); return false;
        case 'h': help(); return false;
        default: exit(2);
        }
    }
    if (group == NULL) refuse("no group");
    if (options->batches < 1 || options->batches > BATCHES_MAX) refuse("-b takes 1 to 99");
    if (regcomp(&only, pattern[0] != '\0' ? pattern : ".", REG_EXTENDED | REG_NOSUB) != 0)
        refuse("-o takes a regular expression");
    alarm(limit_s + START_S);
    return true;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct options options = {.batches = 9, .batch_ns = 2e6};
    double start;
    if (!parse(&options, argc, argv)) return 0;
    if (options.pin) stay_on_one_cpu();
    start = now_ns();
    shmem_init();
    start = now_ns() - start;
    bench.me = shmem_my_pe();
    bench.n_pes = shmem_n_pes();
    bench.peer = bench.n_pes - 1;
    if (bench.n_pes < 2 || bench.n_pes > PES_MAX) refuse("2 to 256 PEs");
    if (strcmp(group, "init") != 0)
        measure_all(&bench, &options);
    else if (bench.me == 0)
        printf("bench init 0 %d ms %.5g %.5g - - - -\n", bench.n_pes, start, start);
    fflush(stdout);
    shmem_finalize();
    return 0;
}
