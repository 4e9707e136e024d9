# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# For the scripts that run in the machine (machine): its device, by its address of IPv6, for
# packets to the one of IPv4 go by "lo", which has no RDMA; and time for emulated processors, on
# which a PE takes 10 to 30 times as long.

export UCX_NET_DEVICES=rxe0:1 UCX_IB_GID_INDEX=0
export TEST_TIMEOUT=400 PE_TIME_LIMIT=380 ANYSHMEM_INIT_TIMEOUT=300
