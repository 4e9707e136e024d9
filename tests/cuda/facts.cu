// SPDX-License-Identifier: BSD-3-Clause
// What programs rely on of NVSHMEM's headers beside the names of routines: constants, types,
// layouts, prototypes.  The same file compiles with NVIDIA's headers and with ours.
#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstddef>
#include <type_traits>

#define IS(NAME, VALUE) static_assert(static_cast<long>(NAME) == VALUE, #NAME)
#define LIES(TYPE, MEMBER, OFFSET) static_assert(offsetof(TYPE, MEMBER) == OFFSET, #TYPE)
#define SIZE(TYPE, NBYTES) static_assert(sizeof(TYPE) == NBYTES, #TYPE)
#define SAME(...) static_assert(std::is_same<__VA_ARGS__>::value, #__VA_ARGS__)
#define RETURNS(RESULT, NAME, ...) SAME(decltype(&NAME), RESULT (*)(__VA_ARGS__))

// The release.
IS(NVSHMEM_VENDOR_MAJOR_VERSION, 3);
IS(NVSHMEM_VENDOR_MINOR_VERSION, 8);
IS(NVSHMEM_VENDOR_PATCH_VERSION, 0);
IS(NVSHMEM_VENDOR_PACKAGE_VERSION, 0);
IS(NVSHMEM_VENDOR_VERSION, 30800);
IS(NVSHMEM_MAJOR_VERSION, 1);
IS(NVSHMEM_MINOR_VERSION, 3);
IS(NVSHMEM_MAX_NAME_LEN, 256);

// Statuses of routines and of the library.
IS(NVSHMEMX_SUCCESS, 0);
IS(NVSHMEMX_ERROR_INVALID_VALUE, 1);
IS(NVSHMEMX_ERROR_OUT_OF_MEMORY, 2);
IS(NVSHMEMX_ERROR_NOT_SUPPORTED, 3);
IS(NVSHMEMX_ERROR_SYMMETRY, 4);
IS(NVSHMEMX_ERROR_GPU_NOT_SELECTED, 5);
IS(NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED, 6);
IS(NVSHMEMX_ERROR_INTERNAL, 7);
IS(NVSHMEMX_ERROR_SENTINEL, 0x7fffffff);
IS(NVSHMEM_STATUS_NOT_INITIALIZED, 0);
IS(NVSHMEM_STATUS_IS_BOOTSTRAPPED, 1);
IS(NVSHMEM_STATUS_IS_INITIALIZED, 2);
IS(NVSHMEM_STATUS_LIMITED_MPG, 3);
IS(NVSHMEM_STATUS_FULL_MPG, 4);
IS(NVSHMEM_STATUS_INVALID, 0x7fffffff);
SAME(decltype(NVSHMEMX_SUCCESS), enum nvshmemx_status);
SAME(decltype(NVSHMEM_STATUS_FULL_MPG), nvshmemx_init_status_t);

// Comparisons, signals, threads, PEs, teams, ways to start.
IS(NVSHMEM_CMP_EQ, 0);
IS(NVSHMEM_CMP_NE, 1);
IS(NVSHMEM_CMP_GT, 2);
IS(NVSHMEM_CMP_LE, 3);
IS(NVSHMEM_CMP_LT, 4);
IS(NVSHMEM_CMP_GE, 5);
IS(NVSHMEM_CMP_SENTINEL, 0x7fffffff);
SAME(decltype(NVSHMEM_CMP_EQ), nvshmemx_cmp_type_t);
IS(NVSHMEM_SIGNAL_SET, 9);
IS(NVSHMEM_SIGNAL_ADD, 10);
IS(NVSHMEM_THREAD_SINGLE, 0);
IS(NVSHMEM_THREAD_FUNNELED, 1);
IS(NVSHMEM_THREAD_SERIALIZED, 2);
IS(NVSHMEM_THREAD_MULTIPLE, 3);
IS(NVSHMEM_THREAD_TYPE_SENTINEL, 0x7fffffff);
SAME(decltype(NVSHMEM_THREAD_SINGLE), nvshmemx_thread_support_t);
IS(NVSHMEM_PE_INVALID, -1);
IS(NVSHMEMX_PE_ANY, 1 << 15);
IS(NVSHMEMX_PE_ALL, 1 << 15);
SAME(decltype(NVSHMEM_PE_INVALID), nvshmem_pe_index_t);
IS(NVSHMEM_TEAM_INVALID, -1);
IS(NVSHMEM_TEAM_WORLD, 0);
IS(NVSHMEM_TEAM_SHARED, 1);
IS(NVSHMEMX_TEAM_NODE, 2);
IS(NVSHMEMX_TEAM_SAME_MYPE_NODE, 3);
IS(NVSHMEMI_TEAM_SAME_GPU, 4);
IS(NVSHMEMI_TEAM_GPU_LEADERS, 5);
IS(NVSHMEM_TEAM_MC_SHARED, 6);
IS(NVSHMEM_TEAMS_MIN, 7);
IS(NVSHMEM_TEAM_INDEX_MAX, 0x7fffffff);
SAME(decltype(NVSHMEM_TEAM_WORLD), nvshmem_team_id_t);
SAME(nvshmem_team_t, int32_t);
SAME(nvshmemx_team_t, nvshmem_team_t);
SAME(nvshmemx_team_uniqueid_t, uint64_t);
static_assert(NVSHMEM_TEAM_UNIQUID_INITIALIZER == UINT64_MAX, "no id");
IS(NVSHMEM_TEAM_CONFIG_MASK_NUM_CONTEXTS, 1);
IS(NVSHMEM_TEAM_CONFIG_MASK_UNIQUEID, 2);
IS(NVSHMEMX_INIT_THREAD_PES, 1);
IS(NVSHMEMX_INIT_WITH_MPI_COMM, 2);
IS(NVSHMEMX_INIT_WITH_SHMEM, 4);
IS(NVSHMEMX_INIT_WITH_UNIQUEID, 8);

// Structures that programs fill.
SIZE(nvshmemx_uniqueid_t, 128);
SIZE(nvshmemx_uniqueid_args_t, 24);
SIZE(nvshmemx_init_args_t, 128);
SIZE(nvshmemx_init_attr_t, 144);
SIZE(nvshmem_team_config_t, 64);
LIES(nvshmemx_uniqueid_t, version, 0);
LIES(nvshmemx_uniqueid_t, internal, 4);
LIES(nvshmemx_uniqueid_args_t, id, 8);
LIES(nvshmemx_uniqueid_args_t, myrank, 16);
LIES(nvshmemx_uniqueid_args_t, nranks, 20);
LIES(nvshmemx_init_args_t, uid_args, 8);
LIES(nvshmemx_init_args_t, cuda_device_id, 32);
LIES(nvshmemx_init_args_t, content, 36);
LIES(nvshmemx_init_attr_t, mpi_comm, 8);
LIES(nvshmemx_init_attr_t, args, 16);
LIES(nvshmem_team_config_t, version, 0);
LIES(nvshmem_team_config_t, num_contexts, 4);
LIES(nvshmem_team_config_t, uniqueid, 8);
LIES(nvshmemi_version_t, major, 0);
LIES(nvshmemi_version_t, minor, 4);
LIES(nvshmemi_version_t, patch, 8);
SIZE(nvshmemx_region_attrs_t, 64);
LIES(nvshmemx_region_attrs_t, hints, 0);
LIES(nvshmemx_region_attrs_t, reserved, 4);
IS(NVSHMEMX_REGION_HINT_NONE, 0);
IS(NVSHMEMX_REGION_HINT_BATCH_RMA, 1);
SAME(nvshmemx_region_handle_t, uint64_t);
SAME(nvshmemx_uniqueid_t, nvshmemx_uniqueid_v1);
SAME(nvshmemx_uniqueid_args_t, nvshmemx_uniqueid_args_v1);
SAME(nvshmemx_init_args_t, nvshmemx_init_args_v2);
SAME(nvshmemx_init_attr_t, nvshmemx_init_attr_v2);
SAME(nvshmem_team_config_t, nvshmem_team_config_v2);

// Prototypes of routines that no other program here has.
RETURNS(const char *, nvshmemx_status_string, int);
RETURNS(int, nvshmemx_init_status, );
RETURNS(void, nvshmem_info_get_version, int *, int *);
RETURNS(void, nvshmem_info_get_name, char *);
RETURNS(void, nvshmemx_vendor_get_version_info, int *, int *, int *);
RETURNS(void *, nvshmemx_mc_ptr, nvshmem_team_t, const void *);
RETURNS(int, nvshmemx_hostlib_init_attr, unsigned, nvshmemx_init_attr_t *);
RETURNS(void, nvshmemx_hostlib_finalize, );
RETURNS(int, nvshmemid_hostlib_init_attr, int, int *, unsigned, nvshmemx_init_attr_t *,
        nvshmemi_version_t, nvshmemx_device_lib_init_cb);
RETURNS(void, nvshmemid_hostlib_finalize, void *, void *);
RETURNS(int, nvshmemid_init_status, );
SAME(nvshmemx_device_lib_init_cb, int (*)(void **, void **));
RETURNS(int, nvshmemx_team_get_uniqueid, nvshmemx_team_uniqueid_t *);
RETURNS(int, nvshmemx_team_init, nvshmem_team_t *, nvshmem_team_config_t *, long, int, int);
RETURNS(void, nvshmem_half_p, half *, half, int);
RETURNS(half, nvshmem_half_g, const half *, int);
RETURNS(void, nvshmem_bfloat16_p, __nv_bfloat16 *, __nv_bfloat16, int);
RETURNS(__nv_bfloat16, nvshmem_bfloat16_g, const __nv_bfloat16 *, int);

int main() { return 0; }
