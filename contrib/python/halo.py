# SPDX-License-Identifier: BSD-3-Clause
"""Heat in a plate: each PE has some of its rows, and its neighbours' rows next to them (the halo).

anyshmem-run -n 4 python halo.py
"""
import sys

import numpy as np
from shmem4py import shmem

ROWS, COLUMNS, STEPS = 64, 48, 100


def initial():
    """The whole plate, with a border that stays as it is: hot above, cold elsewhere."""
    plate = np.zeros((ROWS + 2, COLUMNS + 2))
    plate[0] = 100
    return plate


def step(new, old):
    """One step of all rows but the first and the last, which are borders or halos."""
    sides = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
    new[1:-1, 1:-1] = old[1:-1, 1:-1] + 0.2 * (sides - 4 * old[1:-1, 1:-1])


def parallel(first, last):
    """The rows from first to last - 1 after all steps; the PEs above and below have the others."""
    me, n = shmem.my_pe(), shmem.n_pes()
    # All PEs ask for as many rows, for an array has the same size everywhere.  Two plates take
    # turns: a neighbour is at most one step ahead, and then writes to the one that is not read.
    most = -(-ROWS // n)
    plates = [shmem.zeros((most + 2, COLUMNS + 2)) for _ in range(2)]
    mine = last - first
    for plate in plates:
        plate[: mine + 2] = initial()[first : last + 2]
    above, below = shmem.new_signal(), shmem.new_signal()
    shmem.barrier_all()

    for now in range(STEPS):
        old, new = plates[now % 2], plates[(now + 1) % 2]
        if me > 0:
            # My first row is the halo below the rows of the PE above.
            rows = bounds(me - 1)
            halo = old[rows[1] - rows[0] + 1]
            shmem.put_signal(halo, old[1], me - 1, below, now + 1, shmem.SIGNAL_SET)
        if me < n - 1:
            shmem.put_signal(old[0], old[mine], me + 1, above, now + 1, shmem.SIGNAL_SET)
        if me > 0:
            shmem.signal_wait_until(above, shmem.CMP.GE, now + 1)
        if me < n - 1:
            shmem.signal_wait_until(below, shmem.CMP.GE, now + 1)
        step(new[: mine + 2], old[: mine + 2])

    result = plates[STEPS % 2][1 : mine + 1].copy()
    for plate in plates:
        shmem.free(plate)
    shmem.del_signal(above)
    shmem.del_signal(below)
    return result


def serial():
    plates = [initial(), initial()]
    for now in range(STEPS):
        step(plates[(now + 1) % 2], plates[now % 2])
    return plates[STEPS % 2]


def bounds(pe):
    n = shmem.n_pes()
    return ROWS * pe // n, ROWS * (pe + 1) // n


def main():
    me, n = shmem.my_pe(), shmem.n_pes()
    if n > ROWS:
        sys.exit(f"more PEs than the {ROWS} rows")
    first, last = bounds(me)
    same = np.array_equal(parallel(first, last), serial()[first + 1 : last + 1])
    print(f"PE {me} of {n}: rows {first} to {last - 1} are {'right' if same else 'wrong'}", flush=True)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
