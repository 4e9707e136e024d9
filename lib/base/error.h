/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of errors, and the state of the library.
 *
 * An internal function returns 0 or one of these errors, which are negative.  The function
 * that decides that something is an error logs it, once.  Only the routines that users
 * call end the program.
 */
#ifndef ASH_LIB_BASE_ERROR_H
#define ASH_LIB_BASE_ERROR_H

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

/* Log the error that there is no memory for `what`.  Returns ASH_ERROR_NO_MEMORY. */
int ash_no_memory_for(const char *what);

/* Log the error that no thread can be started for `what`; why: what pthread_create returned.
 * Returns ASH_ERROR_SYSTEM. */
int ash_no_thread_for(const char *what, int why);

enum ash_library_state {
    ASH_LIBRARY_UNINITIALIZED,
    ASH_LIBRARY_STARTED,
    ASH_LIBRARY_FINALIZED,
    ASH_LIBRARY_FORKED
};
extern enum ash_library_state ash_library_state;

#endif
