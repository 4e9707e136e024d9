# SPDX-License-Identifier: BSD-3-Clause
#
# trace_events.py FILE N_PES: is that a trace as Perfetto and chrome://tracing read it,
# of a job of so many PEs?  Prints what is wrong with it, a line each; nothing if it is
# good.  What is looked at:
#
#   every event      has a kind, a name, a process, a thread, and (but for names) a time
#   slices           do not last a negative time, and those of a thread lie in each other
#                    or beside each other
#   flows            lie in a slice of their thread, for it is that which they join; each
#                    begins before it goes on, and nothing comes after its end; only a
#                    value may be stored in the same place again
import json
import sys
from collections import defaultdict
from decimal import Decimal

complaints = []


def complain(text, event):
    complaints.append("%s: %s" % (text, json.dumps(event, default=str)))


def check_event(event):
    """The fields; false if the others cannot be looked at."""
    fields = {"ph": str, "name": str, "pid": int, "tid": int}
    phase = event.get("ph")
    if phase != "M":
        fields["ts"] = Decimal
    if phase == "X":
        fields["dur"] = Decimal
    if phase in ("s", "t", "f"):
        fields.update(id=str, cat=str)
    for name, kind in fields.items():
        value = event.get(name)
        if kind is Decimal and isinstance(value, int):
            value = Decimal(value)
        if not isinstance(value, kind):
            complain("no %s" % name, event)
            return False
    if phase not in ("M", "X", "s", "t", "f"):
        complain("a phase of its own", event)
        return False
    if event.get("ts", 0) < 0 or event.get("dur", 0) < 0:
        complain("a negative time", event)
        return False
    return True


def check_nesting(slices):
    """Of one thread.  Longer ones first, where two begin together."""
    around = []
    for event in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
        end = event["ts"] + event["dur"]
        while around and around[-1]["ts"] + around[-1]["dur"] <= event["ts"]:
            around.pop()
        if around and end > around[-1]["ts"] + around[-1]["dur"]:
            complain("crosses the end of %s" % around[-1]["name"], event)
        around.append(event)


def check_flow(flow):
    """All events of one id."""
    kind = flow[0]["cat"]
    flow.sort(key=lambda e: (e["ts"], "stf".index(e["ph"])))
    phases = "".join(e["ph"] for e in flow)
    # A value that is stored again in the same place has the same name.
    if kind == "value":
        if phases[0] != "s":
            complain("a value that nobody stored, %s" % phases, flow[0])
    elif phases[0] != "s" or phases.count("s") != 1:
        complain("begins other than once, %s" % phases, flow[0])
    elif "f" in phases[:-1]:
        complain("goes on after its end, %s" % phases, flow[0])


def main(path, n_pes):
    with open(path) as file:
        events = json.load(file, parse_float=Decimal)
    if not isinstance(events, list):
        return ["not a list"]
    slices, flows = defaultdict(list), defaultdict(list)
    for event in filter(check_event, events):
        if event["ph"] == "X":
            slices[event["pid"], event["tid"]].append(event)
        elif event["ph"] != "M":
            flows[event["cat"], event["id"]].append(event)
    for thread in slices.values():
        check_nesting(thread)
    for flow in flows.values():
        check_flow(flow)
        for event in flow:
            within = slices[event["pid"], event["tid"]]
            if not any(e["ts"] <= event["ts"] <= e["ts"] + e["dur"] for e in within):
                complain("in no slice", event)
    pids = {pid for pid, _ in slices}
    if pids != set(range(n_pes)):
        complaints.append("processes %s, not %d PEs" % (sorted(pids), n_pes))
    kinds = {kind for kind, _ in flows}
    if kinds != {"request", "message", "value"}:
        complaints.append("flows: %s" % sorted(kinds))
    return complaints


for line in main(sys.argv[1], int(sys.argv[2]))[:20]:
    print(line)
