/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells a broken connection from bad memory: where the kernel cannot read what UCX sends, because
 * the source of a put is not mapped, UCX says only that the endpoint has failed.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/end.h"
#include "proxy/internal.h"

/* Bytes that the kernel is asked to read at a time. */
#define PROBE_BYTES (UINT64_C(1) << 20)

/* The first of nbytes bytes that cannot be read; NULL: all can be, or that cannot be found out. */
static const char *first_unreadable(const char *from, uint64_t nbytes)
{
    int fd = memfd_create("anyshmem-probe", MFD_CLOEXEC);
    const char *end = from + nbytes, *bad = NULL;
    ssize_t n = 0;
    if (fd < 0) return NULL;
    while (bad == NULL && from < end && n >= 0) {
        uint64_t left = (uint64_t)(end - from);
        n = pwrite(fd, from, left < PROBE_BYTES ? left : PROBE_BYTES, 0);
        if (n < 0 && errno == EFAULT) bad = from;
        if (n > 0) from += n;
    }
    close(fd);
    return bad;
}

static void check_put(const struct ash_xfer *xfer)
{
    const char *source = (const char *)(uintptr_t)xfer->local;
    const char *bad = first_unreadable(source, xfer->nbytes);
    if (bad == NULL) return;
    ash_fatal("nvshmem_put%s%s: argument source: %llu bytes at %p, for PE %u: there is no readable "
              "memory at %p (it must stay mapped until the put is complete)",
              xfer->op == ASH_OP_PUT_SIGNAL ? "_signal" : "", xfer->reply == NULL ? "_nbi" : "",
              (unsigned long long)xfer->nbytes, (const void *)source, xfer->conn->pe,
              (const void *)bad);
}

static void check_reply(const struct ash_xfer *xfer)
{
    const char *bad = first_unreadable(xfer->payload, xfer->nbytes);
    if (bad == NULL) return;
    ash_fatal("proxy: the symmetric heap, from which PE %u gets %llu bytes at %p, is not readable "
              "at %p: the program must not unmap it", xfer->conn->pe,
              (unsigned long long)xfer->nbytes, xfer->payload, (const void *)bad);
}

/* A fragment has no source of its own: the put that it is of has it. */
static void check(const struct ash_xfer *xfer)
{
    if ((xfer->op == ASH_OP_PUT || xfer->op == ASH_OP_PUT_SIGNAL) && xfer->whole == NULL)
        check_put(xfer);
    else if (xfer->payload != NULL)
        check_reply(xfer);
}

void ash_failure_check_sources(const struct ash_proxy *proxy, const struct ash_connection *conn)
{
    for (uint32_t i = 0; i < proxy->n_chunks; i++)
        for (uint32_t k = 0; k < ASH_XFER_CHUNK; k++)
            if (proxy->chunks[i][k].conn == conn) check(&proxy->chunks[i][k]);
}
