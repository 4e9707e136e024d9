/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closed NUMBERS [uid]: a PE that has no descriptors of these numbers ("02"; "-": it has all)
 * starts the library, by its launcher or by a unique id of its own, and writes to them.
 *
 * It can say nothing.  It ends with 0; 3: one of them is a file or socket of the library;
 * 4: the library does not work; 5: it does not start.
 */
#include <nvshmemx.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 100u

static const char *numbers;

static bool are_devices(void)
{
    struct stat st;
    for (int fd = 0; fd <= 2; fd++)
        if (strchr(numbers, '0' + fd) != NULL && (fstat(fd, &st) != 0 || !S_ISCHR(st.st_mode)))
            return false;
    return true;
}

static int start_by_uid(void)
{
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_uniqueid_t uid = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (nvshmemx_get_uniqueid(&uid) != 0) return 5;
    if (!are_devices()) return 3;
    if (nvshmemx_set_attr_uniqueid_args(0, 1, &uid, &attr) != 0) return 5;
    return nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) == 0 ? 0 : 5;
}

/* Words in the heap are what was put there, whatever is written to the descriptors. */
static int use(void)
{
    static const char line[] = "This line would be found in the heap, or be taken for a message.\n";
    uint64_t *word = nvshmem_calloc(1, sizeof(*word));
    int me = nvshmem_my_pe(), n = nvshmem_n_pes(), rc = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        for (int fd = 0; fd <= 2; fd++)
            if (strchr(numbers, '0' + fd) != NULL && write(fd, line, sizeof(line)) < 0) rc = 4;
        nvshmem_uint64_p(word, round, (me + 1) % n);
        nvshmem_barrier_all();
        if (*word != round) rc = 4;
        nvshmem_barrier_all();
    }
    nvshmem_free(word);
    return rc;
}

int main(int n_arguments, char **arguments)
{
    int rc = 0;
    if (n_arguments < 2) return 2;
    numbers = arguments[1];
    for (int fd = 0; fd <= 2; fd++)
        if (strchr(numbers, '0' + fd) != NULL) close(fd);
    if (n_arguments > 2)
        rc = start_by_uid();
    else
        nvshmem_init();
    if (rc == 0) rc = are_devices() ? use() : 3;
    if (rc != 5) nvshmem_finalize();
    return rc;
}
