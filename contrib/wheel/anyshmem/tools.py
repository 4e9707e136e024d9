# SPDX-License-Identifier: BSD-3-Clause
"""The commands anyshmem-run, anyshmem-info ...: each is the program of its name in bin/."""
import os
import sys

from anyshmem.places import PREFIX, openmpi


def main():
    name = os.path.basename(sys.argv[0])
    program = PREFIX / "bin" / name
    prefix = openmpi()
    if prefix is not None:
        # Its prterun fits the PMIx that the library has; the environment need not be activated.
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        os.environ["PATH"] = os.pathsep.join([str(prefix / "bin"), *folders])
    os.execv(program, [str(program), *sys.argv[1:]])
