//! Going anywhere in a run: keyframes, stepping forward and back, explaining.
//!
//! A keyframe is a snapshot. Going back restores the nearest one before and runs again; determinism makes
//! that the same run. Explaining a decision does the same with candidates recorded.

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

/// A keyframe at least this often, in simulated time …
const SPACING: SimSpan = SimSpan(1_000_000_000);
/// … and in events, which is what running again costs. To these comes one event for so many bytes of a keyframe:
/// taking keyframes stays a small part of running.
const SPACING_EVENTS: u64 = 8_192;
const BYTES_PER_EVENT: usize = 16;
/// Keyframes kept, and their bytes if nobody says otherwise: beyond either, those go whose neighbours are nearest.
const KEPT: usize = 4_096;
const KEPT_BYTES: usize = 64 << 20;

pub(super) struct Keyframe {
    pub(super) handled: u64,
    pub(super) at: SimTime,
    decisions: u64,
    state: Packed,
}

/// What to step to.
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
    /// The next tick of the first CPU's first clock.
    Tick,
}

impl StepKind {
    /// From the word that the page and the command line use: a kind of record or decision, or the id of one of a
    /// scheduler's reasons, which may stand behind `reason:`.
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
            // The other kinds go by their own names.
            _ => match decision::KINDS.iter().find(|kind| **kind == word) {
                Some(kind) => Self::DecisionKind(kind),
                None => Self::Reason(scheduler.reason(word)?),
            },
        })
    }
}

/// What a step or a list of decisions is about: everything, if both are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
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

/// A search backwards that is under way: numbers of events and times.
#[derive(Clone, Copy)]
struct Search {
    /// Where it began.
    here: (u64, SimTime),
    /// Everything from this event on has been looked at.
    limit: u64,
    /// Where it paused.
    at: (u64, SimTime),
}

/// A run that can go back.
pub struct Replay {
    sim: Sim,
    /// States at regular times, as far as the run ever got.
    pub(super) samples: Samples,
    search: Option<Search>,
    start: Packed,
    keyframes: Vec<Keyframe>,
    /// Bytes that keyframes may take.
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

    /// The run, to read totals that have to be brought up to date.
    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// What a word of the page or the command line means as a step of this run.
    #[must_use]
    pub fn step_kind(&self, word: &str) -> Option<StepKind> {
        StepKind::parse(word, self.sim.plan.lanes[self.sim.lane].info)
    }

    /// Keyframes may take so many bytes from now on: the more, the sooner any moment of a long run is reached. What a
    /// run does is the same with any number.
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
    }

    /// Runs up to and including `until` or for `max_events`; never beyond a point where a keyframe is due
    /// without taking it.
    #[inline(never)]
    pub fn advance(&mut self, until: SimTime, max_events: u64) {
        let mut left = max_events;
        while left > 0 && self.sim.now() < until && !self.sim.is_finished() {
            self.keep_keyframe();
            self.keep_sample();
            let (last_at, last_handled) = self.last_keyframe();
            let events = self.spacing();
            // Where nothing has happened since the last keyframe none is taken, however long ago it is.
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
        // Events due exactly at the present moment.
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

    #[inline(never)]
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

    /// Makes room. What running from one to the next then costs at most is twice the least that it could be.
    fn thin_out(&mut self) {
        let mut bytes: usize = self.keyframes.iter().map(|k| k.state.len()).sum();
        while self.keyframes.len() > KEPT || bytes > self.room {
            let handled = |i: usize| self.keyframes[i].handled;
            let before = |i: usize| i.checked_sub(1).map_or(0, handled);
            // The newest stays: it is where the next one is counted from.
            let between = 0..self.keyframes.len() - 1;
            let Some(least) = between.min_by_key(|i| handled(i + 1) - before(*i)) else {
                return;
            };
            bytes -= self.keyframes.remove(least).state.len();
        }
    }

    /// Distance of new keyframes in events.
    fn spacing(&self) -> u64 {
        let size = self.keyframes.last().map_or(0, |k| k.state.size);
        SPACING_EVENTS + (size / BYTES_PER_EVENT) as u64
    }

    /// Goes to any time, past or future, until `max_events` were handled; whether it got there.
    pub fn seek(&mut self, to: SimTime, max_events: u64) -> bool {
        let to = to.min(self.sim.end());
        // What was run through once is not run through again, in neither direction.
        if to < self.sim.now() || self.is_ahead(|k| k.at <= to) {
            self.rewind(|k| k.at <= to);
        }
        self.advance(to, max_events);
        // The last events of that very instant may be still to come.
        let due = self.sim.next_event_time().is_some_and(|at| at <= to);
        self.sim.st.finished || (self.sim.now() >= to && !due)
    }

    /// Whether a keyframe that qualifies lies later than the present.
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

    /// How much of everything there has been.
    fn mark(&self) -> Mark {
        Mark {
            handled: self.sim.handled(),
            records: self.sim.trace().next_seq(),
            decisions: self.sim.decisions().next_id(),
        }
    }

    /// Whether what a step looks for has happened since a mark.
    fn happened(&self, kind: StepKind, about: About, since: Mark) -> bool {
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
            // Ticks are found by arithmetic: quiet ones are no events.
            StepKind::Tick => false,
        }
    }

    /// Steps to just after the next thing of a kind; `false` if the run ends first.
    pub fn step(&mut self, kind: StepKind) -> bool {
        self.run_to(kind, About::default(), u64::MAX) == Some(true)
    }

    /// Runs to just after the next thing of a kind, for at most so many events: whether there was one, or `None` if
    /// that is not known yet. Call again until it is.
    pub fn run_to(&mut self, kind: StepKind, about: About, max_events: u64) -> Option<bool> {
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

    /// Steps back to just after the previous thing of a kind, or to the start.
    pub fn step_back(&mut self, kind: StepKind) -> bool {
        loop {
            if let Some(found) = self.run_back_to(kind, About::default()) {
                return found;
            }
        }
    }

    /// Goes back to just after the previous thing of a kind, looking at the run from one keyframe to the next: whether
    /// there was one, or `None` if that is not known yet. Call again until it is; anything else begins a new search.
    pub fn run_back_to(&mut self, kind: StepKind, about: About) -> Option<bool> {
        if kind == StepKind::Tick {
            let to = self.sim.previous_first_clock_tick();
            self.seek(to, u64::MAX);
            return Some(to > SimTime::ZERO);
        }
        // The moment may lie between events: then the previous thing is the latest so far.
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
        // At an event: its own change is where we are, so look before it; between events it is the place to go to.
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

    /// Goes to just after event number `handled`, and then on to `at` as far as nothing happens until then: for at most
    /// so many events; whether it got there. Never beyond `at`, even if there are fewer events until then.
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
        // At its end time a run is over, yet some of what is due at that instant may be still to come.
        !due || self.sim.handled() >= handled || self.sim.st.finished
    }

    /// Takes back the edits of the instant `at` that came after event number `handled`, until `max_events` were handled;
    /// whether it got there. What was recorded since is dropped, and so are edits ahead that the scenario does not plan.
    pub fn take_back(&mut self, handled: u64, at: SimTime, max_events: u64) -> bool {
        if !self.seek_event(handled, at, max_events) {
            return false;
        }
        self.sim.forget_edits_ahead(at);
        self.keyframes.retain(|k| k.handled <= handled);
        self.forget_future();
        true
    }

    /// Makes an edit now, in all lanes or in one. The recorded future and the edits made in it are dropped, the past stays, and so
    /// do the edits that the scenario plans.
    ///
    /// # Errors
    /// Everything that is wrong with it; the run is unchanged.
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

    /// A decision with its candidates, by running again to it; `None` if there was no such decision.
    #[must_use]
    pub fn explain(&mut self, id: u64) -> Option<Decision> {
        if id >= self.sim.decisions().next_id() {
            return None;
        }
        let options = Options {
            trace_limit: 0,
            // One event makes many where a balancer moves threads by the dozen.
            decision_limit: 4_096,
            check: false,
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

    /// The same run once more, at the latest keyframe that qualifies or at the start.
    #[inline(never)]
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

    /// Up to when the run is known: it may have been further than it is now.
    #[must_use]
    pub fn known_until(&self) -> SimTime {
        let recorded = self.sim.occupancy.as_ref().map(Occupancy::known_until);
        self.sim.now().max(recorded.unwrap_or_default())
    }

    /// About how many events there are from the keyframe before `from` up to `to`.
    pub(super) fn events_between(&self, from: SimTime, to: SimTime) -> u64 {
        let first = self.keyframes.iter().rev().find(|k| k.at <= from);
        let last = self.keyframes.iter().find(|k| k.at >= to);
        // Beyond the last keyframe it is at most the distance of two.
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

    /// Takes a state back. Keyframes of the old run stay only if they are of its past.
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
        let grid = self.st.cpus[0].clocks.first()?.grid;
        Some(grid.after(self.st.now)).filter(|at| *at <= self.end() && !self.is_finished())
    }

    fn previous_first_clock_tick(&self) -> SimTime {
        let Some(c) = self.st.cpus[0].clocks.first() else {
            return SimTime::ZERO;
        };
        let before = SimTime(self.st.now.0.saturating_sub(1));
        c.grid.last(before).unwrap_or(SimTime::ZERO)
    }
}
