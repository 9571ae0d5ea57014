//! How often each reason was given, over the whole run, by CPU and by task.

use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::Reason;

/// Counts of reasons. A decision counts for the CPU and the task that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    reasons: usize,
    /// A row for each CPU; the first row is for decisions that are about no CPU.
    by_cpu: Vec<u64>,
    /// For each reason a count for each task, up to the highest task that the reason was given about. Sorted by reason:
    /// a few reasons make most decisions while tasks alternate, so the next count lies near the last one in memory.
    by_task: Vec<Vec<u64>>,
}

/// Counts of one row that are not 0: reason and count.
type Row = Vec<(Reason, u64)>;

/// What a snapshot keeps of a [`Tally`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyMark {
    by_cpu: Vec<Row>,
    by_task: Vec<Row>,
}

impl Tally {
    /// Counts for `reasons` reasons and `cpus` CPUs, all 0.
    #[must_use]
    pub fn new(reasons: usize, cpus: usize) -> Self {
        Self {
            reasons,
            by_cpu: vec![0; reasons * (cpus + 1)],
            by_task: vec![Vec::new(); reasons],
        }
    }

    #[inline]
    pub(super) fn add(&mut self, cpu: Option<CpuId>, task: Option<TaskId>, reason: Reason) {
        let reason = usize::from(reason);
        let row = cpu.map_or(0, |c| c.index() + 1);
        // A decision that names a CPU beyond the machine is counted as naming none.
        let at = row * self.reasons + reason;
        let at = if at < self.by_cpu.len() { at } else { reason };
        self.by_cpu[at] += 1;
        if let Some(task) = task {
            let counts = &mut self.by_task[reason];
            if counts.len() <= task.index() {
                counts.resize(task.index() + 1, 0);
            }
            counts[task.index()] += 1;
        }
    }

    /// How often a reason was given.
    #[must_use]
    pub fn total(&self, reason: Reason) -> u64 {
        let counts = self.by_cpu.iter().skip(usize::from(reason));
        counts.step_by(self.reasons.max(1)).sum()
    }

    /// How often a reason was given about a CPU.
    #[must_use]
    pub fn on_cpu(&self, cpu: CpuId, reason: Reason) -> u64 {
        let at = (cpu.index() + 1) * self.reasons + usize::from(reason);
        self.by_cpu.get(at).copied().unwrap_or(0)
    }

    /// How often a reason was given about a task.
    #[must_use]
    pub fn of_task(&self, task: TaskId, reason: Reason) -> u64 {
        let counts = self.by_task.get(usize::from(reason));
        counts
            .and_then(|c| c.get(task.index()))
            .copied()
            .unwrap_or(0)
    }

    /// Number of reasons that are counted.
    #[must_use]
    pub fn reasons(&self) -> usize {
        self.reasons
    }

    /// The counts for a snapshot. Most are 0; these are left out.
    #[must_use]
    pub fn mark(&self) -> TallyMark {
        let row = |counts: &mut dyn Iterator<Item = u64>| -> Row {
            (0..).zip(counts).filter(|(_, n)| *n > 0).collect()
        };
        let cpus = self.by_cpu.chunks(self.reasons.max(1));
        let tasks = self.by_task.iter().map(Vec::len).max().unwrap_or(0);
        let of_task = |task: usize| {
            let counts = self.by_task.iter().map(|c| c.get(task).copied());
            row(&mut counts.map(Option::unwrap_or_default))
        };
        TallyMark {
            by_cpu: cpus
                .map(|counts| row(&mut counts.iter().copied()))
                .collect(),
            by_task: (0..tasks).map(of_task).collect(),
        }
    }

    /// The counts of a snapshot of the same run; `None` if they do not fit.
    #[must_use]
    pub fn from_mark(&self, mark: &TallyMark, tasks: usize) -> Option<Self> {
        let cpus = self.by_cpu.len() / self.reasons.max(1);
        if mark.by_cpu.len() != cpus || mark.by_task.len() > tasks {
            return None;
        }
        let mut all = Self::new(self.reasons, cpus.saturating_sub(1));
        for (row, counts) in all.by_cpu.chunks_mut(self.reasons.max(1)).zip(&mark.by_cpu) {
            for (reason, n) in counts {
                *row.get_mut(usize::from(*reason))? = *n;
            }
        }
        for (task, counts) in mark.by_task.iter().enumerate() {
            for (reason, n) in counts {
                let row = all.by_task.get_mut(usize::from(*reason))?;
                row.resize(task + 1, 0);
                row[task] = *n;
            }
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_from_a_snapshot() {
        let mut tally = Tally::new(3, 2);
        tally.add(Some(CpuId(1)), Some(TaskId(4)), 2);
        tally.add(Some(CpuId(1)), None, 2);
        tally.add(None, Some(TaskId(0)), 1);
        assert_eq!([0, 1, 2].map(|r| tally.total(r)), [0, 1, 2]);
        assert_eq!(tally.on_cpu(CpuId(1), 2), 2);
        assert_eq!(tally.of_task(TaskId(4), 2), 1);
        assert_eq!(tally.of_task(TaskId(9), 2), 0);
        let blank = Tally::new(3, 2);
        assert_eq!(blank.from_mark(&tally.mark(), 5), Some(tally.clone()));
        assert_eq!(blank.from_mark(&tally.mark(), 4), None, "a task too many");
        let other = Tally::new(2, 2);
        assert_eq!(other.from_mark(&tally.mark(), 5), None, "a reason too many");
    }
}
