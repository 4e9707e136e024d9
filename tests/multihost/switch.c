/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switch RULES COUNT PORT...: the network of the lab (tests/multihost/lab), for
 * kernels without netem.  Each PORT is a TAP device that the switch makes; the
 * other end of its cable is host n0, n1, ... in their order.
 *
 * RULES is a file, read again when it changes.  A line is "WHO:KEY=VALUE,...",
 * WHO a host (n2) or * for all; a host's values replace those of *:
 *
 *   delay, jitter   ms that a frame takes: delay plus at random up to jitter, so
 *                   that frames overtake each other
 *   loss, twice     how many of 1000 frames are lost, are doubled
 *   cut             1: the cable is out
 *
 * A frame goes by the worse values of its two ends.  A line "generation=N" is
 * repeated in COUNT, the file that says what happened so far:
 * "frames N lost N doubled N cut N rules N".
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/multihost/switch_rules.h"
#include "tests/support/clock.h"

#define PORTS_MAX 9
#define FRAME_MAX 2048u
/* Frames under way, enough for a second of all that TCP sends here. */
#define QUEUE_MAX 65536u
/* Frames of one port in a row, before the others have their turn. */
#define TURN 64u
#define LOOK_NS 20000000u

struct frame {
    uint64_t due, number;
    int port;
    uint32_t nbytes;
    unsigned char *bytes;
};

static struct {
    int n;
    int fd[PORTS_MAX];
    struct rule rule[PORTS_MAX];
    struct timespec rules_time;
    const char *rules_path, *count_path;
    uint64_t frames, lost, doubled, cut;
    long generation;
    uint64_t random;
    /* A heap, the frame that is due first on top. */
    struct frame *queue;
    uint32_t queued;
} sw;

static void die(const char *what)
{
    fprintf(stderr, "switch: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Marsaglia's xorshift64*: 0 <= result < 1. */
static double draw(void)
{
    sw.random ^= sw.random >> 12;
    sw.random ^= sw.random << 25;
    sw.random ^= sw.random >> 27;
    return (double)(sw.random * UINT64_C(0x2545f4914f6cdd1d) >> 11) / (double)(1ull << 53);
}

static bool before(const struct frame *a, const struct frame *b)
{
    return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void swap(uint32_t i, uint32_t j)
{
    struct frame frame = sw.queue[i];
    sw.queue[i] = sw.queue[j];
    sw.queue[j] = frame;
}

static void push(struct frame frame)
{
    uint32_t i = sw.queued++;
    sw.queue[i] = frame;
    while (i > 0 && before(&sw.queue[i], &sw.queue[(i - 1) / 2])) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static struct frame pop(void)
{
    struct frame first = sw.queue[0];
    uint32_t i = 0;
    sw.queue[0] = sw.queue[--sw.queued];
    while (2 * i + 1 < sw.queued) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < sw.queued && before(&sw.queue[child + 1], &sw.queue[child])) child++;
        if (!before(&sw.queue[child], &sw.queue[i])) break;
        swap(i, child);
        i = child;
    }
    return first;
}

/* A frame that the host has no room for is lost, as on a wire. */
static void deliver(int port, const void *bytes, size_t nbytes)
{
    if (write(sw.fd[port], bytes, nbytes) < 0 && errno != EAGAIN && errno != EIO) die("write");
}

/* Hand a frame to a port, when its time has come. */
static void send_later(int port, double delay_ms, const void *bytes, size_t nbytes)
{
    struct frame frame = {.port = port, .nbytes = (uint32_t)nbytes, .number = sw.frames};
    if (delay_ms <= 0) {
        deliver(port, bytes, nbytes);
        return;
    }
    if (sw.queued == QUEUE_MAX) {
        sw.lost++;
        return;
    }
    frame.due = now_ns() + (uint64_t)(delay_ms * 1e6);
    frame.bytes = malloc(nbytes);
    if (frame.bytes == NULL) die("malloc");
    memcpy(frame.bytes, bytes, nbytes);
    push(frame);
}

static double worse(double a, double b)
{
    return a > b ? a : b;
}

static void forward(int from, int to, const void *bytes, size_t nbytes)
{
    const struct rule *a = &sw.rule[from], *b = &sw.rule[to];
    double delay = worse(a->delay, b->delay), jitter = worse(a->jitter, b->jitter);
    int copies = 1;
    sw.frames++;
    if (a->cut > 0 || b->cut > 0) {
        sw.cut++;
        return;
    }
    if (draw() * 1000 < worse(a->loss, b->loss)) {
        sw.lost++;
        return;
    }
    if (draw() * 1000 < worse(a->twice, b->twice)) {
        sw.doubled++;
        copies = 2;
    }
    while (copies-- > 0) send_later(to, delay + draw() * jitter, bytes, nbytes);
}

/* The lab gives host i the address 02:00:0a:4d:00:0i; all others go to all. */
static void route(int from, const unsigned char *bytes, size_t nbytes)
{
    static const unsigned char prefix[] = {2, 0, 0x0a, 0x4d, 0};
    if (nbytes < 14) return;
    if (memcmp(bytes, prefix, sizeof(prefix)) == 0 && bytes[5] < sw.n) {
        if (bytes[5] != from) forward(from, bytes[5], bytes, nbytes);
        return;
    }
    for (int to = 0; to < sw.n; to++)
        if (to != from) forward(from, to, bytes, nbytes);
}

static void read_port(int port)
{
    unsigned char bytes[FRAME_MAX];
    for (unsigned i = 0; i < TURN; i++) {
        ssize_t nbytes = read(sw.fd[port], bytes, sizeof(bytes));
        if (nbytes <= 0) return;
        route(port, bytes, (size_t)nbytes);
    }
}

static void write_count(void)
{
    char path[4096];
    FILE *file;
    snprintf(path, sizeof(path), "%s.new", sw.count_path);
    file = fopen(path, "w");
    if (file == NULL) die(path);
    fprintf(file, "frames %llu lost %llu doubled %llu cut %llu rules %ld\n",
            (unsigned long long)sw.frames, (unsigned long long)sw.lost,
            (unsigned long long)sw.doubled, (unsigned long long)sw.cut, sw.generation);
    if (fclose(file) != 0 || rename(path, sw.count_path) != 0) die(sw.count_path);
}

static void look_at_rules(void)
{
    struct stat status;
    static ino_t inode;
    if (stat(sw.rules_path, &status) != 0) die(sw.rules_path);
    if (status.st_ino == inode) return;
    inode = status.st_ino;
    /* A generation that is not repeated tells who made the rules that they are bad. */
    if (switch_read_rules(sw.rules_path, sw.rule, sw.n, &sw.generation) != 0)
        fprintf(stderr, "switch: bad rules\n");
}

static int open_port(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) die("/dev/net/tun");
    snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    if (ioctl(fd, TUNSETIFF, &request) != 0) die(name);
    return fd;
}

/* Until the next frame is due, or the rules want a look. */
static int pause_ms(uint64_t look)
{
    uint64_t time = now_ns(), until = look;
    if (sw.queued > 0 && sw.queue[0].due < until) until = sw.queue[0].due;
    return until <= time ? 0 : (int)((until - time + 999999) / 1000000);
}

static void run(void)
{
    struct pollfd polls[PORTS_MAX];
    uint64_t look = 0;
    for (int i = 0; i < sw.n; i++) polls[i] = (struct pollfd){.fd = sw.fd[i], .events = POLLIN};
    for (;;) {
        if (now_ns() >= look) {
            look_at_rules();
            write_count();
            look = now_ns() + LOOK_NS;
        }
        while (sw.queued > 0 && sw.queue[0].due <= now_ns()) {
            struct frame frame = pop();
            deliver(frame.port, frame.bytes, frame.nbytes);
            free(frame.bytes);
        }
        if (poll(polls, (nfds_t)sw.n, pause_ms(look)) < 0 && errno != EINTR) die("poll");
        for (int i = 0; i < sw.n; i++)
            if (polls[i].revents & POLLIN) read_port(i);
    }
}

int main(int argc, char **argv)
{
    const char *seed = getenv("LAB_SEED");
    if (argc < 5 || argc - 3 > PORTS_MAX) {
        fprintf(stderr, "usage: switch RULES COUNT PORT PORT...\n");
        return 99;
    }
    sw.rules_path = argv[1];
    sw.count_path = argv[2];
    sw.n = argc - 3;
    sw.random = (seed != NULL ? strtoull(seed, NULL, 10) : 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    sw.queue = calloc(QUEUE_MAX, sizeof(*sw.queue));
    if (sw.queue == NULL) die("calloc");
    for (int i = 0; i < sw.n; i++) sw.fd[i] = open_port(argv[3 + i]);
    run();
}
