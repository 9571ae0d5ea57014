//! The clockwork: the time, what is due when, and the ticks of all CPUs.
//!
//! It knows of no task's state and of no scheduler. What follows from an event or from skipped ticks is the caller's.

mod clock;
mod queue;
mod quiet;

pub(super) use queue::{Event, MAX_CLOCKS};

use clock::Clock;
use queue::EventQueue;
use quiet::QuietCpus;
use serde::{Deserialize, Serialize};
use sim_contract::TickTurns;
use sim_ground::ids::{CpuId, CpuMask};
use sim_ground::time::{SimTime, TickGrid};

/// A run with more events than this at one instant is stuck: nothing takes time any more.
const STUCK: u64 = 5_000_000;

/// The time of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Clockwork {
    now: SimTime,
    /// Number of events handled.
    handled: u64,
    queue: EventQueue,
    /// The clocks of each CPU.
    clocks: Vec<Vec<Clock>>,
    /// The tick whose consequences are being handled, where CPUs tick in turns: instant, CPU and clock.
    turn: Option<(SimTime, CpuId, u8)>,
    /// The order in which CPUs that tick at one instant take turns, if they do.
    #[serde(skip)]
    turns: Option<TickTurns>,
    /// The tick that is being handled: ticks of the same instant from this CPU and clock on are still due.
    #[serde(skip)]
    ticks_due: Option<(CpuId, u8)>,
    /// Number of events at this instant, to detect a run that no longer advances.
    #[serde(skip)]
    stuck: u64,
    /// Whether a tick may carry out at once the reschedule that it asks for: nothing is due between the two.
    #[serde(skip)]
    may_join: bool,
    #[serde(skip)]
    quiet: QuietCpus,
}

/// Ticks of a clock that passed without an event: how many, and the last of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped {
    pub(super) clock: u8,
    pub(super) count: u64,
    pub(super) last: SimTime,
}

/// The ticks due now that reading totals must not apply.
pub(super) struct Held {
    turn: Option<(SimTime, CpuId, u8)>,
}

impl Clockwork {
    /// The time at the start of a run, from the ticks of each CPU's clocks.
    pub(super) fn new(grids: &[Vec<TickGrid>], ticking: bool, turns: Option<TickTurns>) -> Self {
        let of_cpu = |grids: &Vec<TickGrid>| {
            let clocks = grids.iter().map(|grid| Clock::new(*grid, ticking));
            clocks.collect()
        };
        let clocks: Vec<Vec<Clock>> = grids.iter().map(of_cpu).collect();
        Self {
            now: SimTime::ZERO,
            handled: 0,
            queue: EventQueue::new(clocks.len()),
            clocks,
            turn: None,
            turns,
            ticks_due: None,
            stuck: 0,
            may_join: false,
            quiet: QuietCpus::default(),
        }
    }

    #[inline]
    pub(super) fn now(&self) -> SimTime {
        self.now
    }

    /// Number of events handled.
    #[inline]
    pub(super) fn handled(&self) -> u64 {
        self.handled
    }

    /// Counts what an event would be elsewhere: an edit by hand, or a reschedule that came with its tick.
    pub(super) fn count_event(&mut self) {
        self.handled += 1;
    }

    /// Nothing is due up to this time.
    pub(super) fn pass_to(&mut self, at: SimTime) {
        self.now = self.now.max(at);
    }

    /// Time of the next event. While an event is handled its place is free; it is filled first.
    #[inline]
    pub(super) fn next_due(&mut self) -> Option<SimTime> {
        self.queue.close();
        self.queue.next_time()
    }

    /// The same without filling the place of an event that is being handled.
    #[inline]
    pub(super) fn next_time(&self) -> Option<SimTime> {
        self.queue.next_time()
    }

    /// Fills the place of the event that was handled last: others may look at the queue.
    pub(super) fn end_event(&mut self) {
        self.queue.close();
    }

    /// Goes on to the next event, which is to be handled now. [`Clockwork::next_due`] or [`Clockwork::end_event`] follows
    /// before anybody else sees the queue. New speeds come first, because they may schedule an event in the free place.
    #[inline]
    pub(super) fn take_next(&mut self) -> Option<Event> {
        let in_turn = self.turns.is_some() && self.queue.first_is_of_a_turn();
        let (at, event) = self.queue.pop()?;
        debug_assert!(at >= self.now, "no event is scheduled in the past");
        self.stuck = if at == self.now { self.stuck + 1 } else { 0 };
        assert!(
            self.stuck < STUCK,
            "the run no longer advances: {STUCK} events at {} ns",
            at.0
        );
        self.now = at;
        self.handled += 1;
        if self.turns.is_some() {
            self.take_turn(in_turn, event);
        }
        Some(event)
    }

    /// An event begins: a turn, a consequence of it, or another event after all turns of the instant.
    fn take_turn(&mut self, in_turn: bool, event: Event) {
        match event {
            _ if !in_turn => self.turn = None,
            Event::Tick(clock, cpu) => self.turn = Some((self.now, cpu, clock)),
            _ => {}
        }
    }

    /// The CPU whose turn it is at this instant.
    #[inline]
    pub(super) fn turn(&self) -> Option<CpuId> {
        self.turn.filter(|t| t.0 == self.now).map(|t| t.1)
    }

    /// All CPUs have ticked at this instant.
    pub(super) fn end_turns(&mut self) {
        self.turn = None;
    }

    /// Whether CPUs that tick at one instant take turns.
    #[inline]
    pub(super) fn has_turns(&self) -> bool {
        self.turns.is_some()
    }

    /// When an event is due.
    #[inline(always)]
    pub(super) fn due(&self, event: Event) -> Option<SimTime> {
        self.queue.due(event)
    }

    /// Makes an event due at a time, and no longer at its earlier time.
    pub(super) fn schedule(&mut self, event: Event, at: SimTime) {
        self.queue.schedule(event, at);
    }

    /// Takes an event out, if it is due at all.
    #[inline(always)]
    pub(super) fn cancel(&mut self, event: Event) {
        self.queue.cancel(event);
    }

    /// Schedules something that may follow from a tick: at the same instant it comes before the next turn.
    pub(super) fn schedule_soon(&mut self, event: Event, at: SimTime) {
        if at == self.now && self.turn.is_some_and(|t| t.0 == at) {
            self.queue.schedule_in_turn(event, at);
        } else {
            self.queue.schedule(event, at);
        }
    }

    /// Whether more events are due at this instant. An edit does not count: it comes last, after the ticks.
    pub(super) fn amid_instant(&self) -> bool {
        let first = self.queue.first();
        first.is_some_and(|(at, event)| at == self.now && event != Event::Edit)
    }

    /// Allows that ticks are joined with their reschedules while one event is handled.
    #[inline]
    pub(super) fn set_may_join(&mut self, may: bool) {
        self.may_join = may;
    }

    /// Whether the reschedule that a tick asks for would be the next event, and may be handled with the tick.
    #[inline]
    pub(super) fn nothing_comes_between(&self) -> bool {
        self.may_join && self.queue.next_time().is_none_or(|at| at > self.now)
    }

    /// The same where CPUs tick in turns.
    #[inline]
    pub(super) fn nothing_comes_between_in_turn(&self) -> bool {
        self.may_join && !self.queue.has_more_of_turn(self.now)
    }

    /// An event that was due at once is handled directly. Later events have the same numbers as if it had been queued.
    pub(super) fn skip_event(&mut self) {
        self.queue.skip_number();
        self.handled += 1;
    }

    /// A tick begins. Ticks of the CPUs and clocks behind it are still due at this instant.
    #[inline]
    pub(super) fn begin_tick(&mut self, cpu: CpuId, clock: u8) {
        if self.turns.is_none() {
            self.ticks_due = Some((cpu, clock + 1));
        }
    }

    #[inline]
    pub(super) fn end_tick(&mut self) {
        self.ticks_due = None;
    }

    /// Counts this tick. Returns the quiet ticks before it.
    #[inline]
    pub(super) fn count_tick(&mut self, cpu: CpuId, clock: u8) -> Option<Skipped> {
        let now = self.now;
        let c = &mut self.clocks[cpu.index()][usize::from(clock)];
        let skipped = if c.next >= now {
            None
        } else {
            c.pass(SimTime(now.0 - 1))
        };
        c.skip_to(now);
        skipped.map(|(count, last)| Skipped { clock, count, last })
    }

    /// Keeps the ticks that are still due at this instant from being applied, if more is due at this instant; otherwise
    /// all turns are over.
    pub(super) fn hold_due_ticks(&mut self) -> Held {
        let amid = self.amid_instant();
        self.ticks_due = amid.then_some((CpuId(0), 0));
        let turn = self.turn;
        self.turn = turn.filter(|_| amid);
        Held { turn }
    }

    /// Ends what [`Clockwork::hold_due_ticks`] began.
    pub(super) fn release(&mut self, held: Held) {
        self.turn = held.turn;
        self.ticks_due = None;
    }

    /// Whether a tick of this instant on a CPU is still to come.
    #[inline]
    fn still_due(&self, cpu: CpuId, clock: u8) -> bool {
        self.ticks_due.is_some_and(|due| (cpu, clock) >= due)
            || self.turns.is_some_and(|t| self.comes_later(t, cpu, clock))
    }

    /// Whether a CPU's turn of this instant is still to come.
    fn comes_later(&self, turns: TickTurns, cpu: CpuId, clock: u8) -> bool {
        match self.turn {
            Some((at, current, of)) if at == self.now => {
                let place = |cpu| turns.place(at, cpu);
                (place(cpu), clock) > (place(current), of)
            }
            _ => false,
        }
    }

    /// Whether ticks of a CPU may have passed that were not applied. Usually the next tick of each clock lies ahead: no
    /// tick has passed, and none of this instant is due.
    #[inline]
    pub(super) fn lags(&self, cpu: CpuId) -> bool {
        let mut clocks = self.clocks[cpu.index()].iter();
        clocks.any(|c| c.ticking && c.next <= self.now)
    }

    /// Number of clocks of a CPU.
    pub(super) fn clock_count(&self, cpu: CpuId) -> u8 {
        u8::try_from(self.clocks[cpu.index()].len()).unwrap_or(u8::MAX)
    }

    /// Brings a clock up to now. Returns the ticks that it skipped.
    pub(super) fn bring_up(&mut self, cpu: CpuId, clock: u8) -> Option<Skipped> {
        // While a tick is handled, later ticks of the same instant are still due.
        let bound = if self.still_due(cpu, clock) {
            SimTime(self.now.0.saturating_sub(1))
        } else {
            self.now
        };
        let c = &mut self.clocks[cpu.index()][usize::from(clock)];
        if !c.ticking || bound <= c.settled {
            return None;
        }
        let (count, last) = c.pass(bound)?;
        Some(Skipped { clock, count, last })
    }

    /// Moves the tick events of a CPU, whose skipped ticks have been applied, to their present times. `quiet_until` says
    /// from when on a clock's tick may matter; without it each tick is an event.
    #[inline]
    pub(super) fn arm(
        &mut self,
        cpu: CpuId,
        fast_forward: bool,
        quiet_until: impl Fn(u8, SimTime, u64) -> SimTime,
    ) {
        let queue = &mut self.queue;
        let signal = queue.due(Event::Resched(cpu));
        for (c, clock) in self.clocks[cpu.index()].iter_mut().zip(0..) {
            let event = Event::Tick(clock, cpu);
            if !c.ticking {
                queue.cancel(event);
                continue;
            }
            let mut at = c.next;
            // A tick of a signalled CPU checks need_resched and comes before the signal.
            let signalled = signal.is_some_and(|signal| at <= signal);
            if fast_forward && !signalled {
                let quiet = quiet_until(clock, at, c.grid.period);
                if quiet == SimTime::NEVER {
                    queue.cancel(event);
                    continue;
                }
                if quiet > at {
                    at = c.at_or_after(quiet);
                }
            }
            if queue.due(event) != Some(at) {
                queue.schedule_tick(clock, cpu, at, self.turns);
            }
        }
    }

    /// Whether a CPU's first clock ticks now.
    pub(super) fn ticks(&self, cpu: CpuId) -> bool {
        self.clocks[cpu.index()].first().is_some_and(|c| c.ticking)
    }

    /// Starts or stops the ticks of a CPU.
    #[inline]
    pub(super) fn set_ticking(&mut self, cpu: CpuId, ticking: bool) {
        for c in &mut self.clocks[cpu.index()] {
            if ticking && !c.ticking {
                c.skip_to(self.now);
                self.quiet = QuietCpus::default();
            }
            c.ticking = ticking;
        }
    }

    /// The ticks of a CPU's first clock, even if it is stopped.
    #[inline]
    pub(super) fn first_grid(&self, cpu: CpuId) -> Option<&TickGrid> {
        self.clocks[cpu.index()].first().map(|c| &c.grid)
    }

    /// Number of the next tick of a clock after now.
    pub(super) fn period(&self, cpu: CpuId, clock: u8) -> u64 {
        let clock = &self.clocks[cpu.index()][usize::from(clock)];
        clock.grid.number_after(self.now)
    }

    /// Makes the next ticks of these CPUs real events if anything else happens at their instant; see `quiet.rs`.
    #[inline]
    pub(super) fn bring_in_quiet_reschedules(&mut self, cpus: &CpuMask) {
        let Some(at) = self.queue.next_time() else {
            return;
        };
        // Checked before each event. Usually these are the CPUs of the last check, and their next ticks lie later.
        if !self.quiet.covers(cpus, at, self.clocks.len()) {
            self.look_for_ticks(*cpus, at);
        }
    }

    /// Counts CPUs after a snapshot was read: the queue's slots depend on their number.
    pub(super) fn count_cpus(&mut self) {
        self.queue.set_cpus(self.clocks.len());
    }

    /// Goes on from a snapshot that fits.
    pub(super) fn restore(&mut self, saved: Self) {
        *self = Self {
            turns: self.turns,
            ..saved
        };
    }

    /// Whether a snapshot may be a time of this run, with so many tasks.
    pub(super) fn accepts(&self, saved: &Self, tasks: usize, end: SimTime) -> bool {
        let cpus = self.clocks.len();
        let now = saved.now;
        let clock = |(a, b): (&Clock, &Clock)| a.grid == b.grid && a.settled <= now && a.is_whole();
        now <= end
            && saved.queue.is_consistent(cpus, tasks, now)
            && (saved.turn).is_none_or(|(at, c, _)| at <= now && c.index() < cpus)
            && saved.clocks.len() == cpus
            && (saved.clocks.iter().zip(&self.clocks))
                .all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(clock))
    }
}
