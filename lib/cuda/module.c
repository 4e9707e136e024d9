/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules: each device link that contains device routines has a copy of this PE's state in
 * its own constant memory, and this file writes it.
 *
 * Device links of the program register themselves (device/gpu/module.h), before main or
 * when their library is loaded; modules that the program loaded through the driver it
 * passes to nvshmemx_cumodule_init or nvshmemx_culibrary_init.
 */
#include <nvshmem/buffer.h>
#include <nvshmemx.h>
#include <stdlib.h>

#include "device/target/target.h"
#include "lib/base/end.h"
#include "lib/base/log.h"
#include "lib/cuda/gpu.h"

/* The state's name in a link's device code. */
#define STATE_NAME "ash_device_state"

/* A CUmodule or CUlibrary that the program passed, and where its state is. */
struct loaded {
    const void *handle;
    void *context;
    uint64_t address;
    struct loaded *next;
};

static struct {
    struct ash_module *first;
    struct loaded *loaded;
    /* A module was registered while its CUDA runtime was not ready. */
    bool pending;
} modules;

static void check_version(const struct ash_module *m)
{
    if (m->version == ASH_MODULE_VERSION && m->state_nbytes == sizeof(struct ash_state) &&
        m->stream_op_nbytes == sizeof(struct ash_stream_op))
        return;
    ash_fatal("libanyshmem_device.a of this program is another version than libanyshmem.so: "
              "module %u/%u/%u, library %u/%zu/%zu; link the program again, with the "
              "libanyshmem_device.a that came with the library",
              m->version, m->state_nbytes, m->stream_op_nbytes, ASH_MODULE_VERSION,
              sizeof(struct ash_state), sizeof(struct ash_stream_op));
}

/* 0, or an error of CUDA's runtime or driver, which *ret_text describes. */
static int open_module(const struct ash_module *m, const struct ash_state *state,
                       const char **ret_text)
{
    void *address = NULL;
    int rc = m->state_address(&address);
    if (rc != 0) {
        *ret_text = m->error_text(rc);
        return rc;
    }
    rc = ash_cuda_copy(address, state, sizeof(*state));
    if (rc != 0) *ret_text = ash_cuda_text(rc);
    return rc;
}

/* The library is started: open a module that is registered now, or mark it as pending. */
static void open_late(const struct ash_module *m)
{
    struct ash_cuda_visit visit = ash_cuda_enter(ash_gpu.context);
    struct ash_state state;
    const char *text;
    if (ash_cuda_state(&state) != 0 || open_module(m, &state, &text) != 0) modules.pending = true;
    ash_cuda_leave(visit);
}

void anyshmem_module_register(struct ash_module *module)
{
    check_version(module);
    ash_cuda_lock();
    module->next = modules.first;
    modules.first = module;
    if (ash_gpu_routines != NULL) open_late(module);
    ash_cuda_unlock();
}

void anyshmem_module_unregister(struct ash_module *module)
{
    struct ash_module **link;
    ash_cuda_lock();
    for (link = &modules.first; *link != NULL; link = &(*link)->next) {
        if (*link != module) continue;
        *link = module->next;
        break;
    }
    ash_cuda_unlock();
}

bool ash_modules_any(void) { return modules.first != NULL; }
bool ash_modules_pending(void) { return modules.pending; }
struct ash_module *ash_modules_first(void) { return modules.first; }

struct ash_module *ash_modules_find(const void *kernel)
{
    struct ash_module *m = modules.first;
    while (m != NULL && !m->knows(kernel)) m = m->next;
    return m;
}

void ash_modules_open(const struct ash_state *state)
{
    const char *text = "";
    for (struct ash_module *m = modules.first; m != NULL; m = m->next) {
        int rc = open_module(m, state, &text);
        /* At the end of the program a context that is gone needs no state. */
        if (rc != 0 && !(state->n_pes == 0 && ash_cuda_is_gone(rc)))
            ash_fatal("the state cannot be given to a CUDA module: %s", text);
    }
    for (struct loaded *l = modules.loaded; l != NULL; l = l->next) {
        int rc;
        if (l->context != ash_gpu.context) continue;
        rc = ash_cuda_copy((void *)(uintptr_t)l->address, state, sizeof(*state));
        if (rc != 0 && state->n_pes != 0) ash_cuda_lost("the state of a CUmodule", rc);
    }
    modules.pending = false;
}

void ash_modules_forget(void)
{
    struct loaded *l, *next;
    for (l = modules.loaded; l != NULL; l = next) {
        next = l->next;
        free(l);
    }
    modules.loaded = NULL;
}

/* Modules that the program loaded through the driver. */

typedef int global_function(uint64_t *ret_address, size_t *ret_nbytes, void *handle,
                            const char *name);

static int invalid(const char *function, const char *text)
{
    ash_log(ASH_LOG_ERROR, "%s: %s", function, text);
    return NVSHMEMX_ERROR_INVALID_VALUE;
}

/* Find the state in the module and copy it there; the lock is held and the context is current. */
static int init_loaded(const char *function, void *handle, global_function *get_global)
{
    struct loaded *l;
    struct ash_state state;
    uint64_t address = 0;
    size_t nbytes = 0;
    int rc = get_global(&address, &nbytes, handle, STATE_NAME);
    if (rc != 0) {
        ash_log(ASH_LOG_ERROR, "%s: no " STATE_NAME " in it (%s): was it linked with "
                               "libanyshmem_device.a?", function, ash_cuda_text(rc));
        return NVSHMEMX_ERROR_INVALID_VALUE;
    }
    if (nbytes != sizeof(state))
        return invalid(function, "linked with the libanyshmem_device.a of another version");
    l = calloc(1, sizeof(*l));
    if (l == NULL) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    rc = ash_cuda_state(&state);
    if (rc == 0) rc = ash_cuda_copy((void *)(uintptr_t)address, &state, sizeof(state));
    if (rc != 0) ash_cuda_lost(function, rc);
    *l = (struct loaded){handle, ash_gpu.context, address, modules.loaded};
    modules.loaded = l;
    return NVSHMEMX_SUCCESS;
}

static int init_handle(const char *function, void *handle, global_function *get_global)
{
    struct ash_cuda_visit visit;
    int rc;
    if (handle == NULL) return invalid(function, "the handle is NULL");
    if (ash_gpu_routines == NULL) return NVSHMEMX_SUCCESS;
    ash_gpu_routines->check_device_change(function);
    ash_cuda_lock();
    visit = ash_cuda_enter(ash_gpu.context);
    rc = init_loaded(function, handle, get_global);
    ash_cuda_leave(visit);
    ash_cuda_unlock();
    return rc;
}

static int finalize_handle(const char *function, const void *handle)
{
    struct loaded **link, *found = NULL;
    if (handle == NULL) return invalid(function, "the handle is NULL");
    if (ash_gpu_routines == NULL) return NVSHMEMX_SUCCESS;
    ash_cuda_lock();
    for (link = &modules.loaded; *link != NULL && found == NULL; ) {
        if ((*link)->handle == handle) {
            found = *link;
            *link = found->next;
        } else {
            link = &(*link)->next;
        }
    }
    ash_cuda_unlock();
    if (found == NULL) return invalid(function, "it was not initialized");
    free(found);
    return NVSHMEMX_SUCCESS;
}

int nvshmemx_cumodule_init(CUmodule module)
{
    return init_handle("nvshmemx_cumodule_init", module, ash_cuda.module_global);
}

int nvshmemx_cumodule_finalize(CUmodule module)
{
    return finalize_handle("nvshmemx_cumodule_finalize", module);
}

int nvshmemx_culibrary_init(CUlibrary library)
{
    return init_handle("nvshmemx_culibrary_init", library, ash_cuda.library_global);
}

int nvshmemx_culibrary_finalize(CUlibrary library)
{
    return finalize_handle("nvshmemx_culibrary_finalize", library);
}
