//! Arithmetic of NUMA balancing.

use serde::Deserialize;
use sim_run::ids::NodeId;
use sim_run::sched::linux::numa::{self, Counted, Rules, Settings};

/// Facts about it. Each list is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Table {
    /// Rows (MiB of the process, shortest period, longest period), in ms.
    periods: Vec<(u64, u64, u64)>,
    /// Rows (new faults of a node, its faults after the placement), for successive placements.
    faults: Vec<(u64, u64)>,
    /// Successive periods.
    period: Vec<Period>,
    /// Whether pages move.
    filter: Vec<Page>,
}

/// The change of a period by a placement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Period {
    /// `4.9` or `6.12`.
    release: String,
    /// In ms, before and after.
    from: u64,
    to: u64,
    #[serde(default)]
    local: u64,
    #[serde(default)]
    remote: u64,
    #[serde(default)]
    shared: u64,
    #[serde(default)]
    failed: u64,
}

/// A marked page is touched from a node that is not its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    release: String,
    /// Node of the last faulter, and whether that was the same thread; no faulter if left out.
    last: Option<(u16, bool)>,
    here: u16,
    /// Number of scans that the thread has seen since it has a preferred node; no preferred node if left out.
    seen: Option<u32>,
    moves: bool,
}

fn rules(release: &str) -> &'static Rules {
    match release {
        "4.9" => &numa::V4_9,
        "6.12" => &numa::V6_12,
        other => panic!("\"{other}\" is no release"),
    }
}

/// The differences.
pub(super) fn differences(table: &Table) -> Vec<String> {
    let settings = Settings::default();
    let mut wrong = Vec::new();
    let mut compare = |what: String, expected: String, seen: String| {
        if expected != seen {
            wrong.push(format!("{what}: expected {expected}, saw {seen}"));
        }
    };
    for (mib, shortest, longest) in &table.periods {
        let seen = settings.periods(mib << 8);
        let expected = format!("{:?}", (*shortest, *longest));
        compare(
            format!("periods of {mib} MiB"),
            expected,
            format!("{seen:?}"),
        );
    }
    let mut faults = 0;
    for (i, (new, expected)) in table.faults.iter().enumerate() {
        faults = numa::decay(faults, *new);
        let what = format!("faults after placement {}", i + 1);
        compare(what, expected.to_string(), faults.to_string());
    }
    for p in &table.period {
        let counted = Counted {
            local: p.local,
            remote: p.remote,
            private: (p.local + p.remote).saturating_sub(p.shared),
            shared: p.shared,
            failed: p.failed,
        };
        let bounds = settings.periods(4_096);
        let (seen, _) = numa::next_period(rules(&p.release), p.from, &counted, bounds);
        compare(format!("{p:?}"), p.to.to_string(), seen.to_string());
    }
    for p in &table.filter {
        let last = p.last.map(|(node, same)| (NodeId(node), same));
        let seen = numa::should_move(rules(&p.release), last, NodeId(p.here), p.seen);
        compare(format!("{p:?}"), p.moves.to_string(), seen.to_string());
    }
    wrong
}
