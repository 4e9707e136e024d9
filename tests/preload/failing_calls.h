/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that a system, UCX or PMIx may refuse:
 *
 *   X(KINDS, TYPE, NAME, PARAMETERS, ARGUMENTS, FAILED, ERROR)
 *
 * A call that fails returns FAILED and sets errno to ERROR; 0: errno stays.  KINDS:
 *
 *   RESOURCE   a resource of the system can run out, or be forbidden
 *   SIGNAL     a signal can interrupt the call: it returns -1, and errno is EINTR (not
 *              connect, which goes on in the kernel when it is interrupted)
 *   OTHERS     a call of UCX or PMIx
 */
#ifndef TESTS_PRELOAD_FAILING_CALLS_H
#define TESTS_PRELOAD_FAILING_CALLS_H

#define CALLS_OF_MEMORY(X) \
    X(RESOURCE, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL, \
      ENOMEM) \
    X(RESOURCE, void *, mmap, \
      (void *address, size_t size, int protection, int flags, int fd, off_t offset), \
      (address, size, protection, flags, fd, offset), MAP_FAILED, ENOMEM) \
    X(RESOURCE, int, munmap, (void *address, size_t size), (address, size), -1, ENOMEM) \
    X(RESOURCE, int, mprotect, (void *address, size_t size, int protection), \
      (address, size, protection), -1, ENOMEM) \
    X(RESOURCE, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, ENFILE) \
    X(RESOURCE, int, ftruncate, (int fd, off_t size), (fd, size), -1, ENOSPC) \
    X(RESOURCE | SIGNAL, int, fallocate, (int fd, int mode, off_t offset, off_t size), \
      (fd, mode, offset, size), -1, ENOSPC) \
    X(RESOURCE, int, pthread_create, \
      (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg), \
      (thread, attributes, start, arg), EAGAIN, 0) \
    X(RESOURCE, int, pthread_key_create, (pthread_key_t *key, void (*end)(void *)), (key, end), \
      EAGAIN, 0) \
    X(RESOURCE, int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value), \
      ENOMEM, 0)

#define CALLS_OF_FILES(X) \
    X(RESOURCE, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE) \
    X(RESOURCE, int, eventfd, (unsigned count, int flags), (count, flags), -1, EMFILE) \
    X(RESOURCE, int, fstat, (int fd, struct stat *result), (fd, result), -1, ENOMEM) \
    X(SIGNAL, ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size), -1, EIO) \
    X(SIGNAL, ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), -1, \
      EIO) \
    X(SIGNAL, int, poll, (struct pollfd *fds, nfds_t n, int ms), (fds, n, ms), -1, ENOMEM) \
    X(SIGNAL, int, ppoll, \
      (struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask), \
      (fds, n, time, mask), -1, ENOMEM) \
    X(SIGNAL, int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), \
      -1, EINVAL) \
    X(RESOURCE, ssize_t, getrandom, (void *bytes, size_t size, unsigned flags), \
      (bytes, size, flags), -1, ENOSYS) \
    X(RESOURCE, int, gethostname, (char *name, size_t size), (name, size), -1, EPERM) \
    X(RESOURCE, int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t *set), \
      (process, size, set), -1, EINVAL)

#define CALLS_OF_SOCKETS(X) \
    X(RESOURCE, int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, \
      EMFILE) \
    X(RESOURCE, int, bind, (int fd, const struct sockaddr *address, socklen_t size), \
      (fd, address, size), -1, EADDRINUSE) \
    X(RESOURCE, int, listen, (int fd, int backlog), (fd, backlog), -1, EADDRINUSE) \
    X(RESOURCE | SIGNAL, int, accept4, \
      (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags), \
      -1, EMFILE) \
    X(RESOURCE, int, connect, (int fd, const struct sockaddr *address, socklen_t size), \
      (fd, address, size), -1, ECONNREFUSED) \
    X(RESOURCE, int, getsockname, (int fd, struct sockaddr *address, socklen_t *size), \
      (fd, address, size), -1, ENOBUFS) \
    X(RESOURCE, int, setsockopt, \
      (int fd, int level, int option, const void *value, socklen_t size), \
      (fd, level, option, value, size), -1, ENOMEM) \
    X(RESOURCE, int, getsockopt, (int fd, int level, int option, void *value, socklen_t *size), \
      (fd, level, option, value, size), -1, ENOBUFS) \
    X(RESOURCE, int, getifaddrs, (struct ifaddrs **list), (list), -1, ENOMEM) \
    X(RESOURCE | SIGNAL, ssize_t, send, (int fd, const void *bytes, size_t size, int flags), \
      (fd, bytes, size, flags), -1, ECONNRESET) \
    X(RESOURCE | SIGNAL, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), \
      (fd, message, flags), -1, ENOBUFS) \
    X(RESOURCE | SIGNAL, ssize_t, recv, (int fd, void *bytes, size_t size, int flags), \
      (fd, bytes, size, flags), -1, ECONNRESET) \
    X(RESOURCE | SIGNAL, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), \
      (fd, message, flags), -1, ECONNRESET)

#define NO_MEMORY_POINTER ((ucs_status_ptr_t)(intptr_t)UCS_ERR_NO_MEMORY)

#define CALLS_OF_UCX(X) \
    X(OTHERS, ucs_status_t, ucp_config_read, \
      (const char *prefix, const char *file, ucp_config_t **config), (prefix, file, config), \
      UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_init_version, \
      (unsigned major, unsigned minor, const ucp_params_t *params, const ucp_config_t *config, \
       ucp_context_h *context), \
      (major, minor, params, config, context), UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_create, \
      (ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h *worker), \
      (context, params, worker), UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_get_efd, (ucp_worker_h worker, int *fd), (worker, fd), \
      UCS_ERR_IO_ERROR, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_arm, (ucp_worker_h worker), (worker), UCS_ERR_IO_ERROR, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_query, \
      (ucp_worker_h worker, ucp_worker_attr_t *attributes), (worker, attributes), \
      UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_get_address, \
      (ucp_worker_h worker, ucp_address_t **address, size_t *size), (worker, address, size), \
      UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_worker_set_am_recv_handler, \
      (ucp_worker_h worker, const ucp_am_handler_param_t *param), (worker, param), \
      UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_mem_map, \
      (ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *memory), \
      (context, params, memory), UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_rkey_pack, \
      (ucp_context_h context, ucp_mem_h memory, void **bytes, size_t *size), \
      (context, memory, bytes, size), UCS_ERR_NO_MEMORY, 0) \
    X(OTHERS, ucs_status_t, ucp_ep_create, \
      (ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *ep), (worker, params, ep), \
      UCS_ERR_UNREACHABLE, 0) \
    X(OTHERS, ucs_status_t, ucp_ep_rkey_unpack, \
      (ucp_ep_h ep, const void *bytes, ucp_rkey_h *rkey), (ep, bytes, rkey), UCS_ERR_NO_MEMORY, 0)

#define CALLS_OF_TRANSFERS(X) \
    X(OTHERS, ucs_status_ptr_t, ucp_put_nbx, \
      (ucp_ep_h ep, const void *from, size_t size, uint64_t to, ucp_rkey_h rkey, \
       const ucp_request_param_t *param), \
      (ep, from, size, to, rkey, param), NO_MEMORY_POINTER, 0) \
    X(OTHERS, ucs_status_ptr_t, ucp_get_nbx, \
      (ucp_ep_h ep, void *to, size_t size, uint64_t from, ucp_rkey_h rkey, \
       const ucp_request_param_t *param), \
      (ep, to, size, from, rkey, param), NO_MEMORY_POINTER, 0) \
    X(OTHERS, ucs_status_ptr_t, ucp_atomic_op_nbx, \
      (ucp_ep_h ep, ucp_atomic_op_t op, const void *operand, size_t n, uint64_t to, \
       ucp_rkey_h rkey, const ucp_request_param_t *param), \
      (ep, op, operand, n, to, rkey, param), NO_MEMORY_POINTER, 0) \
    X(OTHERS, ucs_status_ptr_t, ucp_am_send_nbx, \
      (ucp_ep_h ep, unsigned id, const void *header, size_t header_size, const void *bytes, \
       size_t size, const ucp_request_param_t *param), \
      (ep, id, header, header_size, bytes, size, param), NO_MEMORY_POINTER, 0) \
    X(OTHERS, ucs_status_ptr_t, ucp_ep_flush_nbx, (ucp_ep_h ep, const ucp_request_param_t *param), \
      (ep, param), NO_MEMORY_POINTER, 0) \
    X(OTHERS, ucs_status_ptr_t, ucp_ep_close_nbx, (ucp_ep_h ep, const ucp_request_param_t *param), \
      (ep, param), NO_MEMORY_POINTER, 0)

#define CALLS_OF_PMIX(X) \
    X(OTHERS, pmix_status_t, PMIx_Init, (pmix_proc_t *process, pmix_info_t *info, size_t n), \
      (process, info, n), PMIX_ERR_UNREACH, 0) \
    X(OTHERS, pmix_status_t, PMIx_Get, \
      (const pmix_proc_t *process, const char *key, const pmix_info_t *info, size_t n, \
       pmix_value_t **value), \
      (process, key, info, n, value), PMIX_ERR_NOMEM, 0) \
    X(OTHERS, pmix_status_t, PMIx_Put, (pmix_scope_t scope, const char *key, pmix_value_t *value), \
      (scope, key, value), PMIX_ERR_NOMEM, 0) \
    X(OTHERS, pmix_status_t, PMIx_Commit, (void), (), PMIX_ERR_COMM_FAILURE, 0) \
    X(OTHERS, pmix_status_t, PMIx_Fence_nb, \
      (const pmix_proc_t *processes, size_t n, const pmix_info_t *info, size_t n_info, \
       pmix_op_cbfunc_t answer, void *argument), \
      (processes, n, info, n_info, answer, argument), PMIX_ERR_TIMEOUT, 0) \
    X(OTHERS, pmix_status_t, PMIx_Finalize, (const pmix_info_t *info, size_t n), (info, n), \
      PMIX_ERR_COMM_FAILURE, 0) \
    X(OTHERS, pmix_status_t, PMIx_Abort, \
      (int status, const char *message, pmix_proc_t *processes, size_t n), \
      (status, message, processes, n), PMIX_ERR_COMM_FAILURE, 0)

#define CALLS(X) \
    CALLS_OF_MEMORY(X) CALLS_OF_FILES(X) CALLS_OF_SOCKETS(X) CALLS_OF_UCX(X) \
    CALLS_OF_TRANSFERS(X) CALLS_OF_PMIX(X)

#endif
