//! The list of a CPU's fair tasks, most recently added first (`rq->cfs_tasks`). Balancers scan it.

use super::tree::NONE;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};

/// Neighbours of a task in its CPU's list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Links {
    pub(crate) newer: u32,
    pub(crate) older: u32,
}

/// Both ends of a list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ends {
    pub(crate) head: u32,
    pub(crate) tail: u32,
}

impl Links {
    /// In no list.
    pub(crate) const NONE: Self = Self {
        newer: NONE,
        older: NONE,
    };
}

impl Ends {
    /// A list without tasks.
    pub(crate) const EMPTY: Self = Self {
        head: NONE,
        tail: NONE,
    };
}

/// A type that keeps such lists.
pub(crate) trait TaskLists {
    /// The neighbours of a task.
    fn links(&mut self, task: TaskId) -> &mut Links;

    /// The list of a CPU.
    fn ends(&mut self, cpu: CpuId) -> &mut Ends;

    /// Puts a task at the head of its CPU's list.
    fn list_add(&mut self, cpu: CpuId, task: TaskId) {
        let head = self.ends(cpu).head;
        *self.links(task) = Links {
            newer: NONE,
            older: head,
        };
        if head == NONE {
            self.ends(cpu).tail = task.0;
        } else {
            self.links(TaskId(head)).newer = task.0;
        }
        self.ends(cpu).head = task.0;
    }

    /// Takes a task from its CPU's list.
    fn list_remove(&mut self, cpu: CpuId, task: TaskId) {
        let Links { newer, older } = std::mem::replace(self.links(task), Links::NONE);
        if newer == NONE {
            self.ends(cpu).head = older;
        } else {
            self.links(TaskId(newer)).older = older;
        }
        if older == NONE {
            self.ends(cpu).tail = newer;
        } else {
            self.links(TaskId(older)).newer = newer;
        }
    }

    /// Moves a task to the tail of its CPU's list (`list_move_tail`).
    fn list_to_tail(&mut self, cpu: CpuId, task: TaskId) {
        self.list_remove(cpu, task);
        let tail = self.ends(cpu).tail;
        *self.links(task) = Links {
            newer: tail,
            older: NONE,
        };
        if tail == NONE {
            self.ends(cpu).head = task.0;
        } else {
            self.links(TaskId(tail)).older = task.0;
        }
        self.ends(cpu).tail = task.0;
    }
}
