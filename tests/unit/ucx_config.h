/* SPDX-License-Identifier: BSD-3-Clause */
/* What UCX would be started with here, as text. */
#ifndef TESTS_UNIT_UCX_CONFIG_H
#define TESTS_UNIT_UCX_CONFIG_H

#include <stdio.h>

#include "proxy/internal.h"
#include "proxy/ucx/config.h"
#include "tests/unit/unit.h"

/* UCX's configuration with the library's settings, a line "UCX_NAME=VALUE" for each; the caller
 * frees it. */
static inline void ucx_config_text(char **ret_text)
{
    ucp_config_t *config;
    size_t nbytes;
    FILE *file = open_memstream(ret_text, &nbytes);
    assert_non_null(file);
    assert_int_equal(ash_ucx_config_read(&config), UCS_OK);
    ucp_config_print(config, file, NULL, UCS_CONFIG_PRINT_CONFIG);
    ucp_config_release(config);
    assert_int_equal(fclose(file), 0);
}

#endif
