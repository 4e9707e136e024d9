/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An explorer of the real code of the channel under C11's memory model.
 *
 * tests/models has models of the lock-free parts, that is, what we think of them.  This
 * explores the code itself as the compiler sees it: device/channel, device/target/host.h
 * and the files of proxy/ that a scenario includes or links.  A test on hardware shows
 * only a few schedules, and on x86 hardly any of what a weaker machine may do.  This
 * shows all of them, for a few threads with little to do.
 *
 *   scenario (ring.c, ...)   real code, compiled with -fsanitize=thread
 *   hooks.c                  what such code calls for each access, instead of libtsan
 *   memory.c, cells.c        which values a load may return, and data races
 *   fiber.c                  threads whose stacks can be put back
 *   hash.c                   states that were seen before are not explored again
 *   explore.c                goes back to each choice and takes the next one
 *   sites.c                  places that order memory; one can be weakened
 *   check.sh                 runs all scenarios, and the mutants that must fail
 *
 * A state is everything that matters later: what each thread has read and what it
 * knows, and the history of each word.  Before each atomic load and read-modify-write
 * the explorer chooses which thread goes on, and then which of the possible values it
 * reads.  A store needs no choice of thread, because other threads may still read the
 * older value; only its place in the modification order is chosen.  A thread that waits
 * goes on when what it read has changed, so no loop is endless; if all threads wait,
 * that is a failure.  Neither schedules nor stale reads are bounded, so what holds here
 * holds for all executions of the scenario, except those that memory.c names.
 *
 * The report of a failure lists the steps, each with its thread, the word, the value,
 * and how old that value is.
 *
 * usage: PROGRAM [-w NUMBER] [-s] [-n STATES]
 *   -w   make the ordering of this place in the code a relaxed one
 *   -s   list the places that have an ordering
 *   -n   stop after this many states, with status 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/explore/internal.h"

#define MAX_CHOICES 64
#define MAX_FRAMES 4096
#define MAX_IMAGE (sizeof(struct machine) + 65536)

struct machine machine;

/* A state with choices, and the image from which it is restored. */
struct frame {
    unsigned n, next;
    struct {
        uint8_t thread, position;
    } choice[MAX_CHOICES];
    char *image;
};

static struct frame frames[MAX_FRAMES];
static unsigned n_frames;
static uint64_t n_ends, n_steps, max_states = UINT64_MAX;

static void save(struct frame *frame)
{
    size_t nbytes = sizeof(machine);
    if (frame->image == NULL) frame->image = malloc(MAX_IMAGE);
    if (frame->image == NULL) fail("out of memory", "");
    memcpy(frame->image, &machine, sizeof(machine));
    nbytes += fiber_image(frame->image + nbytes, false);
    nbytes += cells_image(frame->image + nbytes, false);
    if (nbytes > MAX_IMAGE) fail("too large an image", "");
}

static void restore(const struct frame *frame)
{
    size_t nbytes = sizeof(machine);
    memcpy(&machine, frame->image, sizeof(machine));
    nbytes += fiber_image(frame->image + nbytes, true);
    cells_image(frame->image + nbytes, true);
}

/*
 * True if a cell that it has read since its last wait has a newer value for it to read: one
 * behind the position that it knows of, or one that differs from what it read.
 */
static bool may_go_on(const struct thread *t)
{
    for (unsigned i = 0; i < t->n_watched; i++) {
        unsigned cell = t->watched[i];
        if (t->now.at[cell] < memory_last(cell) || t->read[i] != cell_memory(cell)) return true;
    }
    return false;
}

/* Run waiting threads that may go on to their next choice: no other thread can see that. */
static void settle(void)
{
    bool again = true;
    while (again) {
        again = false;
        for (unsigned i = 0; i < explore_scenario.n_threads; i++)
            if (machine.thread[i].status == THREAD_WAITING && may_go_on(&machine.thread[i])) {
                fiber_run(i);
                again = true;
            }
    }
    memory_tidy();
}

static void add_choices(struct frame *frame, unsigned thread)
{
    uint32_t choices = memory_choices(thread, &machine.thread[thread].op);
    for (; choices != 0; choices &= choices - 1) {
        if (frame->n == MAX_CHOICES) fail("too many choices", "");
        frame->choice[frame->n].thread = (uint8_t)thread;
        frame->choice[frame->n++].position = (uint8_t)__builtin_ctz(choices);
    }
}

static void list_choices(struct frame *frame)
{
    frame->n = frame->next = 0;
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (machine.thread[i].status == THREAD_ALONE) {
            add_choices(frame, i);
            return;
        }
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (machine.thread[i].status == THREAD_READY) add_choices(frame, i);
}

static void end_of_path(void)
{
    for (unsigned i = 0; i < explore_scenario.n_threads; i++)
        if (machine.thread[i].status != THREAD_ENDED &&
            (explore_scenario.may_stay_blocked == NULL || !explore_scenario.may_stay_blocked(i)))
            fail("deadlock", "all that go on wait for what nobody will write");
    if (explore_scenario.finish != NULL) explore_scenario.finish();
    n_ends++;
}

static void step(unsigned thread, unsigned position)
{
    struct thread *t = &machine.thread[thread];
    struct op op = t->op;
    if (op.kind == OP_CHOOSE)
        t->result = position;
    else
        memory_perform(thread, &op, position);
    trace(thread, &op, position, op.kind == OP_STORE ? op.operand : t->result);
    n_steps++;
    fiber_run(thread);
}

/* Enter the machine's current state; true if it is new and a frame with choices was pushed. */
static bool enter(void)
{
    struct frame *frame = &frames[n_frames];
    settle();
    if (explore_scenario.check != NULL) explore_scenario.check();
    if (hash_seen()) return false;
    list_choices(frame);
    if (frame->n == 0) {
        end_of_path();
        return false;
    }
    if (++n_frames == MAX_FRAMES) fail("too long a path", "");
    save(frame);
    return true;
}

static void explore(void)
{
    enter();
    while (n_frames > 0 && hash_states() < max_states) {
        struct frame *frame = &frames[n_frames - 1];
        unsigned next = frame->next++;
        if (next == frame->n) {
            n_frames--;
            continue;
        }
        if (next > 0) restore(frame);
        step(frame->choice[next].thread, frame->choice[next].position);
        while (!enter() && n_frames > 0 && frames[n_frames - 1].next == frames[n_frames - 1].n)
            n_frames--;
    }
}

static void start(void)
{
    explore_scenario.start();
    for (unsigned i = 0; i < explore_scenario.n_threads; i++) {
        machine.thread[i].now.time[i] = 1;
        machine.thread[i].history = i + 1;
    }
    fiber_start_all();
    for (unsigned i = 0; i < explore_scenario.n_threads; i++) fiber_run(i);
}

int main(int argc, char **argv)
{
    bool list = false;
    int option;
    while ((option = getopt(argc, argv, "w:sn:")) != -1) {
        switch (option) {
        case 'w': site_weaken((unsigned)atoi(optarg)); break;
        case 's': list = true; break;
        case 'n': max_states = strtoull(optarg, NULL, 10); break;
        default: return 2;
        }
    }
    start();
    explore();
    if (list) sites_print();
    printf("%s: %llu states, %llu steps, %llu ends\n", explore_scenario.name,
           (unsigned long long)hash_states(), (unsigned long long)n_steps,
           (unsigned long long)n_ends);
    if (n_frames > 0) printf("not complete\n");
    return n_frames > 0 ? 3 : 0;
}
