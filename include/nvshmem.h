/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem: NVSHMEM's interface over UCX and PMIx, for GPUs and for CPUs.
 *
 * This header declares everything except the extensions (nvshmemx.h).  It
 * compiles as C11, as C++ and as CUDA C++.
 */
#ifndef NVSHMEM_H
#define NVSHMEM_H

#include <nvshmem/cuda.h>
#include <nvshmem/version.h>

#include <nvshmem/amo.h>
#include <nvshmem/collective.h>
#include <nvshmem/deprecated.h>
#include <nvshmem/heap.h>
#include <nvshmem/init.h>
#include <nvshmem/order.h>
#include <nvshmem/rma.h>
#include <nvshmem/signal.h>
#include <nvshmem/sync.h>
#include <nvshmem/team.h>

#if defined(__CUDACC_RDC__) && !defined(__ANYSHMEM_NVCC__) && !defined(ASH_DEVICE_LIBRARY) && \
    !defined(NVSHMEM_HOSTLIB_ONLY)
/*
 * A GPU's device routines need their host part.  This reference makes the linker take it
 * from libanyshmem_device.a, or report that the library is missing.  A file that calls
 * host routines alone defines NVSHMEM_HOSTLIB_ONLY and needs no device library.
 */
extern "C" {
struct ash_module;
extern __attribute__((visibility("hidden"))) struct ash_module anyshmem_device_module;
}
static struct ash_module *const ash_module_needed __attribute__((used)) = &anyshmem_device_module;
#endif

/* CUDA programs get the extensions from this header, too, as from NVIDIA's. */
#if defined(ASH_CUDA_HEADERS)
#include <nvshmemx.h>
#endif

#endif
