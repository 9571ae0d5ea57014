//! Speeds: computed again at events, for the CPUs whose conditions changed.
//!
//! A switch to work of another kind, a filled cache or a new clock marks CPUs as stale. After all events of an
//! instant, `Sim::update_speeds` finds the CPUs concerned: the siblings, the users of a cache that is or was crowded,
//! and all that use memory of a domain whose saturation changes. The result depends only on the state, not on the order
//! or number of updates.

use super::Hardware;
use super::around::Around;
use super::cpu::Charged;
use super::known::LastAnswer;
use super::streams::Streams;
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
    pub(crate) fn renew_plain_speed(
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
    pub(crate) fn is_felt_as_before(&mut self, around: &Around<'_>, cpu: CpuId) -> bool {
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
    pub(crate) fn renew_streams(&mut self, around: &Around<'_>, affected: &[CpuId]) -> Vec<usize> {
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
    pub(crate) fn saturate(&mut self, machine: &Machine, domain: usize) -> Option<u64> {
        let spec = machine.spec();
        let overlap = u64::from(spec.work.overlap_milli);
        let streams = self.streams.of_domain(domain);
        let last = self.saturation[domain];
        let factor = saturation::factor(streams, spec.memory.bandwidth_mb_per_s, overlap, last);
        self.saturation[domain] = factor;
        (factor != last).then_some(factor)
    }

    /// Computes the memory demand of all CPUs again, after a state was restored.
    pub(crate) fn rebuild_streams(&mut self, around: &Around<'_>) {
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
    pub(crate) fn speed(&mut self, around: &Around<'_>, cpu: CpuId) -> Option<Speed> {
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
    pub(crate) fn saturated_speed(
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
    pub(crate) fn feels_saturation(&self, cpu: CpuId) -> bool {
        let question = self.known.speeds[cpu.index()].question();
        question.is_none_or(|(mix, _)| mix.scaled > 0)
    }

    /// Whether what threads sweep decides about speeds.
    #[inline]
    pub(crate) fn groups_sweep(&self) -> bool {
        self.settings.groups_sweep
    }

    /// The CPUs whose speeds change, with their mixes found anew. None is stale any more.
    pub(crate) fn begin_speeds(&mut self, around: &Around<'_>) -> Vec<CpuId> {
        let affected = self.affected(around);
        self.stale.clear();
        self.update_mixes(around, &affected);
        affected
    }

    /// Keeps the buffer of [`Self::begin_speeds`], because it is needed at each switch.
    pub(crate) fn keep_buffer(&mut self, affected: Vec<CpuId>) {
        self.known.affected = affected;
    }

    /// Finds the mixes of all stale CPUs, where no thread has data.
    pub(crate) fn update_plain_mixes(&mut self, around: &Around<'_>) {
        for i in 0..self.stale.len() {
            let cpu = self.stale[i];
            self.update_plain_mix(around, cpu);
        }
    }

    /// A stale CPU whose speed is still to be found.
    #[inline]
    pub(crate) fn next_stale(&mut self) -> Option<CpuId> {
        self.stale.pop()
    }

    /// The CPUs that use a domain, ascending.
    pub(crate) fn users(&self, domain: usize, out: &mut Vec<CpuId>) {
        out.clear();
        out.extend(self.streams.users(domain));
    }

    /// The speed that a CPU is to take after its work is charged; `None` if it has that speed, or is idle.
    #[inline]
    pub(crate) fn speed_to_take(&mut self, cpu: CpuId, speed: Option<Speed>) -> Option<Speed> {
        let c = &mut self.cpus[cpu.index()];
        let stale = std::mem::take(&mut c.stale);
        let Some(speed) = speed else {
            c.speed = Speed::default();
            return None;
        };
        (stale || speed != c.speed).then_some(speed)
    }

    /// A CPU works at this speed from now on.
    #[inline]
    pub(crate) fn take_speed(&mut self, charged: Charged, speed: Speed) {
        self.cpus[charged.cpu().index()].speed = speed;
    }
}
