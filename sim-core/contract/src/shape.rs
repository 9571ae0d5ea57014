//! The form of a scheduler's queues, for display: the parts of a queue, where a thread stands in it, and what one CPU
//! sees of it. Nothing here decides anything.

use crate::cx::TaskInfo;
use serde::Serialize;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::Machine;

/// How a part of a queue is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub enum PartKind {
    /// One list, first come first served.
    List,
    /// A list for each level with a bitmap over them; the lowest level that is not empty is served first.
    Levels,
    /// A ring of lists; a hand goes round and serves the list under it.
    Ring,
    /// A tree, served from its smallest key on.
    Tree,
    /// One list, of which the earliest deadline is served.
    Deadlines,
    /// One list, of which the smallest number is served; the label is the number's.
    Column,
    /// A line of virtual time: the earliest deadline among those that are not ahead of the mean is served.
    VirtualTime,
}

/// A part of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct QueuePart {
    /// Id, e.g. `calendar`.
    pub id: &'static str,
    /// What the part holds, in a few words.
    pub label: &'static str,
    /// How it is built.
    pub kind: PartKind,
    /// Number of lists (levels, slots); 1 where there is one.
    pub places: u32,
    /// Priorities that share a list.
    pub per_place: u32,
    /// Priority of the first list.
    pub first: u32,
    /// The lists in which ordinary threads wait, first and last, if they are not all.
    pub focus: Option<[u32; 2]>,
}

impl QueuePart {
    /// A part that is one list.
    #[must_use]
    pub fn list(id: &'static str, label: &'static str) -> Self {
        Self {
            id,
            label,
            kind: PartKind::List,
            places: 1,
            per_place: 1,
            first: 0,
            focus: None,
        }
    }
}

/// A measure of a thread on a scale with a threshold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Gauge {
    /// Task column that it shows.
    pub column: &'static str,
    /// Label.
    pub label: &'static str,
    /// End of the scale; it begins at 0.
    pub max: u32,
    /// Below it something else holds.
    pub threshold: u32,
    /// What holds below the threshold.
    pub below: &'static str,
    /// What holds from the threshold on.
    pub above: &'static str,
}

/// Something that happens to all queued threads at regular times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Beat {
    /// What happens.
    pub label: &'static str,
    /// Time between two of them, in ns; the first is one period after the start.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub period_ns: u64,
}

/// CPUs that a balancer compares with each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct DomainShape {
    /// The kernel's name of the level.
    pub name: String,
    /// Position from the inside out, on each of its CPUs.
    pub level: u32,
    /// Its CPUs.
    pub cpus: Vec<u16>,
}

/// The form of all queues of a scheduler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct QueueShape {
    /// Parts of the queue of all CPUs; none if there is no such queue.
    pub global: Vec<QueuePart>,
    /// Parts of the queue of each CPU; none if CPUs have no queues of their own.
    pub per_cpu: Vec<QueuePart>,
    /// A measure that decides to which part a thread belongs.
    pub gauge: Option<Gauge>,
    /// What happens to all of them at regular times.
    pub beat: Option<Beat>,
    /// Domains of the balancer, inner levels first.
    pub domains: Vec<DomainShape>,
}

impl QueueShape {
    /// A list for each CPU.
    #[must_use]
    pub fn lists() -> Self {
        Self {
            per_cpu: vec![QueuePart::list("list", "waiting")],
            ..Self::default()
        }
    }
}

/// What [`QueueDetail`] may be computed from.
pub struct QueueDetailContext<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// All tasks.
    pub tasks: &'a [TaskInfo],
}

/// An entity of a tree of vruntimes: a thread or a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct TreeNode {
    /// Number of the entity.
    pub entity: u32,
    /// The entity above it; `null` for the root and for the running entity, which is not in the tree.
    pub parent: Option<u32>,
    /// Whether the node is red.
    pub red: bool,
    /// Whether the entity runs, itself or something in it.
    pub running: bool,
    /// The thread, if it is one.
    pub task: Option<u32>,
    /// Number of the tree that it opens into, if it is a group.
    pub opens: Option<u32>,
    /// Virtual runtime ahead of the `min_vruntime` of its tree, in ns.
    pub ahead_ns: f64,
    /// Load weight; 1024 is nice 0.
    pub weight: f64,
    /// Buddies that it is: `next`, `last`, `skip`.
    pub buddies: Vec<&'static str>,
}

/// A tree of vruntimes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct TreeView {
    /// Its number.
    pub tree: u32,
    /// Number of the task group; 0 is the root.
    pub group: u32,
    /// `min_vruntime` in ns.
    pub min_vruntime_ns: f64,
    /// Entities by vruntime; the one that runs first.
    pub nodes: Vec<TreeNode>,
}

/// An entity on a line of virtual time: a thread or a group. Times in ns, from the mean V of its line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools)] // what a picture tells apart
pub struct LineEntity {
    /// Number of the entity.
    pub entity: u32,
    /// The thread, if it is one.
    pub task: Option<u32>,
    /// Number of the line that it opens into, if it is a group.
    pub opens: Option<u32>,
    /// Whether it runs, itself or something in it.
    pub running: bool,
    /// Its virtual runtime less V: at most 0 where it is eligible.
    pub ahead_ns: f64,
    /// Its virtual deadline less V.
    pub deadline_ns: f64,
    /// Load weight; 1024 is nice 0.
    pub weight: f64,
    /// Its request in ns of CPU time.
    pub slice_ns: f64,
    /// Whether it is owed time, or owes none.
    pub eligible: bool,
    /// Whether it sleeps and counts only until it owes no more time.
    pub delayed: bool,
    /// Whether it runs protected until its request is used up.
    pub protected: bool,
    /// Whether a pick at this moment would choose it.
    pub next: bool,
    /// Whether it is the next buddy.
    pub buddy: bool,
}

/// A line of virtual time: a queue of EEVDF.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// Its number.
    pub line: u32,
    /// Number of the task group; 0 is the root.
    pub group: u32,
    /// V in ns: the weighted mean of the virtual runtimes of all that are on the queue.
    pub average_ns: f64,
    /// Sum of their weights.
    pub weight: f64,
    /// Entities by deadline; the one that runs first.
    pub entities: Vec<LineEntity>,
}

/// A waiting thread as one CPU weighs it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Weighed {
    /// The thread.
    pub task: u32,
    /// What is added to its deadline on this CPU, in ns.
    pub offset_ns: f64,
    /// Whether it may run there.
    pub allowed: bool,
}

/// A domain of a CPU at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct DomainNow {
    /// The kernel's name of the level.
    pub name: String,
    /// Number of its CPUs.
    pub cpus: u32,
    /// Interval of its balancing now, in ns.
    pub interval_ns: f64,
    /// When it was balanced last, in ns.
    pub last_ns: f64,
    /// Attempts in a row that moved nothing though they should have.
    pub failed: u32,
    /// How much busier another group must be, in percent.
    pub imbalance_pct: u32,
}

/// The state that an idle CPU is in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct IdleNow {
    /// Its name in the list of the machine.
    pub state: String,
    /// What leaving it takes at most, in ns.
    pub exit_ns: f64,
    /// When the CPU entered it, in ns.
    pub since_ns: f64,
}

/// What one CPU sees of the queues beyond the rows of a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct QueueDetail {
    /// Trees; that of the CPU first, those of groups after the one that they stand in.
    pub trees: Vec<TreeView>,
    /// Lines of virtual time; that of the CPU first, those of groups after the one that they stand in.
    pub lines: Vec<LineView>,
    /// Waiting threads with what this CPU adds to their deadlines, in the order of the queue.
    pub weighed: Vec<Weighed>,
    /// Its domains, the innermost first.
    pub domains: Vec<DomainNow>,
    /// The state that it is in, if it is idle and the machine has states.
    pub idle: Option<IdleNow>,
    /// Numbers that the scheduler keeps of the whole lane, by name.
    pub numbers: Vec<(String, f64)>,
}

impl QueueRow {
    /// The rows of a CPU's list, first to last.
    pub fn list<'a>(
        cpu: CpuId,
        tasks: impl IntoIterator<Item = &'a TaskId>,
    ) -> impl Iterator<Item = Self> {
        (0_u32..).zip(tasks).map(move |(position, task)| Self {
            queue: Some(cpu),
            task: *task,
            key: f64::from(position),
            part: 0,
            place: 0,
        })
    }
}

/// Where in the queues a waiting task stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueRow {
    /// The queue's CPU; `None` for the queue of all.
    pub queue: Option<CpuId>,
    /// Who waits.
    pub task: TaskId,
    /// By what it is ordered (BFS: virtual deadline in ns).
    pub key: f64,
    /// Part of the queue, by its position in [`QueueShape`].
    pub part: u8,
    /// List of the part: level, slot, or number of the tree.
    pub place: u32,
}
