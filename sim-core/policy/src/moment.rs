//! What a program sees while one of its functions is called, and what it asks for.

use crate::hook::Hook;
use crate::state::State;
use sim_contract::decision::ProgramStep;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::rng::Rng;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A number that a program keeps: its name and its first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its first value.
    pub first: i64,
}

/// All numbers that a program keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Of each thread.
    pub thread: Vec<Column>,
    /// Of each CPU.
    pub cpu: Vec<Column>,
    /// Of the lane.
    pub lane: Vec<Column>,
}

/// Position of a name.
pub(crate) fn position(columns: &[Column], name: &str) -> Option<usize> {
    columns.iter().position(|c| c.name == name)
}

/// First values.
pub(crate) fn first(columns: &[Column]) -> Vec<i64> {
    columns.iter().map(|c| c.first).collect()
}

impl Declared {
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.thread.len(), self.cpu.len(), self.lane.len()]
    }
}

/// Where a CPU lies in the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) core: u16,
    pub(crate) llc: u16,
    pub(crate) node: u16,
}

/// A waiting thread that the program moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(crate) task: TaskId,
    /// From the list of a CPU, or of all.
    pub(crate) from: Option<CpuId>,
    pub(crate) to: CpuId,
}

/// Most notes of a call.
pub(crate) const NOTES: usize = 64;

/// Numbers of a `because` that a decision keeps.
pub(crate) const NUMBERS: usize = 3;

/// A call of a function. Between calls, `st` is empty: the scheduler has it.
#[derive(Debug)]
pub(crate) struct Moment {
    /// The state of the lane.
    pub(crate) st: State,
    /// Its random stream.
    pub(crate) rng: Rng,
    /// Simulated time, in ns.
    pub(crate) now: u64,
    /// The function; none while the program is read.
    pub(crate) hook: Option<Hook>,
    /// Whether the call has looked at anything or changed anything.
    pub(crate) looked: bool,
    pub(crate) places: Vec<Place>,
    pub(crate) declared: Declared,
    /// The numbers of `because`.
    pub(crate) numbers: [i64; NUMBERS],
    /// What it said, while somebody asks.
    pub(crate) said: Option<String>,
    /// How often `note` and `print` said something.
    pub(crate) noted: usize,
    /// What they said, while somebody asks.
    pub(crate) notes: Vec<String>,
    /// The first column of threads that was read.
    pub(crate) read: Option<usize>,
    pub(crate) moves: Vec<Moved>,
    /// The lines that were executed, while somebody asks for them.
    pub(crate) steps: Option<Steps>,
}

/// Most lines of a call that are kept.
#[cfg(feature = "starlark")] // only our own language tells which lines it executes
const STEPS: usize = 2_000;

/// The lines of a call that were executed.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) all: Vec<ProgramStep>,
    /// The one that sets columns: no expression within it does.
    statement: usize,
}

impl Steps {
    /// Adds a line; returns its position, or nothing if there is no room.
    #[cfg(feature = "starlark")]
    pub(crate) fn add(&mut self, line: u32, is_statement: bool) -> Option<usize> {
        let at = self.all.len();
        if at >= STEPS {
            return None;
        }
        if is_statement {
            self.statement = at;
        }
        let values = Vec::new();
        self.all.push(ProgramStep { line, values });
        Some(at)
    }

    /// Keeps a value at a line; the last one of a name counts.
    pub(crate) fn keep(&mut self, at: usize, name: String, value: String) {
        let Some(step) = self.all.get_mut(at) else {
            return;
        };
        match step.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => step.values.push((name, value)),
        }
    }
}

impl Moment {
    /// Keeps what the program has set, beside the line that did so.
    pub(crate) fn wrote(&mut self, name: impl FnOnce() -> String, value: i64) {
        if let Some(steps) = &mut self.steps {
            steps.keep(steps.statement, name(), value.to_string());
        }
    }
}

impl Default for Moment {
    fn default() -> Self {
        Self {
            st: State::default(),
            rng: Rng::stream(0, "policy", 0),
            now: 0,
            hook: None,
            looked: false,
            places: Vec::new(),
            declared: Declared::default(),
            numbers: [0; NUMBERS],
            said: None,
            noted: 0,
            notes: Vec::new(),
            read: None,
            moves: Vec::new(),
            steps: None,
        }
    }
}

/// The moment, as values of a language hold it.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Moment>>);

impl Shared {
    /// The moment at which a program is read.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The moment. A panic while somebody held it has ended that run; what is in it is still data.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Moment> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}
