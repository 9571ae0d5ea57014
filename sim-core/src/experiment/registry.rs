//! The shipped scenarios: one line per file of `scenarios/experiments/`. The order is that of the picker;
//! the first one opens with the page.

use crate::config::{Scenario, validate};

/// Id and JSON of each scenario.
pub const SCENARIOS: &[(&str, &str)] = &[
    (
        "bfs-smt",
        include_str!("../../../scenarios/experiments/bfs-smt.json"),
    ),
    (
        "s4-dhrystone",
        include_str!("../../../scenarios/experiments/s4-dhrystone.json"),
    ),
    (
        "s4-i7980x",
        include_str!("../../../scenarios/experiments/s4-i7980x.json"),
    ),
    (
        "s0-v890",
        include_str!("../../../scenarios/experiments/s0-v890.json"),
    ),
    (
        "s0-xeon",
        include_str!("../../../scenarios/experiments/s0-xeon.json"),
    ),
    (
        "s1-yield-storm",
        include_str!("../../../scenarios/experiments/s1-yield-storm.json"),
    ),
    (
        "s2a-interactive-batch",
        include_str!("../../../scenarios/experiments/s2a-interactive-batch.json"),
    ),
    (
        "s2b-request-server",
        include_str!("../../../scenarios/experiments/s2b-request-server.json"),
    ),
    (
        "s2c-512-threads",
        include_str!("../../../scenarios/experiments/s2c-512-threads.json"),
    ),
    (
        "s2d-thread-creation",
        include_str!("../../../scenarios/experiments/s2d-thread-creation.json"),
    ),
    (
        "s2e-one-thread-per-core",
        include_str!("../../../scenarios/experiments/s2e-one-thread-per-core.json"),
    ),
    (
        "s3-browsers",
        include_str!("../../../scenarios/experiments/s3-browsers.json"),
    ),
    (
        "s3-nice",
        include_str!("../../../scenarios/experiments/s3-nice.json"),
    ),
    (
        "cfs-eevdf",
        include_str!("../../../scenarios/experiments/cfs-eevdf.json"),
    ),
    (
        "priority-inversion",
        include_str!("../../../scenarios/experiments/priority-inversion.json"),
    ),
    (
        "rt-limit",
        include_str!("../../../scenarios/experiments/rt-limit.json"),
    ),
    (
        "linux-upgrade",
        include_str!("../../../scenarios/experiments/linux-upgrade.json"),
    ),
    (
        "container",
        include_str!("../../../scenarios/experiments/container.json"),
    ),
    (
        "big-little",
        include_str!("../../../scenarios/experiments/big-little.json"),
    ),
    (
        "queueing",
        include_str!("../../../scenarios/experiments/queueing.json"),
    ),
];

/// The file of a shipped scenario.
#[must_use]
pub fn text(id: &str) -> Option<&'static str> {
    let (_, json) = SCENARIOS.iter().find(|(known, _)| *known == id)?;
    Some(json)
}

/// A shipped scenario.
///
/// # Panics
/// If a shipped file does not parse; a test reads them all.
#[must_use]
pub fn scenario(id: &str) -> Option<Scenario> {
    let json = text(id)?;
    Some(validate::parse(json).expect("invariant: shipped scenarios are valid"))
}
