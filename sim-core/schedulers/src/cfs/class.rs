//! What CFS gives to the parts that the releases share ([`crate::linux`]): its state, its reasons, its acts.

use super::entity::CfsState;
use super::era::RelativeVruntime;
use super::machine::Side;
use super::queue::{Entry, Leave};
use super::{Cfs, reasons};
use crate::linux::beside;
use crate::linux::class::{FairClass, fair_class};
use crate::linux::machine::balance::Moving;
use crate::linux::numa::{self, Host};
use crate::linux::stopper::{StopWork, Stopper};
use sim_contract::Persist;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::flags::EnqueueFlags;
use sim_ground::ids::{CpuId, TaskId};
use std::borrow::Cow;

fair_class!(Cfs: CfsState; stop_list: stop, (CpuId, u8));

impl Cfs {
    /// No release has fair servers.
    #[allow(clippy::unused_self, clippy::needless_pass_by_ref_mut)] // as the other scheduler
    fn begin_servers(&mut self, _: u64) {}

    /// The same.
    #[allow(clippy::unused_self, clippy::needless_pass_by_ref_mut)] // as the other scheduler
    fn count_server(&mut self, _: CpuId, _: u64) {}

    /// The CPU whose queue a task leaves because it wakes on another one. 2.6.34 counts from that queue before it chooses.
    #[inline]
    pub(super) fn left_by(&self, task: TaskId, cpu: CpuId, flags: EnqueueFlags) -> Option<CpuId> {
        let t = self.st.task(task);
        let leaves = t.cpu != cpu && flags != EnqueueFlags::New && !t.real_time;
        (leaves && self.era.relative == RelativeVruntime::AtMigration).then_some(t.cpu)
    }

    /// The state that is saved: what it owes was an arrangement of this run.
    fn saved(&self) -> Cow<'_, CfsState> {
        self.st.without_owed(self.era.division.scale_bits())
    }
}

impl Host for Cfs {
    fn load(&self, cpu: CpuId) -> u64 {
        self.weighted_load(cpu)
    }

    fn task_load(&mut self, task: TaskId, now: u64) -> u64 {
        self.task_h_load(task, now)
    }
}

impl Stopper for Cfs {
    fn push(&mut self, cx: &mut Cx<'_>, src: CpuId, to: (CpuId, u8)) {
        if self.is_shared() {
            self.push_one(cx, src, to.0);
        } else {
            Self::push(self, cx, src, to);
        }
    }

    /// Removes a waiting task from its CPU.
    fn detach(&mut self, task: TaskId, now: u64) {
        self.dequeue_task(task, Leave::Moves, now);
        if self.era.relative == RelativeVruntime::AtMigration {
            let e = self.st.task(task).se;
            self.remove_avg(e, now);
            self.st.ent_mut(e).exec_start = 0;
        }
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
        let now = cx.now.0;
        self.attach_to(task, dst);
        cx.moved(task, Some(dst), why);
        let t = self.st.task_mut(task);
        t.why_here = cause;
        t.moves += 1;
        let policy = cx.task(task).policy;
        self.enqueue_task(task, Entry::Other, policy, now);
        self.may_preempt(cx, dst, task);
    }
}

impl Persist for Cfs {
    fn save(&self) -> Vec<u8> {
        let (state, numa) = (self.saved(), self.numa.as_ref());
        let mut bytes = match &self.side {
            None => numa::save(&*state, numa),
            Some(side) => numa::save(&(&*state, side), numa),
        };
        let (capacities, groups) = (self.capacities.as_deref(), self.cgroups.as_deref());
        beside::append(&mut bytes, capacities, groups, &self.loans, &self.reserve);
        bytes
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let numa = self.numa.as_mut();
        let state = if self.side.is_none() {
            numa::take::<CfsState>(bytes, numa).map(|(st, rest)| (st, None, rest))
        } else {
            let both = numa::take::<(CfsState, Box<Side>)>(bytes, numa);
            both.map(|((st, side), rest)| (st, Some(side), rest))
        };
        let Some((st, side, rest)) = state else {
            return false;
        };
        let (capacities, groups) = (self.capacities.as_deref_mut(), self.cgroups.as_deref_mut());
        let Some(loans) = beside::take(rest, capacities, groups, &mut self.reserve) else {
            return false;
        };
        (self.st, self.side, self.loans) = (st, side, loans);
        true
    }
}
