# SPDX-License-Identifier: BSD-3-Clause
"""python -m anyshmem --prefix|--cflags|--libs|...: where things are, for other builds."""
import argparse
import re

from anyshmem.places import PREFIX


def version():
    pc = PREFIX / "lib/pkgconfig/anyshmem.pc"
    return re.search(r"^Version: (.*)$", pc.read_text(encoding="utf-8"), re.MULTILINE)[1]


# What each option prints.  Nothing is known to the loader here, hence the rpath.
LIB = PREFIX / "lib"
ANSWERS = {
    "prefix": (lambda: PREFIX, "the folder that has bin, include, lib and share"),
    "cflags": (lambda: f"-I{PREFIX}/include/anyshmem", "options to compile with"),
    "libs": (lambda: f"-L{LIB} -Wl,-rpath,{LIB} -lanyshmem", "options to link with"),
    "version": (version, "the version of the library"),
    "pkgconfigdir": (lambda: LIB / "pkgconfig", "for PKG_CONFIG_PATH"),
    "cmakedir": (lambda: LIB / "cmake", "for CMAKE_PREFIX_PATH or anyshmem_ROOT"),
    "shmemhome": (lambda: LIB / "anyshmem/shmem", "has bin/oshcc and bin/oshrun"),
    "nvshmemhome": (lambda: LIB / "anyshmem/nvshmem", "for NVSHMEM_HOME"),
}


def main():
    parser = argparse.ArgumentParser(prog="python -m anyshmem", allow_abbrev=False)
    for name, (_, text) in ANSWERS.items():
        parser.add_argument(f"--{name}", dest="names", action="append_const", const=name, help=text)
    names = parser.parse_args().names
    if not names:
        parser.error("one of --" + ", --".join(ANSWERS))
    print(*(ANSWERS[name][0]() for name in names))


if __name__ == "__main__":
    main()
