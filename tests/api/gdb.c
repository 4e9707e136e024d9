/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE that a debugger stops: a thread of it waits for a variable, and then, when the
 * debugger has set `go` and lets no other thread run, requests are sent to itself
 * that nobody takes.  With an argument it waits for no debugger.
 */
#include <nvshmem.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { BYTES = 4096 };

/* Written by the debugger. */
volatile int go;

struct variables {
    int32_t waited;
    uint64_t sum, swapped, signal;
    unsigned char bytes[BYTES];
};

static void *wait_for_it(void *argument)
{
    struct variables *v = argument;
    nvshmem_int32_wait_until(&v->waited, NVSHMEM_CMP_GE, -7);
    return NULL;
}

/* The debugger stops here. */
static __attribute__((noinline)) void all_sent(void)
{
    __asm__ volatile("" ::: "memory");
}

static void send_all(struct variables *v, const unsigned char *source)
{
    int pe = nvshmem_my_pe();
    nvshmem_putmem_nbi(v->bytes, source, BYTES, pe);
    nvshmem_fence();
    nvshmem_uint64_atomic_add(&v->sum, 41, pe);
    nvshmem_putmem_signal_nbi(v->bytes, source, 100, &v->signal, 5, NVSHMEM_SIGNAL_ADD, pe);
    nvshmem_putmem_nbi(v->bytes, source, 20, pe);
    nvshmem_uint64_p(&v->swapped, 99, pe);
}

int main(int argc, char **argv)
{
    static unsigned char source[BYTES] = {1, 2, 3};
    struct variables *v;
    pthread_t thread;
    int right;
    (void)argv;
    nvshmem_init();
    v = nvshmem_calloc(1, sizeof(*v));
    if (v == NULL) return 1;
    v->waited = -9;
    if (pthread_create(&thread, NULL, wait_for_it, v) != 0) return 1;
    for (int ms = 0; go == 0 && argc == 1; ms++) {
        if (ms == 30000) return 1;
        usleep(1000);
    }
    send_all(v, source);
    all_sent();
    nvshmem_quiet();
    right = v->sum == 41 && v->signal == 5 && v->bytes[2] == 3 && v->swapped == 99;
    nvshmem_int32_p(&v->waited, -7, nvshmem_my_pe());
    pthread_join(thread, NULL);
    nvshmem_free(v);
    nvshmem_finalize();
    printf("gdb: %s\n", right ? "right" : "wrong");
    return right ? 0 : 1;
}
