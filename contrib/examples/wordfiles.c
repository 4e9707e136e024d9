/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which files wordcount reads: see wordfiles.h.
 */
#include "wordfiles.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENOUGH 2000000
#define AT_LEAST 1000000

/* Where systems keep texts: licences, then what comes with Perl and with C. */
static const char *const places[] = {
    "/usr/share/common-licenses/*", "/usr/share/licenses/*/*",
    "/usr/share/perl/5.*.*/pod/*.pod", "/usr/share/perl/5.*.*/*.p[lm]",
    "/usr/share/perl/5.*.*/*/*.p[lm]", "/usr/share/perl5/*.p[lm]",
    "/usr/share/perl5/*/*.p[lm]", "/usr/include/*.h",
    "/usr/include/linux/*.h", "/usr/share/dict/words",
};

static int add_file(struct word_files *files, const char *path, uint64_t size)
{
    size_t nbytes = (files->n_files + 1) * sizeof(*files->files);
    struct word_file *longer = (struct word_file *)realloc(files->files, nbytes);

    if (!longer)
        return -1;
    files->files = longer;
    longer[files->n_files].path = strdup(path);
    if (!longer[files->n_files].path)
        return -1;
    longer[files->n_files].size = size;
    files->n_files++;
    files->n_bytes += size;
    return 0;
}

static int find_named(struct word_files *files, char *const *paths, size_t n_paths)
{
    struct stat status;

    for (size_t i = 0; i < n_paths; i++) {
        const char *problem = NULL;

        if (stat(paths[i], &status) != 0 || access(paths[i], R_OK) != 0)
            problem = strerror(errno);
        else if (!S_ISREG(status.st_mode))
            problem = "not a regular file";
        else if (add_file(files, paths[i], (uint64_t)status.st_size) < 0)
            problem = "no memory";
        if (problem) {
            fprintf(stderr, "wordcount: %s: %s\n", paths[i], problem);
            return -1;
        }
    }
    return 0;
}

/* Adds the files of one place until there is enough; links are passed over. */
static int add_place(struct word_files *files, const char *pattern)
{
    glob_t found;
    int status = 0;

    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc && files->n_bytes < ENOUGH && status == 0; i++) {
        struct stat file;

        if (lstat(found.gl_pathv[i], &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0 &&
            access(found.gl_pathv[i], R_OK) == 0)
            status = add_file(files, found.gl_pathv[i], (uint64_t)file.st_size);
    }
    globfree(&found);
    return status;
}

static int find_texts(struct word_files *files)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        if (add_place(files, places[i]) < 0) {
            fprintf(stderr, "wordcount: no memory\n");
            return -1;
        }
    }
    if (files->n_bytes < AT_LEAST) {
        fprintf(stderr, "wordcount: no texts of a million bytes here; please name a FILE\n");
        return -1;
    }
    return 0;
}

int word_files_find(struct word_files *files, char *const *paths, size_t n_paths)
{
    int status;

    *files = (struct word_files){ NULL, 0, 0 };
    status = n_paths > 0 ? find_named(files, paths, n_paths) : find_texts(files);
    if (status < 0)
        word_files_finish(files);
    return status;
}

void word_files_finish(struct word_files *files)
{
    for (size_t i = 0; i < files->n_files; i++)
        free(files->files[i].path);
    free(files->files);
}
