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

/// Picks that settle how threads begin: where each is alone, and where some share a queue. The lags of those are known the
/// better the more picks compare them.
const SETTLES: [u64; 2] = [16, 64];
/// Steps from one end of the range to the other.
const STEPS: u64 = 64;
/// Times that each thread is settled; each time the others are better known.
const ROUNDS: usize = 4;

/// A thread that began before the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Early {
    pid: Pid,
    cpu: CpuId,
    doing: Doing,
    /// The first event that tells of it.
    from: usize,
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
    for (from, event) in record.events.iter().enumerate() {
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
                found.push(Early {
                    pid,
                    cpu,
                    doing,
                    from,
                });
            }
        }
    }
    found
}

/// Whether an earlier thread of the list is on the same CPU.
fn shares(early: &[Early], at: usize) -> bool {
    early[..at].iter().any(|o| o.cpu == early[at].cpu)
}

/// How many picks settle how the threads of a trace begin.
pub(crate) fn settles(record: &Record) -> u64 {
    let early = early(record);
    match (0..early.len()).any(|at| shares(&early, at)) {
        _ if early.is_empty() => 0,
        shared => SETTLES[usize::from(shared)],
    }
}

/// About the CPU time in which a thread of a nice value has so much virtual time: a step of nice is a quarter. So a range of
/// virtual time is the same for light and heavy threads.
fn as_cpu_time(ns: u64, nice: i8) -> u64 {
    let steps = 0..nice.unsigned_abs();
    steps.fold(ns, |ns, _| if nice > 0 { ns * 4 / 5 } else { ns * 5 / 4 })
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
        let nice = record.first_nice.get(&e.pid).copied().unwrap_or(0);
        let had = as_cpu_time(had, nice);
        follow.host.advance(e.cpu, 2 * range.request + had - used);
        follow.host.charge(e.cpu);
        follow.host.advance(e.cpu, used);
        follow.host.charge(e.cpu);
        if e.doing == Doing::Sleeps {
            follow.host.take(e.cpu, task, SwitchReason::Resched);
            // It has slept for long, so it does not count any more.
            follow.host.dequeue(e.cpu, task, DequeueFlags::Stop);
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

/// Settles how threads begin. `off` says by how much the first picks are off together with given numbers. Each round looks
/// at each number again, more finely and nearer to where it was. A thread of which nothing is told before the event `until`,
/// where these picks end, has no part in them.
pub(crate) fn settle(
    record: &Record,
    range: Range,
    until: usize,
    off: impl Fn(&Had) -> u64,
) -> (Had, Vec<Settled>) {
    let early = early(record);
    let mut had: Had = early.iter().map(|e| (e.pid, range.middle())).collect();
    let whole = [[0, 2 * range.lag], [0, range.request - 1]];
    let mut settled: Vec<Settled> = Vec::new();
    let mut within = vec![whole; early.len()];
    for _ in 0..ROUNDS {
        settled.clear();
        for (at, e) in early
            .iter()
            .enumerate()
            .take_while(|(_, e)| e.from <= until)
        {
            let mut scan = |number: usize, set: fn(&mut Start, u64)| {
                let [low, high] = within[at][number];
                let step = ((high - low) / STEPS).max(1);
                let with = |ns: u64, had: &mut Had| {
                    set(had.entry(e.pid).or_insert(range.middle()), ns);
                };
                let errors: Vec<u64> = (0..=STEPS)
                    .map(|n| {
                        let mut had = had.clone();
                        with((low + n * step).min(high), &mut had);
                        off(&had)
                    })
                    .collect();
                let found = widest(&errors);
                let [from, to] = [found.0, found.1].map(|n| (low + n * step).min(high));
                with(from.midpoint(to), &mut had);
                // The others may still move it a little.
                let margin = (to - from) / 2 + 4 * step;
                let [least, most] = whole[number];
                within[at][number] = [
                    from.saturating_sub(margin).max(least),
                    (to + margin).min(most),
                ];
                [from, to]
            };
            let lag = shares(&early, at).then(|| scan(0, |s, ns| s.had = ns));
            let used = scan(1, |s, ns| s.used = ns);
            settled.push(Settled {
                pid: e.pid,
                had: lag,
                used,
            });
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
