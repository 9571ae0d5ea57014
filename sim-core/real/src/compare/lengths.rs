//! Means with intervals, lists of lengths, and which turns and waits of a thread were cut by others.

use crate::record::{End, Thread, Turn};
use serde::Serialize;
use sim_core::experiment::stats::Estimate;
use std::collections::BTreeMap;

/// Time between two of the own turns that nobody else can have used: switches, and interrupts.
const BETWEEN_NS: u64 = 50_000;

/// Lengths are told in whole ms.
const STEP_NS: u64 = 1_000_000;
/// How many lengths are told, and what part of all a length must have to be told.
const TOLD: usize = 3;
const RARE: f64 = 0.05;

/// The mean of repeats, with its interval; `None` if there is none.
pub(super) fn estimate(repeats: &[f64]) -> Option<Estimate> {
    (!repeats.is_empty()).then(|| Estimate::mean(repeats))
}

/// Lengths of one kind over all repeats.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lengths {
    /// How many.
    pub count: usize,
    /// Their median in ns, by repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<Estimate>,
    /// The most frequent lengths in whole ms, with their part of all.
    pub typical: Vec<(u64, f64)>,
}

impl Lengths {
    /// Of the lengths of each repeat, in ns.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // lengths of seconds, and numbers of lists in memory
    pub(super) fn of(repeats: &[Vec<u64>]) -> Self {
        let medians: Vec<f64> = repeats
            .iter()
            .filter_map(|l| median(l))
            .map(|ns| ns as f64)
            .collect();
        let mut whole = BTreeMap::new();
        let all = || repeats.iter().flatten();
        for ns in all() {
            *whole.entry((ns + STEP_NS / 2) / STEP_NS).or_insert(0_usize) += 1;
        }
        let count = all().count();
        let mut typical: Vec<(u64, f64)> = whole
            .into_iter()
            .map(|(ms, n)| (ms, n as f64 / count as f64))
            .collect();
        typical.sort_by(|a, b| b.1.total_cmp(&a.1));
        typical.retain(|(_, part)| *part >= RARE);
        typical.truncate(TOLD);
        Self {
            count,
            median: estimate(&medians),
            typical,
        }
    }
}

fn median(lengths: &[u64]) -> Option<u64> {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// A thread among all of its repeat.
pub(super) struct Among<'a> {
    thread: &'a Thread,
    /// All other turns of the repeat, by CPU, in order. On a CPU none begins before the one before it ends.
    others: BTreeMap<usize, Vec<Turn>>,
}

impl<'a> Among<'a> {
    pub(super) fn new(thread: &'a Thread, others: impl Iterator<Item = Turn>) -> Self {
        let mut by_cpu: BTreeMap<usize, Vec<Turn>> = BTreeMap::new();
        for turn in others {
            by_cpu.entry(turn.cpu).or_default().push(turn);
        }
        for turns in by_cpu.values_mut() {
            turns.sort_unstable_by_key(|t| t.at);
        }
        Self {
            thread,
            others: by_cpu,
        }
    }

    /// The other turns on a CPU that touch a stretch of time.
    fn touching(&self, cpu: usize, from: u64, to: u64) -> &[Turn] {
        let turns = self.others.get(&cpu).map_or(&[][..], Vec::as_slice);
        let first = turns.partition_point(|t| t.end() < from);
        let end = turns.partition_point(|t| t.at <= to);
        &turns[first.min(end)..end]
    }

    /// Own threads have its CPU right before (or after) a time, so that nobody else ended a wait or a turn there.
    fn is_own(&self, cpu: usize, at: u64, begins: bool) -> bool {
        let near = self.touching(cpu, at.saturating_sub(BETWEEN_NS), at + BETWEEN_NS);
        near.iter().any(|t| {
            let border = if begins { t.at } else { t.end() };
            border.abs_diff(at) < BETWEEN_NS
        })
    }

    /// Lengths of its turns: all, or those that only own threads cut.
    pub(super) fn turns(&self, only_own: bool) -> Vec<u64> {
        let turns = &self.thread.seen.turns;
        let mut before: Option<&Turn> = None;
        let mut lengths = Vec::new();
        // Nobody knows how long a turn would have been that was cut off.
        for turn in turns.iter().filter(|t| t.by != End::Over) {
            let waited = before.replace(turn).is_some_and(|b| !b.by.is_own_wish());
            let began = !waited || self.is_own(turn.cpu, turn.at, false);
            let ended = turn.by.is_own_wish() || self.is_own(turn.cpu, turn.end(), true);
            if !only_own || (began && ended) {
                lengths.push(turn.ns);
            }
        }
        lengths
    }

    /// Lengths of its waits, without the floor of a wake-up: all, or those in which only own threads had the CPU.
    pub(super) fn waits(&self, only_own: bool, floor: u64) -> Vec<u64> {
        let seen = &self.thread.seen;
        let mut late = seen.latencies.iter();
        let mut lengths = Vec::new();
        for pair in seen.turns.windows(2) {
            let (left, to) = (pair[0], pair[1].at);
            let from = match left.by {
                // When the token came is not known here, and nothing follows an end.
                End::Waited | End::Over => continue,
                End::Slept => late
                    .next()
                    .map_or(to, |ns| to.saturating_sub(ns.saturating_sub(floor))),
                End::Taken | End::Yielded => left.end(),
            };
            let own: u64 = self
                .touching(left.cpu, from, to)
                .iter()
                .map(|t| t.end().min(to).saturating_sub(t.at.max(from)))
                .sum();
            let wait = to.saturating_sub(from);
            // A sleeper may find its CPU free.
            let needs_own = left.by != End::Slept;
            let is_own = wait.saturating_sub(own) < 2 * BETWEEN_NS && (own > 0 || !needs_own);
            if !only_own || is_own {
                lengths.push(wait);
            }
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Seen;

    #[test]
    fn lengths_are_told_by_the_ms() {
        let lengths = Lengths::of(&[vec![12_100_000, 11_900_000, 16_000_000], vec![12_000_000]]);
        assert_eq!(
            (lengths.count, &lengths.typical[..]),
            (4, &[(12, 0.75), (16, 0.25)][..])
        );
        assert_eq!(lengths.median.map(|e| e.mean), Some(12_050_000.0));
        assert_eq!(Lengths::of(&[Vec::new()]), Lengths::default());
    }

    /// A turn on CPU 1, in ms.
    fn turn(at: u64, ms: u64, by: End) -> Turn {
        Turn {
            at: at * 1_000_000,
            ns: ms * 1_000_000,
            cpu: 1,
            by,
        }
    }

    #[test]
    fn turns_that_others_cut_are_told_apart() {
        let of = |turns: &[Turn], others: &[Turn]| {
            let thread = Thread {
                seen: Seen {
                    turns: turns.to_vec(),
                    latencies: vec![4_000_000],
                    ..Seen::default()
                },
                ..Thread::default()
            };
            let among = Among::new(&thread, others.iter().copied());
            let ms = |ns: Vec<u64>| ns.iter().map(|ns| ns / 1_000_000).collect::<Vec<_>>();
            [
                among.turns(false),
                among.turns(true),
                among.waits(false, 1_000_000),
                among.waits(true, 1_000_000),
            ]
            .map(ms)
        };
        // Somebody else has the CPU from 20 to 23; the other own thread from 12 to 16 and from 31 to 35.
        let turns = [
            turn(0, 12, End::Taken),
            turn(16, 4, End::Taken),
            turn(23, 8, End::Taken),
            turn(35, 12, End::Slept),
            turn(60, 1, End::Taken),
        ];
        let others = [turn(12, 4, End::Taken), turn(31, 4, End::Taken)];
        let [all, uncut, waits, own] = of(&turns, &others);
        assert_eq!((all, uncut), (vec![12, 4, 8, 12, 1], vec![12, 12]));
        assert_eq!((waits, own), (vec![4, 3, 4, 3], vec![4, 4]));
        // Where nobody of the run had the CPU, it was somebody else, however short.
        let short = Turn {
            at: 12_020_000,
            ..turn(12, 4, End::Taken)
        };
        assert_eq!(
            of(&[turn(0, 12, End::Taken), short], &[])[3],
            Vec::<u64>::new()
        );
        // On another CPU they are no neighbours.
        let elsewhere = others.map(|t| Turn { cpu: 0, ..t });
        assert_eq!(of(&turns, &elsewhere)[1], Vec::<u64>::new());
    }
}
