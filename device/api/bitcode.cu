/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All of the device library in one unit, which clang compiles to LLVM bitcode for compilers of
 * other languages: they link it into the kernels that they make.
 */
#include "device/api/group.cu"
#include "device/api/ishmem.cu"
#include "device/api/qp.cu"
#include "device/api/scope.cu"
#include "device/api/thread.cu"
#include "device/target/cuda.cu"
