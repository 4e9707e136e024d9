/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the library, started and stopped in order; init.c decides when.
 */
#ifndef ASH_LIB_START_PARTS_H
#define ASH_LIB_START_PARTS_H

/* Start them all, and open the routines; device: CUDA's number of the GPU to use, or -1.
 * 0, or an error that was logged, after which no part is running. */
int ash_parts_start(int device);

/* Complete what was sent, close the routines, and stop all parts. */
void ash_parts_stop(void);

/* Complete what this PE has sent, in some seconds at most; the other PEs need not be there. */
void ash_parts_flush(void);

/* In a child of fork: close the routines, and leave the parts to the parent. */
void ash_parts_forked(void);

#endif
