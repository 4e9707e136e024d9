/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A folder with files that look like those of another machine, under /proc and /sys.
 */
#ifndef TEST_TREE_H
#define TEST_TREE_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/unit.h"

static char tree[] = "/tmp/anyshmem.tree.XXXXXX";

static inline int make_tree(void **state)
{
    return mkdtemp(tree) != NULL ? 0 : -1;
}

/* Write a file of the tree; its folders are made. */
static inline void put(const char *path, const char *text)
{
    char whole[256], *slash;
    FILE *file;
    snprintf(whole, sizeof(whole), "%s/%s", tree, path);
    for (slash = whole + strlen(tree); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline int remove_tree(void **state)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", tree);
    return system(command);
}

#endif
