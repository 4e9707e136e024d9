/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anyshmem-nvcc-ir, which anyshmem-nvcc runs between clang's device pass and its code
 * generator; and, with -l, before the passes: braces in launches, registers of PTX.
 */
#include "ir.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/TargetMachine.h>

#if LLVM_VERSION_MAJOR < 14
#error "LLVM 14 or newer"
#endif

static const char usage[] = "usage: anyshmem-nvcc-ir [-gmrv] [-s address|thread] -u UNIT -o OUT "
                            "IN\n"
                            "       anyshmem-nvcc-ir -l PATH -o OUT IN\n"
                            "       anyshmem-nvcc-ir -V";

void ash_ir_die(const char *format, ...)
{
    va_list list;

    fputs("anyshmem-nvcc: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(2);
}

/* "FILE:LINE:COLUMN: ", the file as seen from here; nothing for an instruction without a line. */
static void print_place(LLVMValueRef where)
{
    unsigned n_file = 0, n_folder = 0;
    const char *file = where ? LLVMGetDebugLocFilename(where, &n_file) : NULL;
    const char *folder = where ? LLVMGetDebugLocDirectory(where, &n_folder) : NULL;
    char path[4096], here[4096];
    size_t n;

    if (!file || !LLVMGetDebugLocLine(where)) {
        fputs("anyshmem-nvcc: ", stderr);
        return;
    }
    if (file[0] == '/' || !folder)
        n_folder = 0;
    snprintf(path, sizeof(path), "%.*s%s%.*s", (int)n_folder, n_folder ? folder : "",
             n_folder ? "/" : "", (int)n_file, file);
    n = getcwd(here, sizeof(here)) ? strlen(here) : 0;
    fprintf(stderr, "%s:%u:%u: ", n && ash_ir_begins(path, here) && path[n] == '/' ? path + n + 1
                                                                                  : path,
            LLVMGetDebugLocLine(where), LLVMGetDebugLocColumn(where));
}

void ash_ir_error(struct ash_ir *ir, LLVMValueRef where, const char *format, ...)
{
    va_list list;

    print_place(where);
    fputs("error: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    ir->n_errors++;
}

void ash_ir_error_at(struct ash_ir *ir, const char *file, unsigned line, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "%s:%u: error: ", file, line);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    ir->n_errors++;
}

static char *read_file(const char *path)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
    size_t n = 0, room = 1 << 16;
    char *text = ash_ir_alloc(room);

    if (!file)
        ash_ir_die("%s: %s", path, strerror(errno));
    for (size_t got; (got = fread(text + n, 1, room - n - 1, file)) > 0;) {
        n += got;
        if (n + 1 == room && !(text = realloc(text, room *= 2)))
            ash_ir_die("no memory for %s", path);
    }
    if (ferror(file))
        ash_ir_die("%s: %s", path, strerror(errno));
    if (file != stdin)
        fclose(file);
    text[n] = 0;
    return text;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        ash_ir_die("%s: %s", path, strerror(errno));
}

/*
 * What takes the address of a thread_local variable of the device, by another name: LLVM's own
 * function takes none of its address space, so LLVM 15 and newer would abort at this IR.  The
 * variable is refused, with its line (facts.c).
 */
static void rename_threadlocal(char *text)
{
    static const char name[] = "llvm.threadlocal.address", prefix[] = "ash_";

    for (char *at = text; (at = strstr(at, name)); at += strlen(name))
        memcpy(at, prefix, strlen(prefix));
}

static void parse(struct ash_ir *ir, const char *text, const char *path)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), path);
    char *message = NULL;

    if (LLVMParseIRInContext(ir->context, buffer, &ir->module, &message))
        ash_ir_die("%s: not IR of LLVM %d's clang: %s", path, LLVM_VERSION_MAJOR, message);
}

/* The module is for this machine from here on. */
static void retarget(struct ash_ir *ir)
{
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    LLVMTargetMachineRef machine;

    LLVMInitializeNativeTarget();
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        ash_ir_die("%s", message);
    machine = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault,
                                      LLVMRelocPIC, LLVMCodeModelDefault);
    ir->layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(ir->module, triple);
    LLVMSetModuleDataLayout(ir->module, ir->layout);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeMessage(triple);
}

static void verify(struct ash_ir *ir)
{
    char *message = NULL;

    if (LLVMVerifyModule(ir->module, LLVMReturnStatusAction, &message)) {
        if (getenv("ANYSHMEM_NVCC_KEEP_BAD"))
            fputs(LLVMPrintModuleToString(ir->module), stderr);
        ash_ir_die("a fault of anyshmem-nvcc: bad IR: %s", message);
    }
}

static void convert(struct ash_ir *ir, const char *in, const char *out)
{
    char *text = read_file(in), *flat;

    ir->context = LLVMContextCreate();
    ir->builder = LLVMCreateBuilderInContext(ir->context);
    rename_threadlocal(text);
    parse(ir, text, in);
    ash_ir_read_facts(ir);
    free(text);
    text = LLVMPrintModuleToString(ir->module);
    LLVMDisposeModule(ir->module);
    flat = ash_ir_flatten(text);
    LLVMDisposeMessage(text);
    parse(ir, flat, in);
    free(flat);
    retarget(ir);

    ash_ir_ptx(ir);
    ash_ir_intrinsics(ir);
    ash_ir_shared(ir);
    ash_ir_checks(ir);
    ash_ir_abi(ir);
    /* Errors of the source come before this, which inlines what they name. */
    if (ir->n_errors == 0)
        ash_ir_simplify(ir);
    ash_ir_polls(ir);
    ash_ir_loops(ir);
    ash_ir_register(ir);
    ash_ir_lines(ir);
    ash_ir_rename(ir);
    ash_ir_races(ir);
    ash_ir_attributes(ir);
    if (ir->n_errors)
        exit(1);
    verify(ir);
    text = LLVMPrintModuleToString(ir->module);
    write_file(out, text);
    LLVMDisposeMessage(text);
}

/* Exit status 3: nothing to rewrite, so there is no file. */
static int rewrite(const char *path, const char *in, const char *out)
{
    char *text = NULL;

    if (!ash_ir_rewrite(read_file(in), path, &text))
        return 3;
    write_file(out, text);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    struct ash_ir ir = { 0 };
    const char *out = NULL, *path = NULL;

    for (int option; (option = getopt(argc, argv, "gmrvs:u:o:l:V")) != -1;) {
        switch (option) {
        case 'g': ir.debug = true; break;
        case 'v': ir.verbose = true; break;
        case 'r': ir.relocatable = true; break;
        case 'm': ir.check_memory = true; break;
        case 's': ir.sanitize = optarg; break;
        case 'u': ir.unit = optarg; break;
        case 'o': out = optarg; break;
        case 'l': path = optarg; break;
        case 'V': printf("%d\n", LLVM_VERSION_MAJOR); return 0;
        default: ash_ir_die("%s", usage);
        }
    }
    if (argc != optind + 1 || !out || (!ir.unit && !path))
        ash_ir_die("%s", usage);
    if (path)
        return rewrite(path, argv[optind], out);
    convert(&ir, argv[optind], out);
    return 0;
}
