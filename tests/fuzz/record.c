/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of other PEs, as bytes of any content and length: a record that is
 * taken is whole, and nothing outside of it is read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bootstrap/bootstrap.h"
#include "lib/base/env.h"
#include "lib/base/cause.h"
#include "lib/base/error.h"
#include "lib/start/job.h"
#include "lib/bootstrap/record.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "record";
const char *const fuzz_wanted[] = {"job", "lookup", "get", "a truncated record",
                                   "does not run anyshmem", "another version of anyshmem",
                                   "but NVSHMEM_SYMMETRIC_SIZE=", "but ANYSHMEM_DISABLE_DIRECT=",
                                   "but ANYSHMEM_REMOTE=", "but ANYSHMEM_BARRIER=",
                                   "other static variables", "runs without a proxy",
                                   "no memory key", NULL};
const unsigned long fuzz_executions = 120000;

#define HEAP (UINT64_C(1) << 20)
#define RECORD_MAX 1024u

/* What this PE published itself, and what the other one did. */
static unsigned char own[RECORD_MAX], other[RECORD_MAX];
static size_t own_nbytes, other_nbytes;

static int publish(const void *record, size_t nbytes)
{
    if (nbytes > RECORD_MAX) fuzz_finding("a record of %zu bytes", nbytes);
    memcpy(own, record, nbytes);
    own_nbytes = nbytes;
    return 0;
}

/* PE 0 is this one, in a job of two. */
static bool in_a_job;

static int get(uint32_t pe, void **ret_record, size_t *ret_nbytes)
{
    bool mine = in_a_job && pe == 0;
    size_t nbytes = mine ? own_nbytes : other_nbytes;
    *ret_record = malloc(nbytes > 0 ? nbytes : 1);
    if (*ret_record == NULL) return ASH_ERROR_NO_MEMORY;
    memcpy(*ret_record, mine ? own : other, nbytes);
    *ret_nbytes = nbytes;
    return 0;
}

static void start(void)
{
    static const struct ash_bootstrap_backend backend = {
        .name = "fuzz", .publish = publish, .get = get};
    const struct ash_memory memory = {.file = {.fd = 5, .size = HEAP},
                                      .base = (unsigned char *)HEAP};
    const struct ash_fd_passing passing = {{1, 2}, {3, 4}};
    uint32_t local[1] = {0};
    const struct ash_bootstrap alone = {.pe = 0, .n_pes = 1, .local_pes = local, .n_local = 1};
    struct ash_record *first = (void *)own;
    if (own_nbytes > 0) return;
    ash_bootstrap_choose(&backend, NULL);
    if (ash_record_publish(&alone, &memory, &passing, NULL) != 0) fuzz_finding("not published");
    if ((first->random[0] | first->random[1]) == 0) fuzz_finding("the job has no key");
}

/* A right record with an address and a key, some bytes of which are others. */
static void make_record(struct fuzz_input *in)
{
    struct ash_record record;
    size_t at;
    memcpy(&record, own, sizeof(record));
    record.address_length = (uint32_t)fuzz_take(in, 1);
    record.rkey_length = (uint32_t)fuzz_take(in, 1);
    other_nbytes = sizeof(record) + record.address_length + record.rkey_length;
    memset(other, 0xaa, sizeof(other));
    if (fuzz_take(in, 1) == 255) memset(record.host, 'x', sizeof(record.host));
    memcpy(other, &record, sizeof(record));
    for (uint64_t n = fuzz_take(in, 1) % 8; n > 0 && in->left > 0; n--) {
        at = fuzz_take(in, 2) % sizeof(record);
        if (n % 4 == 0) at = offsetof(struct ash_record, address_length) + at % 8;
        other[at] = (unsigned char)fuzz_take(in, 1);
    }
    if (fuzz_take(in, 1) >= 224) other_nbytes = fuzz_take(in, 2) % RECORD_MAX;
}

/* What the library says of it, if it must be refused. */
static const char *why_refused(uint32_t pe)
{
    struct ash_record r, mine;
    unsigned __int128 end;
    if (other_nbytes < sizeof(r)) return "does not run anyshmem";
    memcpy(&r, other, sizeof(r));
    memcpy(&mine, own, sizeof(mine));
    if (r.magic != mine.magic) return "does not run anyshmem";
    if (r.protocol != mine.protocol) return "another version of anyshmem";
    end = (unsigned __int128)r.heap_base + r.heap_size;
    if (r.pe != pe || other_nbytes != (uint64_t)sizeof(r) + r.address_length + r.rkey_length ||
        r.heap_size == 0 || end > UINT64_MAX || r.first_local > r.pe || r.last_local < r.pe ||
        r.n_local == 0 || r.n_local > (uint64_t)r.last_local - r.first_local + 1 ||
        memchr(r.host, 0, sizeof(r.host)) == NULL)
        return "a truncated record";
    return NULL;
}

static const char *why_differs(const struct ash_record *r)
{
    struct ash_record mine;
    memcpy(&mine, own, sizeof(mine));
    if (r->heap_size - r->variables.nbytes != mine.heap_size - mine.variables.nbytes)
        return "but NVSHMEM_SYMMETRIC_SIZE=";
    if (r->direct != mine.direct) return "but ANYSHMEM_DISABLE_DIRECT=";
    if (r->remote != mine.remote) return "but ANYSHMEM_REMOTE=";
    if (r->barrier != mine.barrier) return "but ANYSHMEM_BARRIER=";
    if (memcmp(&r->variables, &mine.variables, sizeof(mine.variables)) != 0)
        return "other static variables";
    return NULL;
}

static void expect(const char *what, int rc, const char *message)
{
    if ((rc == 0) != (message == NULL))
        fuzz_finding("%s: %d, but: %s", what, rc, message != NULL ? message : "all is well");
    if (message != NULL && strstr(fuzz_logged, message) == NULL)
        fuzz_finding("%s: \"%s\", not \"%s\"", what, fuzz_logged, message);
    fuzz_count(message != NULL ? message : what);
    fuzz_logged[0] = '\0';
}

/* The same record as that of PE 1 in a job with this PE, on one node. */
static void check_job(struct ash_record r)
{
    static const uint32_t local[2] = {0, 1};
    const struct ash_bootstrap job = {
        .pe = 0, .n_pes = 2, .local_pes = (uint32_t *)(uintptr_t)local, .n_local = 2};
    r.pe = 1;
    if (r.last_local < 1) r.last_local = 1;
    memcpy(other, &r, sizeof(r));
    in_a_job = true;
    expect("job", ash_job_check(&job), why_differs(&r));
    in_a_job = false;
}

/* Whatever UCX will read is within what came. */
static void check_lookup(uint32_t pe, const struct ash_record *r)
{
    struct ash_peer_info info;
    struct ash_record *record;
    const char *why = r->address_length == 0 ? "runs without a proxy"
                      : r->rkey_length == 0 && ash_env.remote == ASH_REMOTE_RMA
                          ? "no memory key" : NULL;
    int rc = ash_record_get(pe, &record);
    if (rc != 0) fuzz_finding("it was good before");
    rc = ash_record_reach(record, &info);
    expect("lookup", rc, why);
    if (rc != 0) return;
    if (info.heap != r->heap_base || info.address != (char *)info.storage + sizeof(*r) ||
        info.host == NULL || strlen(info.host) >= ASH_HOST_BYTES ||
        info.rkey != (const char *)info.address + r->address_length ||
        memcmp(info.address, other + sizeof(*r), r->address_length) != 0 ||
        memcmp(info.rkey, other + sizeof(*r) + r->address_length, r->rkey_length) != 0)
        fuzz_finding("a wrong address or key");
    free(info.storage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct fuzz_input in = {data, nbytes};
    uint32_t pe = fuzz_take(&in, 1) < 240 ? 0 : 1;
    struct ash_record *record;
    const char *why;
    int rc;
    start();
    make_record(&in);
    ash_env.remote = fuzz_take(&in, 1) & 1;
    fuzz_logged[0] = '\0';
    why = why_refused(pe);
    rc = ash_record_get(pe, &record);
    expect("get", rc, why);
    if (rc != 0) return 0;
    check_lookup(pe, record);
    check_job(*record);
    free(record);
    return 0;
}
