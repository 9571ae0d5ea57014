//! 4BSD, the traditional scheduler of FreeBSD: one run queue for all CPUs, one lock, and priorities that follow recent
//! CPU time.
//!
//! | hook | kernel function (`sched_4bsd.c`, `kern_switch.c`) | deviation |
//! |---|---|---|
//! | `start` | `sched_setup`, `loadav` | the load averages start from a tunable, not from the boot |
//! | `timer` | callouts: `schedcpu_thread` wakes, `loadav`; a clock interrupt | the signals of `schedcpu`'s wake-up are not counted; a real-time thread that is better than the process does not hold it up |
//! | `task_new` | `sched_fork`, `fork1` | a thread whose parent is not simulated starts from estcpu 0; it is queued from its last CPU, as if a shell there had forked and gone to sleep |
//! | `task_exit` | `sched_exit` | the parent is the creating thread, not the first one of its process |
//! | `waking` | `sched_wakeup`, `updatepri`; before it `loadav`, if that is due at the same tick and comes first | |
//! | `select_cpu`, `enqueue`, `check_preempt` | `sched_add`: choice of the queue, then the list, then signals | the order of list and signals, which changed in 2014, cannot be seen here: no time passes between them |
//! | `dequeue` | `sched_sleep`, `sched_rem` | every sleep has the priority of `nanosleep`, a stop has none; real-time classes keep theirs where the era says so |
//! | `timed_sleep` | `kern_nanosleep`, `callout_reset` | from 10.x on an idle CPU is taken to have the interrupts with which callouts are put together |
//! | `put_prev` | first half of `sched_switch`; `schedcpu`, if it has been woken for this CPU | `schedcpu` takes no time: a CPU that is signalled for the thread it displaced finds nothing |
//! | `pick_next` | `choosethread`, `sched_choose`; return to user mode | a woken thread is back in user mode as soon as it runs |
//! | `tick` | `sched_clock` | |
//! | `yield_task` | – (`sched_relinquish` is `put_prev`) | |
//! | `set_nice` | `sched_nice` | |
//! | `lend` | `sched_lend_user_prio`, `umtx_pi` | a thread that waits in a queue and gives a loan back is not made to reschedule when it next runs |
//! | `set_allowed` | `sched_affinity` | |
//!
//! Rules, in brief:
//! 1. Each tick of the statistics clock adds one to the estcpu of the running thread. Once a second every estcpu
//!    decays, more slowly if the load average is high. Estcpu and nice make the user priority.
//! 2. A thread that becomes runnable goes to the list of its priority in the one queue. If any CPU is idle, all idle
//!    CPUs are signalled, and the first to come takes the best thread. If none is idle, only the CPU on which this
//!    happens compares; the running threads of other CPUs are not read.
//! 3. A CPU that enters the scheduler puts its thread back and takes the first one of the best list, in one critical
//!    section. The scheduler does not know caches and hyper-threads; by default nothing prefers the last CPU.
//! 4. Only threads limited to some CPUs use the queues of CPUs, which are chosen by length.
//!
//! Simplifications:
//! - Of the CPUs that are signalled in vain only the winner of the race is sent a signal. The others would find an
//!   empty queue and halt again; counters count all.
//! - Up to 9.3 sleeps end in the clock's interrupt thread, which preempts the running thread and takes no time; later
//!   they end in the interrupt. r251496 is assumed to end sleeps as 9.3 does.
//! - Up to 9.3 what is due at one tick comes in the order in which it was armed, also if it belongs to several CPUs.
//!   There it is a race from 8.0 on.
//! - The clocks of hz and of statistics that tick at one instant are one interrupt, which charges the thread it
//!   interrupts (inferred from their order).
//! - Locks of the kernel lend no priority; mutexes of user mode do.
//! - A kernel thread of the background is an interrupt thread; all have one priority.
//! - Era 2011-11 has no exact text: it is 8.0 with the priorities and the clock of 2011, and estcpu of a forked process
//!   starts from 0.
//! - Kernels for one CPU are not distinguished from those for many, which have the same weight there.
//! - The rewrite of 2026 with queues per CPU is not an era: besides these priorities it consists of ULE's queues,
//!   choice of CPU, stealing and balancing.

mod add;
pub mod arithmetic;
mod choose;
mod era;
mod forward;
mod lending;
mod lifecycle;
mod observe;
mod passes;
mod preempt;
mod priority;
mod quantum;
mod reasons {
    sim_contract::reasons!("fourbsd");
}
mod switch;
#[cfg(test)]
mod tests;
mod tunables;

use crate::freebsd::clocks::Rates;
use crate::freebsd::lending::Lent;
use crate::freebsd::ranges::{NICE_MAX, PRI_MAX_IDLE};
use crate::freebsd::runq::RunQueues;
use crate::freebsd::sleep::Clocks;
use arithmetic::{FSCALE, Scale};
use era::Era;
use passes::Passes;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::flags::{
    ClockId, ClockSpec, DequeueFlags, EnqueueFlags, LockScope, Placement, SwitchReason, TimerId,
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
use sim_ground::time::{SimTime, TickGrid};
use tunables::Settings;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "4bsd",
    name: "4BSD",
    summary: "One queue for all CPUs, by priorities that forget CPU time once a second.",
    family: "freebsd",
    nice_max: NICE_MAX,
    queue_shape: "ladder",
    eras: &[
        EraInfo {
            id: "2007-10",
            name: "October 2007 · 7.x",
            summary: "Quanta of 105 ms counted from the last switch; idle CPUs woken blindly.",
            year: 2007,
            tunables: tunables::UNTIL_2010,
        },
        EraInfo {
            id: "2010",
            name: "2010 · 8.x",
            summary: "As in 2007; runq_fuzz only for the global queue.",
            year: 2010,
            tunables: tunables::UNTIL_2010,
        },
        EraInfo {
            id: "2011-11",
            name: "November 2011 · 10-CURRENT r227746",
            summary: "New priority ranges, a statistics clock of 127 Hz; quanta of 102 ms.",
            year: 2011,
            tunables: tunables::IN_2011,
        },
        EraInfo {
            id: "2013-06",
            name: "June 2013 · 10-CURRENT r251496, 9.3",
            summary: "Slices that stay with the thread; a yield goes to the head of the list.",
            year: 2013,
            tunables: tunables::FROM_2012,
        },
        EraInfo {
            id: "2017",
            name: "2017 · 10.4",
            summary: "A yield goes to the tail again.",
            year: 2017,
            tunables: tunables::FROM_2012,
        },
        EraInfo {
            id: "15",
            name: "15-CURRENT (2022 to 2025)",
            summary: "Ranges moved; interrupt threads that use a whole quantum get worse.",
            year: 2024,
            tunables: tunables::FROM_2012,
        },
        EraInfo {
            id: "16",
            name: "16-CURRENT (early 2026)",
            summary: "256 lists of one priority each; estcpu reaches further, nice weighs less.",
            year: 2026,
            tunables: tunables::IN_16,
        },
    ],
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(FourBsd::new(setup)),
    check_program: None,
};

/// Class of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Interrupt,
    Timeshare,
    Realtime,
    IdleClass,
}

/// Activity of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum ThreadActivity {
    Nothing,
    Queued,
    Running,
    Sleeping,
    Gone,
}

/// The state that 4BSD keeps of a thread.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Thread {
    kind: Kind,
    doing: ThreadActivity,
    /// `td_priority`: in the kernel it is better than the user priority.
    priority: u8,
    /// `td_user_pri`.
    user_priority: u8,
    /// `td_estcpu`.
    estcpu: u32,
    /// `ts_pctcpu`.
    pctcpu: u32,
    /// `ts_cpticks`: ticks charged since the last `schedcpu`.
    cpticks: u32,
    /// `ts_slptime`, in passes of `schedcpu`.
    slptime: u32,
    /// `ts_slice`, in ticks of the statistics clock; unused where quanta are counted from the switch.
    slice: i32,
    /// `TSF_DIDRUN`.
    did_run: bool,
    /// When the callout that ends its sleep was armed; none if an interrupt ends it.
    timed: Option<SimTime>,
    /// `td_lastcpu`.
    last_cpu: Option<CpuId>,
}

/// The state that 4BSD keeps of a CPU.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cpu {
    curr: Option<TaskId>,
    /// `ticks` at the last switch.
    switchticks: u64,
    /// `td_owepreempt` of the running thread: whether it was preempted in the kernel.
    owes_preemption: bool,
    /// `TDF_SLICEEND` of the running thread.
    slice_ended: bool,
    /// The thread that was put back, between `put_prev` and `pick_next`.
    returned: Option<TaskId>,
    /// Whether the CPU's next interrupt notices something: a thread queued without a signal, or a forbidden CPU.
    notices: bool,
    /// The time of that interrupt.
    notices_at: SimTime,
    /// The last tick that was charged.
    ticked_at: SimTime,
}

/// Counters of the kernel (`kern.sched.ipiwakeup`), and some of our own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counters {
    requested: u64,
    delivered: u64,
    signals: u64,
    yields: u64,
    dispatches: u64,
    lock_acquisitions: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct FourBsdState {
    settings: Settings,
    /// The global queue, then the queue of each CPU.
    queues: RunQueues,
    threads: Vec<Thread>,
    /// Threads in the order of their creation; those that have ended stay until the next `schedcpu`.
    living: Vec<TaskId>,
    cpus: Vec<Cpu>,
    /// `idle_cpus_mask`.
    idle: CpuMask,
    /// Whether any thread so far was limited to some CPUs.
    any_limited: bool,
    /// Whether the engine knows that a thread waits in the global queue.
    told_waiting: bool,
    /// Whether the engine knows that a CPU is idle.
    told_idle: bool,
    /// `sched_tdcnt`: threads that run or wait.
    load: u32,
    /// `averunnable`: the load averages.
    load_averages: [u32; 3],
    passes: Passes,
    counters: Counters,
}

/// The clock that charges threads. The other clock, `hardclock`, only counts (`sched_tick` is empty), but its
/// interrupts take time.
const STATCLOCK: ClockId = 1;

/// The global queue; the queue of CPU c is `GLOBAL + 1 + c`.
const GLOBAL: usize = 0;

/// The scheduler.
struct FourBsd {
    era: &'static Era,
    scale: Scale,
    rates: Rates,
    /// The clocks of each CPU.
    ticking: Vec<Clocks>,
    /// What threads borrowed by locks. It is kept outside the state, so that runs without such locks have none of it.
    loans: Loans<Lent>,
    st: FourBsdState,
}

fn queue_of(cpu: CpuId) -> usize {
    GLOBAL + 1 + cpu.index()
}

fn n(x: usize) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

impl FourBsd {
    fn new(setup: &Setup) -> Self {
        let era = era::find(setup.era);
        let hz = u32::try_from(setup.params.get_u64("hz")).unwrap_or(1_000);
        let rates = Rates {
            hz,
            stathz: (era.stathz)(hz),
        };
        let boot_load = u32::try_from(setup.params.get_u64("bootLoad")).unwrap_or(0);
        Self {
            era,
            scale: Scale::new(setup.era, u32::try_from(setup.cpus).unwrap_or(1)),
            rates,
            ticking: Clocks::of_rates(rates, setup.cpus),
            loans: Loans::new(),
            st: FourBsdState {
                settings: Settings::new(era, rates, &setup.params),
                queues: RunQueues::new(1 + setup.cpus, era.lists()),
                threads: Vec::new(),
                living: Vec::new(),
                cpus: vec![Cpu::default(); setup.cpus],
                idle: CpuMask::first(setup.cpus),
                any_limited: false,
                told_waiting: false,
                told_idle: false,
                load: 0,
                load_averages: [boot_load * FSCALE; 3],
                passes: Passes::START,
                counters: Counters::default(),
            },
        }
    }

    fn thread(&self, task: TaskId) -> &Thread {
        &self.st.threads[task.index()]
    }

    fn thread_mut(&mut self, task: TaskId) -> &mut Thread {
        &mut self.st.threads[task.index()]
    }

    /// Priority of the running thread of a CPU; that of the idle thread if the CPU is idle.
    fn priority_on(&self, cpu: CpuId) -> u8 {
        match self.st.cpus[cpu.index()].curr {
            Some(task) => self.thread(task).priority,
            None => PRI_MAX_IDLE,
        }
    }

    /// Number of threads that wait in any queue.
    fn waiting(&self) -> i64 {
        (0..=self.st.cpus.len())
            .map(|q| n(self.st.queues.len(q)))
            .sum()
    }
}

impl Scheduler for FourBsd {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.arm_passes(cx);
    }

    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        self.on_timer(cx, timer);
        self.tell(cx);
    }

    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        self.sched_fork(cx, task, parent);
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.sched_exit(cx, task);
        self.loans.remove(&task);
    }

    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.loadav_before(cx, task);
        self.sched_wakeup(cx, task);
    }

    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        match self.home(cx, task) {
            Some((cpu, why)) => Answer::new(Placement::Cpu(cpu), why),
            None => Answer::undecided(Placement::Shared),
        }
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, _: EnqueueFlags) {
        let home = match place {
            Placement::Cpu(cpu) => Some(cpu),
            Placement::Shared => None,
        };
        self.st.load += 1;
        self.st.counters.lock_acquisitions += 1;
        self.queue(cx, task, home, add::End::Tail);
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        _: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        let why = self.announce(cx, task, place);
        self.tell(cx);
        Answer::new(None, why)
    }

    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        self.leave(cx, task, flags);
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        self.switch_out(cx, cpu, prev, why);
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let pick = self.switch_in(cx, cpu);
        self.tell(cx);
        pick
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId) -> bool {
        clock == STATCLOCK && self.sched_clock(cx, cpu)
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, _: i8, _: bool) {
        self.sched_nice(cx, task);
        self.tell(cx);
    }

    fn lend(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        self.lend_user_priority(cx, task, loan);
        self.tell(cx);
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, _: bool) {
        self.sched_affinity(cx, task);
        self.tell(cx);
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        self.st.settings.write(self.era, self.rates, params);
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
    }
}

impl QuietTicks for FourBsd {
    fn tick_grids(&mut self, grids: &[TickGrid], _: bool) {
        self.ticking = Clocks::of(grids);
    }

    fn quiet_until(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        clock: ClockId,
        next: SimTime,
        period: u64,
    ) -> SimTime {
        if clock == STATCLOCK {
            self.next_matter(cx, cpu, next, period)
        } else {
            SimTime::NEVER
        }
    }

    fn looks_around(&self, occasion: Occasion) -> bool {
        match occasion {
            Occasion::Placing => true,
            // A limited thread may be queued to another CPU and compared with the running thread there; `schedcpu` may
            // run.
            Occasion::PutPrev(cpu) => self.st.any_limited || self.st.passes.waits_on == Some(cpu),
            Occasion::Idle(_) | Occasion::Tick(..) => false,
        }
    }

    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId, n: u64, last: SimTime) {
        if clock == STATCLOCK {
            self.skip(cx, cpu, n, last);
        }
    }
}

impl Kernel for FourBsd {
    fn clocks(&self) -> Vec<ClockSpec> {
        self.rates.clocks(self.era.drive)
    }

    fn timed_sleep(&mut self, now: SimTime, cpu: CpuId, task: TaskId, ns: u64) -> (SimTime, CpuId) {
        self.sleep_ends(now, cpu, task, ns)
    }

    /// `sched_lock`.
    fn locks(&self) -> LockScope {
        LockScope::Global
    }

    fn waiter_rank(&self, _: &[sim_contract::cx::TaskInfo], task: TaskId) -> u32 {
        u32::from(self.lent_by(task))
    }

    fn idle_governor(&self) -> IdleGovernor {
        IdleGovernor::FreeBsd(self.rates.busy_by_idle_calls())
    }

    fn fills_nodes(&self) -> bool {
        self.era.fills_nodes
    }

    /// `sched_idletd` reads the bitmaps of the queues before it takes the lock.
    fn idles_without_lock(&self) -> bool {
        true
    }

    fn will_notice(&self, cpu: CpuId) -> bool {
        self.st.cpus[cpu.index()].notices
    }
}

impl Observe for FourBsd {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        self.observe_queues(out);
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
        self.observe_counters()
    }
}

sim_contract::keeps_state_and_loans!(FourBsd, st, loans, |_, _| {});
