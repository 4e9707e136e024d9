/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: one list; the one message that ends a job; where in its life the
 * library is.
 *
 * Inside, a function returns 0 or one of these (negative), and whoever decides
 * that something is an error logs it, once.  Only the routines that users call
 * end the program.
 */
#ifndef ASH_LIB_BASE_ERROR_H
#define ASH_LIB_BASE_ERROR_H

#include "device/state/state.h"

#define ASH_ERRORS(X) \
    X(NO_MEMORY, -1, "out of memory") \
    X(SYSTEM, -2, "the operating system refused") \
    X(UCX, -3, "UCX failed") \
    X(BOOTSTRAP, -4, "the PEs could not be brought together") \
    X(BAD_VALUE, -5, "a setting has a bad value") \
    X(NOT_ALLOCATED, -6, "was not returned by nvshmem_malloc, calloc or align") \
    X(NOT_A_BLOCK, -7, "lies inside of a block, not at its start") \
    X(FREED, -8, "was freed before") \
    X(NOT_THE_FILE, -9, "the file is not the one that was announced") \
    X(CUDA, -10, "the GPU cannot be used")

enum ash_error {
#define X(NAME, VALUE, TEXT) ASH_ERROR_##NAME = (VALUE),
    ASH_ERRORS(X)
#undef X
};

const char *ash_error_text(int error);

/* Exit status of a PE that ends its job, and of one that lost another PE. */
#define ASH_EXIT_FATAL 70
#define ASH_EXIT_PEER_LOST 71

/* Why a job ends. */
enum ash_cause_kind {
    /* A PE ended it: by an error of its own, or by nvshmem_global_exit. */
    ASH_CAUSE_ENDED = 1,
    /* A PE's process is gone, without nvshmem_finalize. */
    ASH_CAUSE_LOST,
    /* A PE did not stir for so many seconds. */
    ASH_CAUSE_SILENT,
    /* The connection to a PE broke. */
    ASH_CAUSE_BROKEN
};

#define ASH_HOST_BYTES 64
#define ASH_WHY_BYTES 64

struct ash_cause {
    uint32_t kind;
    int32_t status;
    /* The PE, its process, its host. */
    uint32_t pe;
    uint32_t seconds;
    int64_t pid;
    char host[ASH_HOST_BYTES];
    /* ASH_CAUSE_BROKEN: what failed. */
    char why[ASH_WHY_BYTES];
};

/* The cause is another PE, whose process and host are these. */
void ash_cause_of_peer(struct ash_cause *ret_cause, enum ash_cause_kind kind, uint32_t pe,
                       int64_t pid, const char *host);

/* A cause as another process sent it; false: it is none of a job of n_pes PEs. */
bool ash_cause_take(struct ash_cause *ret_cause, const void *bytes, size_t nbytes,
                    uint32_t n_pes);

/*
 * For how long a PE or a host was not heard of, and when that is warned about next: after a
 * quarter of the time limit or 10 s, and again whenever it has become twice as long.
 */
struct ash_silence {
    int ms;
    int next_ms;
};

/* It has been silent for so much longer; true: a warning is due. */
bool ash_silence_grows(struct ash_silence *silence, int elapsed_ms, int limit_ms);

/* Log an error: there is no memory for that.  Returns ASH_ERROR_NO_MEMORY. */
int ash_no_memory_for(const char *what);

/* The same for a thread: why is what pthread_create returned.  Returns ASH_ERROR_SYSTEM. */
int ash_no_thread_for(const char *what, int why);

/* Tells the launcher to end the job; set while there is one. */
extern void (*ash_abort_hook)(int status);

/*
 * Log one line at level error, end the job, end this process: within 10 s, even
 * if the hook hangs.  Of several threads, only the first one's line is written.
 */
_Noreturn void ash_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same where that line was logged already. */
_Noreturn void ash_fatal_told(void);

/* Before a job is ended another way: let the launcher read what was logged. */
void ash_fatal_let_read(void);

/*
 * Tells the other PEs why this one ends; set while there are any.  Called with
 * the message written, by the thread that ends the process.
 */
extern void (*ash_tell_hook)(const struct ash_cause *cause);

/* Why this process ends, once it does; before, NULL.  For ash_abort_hook. */
extern const struct ash_cause *ash_end_cause;

/* The same for a cause that may be another PE's: the text says it, or is NULL. */
_Noreturn void ash_end(const struct ash_cause *cause, int level, const char *text);

/*
 * The calling thread is about to end the job: it cannot be cancelled any more, the end has a
 * time limit, and nobody takes away what others are told by.  ash_end does it, too.
 */
void ash_end_begins(int status);

/* Does the calling thread end the job? */
bool ash_end_is_mine(void);

/* The same where telling others has failed: the launcher alone is told. */
_Noreturn void ash_end_untold(void);

/*
 * Between these the end of the library takes away what an end of the job needs; it waits for
 * ever where one has begun.
 */
void ash_end_gate_enter(void);
void ash_end_gate_leave(void);

/* This process ends as late as that, whatever never returns until then. */
void ash_end_within(int ms);

/* The message of a device routine's fault, then the end: state.on_fault. */
void ash_fault_report(const struct ash_fault *fault);

/* The same for a fault of a GPU, with its block and thread; trusts no string of the box. */
_Noreturn void ash_fault_report_gpu(const struct ash_fault_box *box);

enum ash_life { ASH_LIFE_NEW, ASH_LIFE_STARTED, ASH_LIFE_FINALIZED, ASH_LIFE_FORKED };
extern enum ash_life ash_life;

#endif
