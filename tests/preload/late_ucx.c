/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UCX that executes operations late and out of order, as UCX may.
 *
 * On one machine UCX keeps the order of nearly everything by chance, so that no test
 * would notice a fence that does nothing.  Preloaded into a PE, this library holds back
 * half of the puts, gets, atomics and messages for a random number of calls of
 * ucp_worker_progress.  It keeps what UCX guarantees: a flush of an endpoint completes
 * the puts, gets and atomics before it.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <ucp/api/ucp.h>

/* An operation that is held back; its call is made when it is due. */
struct late {
    struct late *next;
    unsigned long turns;
    bool message;
    ucp_ep_h ep;
    const void *buffer;
    size_t count;
    uint64_t address;
    ucp_rkey_h rkey;
    ucp_atomic_op_t op;
    unsigned id;
    const void *header;
    size_t header_length;
    ucp_request_param_t param;
    ucs_status_ptr_t (*call)(const struct late *late);
};

static struct late *list;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
/* Stands for the UCX request of each operation that is held back. */
static char held;

#define REAL(function) ((__typeof__(function) *)dlsym(RTLD_NEXT, #function))

static unsigned long random_number(void)
{
    static unsigned long state = 88172645463325252UL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static ucs_status_ptr_t call_put(const struct late *l)
{
    return REAL(ucp_put_nbx)(l->ep, l->buffer, l->count, l->address, l->rkey, &l->param);
}

static ucs_status_ptr_t call_get(const struct late *l)
{
    return REAL(ucp_get_nbx)(l->ep, (void *)(uintptr_t)l->buffer, l->count, l->address, l->rkey,
                             &l->param);
}

static ucs_status_ptr_t call_atomic(const struct late *l)
{
    return REAL(ucp_atomic_op_nbx)(l->ep, l->op, l->buffer, l->count, l->address, l->rkey,
                                   &l->param);
}

static ucs_status_ptr_t call_message(const struct late *l)
{
    return REAL(ucp_am_send_nbx)(l->ep, l->id, l->header, l->header_length, l->buffer, l->count,
                                 &l->param);
}

/* Make the call now or later; without a callback the caller could not learn of its end later. */
static ucs_status_ptr_t now_or_later(struct late late)
{
    unsigned long number = random_number();
    struct late *kept;
    if (number % 2 || !(late.param.op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK))
        return late.call(&late);
    kept = malloc(sizeof(*kept));
    if (kept == NULL) abort();
    *kept = late;
    kept->turns = number % 16 == 0 ? (number >> 8) % 3000 : (number >> 8) % 60;
    pthread_mutex_lock(&mutex);
    kept->next = list;
    list = kept;
    pthread_mutex_unlock(&mutex);
    return &held;
}

ucs_status_ptr_t ucp_put_nbx(ucp_ep_h ep, const void *buffer, size_t count, uint64_t address,
                             ucp_rkey_h rkey, const ucp_request_param_t *param)
{
    return now_or_later((struct late){.ep = ep, .buffer = buffer, .count = count,
                                      .address = address, .rkey = rkey, .param = *param,
                                      .call = call_put});
}

ucs_status_ptr_t ucp_get_nbx(ucp_ep_h ep, void *buffer, size_t count, uint64_t address,
                             ucp_rkey_h rkey, const ucp_request_param_t *param)
{
    return now_or_later((struct late){.ep = ep, .buffer = buffer, .count = count,
                                      .address = address, .rkey = rkey, .param = *param,
                                      .call = call_get});
}

ucs_status_ptr_t ucp_atomic_op_nbx(ucp_ep_h ep, ucp_atomic_op_t op, const void *buffer,
                                   size_t count, uint64_t address, ucp_rkey_h rkey,
                                   const ucp_request_param_t *param)
{
    return now_or_later((struct late){.ep = ep, .buffer = buffer, .count = count,
                                      .address = address, .rkey = rkey, .op = op,
                                      .param = *param, .call = call_atomic});
}

ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header,
                                 size_t header_length, const void *buffer, size_t count,
                                 const ucp_request_param_t *param)
{
    return now_or_later((struct late){.ep = ep, .buffer = buffer, .count = count, .id = id,
                                      .header = header, .header_length = header_length,
                                      .message = true, .param = *param, .call = call_message});
}

static void issue(struct late *late)
{
    ucs_status_ptr_t request = late->call(late);
    if (!UCS_PTR_IS_PTR(request))
        late->param.cb.send(&held, UCS_PTR_STATUS(request), late->param.user_data);
    free(late);
}

/* Take one that is due: any of this endpoint but messages or, if ep is NULL, one whose `turns`
 * are over. */
static struct late *take_due(ucp_ep_h ep)
{
    for (struct late **link = &list; *link != NULL; link = &(*link)->next) {
        struct late *late = *link;
        bool due = ep != NULL ? late->ep == ep && !late->message : late->turns == 0;
        if (!due) continue;
        *link = late->next;
        return late;
    }
    return NULL;
}

static void issue_due(ucp_ep_h ep)
{
    struct late *late;
    pthread_mutex_lock(&mutex);
    while ((late = take_due(ep)) != NULL) issue(late);
    pthread_mutex_unlock(&mutex);
}

static void count_turn(void)
{
    pthread_mutex_lock(&mutex);
    for (struct late *late = list; late != NULL; late = late->next)
        if (late->turns > 0) late->turns--;
    pthread_mutex_unlock(&mutex);
}

unsigned ucp_worker_progress(ucp_worker_h worker)
{
    if (list != NULL) {
        count_turn();
        issue_due(NULL);
    }
    return REAL(ucp_worker_progress)(worker) + (list != NULL);
}

ucs_status_t ucp_worker_arm(ucp_worker_h worker)
{
    return list != NULL ? UCS_ERR_BUSY : REAL(ucp_worker_arm)(worker);
}

ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    issue_due(ep);
    return REAL(ucp_ep_flush_nbx)(ep, param);
}

ucs_status_ptr_t ucp_worker_flush_nbx(ucp_worker_h worker, const ucp_request_param_t *param)
{
    pthread_mutex_lock(&mutex);
    for (struct late *late = list; late != NULL; late = late->next) late->turns = 0;
    pthread_mutex_unlock(&mutex);
    issue_due(NULL);
    return REAL(ucp_worker_flush_nbx)(worker, param);
}

void ucp_request_free(void *request)
{
    if (request != &held) REAL(ucp_request_free)(request);
}

ucs_status_t ucp_request_check_status(void *request)
{
    return request == &held ? UCS_INPROGRESS : REAL(ucp_request_check_status)(request);
}
