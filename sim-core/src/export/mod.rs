//! Traces for other programs: what happened on each CPU, as text.
//!
//! An [`Exporter`] is asked for more while a run advances, so that a run of any length fits into little memory.
//! [`Format::Ktr`] alone is read from its end: see there.

pub mod csv;
mod ftrace;
mod ktr;
pub mod rows;

use crate::engine::Sim;
use crate::ids::TaskId;
use crate::info::ReasonEntry;
use crate::trace::{SwitchCode, TraceKind, TraceRecord};

/// A text that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One record a line, with names; for spreadsheets.
    Csv,
    /// One record a line as a JSON object.
    JsonLines,
    /// What Linux writes to `/sys/kernel/tracing/trace` with the events of `sched` switched on; Perfetto reads it.
    Ftrace,
    /// What FreeBSD's `ktrdump -ct` prints of `KTR_SCHED`; schedgraph reads it. The newest line comes first: the
    /// lines of all chunks, turned around.
    Ktr,
}

impl Format {
    /// Names of the formats.
    pub const NAMES: &'static [&'static str] = &["csv", "jsonl", "ftrace", "ktr"];

    /// A format by name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "csv" => Self::Csv,
            "jsonl" => Self::JsonLines,
            "ftrace" => Self::Ftrace,
            "ktr" => Self::Ktr,
            _ => return None,
        })
    }
}

/// Records that may pass between two calls of [`Exporter::more`]; a run that is exported must keep as many.
pub const CHUNK: usize = 65_536;
/// Events that may be handled between two calls, for an event leaves a few records at most.
const EVENTS: u64 = CHUNK as u64 / 64;

/// Turns the trace of a run into text.
#[derive(Debug)]
pub struct Exporter {
    format: Format,
    next_seq: u64,
    tasks: Vec<Known>,
    /// The reasons of the lane's scheduler, by code.
    reasons: &'static [ReasonEntry],
    /// What runs on each CPU, as the records so far say.
    on: Vec<i64>,
    /// What KTR needs beyond the records.
    clock: ktr::Clock,
}

/// What the records said of a task so far.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    nice: i8,
    /// Where it runs, ran last, or waits.
    cpu: i32,
    /// Whether it has run.
    ran: bool,
    /// Its own priority at the end of the latest event, where the scheduler has priorities as KTR shows them.
    priority: Option<i64>,
}

impl Exporter {
    /// An exporter of a run that has not begun.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self {
            format,
            next_seq: 0,
            tasks: Vec::new(),
            reasons: &[],
            on: Vec::new(),
            clock: ktr::Clock::default(),
        }
    }

    /// Most events that the run may handle between two calls of [`Exporter::more`]: no record may be lost, and what is
    /// not in the records is read off the run after each event.
    #[must_use]
    pub fn events(&self) -> u64 {
        if self.format == Format::Ktr {
            1
        } else {
            EVENTS
        }
    }

    /// What stands before the first record, after it in a text that is turned around.
    #[must_use]
    pub fn header(&self, sim: &Sim) -> String {
        match self.format {
            Format::Csv => rows::csv_header(),
            Format::JsonLines => String::new(),
            Format::Ftrace => ftrace::header(sim),
            Format::Ktr => ktr::header(),
        }
    }

    /// The records since the last call, as lines.
    ///
    /// # Panics
    /// If records were lost since then: the run keeps fewer than passed.
    pub fn more(&mut self, sim: &Sim, out: &mut String) {
        let records = self.take(sim);
        if self.format == Format::Ktr {
            ktr::observe(self, sim, &records);
        }
        for r in &records {
            if self.format == Format::Ktr {
                ktr::ticks(self, r.at, out);
            }
            match self.format {
                Format::Csv => rows::csv_row(self, r, out),
                Format::JsonLines => rows::json(self, r, out),
                Format::Ftrace => ftrace::line(self, r, out),
                Format::Ktr => ktr::line(self, r, out),
            }
            self.note(r);
        }
        if self.format == Format::Ktr {
            ktr::ticks(self, sim.now(), out);
        }
    }

    /// The records since the last call, as fields with names, one after the other.
    ///
    /// # Panics
    /// As [`Self::more`].
    pub fn each(&mut self, sim: &Sim, mut take: impl FnMut(&rows::Fields<'_>)) {
        for r in &self.take(sim) {
            take(&rows::fields(self, r));
            self.note(r);
        }
    }

    /// The records since the last call; what they name is known after this.
    fn take(&mut self, sim: &Sim) -> Vec<TraceRecord> {
        let trace = sim.trace();
        let records: Vec<TraceRecord> = trace.from_seq(self.next_seq).copied().collect();
        let first = records.first().map_or(trace.next_seq(), |r| r.seq);
        assert!(first == self.next_seq, "invariant: no record is lost");
        self.next_seq = trace.next_seq();
        self.reasons = sim.reasons();
        self.learn(sim);
        records
    }

    /// Tasks that are new since the last call.
    fn learn(&mut self, sim: &Sim) {
        self.on.resize(sim.plan().machine.cpu_count(), -1);
        for i in self.tasks.len()..sim.task_count() {
            let task = TaskId::new(i);
            let group = sim.task_view(task).info.group;
            self.tasks.push(Known {
                name: sim.task_name(task),
                nice: sim.plan().groups[group.index()].nice,
                cpu: 0,
                ran: false,
                priority: None,
            });
        }
    }

    fn note(&mut self, r: &TraceRecord) {
        if r.kind == TraceKind::Switch
            && let Some(on) = index(r.cpu.into()).and_then(|cpu| self.on.get_mut(cpu))
        {
            *on = r.task;
        }
        let Some(task) = index(r.task) else { return };
        match r.kind {
            // Where it runs: of a thread that has run before, a record of its move follows if it has moved.
            TraceKind::Switch if !self.tasks[task].ran => {
                (self.tasks[task].ran, self.tasks[task].cpu) = (true, r.cpu);
            }
            TraceKind::Fork | TraceKind::Migrate => self.tasks[task].cpu = r.cpu.max(0),
            TraceKind::Queue if r.cpu >= 0 => self.tasks[task].cpu = r.cpu,
            TraceKind::Wakeup if r.other >= 0 => {
                self.tasks[task].cpu = i32::try_from(r.other).unwrap_or(0);
            }
            TraceKind::Nice => self.tasks[task].nice = i8::try_from(r.other).unwrap_or(0),
            _ => {}
        }
    }

    /// What runs on a CPU; -1 if it idles. What happens on no CPU counts as happening on the first.
    fn on(&self, cpu: i32) -> i64 {
        let on = index(cpu.max(0).into()).and_then(|cpu| self.on.get(cpu));
        on.copied().unwrap_or(-1)
    }

    fn task(&self, number: i64) -> Option<&Known> {
        index(number).map(|i| &self.tasks[i])
    }
}

fn index(number: i64) -> Option<usize> {
    usize::try_from(number).ok()
}

/// Process ids begin at 1; 0 is the idle task.
fn pid(task: i64) -> i64 {
    task + 1
}

/// The words of a switch record's reason.
fn switch_word(reason: i32) -> &'static str {
    const WORDS: [(SwitchCode, &str); 5] = [
        (SwitchCode::FromIdle, "fromIdle"),
        (SwitchCode::Involuntary, "involuntary"),
        (SwitchCode::Block, "block"),
        (SwitchCode::Yield, "yield"),
        (SwitchCode::Exit, "exit"),
    ];
    let found = WORDS.iter().find(|(code, _)| *code as i32 == reason);
    found.map_or("", |(_, word)| word)
}
