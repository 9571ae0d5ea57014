//! What EEVDF gives to the parts that the releases share ([`crate::linux`]): its state, its reasons, its acts.

use super::queue::{Entry, Leave};
use super::state::EevdfState;
use super::{Eevdf, reasons};
use crate::linux::beside;
use crate::linux::class::{FairClass, fair_class};
use crate::linux::machine::balance::Moving;
use crate::linux::machine::caches::Caches;
use crate::linux::machine::load::LoadTracking;
use crate::linux::numa::{self, Host};
use crate::linux::stopper::{StopWork, Stopper};
use crate::linux::tables::Tables;
use sim_contract::Persist;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::flags::EnqueueFlags;
use sim_contract::state_bytes::save_state;
use sim_ground::ids::{CpuId, TaskId};

fair_class!(Eevdf: EevdfState; stop_list: side.stop, CpuId);

/// The caches that processes prefer follow, on machines with several, then CPUs if their capacities differ, and control groups,
/// if there are some; states of other runs are unchanged.
impl Persist for Eevdf {
    fn save(&self) -> Vec<u8> {
        let mut bytes = numa::save(&self.st, self.numa.as_ref());
        if let Some(caches) = &self.caches {
            bytes.extend(save_state(caches.state()));
        }
        let (capacities, groups) = (self.capacities.as_deref(), self.cgroups.as_deref());
        beside::append(&mut bytes, capacities, groups, &self.loans, &self.reserve);
        bytes
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some((st, rest)) = numa::take(bytes, self.numa.as_mut()) else {
            return false;
        };
        let Some(rest) = beside::restore(self.caches.as_mut(), rest, Caches::restore) else {
            return false;
        };
        let (capacities, groups) = (self.capacities.as_deref_mut(), self.cgroups.as_deref_mut());
        let Some(loans) = beside::take(rest, capacities, groups, &mut self.reserve) else {
            return false;
        };
        (self.st, self.loans) = (st, loans);
        true
    }
}

impl Eevdf {
    /// The CPU whose queue a task leaves because it wakes on another one.
    #[inline]
    pub(super) fn left_by(&self, task: TaskId, cpu: CpuId, flags: EnqueueFlags) -> Option<CpuId> {
        let t = self.st.task(task);
        let leaves = t.cpu != cpu && flags != EnqueueFlags::New && !t.real_time;
        leaves.then_some(t.cpu)
    }
}

impl Host for Eevdf {
    fn load(&self, cpu: CpuId) -> u64 {
        self.root_loads(cpu).avg.load_avg
    }

    fn task_load(&mut self, task: TaskId, now: u64) -> u64 {
        self.task_h_load(task, now)
    }

    /// Since 6.14 without those that sleep in their queue.
    fn threads(&self, cpu: CpuId) -> u32 {
        if self.st.tun.later().balance_counts_runnable {
            self.st.root(cpu).h_runnable
        } else {
            self.state().running(cpu)
        }
    }
}

impl Stopper for Eevdf {
    fn push(&mut self, cx: &mut Cx<'_>, src: CpuId, to: CpuId) {
        self.push_one(cx, src, to);
    }

    /// Takes a waiting or delayed task off its CPU. Its lag and the rest of its request go with it.
    fn detach(&mut self, task: TaskId, now: u64) {
        self.dequeue_task(task, Leave::Moves, now);
        let e = self.st.task(task).se;
        self.st.ent_mut(e).exec_start = 0;
    }

    /// Adds the task to another CPU.
    fn attach(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        dst: CpuId,
        cause: Reason,
        why: DecisionId,
    ) {
        self.attach_to(task, dst);
        let e = self.st.task(task).se;
        // A sleeping task is in no queue, as far as others can see.
        if !self.st.ent(e).delayed {
            cx.moved(task, Some(dst), why);
        }
        let t = self.st.task_mut(task);
        (t.why_here, t.moves) = (cause, t.moves + 1);
        self.enqueue_task(task, Entry::Other, cx.now.0);
        self.may_preempt(cx, dst, task);
    }
}
