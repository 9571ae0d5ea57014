//! Birth, sleep and death of threads: `sched_fork`, `sched_wakeup`, `sched_exit`.

use super::eras::SliceRule;
use super::state::Thread;
use super::window::Window;
use super::{Ule, clamp, reasons, slice};
use crate::freebsd::clocks::TICK_SHIFT;
use crate::freebsd::ranges::Class;
use sim_contract::cx::Cx;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};

impl Ule {
    fn blank(&self, now: i64) -> Thread {
        Thread {
            cpu: CpuId(0),
            rltick: i64::from(i32::MIN),
            slice: 0,
            history: super::interact::History::default(),
            window: Window::new(now),
            class: Class::Timeshare,
            noload: false,
            pinned: false,
            pri: 0,
            base_pri: 0,
            user_pri: 0,
            points: 0,
            score: 0,
            interactive: false,
            told_interactive: false,
            slptick: now,
            slice_end: false,
            in_interrupt: false,
            pick_cpu: false,
            forbidden: false,
            exited: false,
            why: reasons::PLACED,
        }
    }

    /// `sched_fork` of a process, or of a new thread in a process.
    pub(super) fn new_thread(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let now = self.ticks(cx);
        let blank = self.blank(now);
        // Tasks start in any order: lower numbers may start later.
        if self.st.threads.len() <= task.index() {
            self.st.threads.resize(task.index() + 1, blank.clone());
        }
        let info = cx.task(task);
        let class = Class::from(info.policy);
        let kernel = info.kernel_thread;
        let fixed = self.fixed_priority(info.policy, info.rt_priority, kernel);
        let (last_cpu, process) = (info.last_cpu, info.process);
        let mut t = Thread {
            cpu: last_cpu,
            class: if kernel { Class::Realtime } else { class },
            noload: kernel,
            pinned: kernel,
            pri: fixed,
            base_pri: fixed,
            user_pri: fixed,
            ..blank
        };
        let forked = parent.filter(|p| cx.task(*p).process != process);
        if let Some(parent) = parent {
            let cpu = self.st.threads[parent.index()].cpu;
            self.charge_hz(cpu, now);
            if self.era.window == super::eras::WindowRule::Elapsed {
                self.update_window(parent, now, true);
            }
            let p = &self.st.threads[parent.index()];
            t.history = p.history;
            t.window = p.window;
            t.cpu = p.cpu;
            t.told_interactive = p.told_interactive;
            if t.class == Class::Timeshare {
                t.pri = p.base_pri;
                t.base_pri = p.base_pri;
            }
        }
        if forked.is_some() {
            t.history.inherit(self.st.tune.fork_cap);
        }
        t.slice = match self.era.slice {
            SliceRule::DownTimeshare | SliceRule::Down if parent.is_some() => 1,
            SliceRule::DownTimeshare | SliceRule::Down => self.st.tune.slice,
            SliceRule::Up if parent.is_some() => {
                let least = slice::least(self.st.tune.slice);
                self.slice_length(t.cpu).saturating_sub(least)
            }
            SliceRule::Up => 0,
        };
        self.st.threads[task.index()] = t;
        self.sched_priority(cx, task);
        if let Some(parent) = parent {
            self.explain_history(cx, task, parent, forked.is_some());
        }
        if parent.is_none() {
            let t = &mut self.st.threads[task.index()];
            t.pri = t.user_pri;
            t.base_pri = t.user_pri;
        }
        if let Some(parent) = forked {
            self.charge_parent(cx, parent, self.st.tune.tickincr, reasons::FORK_CHARGED);
        }
    }

    /// Run or sleep time of a history in ns.
    fn history_ns(&self, scaled: u64) -> i64 {
        clamp((scaled * self.st.tune.rates().hz_period()) >> TICK_SHIFT)
    }

    /// Records how much a new thread inherits of its parent's history.
    fn explain_history(&self, cx: &mut Cx<'_>, task: TaskId, parent: TaskId, forked: bool) {
        let [own, its] = [task, parent].map(|t| {
            let h = self.st.threads[t.index()].history;
            [h.run, h.sleep].map(|x| self.history_ns(x))
        });
        let t = &self.st.threads[task.index()];
        let (reason, operands) = if forked {
            (reasons::FORK_HISTORY, [own[0], own[1], its[0], its[1]])
        } else {
            let score = i64::from(t.score);
            (reasons::THREAD_HISTORY, [own[0], own[1], score, 0])
        };
        cx.explain(Some(t.cpu), Some(task), reason, operands);
    }

    /// Adds the run time of a child to its parent's.
    fn charge_parent(&mut self, cx: &mut Cx<'_>, parent: TaskId, run: u64, reason: Reason) {
        let cap = self.st.tune.history_cap;
        let history = &mut self.st.threads[parent.index()].history;
        history.run += run;
        history.limit(cap);
        let history = *history;
        self.sched_priority(cx, parent);
        let t = &self.st.threads[parent.index()];
        let [charged, ran, slept] =
            [run, history.run, history.sleep].map(|scaled| self.history_ns(scaled));
        let operands = [charged, ran, slept, i64::from(t.score)];
        cx.explain(Some(t.cpu), Some(parent), reason, operands);
    }

    /// `sched_exit` of a process.
    pub(super) fn end_thread(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.st.threads[task.index()].exited = true;
        let info = cx.task(task);
        let Some(parent) = info.parent else { return };
        let lives = !self.st.threads[parent.index()].exited;
        if lives && cx.task(parent).process != info.process {
            let run = self.st.threads[task.index()].history.run;
            self.charge_parent(cx, parent, run, reasons::EXIT_CHARGED);
        }
    }

    /// `sched_wakeup`, up to the insertion.
    pub(super) fn credit_sleep(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let now = self.ticks(cx);
        let cap = self.st.tune.history_cap;
        let full = self.st.tune.slice;
        let down = self.era.slice != SliceRule::Up;
        let t = &mut self.st.threads[task.index()];
        t.slice = if down { full } else { 0 };
        let slept = (now - t.slptick).max(0).unsigned_abs();
        if slept == 0 {
            return;
        }
        t.history.sleep += slept << TICK_SHIFT;
        t.history.limit(cap);
        self.update_window(task, now, false);
    }
}
