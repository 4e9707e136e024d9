/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPU's pause between two polls, which leaves more of the core to its other hardware thread.
 */
#ifndef ASH_DEVICE_HOSTDEV_PAUSE_H
#define ASH_DEVICE_HOSTDEV_PAUSE_H

static inline void dev_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
