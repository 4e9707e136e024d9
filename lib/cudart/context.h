/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of the driver interface.  The runtime's current device is the one of the calling
 * thread's current context.
 */
#ifndef ASH_LIB_CUDART_CONTEXT_H
#define ASH_LIB_CUDART_CONTEXT_H

#include "lib/cudart/cudart.h"

struct CUctx_st {
    int device;
    unsigned flags;
    /* One of cuCtxCreate, not a device's primary one. */
    bool made;
};

/* The device that the calling thread uses; 0 if it has no context yet. */
ASH_LOCAL int ash_context_device(void);

/* Make the device's primary context the calling thread's. */
ASH_LOCAL void ash_context_primary(int device);

/* The primary context of a device. */
ASH_LOCAL struct CUctx_st *ash_context_of(int device);

#endif
