//! What the load balancer reads about memory, at the levels above a node.

use super::Numa;
use sim_ground::ids::{NodeId, TaskId};

/// Kind of a queue, or of a group of queues, for the balancer (`enum fbq_type`): the first kind that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum QueueKind {
    /// Some threads have no preferred node.
    Regular,
    /// Some threads are not on their preferred node.
    Remote,
    /// All threads are on their preferred node.
    All,
}

impl Numa {
    /// Whether the balancer takes from queues with misplaced threads first.
    pub(crate) fn prefers_misplaced(&self) -> bool {
        self.rules.prefers_misplaced && self.st.settings.on
    }

    /// The node that a thread prefers.
    pub(crate) fn preferred(&self, task: TaskId) -> Option<NodeId> {
        self.task(task)?.preferred
    }

    /// Pages of a thread's process on which its threads faulted, decayed (`footprint` @ 7.3).
    pub(crate) fn footprint(&self, task: TaskId) -> u64 {
        let process = self.task(task).and_then(|t| self.process(t.process));
        let threads = process.map_or(&[][..], |p| &p.tasks);
        let of = |t: &TaskId| self.task(*t).map_or(0, |t| t.faults.iter().sum::<u64>());
        threads.iter().map(of).sum()
    }

    /// The kind of a queue on a node, by its threads.
    pub(crate) fn kind(&self, tasks: impl Iterator<Item = TaskId>, node: NodeId) -> QueueKind {
        let mut kind = QueueKind::All;
        for task in tasks {
            match self.preferred(task) {
                None => return QueueKind::Regular,
                Some(preferred) if preferred != node => kind = QueueKind::Remote,
                Some(_) => {}
            }
        }
        kind
    }

    /// Whether moving a thread between nodes leaves its memory behind, so that it counts as cache-hot
    /// (`migrate_degrades_locality`). `None` where memory decides nothing. `others`: the queue that it leaves holds
    /// threads that are not on their preferred node. `idle`: an idle CPU takes it.
    pub(crate) fn degrades(
        &self,
        task: TaskId,
        [from, to]: [NodeId; 2],
        others: bool,
        idle: bool,
    ) -> Option<bool> {
        let t = self.task(task)?;
        if !self.st.settings.on || !t.faulted || from == to {
            return None;
        }
        if t.preferred == Some(from) {
            return others.then_some(true);
        }
        if t.preferred == Some(to) {
            return Some(false);
        }
        if idle && self.rules.idle_takes {
            return None;
        }
        Some(t.faults[to.index()] < t.faults[from.index()])
    }
}
