/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bell of a PE: who stores into a mapped heap wakes those that sleep in a wait there.
 *
 * It is in the first line of each heap.  A thread whose wait has lasted goes round like this:
 *
 *   B1  it arms the bell, and then a full fence;
 *   B2  it looks at its variable;
 *   B3  it sleeps, unless the bell is not any more as it armed it: the kernel compares.
 *
 * And who stores:
 *
 *   B4  it stores;
 *   B5  a full fence, where the bell says that its PE sleeps early, and the store was not a
 *       locked update of x86-64, which is one;
 *   B6  it looks at the bell.  If that is armed it rings: a locked update that makes it
 *       another number, not armed, and then it wakes all who sleep.
 *
 * Edges: B1 before B2, and B4, B5 before B6: of the two looks at least one sees what the other
 * thread did, so either B2 sees the store or B6 sees the bell armed.  B3 against B6: who armed
 * before the ring finds another number, or sleeps already and is woken.  So no ring is missed.
 *
 * Where there are CPUs enough B5 is left out, for it costs more than the store.  A look that
 * came before its own store could be seen then misses a sleeper, who wakes by its limit, as
 * from each store that comes without a look: by a GPU, by UCX, or by a program's own pointer.
 */
#ifndef ASH_DEVICE_TARGET_BELL_H
#define ASH_DEVICE_TARGET_BELL_H

#include "device/state/wake_word.h"
#include "device/target/target.h"

/*
 * The bell may have to ring for what was just stored into this heap, or changed by an
 * atomic update.  A GPU wakes nobody.
 */
DEV bool ash_bell_may_ring(const unsigned char *heap, bool updated)
{
#if DEV_IS_GPU
    return (void)heap, (void)updated, false;
#else
    const struct ash_bell *bell = (const struct ash_bell *)(const void *)heap;
    if (updated && DEV_UPDATE_IS_FENCE)
        return dev_unlikely(dev_any_bit(&bell->word, ASH_BELL_ARMED));
    return dev_unlikely(dev_any_bit(&bell->word, ASH_BELL_ARMED | ASH_BELL_EARLY));
#endif
}

#if !DEV_IS_GPU
DEV_COLD uint64_t ash_bell_looked_and_rung(unsigned char *heap, uint64_t value)
{
    ash_hostdev_ring(heap);
    return dev_looked(value);
}
#endif

/* B5 and B6, of who has stored into this heap. */
DEV void ash_bell_look(unsigned char *heap)
{
#if !DEV_IS_GPU
    if (ash_bell_may_ring(heap, false)) ash_hostdev_ring(heap);
#else
    (void)heap;
#endif
}

/* The same of who has changed a variable there by an atomic update. */
DEV void ash_bell_look_updated(unsigned char *heap)
{
#if !DEV_IS_GPU
    if (ash_bell_may_ring(heap, true)) ash_hostdev_ring(heap);
#else
    (void)heap;
#endif
}

/* That, and dev_looked, after an atomic that fetched a value: one call at most. */
DEV uint64_t ash_bell_looked(unsigned char *heap, uint64_t value)
{
#if !DEV_IS_GPU
    if (ash_bell_may_ring(heap, true)) return ash_bell_looked_and_rung(heap, value);
#else
    (void)heap;
#endif
    return dev_looked(value);
}

#endif
