/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat: how heat spreads over a plate.
 *
 * The plate is a square of n x n points, whose edge and some spots (scene in
 * heat_plate.c) stay as they are.  In each iteration every other point becomes
 * the mean of its four neighbours (Jacobi).  The rows are spread over the PEs;
 * a kernel computes them (on the CPU the host device runs it).  One of its threads
 * sends the first and the last row to the PEs above and below, each with one
 * put-with-signal, and waits for theirs: there is no barrier between PEs.
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
#include "heat_part.h"
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

/* PE 0: the same by itself.  The largest change in the last iteration. */
static double run_serial(size_t size, uint64_t iterations, double *plate)
{
    double *other = (double *)malloc(size * size * sizeof(*other));
    unsigned char *fixed = (unsigned char *)malloc(size * size);
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
    double *plate = (double *)malloc(nbytes);
    double *serial = (double *)malloc(options->check ? nbytes : 1);
    unsigned char *fixed = (unsigned char *)malloc(size * size);
    double change, serial_change;
    int status = 0, equal = 1;

    if (!plate || !serial || !fixed)
        fail(NAME, "no memory for the whole plate");
    plate_fill(size, 0, size, plate, fixed);
    change = part_gather(part, part->points[options->iterations % 2], plate);
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
    struct part *part;
    double started;
    int status = 0;

    if (parse(argc, argv, &options) < 0) {
        fputs(usage, stderr);
        return 2;
    }
    nvshmem_init();
    part = part_create(options.size);
    started = progress_seconds();
    part_iterate(part, options.iterations);
    if (part->me == 0)
        status = report(&options, part, progress_seconds() - started);
    part_destroy(part);
    nvshmem_finalize();
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
