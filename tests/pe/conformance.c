/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that the documents and NVSHMEM's headers name, executed for its result: by a
 * host thread, and by the threads of a kernel on the host device.
 *
 * PE 0 prints how many functions of each family were executed where; a function
 * that was not is a failure.
 */
#include "tests/conformance/conform_setup.h"

#include <stdio.h>

/* A warp and some more. */
#define KERNEL_THREADS 40u

#define ROW(NUMBER, FAMILY, NAME, TEST, TYPE, CALLER, API, VALUES) \
    static void run_##NUMBER(struct conform *c) \
    { \
        (void)c; \
        TEST_##TEST(NAME, TYPE, CALLER, API, VALUES); \
    }
#include "tests/conformance/rows.h"
#undef ROW

static const struct row {
    const char *family, *name, *caller, *api;
    void (*run)(struct conform *c);
} rows[] = {
#define ROW(NUMBER, FAMILY, NAME, TEST, TYPE, CALLER, API, VALUES) \
    {#FAMILY, #NAME, #CALLER, #API, run_##NUMBER},
#include "tests/conformance/rows.h"
#undef ROW
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool ran_on_host[ROWS], ran_in_kernel[ROWS];

/* Streams belong to hosts, and so do what launches kernels, and OpenSHMEM. */
static bool runs_in_kernel(const struct row *row)
{
    return row->caller[0] != 's' && row->caller[0] != 'h' && row->api[0] != 's';
}

static void run_rows(struct conform *c)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (c->in_kernel && !runs_in_kernel(&rows[i])) continue;
        conform_step(c, rows[i].name);
        rows[i].run(c);
        if (is_leader(c)) (c->in_kernel ? ran_in_kernel : ran_on_host)[i] = true;
    }
}

ANYSHMEM_KERNEL(exit_in_kernel)
{
    if (threadIdx.x == 5) nvshmem_global_exit(*(const int *)arg);
    __syncthreads();
}

ANYSHMEM_KERNEL(kernel_rows)
{
    run_rows((struct conform *)arg);
}

/* Rows of one name stand together: a generic has one for each type. */
static bool is_first(size_t i)
{
    return i == 0 || strcmp(rows[i].name, rows[i - 1].name) != 0;
}

struct count {
    unsigned functions, host, kernel, stream;
};

static void count_row(size_t i, struct count *count)
{
    count->functions++;
    if (rows[i].caller[0] == 's')
        count->stream += ran_on_host[i];
    else
        count->host += ran_on_host[i];
    count->kernel += ran_in_kernel[i];
}

static bool begins_family(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(rows[k].family, rows[i].family) == 0) return false;
    return true;
}

static void count_family(const char *name, struct count *count)
{
    *count = (struct count){0, 0, 0, 0};
    for (size_t i = 0; i < ROWS; i++)
        if (is_first(i) && (name == NULL || strcmp(rows[i].family, name) == 0)) count_row(i, count);
}

/* One line for each family, and one for all. */
static void report(void)
{
    struct count all, family;
    for (size_t i = 0; i < ROWS; i++) {
        if (!begins_family(i)) continue;
        count_family(rows[i].family, &family);
        if (pe_me == 0)
            printf("conformance: %-16s %4u functions: %4u host, %4u kernel, %4u stream\n",
                   rows[i].family, family.functions, family.host, family.kernel, family.stream);
    }
    count_family(NULL, &all);
    if (pe_me == 0)
        printf("conformance: says: %u functions executed: %u by hosts, %u in kernels, "
               "%u on streams\n", all.functions, all.host, all.kernel, all.stream);
    fflush(stdout);
    PE_EQUAL(all.functions, CONFORMANCE_FUNCTIONS);
    PE_EQUAL(all.host + all.stream, CONFORMANCE_FUNCTIONS);
    for (size_t i = 0; i < ROWS; i++)
        if (!ran_on_host[i] || ran_in_kernel[i] != runs_in_kernel(&rows[i]))
            pe_stop(rows[i].name, (int)i, "was not executed");
}

static void run_kernel(struct conform *c)
{
    void *arg = c;
    void *args[] = {&arg};
    dim3 grid = {1, 1, 1}, block = {KERNEL_THREADS, 1, 1};
    c->in_kernel = true;
    PE_EQUAL(nvshmemx_collective_launch((const void *)kernel_rows, grid, block, args, 0, 0), 0);
}

int main(int argc, char **argv)
{
    static struct conform c;
    if (argc > 1) return conform_be_child(argv[1], (const void *)exit_in_kernel);
    pe_start("conformance");
    c.memory = pe_alloc(sizeof(*c.memory));
    c.long_dest = pe_alloc(LONG_BYTES);
    c.long_source = pe_alloc(LONG_BYTES);
    c.to = (pe_me + 1) % pe_n;
    c.from = (pe_me + pe_n - 1) % pe_n;
    PE_NEED(anyshmemx_stream_create(&c.stream) == 0);
    PE_NEED(nvshmemx_qp_create(2, &c.qp) == 0);
    run_rows(&c);
    run_kernel(&c);
    PE_EQUAL(anyshmemx_stream_destroy(c.stream), 0);
    report();
    nvshmem_free(c.memory);
    return pe_finish();
}
