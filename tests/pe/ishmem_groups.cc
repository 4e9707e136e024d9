// SPDX-License-Identifier: BSD-3-Clause
// Wait and test as groups that are objects: like SYCL's, with members alone, of
// threads of the host; and the groups that need no object.
#include <anyshmem_kernel.h>
#include <ishmemx.h>
#include <pthread.h>
#include <string.h>

#include "tests/support/pe.h"

static int to_pe() { return (pe_me + 1) % pe_n; }

// Groups of a kernel.  All members have copies of the object, as SYCL's have.

namespace sycl_like {
struct work_group {
    size_t get_local_linear_id() const { return threadIdx.x; }
    size_t get_local_linear_range() const { return blockDim.x; }
    bool leader() const { return threadIdx.x == 0; }
};
inline void group_barrier(const work_group &) { __syncthreads(); }
template <typename T>
T group_broadcast(const work_group &group, T value)
{
    T *place = (T *)anyshmem_shared();
    if (group.leader()) *place = value;
    __syncthreads();
    value = *place;
    __syncthreads();
    return value;
}
}  // namespace sycl_like

// With members alone, and only an id to tell the leader; a warp.
struct member_group {
    unsigned get_local_linear_id() const { return threadIdx.x % ANYSHMEM_WARP_SIZE; }
    void barrier() const { __syncwarp(); }
    int broadcast(int value) const
    {
        int *place = (int *)anyshmem_shared() + 64 + threadIdx.x / ANYSHMEM_WARP_SIZE;
        if (get_local_linear_id() == 0) *place = value;
        __syncwarp();
        value = *place;
        __syncwarp();
        return value;
    }
};

// As CUDA's cooperative groups name them.
struct cooperative_group {
    unsigned thread_rank() const { return threadIdx.x; }
    void sync() const { __syncthreads(); }
    int shfl(int value, int from) const
    {
        int *place = (int *)anyshmem_shared();
        if ((int)thread_rank() == from) *place = value;
        __syncthreads();
        value = *place;
        __syncthreads();
        return value;
    }
};

enum { BLOCKS = 2, BLOCK_THREADS = 70, ROUNDS = 30 };

struct work {
    uint64_t *blocks, *data;
    long *looked;
    unsigned char *seen;
    uint32_t *errors;
    int kind;
};

static void expect(work *w, bool holds)
{
    if (!holds) ishmem_atomic_inc(w->errors, ishmem_my_pe());
}

template <typename Group>
static void wait_as(work *w, const Group &group, bool whole_block)
{
    int n = ishmem_n_pes(), me = ishmem_my_pe(), next = (me + 1) % n;
    uint64_t *variable = &w->blocks[blockIdx.x];
    for (uint64_t round = 1; round <= 6; round++) {
        uint64_t *data = &w->data[blockIdx.x * ROUNDS + round];
        if (threadIdx.x == 0) {
            ishmem_p(data, round * 7, next);
            ishmem_fence();
            ishmem_atomic_set(variable, round, next);
        }
        // With a type in the name, and without.
        if (round % 2)
            ishmemx_uint64_wait_until_work_group(variable, ISHMEM_CMP_GE, round, group);
        else
            ishmemx_wait_until_work_group(variable, ISHMEM_CMP_GE, round, group);
        expect(w, *(volatile uint64_t *)data == round * 7);
        while (!ishmemx_uint64_test_work_group(variable, ISHMEM_CMP_GT, round - 1, group)) {
        }
        while (!ishmemx_test_work_group(variable, ISHMEM_CMP_GT, round - 1, group)) {
        }
        __syncthreads();
    }
    // The results of all members are the same, whatever happens to the variable.
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
        w->seen[i * ROUNDS + round] = (unsigned char)ishmemx_test_work_group(
            w->looked, ISHMEM_CMP_EQ, 1l, group);
        if (threadIdx.x == (whole_block ? 1u : 33u))
            ishmem_atomic_set(w->looked, (long)(round & 1), me);
    }
}

ANYSHMEM_KERNEL(kernel_groups)
{
    work *w = (work *)arg;
    switch (w->kind) {
    case 0: wait_as(w, sycl_like::work_group(), true); break;
    case 1: wait_as(w, member_group(), false); break;
    case 2: wait_as(w, cooperative_group(), true); break;
    case 3: wait_as(w, ISHMEMX_GROUP_WORK_GROUP, true); break;
    default: wait_as(w, ISHMEMX_GROUP_SUB_GROUP, false); break;
    }
}

static void launch(work *w)
{
    void *argument = w;
    void *arguments[] = {&argument};
    const void *function;
    void (*kernel)(void *) = kernel_groups;
    dim3 grid = {BLOCKS, 1, 1}, block = {BLOCK_THREADS, 1, 1};
    pe_step("groups of kind %d", w->kind);
    memset(w->blocks, 0, 8 * BLOCKS);
    memset(w->data, 0, 8 * BLOCKS * ROUNDS);
    memset(w->seen, 0xee, (size_t)BLOCKS * BLOCK_THREADS * ROUNDS);
    ishmem_barrier_all();
    memcpy(&function, &kernel, sizeof(function));
    PE_NEED(nvshmemx_collective_launch(function, grid, block, arguments, 1024, 0) == 0);
    ishmem_barrier_all();
    PE_EQUAL(*w->errors, 0);
    for (unsigned i = 0; i < BLOCKS * BLOCK_THREADS; i++) {
        bool of_warp = w->kind == 1 || w->kind > 3;
        unsigned in_block = i % BLOCK_THREADS;
        unsigned leader = i - (of_warp ? in_block % ANYSHMEM_WARP_SIZE : in_block);
        PE_TRUE(memcmp(w->seen + i * ROUNDS, w->seen + leader * ROUNDS, ROUNDS) == 0);
        PE_TRUE(w->seen[i * ROUNDS] <= 1);
    }
}

// A group of threads of the host, with a barrier of POSIX.

struct host_group {
    pthread_barrier_t *joint;
    unsigned id;
    int *place;
    bool leader() const { return id == 0; }
    void barrier() const { pthread_barrier_wait(joint); }
    int broadcast(int value) const
    {
        if (leader()) *place = value;
        barrier();
        value = *place;
        barrier();
        return value;
    }
};

struct host_member {
    host_group group;
    uint64_t *variable;
    const uint64_t *data;
    bool right;
};

static void *host_thread(void *argument)
{
    host_member *m = (host_member *)argument;
    m->right = ishmemx_test_work_group(m->variable, ISHMEM_CMP_NE, UINT64_C(0), m->group) <= 1;
    ishmemx_wait_until_work_group(m->variable, ISHMEM_CMP_EQ, UINT64_C(5), m->group);
    m->right = m->right && *m->data == 55;
    m->right = m->right && ishmemx_uint64_test_work_group(m->variable, ISHMEM_CMP_EQ, 5, m->group);
    return nullptr;
}

static void threads_of_host(uint64_t *variable, uint64_t *data)
{
    enum { N = 3 };
    pthread_barrier_t joint;
    pthread_t threads[N];
    host_member members[N];
    int place = 0;
    pe_step("a group of host threads");
    *variable = *data = 0;
    pthread_barrier_init(&joint, nullptr, N);
    ishmem_barrier_all();
    for (unsigned i = 0; i < N; i++) {
        members[i].group.joint = &joint;
        members[i].group.id = i;
        members[i].group.place = &place;
        members[i].variable = variable;
        members[i].data = data;
        PE_NEED(pthread_create(&threads[i], nullptr, host_thread, &members[i]) == 0);
    }
    pe_sleep_us(1000);
    ishmem_p(data, UINT64_C(55), to_pe());
    ishmem_fence();
    ishmem_atomic_set(variable, UINT64_C(5), to_pe());
    for (unsigned i = 0; i < N; i++) {
        pthread_join(threads[i], nullptr);
        PE_TRUE(members[i].right);
    }
    pthread_barrier_destroy(&joint);
    ishmem_barrier_all();
}

int main()
{
    work w;
    pe_watch("ishmem_groups");
    ishmemx_attr_t attr;
    PE_TRUE(attr.runtime == ISHMEMX_RUNTIME_MPI && attr.initialize_runtime && attr.gpu);
    ishmemx_init_attr(&attr);
    pe_started();
    w.blocks = (uint64_t *)pe_alloc(8 * BLOCKS);
    w.data = (uint64_t *)pe_alloc(8 * BLOCKS * ROUNDS);
    w.looked = (long *)pe_alloc(8);
    w.seen = (unsigned char *)pe_alloc((size_t)BLOCKS * BLOCK_THREADS * ROUNDS);
    w.errors = (uint32_t *)pe_alloc(64);
    for (w.kind = 0; w.kind < 5; w.kind++) launch(&w);
    threads_of_host(w.blocks, w.data);
    ishmem_finalize();
    return pe_verdict();
}
