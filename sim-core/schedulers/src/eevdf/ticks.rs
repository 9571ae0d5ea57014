//! A tick that matters, and the kernel's clock.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `scheduler_tick` | `sched_tick`, `task_tick_fair`, `entity_tick` |
//! | `clocks` | `tick_setup_sched_timer` |

use super::account::ReschedCause;
use super::state::{Ent, NONE};
use super::{Eevdf, reasons};
use crate::linux::clock::RqClock;
use crate::linux::lending::Lending;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::caches::Gathering;
use crate::linux::machine::capacity::Fitting;
use crate::linux::machine::load::LoadTracking;
use crate::linux::numa::Host;
use crate::linux::rt::RealTime;
use crate::linux::signed;
use sim_contract::Kernel;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::ClockSpec;
use sim_contract::idle::IdleGovernor;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// The entity of the fair task that runs on a CPU.
    #[inline]
    pub(super) fn fair_running(&self, cpu: CpuId) -> Option<Ent> {
        let t = self.st.task(self.st.rq(cpu).curr?);
        (!t.real_time && t.cpu == cpu && self.st.ent(t.se).on_rq).then_some(t.se)
    }

    /// A tick of the running entity, level by level. Returns whether it asks for a reschedule.
    pub(super) fn entity_ticks(
        &mut self,
        task: Ent,
        at: u64,
        shares: bool,
    ) -> Option<ReschedCause> {
        let mut asks = None;
        let mut e = task;
        while e != NONE {
            let ent = self.st.ent(e);
            let (q, parent) = (ent.queue, ent.parent);
            let of_level = self.update_curr(q, at);
            asks = asks.or(of_level);
            self.tick_level(e, at, shares);
            e = parent;
        }
        if self.st.tun.one_queue() {
            self.renew_effective(task);
        }
        asks
    }

    /// A tick that matters. `fair` is the running entity, if it is that of a fair task.
    #[inline]
    pub(super) fn scheduler_tick(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        fair: Option<Ent>,
    ) -> bool {
        let now = cx.now.0;
        let curr = self.st.rq(cpu).curr;
        if fair.is_none() {
            self.update_rq_clock(cpu, now);
        }
        let mut need = false;
        if let (Some(task), Some(e)) = (curr, fair) {
            if let Some(asks) = self.fair_tick(cpu, e, now) {
                self.explain_asks(cx, cpu, task, asks);
                need = true;
            }
            need |= self.served_tick(cx, cpu);
            // An update of group weights may have asked too.
            need |= !self.wanted.is_empty();
            self.wanted.clear();
            self.note_misfit(cx, cpu, Some(task));
        } else if let Some(task) = curr
            && self.st.task(task).real_time
        {
            need = self.rt_tick(cx, cpu, task);
        }
        if let Some(task) = curr {
            self.memory_tick(cx, cpu, task);
            self.cache_tick(cx, cpu, task);
        }
        self.st.rq_mut(cpu).clock.set(now);
        if need {
            self.ticks.ask(cpu);
        }
        self.balance_tick(cx, cpu);
        need
    }

    /// Records why accounting asks for a reschedule.
    pub(super) fn explain_asks(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        asks: ReschedCause,
    ) -> DecisionId {
        let (e, of_task) = match asks {
            ReschedCause::OutOfTime(e) => return self.explain_out_of_time(cx, cpu, task, e),
            ReschedCause::Served => return self.explain_begin(cx, cpu),
            ReschedCause::RequestUsed(e) => (e, reasons::REQUEST_USED),
            ReschedCause::Ahead(e) => (e, reasons::UNPROTECTED_AND_AHEAD),
            ReschedCause::Unprotected(e) => (e, reasons::UNPROTECTED),
        };
        let (ent, queue) = self.st.level(e);
        let reason = if ent.is_task() {
            of_task
        } else {
            reasons::of_group(of_task)
        };
        let lag = queue.mean(self.curr_of(queue)) - ent.v;
        let slice = signed(ent.slice);
        let operands = [lag, ent.deadline - ent.v, slice, i64::from(queue.nr)];
        cx.explain(Some(cpu), Some(task), reason, operands)
    }

    /// Records that a control group has no time left.
    #[cold]
    fn explain_out_of_time(&self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, e: Ent) -> DecisionId {
        let groups = self.cgroups.as_ref();
        let left = groups.and_then(|g| Some((g, g.left(self.st.ent(e).queue)?)));
        let operands = left.map_or([0; 4], |(groups, (group, left))| {
            [i64::from(group) + 1, -left, groups.pool(group)[0], 0]
        });
        cx.explain(Some(cpu), Some(task), reasons::CGROUP_OUT_OF_TIME, operands)
    }
}

impl Kernel for Eevdf {
    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(self.st.tun.hz).unwrap_or(u32::MAX),
            whole_ns: true,
            in_step: true,
            ..ClockSpec::default()
        }]
    }

    fn waiter_rank(&self, tasks: &[sim_contract::cx::TaskInfo], task: TaskId) -> u32 {
        self.rank_of_waiter(&tasks[task.index()], task)
    }

    fn idle_governor(&self) -> IdleGovernor {
        if self.st.tun.since_6_17() {
            IdleGovernor::Menu618
        } else {
            IdleGovernor::Menu612
        }
    }
}
