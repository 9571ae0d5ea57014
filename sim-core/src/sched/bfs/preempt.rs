//! Preemption, fork, exit, nice: everything that changes a deadline or a slice outside `schedule()`.

use super::{PRIO_IDLE_CPU, State, clamp, reasons};
use crate::ids::{CpuId, TaskId};
use crate::sched::cx::Cx;
use crate::sched::flags::Policy;

impl State {
    /// `try_preempt`: the CPU to signal for a task that has just been queued.
    pub(super) fn try_preempt(&mut self, cx: &mut Cx<'_>, task: TaskId) -> Option<CpuId> {
        if self.suitable_idle_cpus(cx, task) {
            return self.best_idle(cx, task);
        }
        let info = cx.task(task);
        let (last, nice, policy, allowed) = (info.last_cpu, info.nice, info.policy, info.allowed);
        let mut worst: Option<(CpuId, u8, i64)> = None;
        for cpu in allowed.iter().take_while(|c| c.index() < self.cpus.len()) {
            let c = &self.cpus[cpu.index()];
            if c.rq_prio == PRIO_IDLE_CPU {
                continue;
            }
            let offset = self.distance(cx, last, cpu, nice);
            let deadline = clamp(c.rq_deadline) - clamp(offset);
            cx.candidate(
                Some(cpu),
                c.curr,
                deadline,
                "deadline of what runs there - distance",
            );
            let later = match worst {
                None => true,
                Some((_, prio, latest)) => {
                    c.rq_prio > prio
                        || (c.rq_prio == prio
                            && (deadline > latest || (deadline == latest && cpu == last)))
                }
            };
            if later {
                worst = Some((cpu, c.rq_prio, deadline));
            }
        }
        let (cpu, prio, latest) = worst?;
        let own = &self.tasks[task.index()];
        let operands = [
            clamp(own.deadline),
            latest,
            i64::from(own.prio),
            i64::from(prio),
        ];
        let (reason, target) = if own.prio > prio {
            (reasons::LOWER_PRIO, None)
        } else if own.prio < prio {
            (reasons::HIGHER_PRIO, Some(cpu))
        } else if policy == Policy::Normal && clamp(own.deadline) >= latest {
            (reasons::DEADLINE_NOT_EARLIER, None)
        } else {
            // As coded, an equal-priority BATCH, ISO or IDLEPRIO task always signals.
            (reasons::LATEST_DEADLINE_VICTIM, Some(cpu))
        };
        cx.explain(Some(cpu), Some(task), reason, operands);
        target
    }

    /// `wake_up_new_task`: a child with its own address space runs before its parent if no CPU is idle.
    pub(super) fn preempt_for_child(&mut self, cx: &mut Cx<'_>, child: TaskId) -> Option<CpuId> {
        let info = cx.task(child);
        let cpu = info.last_cpu;
        let parent_runs_here = info.parent.is_some_and(|parent| {
            cx.task(parent).process != info.process && cx.curr[cpu.index()] == Some(parent)
        });
        if parent_runs_here && !self.suitable_idle_cpus(cx, child) {
            cx.explain(Some(cpu), Some(child), reasons::CHILD_RUNS_FIRST, [0; 4]);
            return Some(cpu);
        }
        self.try_preempt(cx, child)
    }

    /// `sched_fork`: the child takes the parent's deadline and half of its slice.
    pub(super) fn fork(&mut self, cx: &Cx<'_>, child: TaskId, parent: TaskId) {
        let cpu = cx.task(parent).last_cpu;
        let deadline = self.tasks[parent.index()].deadline;
        let c = &mut self.cpus[cpu.index()];
        let slice = if c.rq_time_slice > 0 {
            c.rq_time_slice /= 2;
            c.rq_time_slice
        } else {
            // A lone hog past its slice: the child copies the negative value and is refilled at its first
            // deschedule.
            c.rq_time_slice
        };
        let t = &mut self.tasks[child.index()];
        t.deadline = deadline;
        t.slice_us = slice;
        t.first_time_slice = slice > 0;
    }

    /// `sched_exit`: what is left of the first slice goes back to the parent.
    ///
    /// The code looks at the parent's CPU only: a child that ran elsewhere gives back its whole half.
    pub(super) fn give_back_slice(&mut self, cx: &mut Cx<'_>, child: TaskId) {
        if !self.tasks[child.index()].first_time_slice {
            return;
        }
        let Some(parent) = cx.task(child).parent else {
            return;
        };
        let cpu = cx.task(parent).last_cpu;
        let running = cx.curr[cpu.index()];
        let full = self.math.slice_us();
        let rest = if running == Some(child) {
            self.cpus[cpu.index()].rq_time_slice
        } else {
            self.tasks[child.index()].slice_us
        };
        let c = &mut self.cpus[cpu.index()];
        if running == Some(parent) {
            c.rq_time_slice = (c.rq_time_slice + rest).min(full);
            if c.rq_time_slice > 0 {
                // Q2 is over: the next ticks only count.
                c.exhausted = false;
                self.exhausted.remove(cpu);
            }
            cx.requery(cpu);
        } else {
            let slice = &mut self.tasks[parent.index()].slice_us;
            *slice = (*slice + rest).min(full);
        }
    }

    /// `set_user_nice` and `adjust_deadline`.
    pub(super) fn change_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        let info = cx.task(task);
        let (new, cpu) = (info.nice, info.last_cpu);
        let shift = clamp(self.math.offset(new)) - clamp(self.math.offset(old));
        let t = &mut self.tasks[task.index()];
        t.deadline = t.deadline.saturating_add_signed(shift);
        if queued {
            self.grq.remove(task);
            self.queue_task(cx, task);
            if new < old
                && let Some(target) = self.try_preempt(cx, task)
            {
                cx.kick(target);
            }
        } else if new > old && cx.curr[cpu.index()] == Some(task) {
            // The CPU's own copy of the deadline is not changed: the new nice counts from the next refill.
            cx.kick(cpu);
        }
    }

    /// Copies of the task's values to the CPU (`schedule()`, only when the task changes: quirk Q2).
    pub(super) fn load_copies(&mut self, cx: &Cx<'_>, cpu: CpuId, next: Option<TaskId>) {
        let c = &mut self.cpus[cpu.index()];
        c.curr = next;
        match next {
            None => {
                c.rq_prio = PRIO_IDLE_CPU;
                c.rq_policy = Policy::Normal;
                c.rq_time_slice = 0;
                c.rq_deadline = 0;
            }
            Some(task) => {
                let t = &self.tasks[task.index()];
                c.rq_time_slice = t.slice_us;
                c.rq_deadline = t.deadline;
                // Quirk Q1: not "now".
                c.rq_last_ran = t.last_ran;
                c.rq_policy = cx.task(task).policy;
                c.rq_prio = t.prio;
            }
        }
    }
}
