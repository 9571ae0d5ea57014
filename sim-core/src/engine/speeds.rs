//! Speeds: computed anew at events, for those whose circumstances changed.
//!
//! A switch, a filled cache or a new clock marks CPUs as stale. When all that happens at an instant has happened,
//! [`Sim::update_speeds`] finds whom that concerns: the siblings, the users of a cache that is or was crowded, and all
//! that want memory of a domain whose saturation changes. The result depends on the state alone, not on the order or
//! number of updates.

use super::Sim;
use super::streams::Streams;
use crate::ids::{CpuId, NodeId, TaskId};
use crate::machine::cost::mix::{self, Level, Mix, Sweep, shape};
use crate::machine::cost::saturation;
use crate::machine::cost::saturation::Stream;
use crate::machine::cost::split::{User, product, split};
use crate::machine::cost::time::{
    Conditions, UNSATURATED, sibling_extra, speed, together, waiting,
};
use crate::machine::rate::{DataUse, ONE, Speed};
use crate::machine::spec::{CacheSpec, MemoryDomain};
use crate::order;

/// What a running thread has of each cache on its CPU's path, innermost first.
type Capacities = [u64; 4];

/// Rounds of "share, hence speed, hence share".
const ROUNDS: u32 = 2;

impl Sim {
    /// A CPU's speed has to be computed anew.
    pub(super) fn mark_stale(&mut self, cpu: CpuId) {
        let c = &mut self.st.cpus[cpu.index()];
        if !c.stale {
            c.stale = true;
            self.st.stale.push(cpu);
        }
    }

    /// Computes all speeds that changed. Nothing may have run since they became stale.
    pub(super) fn update_speeds(&mut self) {
        if self.st.stale.is_empty() {
            return;
        }
        if self.groups_sweep {
            let affected = self.affected();
            self.st.stale.clear();
            self.update_mixes(&affected);
            self.update_saturation(&affected);
            for cpu in affected {
                self.update_speed(cpu);
            }
            return;
        }
        // Without data only siblings matter to each other. Sparing the lists is worth it: this is every switch.
        let mut stale = std::mem::take(&mut self.st.stale);
        for cpu in &stale {
            self.update_plain_mix(*cpu);
        }
        let plan = std::sync::Arc::clone(&self.plan);
        for cpu in stale.drain(..) {
            for sibling in plan.machine.sibling_list(cpu) {
                self.update_speed(*sibling);
            }
        }
        self.st.stale = stale;
    }

    /// The mix of a task without data.
    fn update_plain_mix(&mut self, cpu: CpuId) {
        let place = self.plan.machine.place(cpu);
        let nominal = u64::from(self.plan.machine.spec().clock_mhz);
        let mhz = u64::from(self.package_mhz(cpu));
        let at_clock = if mhz == nominal && place.speed_milli == 1000 {
            ONE
        } else {
            product(
                ONE,
                nominal * 1000,
                (mhz * u64::from(place.speed_milli)).max(1),
            )
        };
        self.st.cpus[cpu.index()].mix = Mix {
            compute: ONE,
            at_clock,
            served_by: 1,
            ..Mix::default()
        };
    }

    /// What a running task sweeps, if it does.
    fn sweeper(&self, cpu: CpuId) -> Option<(TaskId, u64)> {
        let task = self.st.curr[cpu.index()]?;
        let t = self.task(task);
        let sweeps = t.class.data != DataUse::Footprint && t.working_set_bytes > 0;
        sweeps.then_some((task, t.working_set_bytes))
    }

    /// The stale CPUs and all whose circumstances depend on them, ascending.
    fn affected(&mut self) -> Vec<CpuId> {
        let plan = std::sync::Arc::clone(&self.plan);
        let machine = &plan.machine;
        let caches = machine.caches();
        let mut affected = Vec::with_capacity(2 * self.st.stale.len());
        for cpu in &self.st.stale {
            affected.extend_from_slice(machine.sibling_list(*cpu));
        }
        if self.groups_sweep {
            let port = |c: &CacheSpec| c.port_milli > 1000;
            if machine.spec().caches.iter().any(port) {
                for i in 0..affected.len() {
                    affected.extend(machine.package_cpus(affected[i]).iter());
                }
            }
            for i in 0..affected.len() {
                for instance in caches.path(affected[i]) {
                    let instance = usize::from(*instance);
                    let cache = &caches.instances()[instance];
                    if cache.cores == 1 {
                        continue;
                    }
                    let sets = cache.cpus.iter().filter_map(|c| self.sweeper(*c));
                    let crowded = sets.map(|(_, bytes)| bytes).sum::<u64>() > cache.bytes;
                    // Who shares a crowded cache concerns all of its users; who leaves one, too.
                    if crowded || self.st.crowded[instance] {
                        affected.extend_from_slice(&cache.cpus);
                    }
                    self.st.crowded[instance] = crowded;
                }
            }
        }
        affected.sort_unstable();
        affected.dedup();
        affected
    }

    fn update_mixes(&mut self, affected: &[CpuId]) {
        let plan = std::sync::Arc::clone(&self.plan);
        let spec = plan.machine.spec();
        let mut users: Vec<(CpuId, TaskId, Sweep, Capacities)> = Vec::new();
        for cpu in affected {
            let place = plan.machine.place(*cpu);
            let Some(task) = self.st.curr[cpu.index()] else {
                self.st.cpus[cpu.index()].mix = Mix::default();
                continue;
            };
            let Some((_, bytes)) = self.sweeper(*cpu) else {
                self.update_plain_mix(*cpu);
                continue;
            };
            let data = self.task(task).class.data;
            let compute = mix::compute_fs(data, &spec.work, spec.clock_mhz);
            let mhz = u64::from(self.package_mhz(*cpu)) * u64::from(place.speed_milli);
            let at_clock = product(compute, u64::from(spec.clock_mhz) * 1000, mhz.max(1));
            let sweep = Sweep {
                data,
                bytes,
                compute,
                at_clock,
                memory_ps: u64::from(spec.memory.line_ps),
                distance_milli: self.distance_milli(*cpu, task),
                step_milli: spec.work.lru_step_milli,
            };
            users.push((*cpu, task, sweep, self.private_capacities(*cpu)));
        }
        if users.is_empty() {
            return;
        }
        self.share_caches(&mut users);
        for (cpu, task, sweep, capacities) in &users {
            let levels = self.levels(*cpu, capacities);
            let c = &self.st.cpus[cpu.index()];
            let source = usize::from(c.warm_up.source);
            let filling = (c.warm_up.left > 0).then(|| {
                let from_memory = source >= levels.len();
                (self.line_ps(*cpu, *task, source), from_memory)
            });
            self.st.cpus[cpu.index()].mix = mix::mix(sweep, &levels, filling);
        }
        self.share_ports(&users);
    }

    /// What a thread has of its caches as far as siblings decide: all of it, or an equal part if their sets together
    /// exceed it.
    fn private_capacities(&self, cpu: CpuId) -> Capacities {
        let caches = self.plan.machine.caches();
        let mut capacities = [0; 4];
        let path = caches.path(cpu).iter().zip(caches.room(cpu));
        for (capacity, (instance, room)) in capacities.iter_mut().zip(path) {
            let cache = &caches.instances()[usize::from(*instance)];
            *capacity = *room;
            if cache.cores == 1 && cache.cpus.len() > 1 {
                let sets = cache.cpus.iter().filter_map(|c| self.sweeper(*c));
                let (n, total) = sets.fold((0, 0), |(n, sum), (_, b)| (n + 1, sum + b));
                if total > cache.bytes {
                    *capacity = cache.bytes / n;
                }
            }
        }
        capacities
    }

    /// Divides the crowded caches that several cores share, innermost first.
    fn share_caches(&self, users: &mut [(CpuId, TaskId, Sweep, Capacities)]) {
        let caches = self.plan.machine.caches();
        let overlap = u64::from(self.plan.machine.spec().work.overlap_milli);
        // Instances are numbered innermost level first.
        for (instance, cache) in caches.instances().iter().enumerate() {
            if cache.cores == 1 || !self.st.crowded[instance] {
                continue;
            }
            let own: Vec<usize> = (0..users.len())
                .filter(|i| cache.cpus.binary_search(&users[*i].0).is_ok())
                .collect();
            let Some(first) = own.first() else { continue };
            let path = caches.path(users[*first].0);
            let depth = path.iter().position(|i| usize::from(*i) == instance);
            let depth = depth.unwrap_or(0);
            let mut shares: Vec<User> = own
                .iter()
                .map(|i| User {
                    bytes: users[*i].2.bytes,
                    rate: 1,
                    share: cache.bytes / own.len() as u64,
                })
                .collect();
            for _ in 0..ROUNDS {
                for (user, i) in shares.iter_mut().zip(&own) {
                    let (cpu, _, sweep, capacities) = &mut users[*i];
                    capacities[depth] = user.share.min(caches.room(*cpu)[depth]);
                    let levels = self.levels(*cpu, capacities);
                    let inner: u64 = mix::served(sweep, &levels[..depth]).sum();
                    let mix = mix::mix(sweep, &levels, None);
                    let t = together(sweep.at_clock, mix.waiting(), overlap).max(1);
                    // Lines asked of this cache in a second, in units that fit.
                    user.rate = product(shape(sweep.data).0 * (ONE - inner), 1 << 24, t);
                }
                split(cache.bytes, &mut shares);
            }
            for (user, i) in shares.iter().zip(&own) {
                users[*i].3[depth] = user.share.min(caches.room(users[*i].0)[depth]);
            }
        }
    }

    fn levels(&self, cpu: CpuId, capacities: &Capacities) -> Vec<Level> {
        let caches = self.plan.machine.caches();
        let path = caches
            .path(cpu)
            .iter()
            .map(|i| caches.spec(usize::from(*i)));
        path.zip(capacities)
            .map(|(spec, capacity)| Level {
                level: spec.level,
                capacity: *capacity,
                line_ps: u64::from(spec.line_ps),
                replacement: spec.replacement,
                ported: spec.port_milli > 1000,
            })
            .collect()
    }

    /// Caches behind one port: lines cost more while another core of the package streams from its own, too.
    fn share_ports(&mut self, users: &[(CpuId, TaskId, Sweep, Capacities)]) {
        let plan = std::sync::Arc::clone(&self.plan);
        let machine = &plan.machine;
        let Some(port) = machine.spec().caches.iter().find(|c| c.port_milli > 1000) else {
            return;
        };
        let more = u64::from(port.port_milli - 1000);
        for (cpu, ..) in users {
            let core = machine.place(*cpu).core;
            let busy = machine
                .package_cpus(*cpu)
                .iter()
                .any(|c| machine.place(c).core != core && self.st.cpus[c.index()].mix.ported);
            let mix = &mut self.st.cpus[cpu.index()].mix;
            if busy && mix.ported {
                if port.level == 2 {
                    mix.l2 += mix.l2 * more / 1000;
                } else {
                    mix.l3 += mix.l3 * more / 1000;
                }
            }
        }
    }

    /// By how much siblings stretch a thread's computing and its waiting, in units of 2^-20.
    fn sibling_factors(&self, cpu: CpuId, task: TaskId) -> (u64, u64) {
        let class = self.task(task).class;
        let overlap = u64::from(self.plan.machine.spec().work.overlap_milli);
        let (mut pressure, mut fills) = (0, ONE);
        for sibling in self.plan.machine.sibling_list(cpu) {
            let Some(other) = self.st.curr[sibling.index()] else {
                continue;
            };
            if *sibling == cpu {
                continue;
            }
            let mix = &self.st.cpus[sibling.index()].mix;
            let wait = mix.waiting();
            let own = u64::from(self.task(other).class.pressure_milli);
            pressure += if wait > mix.at_clock { own / 2 } else { own };
            if wait > 0 {
                fills += product(wait, ONE, together(mix.at_clock, wait, overlap).max(1));
            }
        }
        let smt = ONE + sibling_extra(class.smt_pair_milli, pressure);
        // A pointer chase waits for one line at a time: a sibling's lines come in between.
        let fills = if class.data == DataUse::Sweep {
            fills
        } else {
            ONE
        };
        (smt, fills)
    }

    /// The domain whose bandwidth a running thread uses.
    fn domain(&self, cpu: CpuId, task: TaskId) -> usize {
        match self.plan.machine.spec().memory.domain {
            MemoryDomain::Machine => 0,
            MemoryDomain::Node => self
                .task(task)
                .home
                .map_or_else(|| self.plan.machine.place(cpu).node.index(), NodeId::index),
        }
    }

    /// What a CPU asks of memory, and of which domain.
    fn stream(&self, cpu: CpuId) -> Option<(usize, Stream)> {
        let mix = self.st.cpus[cpu.index()].mix;
        let task = self.st.curr[cpu.index()].filter(|_| mix.traffic > 0)?;
        let (smt, fills) = self.sibling_factors(cpu, task);
        let stream = Stream {
            compute: product(mix.at_clock, smt, ONE),
            waiting: product(mix.waiting(), fills, ONE),
            scaled: product(mix.scaled, fills, ONE),
            traffic: mix.traffic,
            count: 1,
        };
        Some((self.domain(cpu, task), stream))
    }

    /// Finds the saturation of the domains whose users changed, and the speeds of those who use them.
    fn update_saturation(&mut self, affected: &[CpuId]) {
        let mut changed: Vec<usize> = Vec::new();
        for cpu in affected {
            let (new, old) = (self.stream(*cpu), self.streams.of_cpu(*cpu));
            if new != old {
                self.streams.set(*cpu, new);
                for (domain, _) in old.iter().chain(&new) {
                    order::insert(&mut changed, *domain);
                }
            }
        }
        let plan = std::sync::Arc::clone(&self.plan);
        let spec = plan.machine.spec();
        let overlap = u64::from(spec.work.overlap_milli);
        for domain in changed {
            let streams = self.streams.of_domain(domain);
            let factor = saturation::factor(streams, spec.memory.bandwidth_mb_per_s, overlap);
            if factor == self.st.saturation[domain] {
                continue;
            }
            self.st.saturation[domain] = factor;
            for i in 0..self.st.cpus.len() {
                let cpu = CpuId::new(i);
                let uses = self.streams.of_cpu(cpu).is_some_and(|(d, _)| d == domain);
                if uses && affected.binary_search(&cpu).is_err() {
                    self.update_speed(cpu);
                }
            }
        }
    }

    /// Finds anew what all CPUs ask of memory: after the state came from elsewhere.
    pub(super) fn rebuild_streams(&mut self) {
        self.streams = Streams::new(self.st.cpus.len(), self.st.saturation.len());
        for cpu in (0..self.st.cpus.len()).map(CpuId::new) {
            // A stale CPU will be looked at again; what it asked before is not known any more, and asks for nothing.
            let stream = self.stream(cpu);
            self.streams.set(cpu, stream);
        }
    }

    fn update_speed(&mut self, cpu: CpuId) {
        let stale = std::mem::take(&mut self.st.cpus[cpu.index()].stale);
        let Some(task) = self.st.curr[cpu.index()] else {
            self.st.cpus[cpu.index()].speed = Speed::default();
            return;
        };
        let mix = self.st.cpus[cpu.index()].mix;
        let (smt, fills) = self.sibling_factors(cpu, task);
        let saturation = if mix.scaled > 0 {
            self.st.saturation[self.domain(cpu, task)]
        } else {
            UNSATURATED
        };
        debug_assert!(waiting(&mix, saturation) >= mix.waiting());
        let speed = speed(
            &mix,
            &Conditions {
                smt,
                fills,
                saturation,
                heat: self.st.frequency,
                tick_share: self.tick_share(cpu),
                overlap_milli: u64::from(self.plan.machine.spec().work.overlap_milli),
            },
        );
        // Who goes on as before is left alone: its phase ends when it was going to.
        if speed != self.st.cpus[cpu.index()].speed || stale {
            self.charge(cpu);
            self.st.cpus[cpu.index()].speed = speed;
            self.predict(cpu);
        }
    }
}
