/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dissemination of device/order.h with two values that travel along.  Each
 * PE compares what it gets with its own, so any difference shows in round 0 at
 * the latest between neighbours; "and" is idempotent, so after the last round
 * everybody has the and of all, for any number of PEs.
 */
#include "lib/agree.h"

#include "device/order.h"
#include "lib/error.h"

static void compare(const char *function, const char *what, uint64_t mine, uint64_t theirs, int pe)
{
    if (mine == theirs) return;
    ash_fatal("%s: %s differs between PEs: %llu on PE %d, %llu on PE %d", function, what,
              (unsigned long long)mine, dev_state->my_pe, (unsigned long long)theirs, pe);
}

bool ash_agree(const char *function, const char *what, uint64_t value, bool ok)
{
    struct ash_state *s = dev_state;
    uint64_t epoch = ++s->barrier_epoch;
    dev_fence_full();
    for (unsigned round = 0; UINT64_C(1) << round < s->n_pes; round++) {
        uint64_t values[2] = {value, ok};
        struct ash_barrier_word *word = (struct ash_barrier_word *)(void *)(
            s->heap + ash_barrier_word_offset(epoch, round));
        ash_put_signal(function, word->value, values, 2, sizeof(uint64_t), &word->epoch, epoch,
                       NVSHMEM_SIGNAL_SET, ash_barrier_to(round), true);
        ash_barrier_wait(function, epoch, round);
        compare(function, what, value, dev_load_relaxed(&word->value[0], 8),
                ash_barrier_from(round));
        ok = ok && dev_load_relaxed(&word->value[1], 8) != 0;
    }
    return ok;
}
