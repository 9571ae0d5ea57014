//! The fair class of a release, as the shared rooms see it: its state, and what they ask of it.

use super::clock::RqClock;
use super::numa::Numa;
use super::reasons::Reasons;
use super::reserve::Reserve;
use super::rt::RealTime;
use super::stopper::StopWork;
use super::tables::Tables;
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::lending::Loans;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::views::linux::Domains;

/// A fair scheduler of Linux.
pub(crate) trait FairClass: RqClock {
    /// The tables that all releases have.
    type State: Tables;
    /// The target of a push by the stopper.
    type Push;
    /// Its reasons for what shared code decides.
    const REASONS: Reasons;

    /// Its state.
    fn state(&self) -> &Self::State;
    /// The same, mutable.
    fn state_mut(&mut self) -> &mut Self::State;
    /// The priorities that tasks borrowed by locks; they are kept outside the state.
    fn loans(&self) -> &Loans<u8>;
    /// The same, mutable.
    fn loans_mut(&mut self) -> &mut Loans<u8>;
    /// What is kept for fair tasks where real-time tasks run; it is kept outside the state.
    fn reserve(&self) -> &Reserve;
    /// The same, mutable.
    fn reserve_mut(&mut self) -> &mut Reserve;
    /// A real-time task becomes runnable: the fair servers of the release are known from now on.
    fn begin_servers(&mut self, now: u64);
    /// Counts the time of a CPU for its fair server, before another class has it.
    fn count_server(&mut self, cpu: CpuId, now: u64);
    /// NUMA balancing, if the machine has several nodes; it is kept outside the state.
    fn numa(&self) -> Option<&Numa>;
    /// The same, mutable.
    fn numa_mut(&mut self) -> &mut Option<Numa>;
    /// The scheduling domains of the machine.
    fn domains(&self) -> &Domains;
    /// What the stopper of a CPU must do.
    fn stop_list(&mut self, cpu: CpuId) -> &mut Vec<StopWork<Self::Push>>;
    /// The CPU that is picking a task: it needs no signal.
    fn picking(&self) -> Option<CpuId>;
    /// Whether a fair task that was just enqueued on a CPU preempts the fair task that runs there
    /// (`check_preempt_wakeup`). The tasks: the new one, the running one.
    fn fair_preempts(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        tasks: [TaskId; 2],
        fork: bool,
    ) -> Answer<bool>;
    /// Makes a CPU reschedule, unless it is about to.
    fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>);

    /// Whether a task that was just enqueued on a CPU preempts the running task there (`wakeup_preempt`,
    /// `check_preempt_curr`).
    fn check_wakeup(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        fork: bool,
    ) -> Answer<bool> {
        let Some(curr) = self.state().current(cpu) else {
            let reason = Self::REASONS.idle_cpu_woken;
            let why = (self.picking() != Some(cpu))
                .then(|| cx.explain(Some(cpu), Some(task), reason, [0; 4]));
            return Answer::new(true, why);
        };
        if curr == task {
            return Answer::undecided(false);
        }
        if self.state().is_real_time(task) || self.state().is_real_time(curr) {
            return self.rt_preempts(cx, cpu, task, curr);
        }
        self.fair_preempts(cx, cpu, [task, curr], fork)
    }

    /// Lets a task that was just enqueued on a CPU preempt there.
    fn may_preempt(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let preempts = self.check_wakeup(cx, cpu, task, false);
        if preempts.value {
            self.resched(cx, cpu, preempts.why);
        }
    }
}

/// Implements [`FairClass`] with the fields, methods and reasons that have the same names in both schedulers. `stop_list`
/// names the field of a CPU that holds the work of its stopper, and
/// the target of a push.
macro_rules! fair_class {
    ($class:ident: $state:ident; stop_list: $($stop:ident).+, $push:ty) => {
        impl $crate::linux::class::FairClass for $class {
            type State = $state;
            type Push = $push;
            const REASONS: $crate::linux::reasons::Reasons = reasons::SHARED;

            #[inline]
            fn state(&self) -> &$state {
                &self.st
            }

            #[inline]
            fn state_mut(&mut self) -> &mut $state {
                &mut self.st
            }

            #[inline]
            fn loans(&self) -> &sim_contract::lending::Loans<u8> {
                &self.loans
            }

            fn loans_mut(&mut self) -> &mut sim_contract::lending::Loans<u8> {
                &mut self.loans
            }

            #[inline]
            fn reserve(&self) -> &$crate::linux::reserve::Reserve {
                &self.reserve
            }

            fn reserve_mut(&mut self) -> &mut $crate::linux::reserve::Reserve {
                &mut self.reserve
            }

            fn begin_servers(&mut self, now: u64) {
                Self::begin_servers(self, now);
            }

            fn count_server(&mut self, cpu: CpuId, now: u64) {
                Self::count_server(self, cpu, now);
            }

            fn numa(&self) -> Option<&$crate::linux::numa::Numa> {
                self.numa.as_ref()
            }

            fn numa_mut(&mut self) -> &mut Option<$crate::linux::numa::Numa> {
                &mut self.numa
            }

            fn domains(&self) -> &sim_machine::views::linux::Domains {
                &self.topo
            }

            fn stop_list(&mut self, cpu: CpuId) -> &mut Vec<StopWork<$push>> {
                &mut self.st.rq_mut(cpu).$($stop).+
            }

            fn picking(&self) -> Option<CpuId> {
                self.picking
            }

            #[inline]
            fn fair_preempts(
                &mut self,
                cx: &mut Cx<'_>,
                cpu: CpuId,
                tasks: [TaskId; 2],
                fork: bool,
            ) -> sim_contract::Answer<bool> {
                Self::fair_preempts(self, cx, cpu, tasks, fork)
            }

            fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>) {
                Self::resched(self, cx, cpu, why);
            }
        }
    };
}

pub(crate) use fair_class;
