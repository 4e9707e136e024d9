# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What check.sh explores: scenarios, and mutants of the code.  A mutant is an edit of
# one file by sed, named as its like in tests/models where there is one.

holds ring -DP=2u -DK=2u
holds ring -DP=2u -DK=2u -DGPU
holds ring -DP=1u -DK=5u
holds ring -DP=2u -DK=2u -DSHIFT=0u
holds ring -DP=2u -DK=1u -DFENCES=1u
holds ring -DP=2u -DK=1u -DFENCES=1u -DGPU
# Tags wrap: the first ticket is of the last lap that has tag 65535.
holds ring -DP=2u -DK=2u '-DFIRST=(UINT64_C(65534)<<1)'
# Word 3 comes with word 0 unless a GPU publishes in any order.
weakened 'proxy: acquire load slot\[.*\]\.3' ring -DP=2u -DK=2u
weakened '' ring -DP=2u -DK=2u -DGPU

channel=device/channel.h
host=device/target_host.h
race='data race'
wrong='data race\|deadlock\|torn\|twice\|out of order'
mutant=PUBLISH_FIRST
fails ring "$race" $host '/^DEV void dev_store_slot(/,/^}/{
    /dev_store_release64/d
    s/^{/{ dev_store_release64(\&slot[0], word0);/
}'
mutant=LONG_AFTER_PUBLISH
fails ring "$race" $channel '/^DEV void ash_channel_push_long(/,/^}/{
    /dev_store_pair/d
    s/ash_channel_publish(place.*/&\
        dev_store_pair(\&place.slot->word[4], words[4], words[5]);\
        dev_store_pair(\&place.slot->word[6], words[6], words[7]);/
}'
mutant=NO_ROOM_CHECK
fails ring "$wrong" $channel 's/return dev_likely(t - dev_load_own64.*/return (void)t, (void)channel, true;/'
mutant=ROOM_OFF_BY_ONE
fails ring "$wrong" $channel 's/dev_likely(t - dev_load_own64(&channel->seen) <= channel->mask)/(t - dev_load_own64(\&channel->seen) <= channel->mask + 1)/'
mutant=WAIT_OFF_BY_ONE
fails ring "$wrong" $channel 's/if (t - tail <= channel->mask) break;/if (t - tail <= channel->mask + 1) break;/'
mutant=NO_IDLE_TAIL
fails ring deadlock $channel '/if (progress->tail != next) dev_store_release64/d' -DK=1u -DFENCES=1u
mutant=ONE_TAG
fails ring "$race\|torn" $channel 's/((word0 ^ tag) | (word3 ^ tag))/((void)word3, word0 ^ tag)/' -DGPU
mutant=TAIL_BEFORE_COPY
fails ring "$race" $channel 's/^    \*ret_request = /    dev_store_release64(\&progress->tail, next + 1);\
&/'
mutant=SPLIT_CLAIM
fails ring "$race\|twice\|deadlock" $host 's/return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);/{ uint64_t old = __atomic_load_n(p, 0); __atomic_store_n(p, old + value, 0); return old; }/'
mutant=SEEN_AHEAD
fails ring 'I2: seen\|data race' $channel 's/dev_store_own64(&channel->seen, tail);/dev_store_own64(\&channel->seen, t);/'
mutant=PROXY_CLEARS
fails ring "$race" $channel 's/^    dev_store_release64(&progress->tail, next); .*/&\
    ((struct ash_slot *)slot)->word[0] = 0;/'
mutant=SAME_TAG
fails ring "$wrong" $channel 's/((t | mask) + 1)/(mask + 1)/'
mutant=LAP_OFF_BY_ONE
fails ring "$wrong" $channel 's/if (next & progress->mask) return true;/if ((next + 1) \& progress->mask) return true;/'
mutant=FIRST_TAGS
fails ring "$wrong" $channel 's/(t >> shift) << ASH_TAG_SHIFT/((t >> shift) + 1) << ASH_TAG_SHIFT/'

if [ "${1:-}" = full ]; then
    holds -l ring -DP=2u -DK=3u
    holds -l ring -DP=2u -DK=3u -DGPU
    holds -l ring -DP=3u -DK=2u
    holds -l ring -DP=3u -DK=2u -DGPU
fi
