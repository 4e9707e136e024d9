/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows the versions at run time, with the path of each library that the loader found, and those
 * of the build.
 */
#include <config.h>
#include <dlfcn.h>
#include <nvshmem.h>
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <ucp/api/ucp.h>

#include "contrib/info/info.h"

#ifdef __clang__
#define COMPILER "" /* clang's __VERSION__ contains its name */
#else
#define COMPILER "gcc "
#endif

void info_library_of(const char *function, char *path, size_t nbytes)
{
    char real[PATH_MAX];
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, function);
    snprintf(path, nbytes, "?");
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) return;
    snprintf(path, nbytes, "%s", realpath(info.dli_fname, real) != NULL ? real : info.dli_fname);
}

static void library(const char *name, const char *version, const char *function)
{
    char path[PATH_MAX], key[32];
    info_library_of(function, path, sizeof(path));
    if (!info_is_json()) {
        info_row(name, "%s (%s)", version, path);
        return;
    }
    snprintf(key, sizeof(key), "%s path", name);
    info_row(name, "%s", version);
    info_row(key, "%s", path);
}

void info_version(void)
{
    char name[NVSHMEM_MAX_NAME_LEN];
    int major, minor;
    nvshmem_info_get_name(name);
    nvshmem_info_get_version(&major, &minor);
    info_row("tool", "%s", NVSHMEM_VENDOR_STRING);
    library("library", name, "nvshmem_info_get_name");
    info_row("interface", "%d.%d", major, minor);
    library("UCX", ucp_get_version_string(), "ucp_get_version_string");
    library("PMIx", PMIx_Get_version(), "PMIx_Get_version");
}

static const char *or_none(const char *text)
{
    return *text != '\0' ? text : "none";
}

void info_build(void)
{
    info_row("compiler", "%s%s, C %ld", COMPILER, __VERSION__, __STDC_VERSION__);
    info_row("configure", "%s", or_none(ASH_CONFIGURE));
    info_row("CUDA", "%s",
             *ASH_CUDA_ARCHS != '\0' ? "yes, device library for " ASH_CUDA_ARCHS
                                     : "no device library (the driver is used where there is one)");
    info_row("UCX", "%d.%d", UCP_API_MAJOR, UCP_API_MINOR);
    info_row("PMIx", "%ld.%ld.%ld", PMIX_VERSION_MAJOR, PMIX_VERSION_MINOR, PMIX_VERSION_RELEASE);
    info_row("contexts", "%s", ASH_CONTEXT);
    info_row("sanitizers", "%s", or_none(ASH_SANITIZED));
}
