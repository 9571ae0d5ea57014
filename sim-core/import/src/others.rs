//! What a trace tells of CPUs beyond its threads: when somebody else had one, or nothing is known of it; and who stayed
//! on one CPU although another idled.

use crate::burst::{Burst, Then, pack};
use crate::event::Pid;
use crate::lane::{Doing, Lane};
use std::collections::{BTreeMap, BTreeSet};

/// What the threads that stand for others are called, before the number of the CPU.
pub const OTHERS: &str = "others on CPU";
/// CPUs of which others are told: those of which they had most.
const MOST_CPUS: usize = 32;
/// One part in so many of the trace, below which a CPU's others are left out.
const LEAST: u64 = 200;
/// Shorter times are between two lines about one switch.
const SHORTEST: u64 = 1_000;
/// A thread that waited so long beside an idle CPU and never ran there is bound to its own. Balancing takes some ticks.
const BOUND_AFTER: u64 = 50_000_000;

/// The time of a CPU that no known thread had, and in which it did not idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Others {
    pub(crate) cpu: u16,
    /// When they first had it, in ns from the beginning of the trace.
    pub(crate) begins: u64,
    pub(crate) ran: u64,
    pub(crate) count: u64,
    pub(crate) packed: Vec<u8>,
    /// The last run, which lasts until the trace ends.
    pub(crate) open_run: u64,
}

/// The time of others on each CPU, where it is much, in the order of CPUs. Only a lane with stretches tells.
pub(crate) fn others(lane: &Lane, known: &BTreeSet<Pid>, cpus: u16) -> Vec<Others> {
    let (begin, end) = lane.span();
    if lane.stretches().is_empty() {
        return Vec::new();
    }
    let mut taken: BTreeMap<u16, Vec<(u64, u64)>> = (0..cpus).map(|cpu| (cpu, vec![])).collect();
    let runs = lane.stretches().iter();
    let runs = runs.filter(|s| s.doing == Doing::Runs && known.contains(&s.pid));
    let runs = runs.map(|s| (s.cpu, s.from, s.to));
    for (cpu, from, to) in runs.chain(lane.idle().iter().map(|i| (i.cpu, i.from, i.to))) {
        taken.entry(cpu).or_default().push((from, to));
    }
    let all = taken.into_iter().map(|(cpu, mut taken)| {
        taken.sort_unstable();
        let free = gaps(&taken, begin, end);
        life(cpu, &free, begin, end)
    });
    let mut all: Vec<Others> = all
        .filter(|o| o.ran > 0 && o.ran >= (end - begin) / LEAST)
        .collect();
    all.sort_by_key(|others| (std::cmp::Reverse(others.ran), others.cpu));
    all.truncate(MOST_CPUS);
    all.sort_by_key(|others| others.cpu);
    all
}

/// What lies between spans, which are in the order of their beginnings.
fn gaps(spans: &[(u64, u64)], begin: u64, end: u64) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut at = begin;
    for (from, to) in spans.iter().copied().chain([(end, end)]) {
        if from >= at + SHORTEST {
            gaps.push((at, from));
        }
        at = at.max(to);
    }
    gaps
}

fn life(cpu: u16, runs: &[(u64, u64)], begin: u64, end: u64) -> Others {
    let mut packed = Vec::new();
    let (mut count, mut open_run) = (0, 0);
    for (i, (from, to)) in runs.iter().copied().enumerate() {
        let next = runs.get(i + 1).map(|next| next.0);
        if to == end {
            open_run = to - from;
            break;
        }
        let then = Then::Sleep(next.unwrap_or(end) - to);
        let run = to - from;
        pack(Burst { run, then }, &mut packed);
        count += 1;
    }
    Others {
        cpu,
        begins: runs.first().map_or(0, |(from, _)| from - begin),
        ran: runs.iter().map(|(from, to)| to - from).sum(),
        count,
        packed,
        open_run,
    }
}

/// Whether others had a CPU nearly all the time: nine parts in ten.
pub(crate) fn took(others: &Others, span: u64) -> bool {
    u128::from(others.ran) * 10 >= u128::from(span) * 9
}

/// When each thread ran last on one of some CPUs, in ns from the beginning of the trace.
pub(crate) fn last_there(lane: &Lane, cpus: &BTreeSet<u16>) -> BTreeMap<Pid, u64> {
    let begin = lane.span().0;
    let runs = lane.stretches().iter();
    let there = runs.filter(|s| s.doing == Doing::Runs && cpus.contains(&s.cpu));
    let mut last = BTreeMap::new();
    for stretch in there {
        let at = last.entry(stretch.pid).or_insert(0);
        *at = stretch.to.saturating_sub(begin).max(*at);
    }
    last
}

/// The CPU of each thread that ran on no other, although it waited long while another idled; and for how long it did.
pub(crate) fn bound(lane: &Lane, known: &BTreeSet<Pid>) -> BTreeMap<Pid, (u16, u64)> {
    let mut elsewhere: BTreeMap<u16, Vec<(u64, u64)>> = BTreeMap::new();
    let mut beside: BTreeMap<Pid, (u16, u64)> = BTreeMap::new();
    for stretch in lane.stretches() {
        let stayed = lane
            .threads()
            .get(&stretch.pid)
            .filter(|t| t.cpus.len() == 1);
        let own = stayed.and_then(|thread| thread.cpus.keys().next().copied());
        let Some(own) = own.filter(|_| stretch.doing == Doing::Waits) else {
            continue;
        };
        if !known.contains(&stretch.pid) {
            continue;
        }
        let idle = elsewhere.entry(own).or_insert_with(|| {
            let others = lane.idle().iter().filter(|idle| idle.cpu != own);
            merged(others.map(|idle| (idle.from, idle.to)).collect())
        });
        beside.entry(stretch.pid).or_insert((own, 0)).1 += overlap(idle, stretch.from, stretch.to);
    }
    beside.retain(|_, (_, ns)| *ns >= BOUND_AFTER);
    beside
}

/// Spans without their overlaps, in order.
fn merged(mut spans: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    spans.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in spans {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// How much of a time lies in spans.
fn overlap(spans: &[(u64, u64)], from: u64, to: u64) -> u64 {
    let first = spans.partition_point(|span| span.1 <= from);
    let within = spans[first..].iter().take_while(|span| span.0 < to);
    within.map(|span| span.1.min(to) - span.0.max(from)).sum()
}
