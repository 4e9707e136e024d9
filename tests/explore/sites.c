/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places in the code that order memory, by the address of the code.  They are
 * numbered in the order of their first execution, which is the same in each run of a
 * program.  One of them may be weakened to a relaxed one.
 */
#include <stdio.h>

#include "tests/explore/internal.h"

#define MAX_SITES 256

static struct site {
    const void *code;
    int order;
    uint8_t kind, cell, thread;
} sites[MAX_SITES];
static unsigned n_sites;
static unsigned weakened = SITE_NONE;

static const char *const kinds[] = {"load", "store", "add", "exchange", "compare-and-swap",
                                    "fence", "choice"};

void site_weaken(unsigned number) { weakened = number; }

const char *order_name(int order)
{
    switch (order) {
    case __ATOMIC_RELAXED: return "relaxed";
    case __ATOMIC_ACQUIRE: return "acquire";
    case __ATOMIC_RELEASE: return "release";
    case __ATOMIC_ACQ_REL: return "acquire and release";
    default: return "sequentially consistent";
    }
}

/* The number of the place at `code`, and the order that it has in this run. */
uint16_t site_of(const void *code, const struct op *op, int order, int *ret_order)
{
    unsigned i;
    *ret_order = order;
    if (order == __ATOMIC_RELAXED) return SITE_NONE;
    for (i = 0; i < n_sites && sites[i].code != code; i++) continue;
    if (i == n_sites) {
        if (n_sites == MAX_SITES) fail("too many sites", "");
        sites[n_sites++] = (struct site){code, order, op->kind, op->cell, (uint8_t)running};
    }
    if (i == weakened) *ret_order = __ATOMIC_RELAXED;
    return (uint16_t)i;
}

/* One line for each place: number, address for addr2line, role of the thread, operation. */
void sites_print(void)
{
    char name[48];
    for (unsigned i = 0; i < n_sites; i++) {
        const struct site *site = &sites[i];
        printf("site %u %p %s: %s %s %s\n", i, site->code, explore_scenario.role(site->thread),
               order_name(site->order), kinds[site->kind],
               site->kind == OP_FENCE ? "" : cell_name(site->cell, name, sizeof(name)));
    }
}
