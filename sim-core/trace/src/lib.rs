//! Append-only records: which thread was woken, switched or moved, and when.
//!
//! Everything that a run shows (timeline, animation, metrics, exports) is read from these records and from
//! [`accounts`]. Readers cannot influence the run.

pub mod accounts;
pub mod occupancy;
pub mod samples;
pub mod window;

use sim_contract::decision::{DecisionId, number_of};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use std::collections::VecDeque;

/// Kinds of record; the names are those of the kernels' trace points. The position is the code.
pub const KINDS: &[&str] = &[
    "wakeup", "fork", "switch", "migrate", "sleep", "exit", "kick", "edit", "nice", "queue",
];

/// Kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// A task became runnable: `cpu` is the waker's, `other` the CPU in whose queue it waits, -1 for the queue of all
    /// CPUs. `decision` chose that queue; `also` is the preemption or its refusal.
    Wakeup,
    /// A task was created: `cpu` is the parent's, `other` the parent. The decisions are as for a wake-up.
    Fork,
    /// A CPU changed its task: `task` is the next, `other` the previous, `reason` a [`SwitchCode`]. `decision` chose
    /// the next task now, or is the search that found no task; `also` brought the task to this CPU.
    Switch,
    /// A task moved to `cpu` from CPU `other`. `decision` moved it, `also` runs it now.
    Migrate,
    /// A task went to sleep on `cpu`.
    Sleep,
    /// A task ended on `cpu`.
    Exit,
    /// `cpu` was signalled, by CPU `other` if there was one, because of `decision`.
    Kick,
    /// An edit took effect; `other` is its number.
    Edit,
    /// A task's nice value changed to `other`.
    Nice,
    /// A task that does not run was put into the queue of `cpu` (-1: the queue of all CPUs) from that of CPU `other`,
    /// by `decision` and for its reason.
    Queue,
}

/// Why a task left its CPU, in the `reason` of a switch record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum SwitchCode {
    /// The CPU had been idle.
    FromIdle = -1,
    /// Its slice ended or it was preempted.
    Involuntary = -2,
    /// It blocked.
    Block = -3,
    /// It yielded.
    Yield = -4,
    /// It ended.
    Exit = -5,
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRecord {
    /// Number, from 0.
    pub seq: u64,
    /// Time.
    pub at: SimTime,
    /// Kind.
    pub kind: TraceKind,
    /// Code of a reason of the lane's scheduler, a [`SwitchCode`], or -1.
    pub reason: i32,
    /// CPU, or -1.
    pub cpu: i32,
    /// Task, or -1.
    pub task: i64,
    /// See the kind; -1 if unused.
    pub other: i64,
    /// Number of the decision behind it, or -1. The decision is about the record's task; for a switch to idle, about
    /// its CPU.
    pub decision: i64,
    /// Number of a second decision (see the kind), or -1.
    pub also: i64,
    /// For a switch: the time that the CPU owes before the thread's own work begins. It is not part of the digest,
    /// because the accounts include it.
    pub cost: SwitchCost,
    /// For a fork: the CPU in whose queue the new task waits; the one that it is counted to, if all CPUs share a queue.
    /// Else -1. It is not part of the digest, because the switch to it is.
    pub target: i32,
    /// For a wake-up: whether `cpu` was interrupted for it, by a timer or a device. It is not part of the digest,
    /// because all that follows from it is.
    pub interrupt: bool,
}

/// Time that a CPU owes after a switch, in ns, in the order in which it is paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCost {
    /// Waiting for scheduler locks.
    pub lock_ns: u64,
    /// Switching.
    pub switch_ns: u64,
    /// Refilling caches with data that every dispatch touches.
    pub refill_ns: u64,
}

impl TraceRecord {
    /// A record of a kind with nothing else filled in.
    #[must_use]
    #[inline]
    pub fn new(at: SimTime, kind: TraceKind) -> Self {
        Self {
            seq: 0,
            at,
            kind,
            reason: -1,
            cpu: -1,
            task: -1,
            other: -1,
            decision: -1,
            also: -1,
            cost: SwitchCost::default(),
            target: -1,
            interrupt: false,
        }
    }

    /// Sets the CPU.
    #[must_use]
    #[inline]
    pub fn cpu(mut self, cpu: Option<CpuId>) -> Self {
        self.cpu = cpu.map_or(-1, |c| i32::from(c.0));
        self
    }

    /// Sets the task.
    #[must_use]
    #[inline]
    pub fn task(mut self, task: Option<TaskId>) -> Self {
        self.task = task.map_or(-1, |t| i64::from(t.0));
        self
    }

    /// Sets the decisions behind it.
    #[must_use]
    #[inline]
    pub fn because(mut self, decision: Option<DecisionId>, also: Option<DecisionId>) -> Self {
        self.decision = number_of(decision);
        self.also = number_of(also);
        self
    }

    /// Sets `other`, whose meaning depends on the kind.
    #[must_use]
    #[inline]
    pub fn other(mut self, other: i64) -> Self {
        self.other = other;
        self
    }
}

/// Names of the fields of a record in a row.
pub const ROW: &[&str] = &[
    "seq", "atNs", "kind", "reason", "cpu", "task", "other", "decision", "lockNs", "switchNs",
    "refillNs", "also",
];

/// The latest records, the number of records of each kind, and the digest of all records.
#[derive(Clone, Debug)]
pub struct Trace {
    next_seq: u64,
    kept: VecDeque<TraceRecord>,
    limit: usize,
    counts: [u64; KINDS.len()],
    hash: u64,
}

/// What a snapshot keeps of a trace.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TraceMark {
    next_seq: u64,
    counts: [u64; KINDS.len()],
    hash: u64,
}

impl Trace {
    /// A trace that keeps the latest `limit` records.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            next_seq: 0,
            kept: VecDeque::new(),
            limit,
            counts: [0; KINDS.len()],
            hash: sim_ground::hash::START,
        }
    }

    /// Adds a record: counts it, mixes it into the digest, and keeps it with its number within the limit.
    #[inline]
    pub fn push(&mut self, record: TraceRecord) {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.counts[record.kind as usize] += 1;
        let head = ((record.kind as u64) << 56)
            ^ (u64::from(record.cpu.cast_unsigned()) << 24)
            ^ u64::from(record.reason.cast_unsigned());
        for word in [
            record.at.0,
            head,
            record.task.cast_unsigned(),
            record.other.cast_unsigned()
                ^ record.decision.cast_unsigned().rotate_left(20)
                ^ record.also.cast_unsigned().rotate_left(42),
        ] {
            self.hash = sim_ground::hash::word(self.hash, word);
        }
        if self.limit > 0 {
            self.keep(TraceRecord { seq, ..record });
        }
    }

    /// A function of its own, so that callers need not write a record to memory of which nothing is kept.
    #[inline(never)]
    fn keep(&mut self, record: TraceRecord) {
        if self.kept.len() == self.limit {
            self.kept.pop_front();
        }
        self.kept.push_back(record);
    }

    /// Sets the cost of the latest switch of a CPU, which has just happened.
    #[inline]
    pub fn note_cost(&mut self, cpu: CpuId, cost: SwitchCost) {
        if self.kept.is_empty() {
            return;
        }
        let is_it = |r: &&mut TraceRecord| r.kind == TraceKind::Switch && r.cpu == i32::from(cpu.0);
        if let Some(r) = self.kept.iter_mut().rev().take(8).find(is_it) {
            r.cost = cost;
        }
    }

    /// Position, among the kept records, of the first record at or after a time.
    #[must_use]
    pub fn position(&self, at: SimTime) -> usize {
        self.kept.partition_point(|r| r.at < at)
    }

    /// The kept records, oldest first.
    #[must_use]
    pub fn kept(&self) -> &VecDeque<TraceRecord> {
        &self.kept
    }

    /// Number of records so far; the number of the next one.
    #[must_use]
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Digest of all records so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Number of records of a kind so far.
    #[must_use]
    pub fn count(&self, kind: TraceKind) -> u64 {
        self.counts[kind as usize]
    }

    /// The kept records from number `seq` on, oldest first.
    pub fn from_seq(&self, seq: u64) -> impl Iterator<Item = &TraceRecord> {
        let first = self.kept.front().map_or(self.next_seq, |r| r.seq);
        let skip = usize::try_from(seq.saturating_sub(first)).unwrap_or(usize::MAX);
        self.kept.range(skip.min(self.kept.len())..)
    }

    /// The position of the trace, for a snapshot.
    #[must_use]
    pub fn mark(&self) -> TraceMark {
        TraceMark {
            next_seq: self.next_seq,
            counts: self.counts,
            hash: self.hash,
        }
    }

    /// Goes back (or forward) to a mark; records after it are dropped.
    pub fn rewind(&mut self, mark: &TraceMark) {
        while self.kept.back().is_some_and(|r| r.seq >= mark.next_seq) {
            self.kept.pop_back();
        }
        if self.kept.back().is_some_and(|r| r.seq + 1 != mark.next_seq) {
            self.kept.clear();
        }
        self.next_seq = mark.next_seq;
        self.counts = mark.counts;
        self.hash = mark.hash;
    }
}
