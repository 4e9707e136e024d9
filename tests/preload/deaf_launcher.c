/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A launcher that does not end the job when a PE asks for it: what a PE says to it
 * is not passed on.  With a launcher that leaves the others alone when a PE dies,
 * every PE must find out and end by itself.
 */
int PMIx_Abort(int status, const char *message, void *processes, unsigned long n_processes);

int PMIx_Abort(int status, const char *message, void *processes, unsigned long n_processes)
{
    (void)status, (void)message, (void)processes, (void)n_processes;
    return 0;
}
