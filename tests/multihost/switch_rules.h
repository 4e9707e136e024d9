/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the lab's switch; their form stands in switch.c. */
#ifndef TESTS_MULTIHOST_SWITCH_RULES_H
#define TESTS_MULTIHOST_SWITCH_RULES_H

/* For one port: ms, ms, of 1000 frames, of 1000 frames, 0 or 1. */
struct rule {
    double delay, jitter, loss, twice, cut;
};

/* Read rules for n hosts; 0, or -1 if one cannot be read: then no generation. */
int switch_read_rules(const char *path, struct rule *ret_rules, int n, long *ret_generation);

#endif
