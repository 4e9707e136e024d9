/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting on a GPU, and how its threads end when the job does.
 */
#ifndef ASH_DEVICE_TARGET_CUDA_WAIT_H
#define ASH_DEVICE_TARGET_CUDA_WAIT_H

/* Iterations of a wait without a pause; after these it sleeps so many nanoseconds in each. */
#define DEV_TURNS 100u
#define DEV_SLEEP_NS 100u
/* Iterations between two looks at the poison word, which is in the CPU's memory. */
#define DEV_POISON_TURNS 64u

struct dev_backoff {
    uint32_t turns;
};

DEV struct dev_backoff dev_backoff_start(void)
{
    struct dev_backoff b;
    b.turns = 0;
    return b;
}

/* End this thread if the job ends: an ended thread counts as arrived at its block's barriers. */
DEV_COLD void dev_look_at_poison(void)
{
    if (dev_load_relaxed(dev_state->gpu.poison, 4) != 0) asm volatile("exit;");
}

DEV bool dev_backoff(struct dev_backoff *b)
{
    if (++b->turns % DEV_POISON_TURNS == 0) dev_look_at_poison();
    if (b->turns > DEV_TURNS) __nanosleep(DEV_SLEEP_NS);
    return false;
}

/* Waits of a GPU are not registered. */
DEV struct dev_backoff dev_backoff_lasting(void) { return dev_backoff_start(); }
DEV uint32_t dev_wait_register(const struct ash_wait_info *info) { return (void)info, 0; }
DEV void dev_wait_unregister(uint32_t number) { (void)number; }

DEV void dev_fault_text(char *to, const char *from, unsigned size)
{
    unsigned i;
    for (i = 0; i + 1 < size && from[i] != 0; i++) to[i] = from[i];
    to[i] = 0;
}

/* Fill in the box for the proxy, which ends the job with a message. */
DEV void dev_fault_report(struct ash_fault_box *box, const struct ash_fault *fault)
{
    dev_fault_text(box->function, fault->function, ASH_FAULT_FUNCTION);
    dev_fault_text(box->argument, fault->argument, ASH_FAULT_ARGUMENT);
    box->kind = (uint64_t)fault->kind;
    box->value = fault->value;
    box->nbytes = fault->nbytes;
    box->block[0] = blockIdx.x;
    box->block[1] = blockIdx.y;
    box->block[2] = blockIdx.z;
    box->thread[0] = threadIdx.x;
    box->thread[1] = threadIdx.y;
    box->thread[2] = threadIdx.z;
    dev_store_release64(&box->ready, 1); /* pairs with the acquire in ash_gpu_serve: all is set */
}

/* The first thread with a fault reports it; all threads with one wait for the job's end. */
DEV void dev_fault(const struct ash_fault *fault)
{
    const struct ash_gpu *gpu = &dev_state->gpu;
    struct dev_backoff backoff = dev_backoff_start();
    /* Before nvshmem_init and after nvshmem_finalize there is no proxy to report to. */
    if (gpu->fault == NULL)
        __assert_fail("anyshmem is started, and knows this kernel's module", fault->function, 0,
                      fault->function);
    if (dev_compare_swap(gpu->fault_taken, 4, 0, 1) == 0) dev_fault_report(gpu->fault, fault);
    for (;;) dev_backoff(&backoff);
}

#endif
