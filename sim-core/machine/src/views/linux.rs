//! Scheduling domains: the topology as Linux saw it.
//!
//! | step | kernel function @ release |
//! |---|---|
//! | levels and spans | `__build_sched_domains`, `sd_init_*` @ 2.6.34; `build_sched_domains`, `sd_init`, `sched_init_numa` @ 4.9 |
//! | groups | `init_sched_build_groups`, `build_numa_sched_groups` @ 2.6.34; `build_sched_groups`, `build_overlap_sched_groups` @ 4.9 |
//! | degenerate levels | `sd_degenerate`, `sd_parent_degenerate`, `cpu_attach_domain` |
//!
//! Power is static: what real-time tasks take is not subtracted. Firmware without distances counts as 10 for
//! the own node and 20 for the others.

use crate::Machine;
use sim_ground::ids::{CpuId, CpuMask, NodeId};
use sim_ground::order;

sim_ground::constants! {
    /// Power of a CPU that is alone on its core.
    pub FULL_POWER: u64 = 1_024, "", Published,
        "SCHED_LOAD_SCALE @ Linux 2.6.34, SCHED_CAPACITY_SCALE @ 4.9";
    /// What the threads of a core do together, as the kernel assumes: 15 % more than one.
    SMT_GAIN: u64 = 1_178, "1024ths", Published, "smt_gain @ Linux 2.6.34 and 4.9";
    /// Nodes of the NODE level.
    NODES_PER_DOMAIN: usize = 16, "nodes", Published, "SD_NODES_PER_DOMAIN @ Linux 2.6.34";
    /// NUMA levels beyond this distance do not place tasks.
    RECLAIM_DISTANCE: u16 = 30, "", Published, "RECLAIM_DISTANCE @ Linux 4.9";
}

/// Whose rules make the domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// SIBLING, MC, CPU, NODE, ALLNODES with fixed parameters.
    V2_6_34,
    /// SMT, MC, DIE, and a NUMA level for each distance; parameters follow from the span.
    V4_9,
}

/// Flags of a domain. Every level balances periodically and when a CPU becomes idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Places tasks at fork and exec (`SD_BALANCE_FORK`, `SD_BALANCE_EXEC`).
    pub fork_exec: bool,
    /// May pull a woken task to its waker (`SD_WAKE_AFFINE`).
    pub wake_affine: bool,
    /// The CPUs share a core (`SD_SHARE_CPUPOWER`, `SD_SHARE_CPUCAPACITY`).
    pub share_power: bool,
    /// The CPUs share their last-level cache (`SD_SHARE_PKG_RESOURCES`).
    pub share_cache: bool,
    /// Tasks go to a sibling domain rather than beside each other (`SD_PREFER_SIBLING`).
    pub prefer_sibling: bool,
    /// One balancing at a time on the machine (`SD_SERIALIZE`).
    pub serialize: bool,
    /// Groups may overlap (`SD_OVERLAP`).
    pub overlap: bool,
}

impl Flags {
    /// Flags of a parent that its child lacks and that matter though the parent has one group.
    fn adds_to(self, child: Self, release: Release) -> bool {
        (self.wake_affine && !child.wake_affine)
            || (self.overlap && !child.overlap)
            || (release == Release::V2_6_34 && self.prefer_sibling && !child.prefer_sibling)
    }
}

/// A group of a domain: what is balanced as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its CPUs.
    pub cpus: CpuMask,
    /// The same, ascending.
    pub list: Vec<CpuId>,
    /// Sum of the powers of its CPUs.
    pub power: u64,
}

/// A domain of a CPU (`struct sched_domain`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The kernel's name of the level.
    pub name: &'static str,
    /// Distance of a NUMA level; 0 for others.
    pub distance: u16,
    /// Its CPUs.
    pub span: CpuMask,
    /// The same, ascending.
    pub list: Vec<CpuId>,
    /// Positions in [`Domains::groups`], in the order of the kernel's ring, beginning with the own group.
    pub groups: Vec<usize>,
    /// Flags.
    pub flags: Flags,
    /// Shortest balance interval in ms (`min_interval`).
    pub min_interval: u64,
    /// Longest balance interval in ms (`max_interval`).
    pub max_interval: u64,
    /// The first balance interval in ms.
    pub start_interval: u64,
    /// Factor of the interval on a busy CPU.
    pub busy_factor: u64,
    /// How much busier another group must be, in percent.
    pub imbalance_pct: u64,
    /// Failed attempts after which cache-hot tasks move.
    pub cache_nice_tries: u32,
    /// Which average load is compared by a busy CPU.
    pub busy_idx: usize,
    /// Which average load is compared by an idle CPU.
    pub idle_idx: usize,
}

/// The domains of all CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// All groups; domains of different CPUs share them.
    pub groups: Vec<Group>,
    /// The domains of each CPU, from the innermost level outwards.
    pub of: Vec<Vec<Domain>>,
    /// Power of each CPU.
    pub power: Vec<u64>,
    /// Number of CPUs that share the last-level cache with each CPU (`sd_llc_size`).
    pub llc: Vec<CpuMask>,
}

/// A level before groups are made.
struct Level {
    domain: Domain,
    /// What the groups of this level are, seen from a CPU: the span of the level below.
    below: fn(&Machine, CpuId) -> CpuMask,
}

impl Domains {
    /// What a kernel makes of a machine.
    #[must_use]
    pub fn new(machine: &Machine, release: Release) -> Self {
        Self::configured(machine, release, true)
    }

    /// The same for a kernel that may have been built without `CONFIG_SCHED_SMT`: the threads of a core are CPUs like
    /// all others to it.
    #[must_use]
    pub fn configured(machine: &Machine, release: Release, smt: bool) -> Self {
        let power = machine
            .cpu_ids()
            .map(|cpu| match machine.sibling_list(cpu).len() as u64 {
                threads if threads > 1 && smt => SMT_GAIN / threads,
                _ => FULL_POWER,
            })
            .collect();
        let mut all = Self {
            groups: Vec::new(),
            of: Vec::new(),
            power,
            llc: machine.cpu_ids().map(|c| *machine.llc_cpus(c)).collect(),
        };
        let distances = Distances::new(machine);
        for cpu in machine.cpu_ids() {
            let mut levels = match release {
                Release::V2_6_34 => levels_2_6_34(machine, &distances, cpu),
                Release::V4_9 => levels_4_9(machine, &distances, cpu),
            };
            if !smt {
                levels.remove(0);
                levels[0].below = one_cpu;
            }
            let mut domains: Vec<Domain> = Vec::new();
            for mut level in levels {
                level.domain.list = level.domain.span.iter().collect();
                level.domain.groups = if level.domain.name == "NODE" {
                    all.node_groups(machine, &level.domain, cpu)
                } else if level.domain.flags.overlap {
                    all.overlap_groups(machine, &distances, &level.domain, cpu)
                } else {
                    all.plain_groups(machine, &level, cpu)
                };
                attach(&mut domains, level.domain, release);
            }
            all.of.push(domains);
        }
        all
    }

    /// The number of a group, made if it does not exist.
    fn group(&mut self, cpus: CpuMask) -> usize {
        if let Some(i) = self.groups.iter().position(|g| g.cpus == cpus) {
            return i;
        }
        let list: Vec<CpuId> = cpus.iter().collect();
        let power = list.iter().map(|c| self.power[c.index()]).sum();
        self.groups.push(Group { cpus, list, power });
        self.groups.len() - 1
    }

    /// Groups in ascending order of their first CPU, the ring beginning with the own one.
    fn plain_groups(&mut self, machine: &Machine, level: &Level, cpu: CpuId) -> Vec<usize> {
        let span = level.domain.span;
        let mut covered = CpuMask::EMPTY;
        let mut ring = Vec::new();
        for i in span.iter() {
            if !covered.contains(i) {
                let cpus = (level.below)(machine, i).and(&span);
                cpus.iter().for_each(|c| covered.insert(c));
                ring.push(self.group(cpus));
            }
        }
        let own = ring.iter().position(|g| self.groups[*g].cpus.contains(cpu));
        ring.rotate_left(own.unwrap_or(0));
        ring
    }

    /// NODE and its like @ 2.6.34: the own node first, then in the order of numbers, around.
    fn node_groups(&mut self, machine: &Machine, domain: &Domain, cpu: CpuId) -> Vec<usize> {
        let (n, own) = (machine.node_count(), machine.place(cpu).node.index());
        (0..n)
            .map(|j| node_cpus(machine, NodeId::new((own + j) % n)))
            .filter(|cpus| cpus.intersects(&domain.span))
            .map(|cpus| self.group(cpus))
            .collect()
    }

    /// NUMA levels @ 4.9: the span's CPUs in ascending order, whoever asks; each that no group covers makes
    /// one of its own child's span.
    fn overlap_groups(
        &mut self,
        machine: &Machine,
        distances: &Distances,
        domain: &Domain,
        cpu: CpuId,
    ) -> Vec<usize> {
        let mut covered = CpuMask::EMPTY;
        let mut ring = Vec::new();
        for i in domain.span.iter() {
            if covered.contains(i) {
                continue;
            }
            let child = distances.below(domain.distance);
            let cpus = match child {
                Some(distance) => distances.span(machine, i, distance),
                None if in_package(machine) => *machine.llc_cpus(i),
                None => *machine.node_cpus(i),
            };
            cpus.iter().for_each(|c| covered.insert(c));
            ring.push(self.group(cpus));
        }
        let holds = |g: &usize| self.groups[*g].cpus.contains(cpu);
        let led = |g: &usize| self.groups[*g].list.first() == Some(&cpu);
        let own = ring.iter().rposition(led);
        let own = own.or_else(|| ring.iter().position(holds));
        ring.rotate_left(own.unwrap_or(0));
        ring
    }
}

/// Adds a level unless it is degenerate.
fn attach(domains: &mut Vec<Domain>, level: Domain, release: Release) {
    if level.list.len() == 1 {
        return;
    }
    let Some(child) = domains.last_mut() else {
        domains.push(level);
        return;
    };
    let same = child.span == level.span;
    if same && level.groups.len() == 1 && !level.flags.adds_to(child.flags, release) {
        if release == Release::V4_9 && level.flags.prefer_sibling {
            child.flags.prefer_sibling = true;
        }
        return;
    }
    domains.push(level);
}

fn node_cpus(machine: &Machine, node: NodeId) -> CpuMask {
    machine
        .cpu_ids()
        .filter(|c| machine.place(*c).node == node)
        .collect()
}

/// Whether a package holds several nodes (`x86_numa_in_package`).
fn in_package(machine: &Machine) -> bool {
    machine
        .cpu_ids()
        .any(|c| !machine.package_cpus(c).is_subset_of(machine.node_cpus(c)))
}

/// Firmware distances.
struct Distances {
    table: Vec<Vec<u16>>,
    /// Those beyond the own node, ascending.
    remote: Vec<u16>,
}

impl Distances {
    fn new(machine: &Machine) -> Self {
        let n = machine.node_count();
        let given = &machine.spec().memory.distances;
        let table: Vec<Vec<u16>> = if given.len() == n {
            given.clone()
        } else {
            let row = |i| (0..n).map(|j| if i == j { 10 } else { 20 }).collect();
            (0..n).map(row).collect()
        };
        let mut remote = Vec::new();
        for distance in table.iter().flatten().filter(|d| **d > 10) {
            order::insert(&mut remote, *distance);
        }
        Self { table, remote }
    }

    /// The CPUs within a distance of a CPU's node.
    fn span(&self, machine: &Machine, cpu: CpuId, distance: u16) -> CpuMask {
        let row = &self.table[machine.place(cpu).node.index()];
        let near = |c: &CpuId| row[machine.place(*c).node.index()] <= distance;
        machine.cpu_ids().filter(near).collect()
    }

    /// The next smaller distance beyond the own node.
    fn below(&self, distance: u16) -> Option<u16> {
        self.remote.iter().copied().rfind(|d| *d < distance)
    }

    /// The nearest nodes, at most [`NODES_PER_DOMAIN`].
    fn nearest(&self, machine: &Machine, cpu: CpuId) -> CpuMask {
        let own = machine.place(cpu).node.index();
        let n = self.table.len();
        let mut nodes: Vec<usize> = (0..n).map(|j| (own + j) % n).collect();
        order::by(&mut nodes, |j| u64::from(self.table[own][*j]));
        nodes.truncate(NODES_PER_DOMAIN);
        let near = |c: &CpuId| nodes.contains(&machine.place(*c).node.index());
        machine.cpu_ids().filter(near).collect()
    }
}

const fn domain(name: &'static str, span: CpuMask) -> Domain {
    Domain {
        name,
        distance: 0,
        span,
        list: Vec::new(),
        groups: Vec::new(),
        flags: Flags {
            fork_exec: true,
            wake_affine: true,
            share_power: false,
            share_cache: false,
            prefer_sibling: false,
            serialize: false,
            overlap: false,
        },
        min_interval: 1,
        max_interval: 4,
        start_interval: 1,
        busy_factor: 64,
        imbalance_pct: 125,
        cache_nice_tries: 1,
        busy_idx: 2,
        idle_idx: 0,
    }
}

fn one_cpu(_: &Machine, cpu: CpuId) -> CpuMask {
    CpuMask::only(cpu)
}

fn core(machine: &Machine, cpu: CpuId) -> CpuMask {
    *machine.siblings(cpu)
}

fn llc(machine: &Machine, cpu: CpuId) -> CpuMask {
    *machine.llc_cpus(cpu)
}

fn node(machine: &Machine, cpu: CpuId) -> CpuMask {
    *machine.node_cpus(cpu)
}

/// `SD_SIBLING_INIT`, `SD_MC_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT`, `SD_ALLNODES_INIT` @ 2.6.34, x86-64.
fn levels_2_6_34(machine: &Machine, distances: &Distances, cpu: CpuId) -> Vec<Level> {
    let mut smt = domain("SIBLING", *machine.siblings(cpu));
    smt.flags.share_power = true;
    smt.flags.share_cache = true;
    (smt.max_interval, smt.imbalance_pct) = (2, 110);
    (smt.cache_nice_tries, smt.busy_idx) = (0, 0);
    let mut mc = domain("MC", *machine.llc_cpus(cpu));
    mc.flags.share_cache = true;
    mc.flags.prefer_sibling = true;
    let mut die = domain("CPU", *machine.node_cpus(cpu));
    die.flags.prefer_sibling = true;
    die.idle_idx = 1;
    let level = |domain, below| Level { domain, below };
    let mut levels = vec![level(smt, one_cpu), level(mc, core), level(die, llc)];
    if machine.node_count() > 1 {
        let mut nodes = domain("NODE", distances.nearest(machine, cpu));
        nodes.flags.serialize = true;
        (nodes.min_interval, nodes.max_interval) = (8, 32);
        (nodes.busy_factor, nodes.cache_nice_tries) = (32, 2);
        (nodes.busy_idx, nodes.idle_idx) = (3, 2);
        levels.push(level(nodes, node));
    }
    if machine.node_count() > NODES_PER_DOMAIN {
        let cpus = machine.cpu_count();
        let mut nodes = domain("ALLNODES", CpuMask::first(cpus));
        nodes.flags = Flags {
            serialize: true,
            ..Flags::default()
        };
        (nodes.min_interval, nodes.max_interval) = (64, 64 * cpus as u64);
        (nodes.start_interval, nodes.busy_factor) = (64, 128);
        (nodes.imbalance_pct, nodes.cache_nice_tries) = (133, 1);
        (nodes.busy_idx, nodes.idle_idx) = (3, 3);
        levels.push(level(nodes, node));
    }
    levels
}

/// `sd_init`, `default_topology`, `sched_init_numa` @ 4.9.
fn levels_4_9(machine: &Machine, distances: &Distances, cpu: CpuId) -> Vec<Level> {
    let sized = |name, span: CpuMask| {
        let n = u64::from(span.count());
        Domain {
            min_interval: n,
            max_interval: 2 * n,
            start_interval: n,
            busy_factor: 32,
            ..domain(name, span)
        }
    };
    let mut smt = sized("SMT", *machine.siblings(cpu));
    smt.flags.share_power = true;
    smt.flags.share_cache = true;
    smt.flags.prefer_sibling = true;
    smt.imbalance_pct = 110;
    (smt.cache_nice_tries, smt.busy_idx) = (0, 0);
    let mut mc = sized("MC", *machine.llc_cpus(cpu));
    mc.flags.share_cache = true;
    mc.imbalance_pct = 117;
    let level = |domain, below| Level { domain, below };
    let mut levels = vec![level(smt, one_cpu), level(mc, core)];
    if !in_package(machine) {
        let mut die = sized("DIE", *machine.node_cpus(cpu));
        die.flags.prefer_sibling = true;
        die.idle_idx = 1;
        levels.push(level(die, llc));
    }
    if machine.node_count() > 1 {
        for distance in &distances.remote {
            let mut numa = sized("NUMA", distances.span(machine, cpu, *distance));
            numa.distance = *distance;
            let places = *distance <= RECLAIM_DISTANCE;
            numa.flags = Flags {
                fork_exec: places,
                wake_affine: places,
                serialize: true,
                overlap: true,
                ..Flags::default()
            };
            (numa.cache_nice_tries, numa.busy_idx, numa.idle_idx) = (2, 3, 2);
            levels.push(level(numa, node));
        }
    }
    let all = CpuMask::first(machine.cpu_count());
    if let Some(last) = levels.iter().position(|l| l.domain.span == all) {
        levels.truncate(last + 1);
    }
    levels
}

#[cfg(test)]
mod tests;
