//! The present state of a lane's threads and tunables, as controls show it.

use crate::config::slices::{self, Asking, SliceHint};
use crate::engine::{Sim, TaskState, UpToDate};
use crate::ids::{CpuMask, TaskId};
use crate::metrics::real;
use crate::params::ParamMap;
use crate::sched::cgroup::{Cgroup, CgroupCounts, Held};
use crate::sched::flags::Policy;
use serde::Serialize;

/// The present of a lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Present {
    /// The groups of the scenario, in its order; without those of `background`.
    pub groups: Vec<GroupNow>,
    /// Threads of groups whose CPUs differ: threads with the same CPUs together, in the order of the first of them.
    pub pinned: Vec<Pinned>,
    /// Threads that are asked to stop or have stopped, by number, ascending; a sleeping one has stopped.
    pub stopped: Vec<u32>,
    /// The applications among which the scheduler divides the CPUs equally, if it groups threads by application and there are
    /// two or more.
    pub applications: Vec<String>,
    /// Slices that threads ask for and that change nothing now, or less than one might think.
    pub slice_hints: Vec<SliceHint>,
    /// Every tunable of the scheduler.
    #[cfg_attr(feature = "schema", ts(as = "ParamMap"))]
    pub tunables: ParamMap,
}

/// A control group with a limit of CPU time. Times in ns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct LimitNow {
    /// Its name.
    pub name: String,
    /// The groups of threads in it and below it, by number.
    pub groups: Vec<u32>,
    /// CPU time that it gets in each period.
    pub quota_ns: f64,
    /// Length of a period.
    pub period_ns: f64,
    /// CPU time that it may use now.
    pub left_ns: f64,
    /// When it got time last.
    pub filled_at_ns: f64,
    /// When it gets time again; 0 if nothing waits for that.
    pub refill_at_ns: f64,
    /// Where it stands still because its time is used up.
    pub held: Vec<HeldNow>,
}

/// A CPU on which a control group stands still because its time is used up.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct HeldNow {
    /// The CPU.
    pub cpu: u16,
    /// Since when.
    pub since_ns: f64,
}

/// The threads of a group that have not ended, including forked ones and those that have not started. If none is left:
/// the values that a new thread would have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct GroupNow {
    /// How many.
    pub count: u32,
    /// Nice value; nothing if they differ.
    pub nice: Option<i8>,
    /// Bytes that each sweeps; nothing if they differ.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub working_set_bytes: Option<u64>,
    /// CPUs that they may use, by number; an empty list means all, nothing if they differ.
    pub allowed: Option<Vec<u16>>,
}

/// Threads that may use the same CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
pub struct Pinned {
    /// CPUs by number; an empty list means all.
    pub cpus: Vec<u16>,
    /// Threads by number, ascending.
    pub tasks: Vec<u32>,
}

/// The value that all threads so far have in common.
#[derive(Default)]
enum Common<T> {
    #[default]
    Unseen,
    Same(T),
    Mixed,
}

impl<T: PartialEq> Common<T> {
    fn see(&mut self, value: T) {
        match self {
            Self::Unseen => *self = Self::Same(value),
            Self::Same(known) if *known != value => *self = Self::Mixed,
            _ => {}
        }
    }

    fn or(self, unseen: T) -> Option<T> {
        match self {
            Self::Unseen => Some(unseen),
            Self::Same(value) => Some(value),
            Self::Mixed => None,
        }
    }
}

/// The values of a group while its threads are read.
#[derive(Default)]
struct Seen {
    count: u32,
    nice: Common<i8>,
    bytes: Common<u64>,
    allowed: Common<CpuMask>,
}

/// The present state of a lane's threads and tunables.
#[must_use]
pub fn present(sim: &Sim) -> Present {
    let plan = sim.plan();
    let all = CpuMask::first(plan.machine.cpu_count());
    let list = |mask: CpuMask| -> Vec<u16> {
        if mask == all {
            Vec::new()
        } else {
            mask.iter().map(|c| c.0).collect()
        }
    };
    let mut seen: Vec<Seen> = plan.groups.iter().map(|_| Seen::default()).collect();
    for i in 0..sim.task_count() {
        let task = sim.task_view(TaskId::new(i));
        if task.state == TaskState::Exited {
            continue;
        }
        let group = &mut seen[task.info.group.index()];
        group.count += 1;
        group.nice.see(task.info.nice);
        group.bytes.see(task.working_set_bytes);
        group.allowed.see(task.info.allowed);
    }
    let mut pinned: Vec<(CpuMask, Vec<u32>)> = Vec::new();
    for i in 0..sim.task_count() {
        let task = sim.task_view(TaskId::new(i));
        let mixed = matches!(seen[task.info.group.index()].allowed, Common::Mixed);
        if !mixed || task.state == TaskState::Exited {
            continue;
        }
        let number = u32::try_from(i).unwrap_or(u32::MAX);
        match pinned
            .iter_mut()
            .find(|(mask, _)| *mask == task.info.allowed)
        {
            Some((_, tasks)) => tasks.push(number),
            None => pinned.push((task.info.allowed, vec![number])),
        }
    }
    let nice_max = plan.lanes[sim.lane()].info.nice_max;
    let own = plan.scenario.groups.len();
    let groups = plan.groups.iter().zip(seen).take(own);
    Present {
        applications: plan
            .applications(sim.lane())
            .into_iter()
            .map(str::to_owned)
            .collect(),
        slice_hints: slice_hints(sim),
        groups: groups
            .map(|(group, now)| GroupNow {
                count: now.count,
                nice: now.nice.or(group.nice.min(nice_max)),
                working_set_bytes: now.bytes.or(group.working_set_bytes),
                allowed: now.allowed.or(group.allowed).map(list),
            })
            .collect(),
        pinned: pinned
            .into_iter()
            .map(|(mask, tasks)| Pinned {
                cpus: list(mask),
                tasks,
            })
            .collect(),
        stopped: (0..sim.task_count())
            .filter(|i| sim.task_view(TaskId::new(*i)).stopped)
            .map(|i| u32::try_from(i).unwrap_or(u32::MAX))
            .collect(),
        tunables: sim.tunables(),
    }
}

/// Slices that threads ask for and that change nothing in the present state, or less than one might think. Threads that
/// have ended are nobody's company.
#[must_use]
pub fn slice_hints(sim: &Sim) -> Vec<SliceHint> {
    let nowhere = CpuMask::first(0);
    let asking = |i| {
        let task = sim.task_view(TaskId::new(i));
        let has_ended = task.state == TaskState::Exited;
        Asking {
            group: task.info.group,
            slice_ns: if has_ended { 0 } else { task.info.slice_ns },
            allowed: if has_ended {
                nowhere
            } else {
                task.info.allowed
            },
            is_real_time: matches!(task.info.policy, Policy::Fifo | Policy::RoundRobin),
        }
    };
    let threads: Vec<Asking> = (0..sim.task_count()).map(asking).collect();
    if threads.iter().all(|thread| thread.slice_ns == 0) {
        return Vec::new();
    }
    slices::hints(sim.plan(), sim.lane(), &sim.tunables(), &threads)
}

/// The control groups that have a limit, in the order of the plan.
#[must_use]
pub fn limits(sim: UpToDate<'_>) -> Vec<LimitNow> {
    let counts = sim.scheduler().cgroups(sim.now());
    let tree = &sim.plan().cgroups;
    let groups = tree.groups.iter().zip(counts).zip(0..);
    let limited = groups.filter(|((_, now), _)| now.quota_ns > 0);
    let told = |((group, now), number): ((&Cgroup, CgroupCounts), u32)| LimitNow {
        name: group.name.clone(),
        groups: tree.threads_below(number),
        quota_ns: real(now.quota_ns),
        period_ns: real(now.period_ns),
        left_ns: real(now.left_ns),
        filled_at_ns: real(now.filled_at_ns),
        refill_at_ns: real(now.refill_at_ns),
        held: now.held.iter().map(held).collect(),
    };
    limited.map(told).collect()
}

fn held(held: &Held) -> HeldNow {
    HeldNow {
        cpu: held.cpu.0,
        since_ns: real(held.since_ns),
    }
}
