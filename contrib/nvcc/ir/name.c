/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names: the device half of a file has functions of the same names as the host half, which
 * may differ.  What the device half defines gets a suffix, and so does what another file's
 * device half must define.  What libraries define for both keeps its name.
 *
 * Without -rdc each file's device half is a program of its own: files may define the same names,
 * and each has its own.  Other files see such a name all the same, as a weak one: nvcc would not
 * let them.
 */
#include "ir.h"

#include <stdio.h>
#include <string.h>

static const char *const library_prefixes[] = {
    "llvm.",     "ash_",     "anyshmem_", "__anyshmem_", "nvshmem_", "nvshmemx_",
    "nvshmemi_", "shmem_",   "shmemx_",   "ishmem_",     "ishmemx_", "cuda",
    "__tsan_",   "__asan_",  "__ubsan_",  "__sanitizer_",
};

/* Of the C library: what the headers of include/cuda call, and what LLVM makes calls of. */
static const char *const library_names[] = {
    "abort",    "acos",      "acosf",    "acosh",    "acoshf",    "asin",     "asinf",
    "asinh",    "asinhf",    "atan",     "atan2",    "atan2f",    "atanf",    "atanh",
    "atanhf",   "cbrt",      "cbrtf",    "ceil",     "ceilf",     "copysign", "copysignf",
    "cos",      "cosf",      "cosh",     "coshf",    "erf",       "erfc",     "erfcf",
    "erff",     "exp",       "exp10",    "exp10f",   "exp2",      "exp2f",    "expf",
    "expm1",    "expm1f",    "fabs",     "fabsf",    "fdim",      "fdimf",    "fegetround",
    "fesetround", "floor",   "floorf",   "fma",      "fmaf",      "fmax",     "fmaxf",
    "fmin",     "fminf",     "fmod",     "fmodf",    "free",      "frexp",    "frexpf",
    "hypot",    "hypotf",    "ilogb",    "ilogbf",   "j0",        "j1",       "jn",
    "ldexp",    "ldexpf",    "lgamma",   "lgammaf",  "llrint",    "llrintf",  "llround",
    "llroundf", "log",       "log10",    "log10f",   "log1p",     "log1pf",   "log2",
    "log2f",    "logb",      "logbf",    "logf",     "lrint",     "lrintf",   "lround",
    "lroundf",  "malloc",    "memchr",   "memcmp",   "memcpy",    "memmove",  "memset",
    "modf",     "modff",     "nearbyint", "nearbyintf", "nextafter", "nextafterf", "pow",
    "powf",     "remainder", "remainderf", "remquo", "remquof",   "rint",     "rintf",
    "round",    "roundf",    "scalbn",   "scalbnf",  "sin",       "sinf",     "sinh",
    "sinhf",    "sqrt",      "sqrtf",    "strlen",   "tan",       "tanf",     "tanh",
    "tanhf",    "tgamma",    "tgammaf",  "trunc",    "truncf",    "y0",       "y1",
    "yn",       "__cxa_pure_virtual",
};

bool ash_ir_of_c_library(const char *name)
{
    for (size_t i = 0; i < sizeof(library_names) / sizeof(*library_names); i++)
        if (strcmp(name, library_names[i]) == 0)
            return true;
    return false;
}

bool ash_ir_of_library(const char *name)
{
    for (size_t i = 0; i < sizeof(library_prefixes) / sizeof(*library_prefixes); i++)
        if (ash_ir_begins(name, library_prefixes[i]))
            return true;
    return ash_ir_of_c_library(name);
}

static bool is_local(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);

    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
           linkage == LLVMAppendingLinkage;
}

static void rename_one(struct ash_ir *ir, LLVMValueRef value)
{
    const char *name = LLVMGetValueName2(value, &(size_t){ 0 });
    char text[4096];
    int n;

    if (is_local(value) || ash_ir_begins(name, "__anyshmem_") || ash_ir_begins(name, "llvm."))
        return;
    if (LLVMIsDeclaration(value) && ash_ir_of_library(name))
        return;
    n = snprintf(text, sizeof(text), "%s" ASH_IR_SUFFIX, name);
    if ((size_t)n >= sizeof(text)) {
        ash_ir_error(ir, NULL, "a name of more than 4000 letters: %s", name);
        return;
    }
    LLVMSetValueName2(value, text, (size_t)n);
    if (LLVMGetComdat(value))
        LLVMSetComdat(value, LLVMGetOrInsertComdat(ir->module, text));
}

/* The file's own, under this name; others see a weak alias of it. */
static void make_own(struct ash_ir *ir, LLVMValueRef value)
{
    const char *name = LLVMGetValueName2(value, &(size_t){ 0 });
    char shown[4096], own[4096 + sizeof(ASH_IR_OWN)];
    LLVMVisibility visibility = LLVMGetVisibility(value);
    LLVMValueRef alias;

    if (LLVMIsDeclaration(value) || LLVMGetLinkage(value) != LLVMExternalLinkage ||
        ash_ir_begins(name, "__anyshmem_"))
        return;
    snprintf(shown, sizeof(shown), "%s", name);
    snprintf(own, sizeof(own), "%s" ASH_IR_OWN, name);
    LLVMSetValueName2(value, own, strlen(own));
    LLVMSetLinkage(value, LLVMInternalLinkage);
    alias = LLVMAddAlias2(ir->module, LLVMGlobalGetValueType(value), 0, value, shown);
    LLVMSetLinkage(alias, LLVMWeakAnyLinkage);
    LLVMSetVisibility(alias, visibility);
}

/* A device routine whose name in C is the host's. */
static void replace_name(struct ash_ir *ir, const char *from, const char *to)
{
    LLVMValueRef function = LLVMGetNamedFunction(ir->module, from);
    LLVMValueRef there = LLVMGetNamedFunction(ir->module, to);

    if (!function || !LLVMIsDeclaration(function))
        return;
    if (there)
        LLVMReplaceAllUsesWith(function,
                               LLVMConstBitCast(there, LLVMTypeOf(function)));
    else
        LLVMSetValueName2(function, to, strlen(to));
}

void ash_ir_rename(struct ash_ir *ir)
{
    replace_name(ir, "vprintf", "ash_cuda_vprintf");
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        rename_one(ir, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
        rename_one(ir, g);
    if (ir->relocatable)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        make_own(ir, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
        make_own(ir, g);
}
