//! A run that is watched after every event: which threads wait, which CPUs are idle, and where threads run.
//!
//! For the situations that every scheduler must survive. It looks at every thread after every event, so it is a crate of its
//! own that is optimised: the code of tests is not.

use sim_engine::{Sim, TaskState};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::SimTime;
use std::collections::BTreeMap;

/// The longest duration of something, with its description.
#[derive(Clone, Debug, Default)]
pub struct Longest {
    /// In ns.
    pub ns: u64,
    /// Who, where and when, for a message.
    pub what: String,
}

impl Longest {
    fn note(&mut self, ns: u64, what: impl FnOnce() -> String) {
        if ns > self.ns {
            *self = Self { ns, what: what() };
        }
    }
}

/// An interval of a thread on a CPU.
#[derive(Clone, Copy, Debug)]
pub struct Stint {
    /// The thread.
    pub task: TaskId,
    /// Its CPU.
    pub cpu: CpuId,
    /// Its beginning, in ns.
    pub from: u64,
    /// Its end, in ns.
    pub until: u64,
}

/// Values read at one time.
#[derive(Clone, Debug, Default)]
pub struct CpuTimeSample {
    /// CPU time of each thread.
    pub run: Vec<u64>,
    /// Busy time of all CPUs.
    pub busy: u64,
    /// The digest of the run.
    pub digest: u64,
}

/// Observations of a run.
#[derive(Debug, Default)]
pub struct Seen {
    /// A CPU was idle while a thread that may run there waited.
    pub idle: Longest,
    /// Waits of each thread.
    pub waits: Vec<Longest>,
    /// A thread ran where it is forbidden.
    pub forbidden: Longest,
    /// Where threads ran, in the order of the ends.
    pub stints: Vec<Stint>,
    /// The values at each mark, by its time in ns.
    pub moments: BTreeMap<u64, CpuTimeSample>,
}

/// Conditions, with the times since which they hold.
#[derive(Debug, Default)]
struct Watch {
    now: u64,
    waiting: Vec<Option<u64>>,
    allowed: Vec<(CpuMask, u64)>,
    idle: Vec<Option<u64>>,
    running: Vec<Option<(TaskId, u64)>>,
    seen: Seen,
}

/// Runs to the end, stopping at the marks to read totals.
pub fn watch(sim: &mut Sim, marks: &[u64]) -> Seen {
    let cpus = sim.plan().machine.cpu_count();
    let mut watch = Watch {
        idle: vec![Some(0); cpus],
        running: vec![None; cpus],
        ..Watch::default()
    };
    let mut marks = marks.to_vec();
    marks.push(sim.end().0);
    marks.sort_unstable();
    marks.dedup();
    watch.look(sim);
    for mark in marks {
        while due(sim) <= SimTime(mark) && sim.step_event() {
            watch.look(sim);
        }
        sim.run_until(SimTime(mark));
        watch.seen.moments.insert(mark, moment(sim));
    }
    watch.now = sim.now().0;
    watch.close(sim);
    watch.seen
}

/// The time of the next event, for comparisons; "never" is later than everything. Calling with zero events computes
/// that time.
fn due(sim: &mut Sim) -> SimTime {
    sim.advance(sim.now(), 0);
    sim.next_event_time().unwrap_or(SimTime::NEVER)
}

/// The values at one time of a run without checks.
pub fn moment(sim: &mut Sim) -> CpuTimeSample {
    let sim = sim.refresh();
    let tasks = (0..sim.task_count()).map(TaskId::new);
    let cpus = sim.plan().machine.cpu_ids();
    CpuTimeSample {
        run: tasks.map(|t| sim.account(t).run_ns).collect(),
        busy: cpus.map(|c| sim.cpu_account(c).busy_ns).sum(),
        digest: sim.digest(),
    }
}

impl Watch {
    /// Checks the state after an event.
    fn look(&mut self, sim: &Sim) {
        self.now = sim.now().0;
        for i in self.waiting.len()..sim.task_count() {
            let allowed = sim.task_view(TaskId::new(i)).info.allowed;
            self.waiting.push(None);
            self.allowed.push((allowed, self.now));
            self.seen.waits.push(Longest::default());
        }
        for i in 0..self.waiting.len() {
            self.look_at_task(sim, TaskId::new(i));
        }
        for cpu in sim.plan().machine.cpu_ids() {
            self.look_at_cpu(sim, cpu);
        }
    }

    fn look_at_task(&mut self, sim: &Sim, task: TaskId) {
        let i = task.index();
        let view = sim.task_view(task);
        let waits = view.state == TaskState::Queued;
        let changed = view.info.allowed != self.allowed[i].0;
        if self.waiting[i].is_some() && (!waits || changed) {
            for c in 0..self.idle.len() {
                self.both(sim, task, CpuId::new(c));
            }
        }
        match (self.waiting[i], waits) {
            (Some(since), false) => {
                self.waited(sim, task, since);
                self.waiting[i] = None;
            }
            (None, true) => self.waiting[i] = Some(self.now),
            _ => {}
        }
        if changed {
            self.allowed[i] = (view.info.allowed, self.now);
        }
    }

    fn look_at_cpu(&mut self, sim: &Sim, cpu: CpuId) {
        let c = cpu.index();
        let curr = sim.curr(cpu);
        let before = self.running[c].map(|(task, _)| task);
        if curr == before {
            return;
        }
        self.leave(sim, cpu);
        if before.is_none() {
            for i in 0..self.waiting.len() {
                self.both(sim, TaskId::new(i), cpu);
            }
        }
        self.running[c] = curr.map(|task| (task, self.now));
        self.idle[c] = curr.is_none().then_some(self.now);
    }

    /// The running thread of a CPU leaves it.
    fn leave(&mut self, sim: &Sim, cpu: CpuId) {
        let Some((task, from)) = self.running[cpu.index()] else {
            return;
        };
        let (allowed, since) = self.allowed[task.index()];
        if !allowed.contains(cpu) {
            let ns = self.now - from.max(since);
            let now = self.now;
            self.seen.forbidden.note(ns, || {
                format!("{} on CPU {} until {now} ns", sim.task_name(task), cpu.0)
            });
        }
        self.seen.stints.push(Stint {
            task,
            cpu,
            from,
            until: self.now,
        });
    }

    /// A thread waited while a CPU was idle, up to now.
    fn both(&mut self, sim: &Sim, task: TaskId, cpu: CpuId) {
        let (Some(waiting), Some(idle)) = (self.waiting[task.index()], self.idle[cpu.index()])
        else {
            return;
        };
        let (allowed, since) = &self.allowed[task.index()];
        if !allowed.contains(cpu) {
            return;
        }
        let now = self.now;
        let ns = now - waiting.max(idle).max(*since);
        self.seen.idle.note(ns, || {
            format!(
                "CPU {} while {} waits, until {now} ns",
                cpu.0,
                sim.task_name(task)
            )
        });
    }

    fn waited(&mut self, sim: &Sim, task: TaskId, since: u64) {
        let now = self.now;
        self.seen.waits[task.index()].note(now - since, || {
            format!("{} from {since} to {now} ns", sim.task_name(task))
        });
    }

    /// Conditions that still hold at the end count until then.
    fn close(&mut self, sim: &Sim) {
        for i in 0..self.waiting.len() {
            let task = TaskId::new(i);
            for c in 0..self.idle.len() {
                self.both(sim, task, CpuId::new(c));
            }
            if let Some(since) = self.waiting[i] {
                self.waited(sim, task, since);
            }
        }
        for c in 0..self.running.len() {
            self.leave(sim, CpuId::new(c));
        }
    }
}
