//! The idle loop (`sched_idletd`): when an idle CPU searches the queues of others.
//!
//! A CPU searches once when it becomes idle. Until 2011 it searches again at each tick of hz. Later it sleeps half a
//! second, applies the ticks that it missed, and searches only if its counts of switches have changed. That is at every
//! second wake where ticks are replayed one by one, and at two wakes of five where one call stands for all. On sparc64
//! the idle loop of those releases never halts.

use super::eras::{IdleRule, Search};
use super::{Answer, Ule};
use sim_contract::cx::Cx;
use sim_contract::flags::cpu_timer;
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;
use sim_machine::spec::Isa;

impl Ule {
    /// The CPU has found nothing to run. The answer is whether it has stolen a thread.
    pub(super) fn become_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        self.st.tdqs[cpu.index()].seen_switchcnt = self.switch_sum(cpu);
        let stolen = self.steal_for(cx, cpu);
        if !stolen.value {
            self.sleep_idle(cx, cpu);
        }
        stolen
    }

    /// Arms the timer for the next pass of the idle loop.
    fn sleep_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let rates = self.st.tune.rates();
        if self.replays() {
            let half = u64::from((rates.hz / 2).max(1));
            let at = rates.time_of(rates.ticks(cx.now) + half);
            cx.arm(cpu_timer(cpu), at);
            return;
        }
        let next_tick = rates.time_of(rates.ticks(cx.now) + 1);
        let poll = self.anybody_to_steal_from(cx, cpu).then_some(next_tick);
        let balance = self.counts_balance(cpu).then(|| {
            let grid = self.stat_grid(cpu);
            let next = grid.after(SimTime(self.st.tdqs[cpu.index()].stat_seen));
            let more = u64::from(self.st.balance_ticks.max(1)) - 1;
            grid.later(grid.at_or_after(next.max(cx.now)), more)
        });
        if let Some(at) = [poll, balance].into_iter().flatten().min() {
            cx.arm(cpu_timer(cpu), at);
        }
    }

    /// Whether a CPU has as many threads as stealing requires.
    fn has_enough(&self, from: CpuId) -> bool {
        let tdq = &self.st.tdqs[from.index()];
        let inside = self.topo.group(self.topo.leaf(from)).thread;
        let thresh = self.st.tune.steal_thresh;
        let enough = match self.era.search {
            Search::IdleMask => tdq.transferable >= thresh || (inside && self.st.tune.steal_htt),
            _ => tdq.load >= thresh || inside,
        };
        enough && tdq.transferable > 0 && self.st.tune.steal_idle
    }

    /// Whether a pass of the idle loop might find a thread. Until 2011 passes are frequent, and passes that cannot find
    /// one are left out.
    fn anybody_to_steal_from(&self, cx: &Cx<'_>, cpu: CpuId) -> bool {
        let waits_for = |from: CpuId| {
            let mut all = self.st.queues.all(&self.st.tdqs[from.index()].hands, from);
            all.any(|task| cx.task(task).allowed.contains(cpu))
        };
        (0..self.st.tdqs.len())
            .map(CpuId::new)
            .any(|from| from != cpu && self.has_enough(from) && waits_for(from))
    }

    /// A thread was added somewhere: idle CPUs that poll will see it.
    pub(super) fn wake_pollers(&mut self, cx: &mut Cx<'_>, from: CpuId) {
        if self.replays() || !self.has_enough(from) {
            return;
        }
        let rates = self.st.tune.rates();
        let at = if cx.machine.spec().isa == Isa::Sparc64 {
            // The loop never halts, so it searches all the time.
            cx.now
        } else {
            rates.time_of(rates.ticks(cx.now) + 1)
        };
        for cpu in self.st.idle.iter() {
            if self.st.tdqs[cpu.index()].load == 0 {
                cx.arm(cpu_timer(cpu), at);
            }
        }
    }

    /// The timer of a CPU expired: a pass of its idle loop, if it is still idle.
    pub(super) fn idle_pass(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if !self.st.idle.contains(cpu) {
            return;
        }
        if self.replay_missed(cpu, cx.now.0) {
            self.sched_balance(cx);
        }
        if self.st.tdqs[cpu.index()].load > 0 {
            cx.kick(cpu, None);
            return;
        }
        let sum = self.switch_sum(cpu);
        let tdq = &mut self.st.tdqs[cpu.index()];
        let changed = sum != tdq.seen_switchcnt;
        let look = match self.era.idle {
            IdleRule::EachTick => true,
            IdleRule::ReplayEach | IdleRule::ReplayOnce => changed || self.st.tune.always_steal,
        };
        if !changed {
            // A wake without a switch counts as a switch.
            tdq.switchcnt += 1;
            tdq.seen_switchcnt += 1;
        }
        if look {
            if changed {
                self.st.tdqs[cpu.index()].seen_switchcnt = sum;
            }
            let stolen = self.steal_for(cx, cpu);
            if stolen.value {
                cx.kick(cpu, stolen.why);
                return;
            }
        }
        self.sleep_idle(cx, cpu);
    }
}
