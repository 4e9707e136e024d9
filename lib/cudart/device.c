/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices, which are all this CPU: their number, the calling thread's, versions, flags, limits.
 */
#include <nvshmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/env.h"
#include "lib/bootstrap/bootstrap.h"
#include "lib/cudart/context.h"
#include "lib/cudart/memory.h"
#include "lib/cudart/work.h"

/* More would be a mistake in a launcher's variable. */
#define DEVICES_MAX 1024

/* The number in a launcher's variable, or 0. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    long n = text != NULL ? strtol(text, NULL, 10) : 0;
    return n > 0 && n <= DEVICES_MAX ? (int)n : 0;
}

/*
 * Processes of this node as launchers tell it; 0 if none does.  Those of an MPI come first: its
 * MPI_Init then finds PMIx unused.  Slurm's holds for the batch job, which a step may not fill.
 */
static int processes(void)
{
    static const char *const of_mpi[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                         "PALS_LOCAL_SIZE"};
    size_t i;
    int n = 0;
    for (i = 0; i < sizeof(of_mpi) / sizeof(of_mpi[0]) && n == 0; i++) n = number_of(of_mpi[i]);
    if (n == 0) n = (int)ash_bootstrap_n_local();
    return n != 0 ? n : number_of("SLURM_NTASKS_PER_NODE");
}

int ash_cudart_devices(void)
{
    /* It never shrinks: a program has used the devices that it was told of. */
    static int most;
    int n = __atomic_load_n(&most, __ATOMIC_RELAXED), have = n, wanted = ash_env_cuda().devices;
    if (wanted != 0) return wanted;
    if (have == 0) n = processes();
    if (nvshmemx_init_status() >= NVSHMEM_STATUS_IS_INITIALIZED) {
        int pes = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE);
        if (pes > n) n = pes;
    }
    if (n < 1) n = 1;
    if (n > have) __atomic_store_n(&most, n, __ATOMIC_RELAXED);
    return n;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (count == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *count = ash_cudart_devices();
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    if (device == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *device = ash_context_device();
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= ash_cudart_devices())
        return ash_cudart_status(cudaErrorInvalidDevice);
    ash_context_primary(device);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    (void)deviceFlags;
    (void)flags;
    return ash_cudart_status(device < 0 || device >= ash_cudart_devices() ? cudaErrorInvalidDevice
                                                                          : cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    int i;
    if (n < 0 || (devices == NULL && n > 0)) return ash_cudart_status(cudaErrorInvalidValue);
    for (i = 0; i < n; i++)
        if (devices[i] < 0 || devices[i] >= ash_cudart_devices())
            return ash_cudart_status(cudaErrorInvalidDevice);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (device == NULL || prop == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *device = 0;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    if (runtimeVersion == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    return cudaRuntimeGetVersion(driverVersion);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return ash_cudart_status(ash_work_wait_all());
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

/* As CUDA does, this frees all memory of the device, with which programs end. */
cudaError_t cudaDeviceReset(void)
{
    cudaError_t error = ash_work_wait_all();
    if (error == cudaSuccess) ash_allocation_free_all(ash_context_device());
    return ash_cudart_status(error);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

/* 0000:00:00.0 for device 0, 0000:01:00.0 for device 1. */
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
    if (pciBusId == NULL || len < 13) return ash_cudart_status(cudaErrorInvalidValue);
    if (device < 0 || device >= ash_cudart_devices())
        return ash_cudart_status(cudaErrorInvalidDevice);
    (void)snprintf(pciBusId, (size_t)len, "%04X:%02X:00.0", (unsigned)device >> 8,
                   (unsigned)device & 0xff);
    return ash_cudart_status(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
    unsigned domain, bus;
    if (device == NULL || pciBusId == NULL) return ash_cudart_status(cudaErrorInvalidValue);
    if (sscanf(pciBusId, "%x:%x:", &domain, &bus) != 2 || bus > 0xff ||
        (domain << 8 | bus) >= (unsigned)ash_cudart_devices())
        return ash_cudart_status(cudaErrorInvalidDevice);
    *device = (int)(domain << 8 | bus);
    return ash_cudart_status(cudaSuccess);
}
