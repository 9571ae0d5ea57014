//! Mixes: what running threads compute and wait for, and which part of each crowded cache a thread gets.

use super::Hardware;
use super::around::Around;
use super::demand::Demands;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::Machine;
use sim_machine::cost::mix::{self, Level, Mix, Sweep, shape};
use sim_machine::cost::split::{User, product, split};
use sim_machine::cost::time::together;
use sim_machine::rate::ONE;

/// Bytes that a running thread gets in each cache on its CPU's path, innermost first.
pub(super) type Capacities = [u64; 4];

sim_ground::constants! {
    /// Number of times the loop "share of a crowded cache, hence speed, hence share" is computed.
    ROUNDS: u32 = 2, "", Assumed,
        "A choice: beside sweeps that wait for a saturated memory, more rounds would leave a small set more.";
}

/// A running thread that sweeps a set.
#[derive(Clone, Debug)]
struct Sweeper {
    task: TaskId,
    shared: Shared,
}

/// The properties of a sweeper that matter to the other users of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    cpu: CpuId,
    sweep: Sweep,
    capacities: Capacities,
}

impl Hardware {
    pub(super) fn update_mixes(&mut self, around: &Around<'_>, affected: &[CpuId]) {
        let machine = around.machine;
        let spec = machine.spec();
        let mut sweepers: Vec<Sweeper> = Vec::new();
        for cpu in affected {
            let place = machine.place(*cpu);
            let Some(task) = around.curr(*cpu) else {
                self.cpus[cpu.index()].mix = Mix::default();
                continue;
            };
            let Some((_, bytes)) = self.demands.sweeper(around, *cpu) else {
                self.update_plain_mix(around, *cpu);
                continue;
            };
            let data = self.demands.of(task).class.data;
            let compute = mix::compute_fs(data, &spec.work, spec.clock_mhz);
            let mhz = u64::from(around.package_mhz(*cpu)) * u64::from(place.speed_milli);
            let at_clock = product(compute, u64::from(spec.clock_mhz) * 1000, mhz.max(1));
            let sweep = Sweep {
                data,
                bytes,
                compute,
                at_clock,
                memory_ps: u64::from(spec.memory.line_ps),
                distance_milli: self.distance_milli(machine, *cpu, task),
                step_milli: spec.work.lru_step_milli,
            };
            let shared = Shared {
                cpu: *cpu,
                sweep,
                capacities: private_capacities(&self.demands, around, *cpu),
            };
            sweepers.push(Sweeper { task, shared });
        }
        if sweepers.is_empty() {
            return;
        }
        self.share_caches(machine, &mut sweepers);
        for Sweeper { task, shared } in &sweepers {
            let Shared {
                cpu,
                sweep,
                capacities,
            } = *shared;
            let c = &self.cpus[cpu.index()];
            let source = usize::from(c.warm_up.source);
            let filling = (c.warm_up.left > 0).then(|| {
                let from_memory = source >= machine.caches().path(cpu).len();
                (self.line_ps(machine, cpu, *task, source), from_memory)
            });
            let known = &mut self.known.mixes[cpu.index()];
            let mix = known.find((sweep, capacities, filling), |_| {
                let (levels, n) = levels(machine, cpu, &capacities);
                mix::mix(&sweep, &levels[..n], filling)
            });
            self.cpus[cpu.index()].mix = *mix;
        }
        self.share_ports(machine, &sweepers);
    }

    /// Divides the crowded caches that several cores share, innermost first.
    fn share_caches(&mut self, machine: &Machine, sweepers: &mut [Sweeper]) {
        let caches = machine.caches();
        let paths = sweepers.iter().flat_map(|s| caches.path(s.shared.cpu));
        let crowded = |i: &&u16| self.crowded[usize::from(**i)];
        let mut crowded: Vec<u16> = paths.filter(crowded).copied().collect();
        // Cache instances are numbered from the innermost level outward.
        crowded.sort_unstable();
        crowded.dedup();
        for number in crowded {
            let instance = usize::from(number);
            let cache = &caches.instances()[instance];
            if cache.cores == 1 {
                continue;
            }
            let uses = |s: &Sweeper| caches.path(s.shared.cpu).contains(&number);
            let users = sweepers.iter().filter(|s| uses(s));
            let question: Vec<Shared> = users.map(|s| s.shared).collect();
            let Some(first) = question.first() else {
                continue;
            };
            let path = caches.path(first.cpu);
            let depth = path.iter().position(|i| usize::from(*i) == instance);
            let depth = depth.unwrap_or(0);
            let shares = self.known.shares[instance]
                .find(question, |users| shares(machine, cache.bytes, depth, users));
            for (user, share) in sweepers.iter_mut().filter(|s| uses(s)).zip(shares) {
                user.shared.capacities[depth] = *share;
            }
        }
    }

    /// Caches behind one port: lines cost more while another core of the package streams from its own cache too.
    fn share_ports(&mut self, machine: &Machine, sweepers: &[Sweeper]) {
        let Some(port) = machine.spec().caches.iter().find(|c| c.port_milli > 1000) else {
            return;
        };
        let more = u64::from(port.port_milli - 1000);
        for Sweeper { shared, .. } in sweepers {
            let cpu = shared.cpu;
            let core = machine.place(cpu).core;
            let busy = machine
                .package_cpus(cpu)
                .iter()
                .any(|c| machine.place(c).core != core && self.cpus[c.index()].mix.ported);
            let mix = &mut self.cpus[cpu.index()].mix;
            if busy && mix.ported {
                if port.level == 2 {
                    mix.l2 += mix.l2 * more / 1000;
                } else {
                    mix.l3 += mix.l3 * more / 1000;
                }
            }
        }
    }
}

/// The caches of a thread as far as siblings decide: all of a cache, or an equal part if their sets together exceed
/// it.
fn private_capacities(demands: &Demands, around: &Around<'_>, cpu: CpuId) -> Capacities {
    let caches = around.machine.caches();
    let mut capacities = [0; 4];
    let path = caches.path(cpu).iter().zip(caches.room(cpu));
    for (capacity, (instance, room)) in capacities.iter_mut().zip(path) {
        let cache = &caches.instances()[usize::from(*instance)];
        *capacity = *room;
        if cache.cores == 1 && cache.cpus.len() > 1 {
            let sets = cache
                .cpus
                .iter()
                .filter_map(|c| demands.sweeper(around, *c));
            let (n, total) = sets.fold((0, 0), |(n, sum), (_, b)| (n + 1, sum + b));
            if total > cache.bytes {
                *capacity = cache.bytes / n;
            }
        }
    }
    capacities
}

/// The part of a crowded cache that each of its users gets.
fn shares(machine: &Machine, bytes: u64, depth: usize, users: &[Shared]) -> Vec<u64> {
    let caches = machine.caches();
    let overlap = u64::from(machine.spec().work.overlap_milli);
    let mut parts: Vec<User> = users
        .iter()
        .map(|u| User {
            bytes: u.sweep.bytes,
            rate: 1,
            share: bytes / users.len() as u64,
        })
        .collect();
    for _ in 0..ROUNDS {
        for (part, user) in parts.iter_mut().zip(users) {
            let Shared { cpu, sweep, .. } = user;
            let mut capacities = user.capacities;
            capacities[depth] = part.share.min(caches.room(*cpu)[depth]);
            let (levels, n) = levels(machine, *cpu, &capacities);
            let inner: u64 = mix::served(sweep, &levels[..depth]).sum();
            let mix = mix::mix(sweep, &levels[..n], None);
            let t = together(sweep.at_clock, mix.waiting(), overlap).max(1);
            // Lines requested from this cache per second, in units that fit.
            part.rate = product(shape(sweep.data).0 * (ONE - inner), 1 << 24, t);
        }
        split(bytes, &mut parts);
    }
    let got = parts.iter().zip(users);
    got.map(|(part, user)| part.share.min(caches.room(user.cpu)[depth]))
        .collect()
}

/// The caches on a CPU's path with the capacities that a thread gets, and their number.
fn levels(machine: &Machine, cpu: CpuId, capacities: &Capacities) -> ([Level; 4], usize) {
    let caches = machine.caches();
    let level = |instance: u16, capacity: u64| {
        let spec = caches.spec(usize::from(instance));
        Level {
            level: spec.level,
            capacity,
            line_ps: u64::from(spec.line_ps),
            replacement: spec.replacement,
            ported: spec.port_milli > 1000,
        }
    };
    let path = caches.path(cpu);
    let mut levels = [Level::default(); 4];
    for (l, (instance, capacity)) in levels.iter_mut().zip(path.iter().zip(capacities)) {
        *l = level(*instance, *capacity);
    }
    (levels, path.len().min(4))
}
