/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of anyshmem-info: a check comes first, then each part that was asked for. */
#include "contrib/info/info.h"

#include <getopt.h>
#include <nvshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct part {
    char letter;
    const char *name;
    void (*show)(void);
    /* With --json a list, else an object. */
    bool is_list;
    const char *help;
} parts[] = {
#define X(LETTER, NAME, FUNCTION, IS_LIST, HELP) {LETTER, NAME, info_##FUNCTION, IS_LIST, HELP},
    INFO_PARTS(X)
#undef X
};
#define N_PARTS (sizeof(parts) / sizeof(parts[0]))

enum { OPTION_PES = 256, OPTION_SYSROOT };

static const struct option long_options[] = {
#define X(LETTER, NAME, FUNCTION, IS_LIST, HELP) {NAME, no_argument, NULL, LETTER},
    INFO_PARTS(X)
#undef X
    {"all", no_argument, NULL, 'a'},
    {"ignored", no_argument, NULL, 'd'},
    {"json", no_argument, NULL, 'j'},
    {"rst", no_argument, NULL, 'r'},
    {"check", optional_argument, NULL, 'c'},
    {"pes", required_argument, NULL, OPTION_PES},
    {"sysroot", required_argument, NULL, OPTION_SYSROOT},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0}};

const char *info_sysroot = "";

static void help(void)
{
    puts("usage: anyshmem-info [OPTION...]\n\n"
         "Says what this installation of anyshmem is, what it reads, and what it finds here.\n");
    for (size_t i = 0; i < N_PARTS; i++)
        printf("  -%c, --%-14s %s\n", parts[i].letter, parts[i].name, parts[i].help);
    puts("  -a, --all            all of these, which is also what is shown without an option\n"
         "  -d, --ignored        NVSHMEM's variables that have no meaning here\n"
         "  -r, --rst            the variables as a table in reStructuredText\n"
         "  -c, --check[=node]   what would stop a job here, and how to mend it; node: a job on\n"
         "                       this node alone, which needs no network.  Exit status 1 if\n"
         "                       something would\n"
         "      --pes N          check for a job of N PEs (2)\n"
         "  -j, --json           all that is asked for as one JSON object\n"
         "      --sysroot DIR    look at DIR/proc and DIR/sys instead\n"
         "  -h, --help");
}

static _Noreturn void refuse(const char *what, const char *value)
{
    fprintf(stderr, "anyshmem-info: %s%s (--help says more)\n", what, value);
    exit(2);
}

static uint32_t parse_pes(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || n < 1 || n > 1000000)
        refuse("--pes takes a number from 1 to 1000000, not ", text);
    return (uint32_t)n;
}

/* The output that the options select. */
struct wanted {
    bool shown[N_PARTS], ignored, rst, any, check, json;
    struct info_job job;
};

static void want(struct wanted *wanted, int letter)
{
    for (size_t i = 0; i < N_PARTS; i++)
        if (letter == 'a' || letter == parts[i].letter) wanted->shown[i] = true;
    wanted->any = true;
}

static void want_check(struct wanted *wanted, const char *what)
{
    if (what != NULL && strcmp(what, "node") != 0) refuse("--check takes node, not ", what);
    wanted->check = wanted->any = true;
    wanted->job.several_nodes = what == NULL;
}

static void parse(struct wanted *wanted, int argc, char **argv)
{
    int c;
    while ((c = getopt_long(argc, argv, "nbeltmgadrjc::h", long_options, NULL)) != -1) {
        switch (c) {
        case 'd': wanted->ignored = wanted->any = true; break;
        case 'r': wanted->rst = wanted->any = true; break;
        case 'j': wanted->json = true; break;
        case 'c': want_check(wanted, optarg); break;
        case OPTION_PES: wanted->job.n_pes = parse_pes(optarg); break;
        case OPTION_SYSROOT: info_sysroot = optarg; break;
        case 'h': help(); exit(0);
        case '?': exit(2);
        default: want(wanted, c);
        }
    }
    if (optind < argc) refuse("no argument is taken: ", argv[optind]);
    if (!wanted->any) want(wanted, 'a');
    if (wanted->json && wanted->rst) refuse("--json does not take ", "--rst");
}

static bool check(const struct info_job *job)
{
    bool ready;
    info_part_begin("check", true);
    ready = info_check(job);
    info_part_end(true);
    return ready;
}

static void show(const struct wanted *wanted)
{
    for (size_t i = 0; i < N_PARTS; i++) {
        if (!wanted->shown[i]) continue;
        info_part_begin(parts[i].name, parts[i].is_list);
        parts[i].show();
        info_part_end(parts[i].is_list);
    }
    if (wanted->rst) info_rst();
    if (!wanted->ignored) return;
    info_part_begin("ignored", true);
    info_ignored();
    info_part_end(true);
}

int main(int argc, char **argv)
{
    struct wanted wanted = {.job = {.several_nodes = true, .n_pes = 2}};
    bool ready;
    parse(&wanted, argc, argv);
    /* Line buffering keeps the order of lines on standard output and standard error. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* The check loads the environment itself, because bad values are lines of its first topic. */
    if (wanted.json && !info_json_begin()) refuse("no standard output for ", "--json");
    ready = !wanted.check || check(&wanted.job);
    if (!wanted.check) info_load();
    show(&wanted);
    if (wanted.json && !info_json_end()) refuse("cannot write ", "--json");
    return ready ? 0 : 1;
}
