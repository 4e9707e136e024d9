// SPDX-License-Identifier: BSD-3-Clause
// The same program as C++: its names without a type are overloads.
#include "tests/pe/shmem_deprecated.c"
