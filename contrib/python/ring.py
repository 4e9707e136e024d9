# SPDX-License-Identifier: BSD-3-Clause
"""A ring: each PE's block of numbers goes once round, and every PE adds up all blocks.

anyshmem-run -n 4 python ring.py
"""
import sys

import numpy as np
from shmem4py import shmem

ELEMENTS = 1000


def block_of(pe):
    return np.arange(ELEMENTS, dtype=np.int64) * (pe + 1) + pe


def main():
    me, n = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % n
    # Each round has a block and a signal of its own, so nothing is overwritten that is in use.
    blocks = [shmem.zeros(ELEMENTS, dtype=np.int64) for _ in range(n)]
    signals = [shmem.new_signal() for _ in range(n)]

    blocks[0][:] = block_of(me)
    sums = blocks[0].copy()
    for step in range(1, n):
        shmem.put_signal(blocks[step], blocks[step - 1], right, signals[step], 1, shmem.SIGNAL_SET)
        shmem.signal_wait_until(signals[step], shmem.CMP.EQ, 1)
        sums += blocks[step]

    right_sums = np.array_equal(sums, sum(block_of(pe) for pe in range(n)))
    print(f"PE {me} of {n}: the sums are {'right' if right_sums else 'wrong'}", flush=True)
    # What others may still write to or read from is freed by all together.
    for block, signal in zip(blocks, signals):
        shmem.free(block)
        shmem.del_signal(signal)
    return 0 if right_sums else 1


if __name__ == "__main__":
    sys.exit(main())
