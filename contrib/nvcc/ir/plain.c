/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernels can run their threads in loops: those that wait for nothing but __syncthreads,
 * as far as the module tells.  A poll, which stands behind a volatile or atomic load, is a wait
 * where it lies in a loop that it may end.
 */
#include <stdlib.h>
#include <string.h>

#include "loop.h"

enum {
    /* May wait for anything, or nothing is known of it. */
    WAITS = 1,
    /* Has a poll, which is a wait if a loop calls the function. */
    POLLS = 2,
    /* Has a call that K.step must see: of a barrier, or for the thread's index. */
    INLINE = 4,
    /* Can call itself. */
    RECURSIVE = 8
};

struct function {
    LLVMValueRef function;
    unsigned facts;
    /* The first thing that waits, or the callee that has it. */
    const char *reason;
    struct function **callees;
    /* For each callee: a loop calls it. */
    bool *in_loop;
    size_t n_callees;
    unsigned mark;
};

static struct function *all;
static size_t n_all;
static unsigned mark = 1;

/* What the host device has for each device thread, in loops too.  The others of its calls wait. */
static const struct {
    const char *name;
    unsigned facts;
} known[] = {
    { "anyshmem_this_thread", INLINE },
    { "anyshmem_shared", 0 },
    { "ash_kernel_shared", 0 },
    { "ash_kernel_shared_at", 0 },
    { "ash_kernel_lane", INLINE },
    { "ash_kernel_fail", INLINE },
    { "ash_cuda_assert", INLINE },
    { "ash_cuda_trap", INLINE },
    { "ash_kernel_polled", POLLS | INLINE },
    { "ash_kernel_yield", POLLS | INLINE },
    { "ash_kernel_syncthreads", INLINE },
    { "vprintf", 0 },
    { "ash_cuda_vprintf", 0 },
    { "ash_cuda_clock", 0 },
};

static struct function *find(LLVMValueRef function)
{
    for (size_t i = 0; i < n_all; i++)
        if (all[i].function == function)
            return &all[i];
    return NULL;
}

static void waits(struct function *f, const char *reason)
{
    if (!(f->facts & WAITS))
        f->reason = reason;
    f->facts |= WAITS;
}

/* Only __syncthreads without a predicate is one that loops can have. */
static bool is_plain_barrier(LLVMValueRef call)
{
    LLVMValueRef kind = LLVMGetOperand(call, 0);

    return LLVMIsAConstantInt(kind) && LLVMConstIntGetZExtValue(kind) == 0 &&
           !LLVMGetFirstUse(call);
}

static void look_at_outside(struct function *f, LLVMValueRef call, const char *name)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        if (strcmp(name, known[i].name) != 0)
            continue;
        f->facts |= known[i].facts;
        if (known[i].facts & POLLS && ash_ir_loop_waits(LLVMGetInstructionParent(call)))
            waits(f, "a loop polls");
        if (strcmp(name, "ash_kernel_syncthreads") == 0 && !is_plain_barrier(call))
            waits(f, "__syncthreads_count, _and or _or");
        return;
    }
    if (!ash_ir_begins(name, "llvm.") && !ash_ir_of_c_library(name))
        waits(f, name);
}

static void look_at_call(struct function *f, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    struct function *to;

    if (!callee || !LLVMIsAFunction(callee)) {
        waits(f, LLVMIsAInlineAsm(callee) ? "inline assembly" : "a function pointer");
        return;
    }
    to = LLVMIsDeclaration(callee) ? NULL : find(callee);
    if (!to) {
        look_at_outside(f, call, LLVMGetValueName2(callee, &(size_t){ 0 }));
        return;
    }
    f->callees = realloc(f->callees, (f->n_callees + 1) * sizeof(*f->callees));
    f->in_loop = realloc(f->in_loop, (f->n_callees + 1) * sizeof(*f->in_loop));
    if (!f->callees || !f->in_loop)
        ash_ir_die("no memory");
    f->in_loop[f->n_callees] = ash_ir_in_loop(LLVMGetInstructionParent(call));
    f->callees[f->n_callees++] = to;
}

static void look_at(struct function *f)
{
    LLVMLinkage linkage = LLVMGetLinkage(f->function);

    /* Another file's may take its place. */
    if (linkage == LLVMWeakAnyLinkage || linkage == LLVMExternalWeakLinkage)
        waits(f, "a weak function");
    ASH_EACH_BLOCK(b, f->function)
        ASH_EACH_INSTRUCTION(i, b)
            if (LLVMIsACallInst(i))
                look_at_call(f, i);
            else if (LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i))
                waits(f, "a call that may not return");
}

/* Whether a function calls `to`, itself or by others. */
static bool calls(struct function *f, const struct function *to)
{
    f->mark = mark;
    for (size_t i = 0; i < f->n_callees; i++)
        if (f->callees[i] == to || (f->callees[i]->mark != mark && calls(f->callees[i], to)))
            return true;
    return false;
}

/* One callee's facts are its caller's; true if that is news. */
static bool inherit(struct function *f, size_t i)
{
    const struct function *callee = f->callees[i];
    unsigned before = f->facts;

    if (callee->facts & WAITS)
        waits(f, callee->reason);
    if (callee->facts & POLLS && f->in_loop[i])
        waits(f, "a loop polls");
    if (callee->facts & RECURSIVE && callee->facts & INLINE)
        waits(f, "a recursive function that asks for its thread");
    f->facts |= callee->facts & (POLLS | INLINE);
    return f->facts != before;
}

void ash_ir_plain_begin(struct ash_ir *ir)
{
    size_t n = 0;
    bool again = true;

    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        n += !LLVMIsDeclaration(f);
    all = ash_ir_alloc(n * sizeof(*all));
    n_all = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            all[n_all++].function = f;
    for (size_t i = 0; i < n_all; i++)
        look_at(&all[i]);
    for (size_t i = 0; i < n_all; i++, mark++)
        if (calls(&all[i], &all[i]))
            all[i].facts |= RECURSIVE;
    while (again) {
        again = false;
        for (size_t i = 0; i < n_all; i++)
            for (size_t k = 0; k < all[i].n_callees; k++)
                again |= inherit(&all[i], k);
    }
}

void ash_ir_plain_end(struct ash_ir *ir)
{
    for (size_t i = 0; i < n_all; i++) {
        free(all[i].callees);
        free(all[i].in_loop);
    }
    free(all);
    (void)ir;
}

static void inline_always(struct ash_ir *ir, LLVMValueRef function)
{
    static const char *const against[] = { "noinline", "optnone", "optsize", "minsize" };

    for (size_t i = 0; i < sizeof(against) / sizeof(*against); i++)
        LLVMRemoveEnumAttributeAtIndex(
            function, LLVMAttributeFunctionIndex,
            LLVMGetEnumAttributeKindForName(against[i], strlen(against[i])));
    ash_ir_add_attribute(ir, function, "alwaysinline", 0);
}

static void mark_callees(struct ash_ir *ir, struct function *f)
{
    f->mark = mark;
    if (f->facts & INLINE)
        inline_always(ir, f->function);
    for (size_t i = 0; i < f->n_callees; i++)
        if (f->callees[i]->mark != mark)
            mark_callees(ir, f->callees[i]);
}

const char *ash_ir_plain(struct ash_ir *ir, LLVMValueRef kernel)
{
    struct function *f = find(kernel);

    if (f->facts & RECURSIVE)
        waits(f, "a kernel that calls itself");
    if (f->facts & WAITS)
        return f->reason;
    mark++;
    mark_callees(ir, f);
    inline_always(ir, kernel);
    return NULL;
}
