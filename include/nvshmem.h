/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem: NVSHMEM's interface over UCX and PMIx, for GPUs and for CPUs.
 *
 * One header for everything but the extensions (nvshmemx.h).  Compiles as C11,
 * as C++ and as CUDA C++.
 */
#ifndef NVSHMEM_H
#define NVSHMEM_H

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

#if defined(__CUDACC_RDC__) && !defined(ASH_DEVICE_LIBRARY)
/* Device routines need their part on the host: libanyshmem_device.a, by this name. */
extern "C" {
struct ash_module;
extern __attribute__((visibility("hidden"))) struct ash_module anyshmem_device_module;
}
static struct ash_module *const ash_module_needed __attribute__((used)) = &anyshmem_device_module;
#endif

/* Programs of CUDA find the extensions here, too, as in NVIDIA's header. */
#if defined(__CUDACC__)
#include <nvshmemx.h>
#endif

#endif
