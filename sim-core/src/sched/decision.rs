//! Decision records: what was chosen, why, with which numbers.
//!
//! The code and its operands are always recorded. The candidates that lost are recorded only at
//! [`Level::Full`]: a run is replayed at that level when somebody asks.

use crate::ids::{CpuId, TaskId};
use crate::info::ReasonEntry;
use crate::time::SimTime;
use std::collections::VecDeque;

/// Position of a reason in a scheduler's own table.
pub type Reason = u16;

/// How much is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Codes and operands.
    #[default]
    Code,
    /// Candidates too.
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
    /// Position of the reason in the catalog.
    pub reason: u16,
    /// Numbers of the rule; the reason's entry names them.
    pub operands: [i64; 4],
    /// What was looked at; empty unless recorded at [`Level::Full`].
    pub candidates: Vec<Candidate>,
}

/// Something that might have been chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// A CPU, where CPUs were compared.
    pub cpu: Option<CpuId>,
    /// A task, where tasks were compared.
    pub task: Option<TaskId>,
    /// What was compared: the smaller wins unless the reason says otherwise.
    pub score: i64,
    /// What the score consists of.
    pub note: &'static str,
    /// Whether this one was taken.
    pub chosen: bool,
}

/// The latest decisions of a run, and the number of all.
#[derive(Clone, Debug)]
pub struct DecisionLog {
    /// How much is recorded now.
    pub level: Level,
    next_id: u64,
    kept: VecDeque<Decision>,
    limit: usize,
    reason_base: u16,
    pending: Vec<Candidate>,
    hash: u64,
}

impl DecisionLog {
    /// A log that keeps the latest `limit` decisions of a scheduler whose reasons begin at `reason_base`
    /// in the catalog.
    #[must_use]
    pub fn new(limit: usize, reason_base: u16) -> Self {
        Self {
            level: Level::Code,
            next_id: 0,
            kept: VecDeque::new(),
            limit,
            reason_base,
            pending: Vec::new(),
            hash: crate::hash::START,
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

    /// The kept decisions, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Decision> {
        self.kept.iter()
    }

    /// The kept decisions from a number on, oldest first.
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

    /// Goes back to an earlier point of the run, whose numbers a snapshot kept.
    pub fn rewind(&mut self, next_id: u64, hash: u64) {
        while self.kept.back().is_some_and(|d| d.id >= next_id) {
            self.kept.pop_back();
        }
        // After a jump forward what is kept no longer joins on.
        if self.kept.back().is_some_and(|d| d.id + 1 != next_id) {
            self.kept.clear();
        }
        self.next_id = next_id;
        self.hash = hash;
        self.pending.clear();
    }

    pub(crate) fn candidate(&mut self, candidate: Candidate) {
        self.pending.push(candidate);
    }

    pub(crate) fn push(
        &mut self,
        at: SimTime,
        cpu: Option<CpuId>,
        task: Option<TaskId>,
        reason: Reason,
        operands: [i64; 4],
    ) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let reason = self.reason_base + reason;
        let who = (u64::from(cpu.map_or(u16::MAX, |c| c.0)) << 32)
            | u64::from(task.map_or(u32::MAX, |t| t.0));
        let mut hash = self.hash;
        for word in [at.0, who, u64::from(reason)] {
            hash = crate::hash::word(hash, word);
        }
        for operand in operands {
            hash = crate::hash::word(hash, operand.cast_unsigned());
        }
        self.hash = hash;
        for c in &mut self.pending {
            c.chosen = if c.cpu.is_some() {
                c.cpu == cpu
            } else {
                c.task == task
            };
        }
        if self.limit > 0 {
            if self.kept.len() == self.limit {
                self.kept.pop_front();
            }
            self.kept.push_back(Decision {
                id,
                at,
                cpu,
                task,
                reason,
                operands,
                candidates: std::mem::take(&mut self.pending),
            });
        } else {
            self.pending.clear();
        }
        id
    }
}

/// Declares the reasons of a scheduler: a constant for each, and the table that the catalog shows.
///
/// Each line: constant, kernel's word, kind of decision, kernel function, operands with units.
macro_rules! reasons {
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
            pub(super) const $name: $crate::sched::decision::Reason = Position::$name as u16;
        )*
        /// The table of the catalog, in the order of the constants.
        pub(crate) const TABLE: &[$crate::info::ReasonEntry] = &[
            $($crate::sched::decision::entry($id, $kind, $kernel, &[$(($operand, $unit)),*])),*
        ];
    };
}
pub(crate) use reasons;

/// A row of the table of reasons.
pub(crate) const fn entry(
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
