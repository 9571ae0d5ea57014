//! The interface between NUMA balancing and its scheduler.

use super::{Move, Numa, NumaState, QueueKind};
use crate::linux::class::FairClass;
use crate::linux::stopper::StopWork;
use crate::linux::tables::Tables;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::memory::{PageFate, Touched};
use sim_contract::state_bytes::{save_state, take_state};
use sim_ground::ids::{CpuId, TaskId};

/// A scheduler with automatic NUMA balancing.
pub(crate) trait Host: FairClass {
    /// Load of a CPU (`weighted_cpuload`, `cpu_load`).
    fn load(&self, cpu: CpuId) -> u64;
    /// Load of a thread, as its CPU counts it (`task_h_load`).
    fn task_load(&mut self, task: TaskId, now: u64) -> u64;
    /// Threads of a CPU, where nodes are compared (`update_numa_stats`).
    fn threads(&self, cpu: CpuId) -> u32 {
        self.state().running(cpu)
    }

    /// Asks the stopper of a CPU to take a thread to another CPU. The CPU enters the scheduler for that.
    fn send(&mut self, cx: &mut Cx<'_>, task: TaskId, from: CpuId, to: CpuId, why: DecisionId) {
        let work = StopWork::Memory(task, to, why);
        self.stop_list(from).push(work);
        self.resched(cx, from, Some(why));
    }

    /// A thread begins; kernel threads have no memory of their own.
    fn memory_begins(&mut self, cx: &Cx<'_>, task: TaskId) {
        if let Some(numa) = self.numa_mut()
            && !cx.task(task).kernel_thread
        {
            numa.fork(cx, task);
        }
    }

    /// A thread has ended.
    fn memory_ends(&mut self, task: TaskId) {
        if let Some(numa) = self.numa_mut() {
            numa.exit(task);
        }
    }

    /// A thread begins a new program.
    fn memory_is_new(&mut self, cx: &Cx<'_>, task: TaskId) {
        if let Some(numa) = self.numa_mut() {
            numa.exec(cx, task);
        }
    }

    /// The earliest time at which a tick of a running thread may mark memory.
    fn memory_due(&self, task: TaskId) -> Option<u64> {
        let due = self.numa()?.due_at_run_time(task)?;
        let (run_time, at) = self.state().charged(task);
        // What was due before the run is due at once.
        Some((at + due + 1).saturating_sub(run_time))
    }

    /// A tick that is not quiet, on a CPU that runs a thread (`task_tick_numa`).
    fn memory_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        if self.numa().is_none() || self.state().is_real_time(task) {
            return;
        }
        let (run_time, at) = self.state().charged(task);
        // It was charged in the past.
        let run_time = run_time + cx.now.0.saturating_sub(at);
        if let Some(numa) = self.numa_mut() {
            numa.tick(cx, cpu, task, run_time);
        }
    }

    /// The running thread touches marked pages (`task_numa_fault`). It may have to move because of them.
    fn touches_marked(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        touched: &Touched,
    ) -> PageFate {
        if self.state().is_real_time(task) {
            return PageFate::Stay;
        }
        let Some(mut numa) = self.numa_mut().take() else {
            return PageFate::Stay;
        };
        let (fate, place) = numa.fault(self, cx, cpu, task, touched);
        if let Some(Move { to, swap, .. }) = place {
            numa.expect(to, task);
            if let Some((other, _)) = swap {
                numa.expect(cpu, other);
            }
        }
        *self.numa_mut() = Some(numa);
        if let Some(Move { to, swap, why }) = place {
            self.send(cx, task, cpu, to, why);
            if let Some((other, why)) = swap {
                self.send(cx, other, to, cpu, why);
            }
        }
        fate
    }

    /// Whether a thread is on its way to a CPU because of its memory.
    fn is_expected(&self, cpu: CpuId) -> bool {
        self.numa().is_some_and(|n| n.expects(cpu))
    }

    /// A thread that was sent has arrived, or can no longer arrive.
    fn arrives(&mut self, task: TaskId) {
        if let Some(numa) = self.numa_mut() {
            numa.arrives(task);
        }
    }

    /// Whether memory makes a thread hot or cold for the balancer of another CPU; `None` where memory decides nothing.
    fn memory_is_hot(
        &self,
        cx: &Cx<'_>,
        task: TaskId,
        [from, to]: [CpuId; 2],
        idle: bool,
    ) -> Option<bool> {
        let numa = self.numa()?;
        let node = |cpu| cx.machine.place(cpu).node;
        let (home, away) = (node(from), node(to));
        if home == away {
            return None;
        }
        let misplaced = |t: TaskId| numa.preferred(t) != Some(home);
        let others = self.state().each_fair(from).any(misplaced);
        numa.degrades(task, [home, away], others, idle)
    }

    /// The operands of a refusal because of memory: preferred node, the thread's node, node of the CPU, failed
    /// attempts.
    fn operands_of_refusal(
        &self,
        cx: &Cx<'_>,
        task: TaskId,
        [from, to]: [CpuId; 2],
        failed: u32,
    ) -> [i64; 4] {
        let node = |cpu| i64::from(cx.machine.place(cpu).node.0);
        let preferred = self.numa().and_then(|n| n.preferred(task));
        [
            super::number(preferred),
            node(from),
            node(to),
            i64::from(failed),
        ]
    }

    /// Kind of a queue with regard to memory.
    fn kind_of_queue(&self, cx: &Cx<'_>, cpu: CpuId) -> QueueKind {
        let node = cx.machine.place(cpu).node;
        let numa = self.numa();
        numa.map_or(QueueKind::All, |n| {
            n.kind(self.state().each_fair(cpu), node)
        })
    }

    /// Kind of the busiest group, if it may hold other nodes than its balancer's and the release asks for it.
    fn kind_of_group(
        &self,
        cx: &Cx<'_>,
        crosses_nodes: bool,
        cpus: impl Iterator<Item = CpuId>,
    ) -> Option<QueueKind> {
        let asks = crosses_nodes && self.numa().is_some_and(Numa::prefers_misplaced);
        asks.then(|| cpus.map(|c| self.kind_of_queue(cx, c)).min())?
    }
}

/// The bytes of a state. Where there are several nodes, those of NUMA balancing follow; states of other machines are
/// unchanged.
pub(crate) fn save(st: &impl Serialize, numa: Option<&Numa>) -> Vec<u8> {
    let mut bytes = save_state(st);
    if let Some(numa) = numa {
        bytes.extend(save_state(&numa.st));
    }
    bytes
}

/// Restores both, if the bytes are valid. Returns what follows, too.
pub(crate) fn take<'a, T: DeserializeOwned>(
    bytes: &'a [u8],
    numa: Option<&mut Numa>,
) -> Option<(T, &'a [u8])> {
    let (st, mut rest) = take_state::<T>(bytes)?;
    if let Some(numa) = numa {
        let (memory, after) = take_state::<NumaState>(rest)?;
        if !numa.fits(&memory) {
            return None;
        }
        numa.st = memory;
        rest = after;
    }
    Some((st, rest))
}
