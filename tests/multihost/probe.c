/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a network does to datagrams, which nobody repeats, orders or counts:
 *
 *   probe receive PORT FIRST IDLE  print "different N doubled N overtaken N
 *                                  fastest US slowest US" when none has come for
 *                                  IDLE seconds, or no first one in FIRST
 *   probe send ADDRESS PORT N US   N numbered ones, each US after the one before
 *
 * The hosts of the lab have one clock, so that the latency of one datagram can be measured.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/support/clock.h"

#define DATAGRAMS_MAX 100000u

struct datagram {
    uint64_t number, sent;
};

struct seen {
    uint64_t different, doubled, overtaken, fastest, slowest, last;
};

static uint64_t now_us(void) { return now_ns() / 1000; }

static int fail(const char *what)
{
    perror(what);
    return 1;
}

static void note(struct seen *seen, unsigned char *times, const struct datagram *datagram)
{
    uint64_t latency = now_us() - datagram->sent;
    if (datagram->number >= DATAGRAMS_MAX) return;
    if (times[datagram->number]++ > 0) {
        seen->doubled++;
        return;
    }
    if (seen->different++ == 0 || latency < seen->fastest) seen->fastest = latency;
    if (latency > seen->slowest) seen->slowest = latency;
    if (datagram->number < seen->last) seen->overtaken++;
    else seen->last = datagram->number;
}

static int receive(int fd, struct sockaddr_in address, double first, double idle)
{
    static unsigned char times[DATAGRAMS_MAX];
    struct seen seen = {0};
    struct timeval look = {.tv_usec = 20000};
    uint64_t end = now_us() + (uint64_t)(first * 1e6);
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look)) != 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        return fail("probe: bind");
    while (now_us() < end) {
        struct datagram datagram;
        if (recv(fd, &datagram, sizeof(datagram), 0) != sizeof(datagram)) continue;
        note(&seen, times, &datagram);
        end = now_us() + (uint64_t)(idle * 1e6);
    }
    printf("different %llu doubled %llu overtaken %llu fastest %llu slowest %llu\n",
           (unsigned long long)seen.different, (unsigned long long)seen.doubled,
           (unsigned long long)seen.overtaken, (unsigned long long)seen.fastest,
           (unsigned long long)seen.slowest);
    return 0;
}

static int send_all(int fd, const struct sockaddr_in *address, uint64_t n, unsigned gap_us)
{
    struct datagram datagram;
    for (datagram.number = 0; datagram.number < n; datagram.number++) {
        datagram.sent = now_us();
        if (sendto(fd, &datagram, sizeof(datagram), 0, (const struct sockaddr *)address,
                   sizeof(*address)) < 0)
            return fail("probe: sendto");
        usleep(gap_us);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) return fail("probe: socket");
    if (argc == 5 && strcmp(argv[1], "receive") == 0) {
        address.sin_port = htons((uint16_t)atoi(argv[2]));
        return receive(fd, address, atof(argv[3]), atof(argv[4]));
    }
    if (argc == 6 && strcmp(argv[1], "send") == 0 &&
        inet_pton(AF_INET, argv[2], &address.sin_addr) == 1) {
        address.sin_port = htons((uint16_t)atoi(argv[3]));
        return send_all(fd, &address, strtoull(argv[4], NULL, 10), (unsigned)atoi(argv[5]));
    }
    fprintf(stderr, "usage: probe receive PORT FIRST IDLE | probe send ADDRESS PORT N US\n");
    return 99;
}
