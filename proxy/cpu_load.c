/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oversubscription, the number of threads that each CPU has to run, from /proc/loadavg: timed
 * sleeps are longer by that factor.  The number of PEs of this node is known; those of other
 * jobs, or of other nodes that run on this machine as well, are not, and there proxies that
 * wake too often take all the CPUs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "device/hostdev/backoff.h"
#include "proxy/internal.h"

void ash_cpu_load_start(struct ash_cpu_load *load)
{
    load->fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    load->n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    load->running = 0;
}

void ash_cpu_load_stop(struct ash_cpu_load *load)
{
    if (load->fd >= 0) close(load->fd);
    load->fd = -1;
}

/* A running mean of how many threads can run now, on any CPU. */
static void look(struct ash_cpu_load *load)
{
    char text[64];
    ssize_t nbytes = pread(load->fd, text, sizeof(text) - 1, 0);
    double running;
    if (nbytes <= 0) return;
    text[nbytes] = '\0';
    if (sscanf(text, "%*f %*f %*f %lf", &running) == 1)
        load->running += (running - load->running) / 4;
}

uint32_t ash_oversubscription(struct ash_cpu_load *load)
{
    int64_t now = ash_coarse_ms();
    uint32_t seen;
    if (load->fd >= 0 && now - load->looked_ms >= ASH_PROXY_LOAD_MS) {
        load->looked_ms = now;
        look(load);
    }
    seen = load->n_cpus > 0 ? (uint32_t)(load->running / (double)load->n_cpus) : 1;
    return seen > ash_hostdev_oversubscription ? seen : ash_hostdev_oversubscription;
}
