/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier of device/routine/barrier.h, in both of its forms, with values beside its signals.
 * In rounds: AND and maximum are idempotent, so after the last round each PE has the result of
 * all PEs, whatever their number.  Gathered: the first PE reads the values of all others.
 */
#include "lib/symmetric/agree.h"

#include <string.h>

#include "device/routine/barrier.h"

/* The values that a PE tells others: its arguments, then these two. */
enum { MASK = ASH_AGREE_ARGUMENTS, LARGEST };
_Static_assert(LARGEST + 1 == ASH_MEETING_VALUES, "the values of those that agree");

struct ash_meeting_call ash_agree_call(enum ash_meeting kind, int64_t first, int64_t second,
                                 int64_t third)
{
    const struct ash_meeting_call call = {
        kind, {(uint64_t)first, (uint64_t)second, (uint64_t)third}};
    return call;
}

/* Join what another PE said to the own values. */
static void join(uint64_t *values, const uint64_t *theirs)
{
    uint64_t largest = dev_load_relaxed(&theirs[LARGEST], 8);
    values[MASK] &= dev_load_relaxed(&theirs[MASK], 8);
    if (largest > values[LARGEST]) values[LARGEST] = largest;
}

/* The signals were the same, which have a hash of the arguments alone. */
static bool same_arguments(const uint64_t *values, const uint64_t *theirs)
{
    bool same = true;
    for (unsigned i = 0; i < ASH_AGREE_ARGUMENTS; i++)
        same = same && values[i] == dev_load_relaxed(&theirs[i], 8);
    return same;
}

static void send_values(const char *function, struct ash_barrier_word *word,
                        const uint64_t *values, uint64_t signal, int pe)
{
    struct ash_put_signal put = {
        {word->value, values, ASH_MEETING_VALUES, sizeof(uint64_t), pe, true},
        {&word->signal, signal, NVSHMEM_SIGNAL_SET}};
    ash_put_signal_elements(function, &put);
}

static void agree_in_rounds(const char *function, const struct ash_team *team, uint64_t signal,
                            uint64_t *values)
{
    for (unsigned round = 0; ash_barrier_has(team, round); round++) {
        struct ash_barrier_word *word = ash_barrier_word(team, signal, round);
        send_values(function, word, values, signal, ash_barrier_to(team, round));
        ash_barrier_wait(function, team, word, signal, round);
        if (!same_arguments(values, word->value))
            ash_meeting_differs(function, team, signal, ash_barrier_from(team, round), signal);
        join(values, word->value);
    }
}

/* The part of the team's first PE. */
static void gather(const char *function, const struct ash_team *team, uint64_t signal,
                   uint64_t *values)
{
    struct ash_meeting_record theirs;
    ash_barrier_wait_for_all(function, team, signal);
    for (int number = 1; number < team->n_pes; number++) {
        int pe = ash_team_pe(team, (uint32_t)number);
        ash_meeting_look(function, team, signal, pe, &theirs);
        if (!same_arguments(values, theirs.value))
            ash_meeting_differs(function, team, signal, pe, signal);
        join(values, theirs.value);
    }
    for (int number = 1; number < team->n_pes; number++)
        send_values(function, ash_barrier_word(team, signal, 0), values, signal,
                    ash_team_pe(team, (uint32_t)number));
}

uint64_t ash_team_agree(const char *function, struct ash_team *team,
                        const struct ash_meeting_call *call, uint64_t mask,
                        uint64_t *io_largest)
{
    uint64_t values[ASH_MEETING_VALUES], signal;
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_AGREEMENT, function, 0, ASH_NO_PE);
    memcpy(values, call->value, ASH_AGREE_ARGUMENTS * sizeof(values[0]));
    values[MASK] = mask;
    values[LARGEST] = *io_largest;
    signal = ash_team_epoch_begin_call(team, ash_meeting_half(call), values, ASH_MEETING_VALUES);
    if (!team->gathers) {
        agree_in_rounds(function, team, signal, values);
    } else if (team->my_pe == 0) {
        gather(function, team, signal, values);
    } else {
        const struct ash_barrier_word *word = ash_barrier_word(team, signal, 0);
        ash_barrier_arrive(team, signal);
        ash_barrier_wait(function, team, word, signal, 0);
        join(values, word->value);
    }
    *io_largest = values[LARGEST];
    ash_observe_end(&observed);
    return values[MASK];
}

bool ash_agree(const char *function, const struct ash_meeting_call *call, bool ok)
{
    uint64_t unused = 0;
    struct ash_team *world = &dev_state->team[NVSHMEM_TEAM_WORLD];
    ash_quiet(function);
    return ash_team_agree(function, world, call, ok, &unused) != 0;
}
