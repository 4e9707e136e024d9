/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up the names of driver.def in libcuda by dlopen and dlsym, and starts the driver.
 */
#include "lib/cuda/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/env.h"
#include "lib/base/error.h"

struct ash_cuda_driver ash_cuda;

static const struct {
    const char *symbol;
    size_t offset;
} names[] = {
#define CUDA(name, symbol, parameters) {symbol, offsetof(struct ash_cuda_driver, name)},
#include "lib/cuda/driver.def"
#undef CUDA
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

/* Set all pointers; returns the first name that the library lacks, or NULL. */
static const char *find_names(void *library)
{
    const char *missing = NULL;
    for (size_t i = 0; i < N_NAMES; i++) {
        void *function = dlsym(library, names[i].symbol);
        if (function == NULL && missing == NULL) missing = names[i].symbol;
        memcpy((unsigned char *)&ash_cuda + names[i].offset, &function, sizeof(function));
    }
    return missing;
}

bool ash_cuda_context_is_current(void)
{
    void *context = NULL, *library = dlopen(ash_env.cuda_driver, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) return false;
    find_names(library);
    dlclose(library);
    return ash_cuda.context_current != NULL && ash_cuda.context_current(&context) == 0 &&
           context != NULL;
}

/* The driver's version, or 0 if it cannot say. */
static int version_of_driver(void)
{
    int version = 0;
    if (ash_cuda.driver_version == NULL || ash_cuda.driver_version(&version) != 0) return 0;
    return version;
}

static int because(struct ash_cuda_reason *reason, bool usual)
{
    reason->usual = usual;
    return ASH_ERROR_CUDA;
}

/* The library is never unloaded: CUDA's runtime uses it until the program ends. */
static int load_library(struct ash_cuda_reason *reason)
{
    const char *missing;
    void *library = dlopen(ash_env.cuda_driver, RTLD_NOW);
    int version;
    if (library == NULL) {
        snprintf(reason->text, sizeof(reason->text), "no CUDA driver: %s", dlerror());
        return because(reason, true);
    }
    missing = find_names(library);
    version = version_of_driver();
    if (version > 0 && version < ASH_CUDA_VERSION_MIN) {
        snprintf(reason->text, sizeof(reason->text),
                 "the CUDA driver is too old: it is of CUDA %d.%d, and %d.%d is needed",
                 version / 1000, version % 1000 / 10, ASH_CUDA_VERSION_MIN / 1000,
                 ASH_CUDA_VERSION_MIN % 1000 / 10);
        return because(reason, false);
    }
    if (missing == NULL) return 0;
    snprintf(reason->text, sizeof(reason->text), "%s is not a CUDA driver: it lacks %s",
             ash_env.cuda_driver, missing);
    return because(reason, false);
}

int ash_cuda_load(int *ret_count, struct ash_cuda_reason *ret_reason)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int rc = load_library(ret_reason);
    if (rc != 0) return rc;
    rc = ash_cuda.init(0);
    *ret_count = 0;
    if (rc == 0) rc = ash_cuda.device_count(ret_count);
    if (rc == ASH_CUDA_NO_DEVICE || (rc == 0 && *ret_count == 0)) {
        snprintf(ret_reason->text, sizeof(ret_reason->text), "the CUDA driver has no device%s%s%s",
                 visible != NULL ? " (CUDA_VISIBLE_DEVICES=" : "", visible != NULL ? visible : "",
                 visible != NULL ? ")" : "");
        return because(ret_reason, true);
    }
    if (rc == 0) return 0;
    snprintf(ret_reason->text, sizeof(ret_reason->text), "the CUDA driver does not start: %s",
             ash_cuda_text(rc));
    return because(ret_reason, false);
}

const char *ash_cuda_text(int error)
{
    static __thread char text[160];
    const char *name = "no name", *string = "no text";
    (void)ash_cuda.error_name(error, &name);
    (void)ash_cuda.error_string(error, &string);
    snprintf(text, sizeof(text), "CUDA error %d, %s (%s)", error, name != NULL ? name : "?",
             string != NULL ? string : "?");
    return text;
}
