/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inspects what a PE sends to other PEs or to the launcher, by replacing the functions that
 * send.  At its end the PE prints on stderr how many bytes it sent, and how many addresses of
 * its symmetric heap they contain ("wire: 4711 bytes, 0 addresses").  Without address space
 * randomization (setarch -R) the heaps of other PEs are at the same address.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t heap, heap_end, n_bytes, n_addresses;
/* The last bytes that were inspected: an address may be split between two buffers of a call. */
static unsigned char window[sizeof(uint64_t)];

/* Find the heap's addresses, which stay 0 until it is mapped. */
static void find_heap(void)
{
    char line[512];
    unsigned long long from, to;
    FILE *maps;
    if (heap != 0 || (maps = fopen("/proc/self/maps", "re")) == NULL) return;
    while (heap == 0 && fgets(line, sizeof(line), maps) != NULL) {
        if (strstr(line, "memfd:anyshmem-heap") == NULL) continue;
        if (sscanf(line, "%llx-%llx", &from, &to) == 2) heap = from, heap_end = to;
    }
    fclose(maps);
}

static void look_at(const unsigned char *bytes, size_t n)
{
    uint64_t value;
    n_bytes += n;
    for (size_t i = 0; i < n && heap != 0; i++) {
        memmove(window, window + 1, sizeof(window) - 1);
        window[sizeof(window) - 1] = bytes[i];
        memcpy(&value, window, sizeof(value));
        if (value >= heap && value < heap_end) n_addresses++;
    }
}

static void look(const struct iovec *pieces, size_t n_pieces)
{
    pthread_mutex_lock(&mutex);
    find_heap();
    memset(window, 0, sizeof(window));
    for (size_t i = 0; i < n_pieces; i++) look_at(pieces[i].iov_base, pieces[i].iov_len);
    pthread_mutex_unlock(&mutex);
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_socket(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

static void look_at_one(const void *bytes, size_t n)
{
    const struct iovec piece = {(void *)(uintptr_t)bytes, n};
    look(&piece, 1);
}

ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
    static ssize_t (*real)(int, const void *, size_t, int);
    if (real == NULL) real = (ssize_t(*)(int, const void *, size_t, int))next("send");
    look_at_one(bytes, n);
    return real(fd, bytes, n, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t n, int flags, const struct sockaddr *to,
               socklen_t length)
{
    static ssize_t (*real)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    if (real == NULL)
        real = (ssize_t(*)(int, const void *, size_t, int, const struct sockaddr *,
                           socklen_t))next("sendto");
    look_at_one(bytes, n);
    return real(fd, bytes, n, flags, to, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    static ssize_t (*real)(int, const struct msghdr *, int);
    if (real == NULL) real = (ssize_t(*)(int, const struct msghdr *, int))next("sendmsg");
    look(message->msg_iov, message->msg_iovlen);
    return real(fd, message, flags);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))next("write");
    if (is_socket(fd)) look_at_one(bytes, n);
    return real(fd, bytes, n);
}

ssize_t writev(int fd, const struct iovec *pieces, int n_pieces)
{
    static ssize_t (*real)(int, const struct iovec *, int);
    if (real == NULL) real = (ssize_t(*)(int, const struct iovec *, int))next("writev");
    if (is_socket(fd)) look(pieces, (size_t)n_pieces);
    return real(fd, pieces, n_pieces);
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "wire: %llu bytes, %llu addresses\n", (unsigned long long)n_bytes,
            (unsigned long long)n_addresses);
}
