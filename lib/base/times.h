/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long each step of a job's end may take, in milliseconds (docs/failure.md explains the
 * steps).  A PE dies at 0:
 *
 *   its node    0 pidfd --50-- end          that PE had ended the job: --400-- end
 *                   TOGETHER                                       LAUNCHER_GRACE
 *   other nodes 0 connection error --800-- end      UCX aborts: --1300-- abort
 *                          CONNECTION_GRACE            UCX_ABORT_GRACE
 *   no sign     0 --ANYSHMEM_PEER_TIMEOUT-- end; heartbeats each 100 to 1000, first warning 10000
 *
 *   end         log <=1000, notify <=100+100, let the launcher read <=500+50, abort, exit
 *               |                              |-- abort and exit: <=2000; for others <=500;
 *               |                                  at any step, if the launcher is gone: <=50
 *               |-- all of it: <=10000, other threads wait <=2000 for it
 */
#ifndef ASH_LIB_BASE_TIMES_H
#define ASH_LIB_BASE_TIMES_H

/* -- Peer liveness -- */

/* Heartbeats within ANYSHMEM_PEER_TIMEOUT; the time between two stays within these. */
#define ASH_HEARTBEATS 8
#define ASH_HEARTBEAT_MS_MIN 100
#define ASH_HEARTBEAT_MS_MAX 1000
/* The first warning comes at the latest after this time without a heartbeat; two warnings are
 * at least this far apart. */
#define ASH_WARN_MS 10000
/* The longest time between the moments at which a dying process has closed its files and at
 * which it has ended. */
#define ASH_EXITING_MS 1000

/* -- Grace periods: a cause is kept so long, and a better one may replace it -- */

/* A launcher that ends the job kills all PEs of a host at once: a PE waits so long to be killed
 * as well, so that it does not report another one that was killed with it. */
#define ASH_TOGETHER_MS 50
/* The launcher may end this PE without a message, after another one has ended the job. */
#define ASH_LAUNCHER_GRACE_MS 400
/* After a connection error: PEs of the lost PE's node know the cause at once, and notify. */
#define ASH_CONNECTION_GRACE_MS 800
/* After UCX's abort, of which no PE is known to be the cause: longer than the one before. */
#define ASH_UCX_ABORT_GRACE_MS 1300

/* -- The end -- */

/* From the first step to the exit. */
#define ASH_END_MS 10000
/* From the launcher's abort to the exit; less where another PE is the cause. */
#define ASH_ABORT_MS 2000
#define ASH_ABORT_FOR_OTHERS_MS 500
/* How long another thread that would end the job waits for the first one, and how long the first
 * one waits for a shutdown in progress. */
#define ASH_OTHER_THREADS_MS 2000
#define ASH_SHUTDOWN_MS 500
/* A reader of messages that does not read; the launcher, to read one, and to forward it. */
#define ASH_STUCK_MS 1000
#define ASH_READ_MS 500
#define ASH_FORWARD_MS 50
/* To take the proxy's lock for heartbeats or a notification, and then to send the latter. */
#define ASH_NOTIFY_MS 100
/* How long a thread that UCX has aborted, and that holds that lock, leaves the end to the watch,
 * which may still be waiting for it: to send heartbeats. */
#define ASH_WATCH_MS (ASH_NOTIFY_MS + 400)
/* nvshmem_global_exit, until the program's output is flushed. */
#define ASH_FLUSH_MS 1000

/* -- A start that fails -- */

/* How long PMIx's server may take to answer a PE that starts, if ANYSHMEM_INIT_TIMEOUT, which is
 * for the other PEs, is less: a busy machine starts many. */
#define ASH_SERVER_MS 3000
/* How long the other PEs have to connect to the launcher, before this one ends the job. */
#define ASH_CONNECT_MS 700
/* How long to ask the launcher which PEs are missing, and for one PE. */
#define ASH_MISSING_MS 4000
#define ASH_KNOWS_MS 2000
/* Unique id: for the root's reason after it has closed the connection, and for the root to notify
 * the other PEs. */
#define ASH_ROOT_REASON_MS 1000
#define ASH_ROOT_NOTIFY_MS 5000

#endif
