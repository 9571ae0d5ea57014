//! ULE (Jeff Roberson), FreeBSD's scheduler with a queue for each CPU, in its eras ([`eras`]).
//!
//! | hook | kernel function | deviation |
//! |---|---|---|
//! | `clocks` | `hardclock`, `statclock` | ticks of hz are counted from the time; they cost, but are no events |
//! | `task_new` | `sched_fork`, `sched_fork_thread`, `thr_new` | a thread whose parent is not simulated starts without history; its score is that of equal run and sleep, so it is batch |
//! | `task_exit` | `sched_exit` | |
//! | `waking` | first half of `sched_wakeup` | |
//! | `select_cpu` | `sched_pickcpu` | a thread that starts without a simulated parent has no "this CPU" |
//! | `enqueue` | `tdq_add` | |
//! | `check_preempt` | `sched_setpreempt`, `tdq_notify` | idle CPUs that spin are signalled like those that halt: `idlespins` and `idlespinthresh` have no effect, and the machine gives the cost of leaving idleness |
//! | `dequeue` | `sched_sleep` and the first half of `sched_switch`; `sched_rem` | all sleeps are of the priority `PWAIT` |
//! | `put_prev` | `sched_preempt`, `ast`, `sched_switch` | a thread returns to user mode the moment it is switched in, unless it was preempted in an interrupt |
//! | `pick_next` | `sched_choose`, `sched_userret` | |
//! | `timed_sleep` | `kern_nanosleep`, callouts | up to 9.3 callouts run in the clock's interrupt thread, which here preempts no thread; from 10.x on an idle CPU is assumed to have the interrupts with which callouts are coalesced |
//! | `idle` | `tdq_trysteal`, `sched_idletd`, `tdq_idled` | the searches that an idle CPU makes after an interrupt for something else are left out |
//! | `tick` | `sched_clock` | an interrupt thread that uses up a slice is not demoted (2024) |
//! | `yield_task` | `sched_relinquish` | |
//! | `set_nice` | `sched_nice` | |
//! | `lend` | `sched_lend_user_prio`, `umtx_pi` | a thread that waits in a queue and gives a loan back is not made to reschedule when it next runs |
//! | `set_allowed` | `sched_affinity` | |
//! | `timer` | the idle loop's wake from half a second of sleep; callouts of the balancer (2007) | polls that cannot find a thread are left out |
//!
//! Rules, in brief:
//! 1. A CPU runs the best thread of its real-time queue (interrupt, real-time and interactive threads), else the next
//!    thread of the timeshare calendar, else the idle class. The first is served by absolute priority, the second in
//!    rotation.
//! 2. A thread that sleeps much more than it runs is interactive. Every other thread gets a batch priority from CPU use
//!    and nice, which says how far ahead in the calendar it waits.
//! 3. Slices end at ticks of the statistics clock.
//! 4. A thread that becomes runnable is placed on a CPU; idle CPUs steal; a balancer runs about once a second.

mod balance;
pub mod calendar;
mod clock;
pub mod eras;
mod idle;
pub mod interact;
mod lending;
mod life;
mod observe;
pub mod place;
pub mod preempt;
mod prio;
pub mod priority;
mod queueing;
mod reasons {
    sim_contract::reasons!("ule");
}
mod runqs;
mod search;
pub mod slice;
mod state;
mod steal;
mod switch;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_smp;
pub mod tunables;
pub mod window;

use crate::freebsd::clocks::Drive;
use crate::freebsd::lending::Lent;
use crate::freebsd::ranges::{NICE_MAX, PRI_MAX_TIMESHARE};
use crate::freebsd::sleep::Clocks;
use eras::Era;
use runqs::{Insert, Queues};
use sim_contract::cx::Cx;
use sim_contract::flags::{
    ClockId, ClockSpec, DequeueFlags, EnqueueFlags, Placement, SwitchReason, TimerId, timer_cpu,
};
use sim_contract::idle::IdleGovernor;
use sim_contract::lending::Loan;
use sim_contract::lending::Loans;
use sim_contract::shape::QueueShape;
use sim_contract::{
    Answer, EraInfo, Kernel, Observe, Occasion, Pick, QueueRow, QuietTicks, Scheduler,
    SchedulerInfo, Setup, SliceView,
};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::Params;
use sim_ground::time::{SimSpan, SimTime, TickGrid};
use sim_machine::views::freebsd::CpuGroups;
use state::UleState;
use tunables::Tune;

/// Position of the statistics clock in [`Kernel::clocks`].
const STATCLOCK: ClockId = 1;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "ule",
    name: "ULE",
    summary: "A queue for each CPU: interactive threads first, the others in a calendar.",
    family: "freebsd",
    nice_max: NICE_MAX,
    queue_shape: "calendar",
    eras: &[
        EraInfo {
            id: "11.1",
            name: "FreeBSD 11.1",
            summary: "Slices by load; one thread from each CPU that has more.",
            year: 2017,
            tunables: tunables::V2013,
        },
        EraInfo {
            id: "2007-10",
            name: "CURRENT · October 2007",
            summary: "Interactive threads in the real-time range; yielding demotes.",
            year: 2007,
            tunables: tunables::V2007,
        },
        EraInfo {
            id: "2011-11",
            name: "10-CURRENT r227746 · 2011",
            summary: "Fixed slices; ties go to the lowest CPU; idle CPUs leave pairs alone.",
            year: 2011,
            tunables: tunables::V2011,
        },
        EraInfo {
            id: "2013-06",
            name: "10-CURRENT r251496 · 2013",
            summary: "Slices by load; a thread that leaves early goes first again, also by sched_yield.",
            year: 2013,
            tunables: tunables::V2013,
        },
        EraInfo {
            id: "11.1-linux",
            name: "FreeBSD 11.1 in Linux 4.9",
            summary: "The port of a published comparison: its clock ticks 250 times a second.",
            year: 2017,
            tunables: tunables::LINUX,
        },
        EraInfo {
            id: "15-2024",
            name: "15-CURRENT · late 2024",
            summary: "88 batch priorities on 64 slots; lone threads rotate over cores.",
            year: 2024,
            tunables: tunables::V2024,
        },
        EraInfo {
            id: "16-2025",
            name: "16-CURRENT · 256 queues",
            summary: "109 batch priorities, a slot each; the calendar turns 7/4 as fast.",
            year: 2025,
            tunables: tunables::V2025,
        },
    ],
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(Ule::new(setup)),
    check_program: None,
};

/// The scheduler.
struct Ule {
    era: &'static Era,
    /// The kernel's tree of CPU groups, found when the machine starts.
    topo: CpuGroups,
    /// The clocks of each CPU.
    ticking: Vec<Clocks>,
    /// What threads borrowed by locks. It is kept outside the state, so that runs without such locks have none of it.
    loans: Loans<Lent>,
    st: UleState,
}

impl Ule {
    fn new(setup: &Setup) -> Self {
        let era = eras::find(setup.era);
        let tune = Tune::new(era, &setup.params, setup.cpus);
        Self {
            era,
            topo: CpuGroups::flat(setup.cpus),
            ticking: Clocks::of_rates(tune.rates(), setup.cpus),
            loans: Loans::new(),
            st: UleState::new(tune, Queues::new(era, setup.cpus), setup.cpus),
        }
    }
}

fn clamp(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

impl Scheduler for Ule {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.topo = CpuGroups::of(cx.machine, self.era.builder, self.st.tune.topology);
        for tdq in &mut self.st.tdqs {
            tdq.random = cx.rng.next_u32();
        }
        self.start_balancer(cx);
        for cpu in cx.machine.cpu_ids() {
            self.become_idle(cx, cpu);
        }
    }

    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        match timer_cpu(timer) {
            Some(cpu) => self.idle_pass(cx, cpu),
            None => self.balance_timer(cx, timer),
        }
    }

    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        self.new_thread(cx, task, parent);
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.end_thread(cx, task);
        self.loans.remove(&task);
    }

    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.credit_sleep(cx, task);
    }

    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        self.sched_priority(cx, task);
        self.tell_class(cx, task);
        let (cpu, why) = self.pick_cpu(cx, task);
        Answer::new(Placement::Cpu(cpu), why)
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, _: EnqueueFlags) {
        let Placement::Cpu(cpu) = place else { return };
        self.move_to(task, cpu, reasons::PLACED);
        self.tdq_add(cpu, task, Insert::Normal);
        self.load_changed(cx, cpu);
        self.wake_pollers(cx, cpu);
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        _: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        match place {
            Placement::Cpu(cpu) => self.preempt_for(cx, cpu, task),
            Placement::Shared => Answer::undecided(None),
        }
    }

    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        self.cease(cx, task, flags);
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        self.give_back(cx, cpu, prev, why);
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        self.take_next(cx, cpu)
    }

    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        self.become_idle(cx, cpu)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId) -> bool {
        clock == STATCLOCK && self.stat_tick(cx, cpu)
    }

    fn yield_task(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let t = &mut self.st.threads[task.index()];
        if !self.era.yield_demotes || t.class != super::freebsd::ranges::Class::Timeshare {
            return;
        }
        if t.pick_cpu || !cx.task(task).allowed.contains(cpu) {
            self.set_running_pri(cpu, task, PRI_MAX_TIMESHARE);
        } else {
            // The CPU's best priority is not read before the switch that follows sets it.
            t.pri = PRI_MAX_TIMESHARE;
            t.base_pri = PRI_MAX_TIMESHARE;
        }
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, _: i8, queued: bool) {
        self.renice(cx, task, queued);
    }

    fn lend(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        self.lend_user_pri(cx, task, loan);
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let cpu = self.st.threads[task.index()].cpu;
        if cx.task(task).allowed.contains(cpu) {
            self.st.threads[task.index()].forbidden = false;
            self.load_changed(cx, cpu);
            // Idle CPUs from which the thread was barred may take it now.
            self.wake_pollers(cx, cpu);
            return;
        }
        if queued {
            self.sched_rem(cx, task);
            self.sched_add(cx, task, Insert::Normal);
        } else if self.st.tdqs[cpu.index()].curr == Some(task) {
            self.st.tdqs[cpu.index()].resched = true;
            self.st.threads[task.index()].forbidden = true;
            let pri = i64::from(self.st.threads[task.index()].pri);
            let why = cx.explain(
                Some(cpu),
                Some(task),
                reasons::FORBIDDEN_HERE,
                [pri, 0, 0, 0],
            );
            self.load_changed(cx, cpu);
            cx.kick(cpu, why);
        }
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        self.st.tune = Tune::new(self.era, params, self.st.tdqs.len());
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
    }
}

impl QuietTicks for Ule {
    fn tick_grids(&mut self, grids: &[TickGrid], _: bool) {
        self.ticking = Clocks::of(grids);
    }

    fn quiet_until(
        &self,
        _: &Cx<'_>,
        cpu: CpuId,
        clock: ClockId,
        next: SimTime,
        period: u64,
    ) -> SimTime {
        if clock != STATCLOCK {
            return SimTime::NEVER;
        }
        let balance = self
            .counts_balance(cpu)
            .then_some(self.st.balance_ticks.max(1));
        let slice = self.st.tdqs[cpu.index()]
            .curr
            .filter(|_| !self.st.alone.contains(cpu))
            .and_then(|task| self.slice_left(cpu, task));
        let ticks = match (balance, slice) {
            (Some(balance), Some(slice)) => balance.min(slice),
            (Some(ticks), None) | (None, Some(ticks)) => ticks,
            (None, None) => return SimTime::NEVER,
        };
        SimTime(next.0 + u64::from(ticks - 1) * period)
    }

    fn quiet_reschedules(&self) -> Option<&CpuMask> {
        Some(&self.st.alone)
    }

    fn looks_around(&self, occasion: Occasion) -> bool {
        match occasion {
            // A thread is inserted into a calendar that turns while its CPU is idle.
            Occasion::Placing => true,
            Occasion::Idle(_) => self.st.tdqs.len() > 1,
            Occasion::PutPrev(cpu) => self.st.tdqs[cpu.index()]
                .curr
                .is_some_and(|task| self.st.threads[task.index()].leaves()),
            Occasion::Tick(cpu, clock) => {
                clock == STATCLOCK && self.counts_balance(cpu) && self.st.balance_ticks <= 1
            }
        }
    }

    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId, n: u64, last: SimTime) {
        if clock == STATCLOCK {
            self.quiet_ticks(cx, cpu, n, last.0);
        }
    }
}

impl Kernel for Ule {
    fn clocks(&self) -> Vec<ClockSpec> {
        self.st.tune.rates().clocks(self.era.drive)
    }

    fn timed_sleep(&mut self, now: SimTime, cpu: CpuId, task: TaskId, ns: u64) -> (SimTime, CpuId) {
        // Interrupt threads wait for an interrupt, not for a callout.
        if self.st.threads[task.index()].noload {
            return (now + SimSpan(ns), cpu);
        }
        let (rule, tune) = (self.era.sleep, &self.st.tune);
        let on = rule.cpu(cpu);
        let clocks = self.ticking[on.index()];
        (rule.end(tune.sleep_end, tune.rates(), clocks, now, ns), on)
    }

    fn waiter_rank(&self, _: &[sim_contract::cx::TaskInfo], task: TaskId) -> u32 {
        u32::from(self.lent_by(task))
    }

    fn idle_governor(&self) -> IdleGovernor {
        match self.era.drive {
            // The port runs in Linux 4.9.
            Drive::Other => IdleGovernor::Menu49,
            _ => IdleGovernor::FreeBsd(self.st.tune.rates().busy_by_switches()),
        }
    }

    fn fills_nodes(&self) -> bool {
        self.era.fills_nodes
    }
}

impl Observe for Ule {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        self.observe_queues(out);
    }

    fn count_waiting(&self, by_cpu: &mut [u64]) {
        for (cpu, count) in by_cpu.iter_mut().enumerate() {
            *count += self.st.queues.waiting(CpuId::new(cpu));
        }
    }

    fn shape(&self) -> QueueShape {
        self.observe_shape()
    }

    fn slice(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        self.slice_view(task, running_on)
    }

    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        self.observe_task_columns(task, out);
    }

    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        self.observe_cpu_columns(cpu, out);
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let c = &self.st.counters;
        vec![
            ("pickcpu_intrbind", c.pickcpu_intrbind),
            ("pickcpu_idle_affinity", c.pickcpu_idle_affinity),
            ("pickcpu_affinity", c.pickcpu_affinity),
            ("pickcpu_lowest", c.pickcpu_lowest),
            ("pickcpu_local", c.pickcpu_local),
            ("pickcpu_migration", c.pickcpu_migration),
            ("balanceRuns", c.balance_runs),
            ("balanceMoves", c.balance_moves),
            ("idleSteals", c.idle_steals),
            ("preemptions", c.preemptions),
        ]
    }
}

sim_contract::keeps_state_and_loans!(Ule, st, loans, |old: &UleState, new: &mut UleState| {
    new.tune.calendar_turns = old.tune.calendar_turns;
});
