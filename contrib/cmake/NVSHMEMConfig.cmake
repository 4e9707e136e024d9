# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(NVSHMEM) with this folder's parents in CMAKE_PREFIX_PATH makes the
# targets that programs written for NVSHMEM link:
#
#   nvshmem::nvshmem_host     anyshmem::anyshmem
#   nvshmem::nvshmem_device   anyshmem::device, where it was installed
#   nvshmem::nvshmem          both
#
# each with NVSHMEM's own names of headers.  This file lies in
# LIBDIR/anyshmem/nvshmem/lib/cmake/nvshmem.
get_filename_component(_anyshmem_here "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_anyshmem_here "${_anyshmem_here}" DIRECTORY)
include("${_anyshmem_here}/../../../../../cmake/anyshmem/anyshmem-config.cmake")
get_filename_component(_anyshmem_include "${_anyshmem_here}/../../../include" ABSOLUTE)

function(_anyshmem_target name)
    if(NOT TARGET ${name})
        add_library(${name} INTERFACE IMPORTED)
        set_target_properties(${name} PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${_anyshmem_include}"
            INTERFACE_LINK_LIBRARIES "${ARGN}")
    endif()
endfunction()
_anyshmem_target(nvshmem::nvshmem_host anyshmem::anyshmem)
if(TARGET anyshmem::device)
    _anyshmem_target(nvshmem::nvshmem_device anyshmem::device)
    _anyshmem_target(nvshmem::nvshmem nvshmem::nvshmem_device nvshmem::nvshmem_host)
else()
    _anyshmem_target(nvshmem::nvshmem nvshmem::nvshmem_host)
endif()
unset(_anyshmem_here)
unset(_anyshmem_include)
