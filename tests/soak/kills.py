#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kills.py LAUNCHER VICTIM JOBS [SEED]: kill a PE of each of so many jobs, on a busy machine.

LAUNCHER is a command with its options (quoted), VICTIM is tests/soak/victim.  A job has 2 to 6
PEs, a random path, state and signal.  Printed are the jobs whose PEs or launcher live longer than
2 s after the kill, and in the end the times.  Of a job that lives for 5 s the stacks and a report
of each process are kept in the folder KILLS_OUT [kills.out]; after 40 s it is ended, and counts as
a failure.

KILLS_HOGS   busy loops meanwhile [24]
KILLS_AT_ONCE   jobs at once [2]
"""
import os
import random
import signal
import subprocess
import sys
import threading
import time

LATE, REPORT, LIMIT = 2.0, 5.0, 40.0
KINDS = "wait signal any barrier malloc finalize quiet amo ring mix init".split()
SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT]
PATHS = {
    "direct": {},
    "channel": {"ANYSHMEM_DISABLE_DIRECT": "all"},
    "tcp": {"ANYSHMEM_DISABLE_DIRECT": "all", "UCX_TLS": "tcp,self"},
    "am": {"ANYSHMEM_DISABLE_DIRECT": "all", "UCX_TLS": "tcp,self", "ANYSHMEM_REMOTE": "am"},
}
out = os.environ.get("KILLS_OUT", "kills.out")


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def pes_of(launcher, name):
    """The processes of that name below the launcher."""
    children = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % entry) as f:
                head, tail = f.read().rsplit(")", 1)
            children.setdefault(int(tail.split()[1]), []).append((int(entry), head.split("(", 1)[1]))
        except (OSError, IndexError, ValueError):
            continue
    found, todo = [], [launcher]
    while todo:
        for pid, command in children.get(todo.pop(), []):
            todo.append(pid)
            if command == name:
                found.append(pid)
    return sorted(found)


def keep_evidence(number, pids):
    os.makedirs(out, exist_ok=True)
    for pid in pids:
        with open("%s/job%d.%d.stack" % (out, number, pid), "w") as f:
            try:
                f.write(open("/proc/%d/cmdline" % pid).read().replace("\0", " ") + "\n")
            except OSError:
                continue
            subprocess.call(["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt"],
                            stdout=f, stderr=subprocess.DEVNULL, timeout=60)
    for pid in pids[1:]:
        try:
            os.kill(pid, signal.SIGUSR1)
        except OSError:
            pass


def run(launcher, victim, number, rng):
    """One job; the time from the kill to its end, and what it was."""
    n, path, kind = rng.randint(2, 6), rng.choice(list(PATHS)), rng.choice(KINDS)
    number_of_signal, dying = rng.choice(SIGNALS), rng.randrange(n)
    what = "%d: %d PEs, %s, %s, PE %d by %s" % (number, n, path, kind, dying, number_of_signal.name)
    log = "%s/job%d.log" % (out, number)
    env = dict(os.environ, PE_TIME_LIMIT="120", **PATHS[path])
    with open(log, "w") as f:
        job = subprocess.Popen(launcher + ["-n", str(n), victim, kind, str(dying)], stdout=f,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env)
    end = time.monotonic() + 60
    name = os.path.basename(victim)[:15]
    while open(log, errors="replace").read().count("victim: ready") < n:
        if time.monotonic() > end or job.poll() is not None:
            job.kill()
            return None, what + ": did not get ready"
        time.sleep(0.05)
    time.sleep(rng.random() * 0.5)
    pes = pes_of(job.pid, name)
    if len(pes) != n:
        job.kill()
        return None, what + ": not all PEs were found"
    killed = time.monotonic()
    os.kill(pes[dying], number_of_signal)
    launcher_end = None
    reported = False
    while True:
        now = time.monotonic() - killed
        if launcher_end is None and job.poll() is not None:
            launcher_end = now
        alive = [pid for pid in pes if is_alive(pid)]
        if launcher_end is not None and not alive:
            break
        if now > REPORT and not reported:
            reported = True
            keep_evidence(number, ([job.pid] if launcher_end is None else [0]) + alive)
        if now > LIMIT:
            for pid in alive + ([job.pid] if launcher_end is None else []):
                os.kill(pid, signal.SIGKILL)
            job.wait()
            return now, what + ": DID NOT END, alive: %d PEs%s" % (
                len(alive), "" if launcher_end is not None else ", the launcher")
        time.sleep(0.01)
    took = time.monotonic() - killed
    if took <= LATE:
        os.unlink(log)
    return took, what + ": %.2f s, the launcher after %.2f s" % (took, launcher_end)


def main():
    launcher, victim, jobs = sys.argv[1].split(), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    os.makedirs(out, exist_ok=True)
    hogs = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
            for _ in range(int(os.environ.get("KILLS_HOGS", "24")))]
    times, failures, lock = [], [], threading.Lock()
    numbers = iter(range(jobs))

    def work():
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            took, what = run(launcher, victim, number, random.Random(seed * 100003 + number))
            with lock:
                if took is None or took >= LIMIT:
                    failures.append(what)
                if took is not None:
                    times.append(took)
                if took is None or took > LATE:
                    print(what, flush=True)

    try:
        workers = [threading.Thread(target=work)
                   for _ in range(int(os.environ.get("KILLS_AT_ONCE", "2")))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        for hog in hogs:
            hog.kill()
    times.sort()
    if times:
        print("%d kills, seed %d: median %.2f s, 99 of 100 within %.2f s, longest %.2f s; "
              "%d longer than %g s; %d failed" %
              (len(times), seed, times[len(times) // 2], times[len(times) * 99 // 100], times[-1],
               sum(t > REPORT for t in times), REPORT, len(failures)))
    return 1 if failures or not times else 0


if __name__ == "__main__":
    sys.exit(main())
