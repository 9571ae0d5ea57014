//! A trace in numbers: for the command line, the page and Python.

use crate::detect::Format;
use crate::event::Pid;
use crate::lane::Lane;
use crate::names::Names;
use crate::read::Facts;
use serde::Serialize;

/// A trace in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// What the text is.
    pub format: Option<Format>,
    /// Number of CPUs, from the header or the highest that was seen.
    pub cpus: u16,
    /// First time of the trace's clock, in ns.
    pub begin_ns: u64,
    /// From the first to the last event, in ns.
    pub span_ns: u64,
    /// What is known of the whole.
    pub facts: Facts,
    /// How often a thread was on a CPU without a line that says since when.
    pub missing_switches: u64,
    /// Threads by CPU time, the longest first.
    pub threads: Vec<ThreadSummary>,
}

/// A thread in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadSummary {
    /// Its number.
    pub pid: Pid,
    /// Its latest name.
    pub name: String,
    /// Its process, if told.
    pub process: Option<Pid>,
    /// Its latest priority, as its kernel numbers it.
    pub prio: Option<i32>,
    /// Time on a CPU in ns.
    pub cpu_ns: u64,
    /// The same as the kernel accounted it, if the trace tells. Time that a host or an interrupt took is not in it.
    pub accounted_ns: Option<u64>,
    /// Time in queues in ns.
    pub waited_ns: u64,
    /// Time asleep or blocked in ns.
    pub blocked_ns: u64,
    /// Time of which the trace tells nothing, in ns.
    pub unknown_ns: u64,
    /// How often it left a CPU.
    pub switches: u64,
    /// How often it did so and could have gone on.
    pub preempted: u64,
    /// How often it ran on another CPU than before.
    pub moves: u64,
    /// The period of its wake-ups in ns, if they have one.
    pub period_ns: Option<u64>,
}

impl Summary {
    /// Sums a trace up that has been read to its end.
    #[must_use]
    pub fn new(lane: &Lane, names: &Names, facts: &Facts) -> Self {
        let (begin, end) = lane.span();
        let threads = lane.threads().iter().map(|(pid, thread)| ThreadSummary {
            pid: *pid,
            name: names.of(*pid).to_owned(),
            process: names.process(*pid),
            prio: thread.prio,
            cpu_ns: thread.ran,
            accounted_ns: facts.has_runtime.then_some(thread.accounted),
            waited_ns: thread.waited,
            blocked_ns: thread.blocked,
            unknown_ns: thread.unknown,
            switches: thread.switches(),
            preempted: thread.preempted,
            moves: thread.moves,
            period_ns: thread.bursts.period(),
        });
        let mut threads: Vec<ThreadSummary> = threads.collect();
        threads.sort_by_key(|thread| (std::cmp::Reverse(thread.cpu_ns), thread.pid));
        Self {
            format: facts.format,
            cpus: facts.cpus.unwrap_or(0).max(facts.seen_cpus),
            begin_ns: begin,
            span_ns: end - begin,
            facts: facts.clone(),
            missing_switches: lane.missing(),
            threads,
        }
    }
}
