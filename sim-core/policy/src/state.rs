//! What changes during a run: who waits where, and the columns of the program. Plain data, which snapshots keep.

use crate::moment::{Column, Declared, position};
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use std::collections::VecDeque;

/// Where a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Whereabouts {
    /// It has not started, sleeps, or has ended.
    #[default]
    Nowhere,
    /// In the list of a CPU.
    Waits(CpuId),
    /// In the list of all CPUs.
    WaitsForAll,
    /// On a CPU.
    Runs(CpuId),
}

/// What is kept of a thread.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Thread {
    /// Whether it has started.
    pub(crate) known: bool,
    /// Whether it has ended.
    pub(crate) ended: bool,
    pub(crate) nice: i8,
    pub(crate) group: u16,
    pub(crate) background: bool,
    pub(crate) allowed: CpuMask,
    pub(crate) last_cpu: CpuId,
    pub(crate) at: Whereabouts,
    /// Whether it waits in the list of all CPUs when its turn ends.
    pub(crate) shared: bool,
    /// Since when it waits, in ns.
    pub(crate) since: u64,
    /// Its numbers, in the order in which the program declares them.
    pub(crate) columns: Vec<i64>,
}

/// What is kept of a CPU.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Cpu {
    /// Who waits for it, in the order of arrival.
    pub(crate) waiting: VecDeque<TaskId>,
    pub(crate) running: Option<TaskId>,
    /// Since when the running thread runs, in ns.
    pub(crate) started: u64,
    /// Up to when `ran` has been told, in ns.
    pub(crate) charged: u64,
    /// End of the slice, in ns; `u64::MAX` for none.
    pub(crate) slice_end: u64,
    /// Length of the slice, in ns; 0 for none.
    pub(crate) slice: u64,
    /// Whether the program has ended the turn of the running thread.
    pub(crate) turn_ended: bool,
    pub(crate) columns: Vec<i64>,
}

/// The whole state of a lane.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) threads: Vec<Thread>,
    pub(crate) cpus: Vec<Cpu>,
    /// Who waits for all CPUs, in the order of arrival.
    pub(crate) shared: VecDeque<TaskId>,
    /// Variables of the lane.
    pub(crate) variables: Vec<i64>,
    /// Whether the program has been stopped. Until the lane ends, the first in line runs.
    pub(crate) stopped: bool,
}

impl State {
    pub(crate) fn thread(&self, task: TaskId) -> &Thread {
        &self.threads[task.index()]
    }

    pub(crate) fn cpu(&self, cpu: CpuId) -> &Cpu {
        &self.cpus[cpu.index()]
    }

    /// Waiting and running threads of a CPU.
    pub(crate) fn nr_running(&self, cpu: CpuId) -> usize {
        let c = self.cpu(cpu);
        c.waiting.len() + usize::from(c.running.is_some())
    }

    /// Whether the CPU has neither a running nor a waiting thread.
    pub(crate) fn is_idle(&self, cpu: CpuId) -> bool {
        self.nr_running(cpu) == 0
    }

    /// Who may be picked on a CPU: those in its list, then those in the list of all that may run there.
    pub(crate) fn candidates(&self, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_ {
        let shared = self.shared.iter().copied();
        let allowed = shared.filter(move |t| self.thread(*t).allowed.contains(cpu));
        self.cpu(cpu).waiting.iter().copied().chain(allowed)
    }

    /// Whether a thread may be picked on a CPU.
    pub(crate) fn may_pick(&self, cpu: CpuId, task: TaskId) -> bool {
        let Some(t) = self.threads.get(task.index()) else {
            return false;
        };
        match t.at {
            Whereabouts::Waits(at) => at == cpu,
            Whereabouts::WaitsForAll => t.allowed.contains(cpu),
            Whereabouts::Nowhere | Whereabouts::Runs(_) => false,
        }
    }

    /// Number of waiting threads.
    pub(crate) fn nr_waiting(&self) -> usize {
        self.shared.len() + self.cpus.iter().map(|c| c.waiting.len()).sum::<usize>()
    }

    /// Takes a waiting thread out of its list.
    pub(crate) fn remove(&mut self, task: TaskId) {
        let list = match self.thread(task).at {
            Whereabouts::Waits(cpu) => &mut self.cpus[cpu.index()].waiting,
            Whereabouts::WaitsForAll => &mut self.shared,
            Whereabouts::Nowhere | Whereabouts::Runs(_) => return,
        };
        list.retain(|t| *t != task);
        self.threads[task.index()].at = Whereabouts::Nowhere;
    }

    /// Puts a thread into a list: at its end, or first.
    pub(crate) fn insert(&mut self, task: TaskId, to: Option<CpuId>, first: bool) {
        let t = &mut self.threads[task.index()];
        t.shared = to.is_none();
        let list = match to {
            Some(cpu) => {
                t.at = Whereabouts::Waits(cpu);
                &mut self.cpus[cpu.index()].waiting
            }
            None => {
                t.at = Whereabouts::WaitsForAll;
                &mut self.shared
            }
        };
        if first {
            list.push_front(task);
        } else {
            list.push_back(task);
        }
    }

    /// Where a thread is, in words.
    pub(crate) fn whereabouts(&self, task: TaskId) -> String {
        match self.threads.get(task.index()) {
            Some(t) if t.ended => "it has ended".to_owned(),
            Some(t) => match t.at {
                Whereabouts::Nowhere => "it sleeps".to_owned(),
                Whereabouts::Waits(cpu) => format!("it waits on cpu {}", cpu.0),
                Whereabouts::WaitsForAll => "it waits for all CPUs".to_owned(),
                Whereabouts::Runs(cpu) => format!("it runs on cpu {}", cpu.0),
            },
            None => "it has not started".to_owned(),
        }
    }

    /// Another program takes over: numbers that it keeps, too, stay, and the others begin.
    pub(crate) fn renew(&mut self, before: &Declared, now: &Declared) {
        let renew = |values: &mut Vec<i64>, before: &[Column], now: &[Column]| {
            let value = |c: &Column| position(before, &c.name).map_or(c.first, |at| values[at]);
            *values = now.iter().map(value).collect();
        };
        for t in self.threads.iter_mut().filter(|t| t.known) {
            renew(&mut t.columns, &before.thread, &now.thread);
        }
        for c in &mut self.cpus {
            renew(&mut c.columns, &before.cpu, &now.cpu);
        }
        renew(&mut self.variables, &before.lane, &now.lane);
    }

    /// Whether this can be a state of a lane with so many CPUs and columns.
    pub(crate) fn fits(&self, cpus: usize, columns: [usize; 3]) -> bool {
        let is_thread = |t: &TaskId| self.threads.get(t.index()).is_some_and(|t| t.known);
        let [of_threads, of_cpus, variables] = columns;
        self.cpus.len() == cpus
            && self.variables.len() == variables
            && self.shared.iter().all(is_thread)
            && self.cpus.iter().all(|c| {
                c.columns.len() == of_cpus
                    && c.waiting.iter().all(is_thread)
                    && c.running.iter().all(is_thread)
            })
            && self.threads.iter().all(|t| {
                let at = match t.at {
                    Whereabouts::Waits(cpu) | Whereabouts::Runs(cpu) => cpu.index() < cpus,
                    Whereabouts::Nowhere | Whereabouts::WaitsForAll => true,
                };
                at && t.last_cpu.index() < cpus && (!t.known || t.columns.len() == of_threads)
            })
    }
}
