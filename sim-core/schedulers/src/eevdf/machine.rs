//! What EEVDF lends to the machine ([`crate::linux::machine`]): its averages, its tunables, its rules about moves.

use super::group::TELL_NS;
use super::state::{Ent, NONE, Queue};
use super::{Eevdf, reasons};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::machine::balance::{Attempt, CpuSide, MachineSide, Migration};
use crate::linux::machine::caches::Caches;
use crate::linux::machine::capacity::Capacities;
use crate::linux::machine::load::{LoadTracking, QueueLoads, Spot, clock};
use crate::linux::machine::pelt::{Avg, Counts};
use crate::linux::machine::{FairTasks, Machine, Rules, Tuning};
use crate::linux::stopper::StopWork;
use crate::linux::wakees::Wakees;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// The clock of averages on a CPU.
    #[inline]
    pub(super) fn cpu_clock(&self, cpu: CpuId, now: u64) -> u64 {
        match &self.capacities {
            None => now,
            Some(capacities) => capacities.clock(cpu, now),
        }
    }

    /// The clock of a queue on a small CPU, or of one that a limit may throttle.
    #[inline(never)]
    fn own_clock(&self, q: Queue, now: u64) -> u64 {
        let shown = self.cpu_clock(self.st.queue(q).cpu, now);
        clock(self.cgroups.as_ref().map_or(shown, |g| g.clock(q, shown)))
    }
}

impl LoadTracking for Eevdf {
    #[inline]
    fn avg(&self, e: Ent) -> &Avg {
        &self.st.ent(e).avg
    }

    #[inline]
    fn avg_mut(&mut self, e: Ent) -> &mut Avg {
        &mut self.st.ent_mut(e).avg
    }

    #[inline]
    fn spot(&self, e: Ent) -> Spot {
        let ent = self.st.ent(e);
        Spot {
            queue: ent.queue,
            below: ent.my_queue,
            load: ent.own_load(),
            on_rq: ent.on_rq,
        }
    }

    #[inline]
    fn entity_of(&self, task: TaskId) -> Ent {
        self.st.task(task).se
    }

    #[inline]
    fn loads(&self, q: Queue) -> &QueueLoads {
        &self.st.queue(q).loads
    }

    #[inline]
    fn loads_mut(&mut self, q: Queue) -> &mut QueueLoads {
        &mut self.st.queue_mut(q).loads
    }

    #[inline]
    fn queue_counts(&self, q: Queue) -> Counts {
        self.st.queue(q).counts()
    }

    fn cpu_of_queue(&self, q: Queue) -> CpuId {
        self.st.queue(q).cpu
    }

    fn owner_of(&self, q: Queue) -> Ent {
        self.st.owner(q)
    }

    fn group_count(&self) -> usize {
        self.st.groups.len()
    }

    fn group_at(&self, group: u32, cpu: CpuId) -> (Queue, Ent) {
        self.st.group_on(group, cpu)
    }

    fn util_est(&self, task: TaskId) -> u64 {
        self.st.task(task).util_est
    }

    fn util_est_mut(&mut self, task: TaskId) -> (&mut u64, &mut bool) {
        let t = self.st.task_mut(task);
        (&mut t.util_est, &mut t.util_changed)
    }

    fn estimates(&self) -> bool {
        self.st.tun.util_est
    }

    fn jiffies(&self, now: u64) -> u64 {
        self.st.tun.jiffies(now)
    }

    #[inline]
    fn clock_of(&self, q: Queue, now: u64) -> u64 {
        if self.has_clocks {
            self.own_clock(q, now)
        } else {
            clock(now)
        }
    }

    /// Brings the averages of an entity of a queue up to date.
    #[inline(never)]
    fn advance_entity(&mut self, q: Queue, e: Ent, now: u64) {
        let running = match self.st.ent(e).my_queue {
            // Beside the one queue of a CPU a group runs if one of its tasks does.
            below if below != NONE && self.st.tun.one_queue() => self.st.queue(below).curr != NONE,
            _ => self.st.queues[q as usize].curr == e,
        };
        let at = self.clock_of(q, now);
        let ent = &mut self.st.entities[e as usize];
        let counts = ent.counts(running);
        let wait = self.wait.until(at, &ent.avg);
        if ent.avg.wait(wait, counts, ent.own_load()) && ent.my_queue == NONE {
            let task = TaskId(ent.task);
            self.st.task_mut(task).util_changed = true;
        }
    }

    /// At intervals, changes of more than a 64th reach the group.
    fn update_group_load(&mut self, q: Queue, now: u64) {
        let queue = &mut self.st.queues[q as usize];
        if queue.group == 0 {
            return;
        }
        if self.st.tun.flat().is_some() {
            self.tell_group(q, now);
        } else {
            let total = &mut self.st.groups[queue.group as usize].load_avg;
            let loads = &mut queue.loads;
            loads.told.tell(total, loads.avg.load_avg, now, TELL_NS);
        }
    }

    /// A queue's part of its group's shares becomes the weight of its entity. That of an
    /// empty or throttled queue keeps its weight.
    fn update_shares_of(&mut self, e: Ent, now: u64) {
        let below = self.st.ent(e).my_queue;
        if below == NONE || self.st.queue(below).weight == 0 || self.is_below_throttled(below) {
            return;
        }
        let (queue, weight) = (self.st.queue(below), self.st.ent(e).weight);
        let part = self.part_of_shares(queue, queue.loads.avg.load_avg, weight);
        if part != weight {
            self.reweight(e, part, now);
        }
    }
}

impl Machine for Eevdf {
    #[inline]
    fn tun(&self) -> Tuning {
        let tun = &self.st.tun;
        Tuning {
            hz: tun.hz,
            jiffy_ns: tun.jiffy_ns,
            migration_cost: tun.migration_cost,
            nr_migrate: tun.nr_migrate,
            preempt: tun.preempt,
            sched_smt: tun.sched_smt,
            cache_hot_buddy: tun.cache_hot_buddy,
            sis_util: tun.sis_util,
            util_est: tun.util_est,
            wa_idle: tun.wa_idle,
            wa_weight: tun.wa_weight,
            wa_bias: tun.wa_bias,
            lb_min: tun.lb_min,
            ni_random: tun.ni_random,
            idle_wakee_spreads: tun.timed().idle_wakee_spreads,
            counts_runnable: tun.later().balance_counts_runnable,
            kick_idle_core: tun.flat().is_some_and(|f| f.kick_idle_core),
            rules: Rules::V6_12,
        }
    }

    #[inline]
    fn machine(&self) -> &MachineSide {
        &self.st.machine
    }

    #[inline]
    fn machine_mut(&mut self) -> &mut MachineSide {
        &mut self.st.machine
    }

    #[inline]
    fn side(&self, cpu: CpuId) -> &CpuSide {
        &self.st.rq(cpu).side
    }

    #[inline]
    fn side_mut(&mut self, cpu: CpuId) -> &mut CpuSide {
        &mut self.st.rq_mut(cpu).side
    }

    #[inline]
    fn idle_ticks(&self) -> bool {
        self.ticks.of_idle()
    }

    #[inline]
    fn tasks_of(&self, cpu: CpuId) -> FairTasks {
        let root = self.st.root(cpu);
        FairTasks {
            queued: root.h_queued,
            runnable: root.h_runnable,
            idle: root.h_idle,
        }
    }

    fn wakees(&self, task: TaskId) -> &Wakees {
        &self.st.task(task).wakees
    }

    fn wakees_mut(&mut self, task: TaskId) -> &mut Wakees {
        &mut self.st.task_mut(task).wakees
    }

    fn recent_cpu(&mut self, task: TaskId) -> &mut CpuId {
        &mut self.st.task_mut(task).recent_cpu
    }

    #[inline]
    fn caches(&self) -> Option<&Caches> {
        self.caches.as_ref()
    }

    fn caches_mut(&mut self) -> Option<&mut Caches> {
        self.caches.as_mut()
    }

    #[inline]
    fn capacities(&self) -> Option<&Capacities> {
        self.capacities.as_deref()
    }

    fn capacities_mut(&mut self) -> Option<&mut Capacities> {
        self.capacities.as_deref_mut()
    }

    fn is_delayed(&self, task: TaskId) -> bool {
        self.st.se(task).delayed
    }

    fn is_buddy(&self, task: TaskId) -> bool {
        let e = self.st.task(task).se;
        self.st.queue(self.st.line(e)).next == e
    }

    fn since_newidle_ratio(&mut self, cpu: CpuId, level: usize, now: u64) -> Option<u64> {
        let timed = self.st.tun.timed_mut()?;
        let stamp = timed.newidle_stamps.get_mut(cpu.index())?.get_mut(level)?;
        let since = now - std::mem::replace(stamp, now);
        timed.newidle_rate.then_some(since)
    }

    fn ask_push(&mut self, src: CpuId, dst: CpuId) {
        self.st.rq_mut(src).side.stop.push(StopWork::Push(dst));
    }

    /// Whether a task stays because it sleeps in its queue and no load is to be moved, or because it is not eligible
    /// where it is, would have to wait again, and no attempt has failed yet (since 6.14).
    fn holds(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, task: TaskId) -> bool {
        let tun = &self.st.tun;
        let ent = self.st.se(task);
        if self.keeps_throttled(cx, task, [src, a.cpu]) {
            return true;
        }
        if tun.later().balance_skips_delayed && ent.delayed && a.migration != Migration::Load {
            let operands = [i64::from(src.0), 0, 0, 0];
            cx.explain(
                Some(a.cpu),
                Some(task),
                reasons::ASLEEP_IN_ITS_QUEUE,
                operands,
            );
            return true;
        }
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        if !tun.later().balance_skips_ineligible || !tun.place_lag || failed > 0 {
            return false;
        }
        let there = if tun.one_queue() {
            u32::from(a.cpu.0)
        } else {
            self.st.group_on(self.st.task(task).group, a.cpu).0
        };
        let lag = self.mean(self.st.line_of(ent)) - ent.v;
        if self.st.queue(there).nr == 0 || lag >= 0 {
            return false;
        }
        let operands = [i64::from(src.0), lag, 0, 0];
        cx.explain(
            Some(a.cpu),
            Some(task),
            reasons::NOT_ELIGIBLE_ON_ITS_CPU,
            operands,
        );
        true
    }
}
