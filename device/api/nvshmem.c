/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles the device routines for the CPU.  Every host thread counts as a thread of the
 * host device, so these are the host's routines as well.
 */
#include "device/api/api.h"

_Static_assert(sizeof(struct ash_slot) == 64, "a slot is one cache line");
_Static_assert(sizeof(struct ash_channel) == 128, "one line is shared, one only read");
_Static_assert(sizeof(struct ash_reply) == 64, "a reply line is one cache line");
_Static_assert(sizeof(struct ash_barrier_word) == 64, "a round's word is one cache line");
_Static_assert(ASH_OPS <= ASH_OP_MASK + 1, "an op fits its field");
