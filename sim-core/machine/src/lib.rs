//! The hardware: the place of each CPU, what CPUs share, and how fast a thread progresses.
//!
//! [`spec`] is the file format, and [`Machine`] the expanded tree that the engine and the schedulers read. [`caches`]
//! tells which instance of each cache serves which CPU, and [`rate`] where a thread's time goes; [`cost`] computes it.
//! [`registry`] has the presets.

pub mod caches;
mod check;
pub mod cost;
mod expand;
pub mod rate;
pub mod registry;
pub mod spec;
pub mod views;

use caches::Caches;
use serde::Serialize;
use sim_ground::error::{ConfigError, Problems};
use sim_ground::ids::{ClusterId, CoreId, CpuId, CpuMask, LlcId, NodeId, PackageId};
use sim_ground::provenance::Constant;
use spec::{MachineSpec, Numbering};

/// The constants of this crate, by file.
pub const ALL_CONSTANTS: &[&[Constant]] = &[
    cost::CONSTANTS,
    cost::mix::CONSTANTS,
    cost::pages::CONSTANTS,
    views::linux::CONSTANTS,
];

/// An expanded machine.
#[derive(Clone, Debug)]
pub struct Machine {
    spec: MachineSpec,
    cpus: Vec<CpuPlace>,
    cores: Vec<CpuMask>,
    /// The same as lists. A core has few CPUs, and short lists are faster to walk than masks.
    core_lists: Vec<Vec<CpuId>>,
    llcs: Vec<CpuMask>,
    nodes: Vec<CpuMask>,
    packages: Vec<CpuMask>,
    kinds: Vec<String>,
    caches: Caches,
    numbering: Numbering,
    is_costless: bool,
}

/// The place of a CPU in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuPlace {
    /// Its physical core.
    pub core: CoreId,
    /// Its cluster of cores.
    pub cluster: ClusterId,
    /// Its last-level-cache group.
    pub llc: LlcId,
    /// Its NUMA node.
    pub node: NodeId,
    /// Its package.
    pub package: PackageId,
    /// Number of its context within its core (0, 1, …).
    pub thread: u16,
    /// Its kind of core: position in [`MachineTree::kinds`].
    pub kind: u8,
    /// Compute speed of its core relative to the nominal clock's, in thousandths.
    pub speed_milli: u16,
    /// What Linux takes its work for, in 1024ths of the largest.
    pub capacity: u16,
}

/// Where each CPU is: one entry per CPU in each list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct MachineTree {
    /// Core of each CPU.
    pub core: Vec<u16>,
    /// Last-level-cache group of each CPU.
    pub llc: Vec<u16>,
    /// NUMA node of each CPU.
    pub node: Vec<u16>,
    /// Package of each CPU.
    pub package: Vec<u16>,
    /// Which context of its core each CPU is (0, 1, …).
    pub thread: Vec<u16>,
    /// Cluster of cores of each CPU.
    pub cluster: Vec<u16>,
    /// Kind of core of each CPU: position in `kinds`.
    pub kind: Vec<u8>,
    /// Kinds of cores; one empty name where all are alike.
    pub kinds: Vec<String>,
    /// What Linux takes the work of each CPU for, in 1024ths of the largest.
    pub capacity: Vec<u16>,
    /// The caches, level 1 first (a hybrid machine may have several entries of one level).
    pub caches: Vec<CacheTree>,
}

/// Which instance of a cache each CPU uses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CacheTree {
    /// 1, 2, 3.
    pub level: u8,
    /// Size of an instance.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub bytes: u64,
    /// Instance of each CPU, numbered over all caches of the machine; -1 for CPUs that have none.
    pub instance: Vec<i32>,
}

impl Machine {
    /// Expands and checks a machine, numbered as its file says.
    ///
    /// # Errors
    /// All errors of the machine, with paths relative to it.
    pub fn new(spec: &MachineSpec) -> Result<Self, Vec<ConfigError>> {
        Self::numbered(spec, spec.topology.numbering)
    }

    /// Expands and checks a machine, with the CPU numbers of an operating system.
    ///
    /// # Errors
    /// All errors of the machine, with paths relative to it.
    pub fn numbered(spec: &MachineSpec, numbering: Numbering) -> Result<Self, Vec<ConfigError>> {
        Self::checked(spec, numbering).map_err(Problems::into_errors)
    }

    /// The same for a machine that is part of an input with other possible problems.
    ///
    /// # Errors
    /// All errors of the machine, with paths relative to it.
    pub fn checked(spec: &MachineSpec, numbering: Numbering) -> Result<Self, Problems> {
        let problems = check::check(spec);
        if problems.is_empty() {
            Ok(Self::build(spec, numbering))
        } else {
            Err(problems)
        }
    }

    /// The same machine with the CPU numbers of another system.
    #[must_use]
    pub fn renumbered(&self, numbering: Numbering) -> Self {
        Self::build(&self.spec, numbering)
    }

    /// The same CPUs, at which nothing costs time and nobody slows anybody down: what recordings are followed on, whose
    /// times hold all of that already. A context is a core of its own here.
    #[must_use]
    pub fn costless(&self) -> Self {
        let spec = self.spec.costless();
        let (mut places, kinds) = Self::places(&spec, self.numbering);
        for (i, place) in places.iter_mut().enumerate() {
            (place.core, place.thread, place.speed_milli) = (CoreId::new(i), 0, 1000);
        }
        Self {
            is_costless: true,
            ..Self::of_places(&spec, self.numbering, places, kinds)
        }
    }

    /// Whether [`Self::costless`] made it.
    #[must_use]
    pub fn is_costless(&self) -> bool {
        self.is_costless
    }

    fn build(spec: &MachineSpec, numbering: Numbering) -> Self {
        let (places, kinds) = Self::places(spec, numbering);
        Self::of_places(spec, numbering, places, kinds)
    }

    /// Where each CPU is, by its number, and the kinds of cores.
    fn places(spec: &MachineSpec, numbering: Numbering) -> (Vec<CpuPlace>, Vec<String>) {
        let (mut places, kinds) = expand::expand(spec);
        if numbering == Numbering::CoresFirst {
            places.sort_by_key(|p| u64::from(p.thread) << 32 | u64::from(p.core.0));
        }
        (places, kinds)
    }

    fn of_places(
        spec: &MachineSpec,
        numbering: Numbering,
        places: Vec<CpuPlace>,
        kinds: Vec<String>,
    ) -> Self {
        let group = |key: fn(&CpuPlace) -> usize| {
            let n = places.iter().map(key).max().map_or(0, |m| m + 1);
            let mut masks = vec![CpuMask::EMPTY; n];
            for (i, place) in places.iter().enumerate() {
                masks[key(place)].insert(CpuId::new(i));
            }
            masks
        };
        let cores = group(|p| p.core.index());
        let llcs = group(|p| p.llc.index());
        let nodes = group(|p| p.node.index());
        let packages = group(|p| p.package.index());
        Self {
            spec: spec.clone(),
            caches: Caches::new(spec, &places, &kinds),
            kinds,
            numbering,
            cpus: places,
            core_lists: cores.iter().map(|c| c.iter().collect()).collect(),
            cores,
            llcs,
            nodes,
            packages,
            is_costless: false,
        }
    }

    /// The description from which it was made.
    #[must_use]
    #[inline]
    pub fn spec(&self) -> &MachineSpec {
        &self.spec
    }

    /// How its CPUs are numbered.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Its caches.
    #[must_use]
    #[inline]
    pub fn caches(&self) -> &Caches {
        &self.caches
    }

    /// Number of CPUs (SMT contexts).
    #[must_use]
    pub fn cpu_count(&self) -> usize {
        self.cpus.len()
    }

    /// Number of physical cores.
    #[must_use]
    pub fn core_count(&self) -> usize {
        self.cores.len()
    }

    /// Number of NUMA nodes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All CPUs.
    pub fn cpu_ids(&self) -> impl Iterator<Item = CpuId> + use<> {
        (0..self.cpus.len()).map(CpuId::new)
    }

    /// The place of a CPU.
    #[must_use]
    #[inline]
    pub fn place(&self, cpu: CpuId) -> CpuPlace {
        self.cpus[cpu.index()]
    }

    /// The CPUs of the same core, itself included.
    #[must_use]
    #[inline]
    pub fn siblings(&self, cpu: CpuId) -> &CpuMask {
        &self.cores[self.cpus[cpu.index()].core.index()]
    }

    /// The CPUs of a core, ascending.
    #[must_use]
    pub fn core_cpus(&self, core: CoreId) -> &[CpuId] {
        &self.core_lists[core.index()]
    }

    /// The CPUs of the same core as a list, itself included, ascending.
    #[must_use]
    #[inline]
    pub fn sibling_list(&self, cpu: CpuId) -> &[CpuId] {
        self.core_cpus(self.place(cpu).core)
    }

    /// The CPUs that share the last-level cache, itself included.
    #[must_use]
    #[inline]
    pub fn llc_cpus(&self, cpu: CpuId) -> &CpuMask {
        &self.llcs[self.cpus[cpu.index()].llc.index()]
    }

    /// The CPUs of the same NUMA node, itself included.
    #[must_use]
    pub fn node_cpus(&self, cpu: CpuId) -> &CpuMask {
        &self.nodes[self.cpus[cpu.index()].node.index()]
    }

    /// The CPUs of the same package, itself included.
    #[must_use]
    pub fn package_cpus(&self, cpu: CpuId) -> &CpuMask {
        &self.packages[self.cpus[cpu.index()].package.index()]
    }

    /// Firmware distance between two nodes: 10 is local.
    #[must_use]
    pub fn node_distance(&self, from: NodeId, to: NodeId) -> u16 {
        let row = self.spec.memory.distances.get(from.index());
        row.and_then(|r| r.get(to.index())).copied().unwrap_or(10)
    }

    /// Time for a CPU to fetch a line from a node, relative to local memory, in thousandths.
    #[must_use]
    pub fn distance_milli(&self, cpu: CpuId, home: NodeId) -> u64 {
        self.between_milli(self.place(cpu).node, home)
    }

    /// Time to fetch a line from node `home` on node `at`, relative to local memory, in thousandths.
    #[must_use]
    pub fn between_milli(&self, at: NodeId, home: NodeId) -> u64 {
        let distance = self.node_distance(at, home);
        if distance == 10 {
            return 1000;
        }
        let remote = &self.spec.memory.remote;
        match remote.iter().find(|r| r.distance == distance) {
            Some(cost) => u64::from(cost.milli),
            None => u64::from(distance) * 100,
        }
    }

    /// The tree as columns.
    #[must_use]
    pub fn tree(&self) -> MachineTree {
        MachineTree {
            core: self.cpus.iter().map(|p| p.core.0).collect(),
            llc: self.cpus.iter().map(|p| p.llc.0).collect(),
            node: self.cpus.iter().map(|p| p.node.0).collect(),
            package: self.cpus.iter().map(|p| p.package.0).collect(),
            thread: self.cpus.iter().map(|p| p.thread).collect(),
            cluster: self.cpus.iter().map(|p| p.cluster.0).collect(),
            kind: self.cpus.iter().map(|p| p.kind).collect(),
            kinds: self.kinds.clone(),
            capacity: self.cpus.iter().map(|p| p.capacity).collect(),
            caches: self.caches.tree(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::registry;
    use super::*;

    #[test]
    fn linux_numbers_the_first_contexts_of_all_cores_first() {
        let machine = registry::preset("i7860").expect("shipped");
        assert_eq!(machine.cpu_count(), 8);
        assert_eq!(machine.core_count(), 4);
        let siblings: Vec<_> = machine.siblings(CpuId(1)).iter().collect();
        assert_eq!(siblings, [CpuId(1), CpuId(5)]);
        assert_eq!(machine.llc_cpus(CpuId(3)).count(), 8);
    }

    #[test]
    fn a_machine_without_costs_has_the_same_places() {
        let machine = registry::preset("i7860").expect("shipped");
        let free = machine.costless();
        assert_eq!((free.cpu_count(), free.core_count()), (8, 8));
        assert_eq!(free.siblings(CpuId(1)).count(), 1);
        for cpu in machine.cpu_ids() {
            let (a, b) = (machine.place(cpu), free.place(cpu));
            assert_eq!((a.llc, a.node, a.package), (b.llc, b.node, b.package));
        }
        assert_eq!(free.spec().costs.switch_ns, 0);
        let caches = |m: &Machine| m.caches().instances().is_empty();
        assert_eq!(caches(&free), caches(&machine));
    }

    #[test]
    fn an_impossible_machine_is_refused_with_paths() {
        let mut spec = registry::preset("i7860").expect("shipped").spec().clone();
        spec.clock_mhz = 0;
        spec.topology.packages[0].count = 400;
        spec.caches[1].bytes = 1;
        let paths: Vec<_> = Machine::new(&spec)
            .expect_err("impossible")
            .into_iter()
            .map(|e| e.path)
            .collect();
        assert_eq!(paths, ["clockMhz", "topology.packages", "caches[1]"]);
    }
}
