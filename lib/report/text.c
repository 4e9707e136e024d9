/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a wait.  The thread that waited may be gone, and its variables with it, so
 * they are read by process_vm_readv, which fails where nothing is mapped.
 */
#include "lib/report/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device/channel/request.h"
#include "device/routine/barrier.h"
#include "device/target/bits.h"
#include "proxy/proxy.h"

/* The most values of a set that are shown, and the most PEs that are named. */
#define SHOWN 8u
/* The most waits that a list names. */
#define NAMED 3u

/* Read memory of this process; false where none is mapped, or if the system call is forbidden. */
static bool look(uint64_t address, void *ret_bytes, size_t nbytes)
{
    struct iovec here = {ret_bytes, nbytes}, there = {(void *)(uintptr_t)address, nbytes};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)nbytes;
}

static bool look_at_variable(const struct ash_wait_info *w, uint64_t address, uint64_t *ret_value)
{
    struct ash_kind kind = ash_kind_of(w->width, w->is_signed != 0);
    unsigned char bytes[8];
    if (!look(address, bytes, w->width)) return false;
    *ret_value = ash_kind_extend(kind, ash_bits_load(bytes, w->width));
    return true;
}

static void add_value(struct ash_text *text, const struct ash_wait_info *w, uint64_t value)
{
    if (w->is_signed)
        ash_print(text, "%" PRId64, (int64_t)value);
    else
        ash_print(text, "%" PRIu64, value);
}

static void add_place(struct ash_text *text, uint64_t address)
{
    const struct ash_state *s = dev_state;
    uint64_t offset = address - (uint64_t)(uintptr_t)s->heap;
    ash_print(text, " 0x%" PRIx64, address);
    if (offset < s->heap_size) ash_print(text, " (heap + %" PRIu64 ")", offset);
}

static const char *relation(const struct ash_wait_info *w)
{
    switch (w->cmp) {
    case NVSHMEM_CMP_EQ: return "==";
    case NVSHMEM_CMP_NE: return "!=";
    case NVSHMEM_CMP_GT: return ">";
    case NVSHMEM_CMP_LE: return "<=";
    case NVSHMEM_CMP_LT: return "<";
    default: return ">=";
    }
}

static void add_variable(struct ash_text *text, const struct ash_wait_info *w)
{
    uint64_t value;
    ash_print(text, "%s", w->argument);
    add_place(text, w->address);
    ash_print(text, " %s ", relation(w));
    add_value(text, w, w->value);
    if (!look_at_variable(w, w->address, &value)) return;
    ash_print(text, ", is ");
    add_value(text, w, value);
}

/* A set of variables: their values, and what these are compared with. */
static void add_set(struct ash_text *text, const struct ash_wait_info *w)
{
    static const char *const how[] = {"all", "any", "some"};
    uint64_t i, value;
    ash_print(text, "%s of %" PRIu64 " ivars", how[w->kind - ASH_WAIT_FOR_ALL], w->count);
    add_place(text, w->address);
    ash_print(text, " %s ", relation(w));
    if (w->values == 0) {
        add_value(text, w, w->value);
    } else {
        ash_print(text, "their cmp_values, ivars[%" PRIu64 "] %s ", w->index, relation(w));
        add_value(text, w, w->value);
    }
    ash_print(text, w->count <= SHOWN ? ", are" : ", ivars[%" PRIu64 "] and on are", w->index);
    for (i = w->count <= SHOWN ? 0 : w->index; i < w->count && i < w->index + SHOWN; i++) {
        if (!look_at_variable(w, w->address + i * w->width, &value)) break;
        ash_print(text, " ");
        add_value(text, w, value);
    }
    if (i == w->index + SHOWN && i < w->count) ash_print(text, " ...");
}

/* Is the wait for a team's barrier word?  Then *ret_index is the word's among those of all teams,
 * which stand in the order of the teams' numbers. */
static bool is_barrier(const struct ash_wait_info *w, uint64_t *ret_index)
{
    const struct ash_team *world = &dev_state->team[NVSHMEM_TEAM_WORLD];
    uint64_t words = (uint64_t)(uintptr_t)dev_state->heap + world->words;
    *ret_index = (w->address - words) / sizeof(struct ash_barrier_word);
    return w->kind == ASH_WAIT_FOR_VARIABLE && world->n_pes > 0 &&
           w->address - words < ASH_BARRIER_BYTES;
}

/* A barrier in progress (device/routine/barrier.h). */
struct barrier {
    const struct ash_team *team;
    uint64_t epoch;
    /* The offset of round 0's word, the same in every heap. */
    uint64_t offset;
    /* The offset of this PE's record of its call, the same in every heap. */
    uint64_t record;
};

static bool look_in(int pe, uint64_t offset, uint64_t *ret_value)
{
    const struct ash_state *s = dev_state;
    const unsigned char *heap = NULL;
    /* The team's list of PEs may belong to another team by now. */
    if ((uint32_t)pe < ash_job_pes()) heap = pe == s->my_pe ? s->heap : s->peer[pe];
    return heap != NULL &&
           look((uint64_t)(uintptr_t)heap + offset, ret_value, sizeof(*ret_value));
}

/*
 * Has PE number `number` of the team arrived at this barrier?  In a gathered barrier the
 * PE's own memory says so.  In one by rounds the next PE knows, because it has received the
 * signal of round 0 from that PE.  -1 if the memory cannot be read.
 */
static int has_arrived(const struct barrier *m, int number)
{
    bool gathers = m->team->gathers;
    uint64_t offset = gathers ? m->record + offsetof(struct ash_meeting_record, signal)
                              : m->offset + offsetof(struct ash_barrier_word, signal);
    int knows = ash_team_pe(m->team, (uint32_t)((number + !gathers) % m->team->n_pes));
    uint64_t seen;
    if (number == m->team->my_pe) return 1;
    if (!look_in(knows, offset, &seen)) return -1;
    return (uint32_t)(seen >> 32) == (uint32_t)m->epoch;
}

static void add_missing(struct ash_text *text, const struct barrier *m)
{
    unsigned missing = 0, unknown = 0;
    for (int number = 0; number < m->team->n_pes; number++) {
        int arrived = has_arrived(m, number);
        unknown += arrived < 0;
        if (arrived != 0) continue;
        if (missing++ < SHOWN)
            ash_print(text, "%s%d", missing == 1 ? "; not arrived: PE " : ", ",
                      ash_team_pe(m->team, (uint32_t)number));
    }
    if (missing > SHOWN) ash_print(text, " and %u more", missing - SHOWN);
    if (missing > 0 && unknown > 0) ash_print(text, " (%u more unknown)", unknown);
}

/* The PE or PEs that this PE waits for in a barrier. */
static void add_barrier_peer(struct ash_text *text, const struct ash_wait_info *w,
                             const struct barrier *m, unsigned round)
{
    uint64_t word = (uint64_t)(uintptr_t)dev_state->heap + m->offset;
    uint32_t arrived;
    if (w->address - word >= offsetof(struct ash_barrier_word, came) && round == 0) {
        /* In rounds the PE before has arrived, and is not counted. */
        if (look(w->address, &arrived, sizeof(arrived)))
            ash_print(text, ": %" PRIu32 " of %d others arrived", arrived + !m->team->gathers,
                      m->team->n_pes - 1);
    } else if (m->team->gathers) {
        ash_print(text, ": waiting for PE %d, which gathers the arrivals", ash_team_pe(m->team, 0));
    } else {
        ash_print(text, ": waiting for PE %d (round %u)", ash_barrier_from(m->team, round), round);
    }
}

static void add_barrier(struct ash_text *text, const struct ash_wait_info *w, uint64_t index)
{
    uint64_t number = index / ASH_BARRIER_WORDS;
    unsigned round;
    const struct ash_team *now = &dev_state->team[number];
    /* A copy, because the program may destroy the team meanwhile. */
    const struct ash_team copy = {.my_pe = now->my_pe, .n_pes = now->n_pes,
                                  .gathers = now->gathers, .turn_mask = now->turn_mask,
                                  .pes = now->pes, .count = now->count,
                                  .words = now->words, .records = now->records};
    const struct ash_team *team = &copy;
    struct barrier m = {.team = team};
    if (team->n_pes == 0 || team->count == NULL) return;
    m.epoch = ash_team_epoch(team);
    round = ash_meeting_goes_ahead(team) ? 0 : index % ASH_BARRIER_ROUNDS;
    m.offset = team->words +
               (index % ASH_BARRIER_WORDS - round) * sizeof(struct ash_barrier_word);
    m.record = team->records +
               ash_meeting_turn(team, m.epoch << 32) * sizeof(struct ash_meeting_record);
    ash_print(text, "barrier %" PRIu64 " of ", m.epoch);
    if (number == NVSHMEM_TEAM_WORLD)
        ash_print(text, "all %d PEs", team->n_pes);
    else
        ash_print(text, "the %d PEs of team %" PRIu64, team->n_pes, number);
    add_barrier_peer(text, w, &m, round);
    add_missing(text, &m);
}

static void add_request(struct ash_text *text, uint64_t word0)
{
    const struct ash_request request = {{word0}};
    unsigned op = ash_request_op(&request);
    enum ash_brings brings = ash_op_brings(op);
    bool reads = brings == ASH_BRINGS_BYTES || brings == ASH_BRINGS_MEMORY;
    ash_print(text, "%s %s PE %u", ash_op_name(op), reads ? "from" : "to",
              ash_request_pe(&request));
}

static void add_reply(struct ash_text *text, const struct ash_wait_info *w)
{
    const struct ash_request request = {{w->word0}};
    uint64_t nbytes = w->count > 0 ? w->count : ash_request_width(&request);
    ash_print(text, "the reply to ");
    add_request(text, w->word0);
    ash_print(text, ", %" PRIu64 " bytes at heap + %" PRIu64, nbytes, w->address);
}

static void add_quiet(struct ash_text *text, const struct ash_wait_info *w)
{
    uint64_t completed = dev_load_acquire64((const uint64_t *)(uintptr_t)w->address);
    ash_print(text, "the completion of what was sent: requests %" PRIu64 " to %" PRIu64, completed,
              w->value - 1);
}

static void add_what(struct ash_text *text, const struct ash_wait_info *w)
{
    uint64_t index;
    if (is_barrier(w, &index)) {
        add_barrier(text, w, index);
        return;
    }
    switch (w->kind) {
    case ASH_WAIT_FOR_VARIABLE: add_variable(text, w); break;
    case ASH_WAIT_FOR_ALL:
    case ASH_WAIT_FOR_ANY:
    case ASH_WAIT_FOR_SOME: add_set(text, w); break;
    case ASH_WAIT_FOR_REPLY: add_reply(text, w); break;
    case ASH_WAIT_FOR_ROOM:
        add_request(text, w->word0);
        ash_print(text, ": room in the channel, which is full");
        break;
    case ASH_WAIT_FOR_QUIET: add_quiet(text, w); break;
    default: ash_print(text, "%s", w->argument); break;
    }
}

void ash_report_wait(struct ash_text *text, const struct ash_wait_entry *entry)
{
    if (entry->info.function != NULL) ash_print(text, "%s: ", entry->info.function);
    add_what(text, &entry->info);
    if (entry->block >= 0) ash_print(text, " (block %d, thread %d)", entry->block, entry->thread);
}

void ash_report_list_add(struct ash_report_list *list, const struct ash_wait_entry *entry)
{
    if (list->n++ >= NAMED) return;
    ash_print(&list->text, "%s", list->n > 1 ? "; in " : "in ");
    ash_report_wait(&list->text, entry);
}

void ash_report_list_end(struct ash_report_list *list, unsigned unlisted)
{
    unsigned more = (list->n > NAMED ? list->n - NAMED : 0) + unlisted;
    if (list->n == 0)
        ash_print(&list->text, "in no routine of the library");
    else if (more > 0)
        ash_print(&list->text, "; and %u more", more);
}
