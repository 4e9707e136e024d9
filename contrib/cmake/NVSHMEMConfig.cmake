# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(NVSHMEM) with this folder's parents in CMAKE_PREFIX_PATH makes the
# targets that programs written for NVSHMEM link:
#
#   nvshmem::nvshmem_host     anyshmem::anyshmem
#   nvshmem::nvshmem_device   anyshmem::device, where it was installed
#
# This file lies in LIBDIR/anyshmem/nvshmem/lib/cmake/nvshmem.
get_filename_component(_anyshmem_here "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_anyshmem_here "${_anyshmem_here}" DIRECTORY)
include("${_anyshmem_here}/../../../../../cmake/anyshmem/anyshmem-config.cmake")
unset(_anyshmem_here)

if(NOT TARGET nvshmem::nvshmem_host)
    add_library(nvshmem::nvshmem_host INTERFACE IMPORTED)
    set_target_properties(nvshmem::nvshmem_host PROPERTIES
        INTERFACE_LINK_LIBRARIES anyshmem::anyshmem)
endif()
if(TARGET anyshmem::device AND NOT TARGET nvshmem::nvshmem_device)
    add_library(nvshmem::nvshmem_device INTERFACE IMPORTED)
    set_target_properties(nvshmem::nvshmem_device PROPERTIES
        INTERFACE_LINK_LIBRARIES anyshmem::device)
endif()
