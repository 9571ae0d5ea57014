//! `forward_wakeup`: all idle CPUs are signalled, and one of them wins the race to the lock.

use super::tunables::Race;
use super::{FourBsd, GLOBAL, n, queue_of, reasons};
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::{SimTime, ticks_until, time_of_tick};

impl FourBsd {
    /// Signals the idle CPUs except `here` for a thread of the global queue. Returns whether there were any.
    pub(super) fn forward_wakeup(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        here: CpuId,
    ) -> Answer<bool> {
        let mut idle = self.st.idle;
        idle.remove(here);
        if idle.is_empty() {
            return Answer::undecided(false);
        }
        let s = &self.st.settings;
        let priority = i64::from(self.thread(task).priority);
        if !s.wakeup || !(s.use_mask || s.use_loop) {
            let operands = [i64::from(idle.count()), priority, 0, 0];
            let why = cx.explain(None, Some(task), reasons::LEFT_TO_CLOCK, operands);
            self.notice_at_clock(cx, idle);
            return Answer::new(false, why);
        }
        self.st.counters.requested += 1;
        let signalled = self.signalled_of(idle);
        self.st.counters.delivered += 1;
        self.st.counters.signals += u64::from(signalled.count());
        let operands = [i64::from(signalled.count()), self.waiting(), priority, 0];
        let winner = self.winner(cx, signalled);
        let reason = if winner.is_some() {
            reasons::FORWARD_WAKEUP
        } else {
            reasons::ALL_ON_THEIR_WAY
        };
        let why = cx.explain(winner, Some(task), reason, operands);
        if let Some(cpu) = winner {
            cx.kick(cpu, why);
        }
        Answer::new(true, why)
    }

    /// The idle CPUs that remain after `htt2` and then `onecpu`.
    fn signalled_of(&self, idle: CpuMask) -> CpuMask {
        let s = &self.st.settings;
        let mut signalled = idle;
        if s.htt2 {
            // Even CPUs whose odd neighbour is idle too.
            let pairs: CpuMask = idle
                .iter()
                .filter(|c| c.0 % 2 == 0 && idle.contains(CpuId(c.0 + 1)))
                .collect();
            if !pairs.is_empty() {
                signalled = pairs;
            }
        }
        match signalled.lowest() {
            Some(lowest) if s.one_cpu => CpuMask::only(lowest),
            _ => signalled,
        }
    }

    /// The signalled CPU that gets the lock first. CPUs that were signalled before have a race of their own.
    pub(super) fn winner(&self, cx: &mut Cx<'_>, signalled: CpuMask) -> Option<CpuId> {
        let runners: Vec<CpuId> = signalled
            .iter()
            .filter(|c| !cx.flagged.contains(*c))
            .collect();
        if cx.explaining() {
            for cpu in &runners {
                cx.candidate(Some(*cpu), None, 0, "idle and signalled; a race decides");
            }
        }
        let first_busy_sibling = |runners: &[CpuId]| {
            runners.iter().copied().find(|c| {
                let siblings = cx.machine.siblings(*c);
                !siblings.is_subset_of(&self.st.idle)
            })
        };
        let random = |cx: &mut Cx<'_>| {
            let of = u32::try_from(runners.len()).unwrap_or(0);
            (of > 0).then(|| runners[cx.rng.below(of) as usize])
        };
        match self.st.settings.race {
            Race::Lowest => runners.first().copied(),
            Race::Highest => runners.last().copied(),
            Race::Random => random(cx),
            Race::SiblingFirst => match first_busy_sibling(&runners) {
                Some(cpu) => Some(cpu),
                None => random(cx),
            },
        }
    }

    /// A CPU that was idle took a thread and left others: another of the CPUs signalled with it finds them.
    pub(super) fn pass_on(&mut self, cx: &mut Cx<'_>) {
        let s = &self.st.settings;
        if self.st.queues.is_empty(GLOBAL) || !s.wakeup || !(s.use_mask || s.use_loop) {
            return;
        }
        let coming = self.st.idle.and(cx.flagged).count() as usize;
        if coming >= self.st.queues.len(GLOBAL) {
            return;
        }
        let idle = self.st.idle;
        if let Some(cpu) = self.winner(cx, idle) {
            let operands = [i64::from(idle.count()), self.waiting(), 0, 0];
            let why = cx.explain(Some(cpu), None, reasons::NEXT_OF_THE_WOKEN, operands);
            cx.kick(cpu, why);
        }
    }

    /// Idle CPUs read the queues at each clock interrupt.
    pub(super) fn notice_at_clock(&mut self, cx: &mut Cx<'_>, cpus: CpuMask) {
        let next = self.next_look(cx.now);
        for cpu in cpus.iter() {
            let c = &mut self.st.cpus[cpu.index()];
            if !std::mem::replace(&mut c.notices, true) {
                c.notices_at = next;
                self.arm_callouts(cx, cpu);
            }
        }
    }

    /// The next clock interrupt at which a CPU notices something.
    pub(super) fn next_look(&self, now: SimTime) -> SimTime {
        let looks = self.rates.hz * self.era.idle_looks;
        time_of_tick(looks, ticks_until(looks, now) + 1)
    }

    /// A clock interrupt of a CPU that has something to notice.
    pub(super) fn notice(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let c = &mut self.st.cpus[cpu.index()];
        if cx.now < c.notices_at || !std::mem::take(&mut c.notices) {
            return;
        }
        let waiting = self.st.queues.len(GLOBAL) + self.st.queues.len(queue_of(cpu));
        if c.curr.is_some() {
            cx.kick(cpu, None);
        } else if waiting > 0 {
            let operands = [n(waiting), 0, 0, 0];
            let why = cx.explain(Some(cpu), None, reasons::FOUND_AT_CLOCK, operands);
            cx.kick(cpu, why);
        }
    }
}
