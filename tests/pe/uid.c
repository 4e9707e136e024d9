/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start by unique id, which a file carries from PE 0 to the others.
 *
 * As "uid" under a launcher: it says who is who, and no more is asked of it.  By
 * hand (tests/api/uid.sh): "uid MODE", with UID_RANK, UID_N and UID_FILE set.
 */
#include <nvshmemx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/pe.h"

_Static_assert(sizeof(nvshmemx_uniqueid_t) == 128, "as NVSHMEM has it");
_Static_assert(sizeof(nvshmemx_init_attr_t) == 144, "as NVSHMEM has it");
_Static_assert(NVSHMEMX_INIT_WITH_MPI_COMM == 2 && NVSHMEMX_INIT_WITH_SHMEM == 4 &&
                   NVSHMEMX_INIT_WITH_UNIQUEID == 8,
               "as NVSHMEM has it");

static int rank, n_ranks;

static int number(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    if (text == NULL && otherwise != NULL) text = getenv(otherwise);
    PE_NEED(text != NULL);
    return atoi(text);
}

static void file_name(unsigned start, char *name, size_t nbytes)
{
    const char *given = getenv("UID_FILE"), *folder = getenv("TMPDIR");
    const char *job = getenv("PMIX_NAMESPACE");
    if (given != NULL)
        snprintf(name, nbytes, "%s.%u", given, start);
    else
        snprintf(name, nbytes, "%s/anyshmem-uid.%s.%u", folder != NULL ? folder : "/tmp",
                 job != NULL ? job : "alone", start);
}

static void write_id(const char *name, const nvshmemx_uniqueid_t *id)
{
    char draft[512];
    FILE *file;
    snprintf(draft, sizeof(draft), "%s.draft", name);
    file = fopen(draft, "w");
    PE_NEED(file != NULL);
    PE_NEED(fwrite(id, sizeof(*id), 1, file) == 1);
    PE_NEED(fclose(file) == 0);
    PE_NEED(rename(draft, name) == 0);
}

/* The file comes when it comes; the watchdog sees to it that it comes. */
static void read_id(const char *name, nvshmemx_uniqueid_t *id)
{
    FILE *file;
    while ((file = fopen(name, "r")) == NULL) pe_sleep_us(10000);
    PE_NEED(fread(id, sizeof(*id), 1, file) == 1);
    fclose(file);
}

static int start(unsigned number_of_start)
{
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attr;
    char name[480];
    int rc;
    file_name(number_of_start, name, sizeof(name));
    if (rank == 0) {
        PE_NEED(nvshmemx_get_uniqueid(&id) == 0);
        write_id(name, &id);
    } else {
        read_id(name, &id);
    }
    /* As many programs do, with attributes that nobody initialized. */
    memset(&attr, 0x5a, sizeof(attr));
    PE_NEED(nvshmemx_set_attr_uniqueid_args(rank, n_ranks, &id, &attr) == 0);
    pe_step("start %u", number_of_start);
    rc = nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr);
    if (rank == 0) unlink(name);
    return rc;
}

/* Everybody reaches everybody. */
static void exchange(void)
{
    uint64_t *seen = pe_alloc((size_t)n_ranks * sizeof(*seen)), *sum = pe_alloc(sizeof(*sum));
    pe_step("exchange");
    PE_EQUAL(nvshmem_my_pe(), rank);
    PE_EQUAL(nvshmem_n_pes(), n_ranks);
    for (int pe = 0; pe < n_ranks; pe++) {
        nvshmem_uint64_p(&seen[rank], (uint64_t)(100 * rank + pe + 1), pe);
        nvshmem_uint64_atomic_add(sum, (uint64_t)rank + 1, pe);
    }
    nvshmem_barrier_all();
    for (int pe = 0; pe < n_ranks; pe++) PE_EQUAL(seen[pe], 100 * pe + rank + 1);
    PE_EQUAL(*sum, n_ranks * (n_ranks + 1) / 2);
    nvshmem_free(sum);
    nvshmem_free(seen);
}

static void bad_arguments(void)
{
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    pe_step("bad arguments");
    printf("uid: calls are refused\n");
    PE_EQUAL(nvshmemx_get_uniqueid(NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(0, 0, &id, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(2, 2, &id, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(-1, 2, &id, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(0, 1, NULL, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(0, 1, &id, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, NULL), NVSHMEMX_ERROR_INVALID_VALUE);
    PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    /* An id of zeros was made by nobody. */
    PE_EQUAL(nvshmemx_set_attr_uniqueid_args(0, 1, &id, &attr), 0);
    PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr), NVSHMEMX_ERROR_INVALID_VALUE);
    /* There is no MPI in this program. */
    PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, NULL), NVSHMEMX_ERROR_INTERNAL);
    PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_THREAD_PES, &attr), NVSHMEMX_ERROR_NOT_SUPPORTED);
}

/* Two jobs, one after the other; a second user of each; ids that nobody uses. */
static int whole_lives(void)
{
    nvshmemx_uniqueid_t unused;
    bad_arguments();
    for (unsigned i = 0; i < 2; i++) {
        PE_EQUAL(nvshmemx_get_uniqueid(&unused), 0);
        PE_NEED(start(i) == 0);
        pe_started();
        exchange();
        PE_EQUAL(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, NULL), 0);
        PE_EQUAL(nvshmemx_get_uniqueid(&unused), NVSHMEMX_ERROR_INVALID_VALUE);
        nvshmem_finalize();
        exchange();
        pe_step("finalize");
        nvshmem_finalize();
        PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_NOT_INITIALIZED);
    }
    return pe_verdict();
}

/*
 * The last PE goes, or that of the id; the others wait for it, and must not wait indefinitely.
 * "stay": none goes by itself.
 */
static int lose(const char *how)
{
    int who = strstr(how, "root") != NULL ? 0 : n_ranks - 1;
    PE_NEED(start(0) == 0);
    pe_started();
    nvshmem_barrier_all();
    pe_step("%s", how);
    if (strcmp(how, "stay") == 0) {
        printf("uid: PE %d stays\n", rank);
        fflush(stdout);
        for (;;) pe_sleep_us(1000000);
    }
    if (rank == who && strncmp(how, "kill", 4) == 0) raise(SIGKILL);
    if (rank == who && strncmp(how, "exit", 4) == 0) _exit(0);
    if (rank == who && strncmp(how, "global", 6) == 0) nvshmem_global_exit(5);
    nvshmem_barrier_all();
    return pe_verdict();
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    pe_watch("uid");
    rank = pe_me = number("UID_RANK", "PMIX_RANK");
    n_ranks = pe_n = number("UID_N", "TESTS_N_PES");
    if (strcmp(mode, "start") == 0) return start(0) == 0 ? 0 : 8;
    if (strcmp(mode, "node") == 0) {
        PE_NEED(start(0) == 0);
        exchange();
        PE_EQUAL(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), 1);
        nvshmem_finalize();
        return pe_verdict();
    }
    return mode[0] != '\0' ? lose(mode) : whole_lives();
}
