/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name by which NVIDIA's own headers include host_defines.h.
 */
#include <host_defines.h>
