//! The levels of a CPU's domains and their parameters, release by release.

use super::distances::{Distances, in_package};
use super::{Domain, Flags, Level, NODES_PER_DOMAIN, RECLAIM_DISTANCE};
use crate::Machine;
use sim_ground::ids::{CpuId, CpuMask};

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
            cluster: false,
            asym: false,
        },
        min_interval: 1,
        max_interval: 4,
        start_interval: 1,
        busy_factor: 64,
        imbalance_pct: 125,
        cache_nice_tries: 1,
        busy_idx: 2,
        idle_idx: 0,
        imb_numa_nr: 0,
    }
}

pub(super) fn one_cpu(_: &Machine, cpu: CpuId) -> CpuMask {
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

/// The CPUs that share the level-2 cache; the core if the file has no such cache.
fn cluster(machine: &Machine, cpu: CpuId) -> CpuMask {
    let caches = machine.caches();
    let path = caches.path(cpu).iter().map(|i| usize::from(*i));
    let second = path.into_iter().find(|i| caches.spec(*i).level == 2);
    let shared = second.map(|i| caches.instances()[i].cpus.iter().copied().collect());
    shared.unwrap_or(*machine.siblings(cpu))
}

/// `SD_SIBLING_INIT`, `SD_MC_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT`, `SD_ALLNODES_INIT` @ 2.6.34, x86-64.
pub(super) fn of_2_6_34(machine: &Machine, distances: &Distances, cpu: CpuId) -> Vec<Level> {
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
pub(super) fn of_4_9(machine: &Machine, distances: &Distances, cpu: CpuId) -> Vec<Level> {
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
    end_at_whole_machine(machine, &mut levels);
    levels
}

/// Building stops at the first level that spans all CPUs.
fn end_at_whole_machine(machine: &Machine, levels: &mut Vec<Level>) {
    let all = CpuMask::first(machine.cpu_count());
    if let Some(last) = levels.iter().position(|l| l.domain.span == all) {
        levels.truncate(last + 1);
    }
}

/// `sd_init`, `build_sched_topology`, `sched_init_numa` @ 6.12. If a package holds several nodes there is no PKG level;
/// the level of the own node (NODE) takes its place, with the same parameters.
pub(super) fn of_6_12(machine: &Machine, distances: &Distances, cpu: CpuId) -> Vec<Level> {
    let sized = |name, span: CpuMask| {
        let n = u64::from(span.count());
        let mut d = Domain {
            min_interval: n,
            max_interval: 2 * n,
            start_interval: n,
            busy_factor: 16,
            imbalance_pct: 117,
            cache_nice_tries: 1,
            busy_idx: 0,
            ..domain(name, span)
        };
        d.flags.prefer_sibling = true;
        d
    };
    let mut smt = sized("SMT", *machine.siblings(cpu));
    smt.flags.share_power = true;
    smt.flags.share_cache = true;
    (smt.imbalance_pct, smt.cache_nice_tries) = (110, 0);
    let mut cluster = sized("CLS", cluster(machine, cpu));
    cluster.flags.share_cache = true;
    cluster.flags.cluster = true;
    let mut mc = sized("MC", *machine.llc_cpus(cpu));
    mc.flags.share_cache = true;
    let package = if in_package(machine) { "NODE" } else { "PKG" };
    let package = sized(package, *machine.node_cpus(cpu));
    let level = |domain, below| Level { domain, below };
    let mut levels = vec![
        level(smt, one_cpu),
        level(cluster, core),
        level(mc, self::cluster),
        level(package, llc),
    ];
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
            numa.cache_nice_tries = 2;
            levels.push(level(numa, node));
        }
    }
    end_at_whole_machine(machine, &mut levels);
    allow_imbalance(&mut levels);
    levels
}

/// The number of tasks that a node may have before an imbalance between nodes matters (`imb_numa_nr`, in
/// `build_sched_domains`). It is an eighth of the span if that has one last-level cache, else one for each cache; for
/// wider levels in proportion.
fn allow_imbalance(levels: &mut [Level]) {
    let (mut imbalance, mut span) = (0, 1);
    for i in 0..levels.len() {
        let here = &levels[i].domain;
        let below = i.checked_sub(1).map(|b| &levels[b].domain);
        let cpus = u64::from(here.span.count());
        let caches = below.filter(|b| b.flags.share_cache && !here.flags.share_cache);
        levels[i].domain.imb_numa_nr = if let Some(below) = caches {
            let caches = cpus / u64::from(below.span.count());
            imbalance = if caches == 1 { cpus / 8 } else { caches }.max(1);
            let numa = levels[i + 1..].iter().find(|l| l.domain.flags.overlap);
            span = numa.map_or(cpus, |l| u64::from(l.domain.span.count()));
            imbalance
        } else {
            imbalance * (cpus / span).max(1)
        };
    }
}
