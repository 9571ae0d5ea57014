//! The formulas of the machine model, written down once more: in real numbers, from scratch at every
//! question, without anything that the engine uses except the list of CPUs and the numbers of the file.
//!
//! A thread is a sweep (or a chase) over a working set. The unit of work is an iteration; times are in ns.

use sim_core::ids::CpuId;
use sim_core::machine::Machine;
use sim_core::machine::spec::{CacheScope, CacheSpec, MemoryDomain, Replacement};

/// How the data is walked through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pattern {
    /// Again and again from the start.
    Cyclic,
    /// Anywhere.
    Random,
}

/// A kind of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// Compute time of an iteration in cycles.
    pub(super) cycles: f64,
    /// Bytes of an iteration; 0 = no data.
    pub(super) bytes: f64,
    /// Memory traffic for each of them.
    pub(super) traffic: f64,
    /// Throughput of two siblings relative to one.
    pub(super) pair: f64,
    /// How much it takes from a sibling.
    pub(super) pressure: f64,
    /// Whether line fills limit it (else latency does).
    pub(super) stream: bool,
    /// How it walks.
    pub(super) pattern: Pattern,
}

impl Class {
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
    /// Still filling its cache: each line comes from this level (position in its path; one more is memory).
    pub(super) filling_from: Option<usize>,
}

impl Running {
    /// With all memory on its own node, its cache full.
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
    /// Which instance: two CPUs with the same number at the same entry share it.
    pub(super) group: usize,
    entry: usize,
    /// Size for one thread: with the level inside where it is exclusive.
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

/// Share of accesses that a cache of a size serves.
pub(super) fn hit_share(replacement: Replacement, step: f64, pattern: Pattern, fill: f64) -> f64 {
    if fill <= 1.0 {
        return 1.0;
    }
    match (pattern, replacement) {
        (Pattern::Random, _) => 1.0 / fill,
        (Pattern::Cyclic, Replacement::Lru) => (1.0 - (fill - 1.0) / step).max(0.0),
        (Pattern::Cyclic, Replacement::Random) => {
            // The smallest root of h = exp(-(1 - h) fill): from below every step comes nearer.
            let mut h = 0.0;
            for _ in 0..2_000 {
                h = exp(-(1.0 - h) * fill);
            }
            h
        }
    }
}

/// What comes out for a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Speed {
    /// Time of an iteration.
    pub(super) t: f64,
    /// The same alone on its core, without data, at full clock.
    pub(super) alone: f64,
    /// Share of lines that each level serves; the last is memory.
    pub(super) served: Vec<f64>,
}

impl Speed {
    /// Relative to computing alone.
    pub(super) fn relative(&self) -> f64 {
        self.alone / self.t
    }
}

/// Speeds of all threads that run at the same time, at a share of the nominal clock.
pub(super) fn speeds(machine: &Machine, all: &[Running], clock: f64) -> Vec<Speed> {
    let paths: Vec<Vec<Level<'_>>> = all.iter().map(|r| path(machine, r.cpu)).collect();
    let mut out: Vec<Speed> = all
        .iter()
        .map(|r| Speed {
            t: compute(machine, r, clock),
            alone: compute(machine, r, 1.0),
            served: Vec::new(),
        })
        .collect();
    // Shares of caches follow request rates, which follow speeds, which follow shares.
    for _ in 0..400 {
        for (i, r) in all.iter().enumerate() {
            out[i].served = served(machine, all, &paths, &out, i, r);
        }
        let before: Vec<f64> = out.iter().map(|s| s.t).collect();
        solve(machine, all, &paths, clock, &mut out);
        let moved = before.iter().zip(&out).map(|(b, s)| (s.t / b - 1.0).abs());
        if moved.fold(0.0, f64::max) < 1e-13 {
            break;
        }
        for (s, b) in out.iter_mut().zip(&before) {
            s.t = f64::midpoint(s.t, *b); // calms oscillation; the fixed point is the same
        }
    }
    out
}

fn compute(machine: &Machine, r: &Running, clock: f64) -> f64 {
    let ghz = f64::from(machine.spec().clock_mhz) / 1e3 * clock;
    let core = f64::from(machine.place(r.cpu).speed_milli) / 1e3;
    r.class.cycles / (ghz * core)
}

/// What each level and memory serve of a thread's lines.
fn served(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    now: &[Speed],
    i: usize,
    r: &Running,
) -> Vec<f64> {
    let n = paths[i].len();
    let mut u = vec![0.0; n + 1];
    if r.class.bytes == 0.0 {
        return u;
    }
    if let Some(source) = r.filling_from {
        u[source] = 1.0;
        return u;
    }
    let step = f64::from(machine.spec().work.lru_step_milli) / 1e3;
    let mut left = 1.0;
    for (l, level) in paths[i].iter().enumerate() {
        let capacity = capacity(all, paths, now, i, l);
        let fill = if capacity > 0.0 {
            r.set / capacity
        } else {
            f64::INFINITY
        };
        let h = if fill.is_finite() {
            hit_share(level.spec.replacement, step, r.class.pattern, fill)
        } else {
            0.0
        };
        u[l] = h * left;
        left -= u[l];
    }
    u[n] = left;
    u
}

/// Bytes of a level that are at a thread's disposal.
fn capacity(all: &[Running], paths: &[Vec<Level<'_>>], now: &[Speed], i: usize, l: usize) -> f64 {
    let me = &paths[i][l];
    let users: Vec<(usize, usize)> = paths
        .iter()
        .enumerate()
        .filter(|(k, _)| all[*k].class.bytes > 0.0)
        .filter_map(|(k, p)| {
            let at = |x: &Level<'_>| x.entry == me.entry && x.group == me.group;
            Some((k, p.iter().position(at)?))
        })
        .collect();
    let together: f64 = users.iter().map(|(k, _)| all[*k].set).sum();
    if together <= me.bytes {
        return me.bytes;
    }
    if me.spec.per == CacheScope::Core {
        return me.bytes / real(users.len() as u64);
    }
    // By rates of requests that reach this level; none gets more than its set, the rest is shared again.
    let rate = |k: usize, at: usize| {
        let inside: f64 = now[k].served.iter().take(at).sum();
        let class = &all[k].class;
        (class.bytes / 64.0 * (1.0 - inside) / now[k].t).max(0.0)
    };
    let mut room = me.bytes;
    let mut open: Vec<(usize, f64)> = users.iter().map(|(k, at)| (*k, rate(*k, *at))).collect();
    loop {
        let sum: f64 = open.iter().map(|(_, r)| r).sum();
        if sum <= 0.0 {
            return room;
        }
        let (full, rest): (Vec<_>, Vec<_>) = open
            .iter()
            .partition(|(k, r)| room * r / sum >= all[*k].set);
        if full.is_empty() {
            let mine = open.iter().find(|(k, _)| *k == i).map_or(0.0, |(_, r)| *r);
            return room * mine / sum;
        }
        if full.iter().any(|(k, _)| *k == i) {
            return all[i].set;
        }
        room -= full.iter().map(|(k, _)| all[*k].set).sum::<f64>();
        open = rest;
    }
}

/// Times of an iteration under the bandwidth of each domain.
fn solve(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    clock: f64,
    out: &mut [Speed],
) {
    let memory = &machine.spec().memory;
    let whole = memory.domain == MemoryDomain::Machine;
    let domains = if whole { 1 } else { machine.node_count() };
    let domain = |node: usize| if whole { 0 } else { node };
    let mut x = vec![1.0; domains];
    let bandwidth = f64::from(memory.bandwidth_mb_per_s) / 1e3;
    let times = |x: &[f64], served: &[Vec<f64>]| -> Vec<f64> {
        let parts: Vec<(f64, f64)> = (0..all.len())
            .map(|i| parts(machine, all, paths, clock, served, i, &|n| x[domain(n)]))
            .collect();
        let overlap = f64::from(machine.spec().work.overlap_milli) / 1e3;
        let together = |a: f64, m: f64| a.max(m) + (1.0 - overlap) * a.min(m);
        (0..all.len())
            .map(|i| {
                let (_, mut m) = parts[i];
                let mut a = parts[i].0;
                for k in siblings(machine, all, i) {
                    let class = &all[i].class;
                    a += parts[i].0 * all[k].class.pressure * (2.0 / class.pair - 1.0);
                    if class.stream {
                        let (ak, mk) = parts[k];
                        m += parts[i].1 * mk / together(ak, mk);
                    }
                }
                together(a, m)
            })
            .collect()
    };
    let served: Vec<Vec<f64>> = out.iter().map(|s| s.served.clone()).collect();
    let demand = |t: &[f64], d: usize| -> f64 {
        (0..all.len())
            .map(|i| {
                let r = &all[i];
                let from: f64 = r
                    .memory
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| domain(*n) == d)
                    .map(|(_, s)| s)
                    .sum();
                let u = served[i].last().copied().unwrap_or_default();
                r.class.traffic * r.class.bytes * u * from / t[i]
            })
            .sum()
    };
    // One domain after the other until none moves.
    for _ in 0..200 {
        let before = x.clone();
        for d in 0..domains {
            x[d] = 1.0;
            if demand(&times(&x, &served), d) <= bandwidth {
                continue;
            }
            let (mut low, mut high) = (1.0, 2.0);
            let over = |x: &mut Vec<f64>, v: f64| {
                x[d] = v;
                demand(&times(x, &served), d) > bandwidth
            };
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
    for (s, t) in out.iter_mut().zip(times(&x, &served)) {
        s.t = t;
    }
}

/// The other threads on a thread's core.
fn siblings(machine: &Machine, all: &[Running], i: usize) -> Vec<usize> {
    let core = |k: usize| machine.place(all[k].cpu).core;
    (0..all.len())
        .filter(|k| *k != i && core(*k) == core(i))
        .collect()
}

/// Computing and waiting of an iteration, without what a sibling adds.
fn parts(
    machine: &Machine,
    all: &[Running],
    paths: &[Vec<Level<'_>>],
    clock: f64,
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
    (compute(machine, r, clock), r.class.bytes / 64.0 * line)
}

pub(super) fn line_ns(spec: &CacheSpec) -> f64 {
    f64::from(spec.line_ps) / 1e3
}

pub(super) fn memory_line_ns(machine: &Machine) -> f64 {
    f64::from(machine.spec().memory.line_ps) / 1e3
}

/// A cache behind one port with those of the other cores of its package.
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
    let busy = (0..all.len()).any(|k| {
        let at = paths[k].iter().position(|x| x.entry == paths[i][l].entry);
        place(k).package == place(i).package
            && place(k).core != place(i).core
            && at.is_some_and(|at| served[k][at] > 0.0)
    });
    if busy {
        f64::from(spec.port_milli) / 1e3
    } else {
        1.0
    }
}

/// Cost of a line of a node relative to one of the own node.
pub(super) fn distance(machine: &Machine, from: usize, to: usize) -> f64 {
    let memory = &machine.spec().memory;
    let Some(d) = memory.distances.get(from).and_then(|row| row.get(to)) else {
        return 1.0;
    };
    let listed = memory.remote.iter().find(|r| r.distance == *d);
    listed.map_or(f64::from(*d) / 10.0, |r| f64::from(r.milli) / 1e3)
}

/// Time that filling a cache with a thread's set costs, from memory or from a level of its path: the
/// thread streams from there until the innermost level that can hold the set is full.
pub(super) fn warm_up(machine: &Machine, class: Class, set: f64, source: Option<usize>) -> f64 {
    let cpu = CpuId(0);
    let levels = path(machine, cpu);
    if !levels.iter().any(|l| l.bytes >= set) {
        return 0.0;
    }
    let full = Running::local(machine, cpu, class, set);
    let mut filling = full.clone();
    filling.filling_from = Some(source.unwrap_or(levels.len()));
    let slow = speeds(machine, &[filling], 1.0)[0].t;
    let fast = speeds(machine, &[full], 1.0)[0].t;
    set / class.bytes * (slow - fast)
}
