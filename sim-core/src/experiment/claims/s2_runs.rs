//! Bouron et al. 2018: what all their runs have in common, and how they are named.

use super::choice;
use crate::config::SchedulerChoice;
use crate::experiment::run::Run;
use crate::metrics::real;
use crate::params::ParamValue;

/// A millisecond in ns.
pub(super) const MS: u64 = 1_000_000;
/// A second in ns.
pub(super) const SECOND: u64 = 1_000 * MS;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// CFS of Linux 4.9, a group for each application.
    Cfs,
    /// The same without groups.
    CfsPlain,
    /// FreeBSD 11.1's ULE, moved into Linux: it counts 4 ms ticks.
    Port,
    /// FreeBSD 11.1's ULE at home.
    Native,
}

impl Lane {
    /// Word in the key.
    fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::CfsPlain => "cfs-plain",
            Self::Port => "ule",
            Self::Native => "ule-native",
        }
    }

    fn choice(self) -> SchedulerChoice {
        match self {
            Self::Cfs => choice("cfs", "4.9"),
            Self::CfsPlain => {
                let mut plain = choice("cfs", "4.9");
                let off = ParamValue::Flag(false);
                let tunables = &mut plain.tunables;
                tunables.insert("groupPerApplication".to_owned(), off);
                plain
            }
            Self::Port => choice("ule", "11.1-linux"),
            Self::Native => choice("ule", "11.1"),
        }
    }
}

/// The key of a run: a letter for the claim, the lane, what else distinguishes it, the seed.
pub(super) fn key(claim: char, lane: Lane, what: &str, seed: u64) -> String {
    format!("S2/{claim}/{}/{what}/{seed}", lane.id())
}

/// A lane of a shipped scenario.
pub(super) fn run(
    key: String,
    scenario: &'static str,
    lane: Lane,
    probe: &'static str,
    seed: u64,
) -> Run {
    Run::new(key, scenario, lane.choice(), probe).seed(seed)
}

/// Times from `from` to `to` at equal distances, both included.
pub(super) fn every(step: u64, from: u64, to: u64) -> impl Iterator<Item = u64> {
    (0..=(to - from) / step).map(move |i| from + i * step)
}

/// The mean over some runs.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u64), |(sum, n), v| (sum + v, n + 1));
    sum / real(n)
}
