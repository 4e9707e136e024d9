/* SPDX-License-Identifier: BSD-3-Clause */
/* How UCX is asked to send an active message: eagerly, and of host memory. */
#include "proxy/internal.h"

ucp_request_param_t ash_message_param(ucp_send_nbx_callback_t done, void *user_data)
{
    return (ucp_request_param_t){
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .memory_type = UCS_MEMORY_TYPE_HOST,
        .cb.send = done,
        .user_data = user_data};
}
