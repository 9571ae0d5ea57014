//! Speeds: computed again at events, for the CPUs whose conditions changed.
//!
//! A switch to work of another kind, a filled cache or a new clock marks CPUs as stale. After all events of an
//! instant, [`Sim::update_speeds`] finds the CPUs concerned: the siblings, the users of a cache that is or was crowded,
//! and all that use memory of a domain whose saturation changes. The result depends only on the state, not on the order
//! or number of updates.

use super::Hardware;
use super::around::{Around, around};
use super::cpu::Charged;
use super::known::LastAnswer;
use super::streams::Streams;
use crate::Sim;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_machine::Machine;
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

    /// The mix of a task without data.
    pub(super) fn update_plain_mix(&mut self, around: &Around<'_>, cpu: CpuId) {
        let place = around.machine.place(cpu);
        let nominal = u64::from(around.machine.spec().clock_mhz);
        let mhz = u64::from(around.package_mhz(cpu));
        let at_clock = if mhz == nominal && place.speed_milli == 1000 {
            ONE
        } else {
            product(
                ONE,
                nominal * 1000,
                (mhz * u64::from(place.speed_milli)).max(1),
            )
        };
        let mix = &mut self.cpus[cpu.index()].mix;
        // If no group sweeps memory, the mix is that of the task before.
        if self.settings.groups_sweep || (mix.compute, mix.at_clock) != (ONE, at_clock) {
            *mix = Mix {
                compute: ONE,
                at_clock,
                served_by: 1,
                ..Mix::default()
            };
        }
    }

    /// The stale CPUs and all CPUs whose conditions depend on them, ascending.
    fn affected(&mut self, around: &Around<'_>) -> Vec<CpuId> {
        let machine = around.machine;
        let caches = machine.caches();
        let mut affected = std::mem::take(&mut self.known.affected);
        affected.clear();
        for cpu in &self.stale {
            affected.extend_from_slice(machine.sibling_list(*cpu));
        }
        let port = |c: &CacheSpec| c.port_milli > 1000;
        if machine.spec().caches.iter().any(port) {
            for i in 0..affected.len() {
                affected.extend(machine.package_cpus(affected[i]).iter());
            }
        }
        self.known.begin_round();
        for i in 0..affected.len() {
            for instance in caches.path(affected[i]) {
                let instance = usize::from(*instance);
                let cache = &caches.instances()[instance];
                if cache.cores == 1 || !self.known.is_first(instance) {
                    continue;
                }
                let sets = cache
                    .cpus
                    .iter()
                    .filter_map(|c| self.demands.sweeper(around, *c));
                let crowded = sets.map(|(_, bytes)| bytes).sum::<u64>() > cache.bytes;
                // A thread that begins or ceases to share a crowded cache affects all users of the cache.
                if crowded || self.crowded[instance] {
                    affected.extend_from_slice(&cache.cpus);
                }
                self.crowded[instance] = crowded;
            }
        }
        affected.sort_unstable();
        affected.dedup();
        affected
    }

    /// By how much siblings stretch a thread's computing and its waiting, in units of 2^-20.
    fn sibling_factors(&mut self, around: &Around<'_>, cpu: CpuId, task: TaskId) -> (u64, u64) {
        let class = self.demands.of(task).class;
        let overlap = u64::from(around.machine.spec().work.overlap_milli);
        let (mut pressure, mut fills) = (0, ONE);
        for sibling in around.machine.sibling_list(cpu) {
            let Some(other) = around.curr(*sibling) else {
                continue;
            };
            if *sibling == cpu {
                continue;
            }
            let mix = &self.cpus[sibling.index()].mix;
            let wait = mix.waiting();
            let own = self.demands.pressure(other);
            pressure += if wait > mix.at_clock {
                own * WAITING_PRESSURE_MILLI / 1000
            } else {
                own
            };
            if wait > 0 {
                let known = &mut self.known.fills[sibling.index()];
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

    /// Finds the speed of a CPU if no thread has data: siblings share only computing, and no thread waits for memory. The
    /// CPU has it at once if nothing is to be charged before, because the thread has just been switched in.
    #[inline]
    fn renew_plain_speed(
        &mut self,
        around: &Around<'_>,
        cpu: CpuId,
        task: TaskId,
        now: SimTime,
    ) -> Result<Charged, Speed> {
        let siblings = around.machine.sibling_list(cpu).iter();
        let others = siblings
            .filter(|s| **s != cpu)
            .filter_map(|s| around.curr(*s));
        let pressure = others.map(|t| self.demands.pressure(t)).sum();
        let pair_milli = self.demands.of(task).class.smt_pair_milli;
        let c = &mut self.cpus[cpu.index()];
        let mix = &c.mix;
        let (heat, tick_share) = (self.frequency, self.settings.tick_share);
        let question = (mix.at_clock, pressure, pair_milli, heat, tick_share);
        let known = &mut self.known.plain_speeds[cpu.index()];
        let speed = known.find(question, |_| {
            let conditions = Conditions {
                smt: ONE + sibling_extra(pair_milli, pressure),
                fills: ONE,
                saturation: UNSATURATED,
                heat,
                tick_share,
                overlap_milli: u64::from(around.machine.spec().work.overlap_milli),
            };
            speed(mix, &conditions)
        });
        if c.stale && c.charged_at == now {
            c.stale = false;
            // It is copied once, as this happens at every switch.
            c.speed = *speed;
            Ok(Charged(cpu))
        } else {
            Err(*speed)
        }
    }

    /// Whether siblings of a stale CPU feel no change of it.
    #[inline]
    fn is_felt_as_before(&mut self, around: &Around<'_>, cpu: CpuId) -> bool {
        let pressure = around.curr(cpu).map_or(0, |t| self.demands.pressure(t));
        let mix = &self.cpus[cpu.index()].mix;
        let felt = Some((pressure, mix.waiting(), mix.at_clock));
        std::mem::replace(&mut self.known.felt[cpu.index()], felt) == felt
    }

    /// The memory demand of a CPU, and its domains: for each domain the part of the thread's memory that lies there.
    fn stream(&mut self, around: &Around<'_>, cpu: CpuId, out: &mut Vec<(usize, Stream)>) {
        out.clear();
        let mix = self.cpus[cpu.index()].mix;
        let Some(task) = around.curr(cpu).filter(|_| mix.traffic > 0) else {
            return;
        };
        let (smt, fills) = self.sibling_factors(around, cpu, task);
        let stream = Stream {
            compute: product(mix.at_clock, smt, ONE),
            waiting: product(mix.waiting(), fills, ONE),
            scaled: product(mix.scaled, fills, ONE),
            traffic: mix.traffic,
            count: 1,
        };
        match self.domain(around.machine, cpu, task) {
            Some(domain) => out.push((domain, stream)),
            None => {
                let memory = &self.memory[task.index()];
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

    /// Finds the memory demand of CPUs anew. Returns the domains whose users changed, ascending.
    fn renew_streams(&mut self, around: &Around<'_>, affected: &[CpuId]) -> Vec<usize> {
        let mut changed: Vec<usize> = Vec::new();
        if std::mem::take(&mut self.streams.came_amid_changes) {
            changed.extend(0..self.saturation.len());
        }
        let mut new = Vec::new();
        for cpu in affected {
            self.stream(around, *cpu, &mut new);
            let old = self.streams.of_cpu(*cpu);
            if new != old {
                for (domain, _) in old.iter().chain(&new) {
                    if let Err(at) = changed.binary_search(domain) {
                        changed.insert(at, *domain);
                    }
                }
                self.streams.set(*cpu, &new);
            }
        }
        changed
    }

    /// Computes the saturation of a domain; `None` if it is as before.
    fn saturate(&mut self, machine: &Machine, domain: usize) -> Option<u64> {
        let spec = machine.spec();
        let overlap = u64::from(spec.work.overlap_milli);
        let streams = self.streams.of_domain(domain);
        let last = self.saturation[domain];
        let factor = saturation::factor(streams, spec.memory.bandwidth_mb_per_s, overlap, last);
        self.saturation[domain] = factor;
        (factor != last).then_some(factor)
    }

    /// Computes the memory demand of all CPUs again, after a state was restored.
    pub(super) fn rebuild_streams(&mut self, around: &Around<'_>) {
        self.known.felt.fill(None);
        self.known.speeds.iter_mut().for_each(LastAnswer::forget);
        self.streams = Streams::new(self.cpus.len(), self.saturation.len());
        // The earlier demand of stale CPUs is not known any more, so a change of it cannot be seen.
        self.streams.came_amid_changes = !self.stale.is_empty();
        let mut new = Vec::new();
        for cpu in (0..self.cpus.len()).map(CpuId::new) {
            self.stream(around, cpu, &mut new);
            self.streams.set(cpu, &new);
        }
    }

    /// The speed of a CPU; `None` if it is idle.
    fn speed(&mut self, around: &Around<'_>, cpu: CpuId) -> Option<Speed> {
        let task = around.curr(cpu)?;
        let mix = self.cpus[cpu.index()].mix;
        let (smt, fills) = self.sibling_factors(around, cpu, task);
        let saturation = if mix.scaled > 0 {
            self.saturation_of(around.machine, cpu, task)
        } else {
            UNSATURATED
        };
        debug_assert!(waiting(&mix, saturation) >= mix.waiting());
        let conditions = Conditions {
            smt,
            fills,
            saturation,
            heat: self.frequency,
            tick_share: self.settings.tick_share,
            overlap_milli: u64::from(around.machine.spec().work.overlap_milli),
        };
        Some(self.known.speed(cpu, &mix, &conditions))
    }

    /// The speed of a CPU for which only the saturation of memory has changed. `None` if it is idle.
    fn saturated_speed(
        &mut self,
        around: &Around<'_>,
        cpu: CpuId,
        saturation: u64,
    ) -> Option<Speed> {
        let Some(&(mix, last)) = self.known.speeds[cpu.index()].question() else {
            return self.speed(around, cpu);
        };
        let conditions = Conditions { saturation, ..last };
        Some(self.known.speed(cpu, &mix, &conditions))
    }

    /// Whether saturation of memory concerns a CPU. It may, as long as nothing is known.
    fn feels_saturation(&self, cpu: CpuId) -> bool {
        let question = self.known.speeds[cpu.index()].question();
        question.is_none_or(|(mix, _)| mix.scaled > 0)
    }
}

impl Sim {
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
        let around = around!(self);
        let affected = self.hardware.affected(&around);
        self.hardware.stale.clear();
        self.hardware.update_mixes(&around, &affected);
        self.update_saturation(&affected);
        for cpu in &affected {
            let speed = self.hardware.speed(&around!(self), *cpu);
            self.set_speed(*cpu, speed);
        }
        // The buffer is kept, because this happens at each switch.
        self.hardware.known.affected = affected;
    }

    fn update_speeds_without_data(&mut self) {
        // Without data only siblings affect each other. This case runs at every switch, so it does without the lists.
        let around = around!(self);
        for i in 0..self.hardware.stale.len() {
            let cpu = self.hardware.stale[i];
            self.hardware.update_plain_mix(&around, cpu);
        }
        while let Some(cpu) = self.hardware.stale.pop() {
            if self.hardware.is_felt_as_before(&around!(self), cpu) {
                self.update_plain_speed(cpu);
                continue;
            }
            for i in 0..self.plan.machine.sibling_list(cpu).len() {
                self.update_plain_speed(self.plan.machine.sibling_list(cpu)[i]);
            }
        }
    }

    fn update_plain_speed(&mut self, cpu: CpuId) {
        let Some(task) = self.kernel.curr(cpu) else {
            self.set_speed(cpu, None);
            return;
        };
        let now = self.clock.now();
        let renewed = self
            .hardware
            .renew_plain_speed(&around!(self), cpu, task, now);
        match renewed {
            Ok(charged) => self.predict(charged),
            Err(speed) => self.set_speed(cpu, Some(speed)),
        }
    }

    /// Computes the saturation of the domains whose users changed, and the speeds of all CPUs that use these domains.
    fn update_saturation(&mut self, affected: &[CpuId]) {
        let changed = self.hardware.renew_streams(&around!(self), affected);
        let mut users: Vec<CpuId> = Vec::new();
        for domain in changed {
            let Some(factor) = self.hardware.saturate(&self.plan.machine, domain) else {
                continue;
            };
            users.clear();
            users.extend(self.hardware.streams.users(domain));
            // Both lists ascend. The speeds of the affected CPUs are computed afterwards, with all changes.
            let mut rest = affected.iter().peekable();
            for cpu in &users {
                while rest.next_if(|a| *a < cpu).is_some() {}
                if rest.peek() != Some(&cpu) && self.hardware.feels_saturation(*cpu) {
                    let speed = self.hardware.saturated_speed(&around!(self), *cpu, factor);
                    self.set_speed(*cpu, speed);
                }
            }
        }
    }

    /// Finds what follows from a restored state: the memory demand of all CPUs.
    pub(crate) fn rebuild_streams(&mut self) {
        self.hardware.rebuild_streams(&around!(self));
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
