//! Watchers of a run in progress: they find decisions, count them, and detect when queues become even.

use super::facts::{Ask, Decisions, Fact, FoundDecision};
use crate::config::plan::Plan;
use crate::engine::Sim;
use crate::experiment::probe::loads;
use crate::ids::TaskId;
use crate::info::ReasonEntry;
use crate::sched::decision::Decision;
use crate::trace::TraceKind;

/// Kinds of records after which the lengths of queues may have changed.
const CHANGES: [TraceKind; 6] = [
    TraceKind::Wakeup,
    TraceKind::Fork,
    TraceKind::Migrate,
    TraceKind::Sleep,
    TraceKind::Exit,
    TraceKind::Queue,
];

/// A question in progress.
pub(super) struct Watch {
    ask: Ask,
    /// For each code of a reason: whether it is selected.
    codes: Vec<bool>,
    /// For each number of a thread: whether it is selected; filled in at first use.
    threads: Vec<Option<bool>>,
    /// Number of selected decisions so far.
    seen: u64,
    found: Option<FoundDecision>,
    /// Number of records that change queues, at the last reading.
    changes: Option<u64>,
    since: Option<u64>,
    done: bool,
}

/// Whether a word selects a reason: its id or its kind.
pub(super) fn means(entry: &ReasonEntry, word: &str) -> bool {
    entry.id == word || entry.kind == word
}

impl Watch {
    pub(super) fn new(plan: &Plan, lane: usize, ask: Ask) -> Self {
        let reason = match &ask {
            Ask::Decision { of, .. } | Ask::Count { of, .. } => of.reason.as_str(),
            Ask::Look(_) | Ask::Settled(_) => "",
        };
        let reasons = plan.lanes[lane].info.reasons;
        let codes: Vec<bool> = reasons.iter().map(|r| means(r, reason)).collect();
        let is_vain = !codes.contains(&true) && !matches!(ask, Ask::Settled(_));
        Self {
            ask,
            codes,
            threads: Vec::new(),
            seen: 0,
            found: None,
            changes: None,
            since: None,
            done: is_vain,
        }
    }

    /// Whether later events cannot change the answer.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Receives a decision.
    pub(super) fn see(&mut self, sim: &Sim, d: &Decision) {
        if self.done || !self.codes[usize::from(d.reason)] || !self.is_meant(sim, d) {
            return;
        }
        match self.ask {
            Ask::Decision { nth, after, .. } => {
                if after.is_some_and(|after| d.at.0 <= after) {
                    return;
                }
                self.seen += 1;
                if nth < 0 || i64::from(nth).unsigned_abs() == self.seen {
                    self.found = Some(found(sim, d));
                    self.done = nth >= 0;
                }
            }
            Ask::Count { from, to, .. } => {
                self.done = d.at.0 > to;
                if (from..=to).contains(&d.at.0) {
                    self.seen += 1;
                }
            }
            Ask::Look(_) | Ask::Settled(_) => {}
        }
    }

    fn is_meant(&mut self, sim: &Sim, d: &Decision) -> bool {
        let (Ask::Decision { of, .. } | Ask::Count { of, .. }) = &self.ask else {
            return false;
        };
        let cpu = of.cpu.is_none_or(|cpu| d.cpu.is_some_and(|c| c.0 == cpu));
        cpu && is_thread(&mut self.threads, sim, of, d.task)
    }

    /// Receives the state of the queues.
    pub(super) fn look(&mut self, sim: &Sim) {
        let Ask::Settled(n) = self.ask else { return };
        let changes = CHANGES.iter().map(|k| sim.trace().count(*k)).sum();
        if self.changes.replace(changes) == Some(changes) {
            return;
        }
        if loads(sim).iter().all(|load| *load == n) {
            self.since.get_or_insert(sim.now().0);
        } else {
            self.since = None;
        }
    }

    /// The question and its answer.
    pub(super) fn result(self) -> (Ask, Fact) {
        let fact = match self.ask {
            Ask::Count { .. } => Fact::Count(self.seen),
            Ask::Settled(_) => Fact::Time(self.since),
            Ask::Decision { .. } | Ask::Look(_) => Fact::Decision(self.found),
        };
        (self.ask, fact)
    }
}

/// Whether a decision is about a selected thread or group.
fn is_thread(
    known: &mut Vec<Option<bool>>,
    sim: &Sim,
    of: &Decisions,
    task: Option<TaskId>,
) -> bool {
    let Some(wanted) = &of.thread else {
        return true;
    };
    let Some(task) = task.filter(|t| t.index() < sim.task_count()) else {
        return false;
    };
    if known.len() <= task.index() {
        known.resize(task.index() + 1, None);
    }
    *known[task.index()].get_or_insert_with(|| {
        let group = sim.task_view(task).info.group;
        sim.task_name(task) == *wanted || sim.plan().groups[group.index()].name == *wanted
    })
}

fn found(sim: &Sim, d: &Decision) -> FoundDecision {
    let known = |t: &TaskId| t.index() < sim.task_count();
    FoundDecision {
        id: d.id,
        at_ns: d.at.0,
        thread: d.task.filter(known).map(|t| sim.task_name(t)),
        cpu: d.cpu.map(|c| c.0),
        reason: d.reason,
        operands: d.operands,
    }
}
