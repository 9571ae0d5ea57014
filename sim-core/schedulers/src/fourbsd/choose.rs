//! `sched_choose`: the best thread of the global queue or of the CPU's own.

use super::{FourBsd, GLOBAL, n, queue_of, reasons};
use sim_contract::Pick;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

/// The best thread of a queue.
#[derive(Clone, Copy)]
struct QueueCandidate {
    task: TaskId,
    priority: u8,
    list: usize,
    /// Place in the list, from 0.
    place: usize,
}

impl FourBsd {
    /// The thread that a CPU takes next, still in its queue.
    pub(super) fn sched_choose(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
    ) -> Option<(Pick, DecisionId)> {
        let own_fuzz = self.era.fuzz_own_queue;
        let global = self.best(cx, GLOBAL, cpu, true);
        let own = self.best(cx, queue_of(cpu), cpu, own_fuzz);
        // A tie goes to the global queue. Priorities are compared, not lists.
        let take_own = match (global, own) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(global), Some(own)) => own.priority < global.priority,
        };
        let (taken, other) = if take_own {
            (own, global)
        } else {
            (global, own)
        };
        let taken = taken?;
        let other = other.map_or(-1, |o| i64::from(o.priority));
        let mut operands = [
            i64::from(taken.priority),
            n(taken.list),
            self.waiting(),
            other,
        ];
        let again = self.st.cpus[cpu.index()].returned == Some(taken.task);
        let reason = if taken.place > 0 {
            operands[3] = n(taken.place);
            reasons::RUNQ_FUZZ
        } else if again {
            operands[3] = 0;
            reasons::SAME_AGAIN
        } else if take_own {
            reasons::OWN_QUEUE
        } else {
            reasons::GLOBAL_QUEUE
        };
        let why = cx.explain(Some(cpu), Some(taken.task), reason, operands);
        let cause = if take_own {
            reasons::TOOK_FROM_OWN
        } else {
            reasons::TOOK_FROM_GLOBAL
        };
        let pick = Pick {
            task: taken.task,
            cause: Some(cause),
        };
        Some((pick, why))
    }

    /// `runq_choose` or `runq_choose_fuzz`.
    fn best(
        &self,
        cx: &mut Cx<'_>,
        queue: usize,
        cpu: CpuId,
        may_fuzz: bool,
    ) -> Option<QueueCandidate> {
        let queues = &self.st.queues;
        let list = queues.first_level(queue, 0, queues.levels())?;
        if cx.explaining() {
            for task in queues.level(queue, list) {
                let priority = i64::from(self.thread(task).priority);
                cx.candidate(
                    None,
                    Some(task),
                    priority,
                    "priority; the first of the best list is taken",
                );
            }
        }
        let found = |place: usize, task: TaskId| QueueCandidate {
            task,
            priority: self.thread(task).priority,
            list,
            place,
        };
        let fuzz = self.st.settings.fuzz;
        if may_fuzz && fuzz > 1 {
            let here = queues
                .level(queue, list)
                .take(fuzz)
                .enumerate()
                .find(|(_, task)| self.thread(*task).last_cpu == Some(cpu));
            if let Some((place, task)) = here {
                return Some(found(place, task));
            }
        }
        queues.head(queue, list).map(|task| found(0, task))
    }
}
