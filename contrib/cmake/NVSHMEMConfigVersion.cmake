# SPDX-License-Identifier: BSD-3-Clause
# The release of NVSHMEM that has the same interface (include/nvshmem/version.h), for
# programs that ask for that one or an older one.
set(PACKAGE_VERSION 3.8.0)
if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
