/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the bootstrap by unique id on a socket: a header and a body, sent and received
 * whole.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "lib/base/deadline.h"
#include "lib/bootstrap/uid.h"

bool ash_uid_send(int fd, uint32_t type, uint32_t number, const void *body, size_t nbytes)
{
    struct ash_uid_header header = {type, number, nbytes};
    struct iovec parts[2] = {{&header, sizeof(header)}, {(void *)(uintptr_t)body, nbytes}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    while (message.msg_iovlen > 0) {
        ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        /* Remove what was sent from the front. */
        while (message.msg_iovlen > 0 && (size_t)n >= message.msg_iov->iov_len) {
            n -= (ssize_t)message.msg_iov->iov_len;
            message.msg_iov++;
            message.msg_iovlen--;
        }
        if (message.msg_iovlen == 0) break;
        message.msg_iov->iov_base = (char *)message.msg_iov->iov_base + n;
        message.msg_iov->iov_len -= (size_t)n;
    }
    return true;
}

static bool receive_bytes(int fd, int64_t deadline, void *to, size_t nbytes)
{
    unsigned char *p = to;
    while (nbytes > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        ssize_t n;
        if (poll(&ready, 1, ash_poll_ms(deadline)) <= 0) {
            if (ash_now_ms() >= deadline) {
                errno = ETIMEDOUT;
                return false;
            }
            continue;
        }
        n = recv(fd, p, nbytes, 0);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n == 0) errno = ECONNRESET;
        if (n <= 0) return false;
        p += n;
        nbytes -= (size_t)n;
    }
    return true;
}

bool ash_uid_receive(int fd, int64_t deadline, struct ash_uid_header *ret_header,
                     unsigned char **ret_body)
{
    unsigned char *body;
    *ret_body = NULL;
    if (!receive_bytes(fd, deadline, ret_header, sizeof(*ret_header))) return false;
    if (ret_header->nbytes > ASH_UID_MESSAGE_MAX) {
        errno = EPROTO;
        return false;
    }
    body = malloc(ret_header->nbytes + 1);
    if (body == NULL) return false;
    if (!receive_bytes(fd, deadline, body, ret_header->nbytes)) {
        free(body);
        return false;
    }
    body[ret_header->nbytes] = '\0';
    *ret_body = body;
    return true;
}

bool ash_uid_send_end(int fd, const struct ash_cause *cause, const char *text)
{
    char body[sizeof(*cause) + ASH_UID_END_TEXT];
    size_t length = strnlen(text, ASH_UID_END_TEXT);
    memcpy(body, cause, sizeof(*cause));
    memcpy(body + sizeof(*cause), text, length);
    return ash_uid_send(fd, ASH_UID_END, 0, body, sizeof(*cause) + length);
}

const char *ash_uid_take_end(const struct ash_uid_header *header, const unsigned char *body,
                             uint32_t n_ranks, struct ash_cause *ret_cause)
{
    if (header->type != ASH_UID_END || header->nbytes < sizeof(*ret_cause) ||
        !ash_cause_take(ret_cause, body, sizeof(*ret_cause), n_ranks))
        return NULL;
    return (const char *)body + sizeof(*ret_cause);
}
