//! Threads that began before the trace. How they enter it is the only thing that a trace does not tell.
//!
//! Each has a free number: how much of its request it had used. Nobody is owed anything in a queue of one, so a thread that is
//! alone on its CPU has no other. Where several of them share a queue, each but the first has a second one: how much more CPU
//! time than the first it had, at most a lag's limit to either side.
//!
//! These numbers are settled once, by the first picks: for each in turn, the middle of the widest interval in which most of
//! these picks are right. They are not counted afterwards.

use crate::follow::{Doing, Follow};
use crate::record::Record;
use sim_contract::flags::{DequeueFlags, EnqueueFlags, SwitchReason};
use sim_ground::ids::CpuId;
use sim_import::{Kind, Pid};
use std::collections::BTreeMap;

/// Picks that settle how threads begin.
pub(crate) const SETTLES: u64 = 16;
/// Steps from one end of the range to the other.
const STEPS: u64 = 64;
/// Times that each thread is settled; each time the others are better known.
const ROUNDS: usize = 2;

/// A thread that began before the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Early {
    pid: Pid,
    cpu: CpuId,
    doing: Doing,
}

/// What a thread had before the trace: how much CPU time beside the others, and how much of that in its last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) had: u64,
    pub(crate) used: u64,
}

/// By thread.
pub(crate) type Had = BTreeMap<Pid, Start>;

/// What is as far from the ends of the ranges as can be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// Largest lag.
    pub(crate) lag: u64,
    /// A request.
    pub(crate) request: u64,
}

impl Range {
    fn middle(self) -> Start {
        Start {
            had: self.lag,
            used: self.request / 2,
        }
    }
}

/// The threads that began before the trace, in the order in which they appear.
fn early(record: &Record) -> Vec<Early> {
    let mut found: Vec<Early> = Vec::new();
    let mut seen: std::collections::BTreeSet<Pid> = std::collections::BTreeSet::new();
    for event in &record.events {
        let cpu = CpuId(event.cpu);
        let told = match event.kind {
            Kind::Fork { parent, child } => {
                // The child begins here, so it is known from now on.
                let parent = (record.is_member(parent) && !seen.contains(&parent))
                    .then_some((parent, Doing::Runs));
                seen.insert(child);
                [parent, None]
            }
            Kind::WakeupNew { pid, .. } => {
                seen.insert(pid);
                [None, None]
            }
            Kind::Switch { prev, next, .. } => {
                [Some((prev, Doing::Runs)), Some((next, Doing::Waits))]
            }
            Kind::Runtime { pid, .. } | Kind::Exit { pid } => [Some((pid, Doing::Runs)), None],
            Kind::Waking { pid, .. } | Kind::Wakeup { pid, .. } => {
                [Some((pid, Doing::Sleeps)), None]
            }
            Kind::Migrate { pid, .. } => [Some((pid, Doing::Waits)), None],
            _ => [None, None],
        };
        for (pid, doing) in told.into_iter().flatten() {
            if record.is_member(pid) && seen.insert(pid) {
                found.push(Early { pid, cpu, doing });
            }
        }
    }
    found
}

/// Brings all that began before the trace into the state in which it begins.
pub(crate) fn enter(follow: &mut Follow<'_>, record: &Record, had: &Had, range: Range) {
    let early = early(record);
    for e in &early {
        let thread = follow.begin(e.pid, e.cpu, None);
        follow.host.enqueue(e.cpu, thread.task, EnqueueFlags::New);
        if let Some(thread) = follow.threads.get_mut(&e.pid) {
            thread.doing = Doing::Waits;
        }
    }
    for e in &early {
        let Some(task) = follow.threads.get(&e.pid).map(|t| t.task) else {
            continue;
        };
        let Start { had, used } = had.get(&e.pid).copied().unwrap_or(range.middle());
        follow.host.take(e.cpu, task, SwitchReason::Resched);
        // First to the end of a request, then into the next one.
        follow.host.advance(e.cpu, range.request + had + range.request - used);
        follow.host.charge(e.cpu);
        follow.host.advance(e.cpu, used);
        follow.host.charge(e.cpu);
        if e.doing == Doing::Sleeps {
            follow.host.take(e.cpu, task, SwitchReason::Resched);
            follow.host.dequeue(e.cpu, task, DequeueFlags::Sleep);
            follow.host.give_away(e.cpu, SwitchReason::Block);
            if let Some(thread) = follow.threads.get_mut(&e.pid) {
                thread.doing = Doing::Sleeps;
            }
        } else {
            follow.host.give_away(e.cpu, SwitchReason::Resched);
        }
    }
    for e in early.iter().filter(|e| e.doing == Doing::Runs) {
        if follow.host.running(e.cpu).is_some() {
            continue;
        }
        if let Some(thread) = follow.threads.get_mut(&e.pid) {
            thread.doing = Doing::Runs;
            let task = thread.task;
            follow.host.take(e.cpu, task, SwitchReason::Resched);
        }
    }
}

/// What was settled of a thread: intervals of ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) pid: Pid,
    /// What it had, from 0 to twice the largest lag; `None` if it is the first of its CPU.
    pub(crate) had: Option<[u64; 2]>,
    /// What it had used of its request.
    pub(crate) used: [u64; 2],
}

/// Settles how threads begin. `wrong` says how many of the first picks are not right with given numbers.
pub(crate) fn settle(
    record: &Record,
    range: Range,
    wrong: impl Fn(&Had) -> u64,
) -> (Had, Vec<Settled>) {
    let early = early(record);
    let mut had: Had = early.iter().map(|e| (e.pid, range.middle())).collect();
    let mut settled = Vec::new();
    let others = |at: usize, e: &Early| early[..at].iter().any(|o| o.cpu == e.cpu);
    for round in 0..ROUNDS {
        for (at, e) in early.iter().enumerate() {
            let mut scan = |top: u64, set: fn(&mut Start, u64)| {
                let step = (top / STEPS).max(1);
                let with = |ns: u64, had: &mut Had| {
                    set(had.entry(e.pid).or_insert(range.middle()), ns);
                };
                let errors: Vec<u64> = (0..=STEPS)
                    .map(|n| {
                        let mut had = had.clone();
                        with(n * step, &mut had);
                        wrong(&had)
                    })
                    .collect();
                let (from, to) = widest(&errors);
                with((from + to) * step / 2, &mut had);
                [from * step, to * step]
            };
            let lag = others(at, e).then(|| scan(2 * range.lag, |s, ns| s.had = ns));
            let used = scan(range.request - 1, |s, ns| s.used = ns);
            if round + 1 == ROUNDS {
                settled.push(Settled {
                    pid: e.pid,
                    had: lag,
                    used,
                });
            }
        }
    }
    (had, settled)
}

/// First and last place of the widest run of smallest values.
fn widest(errors: &[u64]) -> (u64, u64) {
    let least = errors.iter().min();
    let is_least = |e: &u64| Some(e) == least;
    let (mut best, mut at) = ((0, 0), 0);
    let mut length = 0;
    for run in errors.chunk_by(|a, b| is_least(a) == is_least(b)) {
        let n = run.len() as u64;
        if run.iter().all(is_least) && n > length {
            (best, length) = ((at, at + n - 1), n);
        }
        at += n;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_interval_of_the_fewest_errors_counts() {
        assert_eq!(widest(&[3, 1, 2, 1, 1, 1, 5]), (3, 5));
        assert_eq!(widest(&[2, 2]), (0, 1));
        assert_eq!(widest(&[5, 4, 5]), (1, 1));
    }
}
