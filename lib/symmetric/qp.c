/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of queue pairs: numbers that no pair has had yet, in arrays that kernels can read.  All
 * pairs are the one connection to each PE, so there is nothing else to make.
 */
#include "lib/symmetric/qp.h"

#include <nvshmem/qp.h>
#include <nvshmemx.h>
#include <pthread.h>

#include "device/routine/check.h"
#include "lib/cuda/cuda.h"

/* An array, behind what names the next one. */
struct qps {
    struct qps *next;
    size_t nbytes;
    nvshmemx_qp_handle_t handle[];
};

/* Written and read by: host threads, under `lock`. */
static struct {
    pthread_mutex_t lock;
    struct qps *first;
    nvshmemx_qp_handle_t last;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = NVSHMEMX_QP_DEFAULT};

int nvshmemx_qp_create(int num_qps, nvshmemx_qp_handle_t **out_qp_array)
{
    size_t nbytes = sizeof(struct qps) + (size_t)num_qps * sizeof(nvshmemx_qp_handle_t);
    struct qps *qps;
    ash_check_started("nvshmemx_qp_create");
    if (num_qps < 1 || out_qp_array == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    qps = ash_cuda_visible_alloc(nbytes);
    if (qps == NULL) return NVSHMEMX_ERROR_OUT_OF_MEMORY;
    qps->nbytes = nbytes;
    (void)pthread_mutex_lock(&all.lock);
    for (int i = 0; i < num_qps; i++) {
        /* From the first one again after the largest. */
        all.last = all.last == NVSHMEMX_QP_ALL - 1 ? NVSHMEMX_QP_DEFAULT + 1 : all.last + 1;
        qps->handle[i] = all.last;
    }
    qps->next = all.first;
    all.first = qps;
    (void)pthread_mutex_unlock(&all.lock);
    *out_qp_array = qps->handle;
    return NVSHMEMX_SUCCESS;
}

void ash_qps_stop(void)
{
    while (all.first != NULL) {
        struct qps *qps = all.first;
        all.first = qps->next;
        ash_cuda_visible_free(qps, qps->nbytes);
    }
    all.last = NVSHMEMX_QP_DEFAULT;
}
