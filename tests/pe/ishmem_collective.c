/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's collectives: shmem_collective.c with their names, those for all PEs and those for
 * a team, by a host thread and by a thread of a kernel.
 */
#include <anyshmem_kernel.h>
#include <ishmem.h>
#include <nvshmemx.h>

#define PROGRAM "ishmem_collective"
#define OF_TEAM(ROUTINE, ...) \
    (t->team == ISHMEM_TEAM_WORLD ? ROUTINE(__VA_ARGS__) : ROUTINE##_of_team(t->team, __VA_ARGS__))
#define CALL(NAME, ROUTINE, ...) OF_TEAM(ishmem_##NAME##_##ROUTINE, __VA_ARGS__)
#define CALL_MEM(ROUTINE, ...) OF_TEAM(ishmem_##ROUTINE, __VA_ARGS__)
#define TEAM(ROUTINE) ishmem_team_##ROUTINE
#define NO_TEAM ISHMEM_TEAM_INVALID
#define WORLD ISHMEM_TEAM_WORLD
#define RMA_TYPES NVSHMEM_C_RMA_TYPES
#define COMPLEX_TYPES(X)
#define BITWISE_TYPES ISHMEM_REDUCE_BITWISE_TYPES
#define HAS_STRIDES 0
#define RUN_EACH on_both

struct test;
static void on_both(struct test *t);
static void each(struct test *t);

#include "tests/pe/shmem_collective.c"

ANYSHMEM_KERNEL(kernel_each) { each((struct test *)arg); }

static void on_both(struct test *t)
{
    void *arg = t, *args[] = {&arg};
    dim3 one = {1, 1, 1};
    each(t);
    PE_EQUAL(nvshmemx_collective_launch((const void *)kernel_each, one, one, args, 0, 0), 0);
    PE_EQUAL(anyshmemx_stream_synchronize(NULL), 0);
}
