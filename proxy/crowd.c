/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many threads each CPU has to run: a timed sleep is as much longer.  The PEs of this
 * node are known; those of other jobs, or of other nodes that are this machine as
 * well, are not, and there proxies that look too often take all the CPUs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "device/hostdev/hostdev.h"
#include "proxy/internal.h"

/* Between two looks. */
#define LOOK_MS 20

void ash_crowd_start(struct ash_crowd *crowd)
{
    crowd->fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    crowd->n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    crowd->running = 0;
}

void ash_crowd_stop(struct ash_crowd *crowd)
{
    if (crowd->fd >= 0) close(crowd->fd);
    crowd->fd = -1;
}

/* A running mean of how many threads can run now, on any CPU. */
static void look(struct ash_crowd *crowd)
{
    char text[64];
    ssize_t nbytes = pread(crowd->fd, text, sizeof(text) - 1, 0);
    double running;
    if (nbytes <= 0) return;
    text[nbytes] = '\0';
    if (sscanf(text, "%*f %*f %*f %lf", &running) == 1)
        crowd->running += (running - crowd->running) / 4;
}

uint32_t ash_crowd_now(struct ash_crowd *crowd)
{
    int64_t now = ash_coarse_ms();
    uint32_t seen;
    if (crowd->fd >= 0 && now - crowd->looked_ms >= LOOK_MS) {
        crowd->looked_ms = now;
        look(crowd);
    }
    seen = crowd->n_cpus > 0 ? (uint32_t)(crowd->running / (double)crowd->n_cpus) : 1;
    return seen > ash_hostdev_crowd ? seen : ash_hostdev_crowd;
}
