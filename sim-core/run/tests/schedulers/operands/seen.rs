//! What the queues of a CPU show between two events: the lines of EEVDF or the trees of CFS, in whole ns.

use sim_run::engine::UpToDate;
use sim_run::ids::CpuId;
use sim_run::sched::shape::{LineView, TreeView};

/// Marks of buddies, by position.
pub(super) const NEXT: usize = 0;
pub(super) const LAST: usize = 1;
pub(super) const SKIP: usize = 2;

/// An entity of a queue: a thread or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) entity: u32,
    pub(super) task: Option<u32>,
    /// The queue of the group.
    pub(super) opens: Option<u32>,
    pub(super) running: bool,
    /// Virtual runtime from the base of its queue.
    pub(super) ahead: i64,
    /// EEVDF: virtual deadline from V.
    pub(super) deadline: i64,
    /// In the one queue of a CPU (since 7.3) with 10 more bits.
    pub(super) weight: i64,
    /// EEVDF: its request.
    pub(super) slice: i64,
    pub(super) delayed: bool,
    pub(super) protected: bool,
    pub(super) marks: [bool; 3],
}

/// A queue: that of the CPU or of a group on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u32,
    /// V of EEVDF, `min_vruntime` of CFS.
    pub(super) base: i64,
    /// EEVDF: the sum of its weights.
    pub(super) weight: Option<i64>,
    /// The running one first, then in the order of the tree.
    pub(super) members: Vec<Member>,
}

/// All queues of a CPU; its own first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) runs: Option<u32>,
    pub(super) lines: Vec<Line>,
}

/// A member by the positions of its line and in it.
pub(super) type Place = (usize, usize);

/// A number that is shown, as the integer that it is.
#[allow(clippy::cast_possible_truncation)] // shown numbers are whole and below 2^53
pub(super) fn whole(x: f64) -> i64 {
    assert!(x.fract() == 0.0 && x.abs() < 9e15, "{x} is a whole number");
    x as i64
}

#[allow(clippy::cast_precision_loss)] // small
fn real(x: i64) -> f64 {
    x as f64
}

fn line(view: &LineView, fine: i64) -> Line {
    let whole_weight = |weight: f64| whole(weight * real(fine));
    let members = view.entities.iter().map(|e| Member {
        entity: e.entity,
        task: e.task,
        opens: e.opens,
        running: e.running,
        ahead: whole(e.ahead_ns),
        deadline: whole(e.deadline_ns),
        weight: whole_weight(e.weight),
        slice: whole(e.slice_ns),
        delayed: e.delayed,
        protected: e.protected,
        marks: [e.buddy, false, false],
    });
    Line {
        number: view.line,
        base: whole(view.average_ns),
        weight: Some(whole_weight(view.weight)),
        members: members.collect(),
    }
}

fn tree(view: &TreeView) -> Line {
    let members = view.nodes.iter().map(|n| Member {
        entity: n.entity,
        task: n.task,
        opens: n.opens,
        running: n.running,
        ahead: whole(n.ahead_ns),
        deadline: 0,
        weight: whole(n.weight),
        slice: 0,
        delayed: false,
        protected: false,
        marks: ["next", "last", "skip"].map(|mark| n.buddies.contains(&mark)),
    });
    Line {
        number: view.tree,
        base: whole(view.min_vruntime_ns),
        weight: None,
        members: members.collect(),
    }
}

impl Line {
    /// The place of an entity.
    pub(super) fn find(&self, entity: u32) -> Option<usize> {
        self.members.iter().position(|m| m.entity == entity)
    }

    /// Virtual runtime of a member, from the start of the run.
    pub(super) fn v(&self, m: &Member) -> i64 {
        self.base + m.ahead
    }

    /// Deadline of a member, from the start of the run.
    pub(super) fn deadline(&self, m: &Member) -> i64 {
        self.base + m.deadline
    }

    /// The number of members, as decisions tell it.
    pub(super) fn count(&self) -> i64 {
        i64::try_from(self.members.len()).expect("few")
    }
}

impl Seen {
    /// `fine`: by how much weights are larger than they are shown.
    pub(super) fn of(sim: UpToDate<'_>, cpu: CpuId, fine: i64) -> Self {
        let detail = sim.queue_detail(cpu);
        let lines = detail.lines.iter().map(|l| line(l, fine));
        Self {
            runs: sim.curr(cpu).map(|t| t.0),
            lines: lines.chain(detail.trees.iter().map(tree)).collect(),
        }
    }

    pub(super) fn line(&self, number: u32) -> Option<&Line> {
        self.lines.iter().find(|l| l.number == number)
    }

    pub(super) fn member(&self, (line, place): Place) -> &Member {
        &self.lines[line].members[place]
    }

    /// The places of a queued thread and of its group, the outer one first.
    pub(super) fn path(&self, task: u32) -> Option<Vec<Place>> {
        let has = |l: &Line| l.members.iter().position(|m| m.task == Some(task));
        let at = self.lines.iter().position(|l| has(l).is_some())?;
        let own = (at, has(&self.lines[at])?);
        if at == 0 {
            return Some(vec![own]);
        }
        let number = Some(self.lines[at].number);
        let group = self.lines[0]
            .members
            .iter()
            .position(|m| m.opens == number)?;
        Some(vec![(0, group), own])
    }

    /// The places of two queued threads in the innermost queue that both are in.
    pub(super) fn meeting(&self, a: u32, b: u32) -> Option<[Place; 2]> {
        let (a, b) = (self.path(a)?, self.path(b)?);
        match (a.as_slice(), b.as_slice()) {
            (&[_, x], &[_, y]) if x.0 == y.0 => Some([x, y]),
            _ => Some([a[0], b[0]]),
        }
    }
}
