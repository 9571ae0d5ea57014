//! The timer of a CPU that ends a turn where its request ends (since 7.2).
//!
//! | item | kernel function @ 7.2.12 |
//! |---|---|
//! | `time_request` | `hrtick_start_fair`, `hrtick_start` |
//! | `time_newcomer` | `hrtick_update` |
//! | `request_timer` | `hrtick`, `task_tick_fair` |
//!
//! It is set in two places: a task is put on the CPU, or joins its queue while no timer stands. A task that is picked
//! again sets none, so it is looked at by ticks from then on. The timer must not come before the request has ended: the
//! task would still be protected. A real one is always a little late, and this lateness decides which of two equal
//! tasks is ahead.
//!
//! Deviation: interrupts take no time here that would stretch the delay.

use super::mean::{SCALE_BITS, fair};
use super::state::Ent;
use super::{Eevdf, reasons};
use crate::linux::clock::RqClock;
use crate::linux::signed;
use crate::linux::weight::NICE_0;
use sim_contract::cx::Cx;
use sim_contract::flags::cpu_timer;
use sim_ground::ids::CpuId;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::cost::split::product;

/// Shortest delay in ns.
const SHORTEST: u64 = 10_000;
/// A standing timer that differs by so many ns at most is left.
const SAME: u64 = 5_000;

impl Eevdf {
    /// A task was put on its CPU: the timer is set for the end of its request, if others are queued there.
    pub(super) fn time_request(&mut self, cpu: CpuId, e: Ent, now: u64) {
        if !self.st.tun.timed().request_timer || self.st.root(cpu).h_queued < 2 {
            return;
        }
        let at = now + self.left_of_request(e).max(SHORTEST);
        let Some(timer) = self.st.tun.timer_mut(cpu) else {
            return;
        };
        if *timer == 0 || timer.abs_diff(at) > SAME {
            *timer = at;
            self.timed.push((cpu, at));
            // Idle CPUs are kicked by the same timer of the model. A busy one would ignore the kick.
            self.st.rq_mut(cpu).side.nohz_kick = None;
        }
    }

    /// A task joined the queue of a CPU: the timer is set for what runs, if none stands.
    #[inline]
    pub(super) fn time_newcomer(&mut self, cpu: CpuId, now: u64) {
        if self.st.tun.timed().timers.get(cpu.index()) == Some(&0)
            && let Some(e) = self.fair_running(cpu)
        {
            self.time_request(cpu, e, now);
        }
    }

    /// The CPU time until an entity that has just been charged has used up its request: the first ns after which its
    /// virtual runtime has reached its deadline.
    fn left_of_request(&self, e: Ent) -> u64 {
        let ent = self.st.ent(e);
        let room = u64::try_from(ent.deadline - ent.v).unwrap_or(0);
        let weight = ent.exact_weight(&self.st.tun);
        let least = product(room, weight, NICE_0 << SCALE_BITS);
        let reaches = |time: &u64| fair(&self.st.tun, *time, ent) >= signed(room);
        (least..).find(reaches).unwrap_or(least)
    }

    /// A CPU becomes idle: its timer is cancelled.
    pub(super) fn stop_timer(&mut self, cpu: CpuId) {
        if let Some(timer) = self.st.tun.timer_mut(cpu) {
            *timer = 0;
        }
    }

    /// Sets the timers that the hook has asked for. Each is late by an amount that follows from its time and its CPU.
    #[cold]
    pub(super) fn set_timers(&mut self, cx: &mut Cx<'_>) {
        let timed = self.st.tun.timed();
        let (least, spread) = (timed.lateness, timed.spread);
        for (cpu, at) in self.timed.drain(..) {
            let more = Rng::stream(at, "request timer", u64::from(cpu.0)).below_u64(spread + 1);
            cx.arm(cpu_timer(cpu), SimTime(at + least + more));
        }
    }

    /// The timer expires: what runs is charged, and the CPU picks again whatever that asks for.
    pub(super) fn request_timer(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let now = cx.now.0;
        let is_due = |timer: &&mut u64| **timer > 0 && **timer <= now;
        let Some(timer) = self.st.tun.timer_mut(cpu).filter(is_due) else {
            return;
        };
        *timer = 0;
        self.update_rq_clock(cpu, now);
        let Some(e) = self.fair_running(cpu) else {
            return;
        };
        let asks = self.entity_ticks(e, now, true);
        self.wanted.retain(|(c, _)| *c != cpu);
        let Some(curr) = self.st.rq(cpu).curr else {
            return;
        };
        let why = match asks {
            Some(asks) => self.explain_asks(cx, cpu, curr, asks),
            None => {
                let (ent, queue) = self.st.level(e);
                let lag = queue.mean(self.curr_of(queue)) - ent.v;
                let left = ent.deadline - ent.v;
                let operands = [lag, left, signed(ent.slice), i64::from(queue.nr)];
                cx.explain(Some(cpu), Some(curr), reasons::REQUEST_TIMER, operands)
            }
        };
        cx.requery(cpu);
        self.resched(cx, cpu, Some(why));
    }
}

#[cfg(test)]
mod tests {
    use super::super::INFO;
    use super::*;
    use crate::linux::bench::Bench;
    use sim_contract::flags::SwitchReason;
    use sim_ground::ids::TaskId;

    const MS: u64 = 1_000_000;

    /// CPU 0 of 7.2 with two threads, of which one runs.
    fn bench() -> (Bench<Eevdf>, Ent) {
        let era = INFO.eras.iter().position(|era| era.id == "7.2");
        let mut bench = Bench::of(&INFO, era.expect("an era"), &[], MS, Eevdf::new);
        for _ in 0..2 {
            let info = bench.ordinary(0, 1);
            bench.queue(info);
        }
        bench.enter(0, SwitchReason::Resched);
        let e = bench.sched.st.task(bench.curr[0].expect("one runs")).se;
        (bench, e)
    }

    fn stands_for(bench: &Bench<Eevdf>) -> u64 {
        bench.sched.st.tun.timed().timers[0]
    }

    fn left(bench: &mut Bench<Eevdf>, e: Ent, virtual_ns: i64) {
        let ent = bench.sched.st.ent_mut(e);
        ent.deadline = ent.v + virtual_ns;
    }

    /// `hrtick_start` @ 7.2.12, fact 2: rounded down, the request would not have ended.
    #[test]
    fn the_delay_is_rounded_up() {
        let (mut bench, e) = bench();
        bench.sched.set_weight(e, 335 << SCALE_BITS);
        left(&mut bench, e, 8_558_805);
        assert_eq!(bench.sched.left_of_request(e), 2_800_000);
    }

    /// The same, fact 4.
    #[test]
    fn a_delay_is_10_us_at_least() {
        let (mut bench, e) = bench();
        bench.sched.stop_timer(CpuId(0));
        left(&mut bench, e, 4_000);
        bench.sched.time_request(CpuId(0), e, 5 * MS);
        assert_eq!(stands_for(&bench), 5 * MS + 10_000);
    }

    /// `hrtick_start` @ 7.2.12, fact 4.
    #[test]
    fn a_timer_moves_only_if_it_is_far() {
        for (wanted, at) in [(4_000, 0), (6_000, 6_000)] {
            let (mut bench, e) = bench();
            left(&mut bench, e, 500_000);
            bench.sched.stop_timer(CpuId(0));
            bench.sched.time_request(CpuId(0), e, 5 * MS);
            bench.sched.time_request(CpuId(0), e, 5 * MS + wanted);
            assert_eq!(stands_for(&bench), 5 * MS + 500_000 + at);
        }
    }

    /// `hrtick_start_fair`, `hrtick_update` @ 7.2.12.
    #[test]
    fn nobody_is_timed_alone() {
        let era = INFO.eras.iter().position(|era| era.id == "7.2");
        let mut bench = Bench::of(&INFO, era.expect("an era"), &[], MS, Eevdf::new);
        let info = bench.ordinary(0, 1);
        bench.queue(info.clone());
        bench.enter(0, SwitchReason::Resched);
        assert_eq!((bench.curr[0], stands_for(&bench)), (Some(TaskId(0)), 0));
        bench.queue(info);
        assert!(stands_for(&bench) > MS, "who joins sets it");
    }
}
