/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat: how heat spreads over a plate.
 *
 * The plate is a square of n x n points, whose edge and some spots (scene in
 * heat_plate.c) stay as they are.  In each iteration every other point becomes
 * the mean of its four neighbours (Jacobi).  The rows are spread over the PEs;
 * a PE sends its first and its last row to the PEs above and below, each with
 * one put-with-signal, and waits for theirs: there is no barrier.
 *
 * Why two arrays are enough.  In iteration t a PE reads array (t-1)%2 and writes
 * array t%2, then sends its edge rows into array t%2 of its neighbours.  The
 * next rows that arrive in array (t-1)%2 are those of iteration t+1, and a
 * neighbour sends these only after it has our rows of iteration t, which we send
 * when we have read all of array (t-1)%2.  So nothing is overwritten that
 * somebody still reads, and no PE is more than one iteration ahead.
 *
 *     prterun -n 4 heat [-n SIZE] [-i ITERATIONS] [-o FILE.png] [--no-check]
 */
#include "fail.h"
#include "heat_picture.h"
#include "heat_plate.h"
#include "progress.h"

#include <nvshmem.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define NAME "heat"

struct options {
    size_t size;
    uint64_t iterations;
    const char *picture;
    int check;
};

/*
 * A PE's part of the plate: n_rows rows of its own, and one row above and one
 * below that belong to the neighbours or to the edge of the plate.
 */
struct part {
    int me, n_pes;
    size_t size;                /* points of a row */
    size_t first, n_rows;       /* own rows, as rows of the plate */
    size_t max_rows;            /* of any PE */
    unsigned char *fixed;       /* own memory: which points stay as they are */
    double *points[2];          /* symmetric, (max_rows + 2) rows; row 0 is the one above */
    uint64_t *above, *below;    /* symmetric: iteration of the rows that arrived */
    double *change;             /* symmetric: largest change in the last iteration */
};

/* The inner rows, 1 to size - 2, are spread evenly; the first PEs take one more. */
static void rows_of(size_t size, int pe, int n_pes, size_t *ret_first, size_t *ret_n_rows)
{
    size_t inner = size - 2, share = inner / (size_t)n_pes, more = inner % (size_t)n_pes;
    size_t before = (size_t)pe < more ? (size_t)pe : more;

    *ret_first = 1 + (size_t)pe * share + before;
    *ret_n_rows = share + ((size_t)pe < more);
}

static void part_init(struct part *part, size_t size)
{
    size_t nbytes;
    uint64_t *signals;

    part->me = nvshmem_my_pe();
    part->n_pes = nvshmem_n_pes();
    part->size = size;
    if (size - 2 < (size_t)part->n_pes)
        fail(NAME, "%zu rows are too few for %d PEs", size - 2, part->n_pes);
    rows_of(size, part->me, part->n_pes, &part->first, &part->n_rows);
    part->max_rows = (size - 2) / (size_t)part->n_pes + 1;
    nbytes = (part->max_rows + 2) * size * sizeof(double);
    part->points[0] = nvshmem_malloc(nbytes);
    part->points[1] = nvshmem_malloc(nbytes);
    part->change = nvshmem_malloc(sizeof(*part->change));
    signals = nvshmem_calloc(2, sizeof(*signals));
    part->fixed = malloc((part->n_rows + 2) * size);
    if (!part->points[0] || !part->points[1] || !part->change || !signals || !part->fixed)
        fail(NAME, "no memory; see NVSHMEM_SYMMETRIC_SIZE");
    part->above = &signals[0];
    part->below = &signals[1];
    plate_fill(size, part->first - 1, part->n_rows + 2, part->points[0], part->fixed);
    memcpy(part->points[1], part->points[0], (part->n_rows + 2) * size * sizeof(double));
    /* No neighbour may send before this PE's arrays are filled. */
    nvshmem_barrier_all();
}

static void part_finish(struct part *part)
{
    free(part->fixed);
    nvshmem_free(part->above);
    nvshmem_free(part->change);
    nvshmem_free(part->points[1]);
    nvshmem_free(part->points[0]);
}

/* Sends the edge rows of iteration t to the neighbours and waits for theirs. */
static void exchange(struct part *part, double *points, uint64_t t)
{
    size_t size = part->size, first, rows_above;
    double *below_last = points + (part->n_rows + 1) * size;

    if (part->me > 0) {
        rows_of(size, part->me - 1, part->n_pes, &first, &rows_above);
        nvshmem_double_put_signal(points + (rows_above + 1) * size, points + size, size,
                                  part->below, t, NVSHMEM_SIGNAL_SET, part->me - 1);
    }
    if (part->me < part->n_pes - 1)
        nvshmem_double_put_signal(points, below_last - size, size, part->above, t,
                                  NVSHMEM_SIGNAL_SET, part->me + 1);
    if (part->me > 0)
        nvshmem_signal_wait_until(part->above, NVSHMEM_CMP_GE, t);
    if (part->me < part->n_pes - 1)
        nvshmem_signal_wait_until(part->below, NVSHMEM_CMP_GE, t);
}

static void iterate(struct part *part, uint64_t iterations)
{
    struct progress progress;
    double change = 0;

    progress_init(&progress, NAME);
    for (uint64_t t = 1; t <= iterations; t++) {
        change = plate_sweep(part->size, part->n_rows, part->points[(t - 1) % 2],
                             part->points[t % 2], part->fixed);
        exchange(part, part->points[t % 2], t);
        if (part->me == 0 && t % 16 == 0)
            progress_show(&progress, (double)t / (double)iterations, "the iterations");
    }
    progress_finish(&progress);
    *part->change = change;
    /* Everybody's rows and changes are there for PE 0 to get. */
    nvshmem_barrier_all();
}

/* PE 0: the whole plate, and the largest change of all PEs. */
static double gather(const struct part *part, const double *points, double *ret_plate)
{
    double largest = 0;

    for (int pe = 0; pe < part->n_pes; pe++) {
        size_t first, n_rows;
        double change = nvshmem_double_g(part->change, pe);

        rows_of(part->size, pe, part->n_pes, &first, &n_rows);
        nvshmem_double_get(ret_plate + first * part->size, points + part->size,
                           n_rows * part->size, pe);
        largest = change > largest ? change : largest;
    }
    return largest;
}

/* PE 0: the same by itself.  The largest change in the last iteration. */
static double run_serial(size_t size, uint64_t iterations, double *plate)
{
    double *other = malloc(size * size * sizeof(*other));
    unsigned char *fixed = malloc(size * size);
    double *from = plate, *to = other, change = 0;
    struct progress progress;

    if (!other || !fixed)
        fail(NAME, "no memory for the serial run; see --no-check");
    plate_fill(size, 0, size, plate, fixed);
    memcpy(other, plate, size * size * sizeof(*other));
    progress_init(&progress, NAME);
    for (uint64_t t = 1; t <= iterations; t++) {
        double *swap = from;

        change = plate_sweep(size, size - 2, from, to, fixed);
        from = to;
        to = swap;
        progress_show(&progress, (double)t / (double)iterations, "the serial run");
    }
    progress_finish(&progress);
    if (from != plate)
        memcpy(plate, from, size * size * sizeof(*plate));
    free(other);
    free(fixed);
    return change;
}

/* PE 0: compares with the serial run, and makes the picture.  0 if all is well. */
static int report(const struct options *options, const struct part *part, double seconds)
{
    size_t size = options->size, nbytes = size * size * sizeof(double);
    double *plate = malloc(nbytes), *serial = malloc(options->check ? nbytes : 1);
    unsigned char *fixed = malloc(size * size);
    double change, serial_change;
    int status = 0, equal = 1;

    if (!plate || !serial || !fixed)
        fail(NAME, "no memory for the whole plate");
    plate_fill(size, 0, size, plate, fixed);
    change = gather(part, part->points[options->iterations % 2], plate);
    printf("heat: %d PEs, %.2f s, residual %.3e\n", part->n_pes, seconds, change);
    if (options->check) {
        serial_change = run_serial(size, options->iterations, serial);
        equal = memcmp(plate, serial, nbytes) == 0 && change == serial_change;
    }
    printf("heat: %zux%zu, %llu iterations: %s\n", size, size,
           (unsigned long long)options->iterations,
           !options->check ? "not checked"
           : equal         ? "equal to the serial run"
                           : "NOT equal to the serial run");
    if (options->picture)
        status = picture_write(options->picture, size, plate, PLATE_HOTTEST);
    free(fixed);
    free(serial);
    free(plate);
    return equal ? status : -1;
}

static const char usage[] =
    "usage: heat [OPTION...]\n"
    "Heat spreads over a plate whose rows are spread over the PEs.\n"
    "  -n SIZE         points of a side, 3 to 32768 [512]\n"
    "  -i ITERATIONS   [1000]\n"
    "  -o FILE.png     write a picture of the plate\n"
    "  --no-check      do not compare with a serial run\n";

static int parse(int argc, char **argv, struct options *ret_options)
{
    static const struct option names[] = { { "no-check", no_argument, NULL, 'c' },
                                           { "help", no_argument, NULL, 'h' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    *ret_options = (struct options){ 512, 1000, NULL, 1 };
    while ((option = getopt_long(argc, argv, "n:i:o:h", names, NULL)) != -1) {
        switch (option) {
        case 'n':
            ret_options->size = strtoull(optarg, NULL, 10);
            break;
        case 'i':
            ret_options->iterations = strtoull(optarg, NULL, 10);
            break;
        case 'o':
            ret_options->picture = optarg;
            break;
        case 'c':
            ret_options->check = 0;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        default:
            return -1;
        }
    }
    return optind == argc && ret_options->size >= 3 && ret_options->size <= 32768 ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct options options;
    struct part part;
    double started;
    int status = 0;

    if (parse(argc, argv, &options) < 0) {
        fputs(usage, stderr);
        return 2;
    }
    nvshmem_init();
    part_init(&part, options.size);
    started = progress_seconds();
    iterate(&part, options.iterations);
    if (part.me == 0)
        status = report(&options, &part, progress_seconds() - started);
    part_finish(&part);
    nvshmem_finalize();
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
