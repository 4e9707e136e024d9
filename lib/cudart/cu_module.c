/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The driver interface: modules and libraries, which all have the program's own kernels, and
 * launches.
 */
#include <string.h>

#include "lib/cudart/cu.h"
#include "lib/cudart/kernel.h"

struct CUmod_st {
    int unused;
};
struct CUlib_st {
    int unused;
};

/* The one that there is. */
static struct CUmod_st program;
static struct CUlib_st library_of_program;

static cudaError_t load(CUmodule *ret_module, const void *image)
{
    if (ret_module == NULL || image == NULL) return cudaErrorInvalidValue;
    *ret_module = &program;
    return cudaSuccess;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    ASH_CU(load(module, fname));
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    ASH_CU(load(module, image));
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues)
{
    (void)numOptions, (void)options, (void)optionValues;
    ASH_CU(load(module, image));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    ASH_CU(load(module, fatCubin));
}

CUresult cuModuleUnload(CUmodule hmod)
{
    return hmod == &program ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static cudaError_t get_function(CUfunction *ret_function, bool valid, const char *name)
{
    if (ret_function == NULL || name == NULL) return cudaErrorInvalidValue;
    if (!valid) return cudaErrorInvalidResourceHandle;
    *ret_function = ash_kernel_named(name);
    return *ret_function != NULL ? cudaSuccess : cudaErrorSymbolNotFound;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    ASH_CU(get_function(hfunc, hmod == &program, name));
}

static cudaError_t get_variable(CUdeviceptr *dptr, size_t *bytes, bool valid, const char *name)
{
    const struct ash_cuda_variable *v;
    if (name == NULL) return cudaErrorInvalidValue;
    if (!valid) return cudaErrorInvalidResourceHandle;
    v = ash_variable_named(name);
    if (v == NULL) return cudaErrorSymbolNotFound;
    if (dptr != NULL) *dptr = (CUdeviceptr)(uintptr_t)ash_variable_address(v);
    if (bytes != NULL) *bytes = v->nbytes;
    return cudaSuccess;
}

CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    ASH_CU(get_variable(dptr, bytes, hmod == &program, name));
}

static cudaError_t load_library(CUlibrary *ret_library, const void *code)
{
    if (ret_library == NULL || code == NULL) return cudaErrorInvalidValue;
    *ret_library = &library_of_program;
    return cudaSuccess;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitOptionsValues, unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions)
{
    (void)jitOptions, (void)jitOptionsValues, (void)numJitOptions;
    (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
    ASH_CU(load_library(library, code));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions)
{
    (void)jitOptions, (void)jitOptionsValues, (void)numJitOptions;
    (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
    ASH_CU(load_library(library, fileName));
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return library == &library_of_program ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* A kernel of a library and the function of it are one. */
CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
    ASH_CU(get_function((CUfunction *)(void *)pKernel, library == &library_of_program, name));
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
    if (library != &library_of_program) return CUDA_ERROR_INVALID_HANDLE;
    ASH_CU(load(pMod, library));
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    ASH_CU(get_variable(dptr, bytes, library == &library_of_program, name));
}

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
    if (pFunc == NULL || kernel == NULL) return CUDA_ERROR_INVALID_VALUE;
    *pFunc = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
    ASH_CU(load(hmod, hfunc));
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc)
{
    ASH_CU(cudaFuncGetName(name, hfunc));
}
