//! Going anywhere in a run: keyframes, stepping forward and back, explaining.
//!
//! A keyframe is a snapshot. Going back restores the nearest one before and runs again; determinism makes
//! that the same run. Explaining a decision does the same with candidates recorded.

use super::{Options, Sim};
use crate::config::edit::{Edit, TimedEdit};
use crate::config::plan::Plan;
use crate::error::{ConfigError, SnapshotError};
use crate::info::ReasonEntry;
use crate::sched::decision::{Decision, Level};
use crate::sched::registry;
use crate::time::{SimSpan, SimTime};
use crate::trace::TraceKind;
use std::sync::Arc;

/// A keyframe at least this often at first, in simulated time …
const SPACING: SimSpan = SimSpan(1_000_000_000);
/// … and in events.
const SPACING_EVENTS: u64 = 65_536;
/// Keyframes kept, and their bytes: beyond either, every second one goes and the spacing doubles.
const KEPT: usize = 240;
const KEPT_BYTES: usize = 64 << 20;

struct Keyframe {
    handled: u64,
    at: SimTime,
    decisions: u64,
    bytes: Vec<u8>,
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
    /// The next tick of the first CPU's first clock.
    Tick,
}

impl StepKind {
    /// From the word that the page and the command line use.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
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
            "sliceEnd" => Self::DecisionKind("sliceEnd"),
            _ => return None,
        })
    }
}

/// A run that can go back.
pub struct Replay {
    sim: Sim,
    start: Vec<u8>,
    keyframes: Vec<Keyframe>,
    /// How often the spacing has doubled.
    thinned: u32,
    reasons: Vec<ReasonEntry>,
}

impl Replay {
    /// A run of one lane at time 0.
    #[must_use]
    pub fn new(plan: &Arc<Plan>, lane: usize, options: Options) -> Self {
        let sim = Sim::new(plan, lane, options);
        Self {
            start: sim.snapshot(),
            sim,
            keyframes: Vec::new(),
            thinned: 0,
            reasons: registry::reasons(),
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

    /// Runs up to and including `until` or for `max_events`; never beyond a point where a keyframe is due
    /// without taking it.
    pub fn advance(&mut self, until: SimTime, max_events: u64) {
        let mut left = max_events;
        while left > 0 && self.sim.now() < until && !self.sim.is_finished() {
            self.keep_keyframe();
            let (last_at, last_handled) = self.last_keyframe();
            let (span, events) = self.spacing();
            // Where nothing has happened since the last keyframe none is taken, however long ago it is.
            let now = self.sim.now();
            let from = if now >= last_at + span { now } else { last_at };
            let stop = until.min(from + span);
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

    fn keep_keyframe(&mut self) {
        let (at, handled) = self.last_keyframe();
        let (span, events) = self.spacing();
        let due = self.sim.now() >= at + span || self.sim.handled() >= handled + events;
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
            bytes: self.sim.snapshot(),
        });
        let bytes: usize = self.keyframes.iter().map(|k| k.bytes.len()).sum();
        if self.keyframes.len() > KEPT || bytes > KEPT_BYTES {
            let mut keep = false;
            self.keyframes.retain(|_| {
                keep = !keep;
                keep
            });
            self.thinned += 1;
        }
    }

    /// Distance of keyframes now, in simulated time and in events.
    fn spacing(&self) -> (SimSpan, u64) {
        let doubled = self.thinned.min(20);
        (SimSpan(SPACING.0 << doubled), SPACING_EVENTS << doubled)
    }

    /// Goes to any time, past or future, until `max_events` were handled; whether it got there.
    pub fn seek(&mut self, to: SimTime, max_events: u64) -> bool {
        let to = to.min(self.sim.end());
        if to < self.sim.now() {
            self.rewind(|k| k.at <= to);
        }
        self.advance(to, max_events);
        // The last events of that very instant may be still to come.
        let due = self.sim.next_event_time().is_some_and(|at| at <= to);
        self.sim.st.finished || (self.sim.now() >= to && !due)
    }

    /// Restores the latest keyframe that qualifies, or the start.
    fn rewind(&mut self, qualifies: impl Fn(&Keyframe) -> bool) {
        let bytes = self
            .keyframes
            .iter()
            .rev()
            .find(|k| qualifies(k))
            .map_or(&self.start, |k| &k.bytes);
        self.sim
            .restore(bytes)
            .expect("invariant: keyframes are snapshots of this very run");
    }

    /// How often what a step looks for has happened.
    fn mark(&self, kind: StepKind) -> u64 {
        match kind {
            StepKind::Event => self.sim.handled(),
            StepKind::Decision => self.sim.decisions().next_id(),
            StepKind::Trace(kind) => self.sim.trace().count(kind),
            StepKind::DecisionKind(word) => {
                let log = self.sim.decisions();
                (0_u16..)
                    .zip(&self.reasons)
                    .filter(|(_, r)| r.kind == word)
                    .map(|(code, _)| log.count(code))
                    .sum()
            }
            StepKind::Tick => self.sim.first_clock_ticks(),
        }
    }

    /// Steps to just after the next thing of a kind; `false` if the run ends first.
    pub fn step(&mut self, kind: StepKind) -> bool {
        if kind == StepKind::Tick {
            let Some(next) = self.sim.next_first_clock_tick() else {
                return false;
            };
            self.advance(next, u64::MAX);
            return !self.sim.is_finished();
        }
        let before = self.mark(kind);
        loop {
            self.keep_keyframe();
            if !self.sim.step_event() {
                let end = self.sim.end();
                self.sim.run_until(end);
                return false;
            }
            if self.mark(kind) != before {
                return true;
            }
        }
    }

    /// Steps back to just after the previous thing of a kind, or to the start.
    pub fn step_back(&mut self, kind: StepKind) -> bool {
        if kind == StepKind::Tick {
            let to = self.sim.previous_first_clock_tick();
            self.seek(to, u64::MAX);
            return to > SimTime::ZERO;
        }
        // The moment may lie between events: then the previous thing is the latest so far.
        let here = (self.sim.handled(), self.sim.now());
        let mut limit = here.0;
        loop {
            self.rewind(|k| k.handled < limit);
            let from = self.sim.handled();
            let mut found = None;
            let mut mark = self.mark(kind);
            while self.sim.handled() < limit && self.sim.step_event() {
                let (handled, now) = (self.sim.handled(), self.sim.now());
                let new = self.mark(kind);
                if new != mark && (handled, now) < here {
                    found = Some(handled);
                }
                mark = new;
            }
            // At an event: its own change of the mark is where we are, so look before it; between
            // events it is the place to go to.
            if let Some(handled) = found {
                self.rewind(|k| k.handled <= handled);
                while self.sim.handled() < handled && self.sim.step_event() {}
                return true;
            }
            if from == 0 {
                self.rewind(|_| false);
                return false;
            }
            limit = from;
        }
    }

    /// Makes an edit now. The recorded future and the edits made in it are dropped, the past stays, and so
    /// do the edits that the scenario plans.
    ///
    /// # Errors
    /// Everything that is wrong with it; the run is unchanged.
    pub fn edit(&mut self, edit: Edit) -> Result<(), Vec<ConfigError>> {
        let handled = self.sim.handled();
        self.sim.edit(edit)?;
        self.keyframes
            .retain(|k| k.handled <= handled && k.at < self.sim.now());
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
            decision_limit: 64,
            check: false,
            ..self.sim.options
        };
        let mut again = Sim::new(&self.sim.plan, self.sim.lane, options);
        again.edits.clone_from(&self.sim.edits);
        let bytes = self
            .keyframes
            .iter()
            .rev()
            .find(|k| k.decisions <= id)
            .map_or(&self.start, |k| &k.bytes);
        again.restore(bytes).ok()?;
        again.log.level = Level::Full;
        while again.log.next_id() <= id {
            if !again.step_event() {
                return None;
            }
        }
        again.log.get(id).cloned()
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
        Ok(())
    }
}

impl Sim {
    fn first_clock_ticks(&self) -> u64 {
        self.st.cpus[0]
            .clocks
            .first()
            .map_or(0, |c| c.grid.count(SimTime::ZERO, self.st.now))
    }

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
