//! What the page shows of all releases: domains, real-time tasks, counters. Nothing here decides anything.
#![allow(clippy::float_arithmetic)]

use super::numa::Numa;
use super::tables::Tables;
use serde::{Deserialize, Serialize};
use sim_contract::QueueRow;
use sim_contract::shape::{DomainShape, PartKind, QueuePart, QueueShape};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;
use sim_machine::views::linux::Domains;

/// A column of a table.
pub(crate) const fn column(
    id: &'static str,
    label: &'static str,
    unit: &'static str,
) -> ColumnEntry {
    ColumnEntry { id, label, unit }
}

/// Columns of a task: its memory. They exist on machines of several nodes.
pub(crate) const MEMORY: [ColumnEntry; 2] = [
    column("numaPreferredNode", "numa_preferred_nid", "node"),
    column("numaScanPeriodMs", "numa_scan_period", "ms"),
];

/// Columns of a CPU: its idle time and its balancing.
pub(crate) const BALANCING: [ColumnEntry; 3] = [
    column("avgIdleNs", "avg_idle", "ns"),
    column("nextBalanceNs", "next_balance", "ns"),
    column(
        "nrBalanceFailed",
        "nr_balance_failed (most of its domains)",
        "times",
    ),
];

/// Columns of a CPU: its domains, innermost first.
pub(crate) const BALANCED: [ColumnEntry; 5] = [
    column(
        "balanced0Ns",
        "last balancing of the innermost domain",
        "ns",
    ),
    column("balanced1Ns", "last balancing of the second domain", "ns"),
    column("balanced2Ns", "last balancing of the third domain", "ns"),
    column("balanced3Ns", "last balancing of the fourth domain", "ns"),
    column("balanced4Ns", "last balancing of the fifth domain", "ns"),
];

/// Counters that the kernel shows in `/proc/schedstat`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) balances: u64,
    /// Tasks that a balancer moved.
    pub(crate) pulled: u64,
    /// Tasks that a stopper pushed.
    pub(crate) pushed: u64,
    /// Tasks that woke or began on another CPU than before.
    pub(crate) placed: u64,
    /// Refusals of cache-hot tasks.
    pub(crate) failed_hot: u64,
}

impl Counters {
    /// Their names and values.
    pub(crate) fn all(&self) -> [(&'static str, u64); 5] {
        [
            ("loadBalances", self.balances),
            ("pulled", self.pulled),
            ("pushed", self.pushed),
            ("placedElsewhere", self.placed),
            ("failedHot", self.failed_hot),
        ]
    }
}

/// A number below 2^63.
pub(crate) fn real(x: u64) -> f64 {
    // Processors convert signed numbers in one instruction.
    real_signed(x.cast_signed())
}

#[allow(clippy::cast_precision_loss)] // display only
pub(crate) fn real_signed(x: i64) -> f64 {
    x as f64
}

/// The form of the queues: on each CPU the real-time tasks, and a queue of fair tasks.
pub(crate) fn queue_shape(
    domains: &Domains,
    kind: PartKind,
    id: &'static str,
    label: &'static str,
) -> QueueShape {
    QueueShape {
        per_cpu: vec![
            QueuePart::list("realtime", "real time"),
            QueuePart {
                kind,
                ..QueuePart::list(id, label)
            },
        ],
        domains: domain_shapes(domains),
        ..QueueShape::default()
    }
}

/// Every domain once, the innermost first.
fn domain_shapes(domains: &Domains) -> Vec<DomainShape> {
    let mut shapes: Vec<DomainShape> = Vec::new();
    for of in &domains.of {
        for (level, domain) in of.iter().enumerate() {
            let shape = DomainShape {
                name: domain.name.to_owned(),
                level: u32::try_from(level).unwrap_or(u32::MAX),
                cpus: domain.list.iter().map(|c| c.0).collect(),
            };
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
    }
    shapes.sort_by_key(|d| d.level);
    shapes
}

/// The real-time tasks that wait on a CPU: they come before its fair tasks.
pub(crate) fn real_time_rows(st: &impl Tables, cpu: CpuId, out: &mut Vec<QueueRow>) {
    out.extend(st.rt(cpu).iter().map(|task| QueueRow {
        queue: Some(cpu),
        task,
        key: f64::NEG_INFINITY,
        part: 0,
        place: 0,
    }));
}

/// Fills the columns [`MEMORY`] of a task.
pub(crate) fn memory_columns(numa: Option<&Numa>, task: TaskId, out: &mut [f64]) {
    if let Some((node, period_ms)) = numa.and_then(|n| n.shown(task)) {
        out[0] = node.map_or(-1.0, |n| f64::from(n.0));
        out[1] = real(period_ms);
    }
}
