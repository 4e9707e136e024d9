/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of kernels and variables: units by their ids, and what the host half of a unit
 * has for them.
 */
#include "lib/cudart/kernel.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* What __cudaRegisterFatBinary is passed. */
struct wrapper {
    int magic, version;
    const char *data;
    void *unused;
};

struct unit {
    struct unit *next;
    const char *id;
    const struct ash_cuda_unit *tables;
    struct CUfunc_st *functions;
};

/* An address of the host half, and the function or variable of the device half. */
struct host_entry {
    const void *host;
    struct CUfunc_st *function;
    const struct ash_cuda_variable *variable;
};

/* Written and read by: all threads, under `lock`. */
static struct unit *units;
static void *hosts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const struct host_entry *)left)->host;
    uintptr_t b = (uintptr_t)((const struct host_entry *)right)->host;
    return a < b ? -1 : a > b;
}

void ash_kernel_fill(struct CUfunc_st *f, struct ash_launch *ret_launch)
{
    ret_launch->thunk = f->kernel->thunk;
    ret_launch->run = f->kernel->run;
    ret_launch->frames_nbytes = f->kernel->frames_nbytes;
    ret_launch->sizes = f->kernel->sizes;
    ret_launch->n_args = f->kernel->n_args;
    ret_launch->name = ash_kernel_shown(f);
}

/* For nvshmemx_collective_launch. */
static bool find_launch(const void *func, struct ash_launch *ret_launch)
{
    struct CUfunc_st *f = ash_kernel_of(func);
    if (f == NULL) return false;
    ash_kernel_fill(f, ret_launch);
    return true;
}

void __anyshmem_cuda_unit(const char *unit_id, const struct ash_cuda_unit *tables)
{
    struct unit *unit = calloc(1, sizeof(*unit));
    unsigned i;
    if (unit == NULL) abort();
    unit->id = unit_id;
    unit->tables = tables;
    unit->functions = calloc(tables->n_kernels + 1, sizeof(*unit->functions));
    if (unit->functions == NULL) abort();
    for (i = 0; i < tables->n_kernels; i++) {
        unit->functions[i].kernel = &tables->kernels[i];
        unit->functions[i].shared_max = ASH_BLOCK_SHARED;
        unit->functions[i].carveout = cudaSharedmemCarveoutDefault;
    }
    (void)pthread_mutex_lock(&lock);
    unit->next = units;
    units = unit;
    ash_kernel_find = find_launch;
    (void)pthread_mutex_unlock(&lock);
}

/* Returns the unit, as a handle for the calls below. */
void **__cudaRegisterFatBinary(void *fatCubin)
{
    const struct wrapper *w = fatCubin;
    struct unit *unit;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL; unit = unit->next)
        if (w->data != NULL && strcmp(unit->id, w->data) == 0) break;
    (void)pthread_mutex_unlock(&lock);
    return (void **)unit;
}

void __cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
    (void)fatCubinHandle;
}

void __cudaUnregisterFatBinary(void **fatCubinHandle)
{
    (void)fatCubinHandle;
}

/* An address that is there already gets the newer meaning: that of a library loaded later. */
static void enter(const struct host_entry *entry)
{
    struct host_entry *copy = malloc(sizeof(*copy));
    void *node;
    if (copy == NULL) abort();
    *copy = *entry;
    (void)pthread_mutex_lock(&lock);
    node = tsearch(copy, &hosts, compare);
    if (node == NULL) abort();
    if (*(struct host_entry **)node != copy) {
        **(struct host_entry **)node = *entry;
        free(copy);
    }
    (void)pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **fatCubinHandle, const char *hostFun, char *deviceFun,
                            const char *deviceName, int thread_limit, uint3 *tid, uint3 *bid,
                            dim3 *bDim, dim3 *gDim, int *wSize)
{
    const struct unit *unit = (const struct unit *)fatCubinHandle;
    struct host_entry entry = {.host = hostFun};
    unsigned i;
    (void)deviceFun;
    (void)thread_limit;
    (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
    for (i = 0; unit != NULL && i < unit->tables->n_kernels; i++)
        if (strcmp(unit->tables->kernels[i].name, deviceName) == 0)
            entry.function = &unit->functions[i];
    if (entry.function == NULL) return;
    entry.function->host = hostFun;
    enter(&entry);
}

/*
 * A __managed__ variable is the host's copy, for kernels as well: they read the address of it in a
 * pointer, "NAME.managed", which the unit has right behind the variable.  NULL: it is another one.
 */
static void **managed_pointer(const struct ash_cuda_unit *unit, unsigned i)
{
    const struct ash_cuda_variable *v = &unit->variables[i], *next = v + 1;
    const size_t length = strlen(v->name);
    if (i + 1 == unit->n_variables || strncmp(next->name, v->name, length) != 0) return NULL;
    return strcmp(next->name + length, ".managed") == 0 ? next->address : NULL;
}

void __cudaRegisterVar(void **fatCubinHandle, char *hostVar, char *deviceAddress,
                       const char *deviceName, int ext, size_t size, int constant, int global)
{
    const struct unit *unit = (const struct unit *)fatCubinHandle;
    struct host_entry entry = {.host = hostVar};
    void **managed = NULL;
    unsigned i;
    (void)deviceAddress;
    (void)ext, (void)size, (void)constant, (void)global;
    for (i = 0; unit != NULL && i < unit->tables->n_variables; i++) {
        if (strcmp(unit->tables->variables[i].name, deviceName) != 0) continue;
        entry.variable = &unit->tables->variables[i];
        managed = managed_pointer(unit->tables, i);
    }
    if (entry.variable == NULL) return;
    if (managed != NULL) {
        memcpy(hostVar, entry.variable->address, entry.variable->nbytes);
        *managed = hostVar;
    }
    enter(&entry);
}

/* The host half has a pointer, which becomes the variable's address. */
void __cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress, char *deviceAddress,
                              const char *deviceName, int ext, size_t size, int constant,
                              int global)
{
    const struct unit *unit = (const struct unit *)fatCubinHandle;
    unsigned i;
    (void)deviceAddress;
    (void)ext, (void)size, (void)constant, (void)global;
    for (i = 0; unit != NULL && i < unit->tables->n_variables; i++)
        if (strcmp(unit->tables->variables[i].name, deviceName) == 0)
            *hostVarPtrAddress = unit->tables->variables[i].address;
}

/* The caller holds the lock. */
static const struct host_entry *find_host(const void *host)
{
    const struct host_entry key = {.host = host};
    void *node = tfind(&key, &hosts, compare);
    return node != NULL ? *(struct host_entry **)node : NULL;
}

struct CUfunc_st *ash_kernel_of(const void *func)
{
    const struct host_entry *entry;
    struct CUfunc_st *f = NULL;
    const struct unit *unit;
    (void)pthread_mutex_lock(&lock);
    entry = find_host(func);
    if (entry != NULL) f = entry->function;
    /* A handle points into a unit's table. */
    for (unit = units; f == NULL && unit != NULL; unit = unit->next) {
        uintptr_t first = (uintptr_t)unit->functions, at = (uintptr_t)func;
        if (at >= first && at < first + unit->tables->n_kernels * sizeof(*f))
            f = &unit->functions[(at - first) / sizeof(*f)];
    }
    (void)pthread_mutex_unlock(&lock);
    return f;
}

struct CUfunc_st *ash_kernel_of_thunk(void (*thunk)(void **args))
{
    const struct unit *unit;
    struct CUfunc_st *f = NULL;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL; unit = unit->next)
        for (i = 0; i < unit->tables->n_kernels; i++)
            if (unit->tables->kernels[i].thunk == thunk) f = &unit->functions[i];
    (void)pthread_mutex_unlock(&lock);
    return f;
}

struct CUfunc_st *ash_kernel_named(const char *name)
{
    const struct unit *unit;
    struct CUfunc_st *f = NULL;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL; unit = unit->next)
        for (i = 0; i < unit->tables->n_kernels; i++)
            if (strcmp(unit->tables->kernels[i].name, name) == 0) f = &unit->functions[i];
    (void)pthread_mutex_unlock(&lock);
    return f;
}

const struct ash_cuda_variable *ash_variable_of(const void *symbol)
{
    const struct host_entry *entry;
    const struct ash_cuda_variable *v = NULL;
    const struct unit *unit;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    entry = find_host(symbol);
    if (entry != NULL) v = entry->variable;
    for (unit = units; v == NULL && unit != NULL; unit = unit->next)
        for (i = 0; i < unit->tables->n_variables; i++)
            if (unit->tables->variables[i].address == symbol) v = &unit->tables->variables[i];
    (void)pthread_mutex_unlock(&lock);
    return v;
}

const struct ash_cuda_variable *ash_variable_named(const char *name)
{
    const struct unit *unit;
    const struct ash_cuda_variable *v = NULL;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL; unit = unit->next)
        for (i = 0; i < unit->tables->n_variables; i++)
            if (strcmp(unit->tables->variables[i].name, name) == 0)
                v = &unit->tables->variables[i];
    (void)pthread_mutex_unlock(&lock);
    return v;
}

void *ash_variable_address(const struct ash_cuda_variable *variable)
{
    const struct unit *unit;
    void **managed = NULL;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL; unit = unit->next)
        for (i = 0; i < unit->tables->n_variables; i++)
            if (&unit->tables->variables[i] == variable) managed = managed_pointer(unit->tables, i);
    (void)pthread_mutex_unlock(&lock);
    return managed != NULL ? *managed : variable->address;
}

static bool is_in(const struct ash_cuda_unit *unit, unsigned i, uintptr_t address,
                  uintptr_t *ret_start, size_t *ret_nbytes)
{
    const struct ash_cuda_variable *v = &unit->variables[i];
    void **managed = managed_pointer(unit, i);
    *ret_start = (uintptr_t)(managed != NULL ? *managed : v->address);
    *ret_nbytes = v->nbytes;
    return address - *ret_start < v->nbytes || address - (uintptr_t)v->address < v->nbytes;
}

bool ash_variable_range(const void *address, uintptr_t *ret_start, size_t *ret_nbytes)
{
    const struct unit *unit;
    bool found = false;
    unsigned i;
    (void)pthread_mutex_lock(&lock);
    for (unit = units; unit != NULL && !found; unit = unit->next)
        for (i = 0; i < unit->tables->n_variables && !found; i++)
            found = is_in(unit->tables, i, (uintptr_t)address, ret_start, ret_nbytes);
    (void)pthread_mutex_unlock(&lock);
    return found;
}
