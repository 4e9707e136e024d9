/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections to a job by unique id that say nothing: they keep no PE away.
 */
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/bootstrap/uid_connections.h"
#include "tests/unit/unit.h"

#define PES 3u
#define SILENT 100u

static struct ash_uid_connections all;
static int ends[SILENT + PES];

static bool on_message(struct ash_uid_connection *from, const struct ash_uid_header *header,
                       const unsigned char *body)
{
    from->rank = header->number;
    return true;
}

static void on_lost(uint32_t rank) { fail_msg("PE %u is lost", rank); }

static void come(unsigned i)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ends[i] = pair[0];
    ash_uid_connections_add(&all, pair[1]);
}

static void say(unsigned i, uint32_t rank)
{
    struct ash_uid_header header = {.number = rank};
    assert_int_equal(send(ends[i], &header, sizeof(header), MSG_NOSIGNAL), sizeof(header));
    ash_uid_connections_poll(&all, 0);
}

static bool was_sent_away(unsigned i)
{
    struct pollfd one = {ends[i], POLLIN, 0};
    return poll(&one, 1, 0) == 1;
}

/* The one that has been silent longest goes; a PE never does. */
static void test_silent_connections_make_room(void **state)
{
    unsigned stay = 0;
    all.on_message = on_message;
    all.on_lost = on_lost;
    assert_true(ash_uid_connections_make(&all, -1, PES));
    come(0);
    say(0, 0);
    for (unsigned i = 1; i < SILENT; i++) come(i);
    for (unsigned pe = 1; pe < PES; pe++) {
        come(SILENT + pe);
        say(SILENT + pe, pe);
        assert_false(was_sent_away(SILENT + pe));
    }
    assert_false(was_sent_away(0));
    for (unsigned i = 1; i < SILENT; i++) stay += !was_sent_away(i);
    assert_int_equal(all.n, all.room);
    assert_int_equal(stay, all.n - PES);
    ash_uid_connections_close(&all);
    ash_uid_connections_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_silent_connections_make_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
