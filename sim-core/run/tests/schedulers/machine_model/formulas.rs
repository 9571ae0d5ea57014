//! The formulas of the machine model, written again: with real numbers, computed from scratch for each question, and
//! without anything that the engine uses except the list of CPUs and the numbers of the file.
//!
//! A thread is a sweep (or a chase) over a working set. The unit of work is an iteration; times are in ns.

use sim_run::ids::CpuId;
use sim_run::machine::Machine;
use sim_run::machine::spec::{CacheScope, CacheSpec, MemoryDomain, Replacement};
use std::collections::BTreeMap;

/// The order in which a thread goes through its data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pattern {
    /// Repeatedly from the start.
    Cyclic,
    /// At random.
    Random,
}

/// A kind of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// Compute time of an iteration in cycles.
    pub(super) cycles: f64,
    /// Bytes of an iteration; 0 means no data.
    pub(super) bytes: f64,
    /// Memory traffic per byte.
    pub(super) traffic: f64,
    /// Throughput of two siblings relative to one.
    pub(super) pair: f64,
    /// How much it slows a sibling.
    pub(super) pressure: f64,
    /// Whether line fills limit it; otherwise latency does.
    pub(super) stream: bool,
    /// The order in which it goes through its data.
    pub(super) pattern: Pattern,
}

impl Class {
    /// `chase`: reads one line after the other, at random.
    pub(super) fn chase(machine: &Machine) -> Self {
        Self {
            cycles: f64::from(machine.spec().work.chase_milli_cycles) / 1e3,
            bytes: 64.0,
            traffic: 1.0,
            pair: 1.8,
            pressure: 1.0,
            stream: false,
            pattern: Pattern::Random,
        }
    }

    /// `dhrystone`: only computes.
    pub(super) fn dhrystone() -> Self {
        Self {
            cycles: 350.0,
            bytes: 0.0,
            traffic: 0.0,
            pair: 0.96,
            pressure: 1.0,
            stream: true,
            pattern: Pattern::Cyclic,
        }
    }

    /// `loop`: increments each element of an array of doubles.
    pub(super) fn array_loop(machine: &Machine) -> Self {
        Self {
            cycles: f64::from(machine.spec().work.loop_milli_cycles) / 1e3,
            bytes: 8.0,
            traffic: 2.0,
            pair: 1.05,
            pressure: 1.0,
            stream: true,
            pattern: Pattern::Cyclic,
        }
    }
}

/// A thread on a CPU.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) cpu: CpuId,
    pub(super) class: Class,
    /// Bytes of its working set.
    pub(super) set: f64,
    /// Share of its memory on each node.
    pub(super) memory: Vec<f64>,
    /// The level from which its cache is still being filled (position in its path; one more is memory).
    pub(super) filling_from: Option<usize>,
}

impl Running {
    /// A thread with all memory on its own node and a full cache.
    pub(super) fn local(machine: &Machine, cpu: CpuId, class: Class, set: f64) -> Self {
        let mut memory = vec![0.0; machine.node_count()];
        memory[machine.place(cpu).node.index()] = 1.0;
        Self {
            cpu,
            class,
            set,
            memory,
            filling_from: None,
        }
    }
}

/// A cache on a CPU's way to memory.
pub(super) struct Level<'a> {
    pub(super) spec: &'a CacheSpec,
    /// The instance: two CPUs with the same number at the same entry share it.
    pub(super) group: usize,
    entry: usize,
    /// Size for one thread: with the level inside if it is exclusive.
    pub(super) bytes: f64,
}

/// The caches of a CPU, innermost first.
pub(super) fn path(machine: &Machine, cpu: CpuId) -> Vec<Level<'_>> {
    let place = machine.place(cpu);
    let tree = machine.tree();
    let kind = &tree.kinds[usize::from(place.kind)];
    let mut path: Vec<Level<'_>> = Vec::new();
    for (entry, spec) in machine.spec().caches.iter().enumerate() {
        if !spec.kinds.is_empty() && !spec.kinds.contains(kind) {
            continue;
        }
        let inside = path.last().map_or(0.0, |l| l.bytes);
        let group = match spec.per {
            CacheScope::Core => place.core.index(),
            CacheScope::Cluster => place.cluster.index(),
            CacheScope::Llc => place.llc.index(),
            CacheScope::Package => place.package.index(),
        };
        let bytes = real(spec.bytes) + if spec.exclusive { inside } else { 0.0 };
        path.push(Level {
            spec,
            group,
            entry,
            bytes,
        });
    }
    path
}

#[allow(clippy::cast_precision_loss)] // sizes and counts are far below 2^53
pub(super) fn real(n: u64) -> f64 {
    n as f64
}

#[allow(clippy::disallowed_methods)] // this is the reference: the core has to come near it without
fn exp(x: f64) -> f64 {
    x.exp()
}

/// Share of accesses that a cache of a given size serves.
pub(super) fn hit_share(replacement: Replacement, step: f64, pattern: Pattern, fill: f64) -> f64 {
    if fill <= 1.0 {
        return 1.0;
    }
    match (pattern, replacement) {
        (Pattern::Random, _) => 1.0 / fill,
        (Pattern::Cyclic, Replacement::Lru) => (1.0 - (fill - 1.0) / step).max(0.0),
        (Pattern::Cyclic, Replacement::Random) => {
            // The smallest root of h = exp(-(1 - h) fill); from below every step comes nearer.
            let mut h = 0.0;
            for _ in 0..2_000 {
                h = exp(-(1.0 - h) * fill);
            }
            h
        }
    }
}

/// The result for a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Speed {
    /// Time of an iteration.
    pub(super) t: f64,
    /// The time if it were alone on its core, without data, at full clock.
    pub(super) alone: f64,
}

impl Speed {
    /// Relative to computing alone.
    pub(super) fn relative(&self) -> f64 {
        self.alone / self.t
    }
}

/// Number of rounds of "share of a cache, hence speed, hence rate of requests, hence share".
const ROUNDS: usize = 2;

/// Speeds of all threads that run at the same time.
pub(super) fn speeds(machine: &Machine, all: &[Running]) -> Vec<Speed> {
    let paths: Vec<Vec<Level<'_>>> = all.iter().map(|r| path(machine, r.cpu)).collect();
    let capacities = capacities(machine, all, &paths);
    let served: Vec<Vec<f64>> = (0..all.len())
        .map(|i| served(machine, &all[i], &paths[i], &capacities[i]))
        .collect();
    let times = times(machine, all, &paths, &served);
    let speed = |(t, r): (f64, &Running)| Speed {
        t,
        alone: compute(machine, r),
    };
    times.into_iter().zip(all).map(speed).collect()
}

/// Time of an iteration that computes for `a` and waits for `m`, with overlap.
fn together(machine: &Machine, (a, m): (f64, f64)) -> f64 {
    let overlap = f64::from(machine.spec().work.overlap_milli) / 1e3;
    a.max(m) + (1.0 - overlap) * a.min(m)
}

fn compute(machine: &Machine, r: &Running) -> f64 {
    let ghz = f64::from(machine.spec().clock_mhz) / 1e3;
    let core = f64::from(machine.place(r.cpu).speed_milli) / 1e3;
    r.class.cycles / (ghz * core)
}

/// The part of a thread's lines that each level and memory serve.
fn served(machine: &Machine, r: &Running, path: &[Level<'_>], capacities: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; path.len() + 1];
    if r.class.bytes == 0.0 {
        return u;
    }
    if let Some(source) = r.filling_from {
        u[source] = 1.0;
        return u;
    }
    let step = f64::from(machine.spec().work.lru_step_milli) / 1e3;
    let mut left = 1.0;
    for (l, level) in path.iter().enumerate() {
        let h = if capacities[l] > 0.0 {
            let fill = r.set / capacities[l];
            hit_share(level.spec.replacement, step, r.class.pattern, fill)
        } else {
            0.0
        };
        u[l] = h * left;
        left -= u[l];
    }
    u[path.len()] = left;
    u
}

/// The bytes of each level of its path that each thread gets.
fn capacities(machine: &Machine, all: &[Running], paths: &[Vec<Level<'_>>]) -> Vec<Vec<f64>> {
    let sizes = |p: &Vec<Level<'_>>| p.iter().map(|l| l.bytes).collect();
    let mut out: Vec<Vec<f64>> = paths.iter().map(sizes).collect();
    for (entry, spec) in machine.spec().caches.iter().enumerate() {
        let at = |k: usize| paths[k].iter().position(|l| l.entry == entry);
        let group = |k: usize| at(k).map(|l| paths[k][l].group);
        for (_, users) in users_of(all, group) {
            let place = |k: usize| at(k).expect("a user");
            let size = pool(machine, entry, paths[users[0]][place(users[0])].group);
            let together: f64 = users.iter().map(|k| all[*k].set).sum();
            if together <= size {
                continue;
            }
            // The shares begin equal, and stay equal among siblings.
            let n = real(users.len() as u64);
            let mut shares = vec![size / n; users.len()];
            let rounds = if spec.per == CacheScope::Core {
                0
            } else {
                ROUNDS
            };
            for _ in 0..rounds {
                let rate = |(k, share): (&usize, &f64)| {
                    let mut own = out[*k].clone();
                    own[place(*k)] = share.min(own[place(*k)]);
                    let warm = Running {
                        filling_from: None,
                        ..all[*k].clone()
                    };
                    let u = served(machine, &warm, &paths[*k], &own);
                    let wait = calm_wait(machine, &warm, &paths[*k], &u);
                    let t = together_alone(machine, &warm, wait);
                    let inside: f64 = u[..place(*k)].iter().sum();
                    (1.0 - inside).max(0.0) * warm.class.bytes / 64.0 / t
                };
                let rates: Vec<f64> = users.iter().zip(&shares).map(rate).collect();
                let sets: Vec<f64> = users.iter().map(|k| all[*k].set).collect();
                shares = divide(size, &rates, &sets);
            }
            for (k, share) in users.iter().zip(shares) {
                out[*k][place(*k)] = share.min(paths[*k][place(*k)].bytes);
            }
        }
    }
    out
}

/// Threads with data by the instance of a cache that they use.
fn users_of(
    all: &[Running],
    group: impl Fn(usize) -> Option<usize>,
) -> BTreeMap<usize, Vec<usize>> {
    let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for k in (0..all.len()).filter(|k| all[*k].class.bytes > 0.0) {
        if let Some(group) = group(k) {
            users.entry(group).or_default().push(k);
        }
    }
    users
}

/// Bytes of an instance; if it adds to the level inside, those of the CPU where the sum is largest.
fn pool(machine: &Machine, entry: usize, group: usize) -> f64 {
    let of_cpu = |c| {
        let path = path(machine, c);
        let level = path.iter().find(|l| l.entry == entry && l.group == group);
        level.map_or(0.0, |l| l.bytes)
    };
    machine.cpu_ids().map(of_cpu).fold(0.0, f64::max)
}

/// Parts of a cache by rates of requests. No thread gets more than its set; the rest is divided again.
fn divide(size: f64, rates: &[f64], sets: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; rates.len()];
    let mut room = size;
    let mut open: Vec<usize> = (0..rates.len()).filter(|i| rates[*i] > 0.0).collect();
    loop {
        let sum: f64 = open.iter().map(|i| rates[*i]).sum();
        let (full, rest): (Vec<usize>, Vec<usize>) = open
            .iter()
            .partition(|i| room * rates[**i] / sum >= sets[**i]);
        if full.is_empty() {
            for i in rest {
                shares[i] = room * rates[i] / sum;
            }
            return shares;
        }
        for i in full {
            shares[i] = sets[i];
            room -= sets[i];
        }
        open = rest;
    }
}

/// Waiting of an iteration that is alone on its core, with all the bandwidth and no partner at a port.
fn calm_wait(machine: &Machine, r: &Running, path: &[Level<'_>], u: &[f64]) -> f64 {
    let levels = path.iter().zip(u).map(|(l, u)| u * line_ns(l.spec));
    let home = machine.place(r.cpu).node.index();
    let nodes = r.memory.iter().enumerate();
    let far: f64 = nodes.map(|(n, s)| s * distance(machine, home, n)).sum();
    let lines = levels.sum::<f64>() + u[path.len()] * memory_line_ns(machine) * far;
    r.class.bytes / 64.0 * lines
}

fn together_alone(machine: &Machine, r: &Running, wait: f64) -> f64 {
    together(machine, (compute(machine, r), wait))
}

/// Times of an iteration under the bandwidth of each domain.
fn times(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    served: &[Vec<f64>],
) -> Vec<f64> {
    let memory = &machine.spec().memory;
    let whole = memory.domain == MemoryDomain::Machine;
    let domains = if whole { 1 } else { machine.node_count() };
    let domain = |node: usize| if whole { 0 } else { node };
    let mut x = vec![1.0; domains];
    let bandwidth = f64::from(memory.bandwidth_mb_per_s) / 1e3;
    let mixes = |x: &[f64]| -> Vec<(f64, f64)> {
        (0..all.len())
            .map(|i| parts(machine, all, paths, served, i, &|n| x[domain(n)]))
            .collect()
    };
    // The mix of each thread alone on its core, with all the bandwidth: it determines the effect on its sibling.
    let calm = mixes(&vec![1.0; domains]);
    let at = |x: &[f64]| -> Vec<f64> {
        let stretched = |(i, (alone, wait)): (usize, (f64, f64))| {
            let (mut a, mut m) = (alone, wait);
            let class = &all[i].class;
            for k in siblings(machine, all, i) {
                let (ak, mk) = calm[k];
                // A thread that waits more than it computes takes half as much from its sibling.
                let bound = if mk > ak { 0.5 } else { 1.0 };
                a += alone * all[k].class.pressure * bound * (2.0 / class.pair - 1.0);
                if class.stream && mk > 0.0 {
                    m += wait * mk / together(machine, (ak, mk));
                }
            }
            together(machine, (a, m))
        };
        mixes(x).into_iter().enumerate().map(stretched).collect()
    };
    let demand = |t: &[f64], d: usize| -> f64 {
        let of_thread = |i: usize| {
            let r = &all[i];
            let nodes = r.memory.iter().enumerate();
            let here = nodes.filter(|(n, _)| domain(*n) == d).map(|(_, s)| s);
            let u = served[i].last().copied().unwrap_or_default();
            r.class.traffic * r.class.bytes * u * here.sum::<f64>() / t[i]
        };
        (0..all.len()).map(of_thread).sum()
    };
    // One domain after the other, until none changes.
    for _ in 0..200 {
        let before = x.clone();
        for d in 0..domains {
            let over = |x: &mut Vec<f64>, v: f64| {
                x[d] = v;
                demand(&at(x), d) > bandwidth
            };
            if !over(&mut x, 1.0) {
                continue;
            }
            let (mut low, mut high) = (1.0, 2.0);
            while over(&mut x, high) {
                high *= 2.0;
            }
            for _ in 0..100 {
                let middle = f64::midpoint(low, high);
                if over(&mut x, middle) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            x[d] = high;
        }
        if domains == 1
            || before
                .iter()
                .zip(&x)
                .all(|(b, v)| (v / b - 1.0).abs() < 1e-12)
        {
            break;
        }
    }
    at(&x)
}

/// The other threads on a thread's core.
fn siblings(machine: &Machine, all: &[Running], i: usize) -> Vec<usize> {
    let core = |k: usize| machine.place(all[k].cpu).core;
    (0..all.len())
        .filter(|k| *k != i && core(*k) == core(i))
        .collect()
}

/// Computing and waiting of an iteration, without the effect of a sibling.
fn parts(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    served: &[Vec<f64>],
    i: usize,
    crowding: &dyn Fn(usize) -> f64,
) -> (f64, f64) {
    let r = &all[i];
    let u = &served[i];
    let mut line = 0.0;
    for (l, level) in paths[i].iter().enumerate() {
        line += u[l] * line_ns(level.spec) * port(machine, all, paths, served, i, l);
    }
    let home = machine.place(r.cpu).node.index();
    let from_memory: f64 = r
        .memory
        .iter()
        .enumerate()
        .map(|(n, share)| share * distance(machine, home, n) * crowding(n))
        .sum();
    line += u[paths[i].len()] * memory_line_ns(machine) * from_memory;
    (compute(machine, r), r.class.bytes / 64.0 * line)
}

pub(super) fn line_ns(spec: &CacheSpec) -> f64 {
    f64::from(spec.line_ps) / 1e3
}

pub(super) fn memory_line_ns(machine: &Machine) -> f64 {
    f64::from(machine.spec().memory.line_ps) / 1e3
}

/// The factor of a line's time from a cache that shares one port with those of the other cores of its package.
fn port(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    served: &[Vec<f64>],
    i: usize,
    l: usize,
) -> f64 {
    let spec = paths[i][l].spec;
    let place = |k: usize| machine.place(all[k].cpu);
    // A thread uses such a cache if most of its lines come from there.
    let streams = |k: usize| {
        let at = paths[k].iter().position(|x| x.entry == paths[i][l].entry);
        at.is_some_and(|at| (0..served[k].len()).all(|o| o == at || served[k][o] < served[k][at]))
    };
    let partner = |k: usize| place(k).package == place(i).package && place(k).core != place(i).core;
    let busy = streams(i) && (0..all.len()).any(|k| partner(k) && streams(k));
    if busy {
        f64::from(spec.port_milli) / 1e3
    } else {
        1.0
    }
}

/// Cost of a line of a node, relative to a line of the own node.
pub(super) fn distance(machine: &Machine, from: usize, to: usize) -> f64 {
    let memory = &machine.spec().memory;
    let Some(d) = memory.distances.get(from).and_then(|row| row.get(to)) else {
        return 1.0;
    };
    let listed = memory.remote.iter().find(|r| r.distance == *d);
    listed.map_or(f64::from(*d) / 10.0, |r| f64::from(r.milli) / 1e3)
}

/// Time to fill a cache with a thread's set, from memory or from a level of its path: the thread streams from there
/// until the innermost level that can hold the set is full.
pub(super) fn warm_up(machine: &Machine, class: Class, set: f64, source: Option<usize>) -> f64 {
    let cpu = CpuId(0);
    let levels = path(machine, cpu);
    if !levels.iter().any(|l| l.bytes >= set) {
        return 0.0;
    }
    let full = Running::local(machine, cpu, class, set);
    let mut filling = full.clone();
    filling.filling_from = Some(source.unwrap_or(levels.len()));
    let slow = speeds(machine, &[filling])[0].t;
    let fast = speeds(machine, &[full])[0].t;
    set / class.bytes * (slow - fast)
}
