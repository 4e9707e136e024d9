/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One look at memory less for a thread that polls: the sibling on its core gains.
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
