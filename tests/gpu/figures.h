/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures: how they are printed, and their two parts.
 */
#ifndef TESTS_GPU_FIGURES_H
#define TESTS_GPU_FIGURES_H

#include "tests/gpu/gpu.h"

/* The host device shows that the figures are made; it need not take long. */
#define FIGURE_SCALE (GPU_CUDA ? 1u : 100u)

/* Print "figure PATH.NAME VALUE UNIT"; a value that is no number above 0 fails. */
void figure_print(const char *name, double value, const char *unit);

void figures_bandwidth(void);

#endif
