/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library of a tool between a program and anyshmem: it has each function of OpenSHMEM, marks in
 * the file SHMEM_RECORD, one byte a function, that it was called, and goes on in the function's
 * other name, pshmem_.  All arguments stay where they are, so one form serves all.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME(NUMBER, FUNCTION)
#include "tests/conformance/names.h"
#undef NAME

static unsigned char nowhere[NAMES];
/* Where to mark: all PEs share the file's memory. */
__attribute__((visibility("hidden"), used)) unsigned char *recorder_called = nowhere;

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("SHMEM_RECORD");
    int fd = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    void *file;
    if (fd < 0) return;
    if (ftruncate(fd, NAMES) != 0) abort();
    file = mmap(NULL, NAMES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) abort();
    recorder_called = file;
    close(fd);
}

#if defined(__x86_64__)
#define GO(NUMBER, FUNCTION) \
    "endbr64\n" \
    "movq recorder_called(%rip), %r11\n" \
    "movb $1, " NUMBER "(%r11)\n" \
    "jmp *p" FUNCTION "@GOTPCREL(%rip)\n"
#elif defined(__aarch64__)
#define GO(NUMBER, FUNCTION) \
    "hint #34\n" \
    "adrp x16, recorder_called\n" \
    "ldr x16, [x16, :lo12:recorder_called]\n" \
    "mov x17, #" NUMBER "\n" \
    "add x16, x16, x17\n" \
    "mov w17, #1\n" \
    "strb w17, [x16]\n" \
    "adrp x16, :got:p" FUNCTION "\n" \
    "ldr x16, [x16, :got_lo12:p" FUNCTION "]\n" \
    "br x16\n"
#endif

#ifdef GO
#define NAME(NUMBER, FUNCTION) \
    __asm__(".text\n" \
            ".globl " #FUNCTION "\n" \
            ".type " #FUNCTION ", %function\n" \
            #FUNCTION ":\n" GO(#NUMBER, #FUNCTION) \
            ".size " #FUNCTION ", .-" #FUNCTION "\n");
#include "tests/conformance/names.h"
#endif
