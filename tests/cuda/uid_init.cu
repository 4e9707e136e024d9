/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that no launcher has started: the first one makes an id and hands it
 * to the others, here through pipes.
 *
 *     uid_init [PES]
 */
#include "numbers.h"

#include <string.h>
#include <sys/wait.h>

#define MAX_PES 64

static int run(int rank, int n_ranks, const nvshmemx_uniqueid_t *id)
{
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    int status;

    if (nvshmemx_set_attr_uniqueid_args(rank, n_ranks, id, &attributes) != 0 ||
        nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0)
        return EXIT_FAILURE;
    status = nvshmem_my_pe() == rank && nvshmem_n_pes() == n_ranks ? add_numbers("uid_init")
                                                                   : EXIT_FAILURE;
    nvshmem_finalize();
    return status;
}

/* Another rank: its id comes through the pipe. */
static int run_child(int rank, int n_ranks, int from)
{
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;

    start_or_skip("uid_init");
    if (read(from, &id, sizeof(id)) != (ssize_t)sizeof(id))
        return EXIT_FAILURE;
    return run(rank, n_ranks, &id);
}

int main(int argc, char **argv)
{
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    int n_ranks = argc > 1 ? atoi(argv[1]) : 2;
    int to_rank[MAX_PES], status;

    if (argc > 2 || n_ranks < 1 || n_ranks > MAX_PES)
        return 2;
    /* Before CUDA is used: it does not survive a fork. */
    for (int rank = 1; rank < n_ranks; rank++) {
        int ends[2];

        if (pipe(ends) != 0)
            return EXIT_FAILURE;
        if (fork() == 0) {
            close(ends[1]);
            _exit(run_child(rank, n_ranks, ends[0]));
        }
        close(ends[0]);
        to_rank[rank] = ends[1];
    }
    start_or_skip("uid_init");
    if (nvshmemx_get_uniqueid(&id) != 0)
        return EXIT_FAILURE;
    for (int rank = 1; rank < n_ranks; rank++) {
        if (write(to_rank[rank], &id, sizeof(id)) != (ssize_t)sizeof(id))
            return EXIT_FAILURE;
    }
    status = run(0, n_ranks, &id);
    for (int child = 0; wait(&child) > 0;)
        status = child == 0 ? status : EXIT_FAILURE;
    return status;
}
