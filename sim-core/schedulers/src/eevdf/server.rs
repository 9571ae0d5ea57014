//! The fair server of each CPU, on these queues. Its rules are in [`crate::linux::reserve::server`].
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `start_server` | `enqueue_task_fair`, `unthrottle_cfs_rq` |
//! | `count_server` | `update_curr`, `put_prev_task_idle` |
//! | `pick_served` | `__pick_task_dl`, `fair_server_pick_task` |
//! | `server_timers` | `dl_server_timer` |

use super::account::ReschedCause;
use super::pick::Picked;
use super::{Eevdf, reasons};
use crate::linux::clock::RqClock;
use crate::linux::reserve::server::{Counted, TIMER};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

impl Eevdf {
    /// The first real-time task is there: from now on servers matter.
    pub(super) fn begin_servers(&mut self, now: u64) {
        if self.reserve.begins_servers() {
            for c in 0..self.st.rqs.len() {
                self.start_server(CpuId::new(c), now);
            }
        }
    }

    /// The server of a CPU starts, if fair tasks are queued.
    #[cold]
    fn start_server(&mut self, cpu: CpuId, now: u64) {
        if self.st.root(cpu).h_queued == 0 {
            return;
        }
        let Some((server, full)) = self.reserve.server(cpu) else {
            return;
        };
        let at_once = server.start(full, now);
        self.reserve.moves_timer();
        let curr = self.st.rq(cpu).curr;
        if at_once && curr.is_some_and(|curr| self.st.task(curr).real_time) {
            self.wanted.push((cpu, ReschedCause::Served));
        }
    }

    /// Fair tasks joined the queue of a CPU, which had `before` of them.
    #[inline]
    pub(super) fn note_fair(&mut self, cpu: CpuId, before: u32, now: u64) {
        if before == 0 && self.reserve.server(cpu).is_some() {
            let rq = self.st.rq(cpu);
            if rq.curr.is_none() && rq.nr_running == 0 {
                self.count_server(cpu, now);
            }
            self.start_server(cpu, now);
        }
    }

    /// Counts the time of a CPU up to now, for its server. Returns whether the turn of the server ends.
    #[inline]
    pub(super) fn count_server(&mut self, cpu: CpuId, now: u64) -> bool {
        let Some((server, full)) = self.reserve.server(cpu) else {
            return false;
        };
        let counted = match self.st.rq(cpu).curr {
            None => {
                server.was_idle(now);
                Counted::Same
            }
            Some(curr) if self.st.task(curr).real_time => {
                server.was_real_time(now);
                Counted::Same
            }
            Some(_) => {
                let grid = self.ticks.of(cpu).copied();
                let tick = |at| grid.map_or(at, |grid| grid.at_or_after(SimTime(at)).0);
                server.ran(full, now, tick)
            }
        };
        self.reserve.moves_timer();
        counted == Counted::UsedUp
    }

    /// The outgoing task of a CPU is put back.
    pub(super) fn put_served(&mut self, cx: &mut Cx<'_>, cpu: CpuId, fair: bool, runnable: bool) {
        let ends = self.count_server(cpu, cx.now.0);
        let Some((server, full)) = self.reserve.server(cpu) else {
            return;
        };
        if fair && runnable {
            server.charged_again(full, cx.now.0);
        }
        if ends {
            self.explain_end(cx, cpu);
        }
    }

    /// A tick while a fair task is served. Returns whether its turn ends.
    pub(super) fn served_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let ends = self.reserve.serves_fair(cpu) && self.count_server(cpu, cx.now.0);
        if ends {
            self.explain_end(cx, cpu);
        }
        ends
    }

    /// Records that a server serves from now on.
    #[cold]
    pub(super) fn explain_begin(&self, cx: &mut Cx<'_>, cpu: CpuId) -> DecisionId {
        let [runtime, period] = self.reserve.full_server();
        let operands = [runtime, period, 0, 0];
        cx.explain(Some(cpu), None, reasons::FAIR_SERVER_BEGINS, operands)
    }

    /// Records that the turn of a server has ended.
    fn explain_end(&self, cx: &mut Cx<'_>, cpu: CpuId) {
        let task = self.st.rq(cpu).curr;
        let [runtime, period] = self.reserve.full_server();
        let operands = [runtime, period, 0, 0];
        cx.explain(Some(cpu), task, reasons::FAIR_SERVER_ENDS, operands);
    }

    /// The next fair task of a CPU whose server serves. The server stops if there is none.
    #[cold]
    pub(super) fn pick_served(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
    ) -> Option<Picked> {
        let picked = self.pick_fair(cx, cpu, prev);
        if picked.is_none()
            && let Some((server, _)) = self.reserve.server(cpu)
        {
            server.stop();
            self.reserve.moves_timer();
        }
        picked
    }

    /// Records that a fair task runs although a real-time task waits.
    pub(super) fn explain_served(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
    ) -> DecisionId {
        let left = self.reserve.server(cpu).map_or(0, |(s, _)| s.runtime());
        cx.explain(Some(cpu), Some(task), reasons::FAIR_SERVED, [left, 0, 0, 0])
    }

    /// The timer of servers has expired.
    pub(super) fn server_timers(&mut self, cx: &mut Cx<'_>) {
        let now = cx.now.0;
        for cpu in self.reserve.expiring(now) {
            self.update_rq_clock(cpu, now);
            if self.st.rq(cpu).curr.is_some() {
                self.count_server(cpu, now);
            }
            self.reserve.moves_timer();
            let Some((server, full)) = self.reserve.server(cpu) else {
                continue;
            };
            if server.timer().is_some_and(|at| at > now) || !server.expires(full, now) {
                continue;
            }
            if self.st.root(cpu).nr == 0 {
                server.stop();
                continue;
            }
            let why = self.explain_begin(cx, cpu);
            cx.requery(cpu);
            self.resched(cx, cpu, Some(why));
        }
    }

    /// Sets the timer that servers have moved.
    #[inline]
    pub(super) fn set_server_timer(&mut self, cx: &mut Cx<'_>) {
        if let Some(at) = self.reserve.moved_timer() {
            cx.arm(TIMER, SimTime(at));
        }
    }
}
