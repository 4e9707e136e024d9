/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/conformance/conform_setup.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SECONDS 60

/* Where the data of a put lies: bytes that tell who sent them. */
static uint64_t seed_of(int pe)
{
    return (uint64_t)pe + 4711;
}

void conform_step(struct conform *c, const char *name)
{
    if (!is_leader(c)) return;
    /* A generic has a row for each type. */
    if (c->name == NULL || strcmp(c->name, name) != 0) c->functions++;
    c->name = name;
    pe_step("%s %s", c->in_kernel ? "kernel" : "host", name);
}

static void sync_group(const struct conform *c)
{
    if (c->in_kernel) __syncthreads();
}

void conform_barrier(struct conform *c)
{
    sync_group(c);
    if (is_leader(c)) {
        if (!c->in_kernel) PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
        nvshmem_quiet();
        nvshmem_barrier_all();
    }
    sync_group(c);
}

void conform_begin(struct conform *c, size_t width, uint64_t bits)
{
    struct conform_memory *m = c->memory;
    sync_group(c);
    if (is_leader(c)) {
        memset(m->before, GUARD_BYTE, GUARD);
        memset(m->variable, GUARD_BYTE, ROOM);
        memset(m->after, GUARD_BYTE, GUARD);
        m->signal = 0;
        if (width > 0)
            for (size_t i = 0; i < SET_ELEMS; i++)
                pe_store_bits(m->variable + i * width, width, bits);
        pe_fill(c->source, ROOM, seed_of(pe_me));
    }
    conform_barrier(c);
}

void conform_guards(struct conform *c, size_t nbytes)
{
    const struct conform_memory *m = c->memory;
    PE_ALL(m->before, GUARD, GUARD_BYTE);
    PE_ALL(m->variable + nbytes, ROOM - nbytes, GUARD_BYTE);
    PE_ALL(m->after, GUARD, GUARD_BYTE);
}

void conform_end(struct conform *c, size_t width, uint64_t bits)
{
    const struct conform_memory *m = c->memory;
    conform_barrier(c);
    if (is_leader(c)) {
        PE_EQUAL(pe_load_bits(m->variable, width), conform_cut(bits, width));
        for (size_t i = 1; i < SET_ELEMS; i++)
            PE_EQUAL(pe_load_bits(m->variable + i * width, width),
                     conform_cut(conform_first, width));
        conform_guards(c, SET_ELEMS * width);
    }
    conform_barrier(c);
}

uint64_t conform_number(size_t width, unsigned which)
{
    static const uint64_t half[3] = {0x3e00, 0x4080, 0x4380};
    static const float numbers[3] = {1.5f, 2.25f, 3.75f};
    double wide = (double)numbers[which];
    if (width == 2) return half[which];
    return width == 4 ? pe_load_bits(&numbers[which], 4) : pe_load_bits(&wide, 8);
}

void conform_begin_number(struct conform *c, size_t width)
{
    conform_begin(c, width, conform_first);
    if (is_leader(c)) pe_store_bits(c->memory->variable, width, conform_number(width, 0));
    conform_barrier(c);
}

void conform_fetched(struct conform *c, const void *value, size_t width, uint64_t bits)
{
    (void)c;
    PE_EQUAL(pe_load_bits(value, width), conform_cut(bits, width));
}

/* Bit 8 of a mask: each element has a value of its own. */
static uint64_t value_of(unsigned i, unsigned mask)
{
    return conform_second + (mask & 0x100 ? i : 0);
}

void conform_values(void *vector, size_t width)
{
    unsigned char *element = (unsigned char *)vector;
    for (unsigned i = 0; i < SET_ELEMS; i++)
        pe_store_bits(element + i * width, width, value_of(i, 0x100));
}

void conform_put_set(struct conform *c, size_t width, unsigned mask)
{
    unsigned char value[8];
    if (!is_leader(c)) return;
    for (unsigned i = 0; i < SET_ELEMS; i++) {
        if ((mask & 1u << i) == 0) continue;
        pe_store_bits(value, width, value_of(i, mask));
        nvshmem_putmem(c->memory->variable + i * width, value, width, c->to);
    }
}

void conform_set(struct conform *c, size_t width, unsigned mask)
{
    for (unsigned i = 0; i < SET_ELEMS; i++) {
        uint64_t want = mask & 1u << i ? value_of(i, mask) : conform_first;
        PE_EQUAL(pe_load_bits(c->memory->variable + i * width, width), conform_cut(want, width));
    }
    conform_guards(c, SET_ELEMS * width);
}

unsigned conform_found(unsigned found, size_t n, const size_t *indices, int *status)
{
    PE_NEED(n <= SET_ELEMS);
    for (size_t i = 0; i < n; i++) {
        PE_NEED(indices[i] < SET_ELEMS);
        PE_TRUE((0x14 & ~found) & 1u << indices[i]);
        found |= 1u << indices[i];
        status[indices[i]] = 1;
    }
    return found;
}

void conform_finish(struct conform *c, const char *caller)
{
    if (caller[0] == 's') PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
}

void conform_waited(struct conform *c, const char *caller, size_t width)
{
    conform_finish(c, caller);
    /* Each thread that returned sees the value. */
    if (calls(c, caller))
        PE_EQUAL(pe_load_bits(c->memory->variable, width), conform_cut(conform_second, width));
    conform_barrier(c);
}

void conform_signalled(struct conform *c, size_t nbytes, uint64_t signal)
{
    if (is_leader(c)) {
        nvshmem_signal_wait_until(&c->memory->signal, NVSHMEM_CMP_EQ, signal);
        PE_FILLED(c->memory->variable, nbytes, seed_of(c->from));
        conform_guards(c, nbytes);
    }
    conform_barrier(c);
}

void conform_offer(struct conform *c)
{
    conform_begin(c, 0, 0);
    if (is_leader(c)) {
        pe_fill(c->memory->variable, ROOM, seed_of(pe_me));
        memset(c->got, GUARD_BYTE, ROOM);
    }
    conform_barrier(c);
}

void conform_got(struct conform *c, size_t nbytes)
{
    conform_barrier(c);
    if (is_leader(c)) {
        PE_FILLED(c->got, nbytes, seed_of(c->from));
        PE_ALL(c->got + nbytes, ROOM - nbytes, GUARD_BYTE);
    }
    conform_barrier(c);
}

void conform_long_begin(struct conform *c)
{
    conform_begin(c, 0, 0);
    if (is_leader(c)) {
        memset(c->long_dest, 0, LONG_BYTES);
        pe_fill(c->long_source, LONG_BYTES, seed_of(pe_me));
    }
    conform_barrier(c);
}

void conform_long_put(struct conform *c)
{
    conform_long_begin(c);
    if (is_leader(c)) nvshmem_putmem_nbi(c->long_dest, c->long_source, LONG_BYTES, c->to);
    sync_group(c);
}

void conform_long_ordered(struct conform *c)
{
    sync_group(c);
    if (is_leader(c)) {
        nvshmem_uint64_p(&c->memory->signal, 9, c->to);
        nvshmem_signal_wait_until(&c->memory->signal, NVSHMEM_CMP_EQ, 9);
        PE_FILLED(c->long_dest, LONG_BYTES, seed_of(c->from));
    }
    conform_barrier(c);
}

void conform_flushed(struct conform *c)
{
    sync_group(c);
    if (is_leader(c)) memset(c->long_source, 0, LONG_BYTES);
    conform_barrier(c);
    if (is_leader(c)) PE_FILLED(c->long_dest, LONG_BYTES, seed_of(c->from));
    conform_barrier(c);
}

/* Two blocks of three threads: 1 + 2 + 3, and 2 + 3 + 4. */
ANYSHMEM_KERNEL(add_number)
{
    struct conform *c = (struct conform *)arg;
    nvshmem_uint64_atomic_add((uint64_t *)(void *)c->memory->variable,
                              threadIdx.x + blockIdx.x + 1, c->to);
}

const void *conform_kernel(void)
{
    return (const void *)add_number;
}

void conform_strided(struct conform *c, const unsigned char *got, size_t width, size_t dst,
                     size_t first)
{
    unsigned char sent[ROOM], want[ROOM];
    conform_barrier(c);
    if (is_leader(c)) {
        pe_fill(sent, ROOM, seed_of(c->from));
        memset(want, GUARD_BYTE, ROOM);
        for (size_t i = 0; i < 3; i++) {
            size_t number = first == 0 ? 2 * i : first - 2 * i;
            memcpy(want + i * dst * width, sent + number * width, width);
        }
        PE_EQUAL(memcmp(got, want, ROOM), 0);
        PE_ALL(c->memory->before, GUARD, GUARD_BYTE);
        PE_ALL(c->memory->after, GUARD, GUARD_BYTE);
    }
    conform_barrier(c);
}

void conform_order(struct conform *c, void (*fence)(void), void (*quiet)(void))
{
    conform_long_put(c);
    if (is_leader(c)) {
        if (fence != NULL) fence();
        if (quiet != NULL) quiet();
    }
    conform_long_ordered(c);
}

void conform_put_on_stream(struct conform *c)
{
    conform_begin(c, 0, 0);
    if (pe_me == pe_n - 1) pe_sleep_us(2000);
    nvshmemx_putmem_nbi_on_stream(c->memory->variable, c->source, 13, c->to, c->stream);
    nvshmemx_quiet_on_stream(c->stream);
}

void conform_put_has_come(struct conform *c)
{
    PE_EQUAL(anyshmemx_stream_synchronize(c->stream), 0);
    PE_FILLED(c->memory->variable, 13, seed_of(c->from));
    conform_guards(c, 13);
    conform_barrier(c);
}

void conform_exchange(struct conform *c, const char *function, enum collective_kind kind,
                      enum collective_op op)
{
    /* nvshmemx_TYPENAME_... */
    const char *type = strchr(function, '_') + 1;
    sync_group(c);
    if (is_leader(c)) {
        PE_NEED((unsigned)pe_n <= CONFORM_PES_MAX);
        c->seed++;
        c->call = (struct collective_call){
            .row = collective_row_of(type, strcspn(type, "_")),
            .kind = kind,
            .op = op,
            .root = (int)(c->seed % (unsigned)pe_n),
            .team = NVSHMEM_TEAM_WORLD,
            .dest = c->memory->exchange_dest,
            .source = c->memory->exchange_source,
            .n = SET_ELEMS};
        collective_clear(&c->call);
        collective_fill(&c->call, c->call.source, c->seed);
    }
    conform_barrier(c);
}

void conform_exchanged(struct conform *c)
{
    conform_barrier(c);
    if (is_leader(c)) collective_check(&c->call, c->seed);
    conform_barrier(c);
}

void conform_put_late(struct conform *c, bool complete)
{
    conform_begin(c, 0, 0);
    if (is_leader(c)) {
        if (pe_me == pe_n - 1) pe_sleep_us(2000);
        nvshmem_putmem_nbi(c->memory->variable, c->source, 13, c->to);
        if (complete) nvshmem_quiet();
    }
    sync_group(c);
}

void conform_block(struct conform *c, unsigned char *block, size_t nbytes, size_t alignment)
{
    unsigned char sent[1000];
    PE_NEED(block != NULL && nbytes <= sizeof(sent));
    PE_EQUAL((uintptr_t)block % alignment, 0);
    pe_fill(sent, nbytes, seed_of(pe_me));
    nvshmem_barrier_all();
    nvshmem_putmem(block, sent, nbytes, c->to);
    nvshmem_barrier_all();
    PE_FILLED(block, nbytes, seed_of(c->from));
    nvshmem_free(block);
}

void conform_team(nvshmem_team_t team, int me, int n)
{
    PE_EQUAL(nvshmem_team_my_pe(team), me);
    PE_EQUAL(nvshmem_team_n_pes(team), n);
    PE_EQUAL(nvshmem_team_sync(team), 0);
    nvshmem_team_destroy(team);
}

void conform_team_by_id(struct conform *c, int (*get)(nvshmemx_team_uniqueid_t *id),
                        int (*init)(nvshmem_team_t *, nvshmem_team_config_t *, long, int, int))
{
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER;
    nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
    nvshmemx_team_uniqueid_t id = 0;
    conform_begin(c, 0, 0);
    if (pe_me == 0) {
        PE_EQUAL(get(&id), 0);
        for (int pe = 0; pe < pe_n; pe++) nvshmem_uint64_p(&c->memory->signal, id, pe);
    }
    nvshmem_barrier_all();
    config.uniqueid = c->memory->signal;
    PE_EQUAL(init(&team, &config, NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID, pe_n, pe_n - 1 - pe_me), 0);
    conform_team(team, pe_n - 1 - pe_me, pe_n);
}

void conform_still_started(void (*finalize)(void))
{
    finalize();
    PE_EQUAL(nvshmem_n_pes(), pe_n);
    PE_EQUAL(nvshmemx_init_status(), NVSHMEM_STATUS_IS_INITIALIZED);
    nvshmem_barrier_all();
}

int conform_child(const char *how)
{
    extern char **environ;
    char *const args[] = {(char *)"conformance", (char *)how, NULL};
    int status = 0;
    pid_t pid;
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ) != 0) return -1;
    PE_NEED(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int conform_be_child(const char *how, const void *exit_kernel)
{
    nvshmemx_init_attr_t attr;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    int status = 7;
    void *arg = &status, *args[] = {&arg};
    dim3 blocks = {2, 1, 1}, threads = {40, 1, 1};
    (void)alarm(CHILD_SECONDS);
    if (nvshmemx_get_uniqueid(&id) != 0) return 1;
    if (nvshmemx_set_attr_uniqueid_args(0, 1, &id, &attr) != 0) return 2;
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) != 0) return 3;
    if (nvshmem_n_pes() != 1 || nvshmem_my_pe() != 0) return 4;
    if (strcmp(how, "host") == 0) nvshmem_global_exit(status);
    if (strcmp(how, "kernel") == 0)
        (void)nvshmemx_collective_launch(exit_kernel, blocks, threads, args, 0, 0);
    nvshmem_finalize();
    return 5;
}
