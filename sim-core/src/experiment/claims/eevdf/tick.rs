//! How long a request lasts where ticks come a little early (Linux commit 2ae891b82695, 2025).

use super::{SCENARIO, SECOND, hogs_alone, now};
use crate::experiment::claims::{Results, Value};
use crate::experiment::collect::Values;
use crate::experiment::numbers::key;
use crate::experiment::run::Run;
use crate::metrics::real;

/// Two hogs on one CPU of eight or more, at 1000 Hz: base slice before scaling in ns, ticks per second, and the name of
/// the tick.
const TURNS: [(u64, u64, &str); 4] = [
    (750_000, 1_001, "tick 0.1 % early"),
    (700_000, 1_001, "tick 0.1 % early"),
    (750_000, 1_000, "tick on time"),
    (700_000, 1_000, "tick on time"),
];

fn key_of(slice: u64, hz: u64) -> String {
    key(&key("EEVDF/turn", slice), hz)
}

fn run(slice: u64, hz: u64) -> Run {
    let mut run = Run::new(key_of(slice, hz), SCENARIO, now(), "sweep");
    hogs_alone(&mut run);
    run.set("groups.hog.count", 2);
    for (tunable, value) in [("baseSliceNs", slice), ("hz", hz)] {
        run.set(format!("lanes.eevdf.{tunable}"), value);
    }
    run.at = vec![SECOND];
    run.set("end.atNs", 11 * SECOND);
    run
}

pub(super) fn runs() -> Vec<Run> {
    let mut all = Vec::new();
    for &(slice, hz, _) in &TURNS {
        all.push(run(slice, hz));
    }
    all
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    for &(slice, hz, tick) in &TURNS {
        let seen = results.find(&key_of(slice, hz));
        let seen = seen.expect("invariant: all runs are there");
        let turn = seen.grown("hog/cpuNs") / seen.grown("hog/switches");
        let value = values.exact("turn", turn / 1e6);
        // 1 + log2 of eight CPUs.
        value.of(tick).at(real(slice) * 4.0 / 1e6);
    }
    values.all()
}
