//! Firmware distances between nodes, and which nodes are near.

use super::{Domain, NODES_PER_DOMAIN};
use crate::Machine;
use sim_ground::ids::{CpuId, CpuMask, NodeId};
use std::collections::BTreeSet;

pub(super) fn node_cpus(machine: &Machine, node: NodeId) -> CpuMask {
    machine
        .cpu_ids()
        .filter(|c| machine.place(*c).node == node)
        .collect()
}

/// Whether a package holds several nodes (`x86_numa_in_package`).
pub(super) fn in_package(machine: &Machine) -> bool {
    machine
        .cpu_ids()
        .any(|c| !machine.package_cpus(c).is_subset_of(machine.node_cpus(c)))
}

/// Firmware distances.
pub(super) struct Distances {
    table: Vec<Vec<u16>>,
    /// Distances beyond the own node, ascending.
    pub(super) remote: Vec<u16>,
}

impl Distances {
    pub(super) fn new(machine: &Machine) -> Self {
        let n = machine.node_count();
        let given = &machine.spec().memory.distances;
        let table: Vec<Vec<u16>> = if given.len() == n {
            given.clone()
        } else {
            let row = |i| (0..n).map(|j| if i == j { 10 } else { 20 }).collect();
            (0..n).map(row).collect()
        };
        let remote = table.iter().flatten().copied().filter(|d| *d > 10);
        let remote: BTreeSet<u16> = remote.collect();
        Self {
            remote: remote.into_iter().collect(),
            table,
        }
    }

    /// The CPUs within a distance of a CPU's node.
    pub(super) fn span(&self, machine: &Machine, cpu: CpuId, distance: u16) -> CpuMask {
        let row = &self.table[machine.place(cpu).node.index()];
        let near = |c: &CpuId| row[machine.place(*c).node.index()] <= distance;
        machine.cpu_ids().filter(near).collect()
    }

    /// The next smaller distance beyond the own node.
    pub(super) fn below(&self, distance: u16) -> Option<u16> {
        self.remote.iter().copied().rfind(|d| *d < distance)
    }

    /// The group that a CPU adds to a NUMA level @ 6.12: the span of its widest lower level that lies inside the level,
    /// at least its node (`find_descended_sibling`).
    pub(super) fn child_span(&self, machine: &Machine, cpu: CpuId, level: &Domain) -> CpuMask {
        let mut distance = self.below(level.distance);
        while let Some(d) = distance {
            let span = self.span(machine, cpu, d);
            if span.is_subset_of(&level.span) {
                return span;
            }
            distance = self.below(d);
        }
        *machine.node_cpus(cpu)
    }

    /// The nearest nodes, at most [`NODES_PER_DOMAIN`].
    pub(super) fn nearest(&self, machine: &Machine, cpu: CpuId) -> CpuMask {
        let own = machine.place(cpu).node.index();
        let n = self.table.len();
        let mut nodes: Vec<usize> = (0..n).map(|j| (own + j) % n).collect();
        nodes.sort_by_key(|j| u64::from(self.table[own][*j]));
        nodes.truncate(NODES_PER_DOMAIN);
        let near = |c: &CpuId| nodes.contains(&machine.place(*c).node.index());
        machine.cpu_ids().filter(near).collect()
    }
}
