/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of collectives that OpenSHMEM and Intel SHMEM have besides NVSHMEM's: collect, whose
 * PEs give blocks of different sizes, and alltoalls, whose elements are not contiguous.  Each
 * stands between two meetings (collective.h), but for a collect of small blocks, which is one or
 * two (share.h).
 */
#ifndef ASH_DEVICE_ROUTINE_COLLECT_H
#define ASH_DEVICE_ROUTINE_COLLECT_H

#include "device/routine/collective.h"
#include "device/routine/strided.h"

/* What a PE tells the others of its block: in the last two values of its record of the call, or
 * before the block itself. */
struct ash_collect_block {
    uint64_t offset, nbytes;
};
#define ASH_COLLECT_BLOCK (ASH_MEETING_VALUES - 2)

/* The most PEs whose blocks are got at once; the stack has 8 bytes for each. */
#define ASH_COLLECT_BATCH 256u

/* Small blocks go to all PEs with their sizes, in one meeting (share.h): what a PE gives for that,
 * at most, and all PEs together if they are few. */
#define ASH_COLLECT_GIVEN (sizeof(struct ash_collect_block) + 1024)
#define ASH_COLLECT_GIVEN_BY_ALL (8 * ASH_COLLECT_GIVEN)

/* Strides of alltoalls, which are positive. */
struct ash_strides {
    ptrdiff_t dst, sst;
};

/* Where the blocks of PEs first to end - 1 begin in dest, and the end of the last one. */
struct ash_collect_places {
    /* What PE `first` told; the others' is `stride` bytes apart. */
    const unsigned char *told;
    uint64_t stride;
    /* Blocks of up to so many bytes stand behind what their PEs told. */
    uint64_t small;
    uint32_t first, end;
    uint64_t begin[ASH_COLLECT_BATCH + 1];
};

DEV const struct ash_collect_block *ash_collect_block(const struct ash_collect_places *p,
                                                      uint32_t i)
{
    return (const struct ash_collect_block *)(const void *)(p->told + i * p->stride);
}

/* Ask these PEs for what they tell; `record` is where each of them has the record of its call. */
DEV void ash_collect_ask(const struct ash_collective *c, const struct ash_meeting_record *record,
                         const struct ash_collect_places *p)
{
    struct ash_batch batch = ash_batch_begin();
    uint32_t i;
    for (i = 0; i < p->end - p->first; i++)
        ash_batch_get(c, &batch, c->team->scratch + i * p->stride,
                      (const unsigned char *)&record->value[ASH_COLLECT_BLOCK], p->stride,
                      p->first + i);
    ash_batch_wait(c, &batch);
}

/* Place their blocks behind the ones before; true if any is not small. */
DEV bool ash_collect_place(const struct ash_collective *c, struct ash_collect_places *p)
{
    uint32_t i, n = p->end - p->first;
    bool large = false;
    for (i = 0; i < n; i++) {
        uint64_t nbytes = ash_collect_block(p, i)->nbytes;
        p->begin[i + 1] = p->begin[i] + nbytes;
        if (nbytes > p->small) large = true;
    }
    if (p->begin[n] > 0) ash_check_symmetric(c->function, "dest", c->dest, p->begin[n]);
    return large;
}

/* Get their blocks, beginning with the caller's, so that not all PEs read from the same one. */
DEV void ash_collect_get(const struct ash_collective *c, const struct ash_collect_places *p)
{
    struct ash_batch batch = ash_batch_begin();
    uint32_t i, k, n = p->end - p->first;
    for (i = 0; i < n; i++) {
        const struct ash_collect_block *block;
        k = ((uint32_t)c->team->my_pe + i) % n;
        block = ash_collect_block(p, k);
        if (block->nbytes <= p->small) {
            ash_group_copy_as(true, c->scope, c->dest + p->begin[k], block + 1, block->nbytes);
            continue;
        }
        ash_batch_get(c, &batch, c->dest + p->begin[k], dev_state->heap + block->offset,
                      block->nbytes, p->first + k);
        ash_batch_limit(c, &batch);
    }
    ash_batch_wait(c, &batch);
}

/* The blocks of all PEs, one after the other; true if any is not small.  `record`: see
 * ash_collect_ask; NULL if all have told. */
DEV bool ash_collect_move(const struct ash_collective *c, struct ash_collect_places *p,
                          const struct ash_meeting_record *record)
{
    uint32_t n = (uint32_t)c->team->n_pes;
    bool large = false;
    p->begin[0] = 0;
    for (p->first = 0; p->first < n; p->first = p->end) {
        p->end = n - p->first < ASH_COLLECT_BATCH ? n : p->first + ASH_COLLECT_BATCH;
        if (record != NULL) ash_collect_ask(c, record, p);
        if (ash_collect_place(c, p)) large = true;
        ash_collect_get(c, p);
        p->begin[0] = p->begin[p->end - p->first];
        if (record == NULL) p->told += p->stride * (p->end - p->first);
    }
    return large;
}

/* The same where each PE has the record of its call. */
DEV_NOINLINE void ash_collect_blocks(const struct ash_collective *c,
                                     const struct ash_meeting_record *record)
{
    struct ash_collect_places p;
    p.told = c->team->scratch;
    p.stride = sizeof(struct ash_collect_block);
    p.small = 0;
    (void)ash_collect_move(c, &p, record);
}

/* Bytes that each PE gives if blocks go with their sizes, the same on all PEs; 0 if they do not. */
DEV uint64_t ash_collect_given(const struct ash_team *team)
{
    uint64_t n = (uint64_t)team->n_pes, head = sizeof(struct ash_collect_block);
    uint64_t given = ASH_COLLECT_GIVEN_BY_ALL / n / head * head;
    if (n == 1 || ash_share_meets_cheaply(team)) return 0;
    if (given > ASH_COLLECT_GIVEN) given = ASH_COLLECT_GIVEN;
    if (given < head) given = head;
    return given * n <= ASH_SHARE_SLOT ? given : 0;
}

/* All PEs tell of their blocks; a small one goes along. */
DEV void ash_collect_tell(const struct ash_collective *c, struct ash_collect_places *p,
                          struct ash_collect_block mine, uint64_t given)
{
    struct ash_collective all = *c;
    unsigned char *give = c->team->scratch + ASH_SHARE_RESULT;
    p->told = c->team->scratch + ASH_SHARE_RESULTS;
    p->stride = given;
    p->small = given - sizeof(mine);
    if (dev_group_rank(c->scope) == 0) memcpy(give, &mine, sizeof(mine));
    if (mine.nbytes <= p->small)
        ash_group_copy(c->scope, give + sizeof(mine), c->source, mine.nbytes);
    all.kind = ASH_MEETING_FCOLLECT;
    all.source = give;
    all.dest = c->team->scratch + ASH_SHARE_RESULTS;
    all.nbytes = given;
    ash_share(&all);
}

/* Bytes that each PE would have to give if the largest block went along, too; 0 if it does not fit,
 * or others would give more padding than bytes. */
DEV uint64_t ash_collect_given_again(const struct ash_collective *c,
                                     const struct ash_collect_places *p)
{
    uint64_t n = (uint64_t)c->team->n_pes, head = sizeof(struct ash_collect_block);
    uint64_t most = 0, sum = 0, nbytes;
    uint32_t i;
    for (i = 0; i < n; i++) {
        nbytes = ash_collect_block(p, i)->nbytes;
        if (nbytes > ASH_SHARE_SLOT) return 0;
        if (nbytes > most) most = nbytes;
        sum += nbytes;
    }
    if (sum < most * n / 2) return 0;
    most = head + (most + head - 1) / head * head;
    return most * n <= ASH_SHARE_SLOT ? most : 0;
}

/* The blocks of all PEs, of which small ones come with their sizes; true if any was not small, and
 * others may still get it.  Where a get is a message, larger ones come in a second meeting. */
DEV_NOINLINE bool ash_collect_share(const struct ash_collective *c,
                                    struct ash_collect_block mine, uint64_t given)
{
    struct ash_collect_places p;
    uint64_t again;
    ash_collect_tell(c, &p, mine, given);
    if (c->team->sharing != ASH_SHARING_READ) {
        again = ash_collect_given_again(c, &p);
        /* Nobody writes what was told before all have looked at it. */
        dev_group_sync(c->scope);
        if (again > given) ash_collect_tell(c, &p, mine, again);
    }
    return ash_collect_move(c, &p, NULL);
}

/* The call, and its values: those that must be the same on all PEs, and the caller's block. */
DEV struct ash_collective ash_collect_check(const struct ash_collective_call *call,
                                            struct ash_team *team, uint64_t *ret_values)
{
    const unsigned char *heap = dev_state->heap;
    struct ash_collective c = ash_collective_check_in(call, team, ASH_MEETING_COLLECT);
    uint64_t offset = ash_offset_of(c.dest);
    bool is_symmetric = offset < dev_state->heap_size;
    /* A PE that gives nothing receives the others' blocks all the same. */
    if (c.nbytes == 0 && is_symmetric) c.dest = dev_state->heap + offset;
    ash_collective_begin(&c, ASH_MEETING_COLLECT, 0);
    c.call.value[0] = c.size;
    /* Where nobody gives anything dest may be any address, NULL too. */
    c.call.value[2] = is_symmetric ? offset : UINT64_MAX;
    c.call.value[3] = 0;
    memcpy(ret_values, c.call.value, sizeof(c.call.value));
    ret_values[ASH_COLLECT_BLOCK] = c.nbytes > 0 ? (uint64_t)(c.source - heap) : 0;
    ret_values[ASH_COLLECT_BLOCK + 1] = c.nbytes;
    return c;
}

/* Bytes from the first of n elements to the last one's end. */
DEV uint64_t ash_alltoalls_span(const struct ash_collective *c, const char *argument,
                                ptrdiff_t stride, uint64_t n)
{
    if (dev_unlikely(stride < 1))
        ash_raise(ASH_FAULT_STRIDE, c->function, argument, (uint64_t)(int64_t)stride, 0);
    if ((uint64_t)stride > UINT64_MAX / c->size / n) return UINT64_MAX;
    return ((n - 1) * (uint64_t)stride + 1) * c->size;
}

DEV struct ash_collective ash_alltoalls_check(const struct ash_collective_call *call,
                                              struct ash_team *team, struct ash_strides strides)
{
    struct ash_collective c = ash_collective_check_in(call, team, ASH_MEETING_NONE);
    uint64_t n = ash_check_size(c.function, call->nelems, (uint64_t)c.team->n_pes);
    uint64_t dests = ash_alltoalls_span(&c, "dst", strides.dst, n > 0 ? n : 1);
    uint64_t sources = ash_alltoalls_span(&c, "sst", strides.sst, n > 0 ? n : 1);
    if (c.nbytes > 0) {
        ash_check_symmetric(c.function, "dest", c.dest, dests);
        ash_check_symmetric(c.function, "source", c.source, sources);
    }
    ash_collective_begin(&c, ASH_MEETING_ALLTOALLS,
                         (uint64_t)strides.dst << 32 | (uint32_t)strides.sst);
    return c;
}

/* Block i of dest comes from PE i, the caller's block of its source. */
DEV void ash_alltoalls_blocks(const struct ash_collective *c, struct ash_strides strides)
{
    uint64_t nelems = c->nbytes / c->size;
    ptrdiff_t to = ash_stride_to(strides.dst, nelems, (uint32_t)c->size);
    ptrdiff_t from = ash_stride_to(strides.sst, nelems, (uint32_t)c->size) * c->team->my_pe;
    struct ash_strided copy = {NULL, NULL, strides.dst, strides.sst, nelems, (uint32_t)c->size, 0};
    const unsigned char *mapped;
    uint32_t i, number;
    for (i = 0; i < (uint32_t)c->team->n_pes; i++) {
        number = ash_collective_rotate(c, i);
        copy.dest = c->dest + to * (ptrdiff_t)number;
        mapped = ash_collective_mapped(c, c->source, number);
        copy.pe = ash_team_pe(c->team, number);
        if (mapped != NULL)
            ash_strided_mapped(true, c->scope, (unsigned char *)copy.dest, mapped + from, &copy);
        else
            ash_iget_send(c->scope, c->function,
                          (uint64_t)(c->source - dev_state->heap) + (uint64_t)from, &copy);
    }
    ash_quiet(c->function);
}

/* The routines of teams. */

DEV_NOINLINE int ash_collect(struct ash_collective_call call)
{
    uint64_t values[ASH_MEETING_VALUES], signal, given;
    struct ash_observed observed;
    struct ash_collective c = ash_collect_check(&call, ash_check_team(call.function, call.team),
                                                values);
    struct ash_collect_block mine;
    bool again = true;
    ash_collective_enter(&c);
    ash_collective_observe(&c, &observed);
    given = ash_collect_given(c.team);
    if (given > 0) {
        mine.offset = values[ASH_COLLECT_BLOCK];
        mine.nbytes = values[ASH_COLLECT_BLOCK + 1];
        again = ash_collect_share(&c, mine, given);
    } else {
        signal = ash_team_epoch_begin_call(c.team, ash_meeting_half(&c.call), values,
                                           ASH_MEETING_VALUES);
        ash_barrier_meet(c.function, c.team, signal);
        ash_collect_blocks(&c, ash_meeting_record_of(c.team, signal));
    }
    if (again) ash_collective_sync(&c, false);
    ash_collective_leave(&c);
    ash_observe_end(&observed);
    return 0;
}

DEV_NOINLINE int ash_alltoalls(struct ash_collective_call call, struct ash_strides strides)
{
    struct ash_observed observed;
    struct ash_collective c;
    if (strides.dst == 1 && strides.sst == 1) return ash_gather(call, true);
    c = ash_alltoalls_check(&call, ash_check_team(call.function, call.team), strides);
    ash_collective_enter(&c);
    ash_collective_observe(&c, &observed);
    ash_collective_sync(&c, false);
    if (c.nbytes > 0) {
        ash_alltoalls_blocks(&c, strides);
        ash_collective_sync(&c, false);
    }
    ash_collective_leave(&c);
    ash_observe_end(&observed);
    return 0;
}

#endif
