/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks addr2line, in a process of its own, and tells apart which of the lines that it prints is the
 * program's.
 */
#include "lib/base/place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long addr2line has, in ms: it reads all of a program's debug information. */
#define LIMIT_MS 10000
/* What it prints: two lines for each function that was inlined. */
#define ANSWER 8192u

extern char **environ;

/* The object's file, and the address in it of the byte before `address`. */
static bool object_of(const void *address, char *ret_file, size_t nbytes, uint64_t *ret_offset)
{
    const struct link_map *map;
    Dl_info info;
    ssize_t n;
    if (dladdr1(address, &info, (void **)(uintptr_t)&map, RTLD_DL_LINKMAP) == 0) return false;
    *ret_offset = (uint64_t)((uintptr_t)address - map->l_addr - 1);
    if (map->l_name[0] != '\0') {
        n = snprintf(ret_file, nbytes, "%s", map->l_name);
    } else {
        n = readlink("/proc/self/exe", ret_file, nbytes - 1);
        if (n >= 0) ret_file[n] = '\0';
    }
    return n > 0 && (size_t)n < nbytes;
}

/* All that the process writes within the limit; it is killed after that. */
static size_t read_all(int fd, pid_t child, char *ret_text, size_t nbytes)
{
    size_t n = 0;
    ssize_t got = 1;
    while (got > 0 && n + 1 < nbytes) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, LIMIT_MS) <= 0) break;
        got = read(fd, ret_text + n, nbytes - 1 - n);
        if (got > 0) n += (size_t)got;
    }
    if (got != 0) (void)kill(child, SIGKILL);
    ret_text[n] = '\0';
    return n;
}

static bool start(char *const *arguments, const int *ends, pid_t *ret_child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    int rc;
    (void)sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    if (posix_spawnattr_init(&attributes) != 0) return false;
    /* Threads of this library have signals blocked. */
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    (void)posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    rc = posix_spawnp(ret_child, arguments[0], &files, &attributes, arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return rc == 0;
}

/* What addr2line prints: "FUNCTION\nFILE:LINE\n" from the innermost function on. */
static bool ask(char *file, uint64_t offset, char *ret_answer, size_t nbytes)
{
    char number[32];
    char *arguments[] = {"addr2line", "-C", "-f", "-i", "-e", file, number, NULL};
    int ends[2];
    size_t n = 0;
    pid_t child;
    snprintf(number, sizeof(number), "0x%" PRIx64, offset);
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    if (start(arguments, ends, &child)) {
        (void)close(ends[1]);
        ends[1] = -1;
        n = read_all(ends[0], child, ret_answer, nbytes);
        /* A program that ignores SIGCHLD has no child any more. */
        (void)waitpid(child, NULL, 0);
    }
    (void)close(ends[0]);
    if (ends[1] >= 0) (void)close(ends[1]);
    return n > 0;
}

/* Helpers of include/cuda, which a programmer has not written. */
static bool is_ours(const char *file)
{
    return strstr(file, "include/cuda/") != NULL || strstr(file, "/anyshmem/cuda/") != NULL ||
           strstr(file, "__clang_cuda_") != NULL;
}

/* Without the folder of the program, and what addr2line adds: " (discriminator 2)". */
static const char *tidy(char *file)
{
    char here[1024], *end = strstr(file, " (");
    size_t n;
    if (end != NULL) *end = '\0';
    if (getcwd(here, sizeof(here)) == NULL) return file;
    n = strlen(here);
    return strncmp(file, here, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

static bool choose(char *answer, char *ret_text, size_t nbytes)
{
    char *rest, *function = strtok_r(answer, "\n", &rest), *file;
    while (function != NULL && (file = strtok_r(NULL, "\n", &rest)) != NULL) {
        if (strncmp(file, "??", 2) != 0 && strstr(file, ":?") == NULL &&
            strstr(file, ":0") != file + strlen(file) - 2 && !is_ours(file)) {
            char *clone = strstr(function, " [clone");
            if (clone != NULL) *clone = '\0';
            snprintf(ret_text, nbytes, "%s (%.*s)", tidy(file), 160, function);
            return true;
        }
        function = strtok_r(NULL, "\n", &rest);
    }
    return false;
}

void ash_place_text(const void *address, char *ret_text, size_t nbytes)
{
    char file[1024], answer[ANSWER];
    void *site = (void *)(uintptr_t)address;
    char **place;
    uint64_t offset;
    if (object_of(address, file, sizeof(file), &offset) &&
        ask(file, offset, answer, sizeof(answer)) && choose(answer, ret_text, nbytes))
        return;
    place = backtrace_symbols(&site, 1);
    snprintf(ret_text, nbytes, "%s", place != NULL ? place[0] : "an unknown place");
    free(place);
}
