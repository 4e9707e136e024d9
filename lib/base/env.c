/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table that env.def expands to: each entry has the functions that parse and print its kind.
 */
#include "lib/base/env.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/base/env_names.h"
#include "lib/base/error.h"
#include "lib/base/log.h"

struct ash_env ash_env;

/* One variable: where its value is stored, and which values are accepted.  Those for tests, which
 * come last, have no help. */
struct variable {
    const char *name, *otherwise, *accepted, *help;
    void *field;
    bool (*parse)(const struct variable *variable, const char *text);
    void (*print)(const struct variable *variable, FILE *to);
    const char *form;
};

static bool parse_bool(const struct variable *v, const char *text)
{
    static const char *const words[] = {"0", "1", "false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!ash_word_is(text, words[i], strlen(words[i]))) continue;
        *(int64_t *)v->field = i % 2;
        return true;
    }
    return false;
}

static bool parse_int(const struct variable *v, const char *text)
{
    char *end;
    long long low, high, value;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) return false;
    if (sscanf(v->accepted, "%lld..%lld", &low, &high) != 2 || value < low || value > high)
        return false;
    *(int64_t *)v->field = value;
    return true;
}

static bool parse_size(const struct variable *v, const char *text)
{
    const char *dots = strstr(v->accepted, "..");
    char low_text[32];
    uint64_t low, high, value;
    snprintf(low_text, sizeof(low_text), "%.*s", (int)(dots - v->accepted), v->accepted);
    if (!ash_size_parse(text, &value) || !ash_size_parse(low_text, &low) ||
        !ash_size_parse(dots + 2, &high) || value < low || value > high)
        return false;
    *(uint64_t *)v->field = value;
    return true;
}

static bool parse_string(const struct variable *v, const char *text)
{
    *(const char **)v->field = text;
    return true;
}

static bool parse_choice(const struct variable *v, const char *text)
{
    const char *word = v->accepted;
    for (int64_t i = 0; word != NULL; i++) {
        size_t length = strcspn(word, "|");
        if (ash_word_is(text, word, length)) {
            *(int64_t *)v->field = i;
            return true;
        }
        word = word[length] == '|' ? word + length + 1 : NULL;
    }
    return false;
}

static void print_number(const struct variable *v, FILE *to)
{
    fprintf(to, "%" PRId64, *(const int64_t *)v->field);
}

static void print_string(const struct variable *v, FILE *to)
{
    fputs(*(const char *const *)v->field, to);
}

/* The word of a choice, which ends at the next "|"; NULL if there are fewer words. */
static const char *choice_word(const struct variable *v, uint64_t choice)
{
    const char *word = v->accepted;
    for (; choice > 0 && word != NULL; choice--) {
        word = strchr(word, '|');
        if (word != NULL) word++;
    }
    return word;
}

static void print_choice(const struct variable *v, FILE *to)
{
    const char *word = choice_word(v, *(const uint64_t *)v->field);
    fprintf(to, "%.*s", (int)strcspn(word, "|"), word);
}

#define BOOL parse_bool, print_number, "0 or 1"
#define INT parse_int, print_number, "a number"
#define SIZE parse_size, print_number, "a size such as 1048576, 512M or 1.5G,"
#define STRING parse_string, print_string, "any text"
#define CHOICE parse_choice, print_choice, "one of"
static const struct variable variables[] = {
#define ENV(field, kind, name, otherwise, accepted, help) \
    {name, otherwise, accepted, help, &ash_env.field, kind},
#define TEST_SETTING(field, kind, name, otherwise, accepted) \
    {name, otherwise, accepted, NULL, &ash_env.field, kind},
#include "lib/base/env.def"
#undef TEST_SETTING
#undef ENV
};
#undef BOOL
#undef INT
#undef SIZE
#undef STRING
#undef CHOICE
#define N_VARIABLES (sizeof(variables) / sizeof(variables[0]))

/* OpenSHMEM's names. */
static const struct other_name {
    const void *field;
    const char *name, *any;
} other_names[] = {
#define ENV(field, kind, name, otherwise, accepted, help)
#define OTHER_NAME(field, name, any) {&ash_env.field, name, any},
#include "lib/base/env.def"
#undef OTHER_NAME
#undef ENV
};
#define N_OTHER_NAMES (sizeof(other_names) / sizeof(other_names[0]))

bool ash_env_openshmem;

const char *ash_env_get(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

/* The text of a variable by another name of it; false if none is set. */
static bool load_other(const struct variable *v, const char **ret_name, const char **ret_text)
{
    for (size_t i = 0; ash_env_openshmem && i < N_OTHER_NAMES; i++) {
        const struct other_name *other = &other_names[i];
        if (other->field != v->field || (*ret_text = ash_env_get(other->name)) == NULL) continue;
        *ret_name = other->name;
        if (*other->any != '\0' && !v->parse(v, *ret_text)) *ret_text = other->any;
        return true;
    }
    return false;
}

static int load_one(const struct variable *v)
{
    const char *name = v->name, *text = ash_env_get(name);
    if (text == NULL && !load_other(v, &name, &text)) text = v->otherwise;
    if (v->parse(v, text)) return 0;
    ash_log(ASH_LOG_ERROR, "invalid value %s=%s: expected %s%s%s", name, text, v->form,
            *v->accepted != '\0' ? " " : "", v->accepted);
    return ASH_ERROR_BAD_VALUE;
}

static int check_slots(void)
{
    int64_t n = ash_env.channel_slots;
    if ((n & (n - 1)) == 0) return 0;
    ash_log(ASH_LOG_ERROR, "invalid value ANYSHMEM_CHANNEL_SLOTS=%" PRId64 ": expected a power "
                           "of two 2..65536", n);
    return ASH_ERROR_BAD_VALUE;
}

static void set_log(void)
{
    static const enum ash_level levels[] = {ASH_LOG_WARN, ASH_LOG_WARN, ASH_LOG_INFO,
                                            ASH_LOG_DEBUG, ASH_LOG_TRACE};
    ash_log_level = levels[ash_env.debug];
    if (*ash_env.debug_file != '\0') ash_log_to(ash_env.debug_file);
}

static const char *name_of(size_t i)
{
    return i < N_VARIABLES ? variables[i].name : NULL;
}

/*
 * A program with more rights than its user must not start: whatever this library ignores, PMIx
 * would load components from a folder that the user names, and UCX write files that he names.
 */
static int check_rights(void)
{
    if (getauxval(AT_SECURE) == 0) return 0;
    ash_log(ASH_LOG_ERROR, "the program has other rights than its user (set-user-id, set-group-id "
                           "or capabilities): it cannot be a PE");
    return ASH_ERROR_BAD_VALUE;
}

int ash_env_load(void)
{
    if (check_rights() != 0) return ASH_ERROR_BAD_VALUE;
    for (size_t i = 0; i < N_VARIABLES; i++) {
        int rc = load_one(&variables[i]);
        if (rc != 0) return rc;
    }
    if (check_slots() != 0) return ASH_ERROR_BAD_VALUE;
    if (ash_env.disable_p2p && ash_env.disable_direct == ASH_DIRECT_ON)
        ash_env.disable_direct = ASH_DIRECT_SELF;
    set_log();
    ash_env_warn_unknown(name_of);
    return 0;
}

int ash_env_load_hostdev(void)
{
    if (check_rights() != 0) return ASH_ERROR_BAD_VALUE;
    for (size_t i = 0; i < N_VARIABLES; i++) {
        const void *field = variables[i].field;
        bool wanted = field == &ash_env.hostdev_workers || field == &ash_env.hostdev_stack ||
                      field == &ash_env.hostdev_loops || field == &ash_env.report_signal ||
                      field == &ash_env.cuda_devices || field == &ash_env.cuda_check ||
                      field == &ash_env.init_timeout;
        int rc = wanted ? load_one(&variables[i]) : 0;
        if (rc != 0) return rc;
    }
    return 0;
}

void ash_env_text(const void *variable, uint64_t value, char *text, size_t nbytes)
{
    const struct variable *v = variables;
    const char *word;
    while (v->field != variable) v++;
    /* The value may come from another PE, so there may be no word for it. */
    word = v->print == print_choice ? choice_word(v, value) : NULL;
    if (word != NULL)
        snprintf(text, nbytes, "%s=%.*s", v->name, (int)strcspn(word, "|"), word);
    else
        snprintf(text, nbytes, "%s=%" PRIu64, v->name, value);
}

static void print_other_names(const struct variable *v, FILE *to)
{
    const char *before = "; OpenSHMEM: ";
    for (size_t i = 0; i < N_OTHER_NAMES; i++) {
        if (other_names[i].field != v->field) continue;
        fprintf(to, "%s%s", before, other_names[i].name);
        before = ", ";
    }
}

void ash_env_print_value(size_t i, FILE *to)
{
    variables[i].print(&variables[i], to);
}

void ash_env_print(FILE *to)
{
    for (size_t i = 0; i < N_VARIABLES && variables[i].help != NULL; i++) {
        const struct variable *v = &variables[i];
        fprintf(to, "%s=", v->name);
        ash_env_print_value(i, to);
        fprintf(to, "  # default %s; %s", *v->otherwise != '\0' ? v->otherwise : "empty", v->help);
        print_other_names(v, to);
        fputc('\n', to);
    }
}
