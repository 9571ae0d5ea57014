//! Traces for other programs: the records of each CPU, as text or as packets.
//!
//! The caller asks an [`Exporter`] for more while a run advances, so that a run of any length needs little memory. Only
//! [`Format::Ktr`] is read from its end; see there.

pub mod csv;
mod ftrace;
mod ktr;
mod perfetto;
pub mod rows;

use crate::engine::{Sim, UpToDate};
use crate::ids::TaskId;
use crate::info::ReasonEntry;
use crate::sched::flags::Policy;
use crate::trace::{SwitchCode, TraceKind, TraceRecord};
use std::collections::BTreeMap;

/// A format that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One record a line, with names; for spreadsheets.
    Csv,
    /// One record a line as a JSON object.
    JsonLines,
    /// The text that Linux writes to `/sys/kernel/tracing/trace` with the events of `sched` switched on; Perfetto reads
    /// it.
    Ftrace,
    /// The text that FreeBSD's `ktrdump -ct` prints of `KTR_SCHED`; schedgraph reads it. The newest line comes first:
    /// the caller reverses the lines of all chunks.
    Ktr,
    /// Packets of protobuf, Perfetto's own format: the events of [`Self::Ftrace`], with whole names. No text: see
    /// [`Exporter::packets`].
    Perfetto,
}

impl Format {
    /// Names of the formats.
    pub const NAMES: &'static [&'static str] = &["csv", "jsonl", "ftrace", "ktr", "perfetto"];

    /// A format by name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "csv" => Self::Csv,
            "jsonl" => Self::JsonLines,
            "ftrace" => Self::Ftrace,
            "ktr" => Self::Ktr,
            "perfetto" => Self::Perfetto,
            _ => return None,
        })
    }
}

/// Number of records that may occur between two calls of [`Exporter::more`]; an exported run must keep that many.
pub const CHUNK: usize = 65_536;
/// Number of events that may be handled between two calls; an event leaves only a few records.
const EVENTS: u64 = CHUNK as u64 / 64;

/// Turns the trace of a run into text.
#[derive(Debug)]
pub struct Exporter {
    format: Format,
    next_seq: u64,
    tasks: Vec<Known>,
    /// The reasons of the lane's scheduler, by code.
    reasons: &'static [ReasonEntry],
    /// The running task of each CPU, according to the records so far.
    on: Vec<i64>,
    /// Since when, in ns.
    since: Vec<u64>,
    /// How many threads of each process have begun and not ended.
    alive: BTreeMap<u32, usize>,
    /// Lines of ftrace so far.
    entries: u64,
    /// Data that KTR needs besides the records.
    clock: ktr::Clock,
}

/// What the records say about a task so far.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    nice: i8,
    /// Its priority among real-time threads, if it is one.
    real_time: Option<u8>,
    /// Number of its process.
    process: u32,
    /// Whether it has begun and not ended.
    alive: bool,
    /// The CPU on which it runs, last ran, or waits.
    cpu: i32,
    /// Whether it has run.
    ran: bool,
    /// Its own priority at the end of the latest event, if the scheduler has priorities as KTR shows them.
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
            since: Vec::new(),
            alive: BTreeMap::new(),
            entries: 0,
            clock: ktr::Clock::default(),
        }
    }

    /// Largest number of events that the run may handle between two calls of [`Exporter::more`]. No record may be lost,
    /// and data that are not in the records are read from the run after each event.
    #[must_use]
    pub fn events(&self) -> u64 {
        if self.format == Format::Ktr {
            1
        } else {
            EVENTS
        }
    }

    /// The text that stands first. That of ftrace has the number of all lines, so it is right only after the last record.
    #[must_use]
    pub fn header(&self, sim: &Sim) -> String {
        match self.format {
            Format::Csv => rows::csv_header(),
            Format::JsonLines | Format::Perfetto => String::new(),
            Format::Ftrace => ftrace::header(sim, self.entries),
            Format::Ktr => ktr::header(),
        }
    }

    /// The records since the last call, as lines; none of [`Format::Perfetto`].
    ///
    /// # Panics
    /// If records were lost: the run keeps fewer records than occurred since then.
    pub fn more(&mut self, sim: UpToDate<'_>, out: &mut String) {
        let (records, before) = (self.take(&sim), out.len());
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
                Format::Perfetto => {}
            }
            self.note(r);
        }
        if self.format == Format::Ktr {
            ktr::ticks(self, sim.now(), out);
        }
        if self.format == Format::Ftrace {
            self.entries += out[before..].matches('\n').count() as u64;
        }
    }

    /// The records since the last call, as packets of [`Format::Perfetto`]. Parts stand one after the other.
    ///
    /// # Panics
    /// As [`Self::more`].
    pub fn packets(&mut self, sim: &Sim, out: &mut Vec<u8>) {
        let known = self.tasks.len();
        let records = self.take(sim);
        let begin = records.first().map_or(sim.now(), |r| r.at);
        perfetto::names(self, begin.0, known, out);
        let mut of_cpus: Vec<Vec<_>> = self.on.iter().map(|_| Vec::new()).collect();
        for r in &records {
            perfetto::collect(self, r, &mut of_cpus);
            self.note(r);
        }
        perfetto::events(of_cpus, out);
    }

    /// The records since the last call, as named fields, one after the other.
    ///
    /// # Panics
    /// As [`Self::more`].
    pub fn each(&mut self, sim: &Sim, mut take: impl FnMut(&rows::Fields<'_>)) {
        for r in &self.take(sim) {
            take(&rows::fields(self, r));
            self.note(r);
        }
    }

    /// Takes the records since the last call, and learns the tasks that they name.
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

    /// Learns the tasks that are new since the last call.
    fn learn(&mut self, sim: &Sim) {
        self.on.resize(sim.plan().machine.cpu_count(), -1);
        self.since.resize(self.on.len(), 0);
        for i in self.tasks.len()..sim.task_count() {
            let task = TaskId::new(i);
            let info = sim.task_view(task).info;
            let group = &sim.plan().groups[info.group.index()];
            let is_real_time = matches!(group.policy, Policy::Fifo | Policy::RoundRobin);
            self.tasks.push(Known {
                name: sim.task_name(task),
                nice: group.nice,
                real_time: is_real_time.then_some(group.rt_priority),
                process: info.process,
                alive: false,
                cpu: 0,
                ran: false,
                priority: None,
            });
        }
    }

    fn note(&mut self, r: &TraceRecord) {
        if r.kind == TraceKind::Switch
            && let Some(cpu) = index(r.cpu.into()).filter(|cpu| *cpu < self.on.len())
        {
            (self.on[cpu], self.since[cpu]) = (r.task, r.at.0);
        }
        let Some(task) = index(r.task) else { return };
        match r.kind {
            // The CPU of its first run. For a thread that has run before, the record of a migration follows if it has
            // moved.
            TraceKind::Switch if !self.tasks[task].ran => {
                (self.tasks[task].ran, self.tasks[task].cpu) = (true, r.cpu);
            }
            TraceKind::Fork => {
                self.tasks[task].cpu = r.target.max(0);
                self.count(task, true);
            }
            TraceKind::Exit => self.count(task, false),
            TraceKind::Migrate => self.tasks[task].cpu = r.cpu.max(0),
            TraceKind::Queue if r.cpu >= 0 => self.tasks[task].cpu = r.cpu,
            TraceKind::Wakeup if r.other >= 0 => {
                self.tasks[task].cpu = i32::try_from(r.other).unwrap_or(0);
            }
            TraceKind::Nice => self.tasks[task].nice = i8::try_from(r.other).unwrap_or(0),
            _ => {}
        }
    }

    /// The running task of a CPU; -1 if it is idle. Events on no CPU count as events on the first one.
    fn on(&self, cpu: i32) -> i64 {
        let on = index(cpu.max(0).into()).and_then(|cpu| self.on.get(cpu));
        on.copied().unwrap_or(-1)
    }

    /// Since when a CPU has had its running task, in ns.
    fn since(&self, cpu: i32) -> u64 {
        let since = index(cpu.into()).and_then(|cpu| self.since.get(cpu));
        since.copied().unwrap_or(0)
    }

    /// Counts that a thread has begun or ended.
    fn count(&mut self, task: usize, alive: bool) {
        let known = &mut self.tasks[task];
        let was = std::mem::replace(&mut known.alive, alive);
        let all = self.alive.entry(known.process).or_default();
        *all = *all + usize::from(alive) - usize::from(was);
    }

    /// Whether all other threads of a thread's process have ended.
    fn is_last_of_process(&self, task: i64) -> bool {
        self.task(task).is_none_or(|t| {
            let all = self.alive.get(&t.process).copied().unwrap_or(0);
            all == usize::from(t.alive)
        })
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
