/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dissemination barrier of device/routine/barrier.h with values in its signals.  Each PE
 * compares the arguments that it receives with its own: if not all are the same, some PE
 * differs from its neighbour and finds that in round 0.  AND and maximum are idempotent, so
 * after the last round each PE has the result of all PEs, whatever their number.
 */
#include "lib/symmetric/agree.h"

#include "device/routine/barrier.h"
#include "lib/base/end.h"

/* The values that a PE sends in each round: its arguments, then these two. */
enum { MASK = ASH_ARGUMENTS, LARGEST, VALUES };

static void compare(const char *function, const struct ash_arguments *arguments,
                    const uint64_t *theirs, int pe)
{
    for (unsigned i = 0; i < ASH_ARGUMENTS; i++) {
        long long mine = arguments->value[i], his = (int64_t)dev_load_relaxed(&theirs[i], 8);
        if (mine == his) continue;
        ash_fatal("%s: %s differs between PEs: %lld on PE %d, %lld on PE %d", function,
                  arguments->name[i] != NULL ? arguments->name[i] : "the call", mine,
                  dev_state->my_pe, his, pe);
    }
}

uint64_t ash_team_agree(const char *function, struct ash_team *team,
                        const struct ash_arguments *arguments, uint64_t mask,
                        uint64_t *io_largest)
{
    struct ash_observed observed;
    ash_observe(&observed, ASH_CALL_AGREEMENT, function, 0, ASH_NO_PE);
    ash_team_epoch_begin(team);
    for (unsigned round = 0; ash_barrier_has(team, round); round++) {
        struct ash_barrier_word *word = ash_barrier_word(team, round);
        uint64_t values[VALUES], largest;
        struct ash_put_signal put = {
            {word->value, values, VALUES, sizeof(uint64_t), ash_barrier_to(team, round), true},
            {&word->epoch, ash_team_epoch(team), NVSHMEM_SIGNAL_SET}};
        memcpy(values, arguments->value, sizeof(arguments->value));
        values[MASK] = mask;
        values[LARGEST] = *io_largest;
        ash_put_signal_elements(function, &put);
        ash_barrier_wait(function, team, round);
        compare(function, arguments, word->value, ash_barrier_from(team, round));
        mask &= dev_load_relaxed(&word->value[MASK], 8);
        largest = dev_load_relaxed(&word->value[LARGEST], 8);
        if (largest > *io_largest) *io_largest = largest;
    }
    ash_observe_end(&observed);
    return mask;
}

bool ash_agree(const char *function, const struct ash_arguments *arguments, bool ok)
{
    uint64_t unused = 0;
    struct ash_team *world = &dev_state->team[NVSHMEM_TEAM_WORLD];
    ash_quiet(function);
    return ash_team_agree(function, world, arguments, ok, &unused) != 0;
}
