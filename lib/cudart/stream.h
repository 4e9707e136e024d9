/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime knows of a stream.
 */
#ifndef ASH_LIB_CUDART_STREAM_H
#define ASH_LIB_CUDART_STREAM_H

#include "lib/cudart/cudart.h"

/* cudaStreamNonBlocking or 0. */
ASH_LOCAL unsigned ash_stream_flags(cudaStream_t stream);

#endif
