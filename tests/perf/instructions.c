/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that instructions.sh counts: each a function of its own, as the
 * device routines are, and called as often as the command line says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/channel.h"
#include "device/sync.h"

#define SHIFT 10u

/* External and not inlined. */
#define COUNTED __attribute__((noinline))

void count_put(struct ash_channel *channel, uint32_t pe, uint64_t offset, const void *source,
               uint64_t nbytes);
void count_p(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t value);
void count_add(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t operand);
void count_compare_swap(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                        uint64_t compare, uint64_t operand, uint32_t reply);
void count_put_signal(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                      const void *source, uint64_t nbytes, uint64_t signal_offset,
                      uint64_t signal);
uint64_t count_pop(struct ash_channel *channel);
void count_quiet(struct ash_channel *channel);
void count_fence(struct ash_channel *channel);
void count_wait(int *variable, int value);

COUNTED void count_put(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                       const void *source, uint64_t nbytes)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_PUT, 0, pe, 0), nbytes, (uintptr_t)source, offset);
}

COUNTED void count_p(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t value)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_P, 3, pe, 0), value, 0, offset);
}

COUNTED void count_add(struct ash_channel *channel, uint32_t pe, uint64_t offset, uint64_t operand)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_ADD, 3, pe, 0), 0, operand, offset);
}

COUNTED void count_compare_swap(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                                uint64_t compare, uint64_t operand, uint32_t reply)
{
    ash_channel_push(channel, ASH_WORD0(ASH_OP_COMPARE_SWAP, 3, pe, reply), compare, operand,
                     offset);
}

COUNTED void count_put_signal(struct ash_channel *channel, uint32_t pe, uint64_t offset,
                              const void *source, uint64_t nbytes, uint64_t signal_offset,
                              uint64_t signal)
{
    ash_channel_push_signal(channel, ASH_WORD0(ASH_OP_PUT_SIGNAL, 3, pe, 0), nbytes,
                            (uintptr_t)source, offset, signal, signal_offset);
}

/* Pop, and decode what a proxy must know of every request. */
COUNTED uint64_t count_pop(struct ash_channel *channel)
{
    struct ash_request request;
    if (!ash_channel_pop(channel, &request)) abort();
    return ash_request_op(&request) + ash_request_pe(&request) + ash_request_offset(&request) +
           request.word[2];
}

COUNTED void count_quiet(struct ash_channel *channel) { ash_channel_quiet(channel, "test"); }
COUNTED void count_fence(struct ash_channel *channel) { ash_channel_fence(channel); }

/* A wait that is met at once. */
COUNTED void count_wait(int *variable, int value)
{
    ash_wait("wait", "ivar", variable, ASH_KIND(int), NVSHMEM_CMP_EQ, (uint64_t)value);
}

/* One call; fills or empties less than the ring. */
static void call(struct ash_channel *channel, const char *name, unsigned i)
{
    static const char source[64];
    static int variable;
    if (strcmp(name, "put") == 0) count_put(channel, i % 4, 8 * i, source, 64);
    if (strcmp(name, "p") == 0) count_p(channel, i % 4, 8 * i, i);
    if (strcmp(name, "add") == 0) count_add(channel, i % 4, 8 * i, i);
    if (strcmp(name, "compare_swap") == 0) count_compare_swap(channel, i % 4, 8 * i, i, i + 1, 1);
    if (strcmp(name, "put_signal") == 0)
        count_put_signal(channel, i % 4, 8 * i, source, 64, 4096, i);
    if (strcmp(name, "quiet") == 0) count_quiet(channel);
    if (strcmp(name, "fence") == 0) count_fence(channel);
    if (strcmp(name, "wait") == 0) count_wait(&variable, 0);
}

int main(int argc, char **argv)
{
    static struct ash_channel channel __attribute__((aligned(128)));
    static struct ash_channel_progress progress __attribute__((aligned(128)));
    static struct ash_slot slots[1u << SHIFT] __attribute__((aligned(128)));
    unsigned i, count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    uint64_t sum = 0;
    if (argc < 3 || count == 0 || count > (1u << SHIFT)) {
        fprintf(stderr, "usage: %s put|p|add|compare_swap|put_signal|pop|quiet|fence|wait COUNT\n",
                argv[0]);
        return 2;
    }
    ash_state.n_pes = 1;
    ash_channel_init(&channel, slots, SHIFT, &progress, -1, 0);
    if (strcmp(argv[1], "pop") == 0) {
        for (i = 0; i < count; i++) count_put(&channel, i % 4, 8 * i, &channel, 64);
        for (i = 0; i < count; i++) sum += count_pop(&channel);
    } else {
        for (i = 0; i < count; i++) call(&channel, argv[1], i);
    }
    printf("%s %u %llu\n", argv[1], count, (unsigned long long)sum);
    return 0;
}
