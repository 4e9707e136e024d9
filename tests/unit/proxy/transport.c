/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parser of UCX's text about the lanes of an endpoint (ucx/transport.c), for the texts of
 * 1.13 and 1.20; and the settings with which UCX is started (ucx/config.c).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proxy/internal.h"
#include "proxy/ucx/config.h"
#include "tests/unit/ucx_config.h"
#include "tests/unit/unit.h"

#define HEAD "#\n# UCP endpoint \n#\n#               peer: <no debug data>\n"
#define TCP "#         lane[0]:  1:tcp/lo.0 md[1]      -> md[1]/tcp/sysdev[255] rma_bw#0 am\n"
#define NEW "#         lane[1]:  2:tcp/eth0.0 md[1]  -> md[1]/tcp/sysdev[255] seg 429 am wireup\n"
#define SYSV "#         lane[1]:  3:sysv/memory.0 md[2] -> md[2]/sysv/sysdev[255] amo#0 am\n"
#define CUT "#         lane[2]:  1"
#define TAIL "#\n#                 am_send: 0..<egr/short>..8185..<rndv>..(inf)\n#\n"

static void test_lanes_over_tcp(void **state)
{
    assert_true(ash_lanes_are_tcp(HEAD TCP TAIL));
    assert_true(ash_lanes_are_tcp(HEAD TCP NEW TAIL));
    assert_false(ash_lanes_are_tcp(HEAD TCP SYSV TAIL));
    assert_false(ash_lanes_are_tcp(HEAD SYSV TCP TAIL));
    assert_false(ash_lanes_are_tcp(HEAD SYSV TAIL));
}

/* Text that is not understood does not count as TCP. */
static void test_unknown_text_is_not_tcp(void **state)
{
    assert_false(ash_lanes_are_tcp(""));
    assert_false(ash_lanes_are_tcp(HEAD TAIL));
    assert_false(ash_lanes_are_tcp(HEAD TCP CUT));
    assert_false(ash_lanes_are_tcp(HEAD TCP CUT ":"));
    assert_false(ash_lanes_are_tcp(HEAD CUT ":tcp\n" TCP));
    assert_false(ash_lanes_are_tcp("lane["));
    assert_false(ash_lanes_are_tcp("lane[0]:"));
}

/* The number of rendezvous lanes in UCX's configuration; -1: this UCX does not print it. */
static int lanes_asked_for(void)
{
    static const char name[] = "UCX_MAX_RNDV_";
    char *text;
    const char *at;
    int n = -1;
    ucx_config_text(&text);
    at = strstr(text, name);
    if (at != NULL) (void)sscanf(at + strlen(name), "%*[A-Z]=%d", &n);
    free(text);
    return n;
}

static void test_rendezvous_lanes_asked_of_ucx(void **state)
{
    unsetenv("UCX_MAX_RNDV_LANES");
    unsetenv("UCX_MAX_RNDV_RAILS");
    if (ash_ucx_version() >= 0x011000u) skip();
    assert_int_equal(lanes_asked_for(), 1);
    setenv("UCX_MAX_RNDV_LANES", "3", 1);
    assert_int_equal(lanes_asked_for(), 3);
    unsetenv("UCX_MAX_RNDV_LANES");
    setenv("UCX_MAX_RNDV_RAILS", "4", 1);
    assert_int_equal(lanes_asked_for(), 4);
    unsetenv("UCX_MAX_RNDV_RAILS");
}

/* What UCX writes as it starts with this library's settings and these devices. */
static void start_ucx(const char *devices, char *ret_text, size_t nbytes)
{
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_RMA | UCP_FEATURE_AM};
    static const ucp_worker_params_t none;
    ucp_worker_h worker;
    FILE *written = tmpfile();
    ucp_config_t *config;
    ucp_context_h context;
    int kept = dup(STDOUT_FILENO);
    assert_non_null(written);
    setenv("UCX_NET_DEVICES", devices, 1);
    fflush(stdout);
    dup2(fileno(written), STDOUT_FILENO);
    if (ash_ucx_config_read(&config) == UCS_OK) {
        if (ucp_init(&params, config, &context) == UCS_OK) {
            if (ucp_worker_create(context, &none, &worker) == UCS_OK) ucp_worker_destroy(worker);
            ucp_cleanup(context);
        }
        ucp_config_release(config);
    }
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    unsetenv("UCX_NET_DEVICES");
    rewind(written);
    ret_text[fread(ret_text, 1, nbytes - 1, written)] = '\0';
    fclose(written);
}

/* UCX warns about a setting of TCP where it has no TCP. */
static void test_settings_of_tcp_only_where_it_is(void **state)
{
    static const char *const without[] = {"nil0", "mlx5_0:1,mlx5_1:1"};
    char text[8192];
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
        start_ucx(without[i], text, sizeof(text));
        if (strstr(text, "invalid configuration") != NULL) fail_msg("%s: %s", without[i], text);
    }
    setenv("UCX_TLS", "posix", 1);
    start_ucx("all", text, sizeof(text));
    unsetenv("UCX_TLS");
    if (strstr(text, "invalid configuration") != NULL) fail_msg("without TCP: %s", text);
}

/* As UCX reads its list; names that may stand for several are taken for TCP's. */
static void test_devices_of_tcp(void **state)
{
    assert_true(ash_ucx_lists(NULL, "eth0"));
    assert_true(ash_ucx_lists("all", "eth0"));
    assert_true(ash_ucx_lists("mlx5_0:1,eth0", "eth0"));
    assert_true(ash_ucx_lists("eth[0-3]", "eth0"));
    assert_false(ash_ucx_lists("eth", "eth0"));
    assert_false(ash_ucx_lists("eth0", "eth"));
    assert_false(ash_ucx_lists("mlx5_0:1", "eth0"));
    assert_false(ash_ucx_lists("^eth0,lo", "eth0"));
    assert_true(ash_ucx_lists("^eth0,lo", "eth1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_of_tcp_only_where_it_is),
        cmocka_unit_test(test_devices_of_tcp),
        cmocka_unit_test(test_lanes_over_tcp),
        cmocka_unit_test(test_unknown_text_is_not_tcp),
        cmocka_unit_test(test_rendezvous_lanes_asked_of_ucx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
