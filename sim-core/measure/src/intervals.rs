//! Lengths of what threads do again and again, read from the records of a run in progress.

use crate::facts::{Ask, Fact};
use crate::watch::Selected;
use sim_run::engine::Sim;
use sim_run::ids::TaskId;
use sim_run::trace::{SwitchCode, TraceKind, TraceRecord};

/// What is measured, each time that it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// From becoming runnable, by a start, a wake-up or the loss of a CPU, to the next turn.
    Wait,
    /// From a wake-up to the next turn.
    Latency,
    /// From getting a CPU to losing it.
    Turn,
    /// From a wake-up or a start to going to sleep or ending.
    Response,
    /// The CPU time between the ends of a response.
    Demand,
}

/// The lengths of the intervals that end in a window, in the order of their ends.
pub(crate) struct Intervals {
    what: Interval,
    who: String,
    from: u64,
    to: u64,
    selected: Selected,
    /// By number of the thread: when its open interval began, in ns; for a demand, the thread's CPU time then.
    open: Vec<Option<u64>>,
    lengths: Vec<u64>,
    is_over: bool,
}

impl Intervals {
    pub(crate) fn new(what: Interval, who: String, from: u64, to: u64) -> Self {
        Self {
            what,
            selected: Selected::new(&who),
            who,
            from,
            to,
            open: Vec::new(),
            lengths: Vec::new(),
            is_over: false,
        }
    }

    /// Whether later records cannot change the answer.
    pub(crate) fn is_done(&self) -> bool {
        self.is_over
    }

    /// Receives a record.
    pub(crate) fn see(&mut self, sim: &Sim, record: &TraceRecord) {
        let at = record.at.0;
        if at > self.to {
            self.is_over = true;
            return;
        }
        match (record.kind, self.what) {
            (TraceKind::Wakeup, Interval::Wait | Interval::Latency | Interval::Response)
            | (TraceKind::Fork, Interval::Wait | Interval::Response) => {
                self.begin(sim, record.task, at);
            }
            (TraceKind::Wakeup | TraceKind::Fork, Interval::Demand) => {
                self.begin(sim, record.task, cpu_time(sim, record.task));
            }
            (TraceKind::Sleep | TraceKind::Exit, Interval::Response) => {
                self.end(record.task, at, at);
            }
            (TraceKind::Sleep | TraceKind::Exit, Interval::Demand) => {
                self.end(record.task, at, cpu_time(sim, record.task));
            }
            (TraceKind::Switch, Interval::Wait | Interval::Latency) => {
                self.end(record.task, at, at);
                let runnable = [SwitchCode::Involuntary, SwitchCode::Yield];
                let stays = runnable.iter().any(|code| *code as i32 == record.reason);
                if stays && self.what == Interval::Wait {
                    self.begin(sim, record.other, at);
                }
            }
            (TraceKind::Switch, Interval::Turn) => {
                self.end(record.other, at, at);
                self.begin(sim, record.task, at);
            }
            _ => {}
        }
    }

    fn begin(&mut self, sim: &Sim, task: i64, reading: u64) {
        let Some(i) = usize::try_from(task).ok().filter(|i| *i < sim.task_count()) else {
            return;
        };
        if !self.selected.includes(sim, TaskId::new(i)) {
            return;
        }
        if self.open.len() <= i {
            self.open.resize(i + 1, None);
        }
        // A thread that is woken while it is runnable goes on waiting.
        self.open[i].get_or_insert(reading);
    }

    /// An interval ends at a time, with the reading of which its length is made.
    fn end(&mut self, task: i64, at: u64, reading: u64) {
        let open = usize::try_from(task)
            .ok()
            .and_then(|i| self.open.get_mut(i));
        let began = open.and_then(Option::take);
        if let Some(began) = began.filter(|_| at >= self.from) {
            self.lengths.push(reading - began);
        }
    }

    /// The question and its answer so far: waits that are open at the end of the window count with their length until then.
    pub(crate) fn result(&self, now: u64) -> (Ask, Fact) {
        let at = self.to.min(now);
        let mut lengths = self.lengths.clone();
        if matches!(self.what, Interval::Wait | Interval::Latency) {
            let open = self.open.iter().flatten();
            lengths.extend(open.map(|began| at.saturating_sub(*began)));
        }
        let ask = Ask::Lengths {
            what: self.what,
            who: self.who.clone(),
            from: self.from,
            to: self.to,
        };
        (ask, Fact::Lengths(lengths))
    }
}

/// The CPU time of a thread that does not run now, in ns; 0 for any other.
fn cpu_time(sim: &Sim, task: i64) -> u64 {
    let known = usize::try_from(task).ok().filter(|i| *i < sim.task_count());
    known
        .and_then(|i| sim.cpu_time_off_cpu(TaskId::new(i)))
        .unwrap_or(0)
}
