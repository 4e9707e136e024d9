/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/bootstrap/pmix_fence.h"

#include "lib/base/deadline.h"
#include "lib/bootstrap/pmix_answer.h"

/* A fence's answer is to come: who gave up has left it behind. */
static bool open;

static void on_answer(pmix_status_t status, void *answer)
{
    __atomic_store_n(&open, false, __ATOMIC_RELEASE);
    ash_pmix_answer_come(answer, status, NULL);
}

int ash_pmix_fence(int seconds)
{
    struct ash_pmix_answer *answer;
    pmix_status_t status;
    if (__atomic_load_n(&open, __ATOMIC_ACQUIRE)) return PMIX_ERR_TIMEOUT;
    answer = ash_pmix_answer_new(PMIX_COLLECT_DATA, true);
    if (answer == NULL) return PMIX_ERR_NOMEM;
    __atomic_store_n(&open, true, __ATOMIC_RELAXED);
    status = PMIx_Fence_nb(NULL, 0, &answer->info, 1, on_answer, answer);
    /* Then there is no other answer. */
    if (status != PMIX_SUCCESS)
        on_answer(status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status, answer);
    status = ash_pmix_answer_wait(answer, ash_deadline_ms(seconds));
    ash_pmix_answer_leave(answer);
    return status;
}
