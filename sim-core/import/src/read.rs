//! A trace from its first byte to its last: pieces of a file in, events out.
//!
//! Who reads decides how fast pieces come, shows progress by the bytes that were read, and cancels by not going on.
//! Memory holds one line, the events of the last millisecond, and the names of threads.

use crate::detect::{self, Format};
use crate::error::{ImportError, cut};
use crate::event::{Context, Event, IDLE, Kind, Pid, State};
use crate::lines::Lines;
use crate::names::Names;
use crate::order::{Order, WINDOW};
use crate::unwrap::Json;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes by which a format is recognised.
pub const HEAD: usize = 64 << 10;
/// CPUs above which a number is taken for damage.
pub const MOST_CPUS: u16 = 1024;
/// Threads above which a trace is refused.
pub const MOST_THREADS: usize = 100_000;
/// Bytes within which there has to be a switch.
const SWITCH_WITHIN: u64 = 10_000_000;
/// Wrong lines after which the share of them is looked at before the end.
const EARLY: u64 = 1_000;

/// How to record what can be read.
pub const RECORD: &str = "Record it again with `trace-cmd record -e sched_switch -e sched_waking -e sched_wakeup_new -e sched_migrate_task -e sched_process_fork -e sched_process_exit -e sched_stat_runtime sleep 5` and give `trace-cmd report > trace.txt`";

/// Takes events as they are read.
pub trait Sink {
    /// The next event, in the order of time, and what threads are called so far.
    fn event(&mut self, event: &Event, names: &Names);
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn event(&mut self, event: &Event, names: &Names) {
        (**self).event(event, names);
    }
}

impl Sink for Vec<Event> {
    fn event(&mut self, event: &Event, _names: &Names) {
        self.push(*event);
    }
}

/// Reads a file in pieces.
pub trait Reading {
    /// Reads the next piece. After an error nothing more can be read.
    ///
    /// # Errors
    /// Why the trace is refused.
    fn push(&mut self, piece: &[u8], sink: &mut dyn Sink) -> Result<(), ImportError>;

    /// Says that there are no more pieces.
    ///
    /// # Errors
    /// Why the trace is refused.
    fn finish(&mut self, sink: &mut dyn Sink) -> Result<Facts, ImportError>;

    /// Bytes so far, for showing progress.
    fn bytes(&self) -> u64;
}

/// What is known of a whole trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// Its format.
    pub format: Option<Format>,
    /// Number of CPUs that its header tells.
    pub cpus: Option<u16>,
    /// One more than the highest CPU that was seen.
    pub seen_cpus: u16,
    /// Lines about scheduling that were understood.
    pub events: u64,
    /// Switches among them.
    pub switches: u64,
    /// Lines about scheduling that were not.
    pub bad: u64,
    /// Events that the recorder lost, as far as it counted them.
    pub lost: u64,
    /// Times that something was lost.
    pub gaps: u64,
    /// Whether wake-ups say if an interrupt made them.
    pub knows_interrupts: bool,
    /// Whether `sched_waking` or something like it is there.
    pub has_waking: bool,
    /// Whether accountings in ns are there.
    pub has_runtime: bool,
    /// Whether calls of `sched_yield` are there.
    pub has_yields: bool,
    /// Whether the kernel writes states one place too high, as unpatched ones from 4.15 to 4.19 do.
    pub shifted_states: bool,
}

/// What the reader is told to bear.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Go on where the recorder lost events. What threads did there is unknown.
    pub allow_lost: bool,
}

/// What is wrong with a line about scheduling.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What was expected.
    Line(&'static str),
    /// The whole trace is refused.
    Trace(Box<ImportError>),
}

impl From<&'static str> for Fault {
    fn from(expected: &'static str) -> Self {
        Self::Line(expected)
    }
}

/// How the lines of one format are read.
pub(crate) trait Layout: std::fmt::Debug {
    /// Reads a line.
    fn line(&mut self, line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault>;

    /// The file has ended. What was kept back until then comes now, in parts: whether there is more.
    fn end(&mut self, _cx: &mut Cx<'_>) -> Result<bool, Fault> {
        Ok(false)
    }
}

/// What a layout writes to.
#[derive(Debug)]
pub(crate) struct Cx<'a> {
    pub(crate) names: &'a mut Names,
    pub(crate) facts: &'a mut Facts,
    /// Threads whose wake-up has begun and is not over.
    waking: &'a mut BTreeSet<Pid>,
    /// Threads within `sched_yield` that have not left their CPU there.
    yielding: &'a mut BTreeSet<Pid>,
    order: &'a mut Order,
    /// By how much an event came too late.
    late: Option<u64>,
    lost_here: bool,
}

impl Cx<'_> {
    /// A number of a CPU, or of CPUs.
    pub(crate) fn cpu(&self, number: u64) -> Result<u16, Fault> {
        match u16::try_from(number) {
            Ok(cpu) if cpu < MOST_CPUS => Ok(cpu),
            _ => Err(Fault::Trace(Box::new(
                ImportError::new(format!("expected a CPU from 0 to {}", MOST_CPUS - 1))
                    .remedy("A larger machine cannot be read: record some of its CPUs with `trace-cmd record -M MASK`"),
            ))),
        }
    }

    /// Hands an event on.
    pub(crate) fn emit(&mut self, mut event: Event) {
        let facts = &mut *self.facts;
        facts.events += 1;
        facts.seen_cpus = facts.seen_cpus.max(event.cpu + 1);
        facts.knows_interrupts |= event.context.irq.is_some();
        match &mut event.kind {
            Kind::Switch {
                prev,
                prev_state,
                next,
                ..
            } => {
                facts.switches += 1;
                let is_linux = facts.format != Some(Format::Ktr);
                facts.shifted_states |= is_linux && *prev == IDLE && *prev_state == State::Sleeping;
                if facts.shifted_states {
                    *prev_state = shifted(*prev_state, *next == IDLE);
                }
                if self.yielding.remove(prev) && *prev_state == State::Runnable {
                    *prev_state = State::Yields;
                }
            }
            Kind::Waking { pid, .. } => {
                facts.has_waking = true;
                self.waking.insert(*pid);
            }
            Kind::Wakeup { pid, twin, .. } => *twin = self.waking.remove(pid),
            Kind::Yield { pid, returns } => {
                facts.has_yields = true;
                if *returns {
                    self.yielding.remove(pid);
                } else {
                    self.yielding.insert(*pid);
                }
            }
            Kind::Runtime { .. } => facts.has_runtime = true,
            _ => {}
        }
        if let Err(late) = self.order.take(event) {
            self.late = Some(late);
        }
    }

    /// The recorder lost events of a CPU before this line.
    pub(crate) fn lost(&mut self, cpu: u16, events: Option<u64>) {
        self.facts.lost = self.facts.lost.saturating_add(events.unwrap_or(0));
        self.facts.gaps += 1;
        self.lost_here = true;
        let at = self.order.latest();
        let context = Context { pid: 0, irq: None };
        let kind = Kind::Lost { events };
        // At the latest time so far nothing is late.
        let _ = self.order.take(Event {
            at,
            cpu,
            context,
            kind,
        });
    }
}

/// What a state means that was written one place too high. Then a thread that could run seems to sleep: the idle thread,
/// which never does, shows it. A thread of the kernel without work has the number of a preempted one, and only the latter
/// leaves its CPU to another.
fn shifted(written: State, to_idle: bool) -> State {
    match written {
        State::Sleeping => State::Runnable,
        State::Blocked => State::Sleeping,
        State::Stopped => State::Blocked,
        State::Parked => State::Ended,
        State::Idle => State::Parked,
        State::Preempted if to_idle => State::Idle,
        state => state,
    }
}

/// Reads a trace of any format.
#[derive(Debug)]
pub struct Trace {
    options: Options,
    bytes: u64,
    /// The first bytes, until the format is known.
    head: Vec<u8>,
    layout: Option<Box<dyn Layout>>,
    /// Takes the text out of a file of JSON.
    json: Option<Json>,
    lines: Lines,
    state: Body,
}

/// Everything behind the lines.
#[derive(Debug, Default)]
struct Body {
    names: Names,
    facts: Facts,
    waking: BTreeSet<Pid>,
    yielding: BTreeSet<Pid>,
    order: Order,
    /// What was expected → how often, and the first line of it.
    reasons: BTreeMap<&'static str, (u64, u64, String)>,
}

impl Default for Trace {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Trace {
    /// Begins to read.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            bytes: 0,
            head: Vec::new(),
            layout: None,
            json: None,
            lines: Lines::default(),
            state: Body::default(),
        }
    }

    /// What threads are called so far.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.state.names
    }

    /// What is known so far.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.state.facts
    }

    /// Recognises the format and reads the head.
    fn begin(&mut self, sink: &mut dyn Sink) -> Result<(), ImportError> {
        let head = std::mem::take(&mut self.head);
        let format = detect::format(&head)?;
        self.state.facts.format = Some(format);
        self.layout = Some(detect::layout(format));
        self.json = (format == Format::ChromeJson).then(Json::default);
        self.cut(&head, sink)
    }

    fn cut(&mut self, piece: &[u8], sink: &mut dyn Sink) -> Result<(), ImportError> {
        let Some(layout) = &mut self.layout else {
            return Ok(());
        };
        let (state, options) = (&mut self.state, self.options);
        let lines = &mut self.lines;
        let piece = match &mut self.json {
            Some(json) => json.push(piece),
            None => piece,
        };
        lines.push(piece, |number, line| {
            state.line(layout.as_mut(), number, line, options, sink)
        })?;
        if self.state.facts.switches == 0 && self.bytes >= SWITCH_WITHIN {
            return Err(no_switch("the first 10 MB have no sched_switch"));
        }
        Ok(())
    }
}

impl Reading for Trace {
    fn push(&mut self, piece: &[u8], sink: &mut dyn Sink) -> Result<(), ImportError> {
        self.bytes += piece.len() as u64;
        if self.layout.is_some() {
            return self.cut(piece, sink);
        }
        let room = HEAD.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(&piece[..room]);
        if self.head.len() < HEAD {
            return Ok(());
        }
        self.begin(sink)?;
        self.cut(&piece[room..], sink)
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<Facts, ImportError> {
        if self.layout.is_none() {
            self.begin(sink)?;
        }
        let Some(layout) = &mut self.layout else {
            return Ok(Facts::default());
        };
        if let Some((number, line)) = self.lines.rest() {
            let bad = self.state.facts.bad;
            let reasons = self.state.reasons.clone();
            self.state
                .line(layout.as_mut(), number, &line, self.options, sink)?;
            // A copy that was cut off ends within a line. That is no fault of the trace.
            self.state.facts.bad = bad;
            self.state.reasons = reasons;
        }
        self.state.end(layout.as_mut(), sink)?;
        Ok(self.state.facts.clone())
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Body {
    fn line(
        &mut self,
        layout: &mut dyn Layout,
        number: u64,
        line: &[u8],
        options: Options,
        sink: &mut dyn Sink,
    ) -> Result<(), ImportError> {
        let (late, lost, result) = self.with(|cx| layout.line(line, cx));
        match result {
            Ok(()) => {}
            Err(Fault::Line(expected)) => self.wrong(expected, number, line)?,
            Err(Fault::Trace(e)) => return Err(e.at(number, line)),
        }
        if let Some(late) = late {
            return Err(backwards(late).at(number, line));
        }
        if lost && !options.allow_lost {
            return Err(lost_events().at(number, line));
        }
        if self.names.count() > MOST_THREADS {
            return Err(ImportError::new(format!("more than {MOST_THREADS} threads"))
                .at(number, line)
                .remedy("Record a shorter time, or only the processes of interest with `trace-cmd record -P PID -c`"));
        }
        while let Some(event) = self.order.next() {
            sink.event(&event, &self.names);
        }
        Ok(())
    }

    /// Lets a layout write, and gives back what came too late, whether something was lost, and its answer.
    fn with<T>(&mut self, write: impl FnOnce(&mut Cx<'_>) -> T) -> (Option<u64>, bool, T) {
        let mut cx = Cx {
            names: &mut self.names,
            facts: &mut self.facts,
            waking: &mut self.waking,
            yielding: &mut self.yielding,
            order: &mut self.order,
            late: None,
            lost_here: false,
        };
        let result = write(&mut cx);
        (cx.late, cx.lost_here, result)
    }

    fn wrong(
        &mut self,
        expected: &'static str,
        number: u64,
        line: &[u8],
    ) -> Result<(), ImportError> {
        self.facts.bad += 1;
        let first = || (0, number, cut(line));
        self.reasons.entry(expected).or_insert_with(first).0 += 1;
        if self.facts.bad >= EARLY {
            self.mostly_good()?;
        }
        Ok(())
    }

    /// At most one line in a hundred may be wrong.
    fn mostly_good(&self) -> Result<(), ImportError> {
        let Facts { bad, events, .. } = self.facts;
        if bad * 100 <= bad + events {
            return Ok(());
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, first, _))| (std::cmp::Reverse(*count), *first));
        let told: Vec<String> = reasons
            .iter()
            .take(3)
            .map(|(expected, (count, first, text))| {
                format!("{count} × expected {expected}, first in line {first}: `{text}`")
            })
            .collect();
        Err(ImportError::new(format!(
            "{bad} of {} lines about scheduling cannot be read, and at most 1 % may be wrong: {}",
            bad + events,
            told.join("; ")
        ))
        .remedy(RECORD))
    }

    fn end(&mut self, layout: &mut dyn Layout, sink: &mut dyn Sink) -> Result<(), ImportError> {
        loop {
            let (late, _, result) = self.with(|cx| layout.end(cx));
            let has_more = match result {
                Ok(has_more) => has_more,
                Err(Fault::Line(e)) => return Err(ImportError::new(format!("expected {e}"))),
                Err(Fault::Trace(e)) => return Err(*e),
            };
            if let Some(late) = late {
                return Err(backwards(late));
            }
            if !has_more {
                break;
            }
            while let Some(event) = self.order.next() {
                sink.event(&event, &self.names);
            }
        }
        while let Some(event) = self.order.rest() {
            sink.event(&event, &self.names);
        }
        self.mostly_good()?;
        if self.facts.switches == 0 {
            return Err(no_switch("the trace has no sched_switch"));
        }
        Ok(())
    }
}

fn no_switch(what: &str) -> ImportError {
    ImportError::new(format!("{what}, which says who had a CPU")).remedy(RECORD)
}

fn lost_events() -> ImportError {
    ImportError::new("the recorder lost events here, so what threads did is not known").remedy(
        "Record again with a larger buffer (`trace-cmd record -b 20000 …`), or read it all the same with --allow-lost",
    )
}

fn backwards(by: u64) -> ImportError {
    ImportError::new(format!(
        "the time goes back by {}.{:03} ms, and at most {} ms are put in order",
        by / 1_000_000,
        by % 1_000_000 / 1_000,
        WINDOW / 1_000_000
    ))
    .remedy("Record with one clock for all CPUs (`trace-cmd record -C mono …`, `perf record -k mono …`)")
}

#[cfg(test)]
mod tests;
