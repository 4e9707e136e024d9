/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/meeting.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "device/routine/active_set.h"
#include "lib/base/end.h"
#include "lib/base/text.h"

/* The place of a reduction's operation and type among the values. */
#define HOW 1u

#define COLLECTIVE(HOW_NAME) {"bytes of a block", HOW_NAME, "offset of dest", "offset of source"}
static const struct {
    const char *name;
    const char *argument[ASH_MEETING_ARGUMENTS];
} kinds[1 << ASH_MEETING_KIND_BITS] = {
    [ASH_MEETING_BARRIER] = {"barrier or sync", {NULL}},
    [ASH_MEETING_BROADCAST] = {"broadcast", COLLECTIVE("PE_root")},
    [ASH_MEETING_FCOLLECT] = {"fcollect", COLLECTIVE(NULL)},
    [ASH_MEETING_ALLTOALL] = {"alltoall", COLLECTIVE(NULL)},
    [ASH_MEETING_REDUCE] = {"reduce", COLLECTIVE("operation")},
    [ASH_MEETING_REDUCESCATTER] = {"reducescatter", COLLECTIVE("operation")},
    [ASH_MEETING_MALLOC] = {"malloc", {"size", "alignment"}},
    [ASH_MEETING_CALLOC] = {"calloc", {"size", "alignment"}},
    [ASH_MEETING_ALIGN] = {"align", {"size", "alignment"}},
    [ASH_MEETING_REALLOC] = {"realloc", {"size", "alignment", "offset of ptr"}},
    [ASH_MEETING_FREE] = {"free", {NULL, NULL, "offset of ptr"}},
    [ASH_MEETING_SPLIT_STRIDED] = {"team_split_strided", {"PE_start", "PE_stride", "PE_size"}},
    [ASH_MEETING_SPLIT_2D] = {"team_split_2d", {"xrange"}},
    [ASH_MEETING_DESTROY] = {"team_destroy", {NULL}},
    [ASH_MEETING_INIT] = {"init", {NULL}},
    [ASH_MEETING_FINALIZE] = {"finalize", {NULL}},
    /* Blocks and sources may differ. */
    [ASH_MEETING_COLLECT] = {"collect", {"bytes of an element", NULL, "offset of dest"}},
    [ASH_MEETING_ALLTOALLS] = {"alltoalls", COLLECTIVE("distance of elements")},
    [ASH_MEETING_INSCAN] = {"inscan", COLLECTIVE("operation")},
    [ASH_MEETING_EXSCAN] = {"exscan", COLLECTIVE("operation")},
};

/* In the orders of enum ash_reduction and enum ash_number. */
static const char *const operations[] = {"sum", "prod", "min", "max", "and", "or", "xor"};
static const char *const numbers[] = {"int8", "int16", "int32", "int64", "uint8", "uint16",
                                      "uint32", "uint64", "float", "double", "half", "bfloat16",
                                      "double2", "long double", "float _Complex",
                                      "double _Complex"};
_Static_assert(sizeof(numbers) / sizeof(numbers[0]) == ASH_NUMBERS, "each number has a name");

struct phrase {
    char text[256];
};

static enum ash_meeting kind_of(const struct ash_meeting_record *record)
{
    return (enum ash_meeting)(record->signal & ((1u << ASH_MEETING_KIND_BITS) - 1));
}

/* The value of an argument. */
static struct phrase value_of(const struct ash_meeting_record *record, unsigned i)
{
    enum ash_meeting kind = kind_of(record);
    uint64_t value = record->value[i], op = value >> 8, number = value & 0xff;
    struct phrase phrase;
    if (i == HOW && kind == ASH_MEETING_ALLTOALLS)
        snprintf(phrase.text, sizeof(phrase.text), "%" PRIu64 " in dest and %" PRIu64 " in source",
                 value >> 32, value & UINT32_MAX);
    else if (i == HOW && ash_collective_reduces(kind) &&
             op < sizeof(operations) / sizeof(operations[0]) && number < ASH_NUMBERS)
        snprintf(phrase.text, sizeof(phrase.text), "%s of %s", operations[op], numbers[number]);
    else
        snprintf(phrase.text, sizeof(phrase.text), "%" PRId64, (int64_t)value);
    return phrase;
}

/* The call with its arguments. */
static struct phrase call_of(const struct ash_meeting_record *record)
{
    enum ash_meeting kind = kind_of(record);
    struct phrase phrase;
    struct ash_text text = ash_text_in(phrase.text, sizeof(phrase.text));
    bool any = false;
    ash_print(&text, "%s", kinds[kind].name != NULL ? kinds[kind].name : "an unknown call");
    for (unsigned i = 0; i < ASH_MEETING_ARGUMENTS; i++) {
        if (kinds[kind].argument[i] == NULL) continue;
        ash_print(&text, "%s%s %s", any ? ", " : " (", kinds[kind].argument[i],
                  value_of(record, i).text);
        any = true;
    }
    if (any) ash_print(&text, ")");
    return phrase;
}

/* An active set, as ash_set_enter has packed it. */
static struct phrase set_of(const struct ash_set_record *record)
{
    uint64_t packed = record->packed;
    struct phrase phrase;
    snprintf(phrase.text, sizeof(phrase.text), "PE_start %u, logPE_stride %u, PE_size %u",
             (unsigned)(packed >> 32), (unsigned)(packed & 31),
             (unsigned)((uint32_t)packed >> 5));
    return phrase;
}

/* The PEs have named different active sets. */
static void report_sets(const char *function, int pe)
{
    const struct ash_set_record *mine = ash_set_record(0), *theirs = ash_set_record(1);
    if (mine->packed != theirs->packed)
        ash_fatal("%s: the active set differs between PEs: %s on PE %d, %s on PE %d", function,
                  set_of(mine).text, dev_state->my_pe, set_of(theirs).text, pe);
}

void ash_meeting_report(const char *function, uint64_t signal, uint64_t where)
{
    uint64_t number = where >> 32;
    bool is_set = number == ASH_SET_NUMBER;
    const struct ash_team *team = &dev_state->team[is_set ? 0 : number % ASH_TEAMS];
    const struct ash_meeting_record *mine =
        is_set ? &ash_set_record(0)->call : ash_meeting_record_of(team, signal);
    const struct ash_meeting_record *theirs =
        is_set ? &ash_set_record(1)->call : ash_meeting_record(team, ASH_MEETING_COPY);
    int me = dev_state->my_pe, pe = (int)(uint32_t)where;
    const char *const *names = kinds[kind_of(mine)].argument;
    if (is_set) report_sets(function, pe);
    for (unsigned i = 0; i < ASH_MEETING_ARGUMENTS && kind_of(mine) == kind_of(theirs); i++)
        if (names[i] != NULL && mine->value[i] != theirs->value[i])
            ash_fatal("%s: %s differs between PEs: %s on PE %d, %s on PE %d", function, names[i],
                      value_of(mine, i).text, me, value_of(theirs, i).text, pe);
    if (is_set)
        ash_fatal("%s: the PEs of an active set are in different calls: %s on PE %d, %s on PE %d",
                  function, call_of(mine).text, me, call_of(theirs).text, pe);
    ash_fatal("%s: the PEs of team %" PRIu64 " are in different calls: %s on PE %d, %s on PE %d",
              function, number, call_of(mine).text, me, call_of(theirs).text, pe);
}
