//! Scheduling domains: the topology as Linux saw it.
//!
//! | step | kernel function @ release |
//! |---|---|
//! | `levels` and spans | `__build_sched_domains`, `sd_init_*` @ 2.6.34; `build_sched_domains`, `sd_init`, `sched_init_numa` @ 4.9, 6.12 |
//! | groups | `init_sched_build_groups`, `build_numa_sched_groups` @ 2.6.34; `build_sched_groups`, `build_overlap_sched_groups` @ 4.9, 6.12 |
//! | `group_details` | `build_balance_mask`, `init_sched_groups_capacity` @ 6.12 |
//! | degenerate levels | `sd_degenerate`, `sd_parent_degenerate`, `cpu_attach_domain` |
//!
//! Power is static: CPU time of real-time tasks is not subtracted. If the firmware has no distances, they count as 10
//! for the own node and 20 for the others. At 6.12 the power of a CPU is its capacity, which the machine says; before,
//! all kinds of cores have the same.

mod distances;
mod levels;

use crate::Machine;
use distances::{Distances, in_package, node_cpus};
use sim_ground::ids::{CpuId, CpuMask, NodeId};
use std::collections::BTreeSet;

sim_ground::constants! {
    /// Power of a CPU that is alone on its core.
    pub FULL_POWER: u64 = 1_024, "", Published,
        "SCHED_LOAD_SCALE @ Linux 2.6.34, SCHED_CAPACITY_SCALE @ 4.9, 6.12";
    /// Throughput of the threads of a core together, as the kernel assumes: 15 % more than one thread.
    SMT_GAIN: u64 = 1_178, "1024ths", Published, "smt_gain @ Linux 2.6.34 and 4.9";
    /// Largest number of nodes in the NODE level.
    NODES_PER_DOMAIN: usize = 16, "nodes", Published, "SD_NODES_PER_DOMAIN @ Linux 2.6.34";
    /// NUMA levels beyond this distance do not place tasks at fork and exec.
    RECLAIM_DISTANCE: u16 = 30, "", Published, "RECLAIM_DISTANCE @ Linux 4.9, node_reclaim_distance @ 6.12";
}

/// The release whose rules build the domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// SIBLING, MC, CPU, NODE, ALLNODES with fixed parameters.
    V2_6_34,
    /// SMT, MC, DIE, and a NUMA level for each distance; parameters follow from the span.
    V4_9,
    /// SMT, CLS (cluster), MC, PKG or NODE, and a NUMA level for each distance; parameters follow from the span.
    V6_12,
}

/// Flags of a domain. Every level balances at intervals and when a CPU becomes idle.
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
    /// Groups may overlap (`SD_OVERLAP`). This is a level of several nodes, which is also `SD_NUMA` from 4.9 on.
    pub overlap: bool,
    /// The cores share a level-2 or similar cache (`SD_CLUSTER` @ 6.12).
    pub cluster: bool,
    /// CPUs of several capacities (`SD_ASYM_CPUCAPACITY` @ 6.12).
    pub asym: bool,
}

impl Flags {
    /// Whether a parent has flags that its child lacks and that matter although the parent has only one group.
    fn adds_to(self, child: Self, release: Release) -> bool {
        (self.wake_affine && !child.wake_affine)
            || (self.overlap && !child.overlap)
            || (release == Release::V2_6_34 && self.prefer_sibling && !child.prefer_sibling)
    }
}

/// A group of a domain: CPUs that are balanced as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its CPUs.
    pub cpus: CpuMask,
    /// The same, ascending.
    pub list: Vec<CpuId>,
    /// Sum of the powers of its CPUs.
    pub power: u64,
    /// The smallest and the largest of these powers (`min_capacity`, `max_capacity` @ 6.12).
    pub powers: [u64; 2],
    /// Physical cores among them.
    pub cores: u64,
    /// Flags of the level below that has the same span (`sched_group.flags`); none for a single CPU.
    pub flags: Flags,
    /// The CPUs that may balance for it (`group_balance_mask`), ascending. Other CPUs of an overlapping group see other
    /// groups.
    pub balancers: Vec<CpuId>,
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
    /// Number of tasks on a node up to which a small imbalance between nodes is ignored (`imb_numa_nr` @ 6.12).
    pub imb_numa_nr: u64,
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
    /// The CPUs that share the last-level cache with each CPU (`sd_llc_size` of them).
    pub llc: Vec<CpuMask>,
    /// The CPUs that share the lowest cache beyond a core that several cores share (`sd_share_id` @ 6.12). Without a
    /// level of clusters it is the whole last-level cache.
    pub cluster: Vec<CpuMask>,
    /// The innermost level of each CPU with all capacities of the machine (`sd_asym_cpucapacity` @ 6.12); `None` if all
    /// CPUs have the same.
    pub asym: Vec<Option<usize>>,
}

/// A level before its groups are built.
struct Level {
    domain: Domain,
    /// The groups of this level, seen from a CPU: the span of the level below.
    below: fn(&Machine, CpuId) -> CpuMask,
}

impl Domains {
    /// The domains that a kernel builds for a machine.
    #[must_use]
    pub fn new(machine: &Machine, release: Release) -> Self {
        Self::configured(machine, release, true)
    }

    /// The same for a kernel that may have been built without `CONFIG_SCHED_SMT`. Without it the kernel treats the
    /// threads of a core like any other CPUs.
    #[must_use]
    pub fn configured(machine: &Machine, release: Release, smt: bool) -> Self {
        let power = machine
            .cpu_ids()
            .map(|cpu| match machine.sibling_list(cpu).len() as u64 {
                // 6.12: a thread counts as a CPU of its own.
                _ if release == Release::V6_12 => u64::from(machine.place(cpu).capacity),
                threads if threads > 1 && smt => SMT_GAIN / threads,
                _ => FULL_POWER,
            })
            .collect();
        let mut all = Self {
            groups: Vec::new(),
            of: Vec::new(),
            power,
            llc: machine.cpu_ids().map(|c| *machine.llc_cpus(c)).collect(),
            cluster: machine.cpu_ids().map(|c| *machine.llc_cpus(c)).collect(),
            asym: vec![None; machine.cpu_count()],
        };
        let distances = Distances::new(machine);
        for cpu in machine.cpu_ids() {
            let mut levels = match release {
                Release::V2_6_34 => levels::of_2_6_34(machine, &distances, cpu),
                Release::V4_9 => levels::of_4_9(machine, &distances, cpu),
                Release::V6_12 => levels::of_6_12(machine, &distances, cpu),
            };
            if !smt {
                levels.remove(0);
                levels[0].below = levels::one_cpu;
            }
            let mut domains: Vec<Domain> = Vec::new();
            for mut level in levels {
                level.domain.list = level.domain.span.iter().collect();
                level.domain.groups = match (release, level.domain.flags.overlap) {
                    (Release::V2_6_34, _) if level.domain.name == "NODE" => {
                        all.node_groups(machine, &level.domain, cpu)
                    }
                    (Release::V6_12, true) => {
                        all.groups_around(machine, &level.domain.list, cpu, |i| {
                            distances.child_span(machine, i, &level.domain)
                        })
                    }
                    (Release::V6_12, false) => {
                        let span = level.domain.span;
                        all.groups_around(machine, &level.domain.list, cpu, |i| {
                            (level.below)(machine, i).and(&span)
                        })
                    }
                    (_, true) => all.overlap_groups(machine, &distances, &level.domain, cpu),
                    _ => all.plain_groups(machine, &level, cpu),
                };
                attach(&mut domains, level.domain, release);
            }
            if let Some(shared) = domains.iter().find(|d| d.flags.cluster) {
                all.cluster[cpu.index()] = shared.span;
            }
            all.of.push(domains);
        }
        if release == Release::V6_12 {
            all.tell_capacities();
        }
        all.group_details();
        all
    }

    /// Whether some CPUs have more capacity than others (`sched_asym_cpucap_active`).
    #[must_use]
    pub fn has_capacities(&self) -> bool {
        self.asym.iter().any(Option::is_some)
    }

    /// Marks the levels with CPUs of several capacities (`asym_cpu_capacity_classify`). Tasks do not spread over these.
    fn tell_capacities(&mut self) {
        let all: BTreeSet<u64> = self.power.iter().copied().collect();
        if all.len() < 2 {
            return;
        }
        for (domains, asym) in self.of.iter_mut().zip(&mut self.asym) {
            for level in 0..domains.len() {
                let cpus = domains[level].list.iter();
                let here: BTreeSet<u64> = cpus.map(|c| self.power[c.index()]).collect();
                if here.len() < 2 {
                    continue;
                }
                domains[level].flags.asym = true;
                if let Some(child) = level.checked_sub(1) {
                    domains[child].flags.prefer_sibling = false;
                }
                if here == all {
                    *asym = asym.or(Some(level));
                }
            }
        }
    }

    /// Fills in what groups inherit from the level below.
    fn group_details(&mut self) {
        for group in &mut self.groups {
            let spans = |c: &CpuId| self.of[c.index()].iter().find(|d| d.span == group.cpus);
            let balancers: Vec<CpuId> = group
                .list
                .iter()
                .copied()
                .filter(|c| spans(c).is_some())
                .collect();
            if let Some(child) = balancers.first().and_then(spans) {
                group.flags = child.flags;
                group.balancers = balancers;
            }
        }
    }

    /// The number of a group; the group is created if it does not exist.
    fn group(&mut self, machine: &Machine, cpus: CpuMask) -> usize {
        if let Some(i) = self.groups.iter().position(|g| g.cpus == cpus) {
            return i;
        }
        let list: Vec<CpuId> = cpus.iter().collect();
        let powers = || list.iter().map(|c| self.power[c.index()]);
        self.groups.push(Group {
            cpus,
            power: powers().sum(),
            powers: [powers().min(), powers().max()].map(|p| p.unwrap_or(0)),
            cores: cores_among(machine, &list),
            flags: Flags::default(),
            balancers: list.clone(),
            list,
        });
        self.groups.len() - 1
    }

    /// Groups in ascending order of their first CPU; the ring begins with the own group.
    fn plain_groups(&mut self, machine: &Machine, level: &Level, cpu: CpuId) -> Vec<usize> {
        let span = level.domain.span;
        let mut covered = CpuMask::EMPTY;
        let mut ring = Vec::new();
        for i in span.iter() {
            if !covered.contains(i) {
                let cpus = (level.below)(machine, i).and(&span);
                cpus.iter().for_each(|c| covered.insert(c));
                ring.push(self.group(machine, cpus));
            }
        }
        let own = ring.iter().position(|g| self.groups[*g].cpus.contains(cpu));
        ring.rotate_left(own.unwrap_or(0));
        ring
    }

    /// Levels @ 6.12: goes through the span's CPUs from the own one around. Each CPU that is in no group yet starts a
    /// new group.
    fn groups_around(
        &mut self,
        machine: &Machine,
        span: &[CpuId],
        cpu: CpuId,
        group_of: impl Fn(CpuId) -> CpuMask,
    ) -> Vec<usize> {
        let from = span.iter().position(|c| *c == cpu).unwrap_or(0);
        let mut covered = CpuMask::EMPTY;
        let mut ring = Vec::new();
        for i in span.iter().cycle().skip(from).take(span.len()).copied() {
            if !covered.contains(i) {
                let cpus = group_of(i);
                cpus.iter().for_each(|c| covered.insert(c));
                ring.push(self.group(machine, cpus));
            }
        }
        ring
    }

    /// NODE and similar levels @ 2.6.34: the own node first, then the others in ascending order, around.
    fn node_groups(&mut self, machine: &Machine, domain: &Domain, cpu: CpuId) -> Vec<usize> {
        let (n, own) = (machine.node_count(), machine.place(cpu).node.index());
        (0..n)
            .map(|j| node_cpus(machine, NodeId::new((own + j) % n)))
            .filter(|cpus| cpus.intersects(&domain.span))
            .map(|cpus| self.group(machine, cpus))
            .collect()
    }

    /// NUMA levels @ 4.9: goes through the span's CPUs in ascending order, for every CPU alike. Each CPU that is in no
    /// group yet starts a new group with the span of its own child level.
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
            ring.push(self.group(machine, cpus));
        }
        let holds = |g: &usize| self.groups[*g].cpus.contains(cpu);
        let led = |g: &usize| self.groups[*g].list.first() == Some(&cpu);
        let own = ring.iter().rposition(led);
        let own = own.or_else(|| ring.iter().position(holds));
        ring.rotate_left(own.unwrap_or(0));
        ring
    }
}

fn cores_among(machine: &Machine, cpus: &[CpuId]) -> u64 {
    let cores = cpus.iter().map(|cpu| machine.place(*cpu).core.0);
    cores.collect::<BTreeSet<_>>().len() as u64
}

/// Adds a level unless the level is degenerate.
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
        if release != Release::V2_6_34 && level.flags.prefer_sibling {
            child.flags.prefer_sibling = true;
        }
        return;
    }
    domains.push(level);
}

#[cfg(test)]
mod tests;
