//! `sched_clock`: the effects of a tick of the statistics clock, for one tick or many quiet ones.

use super::Ule;
use super::eras::{SliceRule, WindowRule};
use super::runqs::Insert;
use super::{clamp, reasons, slice};
use crate::freebsd::ranges::Class;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimTime, TickGrid};

impl Ule {
    /// The kernel's `ticks`: ticks of hz since the start.
    pub(super) fn ticks(&self, cx: &Cx<'_>) -> i64 {
        self.ticks_at(cx.now.0)
    }

    pub(super) fn ticks_at(&self, now: u64) -> i64 {
        clamp(self.st.tune.rates().ticks(SimTime(now)))
    }

    /// Length of a slice on a CPU now (`tdq_slice`).
    pub(super) fn slice_length(&self, cpu: CpuId) -> u32 {
        let sysload = self.st.tdqs[cpu.index()].sysload;
        slice::length(self.era, self.st.tune.slice, sysload)
    }

    /// Ticks until the slice of the running thread ends; `None` if it never does.
    pub(super) fn slice_left(&self, cpu: CpuId, task: TaskId) -> Option<u32> {
        let t = &self.st.threads[task.index()];
        match (self.era.slice, t.class) {
            (_, Class::Fifo) => None,
            (SliceRule::DownTimeshare, Class::Realtime | Class::Idle) => None,
            (SliceRule::DownTimeshare | SliceRule::Down, _) => Some(t.slice.max(1)),
            (SliceRule::Up, _) => Some(self.slice_length(cpu).saturating_sub(t.slice).max(1)),
        }
    }

    /// Until 2012: charges the running thread for the ticks of hz up to now.
    pub(super) fn charge_hz(&mut self, cpu: CpuId, now: i64) {
        if self.era.window != WindowRule::PerTick {
            return;
        }
        let tdq = &mut self.st.tdqs[cpu.index()];
        if let Some(task) = tdq.curr {
            let hz = i64::from(self.st.tune.hz);
            let window = &mut self.st.threads[task.index()].window;
            window.run_ticks(tdq.hz_seen, now, hz);
        }
        self.st.tdqs[cpu.index()].hz_seen = now;
    }

    /// Brings the CPU use of a thread up to date; `run`: it ran since the last time.
    pub(super) fn update_window(&mut self, task: TaskId, now: i64, run: bool) {
        let hz = i64::from(self.st.tune.hz);
        let window = &mut self.st.threads[task.index()].window;
        match self.era.window {
            WindowRule::Elapsed => window.update(now, run, hz),
            WindowRule::PerTick => window.stretch(now, hz),
        }
    }

    /// 2007: updates the CPU use of a batch thread that leaves the queue (`tdq_runq_rem`). The kernel then computes its
    /// priority. Returns whether anything changed.
    pub(super) fn look_at_window(&mut self, task: TaskId, now: i64) -> bool {
        let hz = i64::from(self.st.tune.hz);
        let window = &mut self.st.threads[task.index()].window;
        let before = *window;
        window.last = now;
        window.stretch(now, hz);
        *window != before
    }

    /// A tick that may do something. Returns whether the CPU must reschedule.
    pub(super) fn stat_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        self.saw_tick(cpu, cx.now.0);
        if self.counts_balance(cpu) {
            self.st.balance_ticks = self.st.balance_ticks.saturating_sub(1);
            if self.st.balance_ticks == 0 {
                self.sched_balance(cx);
            }
        }
        self.count_and_turn(cpu, 1, 1);
        let Some(task) = self.st.tdqs[cpu.index()].curr else {
            return false;
        };
        self.charge(cpu, task, 1, cx.now.0);
        if self.era.priority_each_tick {
            self.sched_priority(cx, task);
        }
        let Some(left) = self.slice_left(cpu, task) else {
            return false;
        };
        if left > 1 {
            self.count_slice(task, 1);
            return false;
        }
        let alone = self.st.alone.contains(cpu);
        self.end_slice(cx, cpu, task);
        if !alone {
            let t = &self.st.threads[task.index()];
            let operands = [
                i64::from(self.slice_length(cpu)),
                i64::from(self.st.tdqs[cpu.index()].sysload),
                i64::from(t.pri),
                i64::from(t.user_pri),
            ];
            cx.explain(Some(cpu), Some(task), reasons::SLICE_END, operands);
        }
        self.st.tdqs[cpu.index()].resched = true;
        true
    }

    /// Ends a slice that is used up.
    fn end_slice(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let full = self.st.tune.slice;
        let t = &mut self.st.threads[task.index()];
        match self.era.slice {
            SliceRule::DownTimeshare => t.slice = 0,
            SliceRule::Down => t.slice = full,
            SliceRule::Up => {
                t.slice = 0;
                t.slice_end = true;
            }
        }
        if !self.era.priority_each_tick {
            self.charge_hz(cpu, self.ticks(cx));
            self.sched_priority(cx, task);
        }
    }

    fn count_slice(&mut self, task: TaskId, n: u32) {
        let t = &mut self.st.threads[task.index()];
        match self.era.slice {
            SliceRule::DownTimeshare | SliceRule::Down => t.slice = t.slice.saturating_sub(n),
            SliceRule::Up => t.slice += n,
        }
    }

    fn saw_tick(&mut self, cpu: CpuId, at: u64) {
        self.st.tdqs[cpu.index()].stat_seen = at;
    }

    /// Updates the counts of switches and the calendar: `n` ticks in calls of `cnt`.
    fn count_and_turn(&mut self, cpu: CpuId, n: u64, cnt: u64) {
        let era = self.era;
        let queues = &self.st.queues;
        let tdq = &mut self.st.tdqs[cpu.index()];
        let calls = n / cnt.max(1);
        tdq.oldswitchcnt = if calls > 1 { tdq.load } else { tdq.switchcnt };
        tdq.switchcnt = tdq.load;
        if !self.st.tune.calendar_turns {
            return;
        }
        let turns = match era.turn {
            super::eras::CalendarPace::OneSlot => calls,
            super::eras::CalendarPace::SevenQuarters => n,
        };
        tdq.hands
            .tick(era, turns, cnt, |from| queues.first_slot(cpu, from));
    }

    /// Charges CPU use and run time for `n` ticks, the last of them at a time.
    fn charge(&mut self, cpu: CpuId, task: TaskId, n: u64, last: u64) {
        let (rates, grid) = (self.st.tune.rates(), self.stat_grid(cpu));
        let hz = i64::from(self.st.tune.hz);
        match self.era.window {
            WindowRule::PerTick => self.charge_hz(cpu, self.ticks_at(last)),
            WindowRule::Elapsed => {
                // Only the first tick at or after the window's end shortens the window; the ticks between only add to
                // it.
                let ticks = |i: u64| clamp(rates.ticks(grid.before(SimTime(last), n - 1 - i)));
                let window = &mut self.st.threads[task.index()].window;
                let mut done = 0;
                while done < n {
                    let cut = window.first + 11 * hz;
                    if ticks(n - 1) < cut {
                        window.update(ticks(n - 1), true, hz);
                        break;
                    }
                    let (mut low, mut high) = (done, n - 1);
                    while low < high {
                        let middle = low.midpoint(high);
                        if ticks(middle) < cut {
                            low = middle + 1;
                        } else {
                            high = middle;
                        }
                    }
                    if low > done {
                        window.update(ticks(low - 1), true, hz);
                    }
                    window.update(ticks(low), true, hz);
                    done = low + 1;
                }
            }
        }
        let t = &mut self.st.threads[task.index()];
        if t.class == Class::Timeshare {
            let (incr, cap) = (self.st.tune.tickincr, self.st.tune.history_cap);
            t.history.run_for(n, incr, cap);
        }
    }

    /// Applies `n` quiet ticks, the last at a time.
    pub(super) fn quiet_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, n: u64, last: u64) {
        let grid = self.stat_grid(cpu);
        if self.counts_balance(cpu) {
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            self.st.balance_ticks = self.st.balance_ticks.saturating_sub(n);
        }
        let mut left = n;
        while left > 0 {
            let curr = self.st.tdqs[cpu.index()].curr;
            let until_end = curr.and_then(|task| self.slice_left(cpu, task));
            let steps = until_end.map_or(left, |k| left.min(u64::from(k)));
            let at = grid.before(SimTime(last), left - steps).0;
            self.plain_ticks(cx, cpu, curr, steps, at);
            left -= steps;
            if let (Some(task), Some(k)) = (curr, until_end) {
                if steps == u64::from(k) {
                    debug_assert!(
                        self.st.alone.contains(cpu),
                        "only the slices of lone threads end in quiet"
                    );
                    self.renew_alone(cx, cpu, task, at);
                } else {
                    let steps = u32::try_from(steps).unwrap_or(u32::MAX);
                    self.count_slice(task, steps);
                }
            }
        }
        self.saw_tick(cpu, last);
    }

    fn plain_ticks(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        curr: Option<TaskId>,
        n: u64,
        last: u64,
    ) {
        self.count_and_turn(cpu, n, 1);
        if let Some(task) = curr {
            self.charge(cpu, task, n, last);
            if self.era.priority_each_tick {
                self.sched_priority(cx, task);
            }
        }
    }

    /// Ends the slice of a thread that is alone on its CPU: the reschedule puts it back and takes it again.
    fn renew_alone(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, at: u64) {
        let now = self.ticks_at(at);
        let full = self.st.tune.slice;
        let down = self.era.slice != SliceRule::Up;
        if !self.era.priority_each_tick {
            // 2007: CPU use is computed when the slice ends.
            self.charge_hz(cpu, now);
            self.sched_priority(cx, task);
        }
        let t = &mut self.st.threads[task.index()];
        t.pri = t.user_pri;
        self.pass_queue_alone(cx, cpu, task, Insert::Normal, now);
        self.update_window(task, now, false);
        let t = &mut self.st.threads[task.index()];
        t.slice = if down { full } else { 0 };
        // Its user priority may be another since it left the queue.
        t.pri = t.user_pri;
        t.base_pri = t.user_pri;
        t.rltick = now;
        t.in_interrupt = false;
        let pri = t.pri;
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.switchcnt += 1;
        tdq.lowpri = pri;
    }

    /// Number of ticks that an idle CPU has missed in its sleep, up to now.
    fn missed_ticks(&self, cpu: CpuId, now: u64) -> u64 {
        let seen = self.st.tdqs[cpu.index()].stat_seen;
        self.stat_grid(cpu).count(SimTime(seen), SimTime(now))
    }

    /// The ticks of a CPU's statistics clock.
    pub(super) fn stat_grid(&self, cpu: CpuId) -> TickGrid {
        self.ticking[cpu.index()].stat
    }

    /// Applies the ticks that an idle CPU has missed in its sleep. Returns whether the balancer is due.
    pub(super) fn replay_missed(&mut self, cpu: CpuId, now: u64) -> bool {
        let n = self.missed_ticks(cpu, now);
        if n == 0 {
            return false;
        }
        let one_call = self.era.idle == super::eras::IdleRule::ReplayOnce;
        self.count_and_turn(cpu, n, if one_call { n } else { 1 });
        self.st.tdqs[cpu.index()].stat_seen = now;
        if !self.counts_balance(cpu) {
            return false;
        }
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let before = self.st.balance_ticks;
        // The remaining ticks count from the next run on. At most half an interval lies between two wakes.
        self.st.balance_ticks = before.saturating_sub(n);
        before > 0 && self.st.balance_ticks == 0
    }
}
