/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tests of what a program sets up: launches, modules, registered and symmetric memory, teams,
 * regions, the library itself and its jobs.  For their form see conform.h.
 */
#ifndef TESTS_CONFORMANCE_CONFORM_SETUP_H
#define TESTS_CONFORMANCE_CONFORM_SETUP_H

#include "tests/conformance/conform.h"

/* A kernel of two blocks of three threads, which add numbers of 15 in all. */
#define TEST_COLLECTIVE_LAUNCH_ATTR(F, TYPE, CALLER, API, VALUES) \
    void *arg = c, *args[] = {&arg}; \
    nvshmemx_collective_launch_attr_t attr = { \
        {{2, 1, 1}, {3, 1, 1}, 0, c->stream, NULL, 0}}; \
    conform_begin(c, sizeof(uint64_t), conform_first); \
    PE_EQUAL(F(&attr, conform_kernel(), args), 0); \
    conform_end(c, sizeof(uint64_t), conform_first + 15); \
    PE_EQUAL(F(NULL, conform_kernel(), args), NVSHMEMX_ERROR_INVALID_VALUE); \
    attr = (nvshmemx_collective_launch_attr_t){{{2, 1, 1}, {3, 0, 1}, 0, 0, NULL, 0}}; \
    PE_EQUAL(F(&attr, conform_kernel(), args), NVSHMEMX_ERROR_INVALID_VALUE)
const void *conform_kernel(void);
#define TEST_COLLECTIVE_LAUNCH(F, TYPE, CALLER, API, VALUES) \
    void *arg = c, *args[] = {&arg}; \
    dim3 blocks = {2, 1, 1}, threads = {3, 1, 1}; \
    conform_begin(c, sizeof(uint64_t), conform_first); \
    PE_EQUAL(F(conform_kernel(), blocks, threads, args, 0, c->stream), 0); \
    conform_end(c, sizeof(uint64_t), conform_first + 15); \
    threads.y = 0; \
    PE_EQUAL(F(conform_kernel(), blocks, threads, args, 0, 0), NVSHMEMX_ERROR_INVALID_VALUE)
#define TEST_COLLECTIVE_LAUNCH_QUERY_GRIDSIZE(F, TYPE, CALLER, API, VALUES) \
    void *arg = c, *args[] = {&arg}; \
    dim3 threads = {3, 1, 1}; \
    int blocks = 0; \
    PE_EQUAL(F(conform_kernel(), threads, args, 0, &blocks), 0); \
    PE_TRUE(blocks >= 1)
/* Without a GPU there is nothing to do with a module. */
#define TEST_MODULE(F, TYPE) PE_EQUAL(F((TYPE)(void *)c), 0)
#define TEST_CUMODULE_INIT(F, TYPE, CALLER, API, VALUES) TEST_MODULE(F, CUmodule)
#define TEST_CUMODULE_FINALIZE(F, TYPE, CALLER, API, VALUES) TEST_MODULE(F, CUmodule)
#define TEST_CULIBRARY_INIT(F, TYPE, CALLER, API, VALUES) TEST_MODULE(F, CUlibrary)
#define TEST_CULIBRARY_FINALIZE(F, TYPE, CALLER, API, VALUES) TEST_MODULE(F, CUlibrary)
#define TEST_BUFFER_REGISTER_SYMMETRIC(F, TYPE, CALLER, API, VALUES) \
    PE_TRUE(F(c->memory, sizeof(*c->memory), 0) == c->memory)
#define TEST_BUFFER_UNREGISTER_SYMMETRIC(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(c->memory, sizeof(*c->memory)), 0)
/* Registered or not, memory may be the source of a put. */
#define TEST_BUFFER_REGISTER(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(c->source, ROOM), 0); \
    conform_order(c, NULL, nvshmem_quiet)
#define TEST_BUFFER_UNREGISTER(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(c->source), 0); \
    conform_order(c, NULL, nvshmem_quiet)
#define TEST_BUFFER_UNREGISTER_ALL(F, TYPE, CALLER, API, VALUES) \
    F(); \
    conform_order(c, NULL, nvshmem_quiet)

/* Symmetric memory: other PEs write to it. */
#define TEST_MALLOC(F, TYPE, CALLER, API, VALUES) conform_block(c, F(1000), 1000, 8)
#define TEST_CALLOC(F, TYPE, CALLER, API, VALUES) \
    unsigned char *block = F(10, 100); \
    PE_ALL(block, 1000, 0); \
    conform_block(c, block, 1000, 8)
#define TEST_ALIGN(F, TYPE, CALLER, API, VALUES) conform_block(c, F(512, 1000), 1000, 512)
/* What was freed is given again. */
#define TEST_FREE(F, TYPE, CALLER, API, VALUES) \
    void *block = nvshmem_malloc(1000); \
    F(block); \
    F(NULL); \
    PE_TRUE(nvshmem_malloc(1000) == block); \
    conform_block(c, block, 1000, 8)
/* All PEs: write to the block of the next PE, look, free it. */
void conform_block(struct conform *c, unsigned char *block, size_t nbytes, size_t alignment);
#define TEST_PTR(F, TYPE, CALLER, API, VALUES) \
    conform_offer(c); \
    if (is_leader(c)) { \
        const unsigned char *there = (const unsigned char *)F(c->memory->variable, c->from); \
        PE_EQUAL(there != NULL, pe_all_mapped(c->memory)); \
        memcpy(c->got, there == NULL ? c->memory->variable : there, ROOM); \
        PE_TRUE(F(c, c->from) == NULL && F(c->memory, pe_n) == NULL); \
    } \
    if (pe_all_mapped(c->memory)) conform_got(c, ROOM); \
    conform_barrier(c)
#define TEST_MC_PTR(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) PE_TRUE(F(NVSHMEM_TEAM_WORLD, c->memory) == NULL)

/* Teams: all PEs, and those of this PE's node. */
#define TEST_TEAM_MY_PE(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) { \
        PE_EQUAL(F(NVSHMEM_TEAM_WORLD), pe_me); \
        PE_TRUE(F(NVSHMEMX_TEAM_NODE) >= 0 && F(NVSHMEMX_TEAM_NODE) <= pe_me); \
        PE_EQUAL(F(NVSHMEM_TEAM_INVALID), -1); \
        PE_EQUAL(F(NVSHMEM_TEAM_MC_SHARED), -1); \
    }
#define TEST_TEAM_N_PES(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) { \
        PE_EQUAL(F(NVSHMEM_TEAM_WORLD), pe_n); \
        PE_EQUAL(F(NVSHMEMX_TEAM_NODE) * F(NVSHMEMX_TEAM_SAME_MYPE_NODE), pe_n); \
        PE_EQUAL(F(NVSHMEM_TEAM_INVALID), -1); \
        PE_EQUAL(F(NVSHMEM_TEAM_MC_SHARED), -1); \
    }
#define TEST_TEAM_TRANSLATE_PE(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) { \
        int there = nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE); \
        PE_EQUAL(F(NVSHMEMX_TEAM_NODE, there, NVSHMEM_TEAM_WORLD), pe_me); \
        PE_EQUAL(F(NVSHMEM_TEAM_WORLD, pe_me, NVSHMEMX_TEAM_NODE), there); \
        PE_EQUAL(F(NVSHMEM_TEAM_WORLD, pe_n, NVSHMEMX_TEAM_NODE), -1); \
    }
#define TEST_TEAM_SPLIT_STRIDED(F, TYPE, CALLER, API, VALUES) \
    nvshmem_team_t team = NVSHMEM_TEAM_INVALID; \
    PE_EQUAL(F(NVSHMEM_TEAM_WORLD, pe_n - 1, -1, pe_n, NULL, 0, &team), 0); \
    conform_team(team, pe_n - 1 - pe_me, pe_n)
#define TEST_TEAM_SPLIT_2D(F, TYPE, CALLER, API, VALUES) \
    nvshmem_team_t row = NVSHMEM_TEAM_INVALID, column = NVSHMEM_TEAM_INVALID; \
    PE_EQUAL(F(NVSHMEM_TEAM_WORLD, 1, NULL, 0, &row, NULL, 0, &column), 0); \
    conform_team(row, 0, 1); \
    conform_team(column, pe_me, pe_n)
#define TEST_TEAM_DESTROY(F, TYPE, CALLER, API, VALUES) \
    nvshmem_team_t team; \
    PE_EQUAL(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, pe_n, NULL, 0, &team), 0); \
    PE_EQUAL(nvshmem_team_n_pes(team), pe_n); \
    F(team); \
    PE_EQUAL(nvshmem_team_n_pes(team), -1)
#define TEST_TEAM_GET_CONFIG(F, TYPE, CALLER, API, VALUES) \
    nvshmem_team_config_t config = NVSHMEM_TEAM_CONFIG_INITIALIZER; \
    config.num_contexts = 7; \
    F(NVSHMEM_TEAM_WORLD, &config); \
    PE_EQUAL(config.num_contexts, 0)
#define TEST_TEAM_INIT(F, TYPE, CALLER, API, VALUES) \
    conform_team_by_id(c, nvshmemx_team_get_uniqueid, F)
#define TEST_TEAM_GET_UNIQUEID(F, TYPE, CALLER, API, VALUES) \
    conform_team_by_id(c, F, nvshmemx_team_init)
/* A team in which this PE has this number of so many; destroys it. */
void conform_team(nvshmem_team_t team, int me, int n);
void conform_team_by_id(struct conform *c, int (*get)(nvshmemx_team_uniqueid_t *id),
                        int (*init)(nvshmem_team_t *, nvshmem_team_config_t *, long, int, int));

/* Regions: what is put in one comes, and its hints are those that exist. */
#define TEST_REGION_START(F, TYPE, CALLER, API, VALUES) \
    nvshmemx_region_attrs_t attrs = NVSHMEMX_REGION_ATTRS_INITIALIZER; \
    nvshmemx_region_handle_t region = 0; \
    if (calls(c, #CALLER)) { \
        attrs.hints = NVSHMEMX_REGION_HINT_BATCH_RMA; \
        PE_EQUAL(F(&region, &attrs), 0); \
        PE_EQUAL(F(NULL, &attrs), NVSHMEMX_ERROR_INVALID_VALUE); \
        attrs.hints = 4; \
        PE_EQUAL(F(&region, &attrs), NVSHMEMX_ERROR_INVALID_VALUE); \
        PE_TRUE(region != 0); \
    } \
    conform_order(c, NULL, nvshmem_quiet)
#define TEST_REGION_STOP(F, TYPE, CALLER, API, VALUES) \
    if (calls(c, #CALLER)) { \
        nvshmemx_region_handle_t region = 0; \
        PE_EQUAL(nvshmemx_region_start(&region, NULL), 0); \
        PE_EQUAL(F(region), 0); \
        PE_EQUAL(F(0), NVSHMEMX_ERROR_INVALID_VALUE); \
    }
#define TEST_REGION_IS_ACTIVE(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) { \
        int active = 7; \
        PE_EQUAL(F(NVSHMEMX_REGION_HINT_BATCH_RMA, &active), 0); \
        PE_EQUAL(active, 0); \
        PE_EQUAL(F(NVSHMEMX_REGION_HINT_NONE, NULL), NVSHMEMX_ERROR_INVALID_VALUE); \
        PE_EQUAL(F(4, &active), NVSHMEMX_ERROR_INVALID_VALUE); \
    }

/* Memory that is lent: what a block puts from behind it comes, and nobody has changed it. */
#define TEST_ASK_SMEM(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) { \
        PE_EQUAL(F(NVSHMEMX_SMEM_RECOMMENDED), 65536); \
        PE_EQUAL(F(NVSHMEMX_SMEM_MINIMUM), 32768); \
        PE_EQUAL(F(NVSHMEMX_SMEM_BARRIERS_ONLY), 1136); \
    }
#define TEST_GIVE_SMEM(F, TYPE, CALLER, API, VALUES) \
    F(c->source, ROOM); \
    conform_order(c, NULL, nvshmem_quiet); \
    nvshmemx_release_smem()
#define TEST_RELEASE_SMEM(F, TYPE, CALLER, API, VALUES) \
    nvshmemx_give_smem(NULL, 0); \
    F(); \
    conform_order(c, NULL, nvshmem_quiet)

/* Set-up: of several users of the library each ends it once. */
#define TEST_MY_PE(F, TYPE, CALLER, API, VALUES) PE_EQUAL(F(), pe_me)
#define TEST_N_PES(F, TYPE, CALLER, API, VALUES) PE_EQUAL(F(), pe_n)
#define TEST_INIT(F, TYPE, CALLER, API, VALUES) \
    F(); \
    conform_still_started(nvshmem_finalize)
#define TEST_INIT_THREAD(F, TYPE, CALLER, API, VALUES) \
    int provided = -1; \
    PE_EQUAL(F(NVSHMEM_THREAD_SINGLE, &provided), 0); \
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE); \
    conform_still_started(nvshmem_finalize)
#define TEST_INIT_ATTR(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(0, NULL), 0); \
    conform_still_started(nvshmem_finalize)
#define TEST_HOSTLIB_INIT_ATTR(F, TYPE, CALLER, API, VALUES) \
    TEST_INIT_ATTR(F, TYPE, CALLER, API, VALUES)
#define TEST_NVSHMEMID_HOSTLIB_INIT_ATTR(F, TYPE, CALLER, API, VALUES) \
    const nvshmemi_version_t version = {3, 8, 0}; \
    int provided = -1; \
    PE_EQUAL(F(NVSHMEM_THREAD_SINGLE, &provided, 0, NULL, version, NULL), 0); \
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE); \
    conform_still_started(nvshmem_finalize)
#define TEST_FINALIZE(F, TYPE, CALLER, API, VALUES) \
    nvshmem_init(); \
    conform_still_started(F)
#define TEST_HOSTLIB_FINALIZE(F, TYPE, CALLER, API, VALUES) \
    TEST_FINALIZE(F, TYPE, CALLER, API, VALUES)
#define TEST_NVSHMEMID_HOSTLIB_FINALIZE(F, TYPE, CALLER, API, VALUES) \
    nvshmem_init(); \
    F(NULL, NULL); \
    PE_EQUAL(nvshmem_n_pes(), pe_n)
/* Ends one use; a user is left. */
void conform_still_started(void (*finalize)(void));
#define TEST_INIT_STATUS(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(), NVSHMEM_STATUS_IS_INITIALIZED)
#define TEST_NVSHMEMID_INIT_STATUS(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(F(), NVSHMEM_STATUS_IS_INITIALIZED)
#define TEST_QUERY_THREAD(F, TYPE, CALLER, API, VALUES) \
    int provided = -1; \
    F(&provided); \
    PE_EQUAL(provided, NVSHMEM_THREAD_MULTIPLE)
#define TEST_STATUS_STRING(F, TYPE, CALLER, API, VALUES) \
    PE_EQUAL(strcmp(F(0), "NVSHMEMX_SUCCESS"), 0); \
    PE_EQUAL(strcmp(F(7), "NVSHMEMX_ERROR_INTERNAL"), 0)
#define TEST_INFO_GET_VERSION(F, TYPE, CALLER, API, VALUES) \
    int major = -1, minor = -1; \
    F(&major, &minor); \
    PE_TRUE(major == NVSHMEM_MAJOR_VERSION && minor == NVSHMEM_MINOR_VERSION)
#define TEST_INFO_GET_NAME(F, TYPE, CALLER, API, VALUES) \
    char name[NVSHMEM_MAX_NAME_LEN]; \
    F(name); \
    PE_EQUAL(strcmp(name, NVSHMEM_VENDOR_STRING), 0)
#define TEST_VENDOR_GET_VERSION_INFO(F, TYPE, CALLER, API, VALUES) \
    int major = -1, minor = -1, patch = -1; \
    F(&major, &minor, &patch); \
    PE_TRUE(major == 3 && minor == 8 && patch == 0)
#define TEST_SET_ATTR_UNIQUEID_ARGS(F, TYPE, CALLER, API, VALUES) \
    const nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER; \
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER; \
    PE_EQUAL(F(2, 3, &id, &attr), 0); \
    PE_TRUE(attr.args.uid_args.id == &id); \
    PE_TRUE(attr.args.uid_args.myrank == 2 && attr.args.uid_args.nranks == 3)
#define TEST_SET_ATTR_MPI_COMM_ARGS(F, TYPE, CALLER, API, VALUES) \
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER; \
    PE_EQUAL(F(c, &attr), 0); \
    PE_TRUE(attr.mpi_comm == c)
/* Jobs of one PE, which a unique id starts, and which end with this status. */
#define TEST_GET_UNIQUEID(F, TYPE, CALLER, API, VALUES) PE_EQUAL(conform_child("uniqueid"), 5)
#define TEST_GLOBAL_EXIT(F, TYPE, CALLER, API, VALUES) \
    if (is_leader(c)) PE_EQUAL(conform_child(c->in_kernel ? "kernel" : "host"), 7)
/* Start this program with an argument, alone; its exit status. */
int conform_child(const char *how);
/* That program; its kernel ends the job with the status that its argument points to. */
int conform_be_child(const char *how, const void *exit_kernel);

#define TEST_BUFFER_REGISTER_SYMMETRIC_AT_PREFERRED_ADDRESS(F, TYPE, CALLER, API, VALUES) \
    PE_TRUE(F(c->memory, sizeof(*c->memory), c->source, 0) == c->memory)

#endif
