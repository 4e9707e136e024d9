/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that poll: a volatile load, and an atomic whose result is used. */
__global__ void golden_poll(volatile int *flag, int *lock)
{
    while (*flag == 0) {
    }
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
