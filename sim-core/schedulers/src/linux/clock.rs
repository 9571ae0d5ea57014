//! The clocks of run queues: the layer between the hooks and the rules that knows of ticks that were left out.
//!
//! In the kernel each tick updates the clock of its CPU's queue, charges what runs there and counts in averages. The
//! engine leaves ticks out that would do nothing else (`QuietTicks`), so a queue may be behind the time. This layer takes
//! the missed ticks of a CPU before somebody reads or changes what they would have changed:
//!
//! | who | calls |
//! |---|---|
//! | a hook, before its rules | [`RqClock::update_rq_clock`] for the CPUs that it is about |
//! | a rule that changes the queue of another CPU | the same, where the kernel has locked that queue and calls `update_rq_clock` |
//! | a rule that compares CPUs, which the kernel does without locks | [`LastTicks`]: what the last ticks of these CPUs have left |
//!
//! So rules read as if each tick had come. What a tick does, and how many are taken at once, is in `clock` of each
//! scheduler.

use super::numa::Host;
use sim_contract::TickTurns;
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;
use sim_ground::time::{SimTime, TickGrid};

/// The ticks of all CPUs, and what a hook knows of them.
#[derive(Debug)]
pub(crate) struct Ticks {
    /// The ticks of each CPU.
    grids: Vec<TickGrid>,
    /// Whether idle CPUs have ticks.
    of_idle: bool,
    /// The order in which CPUs take turns.
    turns: TickTurns,
    /// During a hook: the CPU whose turn it is at this instant; CPUs that come later have not ticked yet.
    turn: Option<CpuId>,
    /// During a hook: the CPU whose tick is being handled.
    handled: Option<CpuId>,
    /// During a tick: the CPU that must reschedule.
    asked: Option<CpuId>,
    /// During a hook: CPUs whose next tick that matters may have moved.
    moved: Vec<CpuId>,
}

impl Ticks {
    pub(crate) const fn new(turns: TickTurns) -> Self {
        Self {
            grids: Vec::new(),
            of_idle: false,
            turns,
            turn: None,
            handled: None,
            asked: None,
            moved: Vec::new(),
        }
    }

    /// The machine is known.
    pub(crate) fn set(&mut self, grids: &[TickGrid], of_idle: bool) {
        self.grids = grids.to_vec();
        self.of_idle = of_idle;
    }

    pub(crate) const fn turns(&self) -> TickTurns {
        self.turns
    }

    /// Whether idle CPUs have ticks.
    #[inline]
    pub(crate) const fn of_idle(&self) -> bool {
        self.of_idle
    }

    /// The ticks of a CPU; `None` in tests without any.
    #[inline]
    pub(crate) fn of(&self, cpu: CpuId) -> Option<&TickGrid> {
        self.grids.get(cpu.index())
    }

    /// A hook begins.
    #[inline]
    pub(crate) const fn begin(&mut self, turn: Option<CpuId>) {
        self.turn = turn;
    }

    /// A hook ends: the engine asks again when the ticks of CPUs matter.
    #[inline]
    pub(crate) fn end(&mut self, cx: &mut Cx<'_>) {
        if !self.moved.is_empty() {
            for cpu in self.moved.drain(..) {
                cx.requery(cpu);
            }
        }
    }

    /// A CPU handles a tick.
    #[inline]
    pub(crate) const fn enter(&mut self, cpu: CpuId) {
        (self.handled, self.asked) = (Some(cpu), None);
    }

    /// It has. Returns whether it must reschedule.
    #[inline]
    pub(crate) const fn leave(&mut self) -> bool {
        self.handled = None;
        self.asked.take().is_some()
    }

    /// Whether a CPU handles a tick.
    #[inline]
    pub(crate) fn handles(&self, cpu: CpuId) -> bool {
        self.handled == Some(cpu)
    }

    /// Lets the CPU that handles a tick reschedule after it.
    #[inline]
    pub(crate) const fn ask(&mut self, cpu: CpuId) {
        self.asked = Some(cpu);
    }

    /// Whether a CPU must reschedule after its tick.
    #[inline]
    pub(crate) fn has_asked(&self, cpu: CpuId) -> bool {
        self.asked == Some(cpu)
    }

    /// The next tick of a CPU that matters may have moved.
    #[inline]
    pub(crate) fn moves(&mut self, cpu: CpuId) {
        self.moved.push(cpu);
    }

    /// The time up to which the ticks of a CPU have happened. Ticks of this instant whose turn comes later are still
    /// due.
    #[inline]
    pub(crate) fn until(&self, cpu: CpuId, now: u64) -> u64 {
        let place = |cpu| self.turns.place(SimTime(now), cpu);
        let due = match self.turn {
            Some(turn) if turn == cpu => self.handles(cpu),
            Some(turn) => place(cpu) > place(turn),
            None => false,
        };
        // No tick is due at time 0.
        if due { now.saturating_sub(1) } else { now }
    }

    /// Whether ticks of a CPU have happened since a time.
    pub(crate) fn are_missed(&self, cpu: CpuId, since: u64, now: u64) -> bool {
        let until = self.until(cpu, now);
        let passed = |grid: &TickGrid| grid.passed(SimTime(since), SimTime(until));
        since < until && self.of(cpu).and_then(passed).is_some()
    }
}

/// A scheduler whose queues have clocks. How far a CPU has taken its ticks is private to the file that implements this.
/// Nothing moves into a queue or out of it while a tick is missed: that is asserted, as the kernel does with its clocks.
pub(crate) trait RqClock {
    /// Takes the ticks of a CPU that were left out.
    fn update_rq_clock(&mut self, cpu: CpuId, now: u64);

    /// Whether a CPU has taken all ticks up to now. Who changes its queue relies on it (`assert_clock_updated`).
    fn is_clock_updated(&self, cpu: CpuId, now: u64) -> bool;

    /// Takes the missed ticks of a CPU that enters the scheduler.
    #[inline]
    fn update_rq_clock_at_switch(&mut self, cpu: CpuId, now: u64) {
        self.update_rq_clock(cpu, now);
    }

    /// The same of all CPUs, before a change that concerns all of them.
    fn update_all_clocks(&mut self, cx: &mut Cx<'_>) {
        for cpu in cx.machine.cpu_ids() {
            self.update_rq_clock(cpu, cx.now.0);
            cx.requery(cpu);
        }
    }
}

/// What the last ticks of CPUs have left, for rules that compare CPUs.
pub(crate) trait LastTicks: Host {
    /// The load of a CPU (`weighted_cpuload`, `cpu_load`).
    fn load_at(&mut self, cpu: CpuId, now: u64) -> u64 {
        self.update_rq_clock(cpu, now);
        self.load(cpu)
    }

    /// The loads of two CPUs.
    fn loads_at(&mut self, cpus: [CpuId; 2], now: u64) -> [u64; 2] {
        // The ticks of one may count in what the other reads of their groups.
        for cpu in cpus {
            self.update_rq_clock(cpu, now);
        }
        cpus.map(|cpu| self.load(cpu))
    }

    /// Looks at the CPUs of a domain: what is read of them holds until something changes.
    fn look_at(&mut self, cpu: CpuId, level: usize, now: u64) {
        for i in 0..self.domains().of[cpu.index()][level].list.len() {
            let c = self.domains().of[cpu.index()][level].list[i];
            self.update_rq_clock(c, now);
        }
    }

    /// Looks at all CPUs.
    fn look_at_all(&mut self, now: u64) {
        for c in 0..self.domains().of.len() {
            self.update_rq_clock(CpuId::new(c), now);
        }
    }
}

impl<S: Host + ?Sized> LastTicks for S {}
