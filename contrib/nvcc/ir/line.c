/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the tool has made, and that call one with lines: LLVM drops the lines of what is
 * inlined into a function that has none itself.
 */
#include "ir.h"

#include <string.h>

struct lines {
    LLVMDIBuilderRef builder;
};

/* The function of the program that this one calls, with lines; NULL if there is none. */
static LLVMMetadataRef called(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;

            if (callee && LLVMIsAFunction(callee) && LLVMGetSubprogram(callee))
                return LLVMGetSubprogram(callee);
        }
    return NULL;
}

/* What was inlined into it already keeps the lines that it has: loops over threads are such. */
static bool has_places(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMInstructionGetDebugLoc(i))
                return true;
    return false;
}

static void make_unit(struct ash_ir *ir, struct lines *lines, LLVMMetadataRef file)
{
    static const char producer[] = "anyshmem-nvcc";

    if (lines->builder)
        return;
    lines->builder = LLVMCreateDIBuilder(ir->module);
    LLVMDIBuilderCreateCompileUnit(
        lines->builder, LLVMDWARFSourceLanguageC_plus_plus, file, producer, strlen(producer), true,
        "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0, "", 0);
}

static void give_lines(struct ash_ir *ir, struct lines *lines, LLVMValueRef function,
                       LLVMMetadataRef like)
{
    /* No name of the program's, at which a debugger would stop. */
    static const char name[] = "anyshmem-nvcc.thunk";
    LLVMMetadataRef file = LLVMDIScopeGetFile(like), type, own, place;
    unsigned line = LLVMDISubprogramGetLine(like);

    make_unit(ir, lines, file);
    type = LLVMDIBuilderCreateSubroutineType(lines->builder, file, NULL, 0, LLVMDIFlagZero);
    own = LLVMDIBuilderCreateFunction(lines->builder, file, name, strlen(name), "", 0, file, line,
                                      type, true, true, line, LLVMDIFlagArtificial, true);
    LLVMSetSubprogram(function, own);
    place = LLVMDIBuilderCreateDebugLocation(ir->context, line, 0, own, NULL);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !LLVMInstructionGetDebugLoc(i))
                LLVMInstructionSetDebugLoc(i, place);
}

void ash_ir_lines(struct ash_ir *ir)
{
    struct lines lines = { .builder = NULL };

    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !LLVMGetSubprogram(f) && called(f) && !has_places(f))
            give_lines(ir, &lines, f, called(f));
    if (lines.builder) {
        LLVMDIBuilderFinalize(lines.builder);
        LLVMDisposeDIBuilder(lines.builder);
    }
}
