//! What is said of a real choice beside that of the rules.

use serde::Serialize;
use sim_contract::decision::Decision;
use sim_contract::shape::{LineEntity, QueueDetail};
use sim_ground::ids::TaskId;

/// A choice this close to a boundary is not held against anybody: the trace does not resolve it.
pub const NEAR_NS: u64 = 30_000;

/// How choices stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The rules choose the same.
    pub right: u64,
    /// They do not, but each comparison against the real choice is within 30 µs of turning.
    pub near: u64,
    /// They do not.
    pub wrong: u64,
}

impl Count {
    /// All choices.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.right + self.near + self.wrong
    }

    /// Right ones in 10,000.
    #[must_use]
    pub fn right_in_10000(&self) -> u64 {
        (self.right * 10_000).checked_div(self.all()).unwrap_or(0)
    }

    /// Adds a choice: `None` is a right one, else by how much it is off.
    pub(crate) fn add(&mut self, off_by: Option<u64>) {
        match off_by {
            None => self.right += 1,
            Some(ns) if ns <= NEAR_NS => self.near += 1,
            Some(_) => self.wrong += 1,
        }
    }
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum About {
    /// A CPU takes a thread.
    Pick,
    /// A tick lets the running thread go on while others wait.
    GoesOn,
    /// A woken thread preempts the running one, or does not.
    Preempts,
}

/// A wrong rule, which shows what the right ones are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Control {
    /// The smallest virtual runtime runs.
    SmallestVruntime,
    /// The earliest deadline runs, eligible or not.
    NoEligibility,
    /// Who joins a queue begins at V. The state goes on by this rule, too.
    NoLag,
}

impl Control {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::SmallestVruntime => "smallest vruntime",
            Self::NoEligibility => "earliest deadline, eligible or not",
            Self::NoLag => "lag not kept over sleep",
        }
    }

    /// Whom the control chooses from a queue, if it is one that only chooses.
    pub(crate) fn choice(self, queue: &QueueDetail) -> Option<TaskId> {
        let key = |e: &LineEntity| match self {
            Self::SmallestVruntime => e.ahead_ns,
            Self::NoEligibility | Self::NoLag => e.deadline_ns,
        };
        let line = queue.lines.first()?;
        let waiting = line.entities.iter().filter(|e| !e.delayed);
        let first = waiting.min_by(|a, b| key(a).total_cmp(&key(b)))?;
        first.task.map(TaskId)
    }
}

/// A thread in the queue when a choice was made. Times in ns of virtual time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Its name.
    pub thread: String,
    /// V less its virtual runtime: at least 0 where it is eligible.
    pub lag_ns: f64,
    /// Its deadline less V.
    pub deadline_ns: f64,
    /// Its request in ns of CPU time.
    pub slice_ns: f64,
    /// Whether it ran until now.
    pub runs: bool,
    /// Whether it is protected.
    pub protected: bool,
    /// Whether it sleeps and only counts.
    pub delayed: bool,
}

/// A real choice that the rules do not make.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Disagreement {
    /// Time of the trace in ns.
    pub at_ns: u64,
    /// CPU.
    pub cpu: u16,
    /// What was decided.
    pub about: About,
    /// Whom the kernel gave the CPU.
    pub took: String,
    /// To whom the rules give it.
    pub rules: String,
    /// By how much the numbers are off, where that can be said.
    pub off_by_ns: Option<u64>,
    /// Whether it is near a boundary.
    pub near: bool,
    /// The queue.
    pub queue: Vec<Standing>,
    /// The decision of the rules, where one of them tells it.
    #[serde(skip)]
    pub decision: Option<Decision>,
    /// Names of the tasks in the decision, by number.
    #[serde(skip)]
    pub names: Vec<String>,
}
