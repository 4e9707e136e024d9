/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a scenario, and its cells: each is a word, or a smaller variable.  A cell
 * gets its number at its first access and keeps it in all executions.
 */
#include <stdio.h>
#include <string.h>

#include "tests/explore/internal.h"

#define MAX_REGIONS 8
#define MAX_NAMES 64
/* Bytes of shared memory in all, for the table of cells. */
#define MAX_BYTES 8192

static struct region {
    char *memory;
    size_t nbytes;
    /* Index of its first byte in cell_of, or SIZE_MAX: memory of one thread alone. */
    size_t place;
} regions[MAX_REGIONS];
static unsigned n_regions;
static size_t n_places;

static struct name {
    const char *name;
    const char *memory;
    size_t nbytes;
    unsigned n;
} names[MAX_NAMES];
static unsigned n_names;

static struct {
    const void *p;
    uint8_t width;
} cells[MAX_CELLS];
static unsigned n_cells;
/* For each byte: cell + 1 if a cell begins there; IGNORED: accesses are not explored. */
static uint16_t cell_of[MAX_BYTES];
#define IGNORED 0xffff

static void add_region(void *memory, size_t nbytes, size_t place)
{
    if (n_regions == MAX_REGIONS) fail("too many regions", "");
    regions[n_regions++] = (struct region){memory, nbytes, place};
}

void explore_share(void *memory, size_t nbytes)
{
    if (n_places + nbytes > MAX_BYTES) fail("too much shared memory", "");
    add_region(memory, nbytes, n_places);
    n_places += nbytes;
}

void explore_keep(void *memory, size_t nbytes) { add_region(memory, nbytes, SIZE_MAX); }

static const struct region *region_of(const void *p)
{
    for (unsigned i = 0; i < n_regions; i++)
        if ((size_t)((const char *)p - regions[i].memory) < regions[i].nbytes) return &regions[i];
    return NULL;
}

void explore_ignore(void *memory, size_t nbytes)
{
    const struct region *region = region_of(memory);
    size_t place = region->place + (size_t)((char *)memory - region->memory);
    for (size_t i = 0; i < nbytes; i++) cell_of[place + i] = IGNORED;
}

void explore_name(const char *name, const void *memory, size_t nbytes, unsigned n)
{
    if (n_names == MAX_NAMES) fail("too many names", "");
    names[n_names++] = (struct name){name, memory, nbytes, n};
}

bool cells_find(const void *p, unsigned width, uint8_t *ret_cell)
{
    const struct region *region = region_of(p);
    uint16_t *cell;
    if (region == NULL || region->place == SIZE_MAX) return false;
    cell = &cell_of[region->place + (size_t)((const char *)p - region->memory)];
    if (*cell == IGNORED) return false;
    if (*cell == 0) {
        if (n_cells == MAX_CELLS) fail("too many cells", "");
        cells[n_cells].p = p;
        cells[n_cells].width = (uint8_t)width;
        *cell = (uint16_t)++n_cells;
    }
    *ret_cell = (uint8_t)(*cell - 1);
    if (cells[*ret_cell].width != width) fail("accesses of two widths", "");
    return true;
}

const char *cell_name(unsigned cell, char *text, size_t nbytes)
{
    const char *p = cells[cell].p;
    for (unsigned i = 0; i < n_names; i++) {
        const struct name *name = &names[i];
        size_t offset = (size_t)(p - name->memory), index = offset / name->nbytes;
        if (index >= name->n) continue;
        if (name->n == 1 && name->nbytes <= 8)
            snprintf(text, nbytes, "%s", name->name);
        else if (name->n == 1)
            snprintf(text, nbytes, "%s+%zu", name->name, offset);
        else if (name->nbytes <= 8)
            snprintf(text, nbytes, "%s[%zu]", name->name, index);
        else
            snprintf(text, nbytes, "%s[%zu].%zu", name->name, index, offset % name->nbytes / 8);
        return text;
    }
    snprintf(text, nbytes, "%p", (const void *)p);
    return text;
}

uint64_t cell_memory(unsigned cell)
{
    uint64_t value = 0;
    memcpy(&value, cells[cell].p, cells[cell].width);
    return value;
}

unsigned cells_count(void) { return n_cells; }

/* Copy all memory of the scenario to an image, or back; returns the image's length. */
size_t cells_image(char *image, bool restore)
{
    size_t nbytes = 0;
    for (unsigned i = 0; i < n_regions; i++) {
        if (restore)
            memcpy(regions[i].memory, image + nbytes, regions[i].nbytes);
        else
            memcpy(image + nbytes, regions[i].memory, regions[i].nbytes);
        nbytes += regions[i].nbytes;
    }
    return nbytes;
}

uint64_t cells_private_hash(void)
{
    uint64_t hash = 0, word;
    for (unsigned i = 0; i < n_regions; i++) {
        if (regions[i].place != SIZE_MAX) continue;
        for (size_t k = 0; k + sizeof(word) <= regions[i].nbytes; k += sizeof(word)) {
            memcpy(&word, regions[i].memory + k, sizeof(word));
            hash = hash_mix(hash, word);
        }
    }
    return hash;
}
