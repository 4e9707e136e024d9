# SPDX-License-Identifier: BSD-3-Clause
"""MPI and OpenSHMEM in one job: a put moves the data, MPI's allreduce adds it up.

anyshmem-run -n 4 python with_mpi.py
"""
import sys

# MPI comes first: Open MPI 5 does not start in a process that has started PMIx already.
from mpi4py import MPI
from shmem4py import shmem  # isort: skip

import numpy as np


def main():
    world = MPI.COMM_WORLD
    me, n = shmem.my_pe(), shmem.n_pes()
    if (world.rank, world.size) != (me, n):
        sys.exit(f"rank {world.rank} of {world.size} is PE {me} of {n}")

    inbox = shmem.zeros(1)
    shmem.put(inbox, np.array([me + 1.0]), (me + 1) % n)
    # MPI's own barrier says nothing about OpenSHMEM's puts.
    shmem.barrier_all()
    total = world.allreduce(inbox[0])
    shmem.free(inbox)

    print(f"PE {me} of {n}: the sum is {total:.0f}", flush=True)
    return 0 if total == n * (n + 1) / 2 else 1


if __name__ == "__main__":
    sys.exit(main())
