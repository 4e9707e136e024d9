# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What check.sh explores: scenarios, and mutants of the code.  A mutant is an edit of
# one file by sed.  If a mutant in tests/models makes the same mistake, the names are the same.

holds ring -DP=2u -DK=2u
holds ring -DP=2u -DK=2u -DGPU
holds ring -DP=1u -DK=5u
holds ring -DP=2u -DK=2u -DSHIFT=0u
holds ring -DP=2u -DK=1u -DFENCES=1u
holds ring -DP=2u -DK=1u -DFENCES=1u -DGPU
# Tags wrap: the first ticket is of the last lap that has tag 65535.
holds ring -DP=2u -DK=2u '-DFIRST=(UINT64_C(65534)<<1)'
# Word 0's acquire covers word 3, except where a GPU publishes the two in any order.
weakened '.*' 'acquire load slot\[.*\]\.3' ring -DP=2u -DK=2u
weakened '.*' none ring -DP=2u -DK=2u -DGPU

ring=device/channel/ring.h
push=device/channel/push.h
producer=device/channel/producer.h
order=device/channel/order.h
pop=device/channel/pop.h
host=device/target/host.h
race='data race'
wrong='data race\|deadlock\|torn\|twice\|out of order'
mutant=PUBLISH_FIRST
fails ring "$race" $host '/^DEV void dev_store_slot(/,/^}/{
    /dev_store_release64/d
    s/^{/{ dev_store_release64(\&slot[0], word0);/
}'
mutant=LONG_AFTER_PUBLISH
fails ring "$race" $push '/^DEV void ash_channel_push_long(/,/^}/{
    /dev_store_pair/d
    s/ash_channel_publish(place.*/&\
        dev_store_pair(\&place.slot->word[4], words[4], words[5]);\
        dev_store_pair(\&place.slot->word[6], words[6], words[7]);/
}'
mutant=NO_ROOM_CHECK
fails ring "$wrong" $push 's/return dev_likely(t - dev_load_own64.*/return (void)t, (void)channel, true;/'
mutant=ROOM_OFF_BY_ONE
fails ring "$wrong" $push 's/dev_likely(t - dev_load_own64(&channel->seen) <= channel->mask)/(t - dev_load_own64(\&channel->seen) <= channel->mask + 1)/'
mutant=WAIT_OFF_BY_ONE
fails ring "$wrong" $push 's/if (t - tail <= channel->mask) break;/if (t - tail <= channel->mask + 1) break;/'
mutant=NO_IDLE_TAIL
fails ring deadlock $pop '/if (progress->tail != next) dev_store_release64/d' -DK=1u -DFENCES=1u
mutant=ONE_TAG
fails ring "$race\|torn" $pop 's/((word0 ^ tag) | (word3 ^ tag))/((void)word3, word0 ^ tag)/' -DGPU
mutant=TAIL_BEFORE_COPY
fails ring "$race" $pop 's/^    \*ret_request = /    dev_store_release64(\&progress->tail, next + 1);\
&/'
mutant=SPLIT_CLAIM
fails ring "$race\|twice\|deadlock" $host 's/return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);/{ uint64_t old = __atomic_load_n(p, 0); __atomic_store_n(p, old + value, 0); return old; }/'
mutant=SEEN_AHEAD
fails ring 'I2: seen\|data race' $push 's/dev_store_own64(&channel->seen, tail);/dev_store_own64(\&channel->seen, t);/'
mutant=PROXY_CLEARS
fails ring "$race" $pop 's/^    dev_store_release64(&progress->tail, next); .*/&\
    ((struct ash_slot *)slot)->word[0] = 0;/'
mutant=SAME_TAG
fails ring "$wrong" $ring 's/((t | mask) + 1)/(mask + 1)/'
mutant=LAP_OFF_BY_ONE
fails ring "$wrong" $pop 's/if (next & progress->mask) return true;/if ((next + 1) \& progress->mask) return true;/'
mutant=FIRST_TAGS
fails ring "$wrong" $ring 's/(t >> shift) << ASH_TAG_SHIFT/((t >> shift) + 1) << ASH_TAG_SHIFT/'


# Sleeping and waking.
holds wake -DP=1u -DK=2u
holds wake -DP=1u -DMESSAGES=1u
holds wake -DP=0u -DMESSAGES=1u -DCALLERS=1u
# The armed bit carries no order: what the claimer wrote is published by its slot.
weakened none '.* compare-and-swap ticket' wake -DP=1u -DK=2u
weakened '.* holder' none wake -DP=0u -DMESSAGES=2u -DCALLERS=1u
mutant=NO_COMPARE
fails wake deadlock $pop 's/return (old & ~ASH_CHANNEL_ARMED) == next;/return (void)old, true;/' -DP=1u
mutant=TWO_STEPS
fails wake deadlock $pop '/^DEV bool ash_channel_arm(/,/^}/s/old = dev_fetch_set64/old = dev_load_own64(\&channel->ticket);\
    (void)dev_fetch_set64/' -DP=1u
mutant=WAKE_FIRST
fails wake deadlock $push '/^DEV void ash_channel_wake(/,/^}/{
    /dev_wake(/d
    s/dev_fetch_clear64(/dev_wake(channel->wake_fd);\
    &/
}' -DP=1u -DK=2u
mutant=CLEAR_ONLY
fails wake deadlock $push '/dev_wake(channel->wake_fd);/d' -DP=1u
mutant=NOT_SLOW
fails wake deadlock $push 's/dev_likely(t - dev_load_own64/dev_likely((t \& ~ASH_CHANNEL_ARMED) - dev_load_own64/' -DP=1u
# The proxy sees the claim, so it does not go back to sleep.
mutant=WAKE_BEFORE_PUBLISH
harmless wake $push '/^DEV_COLD uint64_t ash_channel_push_slow(/,/^}/{
    /ash_channel_wake(/d
    s/ash_channel_wait_room(.*/&\
    ash_channel_wake(channel, claimed);/
}' -DP=1u
# The channel of a context, and the doorbell that says that something was pushed there.
holds wake -DP=1u -DK=2u -DCTX=1
mutant=CTX_NOT_COMPARED
fails wake deadlock proxy/ctx.c 's/ctx->is_armed = ash_channel_arm(channel);/ctx->is_armed = true;/' -DP=1u -DK=2u -DCTX=1
mutant=CTX_NOT_ARMED_BEFORE_SLEEP
fails wake deadlock proxy/idle.c 's/ash_ctxs_arm(proxy) \&\& //' -DP=1u -DK=2u -DCTX=1
mutant=CTX_LEFT_UNARMED
fails wake deadlock proxy/ctx.c 's/arm_channel(ctx) \&\& !ctx->comp/!ctx->comp/' -DP=1u -DK=2u -DCTX=1
mutant=CTX_STAYS_ARMED
fails wake deadlock proxy/ctx.c 's/^    ctx->is_armed = false;//' -DP=1u -DK=2u -DCTX=1
mutant=NO_DOORBELL
fails wake deadlock $push 's/^        ash_channel_ring_doorbell(channel->doorbell);//' -DP=1u -DCTX=1
# A private context's channel.
holds wake -DP=1u -DK=2u -DCTX=2
mutant=NO_FENCE_OF_THREADS
fails wake deadlock proxy/ctx.c 's/ash_fence_threads() \&\& ash_channel_is_drained/ash_channel_is_drained/' -DP=1u -DK=2u -DCTX=2
mutant=FENCE_AFTER_LOOK
fails wake deadlock proxy/ctx.c 's/ash_fence_threads() \&\& ash_channel_is_drained(channel)/ash_channel_is_drained(channel) \&\& ash_fence_threads()/' -DP=1u -DK=2u -DCTX=2
mutant=NO_LOOK
fails wake deadlock proxy/ctx.c 's/ash_fence_threads() \&\& ash_channel_is_drained(channel)/ash_fence_threads()/' -DP=1u -DK=2u -DCTX=2
mutant=LOOK_FIRST
fails wake deadlock $producer '/^DEV uint64_t ash_producer_push(/,/^}/{
    /dev_any_bit/d
    s/^    own->slot = .*/    bool armed = dev_any_bit(\&own->armed, 1);\
&/
    s/^    ash_channel_publish.*/&\
    if (armed) ash_producer_ring(channel);/
}' -DP=1u -DK=2u -DCTX=2
mutant=PRODUCER_RINGS_NOBODY
fails wake deadlock $producer 's/^        ash_channel_ring_doorbell(channel->doorbell);/        return;/' -DP=1u -DCTX=2
mutant=CALLER_WAKES_NOBODY
fails wake deadlock proxy/lock.c '/^    wake_if_asleep(proxy);/d' -DP=0u -DMESSAGES=2u -DCALLERS=1u
mutant=ASLEEP_AFTER_RELEASE
fails wake deadlock proxy/idle.c '/^static bool arm(/,/^}/{
    /__atomic_store_n(&proxy->asleep, armed/d
    s/^    ash_proxy_release(proxy);/&\
    __atomic_store_n(\&proxy->asleep, armed, __ATOMIC_RELAXED);/
}' -DP=0u -DMESSAGES=2u -DCALLERS=1u

# The wake word.  All order comes from the two fences: an update by itself orders nothing.
waiters=device/hostdev/waiters.c
holds waiters -DK=3u
mutant=NO_FENCE
fails waiters deadlock $waiters '/ W5 /d' -DK=1u
mutant=NO_FENCE_OF_SLEEPER
fails waiters deadlock $waiters '/^uint32_t ash_hostdev_arm(/,/^}/{ /__atomic_thread_fence/d; }' -DK=1u
mutant=CLEAR_ONLY
fails waiters deadlock $waiters 's/word - ASH_WAKE_ARMED + ASH_WAKE_NOTIFIED/word - ASH_WAKE_ARMED/' -DSLEEPERS=2u -DK=1u
mutant=STAYS_ARMED
fails waiters deadlock $waiters 's/word - ASH_WAKE_ARMED + ASH_WAKE_NOTIFIED/word/'
mutant=WAKE_ONE
fails waiters deadlock $waiters 's/INT_MAX/1/' -DSLEEPERS=2u -DK=1u
mutant=WAKE_FIRST
fails waiters deadlock $waiters '/^void ash_hostdev_notify(/,/^}/{
    /(void)syscall/d
    s/^        if (!__atomic_compare/        (void)syscall(SYS_futex, \&wake->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);\
&/
}' -DK=1u

# Replies and quiet.
reply=device/channel/reply.h
quiet=proxy/order.c
holds reply -DREQUESTERS=2u -DQUIETERS=0u
holds reply -DREQUESTERS=2u -DQUIETERS=0u -DGPU
holds reply -DREQUESTERS=0u -DQUIETERS=1u -DK=2u
weakened '.* reply.*' none reply -DREQUESTERS=2u -DQUIETERS=0u
# A line that was given back needs no order: its lap number alone says that it is free.
weakened '.* reply\[.*' '.* released.*' reply -DREQUESTERS=2u -DQUIETERS=0u -DGPU
weakened '.* completed' none reply -DREQUESTERS=0u -DQUIETERS=1u -DK=2u
mutant=COUNT_FIRST
fails reply "$race" $reply '/^DEV void ash_reply_send(/,/^}/{
    /dev_store_relaxed/d
    s/dev_store_release64.*/&\
    dev_store_relaxed(\&reply->value, 8, value);/
}' -DQUIETERS=0u
mutant=FLAG
fails reply "$wrong\|reply value" $reply 's/dev_load_acquire64(&pending.line->sequence) != pending.sequence/dev_load_acquire64(\&pending.line->sequence) == 0/' -DQUIETERS=0u -DK=2u
mutant=SHARED_LINE
fails reply "$wrong\|reply value" $reply 's/\[context->reply\]/[0]/; s/= context->reply + 1/= 1/' -DREQUESTERS=2u -DQUIETERS=0u
mutant=GIVEN_EARLY
fails reply "$wrong\|reply value" $reply '/^DEV uint64_t ash_reply_value(/,/^}/{
    /dev_store_own64/d
    s/^    for (;;) {/    dev_store_own64(\&gpu->reply_released[pending.line - dev_state->replies], pending.sequence);\
&/
}' -DREQUESTERS=2u -DQUIETERS=0u -DGPU
mutant=TOO_EARLY
fails reply "$race\|data" $quiet 's/^    if (!client->completion->quiet_active) start(.*/    ash_channel_complete(client->own.channel, below);\
&/' -DREQUESTERS=0u
mutant=NO_GENERATION
fails reply "$race\|data" $quiet 's/ && completion->under_way\[completion->generation ^ 1\] == 0//' -DREQUESTERS=0u
mutant=COMPLETES_PENDING
fails reply "$race\|data" $quiet '/^static void complete(/,/^}/s/ash_channel_complete(client->own.channel, client->quiet_now)/ash_channel_complete(client->own.channel, client->quiet_next ? client->quiet_next : client->quiet_now)/' -DREQUESTERS=0u -DQUIETERS=2u
mutant=FORGETS_PENDING
fails reply deadlock $quiet 's/^    client->quiet_next = below;/    if (!client->completion->quiet_active) client->quiet_next = below;/' -DREQUESTERS=0u -DQUIETERS=2u
mutant=OFF_BY_ONE
fails reply "$race\|data" $order 's/dev_load_acquire64(&channel->progress->completed) <= t/dev_load_acquire64(\&channel->progress->completed) + 1 < t/' -DREQUESTERS=0u -DK=2u
mutant=IDLE_AHEAD
fails reply "$race\|data" $pop 's/dev_store_release64(&channel->proxy->idle_below, ticket + 1);/dev_store_release64(\&channel->proxy->idle_below, ticket + 2);/' -DREQUESTERS=0u -DK=2u

if [ "${1:-}" = full ]; then
    holds -l ring -DP=2u -DK=3u
    holds -l ring -DP=2u -DK=3u -DGPU
    holds -l ring -DP=3u -DK=2u
    holds -l ring -DP=3u -DK=2u -DGPU
    holds -l ring -DP=2u -DK=1u -DFENCES=2u
    holds -l wake -DP=2u
    holds -l wake -DP=1u -DCALLERS=1u
    holds -l wake -DP=1u -DK=3u -DCTX=1
    holds -l wake -DP=1u -DK=1u -DCALLERS=1u -DCTX=1
    holds -l wake -DP=0u -DMESSAGES=2u -DCALLERS=1u
    holds -l waiters -DSLEEPERS=2u -DK=1u
    holds -l reply
    holds -l reply -DREQUESTERS=0u -DQUIETERS=2u
fi
