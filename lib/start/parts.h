/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the library, started and stopped in order; init.c says when.
 */
#ifndef ASH_LIB_START_PARTS_H
#define ASH_LIB_START_PARTS_H

/* Start them all, and open the routines; device: CUDA's number of the GPU to use, or -1.
 * 0, or an error that was logged: then none of them is left. */
int ash_parts_start(int device);

/* Close the routines, and stop them all; what was sent arrives. */
void ash_parts_stop(void);

/* This is a child of fork: the parts are the parent's. */
void ash_parts_forked(void);

#endif
