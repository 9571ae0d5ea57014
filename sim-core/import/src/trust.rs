//! How far a model's run of a recorded workload may be believed: one of three verdicts.
//!
//! | verdict | CPU of threads with 95 % of the time | run delays | switches, moves |
//! |---|---|---|---|
//! | close | within 2 % | distance of Kolmogorov at most 0.1 | within 1.25 × |
//! | rough | within 5 % | at most 0.25 | within 2 × |
//! | not comparable | else | | |

use serde::Serialize;

/// How far a comparison may be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Trust {
    /// It may be believed in detail.
    Close,
    /// It may be believed in rough numbers.
    Rough,
    /// It may not be believed.
    NotComparable,
}

/// What is measured of a run, recorded or simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// CPU time of each thread, in ns. Both runs have the same threads in the same order.
    pub cpu: Vec<u64>,
    /// Each wait for a CPU, in ns.
    pub delays: Vec<u64>,
    /// Switches.
    pub switches: u64,
    /// Moves to another CPU.
    pub moves: u64,
}

/// A verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The worst of the four.
    pub trust: Trust,
    /// By CPU time of threads.
    pub cpu: Trust,
    /// By run delays.
    pub delays: Trust,
    /// By switches.
    pub switches: Trust,
    /// By moves.
    pub moves: Trust,
}

/// The part of all CPU time, in percent, whose threads have to agree.
const OF_TIME: u128 = 95;

/// Compares a model's run with what was recorded.
#[must_use]
pub fn verdict(recorded: &Measured, model: &Measured) -> Verdict {
    let pick = |close: bool, rough: bool| match (close, rough) {
        (true, _) => Trust::Close,
        (_, true) => Trust::Rough,
        _ => Trust::NotComparable,
    };
    let agree = |percent| cpu_within(&recorded.cpu, &model.cpu, percent);
    let cpu = pick(agree(2), agree(5));
    let (mut a, mut b) = (recorded.delays.clone(), model.delays.clone());
    a.sort_unstable();
    b.sort_unstable();
    let delays = pick(distance_within(&a, &b, 10), distance_within(&a, &b, 25));
    let near = |a, b| pick(within(a, b, 125), within(a, b, 200));
    let switches = near(recorded.switches, model.switches);
    let moves = near(recorded.moves, model.moves);
    Verdict {
        trust: cpu.max(delays).max(switches).max(moves),
        cpu,
        delays,
        switches,
        moves,
    }
}

/// Whether threads with most of the recorded time have the same time, but for some percent.
fn cpu_within(recorded: &[u64], model: &[u64], percent: u128) -> bool {
    if recorded.len() != model.len() {
        return false;
    }
    let total: u128 = recorded.iter().map(|ns| u128::from(*ns)).sum();
    let pairs = recorded.iter().zip(model);
    let agree =
        pairs.filter(|(r, m)| u128::from(r.abs_diff(**m)) * 100 <= u128::from(**r) * percent);
    let agree: u128 = agree.map(|(r, _)| u128::from(*r)).sum();
    agree * 100 >= total * OF_TIME
}

/// Whether the larger of two numbers is at most so many percent of the smaller.
fn within(a: u64, b: u64, percent: u128) -> bool {
    u128::from(a.max(b)) * 100 <= u128::from(a.min(b)) * percent
}

/// Whether the largest distance of two distributions is at most so many hundredths. Both are sorted.
fn distance_within(a: &[u64], b: &[u64], hundredths: u128) -> bool {
    let (n, m) = (a.len() as u128, b.len() as u128);
    if n == 0 || m == 0 {
        return n == m;
    }
    let (mut i, mut j, mut largest) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let at = a[i].min(b[j]);
        i += a[i..].iter().take_while(|x| **x == at).count();
        j += b[j..].iter().take_while(|x| **x == at).count();
        largest = largest.max((i as u128 * m).abs_diff(j as u128 * n));
    }
    largest * 100 <= hundredths * n * m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_four_counts() {
        let recorded = Measured {
            cpu: vec![1_000_000, 50_000],
            delays: (0..100).collect(),
            switches: 100,
            moves: 8,
        };
        assert_eq!(verdict(&recorded, &recorded).trust, Trust::Close);
        let with = |change: fn(&mut Measured)| {
            let mut model = recorded.clone();
            change(&mut model);
            verdict(&recorded, &model)
        };
        // A thread with less than 5 % of the time may do what it will.
        assert_eq!(with(|m| m.cpu[1] = 0).trust, Trust::Close);
        assert_eq!(with(|m| m.cpu[0] = 1_020_000).cpu, Trust::Close);
        assert_eq!(with(|m| m.cpu[0] = 960_000).cpu, Trust::Rough);
        assert_eq!(with(|m| m.cpu[0] = 940_000).trust, Trust::NotComparable);
        assert_eq!(with(|m| m.switches = 125).switches, Trust::Close);
        assert_eq!(with(|m| m.switches = 126).trust, Trust::Rough);
        assert_eq!(with(|m| m.moves = 0).trust, Trust::NotComparable);
        // Shifted by so many hundredths of the distribution.
        let shifted = |by: u64| {
            let mut model = recorded.clone();
            model.delays.iter_mut().for_each(|ns| *ns += by);
            verdict(&recorded, &model).delays
        };
        assert_eq!(
            [10, 11, 25, 26].map(shifted),
            [
                Trust::Close,
                Trust::Rough,
                Trust::Rough,
                Trust::NotComparable
            ]
        );
        // Where distributions meet again at their ends, what lies between counts.
        let with_short = |n: usize| [vec![0; n], vec![10; 100 - n]].concat();
        let (a, b) = (with_short(50), with_short(30));
        assert!(distance_within(&a, &b, 20) && !distance_within(&a, &b, 19));
    }
}
