/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fuzzer without libFuzzer: NAME [-v] [-n EXECUTIONS] [-s SEED] [FILE|FOLDER...]
 *
 * Executes each file, or the lines of corpus/NAME beside the source if none is named,
 * and so many sequences of random bytes; prints TAP.  The same seed gives the same
 * bytes.  A finding aborts: its bytes are then in NAME.crash, which is a FILE for
 * this program and for libFuzzer's.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define LENGTH_MAX 512
#define LIMIT_SECONDS 3600

static uint8_t bytes[1 << 16];
static size_t nbytes;
static unsigned long n_files;

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Keep the bytes of the execution that does not end well. */
static void keep(int number)
{
    char name[64];
    FILE *file;
    snprintf(name, sizeof(name), "%s.crash", fuzz_name);
    file = fopen(name, "w");
    if (file != NULL) {
        fwrite(bytes, 1, nbytes, file);
        fclose(file);
    }
    printf("not ok - %s: signal %d; the bytes are in %s\n", fuzz_name, number, name);
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
}

static void execute_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        printf("Bail out! %s: %s cannot be read\n", fuzz_name, path);
        exit(99);
    }
    nbytes = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, nbytes);
    n_files++;
}

static void execute_path(const char *path)
{
    struct stat st;
    struct dirent *entry;
    DIR *folder;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        execute_file(path);
        return;
    }
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        execute_file(name);
    }
    if (folder != NULL) closedir(folder);
}

/* What libFuzzer found worth keeping: a line for each, of bytes as \NNN (tests/fuzz/run). */
static void execute_corpus(void)
{
    static char line[4 * LENGTH_MAX + 2];
    const char *srcdir = getenv("srcdir");
    char path[4096];
    FILE *file;
    snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", srcdir != NULL ? srcdir : ".",
             fuzz_name);
    file = fopen(path, "r");
    if (file == NULL) {
        printf("Bail out! %s: %s cannot be read\n", fuzz_name, path);
        exit(99);
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] != '\\') continue;
        for (nbytes = 0; line[4 * nbytes] == '\\'; nbytes++)
            bytes[nbytes] = (uint8_t)strtoul(&line[4 * nbytes + 1], NULL, 8);
        LLVMFuzzerTestOneInput(bytes, nbytes);
        n_files++;
    }
    fclose(file);
}

/* Short ones most of the time; some have long runs of the same byte. */
static void execute_random(uint64_t *state)
{
    uint64_t number = next_random(state);
    nbytes = number >> 8 & (number % 2 == 0 ? LENGTH_MAX - 1 : 63);
    for (size_t i = 0; i < nbytes; i += 8) {
        uint64_t eight = next_random(state);
        memcpy(bytes + i, &eight, 8);
    }
    if ((number >> 2 & 3) == 0 && nbytes > 0) {
        size_t from = (number >> 20) % nbytes;
        memset(bytes + from, number >> 4 & 1 ? 0 : 0xff, (number >> 40) % (nbytes - from) + 1);
    }
    LLVMFuzzerTestOneInput(bytes, nbytes);
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    unsigned long n = fuzz_executions;
    uint64_t seed = 1, state;
    const char *missing;
    int option;
    while ((option = getopt(argc, argv, "n:s:v")) != -1) {
        if (option == 'n') n = strtoul(optarg, NULL, 0);
        else if (option == 's') seed = strtoull(optarg, NULL, 0);
        else if (option == 'v') fuzz_verbose = true;
        else return 99;
    }
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) signal(signals[i], keep);
    alarm(LIMIT_SECONDS);
    printf("1..1\n");
    if (optind == argc) execute_corpus();
    for (; optind < argc; optind++) execute_path(argv[optind]);
    state = seed;
    for (unsigned long i = 0; i < n; i++) execute_random(&state);
    missing = n >= fuzz_executions ? fuzz_missing(fuzz_wanted) : NULL;
    printf("%sok 1 - %s: %lu executions from seed %llu, %lu of a corpus\n",
           missing != NULL ? "not " : "", fuzz_name, n, (unsigned long long)seed, n_files);
    if (missing != NULL) printf("# it did not happen: %s\n", missing);
    fuzz_print_counts();
    return missing != NULL;
}
