//! Goes anywhere in a run: keyframes, steps forward and back, explanations.
//!
//! A keyframe is a snapshot. Going back restores the nearest earlier keyframe and runs again; because runs are
//! deterministic, the result is the same. Explaining a decision does the same with candidates recorded.

use super::packed::Packed;
use super::{Options, Sim};
use sim_config::edit::{Edit, TimedEdit};
use sim_config::plan::Plan;
use sim_contract::SchedulerInfo;
use sim_contract::decision::{self, Decision, Level, Reason};
use sim_ground::error::{ConfigError, SnapshotError};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use sim_trace::occupancy::Occupancy;
use sim_trace::samples::Samples;
use sim_trace::{TraceKind, TraceRecord};
use std::sync::Arc;

/// Simulated time between keyframes, at most.
const SPACING: SimSpan = SimSpan(1_000_000_000);
/// Events between keyframes, at most: the cost of running again. One event is added for every
/// [`BYTES_PER_EVENT`] bytes of a keyframe, so that taking keyframes stays a small part of running.
const SPACING_EVENTS: u64 = 8_192;
const BYTES_PER_EVENT: usize = 16;
/// Number of keyframes that are kept, and their bytes by default. Beyond either, the keyframes with the nearest
/// neighbours are dropped.
const KEPT: usize = 4_096;
const KEPT_BYTES: usize = 64 << 20;

pub(super) struct Keyframe {
    pub(super) handled: u64,
    pub(super) at: SimTime,
    decisions: u64,
    state: Packed,
}

/// The thing that a step looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The next event of any kind.
    Event,
    /// The next decision.
    Decision,
    /// The next record of a kind.
    Trace(TraceKind),
    /// The next decision of a kind (`preempt`, `sliceEnd`, …).
    DecisionKind(&'static str),
    /// The next decision for a reason of the lane's scheduler.
    Reason(Reason),
    /// The next tick of clock 0 on CPU 0.
    Tick,
}

impl StepKind {
    /// Reads the word that the page and the command line use: a kind of record or decision, or the id of one of the
    /// scheduler's reasons, with or without `reason:` before it.
    #[must_use]
    pub fn parse(word: &str, scheduler: &SchedulerInfo) -> Option<Self> {
        if let Some(id) = word.strip_prefix("reason:") {
            return scheduler.reason(id).map(Self::Reason);
        }
        Some(match word {
            "event" => Self::Event,
            "decision" => Self::Decision,
            "tick" => Self::Tick,
            "switch" => Self::Trace(TraceKind::Switch),
            "migration" => Self::Trace(TraceKind::Migrate),
            "wakeup" => Self::Trace(TraceKind::Wakeup),
            "exit" => Self::Trace(TraceKind::Exit),
            "sleep" => Self::Trace(TraceKind::Sleep),
            "preemption" => Self::DecisionKind("preempt"),
            // All other kinds go by their own names.
            _ => match decision::KINDS.iter().find(|kind| **kind == word) {
                Some(kind) => Self::DecisionKind(kind),
                None => Self::Reason(scheduler.reason(word)?),
            },
        })
    }
}

/// Limits a step or a list of decisions to a task, a CPU or both; no limit if both are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// Only this task.
    pub task: Option<TaskId>,
    /// Only this CPU.
    pub cpu: Option<CpuId>,
}

#[derive(Clone, Copy)]
struct Mark {
    handled: u64,
    records: u64,
    decisions: u64,
}

/// A search backwards that has not ended: numbers of events and times.
#[derive(Clone, Copy)]
struct Search {
    /// Where the search began.
    here: (u64, SimTime),
    /// Every event from this number on has been searched.
    limit: u64,
    /// Where the search paused.
    at: (u64, SimTime),
}

/// A run that can go back.
pub struct Replay {
    sim: Sim,
    /// States at regular times, up to the farthest point that the run ever reached.
    pub(super) samples: Samples,
    search: Option<Search>,
    start: Packed,
    keyframes: Vec<Keyframe>,
    /// Bytes that keyframes may take together.
    room: usize,
}

impl Replay {
    /// A run of one lane at time 0.
    #[must_use]
    pub fn new(plan: &Arc<Plan>, lane: usize, options: Options) -> Self {
        let sim = Sim::new(plan, lane, options);
        Self {
            start: Packed::new(&sim.snapshot()),
            sim,
            samples: Samples::default(),
            search: None,
            keyframes: Vec::new(),
            room: KEPT_BYTES,
        }
    }

    /// The run.
    #[must_use]
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// The run, for totals that must first be brought up to date.
    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// The step that a word of the page or the command line means in this run.
    #[must_use]
    pub fn step_kind(&self, word: &str) -> Option<StepKind> {
        StepKind::parse(word, self.sim.plan.lanes[self.sim.lane].info)
    }

    /// Sets how many bytes keyframes may take. With more bytes any moment of a long run is reached sooner. The result
    /// of a run does not depend on it.
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
    }

    /// Runs up to and including `until`, or for `max_events`. It never passes a point where a keyframe is due without
    /// taking it.
    pub fn advance(&mut self, until: SimTime, max_events: u64) {
        let mut left = max_events;
        while left > 0 && self.sim.now() < until && !self.sim.is_finished() {
            self.keep_keyframe();
            self.keep_sample();
            let (last_at, last_handled) = self.last_keyframe();
            let events = self.spacing();
            // If nothing has happened since the last keyframe, none is taken, however long ago that was.
            let now = self.sim.now();
            let from = if now >= last_at + SPACING {
                now
            } else {
                last_at
            };
            let stop = until
                .min(from + SPACING)
                .min(self.samples.next_at().max(now + SimSpan(1)));
            let before = self.sim.handled();
            let chunk = left.min((last_handled + events).saturating_sub(before).max(1));
            self.sim.advance(stop, chunk);
            left -= (self.sim.handled() - before).min(left);
        }
        // Events that are due exactly at the present time.
        if self.sim.now() == until && left > 0 {
            self.sim.advance(until, left);
        }
    }

    fn last_keyframe(&self) -> (SimTime, u64) {
        self.keyframes
            .iter()
            .rev()
            .find(|k| k.handled <= self.sim.handled())
            .map_or((SimTime::ZERO, 0), |k| (k.at, k.handled))
    }

    fn keep_keyframe(&mut self) {
        let (at, handled) = self.last_keyframe();
        let due = self.sim.now() >= at + SPACING || self.sim.handled() >= handled + self.spacing();
        let newest = self
            .keyframes
            .last()
            .is_none_or(|k| k.handled < self.sim.handled());
        if !due || !newest {
            return;
        }
        self.keyframes.push(Keyframe {
            handled: self.sim.handled(),
            at: self.sim.now(),
            decisions: self.sim.decisions().next_id(),
            state: Packed::new(&self.sim.snapshot()),
        });
        self.thin_out();
    }

    /// Drops keyframes to free memory. The longest distance between two keyframes is then at most twice the smallest
    /// possible one.
    fn thin_out(&mut self) {
        let mut bytes: usize = self.keyframes.iter().map(|k| k.state.len()).sum();
        while self.keyframes.len() > KEPT || bytes > self.room {
            let handled = |i: usize| self.keyframes[i].handled;
            let before = |i: usize| i.checked_sub(1).map_or(0, handled);
            // The newest keyframe stays, because the next one is counted from it.
            let between = 0..self.keyframes.len() - 1;
            let Some(least) = between.min_by_key(|i| handled(i + 1) - before(*i)) else {
                return;
            };
            bytes -= self.keyframes.remove(least).state.len();
        }
    }

    /// Number of events between new keyframes.
    fn spacing(&self) -> u64 {
        let size = self.keyframes.last().map_or(0, |k| k.state.size);
        SPACING_EVENTS + (size / BYTES_PER_EVENT) as u64
    }

    /// Goes to any time, past or future, for at most `max_events` events. Returns whether it got there.
    pub fn seek(&mut self, to: SimTime, max_events: u64) -> bool {
        let to = to.min(self.sim.end());
        // A part of the run that was simulated once is not simulated again, in neither direction.
        if to < self.sim.now() || self.is_ahead(|k| k.at <= to) {
            self.rewind(|k| k.at <= to);
        }
        self.advance(to, max_events);
        // The last events of that instant may be still to come.
        let due = self.sim.next_event_time().is_some_and(|at| at <= to);
        self.sim.kernel.is_finished() || (self.sim.now() >= to && !due)
    }

    /// Whether a qualifying keyframe lies later than the present.
    fn is_ahead(&self, qualifies: impl Fn(&Keyframe) -> bool) -> bool {
        let here = self.sim.handled();
        self.keyframes
            .iter()
            .rev()
            .any(|k| k.handled > here && qualifies(k))
    }

    /// Restores the latest keyframe that qualifies, or the start.
    fn rewind(&mut self, qualifies: impl Fn(&Keyframe) -> bool) {
        let snapshot = self.latest(qualifies);
        self.sim
            .restore(&snapshot)
            .expect("invariant: keyframes are snapshots of this very run");
    }

    /// Numbers of events, records and decisions so far.
    fn mark(&self) -> Mark {
        Mark {
            handled: self.sim.handled(),
            records: self.sim.trace().next_seq(),
            decisions: self.sim.decisions().next_id(),
        }
    }

    /// Whether something that a step looks for has happened since a mark.
    fn happened(&self, kind: StepKind, about: DecisionFilter, since: Mark) -> bool {
        let cpu = |c: Option<CpuId>| about.cpu.is_none_or(|wanted| c == Some(wanted));
        let decision = |d: &Decision| about.task.is_none_or(|t| d.task == Some(t)) && cpu(d.cpu);
        let record = |r: &TraceRecord| {
            let is_task = |t: TaskId| {
                let t = i64::from(t.0);
                r.task == t || (r.kind == TraceKind::Switch && r.other == t)
            };
            let is_cpu = |c: CpuId| {
                let c = i32::from(c.0);
                r.cpu == c || (r.kind == TraceKind::Migrate && r.other == i64::from(c))
            };
            about.task.is_none_or(is_task) && about.cpu.is_none_or(is_cpu)
        };
        let mut decisions = self.sim.decisions().since(since.decisions);
        let mut records = self.sim.trace().from_seq(since.records);
        match kind {
            StepKind::Event => self.sim.handled() != since.handled,
            StepKind::Decision => decisions.any(decision),
            StepKind::Trace(kind) => records.any(|r| r.kind == kind && record(r)),
            StepKind::DecisionKind(word) => {
                let reasons = self.sim.reasons();
                decisions.any(|d| reasons[usize::from(d.reason)].kind == word && decision(d))
            }
            StepKind::Reason(reason) => decisions.any(|d| d.reason == reason && decision(d)),
            // Ticks are found by arithmetic, because quiet ticks are no events.
            StepKind::Tick => false,
        }
    }

    /// Steps to just after the next event of a kind; `false` if the run ends first.
    pub fn step(&mut self, kind: StepKind) -> bool {
        self.run_to(kind, DecisionFilter::default(), u64::MAX) == Some(true)
    }

    /// Runs to just after the next event of a kind, for at most `max_events` events. Returns whether there was one, or
    /// `None` if that is not known yet; then call again.
    pub fn run_to(
        &mut self,
        kind: StepKind,
        about: DecisionFilter,
        max_events: u64,
    ) -> Option<bool> {
        if kind == StepKind::Tick {
            let Some(next) = self.sim.next_first_clock_tick() else {
                return Some(false);
            };
            self.advance(next, u64::MAX);
            return Some(!self.sim.is_finished());
        }
        for _ in 0..max_events {
            self.keep_keyframe();
            self.keep_sample();
            let before = self.mark();
            if !self.sim.step_event() {
                let end = self.sim.end();
                self.sim.run_until(end);
                return Some(false);
            }
            if self.happened(kind, about, before) {
                return Some(true);
            }
        }
        None
    }

    /// Steps back to just after the previous event of a kind, or to the start.
    pub fn step_back(&mut self, kind: StepKind) -> bool {
        loop {
            if let Some(found) = self.run_back_to(kind, DecisionFilter::default()) {
                return found;
            }
        }
    }

    /// Goes back to just after the previous event of a kind, and searches one interval between keyframes per call.
    /// Returns whether there was one, or `None` if that is not known yet; then call again. Any other call begins a new
    /// search.
    pub fn run_back_to(&mut self, kind: StepKind, about: DecisionFilter) -> Option<bool> {
        if kind == StepKind::Tick {
            let to = self.sim.previous_first_clock_tick();
            self.seek(to, u64::MAX);
            return Some(to > SimTime::ZERO);
        }
        // The present may lie between events. Then the latest event so far is the previous one.
        let present = (self.sim.handled(), self.sim.now());
        let (here, limit) = match self.search {
            Some(s) if s.at == present => (s.here, s.limit),
            _ => (present, present.0),
        };
        self.search = None;
        self.rewind(|k| k.handled < limit);
        let from = self.sim.handled();
        let mut found = None;
        let mut mark = self.mark();
        while self.sim.handled() < limit && self.sim.step_event() {
            let (handled, now) = (self.sim.handled(), self.sim.now());
            if (handled, now) < here && self.happened(kind, about, mark) {
                found = Some(handled);
            }
            mark = self.mark();
        }
        // If the run stands at an event, that event's own change is the present, so the search looks before it. Between
        // events the latest one is the target.
        if let Some(handled) = found {
            self.rewind(|k| k.handled <= handled);
            while self.sim.handled() < handled && self.sim.step_event() {}
            return Some(true);
        }
        if from == 0 {
            self.rewind(|_| false);
            return Some(false);
        }
        let at = (self.sim.handled(), self.sim.now());
        self.search = Some(Search {
            here,
            limit: from,
            at,
        });
        None
    }

    /// Goes to just after event number `handled`, and then on to `at` if nothing happens before it, for at most
    /// `max_events` events. Returns whether it got there. Never goes beyond `at`, even if there are fewer events until
    /// then.
    pub fn seek_event(&mut self, handled: u64, at: SimTime, max_events: u64) -> bool {
        let at = at.min(self.sim.end());
        let fits = |k: &Keyframe| k.handled <= handled && k.at <= at;
        if handled < self.sim.handled() || at < self.sim.now() || self.is_ahead(fits) {
            self.rewind(fits);
        }
        let left = handled.saturating_sub(self.sim.handled());
        self.advance(at, left.min(max_events));
        let due = self.sim.next_event_time().is_some_and(|next| next <= at);
        if !due {
            self.sim.advance(at, 0);
        }
        // At its end time a run is over, yet some events of that instant may be still due.
        !due || self.sim.handled() >= handled || self.sim.kernel.is_finished()
    }

    /// Takes back the edits of the instant `at` that came after event number `handled`, in at most `max_events` events.
    /// Returns whether it got there. Everything recorded since is dropped, and so are later edits that the scenario
    /// does not plan.
    pub fn take_back(&mut self, handled: u64, at: SimTime, max_events: u64) -> bool {
        if !self.seek_event(handled, at, max_events) {
            return false;
        }
        self.sim.forget_edits_ahead(at);
        self.keyframes.retain(|k| k.handled <= handled);
        self.forget_future();
        true
    }

    /// Makes an edit now, in all lanes or in one. The recorded future and the edits made in it are dropped. The past
    /// stays, and so do the edits that the scenario plans.
    ///
    /// # Errors
    /// All errors of the edit; the run is unchanged.
    pub fn edit(&mut self, edit: Edit, lane: Option<u32>) -> Result<(), Vec<ConfigError>> {
        let handled = self.sim.handled();
        self.sim.edit(edit, lane)?;
        self.keyframes
            .retain(|k| k.handled <= handled && k.at < self.sim.now());
        self.forget_future();
        Ok(())
    }

    /// All edits, past and future.
    #[must_use]
    pub fn edits(&self) -> &[TimedEdit] {
        self.sim.edits()
    }

    /// A decision with its candidates, found by running again to it; `None` if there was no such decision.
    #[must_use]
    pub fn explain(&mut self, id: u64) -> Option<Decision> {
        if id >= self.sim.decisions().next_id() {
            return None;
        }
        let options = Options {
            trace_limit: 0,
            // One event makes many decisions where a balancer moves dozens of threads.
            decision_limit: 4_096,
            check_every: 0,
            ..self.sim.options
        };
        let mut again = self.copy(options, |k| k.decisions <= id)?;
        again.log.level = Level::Full;
        while again.log.next_id() <= id {
            if !again.step_event() {
                return None;
            }
        }
        again.log.get(id).cloned()
    }

    /// A copy of the run at the latest qualifying keyframe, or at the start.
    pub(super) fn copy(&self, options: Options, at: impl Fn(&Keyframe) -> bool) -> Option<Sim> {
        let mut again = Sim::new(&self.sim.plan, self.sim.lane, options);
        again.edits.clone_from(&self.sim.edits);
        again.restore(&self.latest(at)).ok()?;
        Some(again)
    }

    /// The latest keyframe that qualifies, or the start.
    fn latest(&self, qualifies: impl Fn(&Keyframe) -> bool) -> Vec<u8> {
        let found = self.keyframes.iter().rev().find(|k| qualifies(k));
        found.map_or(&self.start, |k| &k.state).open()
    }

    /// The farthest time that the run ever reached; it may lie later than the present.
    #[must_use]
    pub fn known_until(&self) -> SimTime {
        let recorded = self.sim.ledger.occupancy().map(Occupancy::known_until);
        self.sim.now().max(recorded.unwrap_or_default())
    }

    /// Approximate number of events from the keyframe before `from` up to `to`.
    pub(super) fn events_between(&self, from: SimTime, to: SimTime) -> u64 {
        let first = self.keyframes.iter().rev().find(|k| k.at <= from);
        let last = self.keyframes.iter().find(|k| k.at >= to);
        // Beyond the last keyframe it is at most the distance between two keyframes.
        let end = last.map_or_else(
            || {
                self.keyframes
                    .last()
                    .map_or(0, |k| k.handled + self.spacing())
                    .max(self.sim.handled())
            },
            |k| k.handled,
        );
        end - first.map_or(0, |k| k.handled)
    }

    /// The state as bytes.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        self.sim.snapshot()
    }

    /// Restores a state. Keyframes of the old run stay only if they belong to its past.
    ///
    /// # Errors
    /// If the bytes are not a snapshot of this scenario and lane.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.sim.restore(bytes)?;
        self.keyframes.clear();
        self.forget_future();
        Ok(())
    }
}

impl Sim {
    fn next_first_clock_tick(&self) -> Option<SimTime> {
        let grid = self.clock.first_grid(CpuId(0))?;
        Some(grid.after(self.clock.now())).filter(|at| *at <= self.end() && !self.is_finished())
    }

    fn previous_first_clock_tick(&self) -> SimTime {
        let before = SimTime(self.clock.now().0.saturating_sub(1));
        let grid = self.clock.first_grid(CpuId(0));
        grid.and_then(|grid| grid.last(before)).unwrap_or_default()
    }
}
