"""Reads a trace of Perfetto with Perfetto's own messages (PyPI: perfetto), and prints what it found as JSON."""

import json
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

trace = perfetto_trace_pb2.Trace()
with open(sys.argv[1], "rb") as given:
    trace.ParseFromString(given.read())
until = int(sys.argv[2])


def strange(message):
    """Number of fields that Perfetto does not know."""
    count = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        parts = [value] if hasattr(value, "ListFields") else value
        count += sum(strange(part) for part in parts)
    return count


names = {}
processes = {}
events = []
for packet in trace.packet:
    for thread in packet.process_tree.threads:
        names[thread.tid] = thread.name
        processes[thread.tid] = thread.tgid
    bundle = packet.ftrace_events
    events += [(event.timestamp, bundle.cpu, at, event) for at, event in enumerate(bundle.event)]
# Perfetto sorts by time; within a CPU the order of the file holds.
events.sort(key=lambda e: (e[0], e[1], e[2]))
counts = {}
running = {}
busy = {}
woken = {}
waits = {}
consistent = True
for at, cpu, _, event in events:
    kind = event.WhichOneof("event")
    counts[kind] = counts.get(kind, 0) + 1
    if kind == "sched_waking":
        woken[event.sched_waking.pid] = at
    if kind != "sched_switch":
        continue
    switch = event.sched_switch
    if cpu in running:
        pid, since = running[cpu]
        consistent = consistent and pid == switch.prev_pid == event.pid
        if pid != 0:
            busy[names[pid]] = busy.get(names[pid], 0) + at - since
    running[cpu] = (switch.next_pid, at)
    # The time from a wake-up to the CPU is what Perfetto shows as runnable.
    if switch.next_pid in woken:
        name = names[switch.next_pid]
        waits[name] = waits.get(name, 0) + at - woken.pop(switch.next_pid)
for pid, since in running.values():
    if pid != 0:
        busy[names[pid]] = busy.get(names[pid], 0) + until - since
print(
    json.dumps(
        {
            "unknownFields": strange(trace),
            "counts": counts,
            "consistent": consistent,
            "busyNs": busy,
            "wokenNs": waits,
            "processes": processes,
        }
    )
)
