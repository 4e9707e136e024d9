# SPDX-License-Identifier: BSD-3-Clause
# tests/gpu/make_conformance: functions become the device's; rows of collectives have no calls.
/^(typedef|struct [a-z_]+ [{]|enum|extern|#)/!s/^((static (inline )?)?(const )?(void|bool|int|long|unsigned|size_t|uint16_t|uint64_t|struct [a-z_]+) [*]?[a-z_0-9]+[(])/__device__ \1/
s/^( *)static (void|long) (put|get)_##NAME/\1static __device__ \2 \3_##NAME/
s/^#define ROUTINES[(].*/#define ROUTINES(...)\n#define NO_ROUTINES(NAME, TYPE, MORE) \\/
s/move_##NAME, reduce_##NAME/NULL, NULL/
s/move_mem, reduce_mem/NULL, NULL/
s/^const struct collective_row collective_rows/static __device__ &/
s/^const size_t collective_n_rows = (.*);/#define collective_n_rows \1/
/^extern const/d
