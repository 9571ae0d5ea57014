//! Perfetto's own format: the events of [`super::ftrace`] as protobuf, with whole names of threads and processes.
//!
//! A trace is a list of packets, so parts of it stand one after the other. Here a part has a packet that names the threads
//! that are new, and one with the events of each CPU. Perfetto puts them in order. It has no event for the time that a
//! thread had (`sched_stat_runtime`), and computes it from the switches.
//!
//! The messages are those of Perfetto's `protos/perfetto/trace`, as far as they are written: names and numbers of fields
//! are theirs.

use super::ftrace::{self, Event, State, name, prio};
use super::{Exporter, pid};
use crate::trace::TraceRecord;
use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
struct Trace {
    #[prost(message, repeated, tag = "1")]
    packet: Vec<TracePacket>,
}

#[derive(Clone, PartialEq, Message)]
struct TracePacket {
    #[prost(uint64, optional, tag = "8")]
    timestamp: Option<u64>,
    #[prost(uint32, optional, tag = "10")]
    trusted_packet_sequence_id: Option<u32>,
    #[prost(oneof = "Data", tags = "1, 2")]
    data: Option<Data>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Data {
    #[prost(message, tag = "1")]
    FtraceEvents(FtraceEventBundle),
    #[prost(message, tag = "2")]
    ProcessTree(ProcessTree),
}

#[derive(Clone, PartialEq, Message)]
struct ProcessTree {
    #[prost(message, repeated, tag = "1")]
    processes: Vec<Process>,
    #[prost(message, repeated, tag = "2")]
    threads: Vec<Thread>,
}

#[derive(Clone, PartialEq, Message)]
struct Process {
    #[prost(int32, optional, tag = "1")]
    pid: Option<i32>,
    #[prost(string, repeated, tag = "3")]
    cmdline: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
struct Thread {
    #[prost(int32, optional, tag = "1")]
    tid: Option<i32>,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
    #[prost(int32, optional, tag = "3")]
    tgid: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct FtraceEventBundle {
    #[prost(uint32, optional, tag = "1")]
    cpu: Option<u32>,
    #[prost(message, repeated, tag = "2")]
    event: Vec<FtraceEvent>,
}

#[derive(Clone, PartialEq, Message)]
struct FtraceEvent {
    #[prost(uint64, optional, tag = "1")]
    timestamp: Option<u64>,
    #[prost(uint32, optional, tag = "2")]
    pid: Option<u32>,
    #[prost(oneof = "Kind", tags = "4, 17, 20, 114, 238, 239, 491")]
    event: Option<Kind>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Kind {
    #[prost(message, tag = "4")]
    Switch(SchedSwitch),
    #[prost(message, tag = "17")]
    Wakeup(SchedWakeup),
    #[prost(message, tag = "20")]
    Waking(SchedWakeup),
    #[prost(message, tag = "114")]
    WakeupNew(SchedWakeup),
    #[prost(message, tag = "238")]
    ProcessExit(SchedProcessExit),
    #[prost(message, tag = "239")]
    ProcessFork(SchedProcessFork),
    #[prost(message, tag = "491")]
    MigrateTask(SchedMigrateTask),
}

#[derive(Clone, PartialEq, Message)]
struct SchedSwitch {
    #[prost(string, optional, tag = "1")]
    prev_comm: Option<String>,
    #[prost(int32, optional, tag = "2")]
    prev_pid: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    prev_prio: Option<i32>,
    #[prost(int64, optional, tag = "4")]
    prev_state: Option<i64>,
    #[prost(string, optional, tag = "5")]
    next_comm: Option<String>,
    #[prost(int32, optional, tag = "6")]
    next_pid: Option<i32>,
    #[prost(int32, optional, tag = "7")]
    next_prio: Option<i32>,
}

/// `sched_waking`, `sched_wakeup` and `sched_wakeup_new` have the same fields.
#[derive(Clone, PartialEq, Message)]
struct SchedWakeup {
    #[prost(string, optional, tag = "1")]
    comm: Option<String>,
    #[prost(int32, optional, tag = "2")]
    pid: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    prio: Option<i32>,
    #[prost(int32, optional, tag = "5")]
    target_cpu: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct SchedMigrateTask {
    #[prost(string, optional, tag = "1")]
    comm: Option<String>,
    #[prost(int32, optional, tag = "2")]
    pid: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    prio: Option<i32>,
    #[prost(int32, optional, tag = "4")]
    orig_cpu: Option<i32>,
    #[prost(int32, optional, tag = "5")]
    dest_cpu: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct SchedProcessFork {
    #[prost(string, optional, tag = "1")]
    parent_comm: Option<String>,
    #[prost(int32, optional, tag = "2")]
    parent_pid: Option<i32>,
    #[prost(string, optional, tag = "3")]
    child_comm: Option<String>,
    #[prost(int32, optional, tag = "4")]
    child_pid: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
struct SchedProcessExit {
    #[prost(string, optional, tag = "1")]
    comm: Option<String>,
    #[prost(int32, optional, tag = "2")]
    pid: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    tgid: Option<i32>,
    #[prost(int32, optional, tag = "4")]
    prio: Option<i32>,
}

/// All packets are of one writer.
const SEQUENCE: u32 = 1;

fn packet(timestamp: u64, data: Data) -> TracePacket {
    TracePacket {
        timestamp: Some(timestamp),
        trusted_packet_sequence_id: Some(SEQUENCE),
        data: Some(data),
    }
}

/// The bits of the kernel for how a thread leaves its CPU (`task_state_array`).
fn bits(state: State) -> i64 {
    match state {
        State::Runnable => 0,
        State::Sleeping => 1,
        State::Dead => 16,
        State::Zombie => 32,
    }
}

/// A thread's number as Perfetto has it. No run has more threads than fit.
fn id(task: i64) -> i32 {
    i32::try_from(pid(task)).unwrap_or(i32::MAX)
}

/// The number of a thread's process: that of the process' first thread.
fn process(x: &Exporter, task: i64) -> i32 {
    let own = x.task(task).map(|t| t.process);
    let first = x.tasks.iter().position(|t| Some(t.process) == own);
    first.map_or(id(task), |i| id(i as i64))
}

fn kind(x: &Exporter, cpu: i32, event: Event) -> Option<Kind> {
    let called = |task| Some(name(x, task, cpu));
    let woken = |task, target| SchedWakeup {
        comm: called(task),
        pid: Some(id(task)),
        prio: Some(prio(x, task)),
        target_cpu: Some(target),
    };
    Some(match event {
        Event::Switch { prev, state, next } => Kind::Switch(SchedSwitch {
            prev_comm: called(prev),
            prev_pid: Some(id(prev)),
            prev_prio: Some(prio(x, prev)),
            prev_state: Some(bits(state)),
            next_comm: called(next),
            next_pid: Some(id(next)),
            next_prio: Some(prio(x, next)),
        }),
        Event::Waking { task, target } => Kind::Waking(woken(task, target)),
        Event::Wakeup { task, target } => Kind::Wakeup(woken(task, target)),
        Event::WakeupNew { task, target } => Kind::WakeupNew(woken(task, target)),
        Event::Migrate { task, from, to } => Kind::MigrateTask(SchedMigrateTask {
            comm: called(task),
            pid: Some(id(task)),
            prio: Some(prio(x, task)),
            orig_cpu: Some(from),
            dest_cpu: Some(to),
        }),
        Event::Fork { parent, child } => Kind::ProcessFork(SchedProcessFork {
            parent_comm: called(parent),
            parent_pid: Some(id(parent)),
            child_comm: called(child),
            child_pid: Some(id(child)),
        }),
        Event::Exit { task, .. } => Kind::ProcessExit(SchedProcessExit {
            comm: called(task),
            pid: Some(id(task)),
            tgid: Some(process(x, task)),
            prio: Some(prio(x, task)),
        }),
        Event::StatRuntime { .. } => return None,
    })
}

/// Names of the threads from a number on, as known at a time.
pub(super) fn names(x: &Exporter, at: u64, from: usize, out: &mut Vec<u8>) {
    if from == x.tasks.len() {
        return;
    }
    let mut tree = ProcessTree::default();
    for (i, known) in x.tasks.iter().enumerate().skip(from) {
        let task = i as i64;
        let leader = process(x, task);
        if leader == id(task) {
            tree.processes.push(Process {
                pid: Some(leader),
                cmdline: vec![known.name.clone()],
            });
        }
        tree.threads.push(Thread {
            tid: Some(id(task)),
            name: Some(known.name.clone()),
            tgid: Some(leader),
        });
    }
    write(vec![packet(at, Data::ProcessTree(tree))], out);
}

/// Adds the events of a record to those of the CPU where they happen.
pub(super) fn collect(x: &Exporter, r: &TraceRecord, of_cpus: &mut [Vec<FtraceEvents>]) {
    let cpu = usize::try_from(r.cpu).unwrap_or(0);
    ftrace::events(x, r, |on, event| {
        let Some(kind) = kind(x, r.cpu, event) else {
            return;
        };
        of_cpus[cpu].push(FtraceEvents(FtraceEvent {
            timestamp: Some(r.at.0),
            pid: u32::try_from(pid(on)).ok(),
            event: Some(kind),
        }));
    });
}

/// An event of one CPU, ready to be written.
pub(super) struct FtraceEvents(FtraceEvent);

/// Writes the events of all CPUs.
pub(super) fn events(of_cpus: Vec<Vec<FtraceEvents>>, out: &mut Vec<u8>) {
    let bundles = (0_u32..).zip(of_cpus).filter(|(_, all)| !all.is_empty());
    let packets = bundles.map(|(cpu, all)| {
        let first = all.first().and_then(|e| e.0.timestamp).unwrap_or(0);
        let bundle = FtraceEventBundle {
            cpu: Some(cpu),
            event: all.into_iter().map(|e| e.0).collect(),
        };
        packet(first, Data::FtraceEvents(bundle))
    });
    write(packets.collect(), out);
}

fn write(packet: Vec<TracePacket>, out: &mut Vec<u8>) {
    out.extend(Trace { packet }.encode_to_vec());
}
