//! FreeBSD's tree of CPU groups (`struct cpu_group`, `kern/subr_smp.c`), by release and architecture.
//!
//! A group says which CPUs belong together, which level of cache they share (0 for none), and whether they are threads
//! of one core. ULE uses the tree to search for an idle CPU and for work. The tree holds what the kernel of that
//! release detected, which is often less than the machine has: sparc64 detected nothing. amd64 until 10.x counted
//! threads and cores and assumed that all packages are alike. Later releases read the caches, and 12 also the memory
//! domains.

use crate::Machine;
use crate::spec::Isa;
use sim_ground::ids::{CpuId, CpuMask, MAX_CPUS};

/// CPUs share no cache (`CG_SHARE_NONE`).
pub const NONE: u8 = 0;
/// CPUs share a first-level cache (`CG_SHARE_L1`).
pub const L1: u8 = 1;
/// CPUs share a second-level cache (`CG_SHARE_L2`).
pub const L2: u8 = 2;
/// CPUs share a third-level cache (`CG_SHARE_L3`).
pub const L3: u8 = 3;

/// How a release builds the tree on amd64. Other architectures have no builder: one group of all CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// 7.x: groups only for hyper-threads (`mp_topology`).
    Threads,
    /// 8.0 to 10.4: counts of threads and cores, taken from the boot CPU (`topo_probe`, `cpu_topo`).
    Counts,
    /// 11.x: groups of CPUs that share caches (`x86topo_add_sched_group`).
    Caches,
    /// 12 and later: the same, plus memory domains.
    CachesAndNodes,
}

/// A group of CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuGroup {
    /// Its CPUs (`cg_mask`).
    pub mask: CpuMask,
    /// The same as a list, ascending.
    pub cpus: Vec<CpuId>,
    /// Cache level that they share (`cg_level`), 0 if none.
    pub level: u8,
    /// Whether they are threads of a core (`CG_FLAG_HTT`, `CG_FLAG_SMT`).
    pub thread: bool,
    /// Whether they are a memory domain (`CG_FLAG_NODE`).
    pub node: bool,
    /// The group around it; the root has none.
    pub parent: Option<usize>,
    /// Groups in it, by lowest CPU. A CPU may be in none of these groups.
    pub children: Vec<usize>,
    /// The CPUs that are in none of these groups, ascending.
    pub direct: Vec<CpuId>,
}

/// The tree. Group 0 is the root and holds all CPUs (`cpu_top`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuGroups {
    groups: Vec<CpuGroup>,
    /// Innermost group of each CPU (`tdq_cg`).
    leaves: Vec<usize>,
}

impl CpuGroups {
    /// The tree that a release builds for a machine. `fake` is `kern.smp.topology`; 0 means the detected topology.
    #[must_use]
    pub fn of(machine: &Machine, builder: Builder, fake: u8) -> Self {
        let order = apic_order(machine);
        let mut tree = Self::flat(order.len());
        if fake != 0 {
            tree.add_fake(fake, &order);
        } else if machine.spec().isa == Isa::Amd64 && order.len() > 1 {
            match builder {
                Builder::Threads => tree.add_threads(machine, &order),
                Builder::Counts => tree.add_counts(machine, &order),
                Builder::Caches => tree.add_caches(machine, false),
                Builder::CachesAndNodes => tree.add_caches(machine, true),
            }
        }
        tree.find_leaves();
        tree
    }

    /// One group without a level (`smp_topo_none`).
    #[must_use]
    pub fn flat(cpus: usize) -> Self {
        let mut tree = Self {
            groups: Vec::new(),
            leaves: vec![0; cpus],
        };
        let all: Vec<CpuId> = (0..cpus).map(CpuId::new).collect();
        tree.add(None, &all, NONE, false);
        tree.find_leaves();
        tree
    }

    /// All groups. The root comes first, and each group comes after the one around it.
    #[must_use]
    pub fn groups(&self) -> &[CpuGroup] {
        &self.groups
    }

    /// A group.
    #[must_use]
    pub fn group(&self, group: usize) -> &CpuGroup {
        &self.groups[group]
    }

    /// The innermost group of a CPU.
    #[must_use]
    pub fn leaf(&self, cpu: CpuId) -> usize {
        self.leaves[cpu.index()]
    }

    /// The groups of a CPU, innermost first.
    pub fn outward(&self, cpu: CpuId) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(self.leaf(cpu)), |g| self.groups[*g].parent)
    }

    fn add(&mut self, parent: Option<usize>, cpus: &[CpuId], level: u8, thread: bool) -> usize {
        let mut list = cpus.to_vec();
        list.sort_unstable();
        let number = self.groups.len();
        self.groups.push(CpuGroup {
            mask: list.iter().copied().collect(),
            cpus: list,
            level,
            thread,
            node: false,
            parent,
            children: Vec::new(),
            direct: Vec::new(),
        });
        if let Some(parent) = parent {
            self.groups[parent].children.push(number);
        }
        number
    }

    /// Adds groups of `count` consecutive CPUs (`smp_topo_addleaf`).
    fn add_chunks(&mut self, parent: usize, cpus: &[CpuId], count: usize, level: u8, thread: bool) {
        for chunk in cpus.chunks(count) {
            self.add(Some(parent), chunk, level, thread);
        }
    }

    /// 7.x: hyper-threads of a core make a group.
    fn add_threads(&mut self, machine: &Machine, order: &[CpuId]) {
        let threads = machine.siblings(order[0]).count() as usize;
        if threads > 1 {
            self.add_chunks(0, order, threads, L1, true);
        }
    }

    /// 8.0 to 10.4: the boot CPU's numbers of threads and cores are used for all packages.
    fn add_counts(&mut self, machine: &Machine, order: &[CpuId]) {
        let boot = order[0];
        let threads = machine.siblings(boot).count() as usize;
        let package = machine.package_cpus(boot).count() as usize;
        let cores = package / threads;
        if !order.len().is_multiple_of(threads * cores) {
            return;
        }
        match (threads, cores) {
            (1, 1) => {}
            (_, 1) => self.add_chunks(0, order, threads, L1, true),
            (1, _) => self.add_chunks(0, order, cores, L2, false),
            _ => {
                for package in order.chunks(threads * cores) {
                    let group = self.add(Some(0), package, L2, false);
                    self.add_chunks(group, package, threads, L1, true);
                }
            }
        }
    }

    /// 11 and later: caches, and memory domains if the release knows them.
    fn add_caches(&mut self, machine: &Machine, with_nodes: bool) {
        // (CPUs, level, whether it is a memory domain)
        let mut sets: Vec<(Vec<CpuId>, u8, bool)> = Vec::new();
        if with_nodes && machine.node_count() > 1 {
            for cpu in machine.cpu_ids() {
                let node: Vec<CpuId> = machine.node_cpus(cpu).iter().collect();
                if node[0] == cpu {
                    sets.push((node, NONE, true));
                }
            }
        }
        for (i, instance) in machine.caches().instances().iter().enumerate() {
            sets.push((instance.cpus.clone(), machine.caches().spec(i).level, false));
        }
        // Outer groups come before inner ones, and a memory domain before a cache with the same CPUs.
        sets.sort_by_key(|(cpus, _, node)| {
            let fewer = (MAX_CPUS - cpus.len()) as u64;
            fewer << 32 | u64::from(!node) << 16 | u64::from(cpus[0].0)
        });
        for (cpus, level, node) in sets {
            if cpus.len() < 2 {
                continue;
            }
            let mask: CpuMask = cpus.iter().copied().collect();
            let around = (0..self.groups.len())
                .rev()
                .find(|g| mask.is_subset_of(&self.groups[*g].mask))
                .unwrap_or(0);
            let one_core = mask.is_subset_of(machine.siblings(cpus[0]));
            let group = if self.groups[around].mask == mask {
                around
            } else {
                self.add(Some(around), &cpus, NONE, false)
            };
            let g = &mut self.groups[group];
            g.level = g.level.max(level);
            g.node |= node;
            g.thread = one_core && g.level != NONE;
        }
    }

    /// `kern.smp.topology` 1 to 7 (`smp_topo`).
    fn add_fake(&mut self, fake: u8, order: &[CpuId]) {
        match fake {
            1 => self.add_chunks(0, order, 2, NONE, false),
            3 => self.add_chunks(0, order, 2, L2, false),
            4 => self.add_chunks(0, order, 4, L3, false),
            5 => {
                for half in order.chunks(order.len().div_ceil(2)) {
                    let group = self.add(Some(0), half, NONE, false);
                    self.add_chunks(group, half, 2, L2, false);
                }
            }
            6 => self.add_chunks(0, order, 2, L1, true),
            7 => {
                for package in order.chunks(order.len().div_ceil(4)) {
                    let group = self.add(Some(0), package, L3, false);
                    self.add_chunks(group, package, 8, L2, true);
                }
            }
            _ => {}
        }
    }

    fn find_leaves(&mut self) {
        // A group comes after the one around it, so the last group that contains a CPU is the innermost.
        for (number, group) in self.groups.iter().enumerate() {
            for cpu in &group.cpus {
                self.leaves[cpu.index()] = number;
            }
        }
        for (number, group) in self.groups.iter_mut().enumerate() {
            let cpus = group.cpus.iter().copied();
            group.direct = cpus.filter(|c| self.leaves[c.index()] == number).collect();
        }
    }
}

/// All CPUs in the order of their APIC ids. FreeBSD numbers them in this order, with the threads of a core consecutive;
/// the scenario may number them otherwise.
fn apic_order(machine: &Machine) -> Vec<CpuId> {
    let mut cpus: Vec<CpuId> = machine.cpu_ids().collect();
    cpus.sort_by_key(|c| {
        let place = machine.place(*c);
        u64::from(place.core.0) << 32 | u64::from(place.thread)
    });
    cpus
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use crate::spec::Numbering;

    fn machine(id: &str, packages: u16, nodes: u16, llcs: u16, cores: u16, smt: u16) -> Machine {
        let mut spec = registry::spec("i7860").expect("shipped");
        id.clone_into(&mut spec.id);
        let package = &mut spec.topology.packages[0];
        package.count = packages;
        package.nodes[0].count = nodes;
        package.nodes[0].llcs[0].count = llcs;
        let core = &mut package.nodes[0].llcs[0].cores[0];
        (core.count, core.smt) = (cores, smt);
        spec.caches[2].per = crate::spec::CacheScope::Llc;
        Machine::numbered(&spec, Numbering::SiblingsAdjacent).expect("possible")
    }

    /// The tree as text: `root(8, none) > 4 x (2, L2, SMT)`, with children in brackets.
    fn text(tree: &CpuGroups, group: usize) -> String {
        let g = tree.group(group);
        let level = ["none", "L1", "L2", "L3"][usize::from(g.level)];
        let mut out = format!("({}, {level}", g.cpus.len());
        if g.node {
            out.push_str(", NODE");
        }
        if g.thread {
            out.push_str(", SMT");
        }
        out.push(')');
        if let Some(first) = g.children.first() {
            let inner = text(tree, *first);
            assert!(
                g.children.iter().all(|c| text(tree, *c) == inner),
                "children are alike on these machines"
            );
            out.push_str(&format!(" > {} x {inner}", g.children.len()));
        }
        out
    }

    #[test]
    fn each_release_finds_what_it_could() {
        let e3 = machine("e3", 1, 1, 1, 4, 2);
        let mc32 = machine("mc32", 4, 2, 1, 4, 1);
        let r3900x = machine("r3900x", 1, 1, 4, 3, 2);
        let l5310 = machine("2 x Xeon L5310", 2, 1, 1, 4, 1);
        let k8x4 = machine("k8x4", 4, 1, 1, 2, 1);
        let two_sockets = machine("xeon2s", 2, 1, 1, 18, 2);
        use Builder::{Caches, CachesAndNodes, Counts, Threads};
        for (machine, builder, wanted) in [
            (&k8x4, Threads, "(8, none)"),
            (&e3, Threads, "(8, none) > 4 x (2, L1, SMT)"),
            (&e3, Counts, "(8, none) > 1 x (8, L2) > 4 x (2, L1, SMT)"),
            (&mc32, Counts, "(32, none) > 4 x (8, L2)"),
            (&l5310, Counts, "(8, none) > 2 x (4, L2)"),
            (&e3, Caches, "(8, L3) > 4 x (2, L2, SMT)"),
            (
                &r3900x,
                Caches,
                "(24, none) > 4 x (6, L3) > 3 x (2, L2, SMT)",
            ),
            (
                &r3900x,
                CachesAndNodes,
                "(24, none) > 4 x (6, L3) > 3 x (2, L2, SMT)",
            ),
            (&mc32, Caches, "(32, none) > 8 x (4, L3)"),
            (&mc32, CachesAndNodes, "(32, none) > 8 x (4, L3, NODE)"),
            (
                &two_sockets,
                CachesAndNodes,
                "(72, none) > 2 x (36, L3, NODE) > 18 x (2, L2, SMT)",
            ),
        ] {
            let tree = CpuGroups::of(machine, builder, 0);
            assert_eq!(text(&tree, 0), wanted, "{} {builder:?}", machine.spec().id);
        }
    }

    #[test]
    fn other_architectures_see_one_group() {
        let mut spec = machine("v890", 8, 1, 1, 2, 1).spec().clone();
        spec.isa = Isa::Sparc64;
        let v890 = Machine::new(&spec).expect("possible");
        let tree = CpuGroups::of(&v890, Builder::Counts, 0);
        assert_eq!(text(&tree, 0), "(16, none)");
        assert_eq!(tree.outward(CpuId(5)).count(), 1);
    }

    #[test]
    fn packages_of_unlike_size_make_no_group() {
        let mut spec = machine("odd", 1, 1, 1, 4, 2).spec().clone();
        let mut other = spec.topology.packages[0].clone();
        other.nodes[0].llcs[0].cores[0].count = 1;
        spec.topology.packages.push(other);
        let odd = Machine::new(&spec).expect("possible");
        assert_eq!(
            text(&CpuGroups::of(&odd, Builder::Counts, 0), 0),
            "(10, none)"
        );
    }

    #[test]
    fn a_faked_topology_is_what_it_says() {
        let e3 = machine("e3", 1, 1, 1, 4, 2);
        for (fake, wanted) in [
            (1, "(8, none) > 4 x (2, none)"),
            (2, "(8, none)"),
            (3, "(8, none) > 4 x (2, L2)"),
            (4, "(8, none) > 2 x (4, L3)"),
            (5, "(8, none) > 2 x (4, none) > 2 x (2, L2)"),
            (6, "(8, none) > 4 x (2, L1, SMT)"),
        ] {
            let tree = CpuGroups::of(&e3, Builder::Counts, fake);
            assert_eq!(text(&tree, 0), wanted, "{fake}");
        }
    }

    #[test]
    fn siblings_are_found_whatever_their_numbers() {
        let e3 = machine("e3", 1, 1, 1, 4, 2).renumbered(Numbering::CoresFirst);
        for builder in [Builder::Threads, Builder::Counts, Builder::CachesAndNodes] {
            let tree = CpuGroups::of(&e3, builder, 0);
            let leaf = tree.group(tree.leaf(CpuId(1)));
            assert_eq!(leaf.cpus, [CpuId(1), CpuId(5)], "{builder:?}");
            assert!(leaf.thread);
        }
    }
}
