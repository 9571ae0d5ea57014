//! Decision records: what was chosen, why, with which numbers.
//!
//! The code and its operands are always recorded. The candidates that lost are recorded only at [`Level::Full`]: the
//! engine replays a run at that level when a decision is to be explained.

use super::tally::Tally;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};
pub use sim_ground::info::{Reason, ReasonEntry};
use sim_ground::time::SimTime;
use std::collections::VecDeque;
use std::num::NonZeroU64;

/// The id of a decision: what [`Cx::explain`](super::cx::Cx::explain) returns and every answer of a scheduler carries.
///
/// It holds the number and the reason, so that both can be read without the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionId(NonZeroU64);

/// Position of the reason in a [`DecisionId`]. The bits below it hold the number, counted from 1.
const REASON_SHIFT: u32 = 48;

impl DecisionId {
    #[inline]
    fn new(number: u64, reason: Reason) -> Self {
        let word = u64::from(reason) << REASON_SHIFT | (number + 1);
        Self(NonZeroU64::new(word).expect("invariant: numbers count from 1"))
    }

    /// Its number in the lane, from 0.
    #[must_use]
    #[inline]
    pub fn number(self) -> u64 {
        (self.0.get() & ((1 << REASON_SHIFT) - 1)) - 1
    }

    /// Its reason.
    #[must_use]
    #[inline]
    pub fn reason(self) -> Reason {
        Reason::try_from(self.0.get() >> REASON_SHIFT).unwrap_or(0)
    }
}

/// The number of a decision as records hold it: -1 for none.
#[must_use]
#[inline]
pub fn number_of(why: Option<DecisionId>) -> i64 {
    why.map_or(-1, |id| i64::try_from(id.number()).unwrap_or(-1))
}

/// Kinds of decisions, in the order in which they are listed.
pub const KINDS: &[&str] = &[
    "selectCpu",
    "pickNext",
    "preempt",
    "noPreempt",
    "sliceEnd",
    "requeue",
    "priority",
    "inherit",
    "steal",
    "balance",
    "refuse",
    "migrate",
];

/// How much of each decision is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The code and the operands.
    #[default]
    Code,
    /// The candidates too.
    Full,
}

/// A choice that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Number, from 0, in order.
    pub id: u64,
    /// When.
    pub at: SimTime,
    /// The CPU that it is about.
    pub cpu: Option<CpuId>,
    /// The task that it is about.
    pub task: Option<TaskId>,
    /// Position of the reason in the table of the lane's scheduler.
    pub reason: Reason,
    /// Numbers of the rule; the reason's entry names them.
    pub operands: [i64; 4],
    /// What explains it, if it was recorded at [`Level::Full`]. Apart, because many decisions are kept without.
    pub explained: Option<Box<Explained>>,
}

/// What is recorded of a decision only at [`Level::Full`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// What the scheduler said of it in words; only from schedulers that say something.
    pub said: Option<String>,
    /// The calls of a program that led to it, in order; only from schedulers with a program.
    pub calls: Vec<ProgramCall>,
}

/// A function of a program that was called, line by line. `{task N}` in its texts is the name of task N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCall {
    /// The call as it is written: `pick(cpu 3)`.
    pub call: String,
    /// What it answered; nothing where it ended with an error.
    pub answer: Option<String>,
    /// The lines in the order in which they were executed.
    pub steps: Vec<ProgramStep>,
}

/// A line of a program that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramStep {
    /// The line, from 1.
    pub line: u32,
    /// Names that it set, or found changed, with their values.
    pub values: Vec<(String, String)>,
}

/// A CPU or task that was compared and might have been chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// A CPU, where CPUs were compared.
    pub cpu: Option<CpuId>,
    /// A task, where tasks were compared.
    pub task: Option<TaskId>,
    /// Whether the application of this task was compared, as a whole.
    pub application: bool,
    /// The score. The smaller one wins unless the reason says otherwise.
    pub score: i64,
    /// What the score consists of.
    pub note: &'static str,
    /// Whether this one was chosen.
    pub chosen: bool,
}

/// The latest decisions of a run, and the number of all decisions.
#[derive(Clone, Debug)]
pub struct DecisionLog {
    /// How much is recorded now.
    pub level: Level,
    next_id: u64,
    kept: VecDeque<Decision>,
    limit: usize,
    pending: Vec<Candidate>,
    pending_said: Option<String>,
    pending_calls: Vec<(SimTime, ProgramCall)>,
    hash: u64,
    tally: Tally,
    /// The latest decision about a CPU and no task: a search there that found nothing.
    last_search: Option<(CpuId, DecisionId)>,
}

impl DecisionLog {
    /// A log that keeps the latest `limit` decisions and counts all, for a scheduler with `reasons` reasons.
    #[must_use]
    pub fn new(limit: usize, reasons: usize, cpus: usize) -> Self {
        Self {
            level: Level::Code,
            next_id: 0,
            kept: VecDeque::new(),
            limit,
            pending: Vec::new(),
            pending_said: None,
            pending_calls: Vec::new(),
            hash: sim_ground::hash::START,
            tally: Tally::new(reasons, cpus),
            last_search: None,
        }
    }

    /// Number of decisions so far; the id of the next one.
    #[must_use]
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// Digest of all decisions so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// How often each reason was given, including decisions that are no longer kept.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The latest decision about this CPU and no task, if its number is at least `since` and no later decision of this
    /// kind is about another CPU.
    #[must_use]
    pub fn search(&self, cpu: CpuId, since: u64) -> Option<DecisionId> {
        let (on, id) = self.last_search?;
        (on == cpu && id.number() >= since).then_some(id)
    }

    /// The kept decisions, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Decision> {
        self.kept.iter()
    }

    /// The kept decisions from number `id` on, oldest first.
    pub fn since(&self, id: u64) -> impl DoubleEndedIterator<Item = &Decision> {
        let first = self.kept.front().map_or(id, |d| d.id);
        let from = usize::try_from(id.saturating_sub(first)).unwrap_or(usize::MAX);
        self.kept.range(from.min(self.kept.len())..)
    }

    /// A kept decision.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<&Decision> {
        let first = self.kept.front()?.id;
        self.kept.get(usize::try_from(id.checked_sub(first)?).ok()?)
    }

    /// Goes back to an earlier point of the run, with the numbers that a snapshot kept.
    pub fn rewind(&mut self, next_id: u64, hash: u64, tally: Tally) {
        while self.kept.back().is_some_and(|d| d.id >= next_id) {
            self.kept.pop_back();
        }
        // After a jump forward the kept decisions do not connect to the new ones.
        if self.kept.back().is_some_and(|d| d.id + 1 != next_id) {
            self.kept.clear();
        }
        self.next_id = next_id;
        self.hash = hash;
        self.tally = tally;
        self.last_search = None;
        self.pending.clear();
        self.pending_said = None;
        self.pending_calls.clear();
    }

    /// Keeps a call of a program for the next decision of this instant.
    #[cold]
    pub fn called(&mut self, at: SimTime, call: ProgramCall) {
        self.pending_calls.retain(|(then, _)| *then == at);
        self.pending_calls.push((at, call));
    }

    /// Adds a call of a program to the latest decision, if that was made at this instant.
    #[cold]
    pub fn called_after(&mut self, at: SimTime, call: ProgramCall) {
        if let Some(latest) = self.kept.back_mut().filter(|d| d.at == at) {
            latest.explained.get_or_insert_default().calls.push(call);
        }
    }

    /// Keeps what is said of the next decision.
    #[cold]
    pub fn say(&mut self, said: String) {
        self.pending_said = Some(said);
    }

    /// Records a candidate for the next decision.
    // Cold: searches call it in loops, but only while somebody asks why.
    #[cold]
    pub fn candidate(&mut self, candidate: Candidate) {
        self.pending.push(candidate);
    }

    /// Adds a decision: counts it, mixes it into the digest, and keeps it within the limit.
    pub fn push(
        &mut self,
        at: SimTime,
        cpu: Option<CpuId>,
        task: Option<TaskId>,
        reason: Reason,
        operands: [i64; 4],
    ) -> DecisionId {
        let id = self.next_id;
        self.next_id += 1;
        let told = DecisionId::new(id, reason);
        self.tally.add(cpu, task, reason);
        if let (Some(cpu), None) = (cpu, task) {
            self.last_search = Some((cpu, told));
        }
        let about = (u64::from(reason) << 48)
            | (u64::from(cpu.map_or(u16::MAX, |c| c.0)) << 32)
            | u64::from(task.map_or(u32::MAX, |t| t.0));
        let mut hash = self.hash;
        for word in [at.0, about] {
            hash = sim_ground::hash::word(hash, word);
        }
        for operand in operands {
            hash = sim_ground::hash::word(hash, operand.cast_unsigned());
        }
        self.hash = hash;
        if self.limit > 0 {
            self.keep(Decision {
                id,
                at,
                cpu,
                task,
                reason,
                operands,
                explained: None,
            });
        } else if !self.pending.is_empty() || self.pending_said.is_some() {
            self.pending.clear();
            self.pending_said = None;
        }
        told
    }

    /// Keeps a decision with what was recorded for it. A function of its own, so that `push` stays small enough to be part
    /// of every caller: most runs keep nothing.
    #[inline(never)]
    fn keep(&mut self, mut decision: Decision) {
        if !self.pending.is_empty() || self.pending_said.is_some() || !self.pending_calls.is_empty()
        {
            decision.explained = Some(Box::new(self.take_pending(&decision)));
        }
        if self.kept.len() == self.limit {
            self.kept.pop_front();
        }
        self.kept.push_back(decision);
    }

    /// What was recorded for a decision.
    #[cold]
    fn take_pending(&mut self, decision: &Decision) -> Explained {
        let mut candidates = std::mem::take(&mut self.pending);
        for c in &mut candidates {
            c.chosen = if c.cpu.is_some() {
                c.cpu == decision.cpu
            } else {
                c.task == decision.task
            };
        }
        let calls = std::mem::take(&mut self.pending_calls).into_iter();
        Explained {
            candidates,
            said: self.pending_said.take(),
            calls: calls
                .filter(|(then, _)| *then == decision.at)
                .map(|(_, call)| call)
                .collect(),
        }
    }
}

/// Declares the reasons of a scheduler: a constant for each, and the table that the catalog shows.
///
/// With the name of a folder, they are those of its `reasons.json`, as the build script of the crate has written them. A
/// crate without one, such as a test, lists them, without texts: constant, the kernel's word, kind of decision, kernel
/// function, operands with units.
#[macro_export]
macro_rules! reasons {
    ($folder:literal) => {
        include!(concat!(env!("OUT_DIR"), "/reasons/", $folder, ".rs"));
    };
    ($(
        $(#[$doc:meta])*
        $name:ident = $id:literal, $kind:literal, $kernel:literal
        $(, $operand:literal : $unit:literal)* ;
    )*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Position { $($name),* }
        $(
            $(#[$doc])*
            pub(super) const $name: $crate::decision::Reason = Position::$name as u16;
        )*
        /// The table of the catalog, in the order of the constants.
        pub const TABLE: &[$crate::decision::ReasonEntry] = &[
            $($crate::decision::entry($id, $kind, $kernel, &[$(($operand, $unit)),*])),*
        ];
    };
}
pub use crate::reasons;

/// A row of the table of reasons.
#[must_use]
pub const fn entry(
    id: &'static str,
    kind: &'static str,
    kernel: &'static str,
    named: &[(&'static str, &'static str)],
) -> ReasonEntry {
    let mut operands = [""; 4];
    let mut units = [""; 4];
    let mut i = 0;
    while i < named.len() {
        operands[i] = named[i].0;
        units[i] = named[i].1;
        i += 1;
    }
    ReasonEntry {
        id,
        kind,
        kernel,
        operands,
        units,
    }
}
