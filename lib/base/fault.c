/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the message of a device routine's fault, which names the routine and the wrong argument,
 * and ends the job.
 */
#include "lib/base/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/hostdev/running.h"
#include "device/observe/observe.h"
#include "device/routine/active_set.h"
#include "device/state/static.h"
#include "lib/base/end.h"
#include "lib/base/error.h"
#include "lib/base/exit.h"
#include "lib/base/meeting.h"
#include "lib/base/text.h"

/* OpenSHMEM's routines name its constants, which have the values of NVSHMEM's. */
static const char *prefix(const struct ash_fault *f)
{
    return f->function[0] == 's' ? "SHMEM" : "NVSHMEM";
}

static const char *why_not_started(const struct ash_fault *f)
{
    bool is_openshmem = f->function[0] == 's';
    switch (ash_library_state) {
    case ASH_LIBRARY_FINALIZED:
        return is_openshmem ? "called after shmem_finalize" : "called after nvshmem_finalize";
    case ASH_LIBRARY_FORKED: return "not usable in a forked child";
    default: return is_openshmem ? "called before shmem_init" : "called before nvshmem_init";
    }
}

static _Noreturn void report_range(const struct ash_fault *f)
{
    const struct ash_state *s = dev_state;
    for (uint32_t i = 0; i < ash_static.n_ranges; i++) {
        const struct ash_static_range *r = &ash_static.range[i];
        if (f->value - r->begin < r->nbytes)
            ash_fatal("%s: %s 0x%" PRIx64 " (%" PRIu64
                      " bytes) leaves the symmetric static variables [%p, %p)",
                      f->function, f->argument, f->value, f->nbytes, (void *)r->begin,
                      (void *)(r->begin + r->nbytes));
    }
    ash_fatal("%s: %s 0x%" PRIx64 " (%" PRIu64
              " bytes) is outside the symmetric heap [%p, %p)",
              f->function, f->argument, f->value, f->nbytes, (void *)s->heap,
              (void *)(s->heap + s->heap_size));
}

static _Noreturn void report_kernel(const struct ash_fault *f)
{
    if (f->function == NULL) ash_fatal("%s", f->argument);
    ash_fatal("%s:%" PRIu64 ": %s", f->function, f->value, f->argument);
}

/* A kernel's fault: where it is. */
static void say_where(void)
{
    static __thread char buffer[256];
    struct ash_text text = ash_text_in(buffer, sizeof(buffer));
    struct ash_waiting_group at;
    const char *name;
    if (!ash_hostdev_place(&name, &at)) return;
    ash_print(&text, " (%s%sblock %u,%u,%u", name != NULL ? name : "", name != NULL ? ", " : "",
              at.block.x, at.block.y, at.block.z);
    if (at.n > 0) ash_print(&text, ", thread %u,%u,%u", at.thread.x, at.thread.y, at.thread.z);
    if (at.what != NULL) ash_print(&text, " waits for %s", at.what);
    ash_print(&text, ")");
    ash_end_suffix(buffer);
}

void ash_fault_report(const struct ash_fault *f)
{
    say_where();
    if (f->kind == ASH_FAULT_HOST_DEVICE) ash_fatal("%s", f->argument);
    if (f->kind == ASH_FAULT_KERNEL) report_kernel(f);
    if (ash_job_pes() == 0) ash_fatal("%s: %s", f->function, why_not_started(f));
    switch (f->kind) {
    case ASH_FAULT_EXIT: ash_global_exit(f->function, (int)f->value);
    case ASH_FAULT_NOT_STARTED: ash_fatal("%s: %s", f->function, why_not_started(f));
    case ASH_FAULT_PE:
        ash_fatal("%s: pe %" PRId64 " is out of range: this job has PEs 0..%u", f->function,
                  (int64_t)f->value, ash_job_pes() - 1);
    case ASH_FAULT_RANGE: report_range(f);
    case ASH_FAULT_ALIGNMENT:
        ash_fatal("%s: %s 0x%" PRIx64 " is not aligned to %" PRIu64 " bytes", f->function,
                  f->argument, f->value, f->nbytes);
    case ASH_FAULT_CMP:
        ash_fatal("%s: cmp %" PRId64 " is not one of %s_CMP_EQ..%s_CMP_GE (0..5)", f->function,
                  (int64_t)f->value, prefix(f), prefix(f));
    case ASH_FAULT_SIGNAL_OP:
        ash_fatal("%s: sig_op %" PRId64 " is neither %s_SIGNAL_SET (9) nor %s_SIGNAL_ADD (10)",
                  f->function, (int64_t)f->value, prefix(f), prefix(f));
    case ASH_FAULT_ISHMEM_CMP:
        ash_fatal("%s: cmp %" PRId64 " is not one of ISHMEM_CMP_EQ..ISHMEM_CMP_LE (1..6)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_ISHMEM_SIGNAL_OP:
        ash_fatal("%s: sig_op %" PRId64
                  " is neither ISHMEM_SIGNAL_SET (0) nor ISHMEM_SIGNAL_ADD (1)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_GROUP:
        ash_fatal("%s: group %" PRId64 " is not one of ISHMEMX_GROUP_THREAD.._WORK_GROUP (0..2)",
                  f->function, (int64_t)f->value);
    case ASH_FAULT_TEAM:
        ash_fatal("%s: invalid team %" PRId64 ": this PE is not a member", f->function,
                  (int64_t)f->value);
    case ASH_FAULT_ROOT:
        ash_fatal("%s: %s %" PRId64 " is out of range: the team has PEs 0..%" PRIu64, f->function,
                  f->argument, (int64_t)f->value, f->nbytes - 1);
    case ASH_FAULT_CTX:
        ash_fatal("%s: invalid context 0x%" PRIx64 ": %s", f->function, f->value,
                  f->value == 1 ? "the default one" : "not created, or destroyed");
    case ASH_FAULT_STRIDE:
        ash_fatal("%s: %s %" PRId64 " is not positive", f->function, f->argument,
                  (int64_t)f->value);
    case ASH_FAULT_ACTIVE_SET:
        ash_fatal("%s: PE_start %d, logPE_stride %d, PE_size %d is no active set with PE %d of "
                  "0..%u", f->function, (int)(uint32_t)f->value, (int)(f->value >> 32),
                  (int)f->nbytes, dev_state->my_pe, ash_job_pes() - 1);
    case ASH_FAULT_MEETING: ash_meeting_report(f->function, f->value, f->nbytes);
    case ASH_FAULT_CONCURRENT:
        if (f->value == ASH_SET_NUMBER)
            ash_fatal("%s: another thread is in %s: one thread of a PE at a time may call "
                      "collectives of active sets", f->function, f->argument);
        ash_fatal("%s: another thread is in %s, of the same team (%" PRIu64 "): one thread of a "
                  "PE at a time may call collectives of a team", f->function, f->argument,
                  f->value);
    case ASH_FAULT_INTERRUPTED:
        ash_fatal("%s: called in a signal handler, it waits for what the signal has interrupted",
                  f->function);
    case ASH_FAULT_SIZE:
        ash_fatal("%s: %s %" PRIu64 " of %" PRIu64 " bytes each exceed the address space",
                  f->function, f->argument, f->value, f->nbytes);
    case ASH_FAULT_LOCK:
        if (f->nbytes == 0)
            ash_fatal("%s: this PE does not have the lock 0x%" PRIx64, f->function, f->value);
        ash_fatal("%s: lock 0x%" PRIx64 " was not 0 before its first use: it has %" PRIu64
                  " in the place of a PE", f->function, f->value, f->nbytes);
    case ASH_FAULT_STREAM:
        ash_fatal("%s: invalid stream 0x%" PRIx64 ": destroyed, or not created by "
                  "anyshmemx_stream_create", f->function, f->value);
    case ASH_FAULT_QUEUE:
        ash_fatal("%s: out of memory or threads for an operation on stream 0x%" PRIx64, f->function,
                  f->value);
    case ASH_FAULT_STREAM_WAIT:
        ash_fatal("%s: cannot wait for stream 0x%" PRIx64 ": called in a kernel or in a function "
                  "on the stream, or the stream is captured", f->function, f->value);
    default: ash_fatal("%s: %s is NULL", f->function, f->argument);
    }
}

/* Copy a name that a GPU wrote, which may be empty or have no terminating zero. */
static const char *take_name(char *to, const char *from, size_t size, const char *if_empty)
{
    memcpy(to, from, size);
    to[size - 1] = '\0';
    return *to == '\0' ? if_empty : to;
}

void ash_fault_report_gpu(const struct ash_fault_box *box)
{
    char function[ASH_FAULT_FUNCTION], argument[ASH_FAULT_ARGUMENT], thread[128];
    struct ash_fault fault = {
        .kind = (enum ash_fault_kind)box->kind,
        .function = take_name(function, box->function, sizeof(function), "a device routine"),
        .argument = take_name(argument, box->argument, sizeof(argument), "an argument"),
        .value = box->value,
        .nbytes = box->nbytes};
    snprintf(thread, sizeof(thread), " (GPU: block %u,%u,%u, thread %u,%u,%u)", box->block[0],
             box->block[1], box->block[2], box->thread[0], box->thread[1], box->thread[2]);
    ash_end_suffix(thread);
    ash_fault_report(&fault);
    ash_fatal("%s: fault %u", fault.function, (unsigned)fault.kind);
}
