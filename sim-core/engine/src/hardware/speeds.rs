//! Speeds: computed again at events, for the CPUs whose conditions changed.
//!
//! A switch to work of another kind, a filled cache or a new clock marks CPUs as stale. After all events of an
//! instant, [`Sim::update_speeds`] finds the CPUs concerned: the siblings, the users of a cache that is or was crowded,
//! and all that use memory of a domain whose saturation changes. The result depends only on the state, not on the order
//! or number of updates.

use super::Hardware;
use super::known::LastAnswer;
use super::streams::Streams;
use crate::Sim;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::mix::Mix;
use sim_machine::cost::saturation;
use sim_machine::cost::saturation::Stream;
use sim_machine::cost::split::product;
use sim_machine::cost::time::{Conditions, UNSATURATED, sibling_extra, speed, together, waiting};
use sim_machine::rate::{DataUse, ONE, Speed};
use sim_machine::spec::CacheSpec;

sim_ground::constants! {
    /// How much a sibling that waits for data stretches a thread's computing, relative to a sibling that computes.
    WAITING_PRESSURE_MILLI: u64 = 500, "thousandths", Assumed,
        "A choice: it issues fewer instructions, but not none.";
}

impl Hardware {
    /// Whether speeds are to be computed before time goes on.
    #[inline]
    pub(crate) fn has_stale_speeds(&self) -> bool {
        !self.stale.is_empty()
    }
}

impl Sim {
    /// Whether one task may take the place of the other without a change of any speed.
    pub(crate) fn work_alike(&self, one: TaskId, other: TaskId) -> bool {
        !self.hardware.settings.groups_sweep && self.task(one).class == self.task(other).class
    }

    /// Computes all speeds that changed. No work may have been done since they became stale.
    pub(crate) fn update_speeds(&mut self) {
        if !self.hardware.has_stale_speeds() {
            return;
        }
        if self.hardware.settings.groups_sweep {
            self.update_speeds_with_data();
        } else {
            self.update_speeds_without_data();
        }
    }

    #[inline(never)]
    fn update_speeds_with_data(&mut self) {
        let affected = self.affected();
        self.hardware.stale.clear();
        self.update_mixes(&affected);
        self.update_saturation(&affected);
        for cpu in &affected {
            self.update_speed(*cpu);
        }
        // The buffer is kept, because this happens at each switch.
        self.hardware.known.affected = affected;
    }

    fn update_speeds_without_data(&mut self) {
        // Without data only siblings affect each other. This case runs at every switch, so it does without the lists.
        for i in 0..self.hardware.stale.len() {
            self.update_plain_mix(self.hardware.stale[i]);
        }
        while let Some(cpu) = self.hardware.stale.pop() {
            let pressure = self.kernel.curr(cpu).map_or(0, |t| self.pressure(t));
            let mix = &self.hardware.cpus[cpu.index()].mix;
            let felt = Some((pressure, mix.waiting(), mix.at_clock));
            if std::mem::replace(&mut self.hardware.known.felt[cpu.index()], felt) == felt {
                self.update_plain_speed(cpu);
                continue;
            }
            for i in 0..self.plan.machine.sibling_list(cpu).len() {
                self.update_plain_speed(self.plan.machine.sibling_list(cpu)[i]);
            }
        }
    }

    /// The mix of a task without data.
    pub(crate) fn update_plain_mix(&mut self, cpu: CpuId) {
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
        let mix = &mut self.hardware.cpus[cpu.index()].mix;
        // If no group sweeps memory, the mix is that of the task before.
        if self.hardware.settings.groups_sweep || (mix.compute, mix.at_clock) != (ONE, at_clock) {
            *mix = Mix {
                compute: ONE,
                at_clock,
                served_by: 1,
                ..Mix::default()
            };
        }
    }

    /// The running task and the size of the set that it sweeps, if it sweeps one.
    pub(crate) fn sweeper(&self, cpu: CpuId) -> Option<(TaskId, u64)> {
        let task = self.kernel.curr(cpu)?;
        let t = self.task(task);
        let sweeps = t.class.data != DataUse::Footprint && t.working_set_bytes > 0;
        sweeps.then_some((task, t.working_set_bytes))
    }

    /// The stale CPUs and all CPUs whose conditions depend on them, ascending.
    fn affected(&mut self) -> Vec<CpuId> {
        let plan = std::sync::Arc::clone(&self.plan);
        let machine = &plan.machine;
        let caches = machine.caches();
        let mut affected = std::mem::take(&mut self.hardware.known.affected);
        affected.clear();
        for cpu in &self.hardware.stale {
            affected.extend_from_slice(machine.sibling_list(*cpu));
        }
        let port = |c: &CacheSpec| c.port_milli > 1000;
        if machine.spec().caches.iter().any(port) {
            for i in 0..affected.len() {
                affected.extend(machine.package_cpus(affected[i]).iter());
            }
        }
        self.hardware.known.begin_round();
        for i in 0..affected.len() {
            for instance in caches.path(affected[i]) {
                let instance = usize::from(*instance);
                let cache = &caches.instances()[instance];
                if cache.cores == 1 || !self.hardware.known.is_first(instance) {
                    continue;
                }
                let sets = cache.cpus.iter().filter_map(|c| self.sweeper(*c));
                let crowded = sets.map(|(_, bytes)| bytes).sum::<u64>() > cache.bytes;
                // A thread that begins or ceases to share a crowded cache affects all users of the cache.
                if crowded || self.hardware.crowded[instance] {
                    affected.extend_from_slice(&cache.cpus);
                }
                self.hardware.crowded[instance] = crowded;
            }
        }
        affected.sort_unstable();
        affected.dedup();
        affected
    }

    /// By how much siblings stretch a thread's computing and its waiting, in units of 2^-20.
    fn sibling_factors(&mut self, cpu: CpuId, task: TaskId) -> (u64, u64) {
        let class = self.kernel.task(task).class;
        let overlap = u64::from(self.plan.machine.spec().work.overlap_milli);
        let (mut pressure, mut fills) = (0, ONE);
        for sibling in self.plan.machine.sibling_list(cpu) {
            let Some(other) = self.kernel.curr(*sibling) else {
                continue;
            };
            if *sibling == cpu {
                continue;
            }
            let mix = &self.hardware.cpus[sibling.index()].mix;
            let wait = mix.waiting();
            let own = self.pressure(other);
            pressure += if wait > mix.at_clock {
                own * WAITING_PRESSURE_MILLI / 1000
            } else {
                own
            };
            if wait > 0 {
                let known = &mut self.hardware.known.fills[sibling.index()];
                fills += known.find((wait, mix.at_clock), |(wait, compute)| {
                    product(*wait, ONE, together(*compute, *wait, overlap).max(1))
                });
            }
        }
        let smt = ONE + sibling_extra(class.smt_pair_milli, pressure);
        // A pointer chase waits for one line at a time, and the sibling's lines come in between.
        let fills = if class.data == DataUse::Sweep {
            fills
        } else {
            ONE
        };
        (smt, fills)
    }

    /// The speed of a CPU if no thread has data: siblings share only computing, and no thread waits for memory.
    fn update_plain_speed(&mut self, cpu: CpuId) {
        let Some(task) = self.kernel.curr(cpu) else {
            self.set_speed(cpu, None);
            return;
        };
        let siblings = self.plan.machine.sibling_list(cpu).iter();
        let others = siblings
            .filter(|s| **s != cpu)
            .filter_map(|s| self.kernel.curr(*s));
        let pressure = others.map(|t| self.pressure(t)).sum();
        let pair_milli = self.kernel.task(task).class.smt_pair_milli;
        let mix = &self.hardware.cpus[cpu.index()].mix;
        let (heat, tick_share) = (self.hardware.frequency, self.hardware.settings.tick_share);
        let question = (mix.at_clock, pressure, pair_milli, heat, tick_share);
        let known = &mut self.hardware.known.plain_speeds[cpu.index()];
        let speed = known.find(question, |_| {
            let conditions = Conditions {
                smt: ONE + sibling_extra(pair_milli, pressure),
                fills: ONE,
                saturation: UNSATURATED,
                heat,
                tick_share,
                overlap_milli: u64::from(self.plan.machine.spec().work.overlap_milli),
            };
            speed(mix, &conditions)
        });
        let c = &mut self.hardware.cpus[cpu.index()];
        // Usually the thread has just been switched in: nothing is to be charged, and the speed is copied once.
        if c.stale && c.charged_at == self.clock.now() {
            c.stale = false;
            c.speed = *speed;
            let charged = self.charge(cpu);
            self.predict(charged);
            return;
        }
        let speed = *speed;
        self.set_speed(cpu, Some(speed));
    }

    /// How much of a core's shared units a task occupies, in thousandths.
    fn pressure(&self, task: TaskId) -> u64 {
        u64::from(self.task(task).class.pressure_milli)
    }

    /// The memory demand of a CPU, and its domains: for each domain the part of the thread's memory that lies there.
    fn stream(&mut self, cpu: CpuId, out: &mut Vec<(usize, Stream)>) {
        out.clear();
        let mix = self.hardware.cpus[cpu.index()].mix;
        let Some(task) = self.kernel.curr(cpu).filter(|_| mix.traffic > 0) else {
            return;
        };
        let (smt, fills) = self.sibling_factors(cpu, task);
        let stream = Stream {
            compute: product(mix.at_clock, smt, ONE),
            waiting: product(mix.waiting(), fills, ONE),
            scaled: product(mix.scaled, fills, ONE),
            traffic: mix.traffic,
            count: 1,
        };
        match self.domain(cpu, task) {
            Some(domain) => out.push((domain, stream)),
            None => {
                let memory = &self.hardware.memory[task.index()];
                let all = memory.pages();
                out.extend(memory.nodes().map(|(node, pages)| {
                    let part = Stream {
                        scaled: product(stream.scaled, pages, all),
                        traffic: product(stream.traffic, pages, all),
                        ..stream
                    };
                    (node.index(), part)
                }));
            }
        }
    }

    /// Computes the saturation of the domains whose users changed, and the speeds of all CPUs that use these domains.
    fn update_saturation(&mut self, affected: &[CpuId]) {
        let (mut changed, mut users): (Vec<usize>, Vec<CpuId>) = (Vec::new(), Vec::new());
        if std::mem::take(&mut self.hardware.streams.came_amid_changes) {
            changed.extend(0..self.hardware.saturation.len());
        }
        let mut new = Vec::new();
        for cpu in affected {
            self.stream(*cpu, &mut new);
            let old = self.hardware.streams.of_cpu(*cpu);
            if new != old {
                for (domain, _) in old.iter().chain(&new) {
                    if let Err(at) = changed.binary_search(domain) {
                        changed.insert(at, *domain);
                    }
                }
                self.hardware.streams.set(*cpu, &new);
            }
        }
        let plan = std::sync::Arc::clone(&self.plan);
        let spec = plan.machine.spec();
        let overlap = u64::from(spec.work.overlap_milli);
        for domain in changed {
            let streams = self.hardware.streams.of_domain(domain);
            let last = self.hardware.saturation[domain];
            let factor = saturation::factor(streams, spec.memory.bandwidth_mb_per_s, overlap, last);
            if factor == last {
                continue;
            }
            self.hardware.saturation[domain] = factor;
            users.clear();
            users.extend(self.hardware.streams.users(domain));
            // Both lists ascend. The speeds of the affected CPUs are computed afterwards, with all changes.
            let mut rest = affected.iter().peekable();
            for cpu in &users {
                while rest.next_if(|a| *a < cpu).is_some() {}
                if rest.peek() != Some(&cpu) {
                    self.update_saturated_speed(*cpu, factor);
                }
            }
        }
    }

    /// Computes the memory demand of all CPUs again, after a state was restored.
    pub(crate) fn rebuild_streams(&mut self) {
        self.hardware.known.felt.fill(None);
        self.hardware
            .known
            .speeds
            .iter_mut()
            .for_each(LastAnswer::forget);
        self.hardware.streams =
            Streams::new(self.hardware.cpus.len(), self.hardware.saturation.len());
        // The earlier demand of stale CPUs is not known any more, so a change of it cannot be seen.
        self.hardware.streams.came_amid_changes = !self.hardware.stale.is_empty();
        let mut new = Vec::new();
        for cpu in (0..self.hardware.cpus.len()).map(CpuId::new) {
            self.stream(cpu, &mut new);
            self.hardware.streams.set(cpu, &new);
        }
    }

    fn update_speed(&mut self, cpu: CpuId) {
        let Some(task) = self.kernel.curr(cpu) else {
            self.set_speed(cpu, None);
            return;
        };
        let mix = self.hardware.cpus[cpu.index()].mix;
        let (smt, fills) = self.sibling_factors(cpu, task);
        let saturation = if mix.scaled > 0 {
            self.saturation_of(cpu, task)
        } else {
            UNSATURATED
        };
        debug_assert!(waiting(&mix, saturation) >= mix.waiting());
        let conditions = Conditions {
            smt,
            fills,
            saturation,
            heat: self.hardware.frequency,
            tick_share: self.hardware.settings.tick_share,
            overlap_milli: u64::from(self.plan.machine.spec().work.overlap_milli),
        };
        let speed = self.hardware.known.speed(cpu, &mix, &conditions);
        self.set_speed(cpu, Some(speed));
    }

    /// The speed of a CPU for which only the saturation of memory has changed.
    fn update_saturated_speed(&mut self, cpu: CpuId, saturation: u64) {
        let Some(&(mix, last)) = self.hardware.known.speeds[cpu.index()].question() else {
            self.update_speed(cpu);
            return;
        };
        if mix.scaled == 0 {
            return;
        }
        let conditions = Conditions { saturation, ..last };
        let speed = self.hardware.known.speed(cpu, &mix, &conditions);
        self.set_speed(cpu, Some(speed));
    }

    /// Gives a CPU its computed speed; `None` if it is idle.
    fn set_speed(&mut self, cpu: CpuId, speed: Option<Speed>) {
        let stale = std::mem::take(&mut self.hardware.cpus[cpu.index()].stale);
        let Some(speed) = speed else {
            self.hardware.cpus[cpu.index()].speed = Speed::default();
            return;
        };
        // If the speed is the same, the phase ends when it was going to.
        if stale || speed != self.hardware.cpus[cpu.index()].speed {
            let charged = self.charge(cpu);
            self.hardware.cpus[cpu.index()].speed = speed;
            self.predict(charged);
        }
    }
}
