"""Reads ftrace text with TRAPpy, a trace reader by others, and prints what it found as JSON."""

import json
import os
import re
import sys
import tempfile

import warnings

warnings.simplefilter("ignore")
import trappy  # noqa: E402

# TRAPpy keeps what it parsed beside the trace.
folder = tempfile.mkdtemp()
path = os.path.join(folder, "trace.txt")
with open(path, "w", encoding="ascii") as out, open(sys.argv[1], encoding="ascii") as given:
    # TRAPpy knows lines with four flags; kernels from 5.12 on print a fifth.
    out.write(re.sub(r"(\[\d+\] \S{4})\S ", r"\1 ", given.read()))
trappy.ftrace.GenericFTrace.disable_cache = True
events = ["sched_switch", "sched_wakeup", "sched_wakeup_new", "sched_migrate_task"]
trace = trappy.FTrace(path, events=events, normalize_time=False)
switches = trace.sched_switch.data_frame
running = {}
busy = {}
consistent = True
for at, row in switches.iterrows():
    cpu = int(row["__cpu"])
    if cpu in running:
        pid, comm, since = running[cpu]
        consistent = consistent and pid == int(row["prev_pid"])
        if pid != 0:
            busy[comm] = busy.get(comm, 0) + at - since
    running[cpu] = (int(row["next_pid"]), str(row["next_comm"]), at)
for pid, comm, since in running.values():
    if pid != 0:
        busy[comm] = busy.get(comm, 0) + float(sys.argv[2]) - since
print(
    json.dumps(
        {
            "switches": len(switches),
            "wakeups": len(trace.sched_wakeup.data_frame),
            "migrations": len(trace.sched_migrate_task.data_frame),
            "consistent": consistent,
            "busySeconds": busy,
        }
    )
)
