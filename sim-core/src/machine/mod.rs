//! The hardware: which CPU is where, who shares what, and how fast a thread progresses.
//!
//! [`spec`] is the file format, [`Machine`] the expanded tree that the engine and the schedulers ask,
//! [`rate`] the cost model, [`registry`] the presets.

pub mod rate;
pub mod registry;
pub mod spec;

use crate::error::ConfigError;
use crate::ids::{CoreId, CpuId, CpuMask, LlcId, MAX_CPUS, NodeId, PackageId};
use serde::Serialize;
use spec::{MachineSpec, Numbering};

/// An expanded machine.
#[derive(Clone, Debug)]
pub struct Machine {
    spec: MachineSpec,
    cpus: Vec<CpuPlace>,
    cores: Vec<CpuMask>,
    /// The same as lists: a core has few CPUs, and lists of few are quicker to walk than masks.
    core_lists: Vec<Vec<CpuId>>,
    llcs: Vec<CpuMask>,
    nodes: Vec<CpuMask>,
    packages: Vec<CpuMask>,
}

/// Where a CPU is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuPlace {
    /// Its physical core.
    pub core: CoreId,
    /// Its last-level-cache group.
    pub llc: LlcId,
    /// Its NUMA node.
    pub node: NodeId,
    /// Its package.
    pub package: PackageId,
    /// Which context of its core it is (0, 1, …).
    pub thread: u16,
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
}

impl Machine {
    /// Expands and checks a machine.
    ///
    /// # Errors
    /// Everything that is impossible about it, with paths relative to the machine.
    pub fn new(spec: &MachineSpec) -> Result<Self, Vec<ConfigError>> {
        let errors = check(spec);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut places = expand(spec);
        if spec.topology.numbering == Numbering::CoresFirst {
            places.sort_by_key(|p| (p.thread, p.core.0));
        }
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
        Ok(Self {
            spec: spec.clone(),
            cpus: places,
            core_lists: cores.iter().map(|c| c.iter().collect()).collect(),
            cores,
            llcs,
            nodes,
            packages,
        })
    }

    /// The file that it was made from.
    #[must_use]
    pub fn spec(&self) -> &MachineSpec {
        &self.spec
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

    /// Where a CPU is.
    #[must_use]
    pub fn place(&self, cpu: CpuId) -> CpuPlace {
        self.cpus[cpu.index()]
    }

    /// The CPUs of the same core, itself included.
    #[must_use]
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
    pub fn sibling_list(&self, cpu: CpuId) -> &[CpuId] {
        self.core_cpus(self.place(cpu).core)
    }

    /// The CPUs that share the last-level cache, itself included.
    #[must_use]
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

    /// The tree as columns.
    #[must_use]
    pub fn tree(&self) -> MachineTree {
        MachineTree {
            core: self.cpus.iter().map(|p| p.core.0).collect(),
            llc: self.cpus.iter().map(|p| p.llc.0).collect(),
            node: self.cpus.iter().map(|p| p.node.0).collect(),
            package: self.cpus.iter().map(|p| p.package.0).collect(),
            thread: self.cpus.iter().map(|p| p.thread).collect(),
        }
    }
}

/// Walks the tree: contexts of a core are consecutive.
fn expand(spec: &MachineSpec) -> Vec<CpuPlace> {
    let mut places = Vec::new();
    let (mut package, mut node, mut llc, mut core) = (0, 0, 0, 0);
    for p in &spec.topology.packages {
        for _ in 0..p.count {
            for n in &p.nodes {
                for _ in 0..n.count {
                    for l in &n.llcs {
                        for _ in 0..l.count {
                            for c in &l.cores {
                                for _ in 0..c.count {
                                    places.extend((0..c.smt).map(|thread| CpuPlace {
                                        core: CoreId(core),
                                        llc: LlcId(llc),
                                        node: NodeId(node),
                                        package: PackageId(package),
                                        thread,
                                    }));
                                    core += 1;
                                }
                            }
                            llc += 1;
                        }
                    }
                    node += 1;
                }
            }
            package += 1;
        }
    }
    places
}

/// Everything that is impossible about a machine.
fn check(spec: &MachineSpec) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    if spec.clock_mhz == 0 {
        errors.push(ConfigError::new("clockMhz", "must be at least 1"));
    }
    let mut cpus = 0_u64;
    // Thousands of packages without a core would make no CPU, but take a long time to make it.
    let mut some = |path: String, count: u16, parts: usize| {
        if count == 0 || parts == 0 {
            let message = "must be at least one, with at least one of each part";
            errors.push(ConfigError::new(path, message));
        }
    };
    for (i, p) in spec.topology.packages.iter().enumerate() {
        let path = format!("topology.packages[{i}]");
        some(path.clone(), p.count, p.nodes.len());
        for (j, n) in p.nodes.iter().enumerate() {
            let path = format!("{path}.nodes[{j}]");
            some(path.clone(), n.count, n.llcs.len());
            for (k, l) in n.llcs.iter().enumerate() {
                let path = format!("{path}.llcs[{k}]");
                some(path.clone(), l.count, l.cores.len());
                for (m, c) in l.cores.iter().enumerate() {
                    some(format!("{path}.cores[{m}]"), c.count, 1);
                }
            }
        }
    }
    for (i, p) in spec.topology.packages.iter().enumerate() {
        for (j, n) in p.nodes.iter().enumerate() {
            for (k, l) in n.llcs.iter().enumerate() {
                for (m, c) in l.cores.iter().enumerate() {
                    if !(1..=8).contains(&c.smt) {
                        errors.push(ConfigError::new(
                            format!("topology.packages[{i}].nodes[{j}].llcs[{k}].cores[{m}].smt"),
                            format!("must be from 1 to 8 contexts, got {}", c.smt),
                        ));
                    }
                    cpus = cpus.saturating_add(
                        [p.count, n.count, l.count, c.count, c.smt]
                            .iter()
                            .fold(1_u64, |a, b| a.saturating_mul(u64::from(*b))),
                    );
                }
            }
        }
    }
    if cpus == 0 || cpus > MAX_CPUS as u64 {
        errors.push(ConfigError::new(
            "topology.packages",
            format!("must make 1 to {MAX_CPUS} CPUs, makes {cpus}"),
        ));
    }
    for (i, pair) in spec.caches.windows(2).enumerate() {
        if pair[1].bytes < pair[0].bytes || pair[1].level <= pair[0].level {
            errors.push(ConfigError::new(
                format!("caches[{}]", i + 1),
                "must be a higher level than the cache before it, and not smaller",
            ));
        }
    }
    for (i, c) in spec.caches.iter().enumerate() {
        if c.bytes == 0 {
            errors.push(ConfigError::new(
                format!("caches[{i}].bytes"),
                "must be at least 1",
            ));
        }
    }
    // A simulated year of delay is nonsense, and sums of delays must not overflow.
    for (field, ns) in [
        ("yieldNs", spec.costs.yield_ns),
        ("switchNs", spec.costs.switch_ns),
        ("tickNs", spec.costs.tick_ns),
        ("kickNs", spec.costs.kick_ns),
        ("idleExitNs", spec.costs.idle_exit_ns),
        ("idleExitDeepNs", spec.costs.idle_exit_deep_ns),
    ] {
        if ns > 10_000_000 {
            errors.push(ConfigError::new(
                format!("costs.{field}"),
                format!("must be from 0 to 10000000 ns, got {ns}"),
            ));
        }
    }
    if let Some(thermal) = &spec.thermal
        && (thermal.limit_milli_c <= thermal.ambient_milli_c || thermal.per_core_milli_c == 0)
    {
        errors.push(ConfigError::new(
            "thermal",
            "limitMilliC must exceed ambientMilliC, perCoreMilliC must be at least 1",
        ));
    }
    errors
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
