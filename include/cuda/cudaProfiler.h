/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuProfilerStart and _Stop, which do nothing here.
 */
#ifndef ASH_CUDAPROFILER_H
#define ASH_CUDAPROFILER_H

#include "cuda.h"

#endif
