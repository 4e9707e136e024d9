/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routines of the driver interface by their names.
 */
#include <dlfcn.h>
#include <string.h>

#include "lib/cudart/cu.h"

/* Names may have the version that CUDA adds. */
static void *find(const char *symbol)
{
    char name[128];
    size_t length = strlen(symbol);
    if (strncmp(symbol, "cu", 2) != 0 || length >= sizeof(name)) return NULL;
    memcpy(name, symbol, length + 1);
    if (length > 3 && name[length - 3] == '_' && name[length - 2] == 'v') name[length - 3] = '\0';
    return dlsym(RTLD_DEFAULT, name);
}

static cudaError_t entry_point(const char *symbol, void **ret_function,
                               enum cudaDriverEntryPointQueryResult *ret_result)
{
    if (symbol == NULL || ret_function == NULL) return cudaErrorInvalidValue;
    *ret_function = find(symbol);
    if (ret_result != NULL)
        *ret_result = *ret_function != NULL ? cudaDriverEntryPointSuccess
                                            : cudaDriverEntryPointSymbolNotFound;
    /* Who can ask the result gets no error. */
    return *ret_function != NULL || ret_result != NULL ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus)
{
    (void)flags;
    return ash_cudart_status(entry_point(symbol, funcPtr, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr,
                                             unsigned int cudaVersion, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus)
{
    (void)cudaVersion;
    return cudaGetDriverEntryPoint(symbol, funcPtr, flags, driverStatus);
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus)
{
    (void)cudaVersion;
    (void)flags;
    if (symbol == NULL || pfn == NULL) return CUDA_ERROR_INVALID_VALUE;
    *pfn = find(symbol);
    if (symbolStatus != NULL)
        *symbolStatus = *pfn != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                                     : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *pfn != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
