/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters and tables that only the GPU uses, in its own memory; and the state of this PE as
 * the GPU sees it, with pointers into that memory.
 */
#include <stdlib.h>
#include <string.h>

#include "device/observe/observe.h"
#include "device/target/target.h"
#include "lib/base/error.h"
#include "lib/cuda/gpu.h"

int ash_cuda_copy(void *to, const void *from, size_t nbytes)
{
    int rc = ash_cuda.copy_to((uintptr_t)to, from, nbytes, ash_gpu.stream);
    return rc != 0 ? rc : ash_cuda.stream_wait(ash_gpu.stream);
}

/* An address in the GPU's own memory, which the CPU must not dereference. */
static void *own_at(uint64_t offset)
{
    return (void *)(uintptr_t)(ash_gpu.own + offset);
}

static uint64_t peers_offset(void) { return sizeof(struct ash_gpu_own); }

static uint64_t teams_offset(void)
{
    return peers_offset() + (ash_gpu.n_pes * sizeof(unsigned char *) + 127) / 128 * 128;
}

/* Allocate the memory, and copy these counters and the table of mapped heaps into it. */
static int own_make(const struct ash_gpu_own *counters)
{
    size_t nbytes = teams_offset() + (size_t)ASH_TEAMS * ash_gpu.n_pes * sizeof(int32_t);
    int rc = ash_cuda.alloc(&ash_gpu.own, nbytes);
    if (rc != 0) {
        ash_gpu.own = 0;
        return ash_cuda_failed("memory of the GPU: cuMemAlloc", rc);
    }
    rc = ash_cuda_copy(own_at(0), counters, sizeof(*counters));
    if (rc == 0)
        rc = ash_cuda_copy(own_at(peers_offset()), ash_gpu.peer,
                           ash_gpu.n_pes * sizeof(unsigned char *));
    return rc == 0 ? 0 : ash_cuda_failed("memory of the GPU: cuMemcpyHtoDAsync", rc);
}

int ash_cuda_own_make(void)
{
    struct ash_gpu_own *counters = aligned_alloc(128, sizeof(*counters));
    int rc;
    if (counters == NULL) return ASH_ERROR_NO_MEMORY;
    memset(counters, 0, sizeof(*counters));
    counters->channel = ash_gpu.channel;
    rc = own_make(counters);
    free(counters);
    return rc;
}

int ash_cuda_own_move(void *old_context, void *old_stream)
{
    struct ash_gpu_own *counters = aligned_alloc(128, sizeof(*counters));
    uint64_t old = ash_gpu.own;
    struct ash_cuda_visit visit;
    int rc;
    if (counters == NULL) return ASH_ERROR_NO_MEMORY;
    visit = ash_cuda_enter(old_context);
    rc = ash_cuda.copy_from(counters, old, sizeof(*counters), old_stream);
    if (rc == 0) rc = ash_cuda.stream_wait(old_stream);
    (void)ash_cuda.free(old);
    (void)ash_cuda.stream_destroy(old_stream);
    ash_cuda_leave(visit);
    rc = rc == 0 ? own_make(counters) : ash_cuda_failed("the former device's memory", rc);
    free(counters);
    return rc;
}

void ash_cuda_own_free(void)
{
    if (ash_gpu.own != 0) (void)ash_cuda.free(ash_gpu.own);
    ash_gpu.own = 0;
}

/* Copy a team's table to the GPU's own memory, and point the team to it. */
static int copy_team(struct ash_team *team, uint32_t number)
{
    void *to = own_at(teams_offset() + (uint64_t)number * ash_gpu.n_pes * sizeof(int32_t));
    int rc;
    if (team->n_pes == 0 || team->pes == NULL) return 0;
    rc = ash_cuda_copy(to, team->pes, (size_t)team->n_pes * sizeof(int32_t));
    team->pes = to;
    return rc;
}

static void fill_gpu(struct ash_gpu *gpu)
{
    gpu->native_atomics = ash_gpu.native_atomics;
    gpu->all_mapped = 1;
    for (uint32_t i = 0; i < ash_gpu.n_pes; i++)
        if (ash_gpu.peer[i] == NULL) gpu->all_mapped = 0;
    gpu->reply_mask = ASH_GPU_REPLIES - 1;
    gpu->reply_ticket = own_at(offsetof(struct ash_gpu_own, reply_ticket));
    gpu->reply_released = own_at(offsetof(struct ash_gpu_own, reply_released));
    gpu->stage = ash_gpu.stage;
    gpu->stage_shift = ASH_GPU_STAGE_SHIFT;
    gpu->stage_mask = ASH_GPU_STAGE_BUFFERS - 1;
    gpu->stage_ticket = own_at(offsetof(struct ash_gpu_own, stage_ticket));
    gpu->stage_released = ash_gpu.shared->stage_released;
    gpu->fault = &ash_gpu.shared->fault;
    gpu->fault_taken = own_at(offsetof(struct ash_gpu_own, fault_taken));
    gpu->poison = &ash_gpu.shared->poison;
}

int ash_cuda_state(struct ash_state *ret_state)
{
    int rc = 0;
    *ret_state = ash_state;
    ret_state->n_pes = ash_job_pes();
    ret_state->peer = own_at(peers_offset());
    ret_state->channel = own_at(offsetof(struct ash_gpu_own, channel));
    ret_state->progress = NULL;
    ret_state->yield_progress = NULL;
    ret_state->interrupted = NULL;
    ret_state->proxy_in_timed_sleep = false;
    ret_state->requests_left = 0;
    ret_state->kick = NULL;
    ret_state->on_fault = NULL;
    ret_state->replies = ash_gpu.shared->replies;
    for (uint32_t i = 0; i < ASH_TEAMS && rc == 0; i++) rc = copy_team(&ret_state->team[i], i);
    fill_gpu(&ret_state->gpu);
    return rc;
}
