# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Anyshmem(AutotoolsPackage, CudaPackage):
    """NVSHMEM's, OpenSHMEM's and Intel SHMEM's routines as one C library over UCX and PMIx.
    It needs no GPU: CPU threads stand in for one, and CUDA C++ can be compiled for them."""

    homepage = "https://anyshmem.invalid"
    url = "https://anyshmem.invalid/releases/anyshmem-0.0.0.tar.xz"

    maintainers("anyshmem-maintainer")

    license("BSD-3-Clause")

    version("0.0.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("nvcc", default=False, description="anyshmem-nvcc, which compiles CUDA C++ for CPUs")
    variant("launcher", default=True, description="PRRTE, whose prterun starts jobs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("ucx@1.13:")
    depends_on("pmix@4:5")
    depends_on("boost+context")
    depends_on("llvm@14:19+clang", when="+nvcc", type=("build", "link", "run"))
    depends_on("cuda@13:", when="+cuda")
    depends_on("prrte", when="+launcher", type="run")

    depends_on("cmocka@1.1.5:", type="test")
    depends_on("prrte", type="test")

    sanity_check_is_file = ["bin/anyshmem-run", "bin/anyshmem-info", "include/anyshmem/nvshmem.h"]

    def configure_args(self):
        spec = self.spec
        args = ["--without-bitcode"]
        if spec.satisfies("+cuda"):
            args.append(f"--with-cuda={spec['cuda'].prefix}")
            archs = [arch for arch in spec.variants["cuda_arch"].value if arch != "none"]
            if archs:
                args.append(f"--with-cuda-arch={','.join(archs)}")
        else:
            args.append("--without-cuda")
        if spec.satisfies("+nvcc"):
            args.append(f"--with-llvm={join_path(spec['llvm'].prefix.bin, 'llvm-config')}")
        else:
            args.append("--without-llvm")
        return args

    def check(self):
        """What a package's build runs: no network, jobs of two processes, some minutes."""
        make("check-package", f"LAUNCHER={self.spec['prrte'].prefix.bin.prterun}")

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        # oshcc, oshc++ and oshrun are not among the programs of bin, where Open MPI has its own.
        env.prepend_path("PATH", self.prefix.lib.anyshmem.shmem.bin)
