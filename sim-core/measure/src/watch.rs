//! Watchers of a run in progress: they find decisions, count them, and detect when queues become even.

use super::facts::{Ask, Fact, FoundDecision};
use crate::facts::loads;
use sim_run::config::plan::Plan;
use sim_run::engine::Sim;
use sim_run::ids::TaskId;
use sim_run::info::ReasonEntry;
use sim_run::sched::decision::Decision;
use sim_run::trace::TraceKind;

/// Kinds of records after which the lengths of queues may have changed.
const CHANGES: [TraceKind; 6] = [
    TraceKind::Wakeup,
    TraceKind::Fork,
    TraceKind::Migrate,
    TraceKind::Sleep,
    TraceKind::Exit,
    TraceKind::Queue,
];

/// Notices that the lengths of queues may have changed.
#[derive(Default)]
pub(crate) struct Changes {
    /// Number of records that change queues, at the last reading.
    seen: Option<u64>,
}

impl Changes {
    /// Whether there were any since the last reading.
    pub(crate) fn are_new(&mut self, sim: &Sim) -> bool {
        let changes = CHANGES.iter().map(|k| sim.trace().count(*k)).sum();
        self.seen.replace(changes) != Some(changes)
    }
}

/// A question in progress.
pub(crate) struct Watch {
    ask: Ask,
    /// For each code of a reason: whether it is selected.
    codes: Vec<bool>,
    /// The threads that decisions have to be about; `None` for any.
    threads: Option<Selected>,
    /// Number of selected decisions so far.
    seen: u64,
    found: Option<FoundDecision>,
    changes: Changes,
    since: Option<u64>,
    done: bool,
}

/// Whether a word selects a reason: its id or its kind.
pub fn means(entry: &ReasonEntry, word: &str) -> bool {
    entry.id == word || entry.kind == word
}

impl Watch {
    pub(crate) fn new(plan: &Plan, lane: usize, ask: Ask) -> Self {
        let of = match &ask {
            Ask::Decision { of, .. } | Ask::Count { of, .. } => Some(of),
            _ => None,
        };
        let reason = of.map_or("", |of| of.reason.as_str());
        let threads = of.and_then(|of| Some(Selected::new(of.thread.as_ref()?)));
        let reasons = plan.lanes[lane].info.reasons;
        let codes: Vec<bool> = reasons.iter().map(|r| means(r, reason)).collect();
        let is_vain = !codes.contains(&true) && !matches!(ask, Ask::Settled(_));
        Self {
            ask,
            codes,
            threads,
            seen: 0,
            found: None,
            changes: Changes::default(),
            since: None,
            done: is_vain,
        }
    }

    /// Whether later events cannot change the answer.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Receives a decision.
    pub(crate) fn see(&mut self, sim: &Sim, d: &Decision) {
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
            _ => {}
        }
    }

    fn is_meant(&mut self, sim: &Sim, d: &Decision) -> bool {
        let (Ask::Decision { of, .. } | Ask::Count { of, .. }) = &self.ask else {
            return false;
        };
        let cpu = of.cpu.is_none_or(|cpu| d.cpu.is_some_and(|c| c.0 == cpu));
        cpu && match &mut self.threads {
            None => true,
            Some(selected) => d.task.is_some_and(|task| selected.includes(sim, task)),
        }
    }

    /// Receives the state of the queues.
    pub(crate) fn look(&mut self, sim: &Sim) {
        let Ask::Settled(n) = self.ask else { return };
        if !self.changes.are_new(sim) {
            return;
        }
        if loads(sim).iter().all(|load| *load == n) {
            self.since.get_or_insert(sim.now().0);
        } else {
            self.since = None;
        }
    }

    /// The question and its answer so far.
    pub(crate) fn result(&self) -> (Ask, Fact) {
        let fact = match self.ask {
            Ask::Count { .. } => Fact::Count(self.seen),
            Ask::Settled(_) => Fact::Time(self.since),
            _ => Fact::Decision(self.found.clone()),
        };
        (self.ask.clone(), fact)
    }
}

/// The threads of a name, of a group, or, by `all`, of the workload.
pub(crate) struct Selected {
    wanted: String,
    /// By number of the thread; filled in at first use.
    known: Vec<Option<bool>>,
}

impl Selected {
    pub(crate) fn new(wanted: &str) -> Self {
        Self {
            wanted: wanted.to_owned(),
            known: Vec::new(),
        }
    }

    pub(crate) fn includes(&mut self, sim: &Sim, task: TaskId) -> bool {
        if task.index() >= sim.task_count() {
            return false;
        }
        if self.known.len() <= task.index() {
            self.known.resize(task.index() + 1, None);
        }
        *self.known[task.index()].get_or_insert_with(|| {
            let info = sim.task_view(task).info;
            let group = &sim.plan().groups[info.group.index()].name;
            sim.task_name(task) == self.wanted
                || *group == self.wanted
                || (self.wanted == "all" && !info.background)
        })
    }
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
