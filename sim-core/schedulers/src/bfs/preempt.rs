//! Preemption, fork, exit, nice: everything that changes a deadline or a slice outside `schedule()`.

use super::era::{Charge, ForkRule, PreemptRule};
use super::idle_choice::IdleCpuFor;
use super::{Answer, BfsState, PRIO_IDLE_CPU, clamp, reasons};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl BfsState {
    /// `try_preempt`: the CPU to signal for a task that has just been queued.
    pub(super) fn try_preempt(&mut self, cx: &mut Cx<'_>, task: TaskId) -> Answer<Option<CpuId>> {
        self.tasks[task.index()].sticky = false;
        if self.suitable_idle_cpus(cx, task)
            && let Some((idle, why)) = self.best_idle(cx, task, IdleCpuFor::Woken)
        {
            if self.smt_should_schedule(cx, task, idle) {
                return Answer::new(Some(idle), why);
            }
            self.explain_smt_nice(cx, task, idle);
        }
        let rule = self.math.era.preempt;
        if rule != PreemptRule::LatestLessDistance && cx.task(task).policy == Policy::Idle {
            let reason = reasons::IDLEPRIO_PREEMPTS_NOBODY;
            return Answer::new(None, cx.explain(None, Some(task), reason, [0; 4]));
        }
        match rule {
            PreemptRule::LatestLessDistance | PreemptRule::Latest => self.preempt_latest(cx, task),
            PreemptRule::Closest => self.preempt_closest(cx, task),
        }
    }

    /// The CPU whose task has the worst priority and, among equals, the latest deadline.
    fn preempt_latest(&self, cx: &mut Cx<'_>, task: TaskId) -> Answer<Option<CpuId>> {
        let with_distance = self.math.era.preempt == PreemptRule::LatestLessDistance;
        let info = cx.task(task);
        let (nice, policy, allowed) = (info.nice, info.policy, info.allowed);
        let last = self.tasks[task.index()].cpu;
        let mut worst: Option<(CpuId, u8, i64)> = None;
        for cpu in allowed.iter().take_while(|c| c.index() < self.cpus.len()) {
            let c = &self.cpus[cpu.index()];
            if c.rq_prio == PRIO_IDLE_CPU {
                continue;
            }
            let offset = if with_distance {
                self.distance(cx, last, cpu, nice)
            } else {
                0
            };
            let deadline = clamp(c.rq_deadline) - clamp(offset);
            if cx.explaining() {
                let note = if with_distance {
                    "deadline of what runs there - distance"
                } else {
                    "deadline of what runs there"
                };
                cx.candidate(Some(cpu), c.curr, self.math.clock_ns(deadline), note);
            }
            let later = match worst {
                None => true,
                Some((_, prio, latest)) => {
                    let tie = with_distance && deadline == latest && cpu == last;
                    c.rq_prio > prio || (c.rq_prio == prio && (deadline > latest || tie))
                }
            };
            if later {
                worst = Some((cpu, c.rq_prio, deadline));
            }
        }
        let Some((cpu, prio, latest)) = worst else {
            return Answer::undecided(None);
        };
        let own = &self.tasks[task.index()];
        // As coded @ 0.318, an equal-priority BATCH, ISO or IDLEPRIO task always signals.
        let always = with_distance && policy != Policy::Normal;
        let (reason, target) = if own.prio > prio {
            (reasons::LOWER_PRIO, None)
        } else if own.prio < prio {
            (reasons::HIGHER_PRIO, Some(cpu))
        } else if clamp(own.deadline) >= latest && !always {
            (reasons::DEADLINE_NOT_EARLIER, None)
        } else {
            (reasons::LATEST_DEADLINE_VICTIM, Some(cpu))
        };
        let operands = self.compared(task, latest, prio);
        Answer::new(target, cx.explain(Some(cpu), Some(task), reason, operands))
    }

    /// Deadlines and priorities of a task and of the running task with which it was compared.
    fn compared(&self, task: TaskId, deadline: i64, prio: u8) -> [i64; 4] {
        let own = &self.tasks[task.index()];
        [
            self.shown(own.deadline),
            self.math.clock_ns(deadline),
            i64::from(own.prio),
            i64::from(prio),
        ]
    }

    /// The first CPU that can be preempted: threads of the last core by number, then the cache, the node, and the rest.
    fn preempt_closest(&mut self, cx: &mut Cx<'_>, task: TaskId) -> Answer<Option<CpuId>> {
        let last = self.tasks[task.index()].cpu;
        let allowed = cx.task(task).allowed;
        let affined = self.runnable_by_cpu();
        let (prio, deadline) = {
            let own = &self.tasks[task.index()];
            (own.prio, own.deadline)
        };
        let mut closest = None;
        for steps in 1..=4 {
            for cpu in cx.machine.cpu_ids() {
                if !allowed.contains(cpu) || self.locality(cx.machine, last, cpu) != steps {
                    continue;
                }
                let c = &self.cpus[cpu.index()];
                let crowded = affined[cpu.index()] > affined[last.index()];
                if !self.settings.interactive && cpu != last && !crowded {
                    continue;
                }
                let score = clamp(c.rq_deadline);
                cx.candidate(Some(cpu), c.curr, score, "deadline of what runs there");
                let idle = c.rq_prio == PRIO_IDLE_CPU;
                let first = closest.is_none() && !idle;
                let earlier = prio < c.rq_prio || (prio == c.rq_prio && deadline < c.rq_deadline);
                if earlier && self.smt_should_schedule(cx, task, cpu) {
                    let (reason, operands) = if idle {
                        (reasons::CLOSEST_IDLE, [i64::from(last.0), 0, 0, 0])
                    } else if prio < c.rq_prio {
                        (reasons::HIGHER_PRIO, self.compared(task, score, c.rq_prio))
                    } else {
                        (
                            reasons::CLOSEST_VICTIM,
                            self.compared(task, score, c.rq_prio),
                        )
                    };
                    let why = cx.explain(Some(cpu), Some(task), reason, operands);
                    self.tasks[task.index()].cpu = cpu;
                    return Answer::new(Some(cpu), why);
                }
                if first {
                    closest = Some(cpu);
                }
            }
        }
        let Some(cpu) = closest else {
            return Answer::undecided(None);
        };
        let c = &self.cpus[cpu.index()];
        let reason = if prio > c.rq_prio {
            reasons::LOWER_PRIO
        } else {
            reasons::NOBODY_LATER
        };
        let operands = self.compared(task, clamp(c.rq_deadline), c.rq_prio);
        Answer::new(None, cx.explain(Some(cpu), Some(task), reason, operands))
    }

    /// For each CPU the runnable tasks that last ran there or were meant for it (`rq->soft_affined`).
    fn runnable_by_cpu(&self) -> Vec<u32> {
        let mut count = vec![0; self.cpus.len()];
        let running = self.cpus.iter().filter_map(|c| c.curr);
        for task in running.chain(self.grq.iter()) {
            count[self.tasks[task.index()].cpu.index()] += 1;
        }
        count
    }

    /// `wake_up_new_task`: a child with its own address space runs before its parent if no CPU is idle.
    pub(super) fn preempt_for_child(
        &mut self,
        cx: &mut Cx<'_>,
        child: TaskId,
    ) -> Answer<Option<CpuId>> {
        let info = cx.task(child);
        let cpu = info.last_cpu;
        let parent = info.parent.filter(|p| cx.curr[cpu.index()] == Some(*p));
        let other_process = parent.is_some_and(|p| cx.task(p).process != info.process);
        if parent.is_some() && !self.share_slice(cx, child, cpu) {
            let slice = self.math.slice_ns(self.tasks[child.index()].time_slice);
            let told = self.math.era.fork == ForkRule::FreshAndTold;
            if told
                && self.suitable_idle_cpus(cx, child)
                && let Some((idle, why)) = self.best_idle(cx, child, IdleCpuFor::Woken)
                && self.smt_should_schedule(cx, child, idle)
            {
                cx.kick(idle, why);
            }
            let operands = [slice, 0, 0, 0];
            let why = cx.explain(Some(cpu), Some(child), reasons::PARENT_SPENT, operands);
            return Answer::new(Some(cpu), why);
        }
        if other_process && !self.suitable_idle_cpus(cx, child) {
            let why = cx.explain(Some(cpu), Some(child), reasons::CHILD_RUNS_FIRST, [0; 4]);
            return Answer::new(Some(cpu), why);
        }
        self.try_preempt(cx, child)
    }

    /// `sched_fork`: the child takes the parent's deadline and the rest of its slice.
    pub(super) fn fork(&mut self, cx: &mut Cx<'_>, child: TaskId, parent: TaskId) {
        let cpu = cx.task(parent).last_cpu;
        let c = &mut self.cpus[cpu.index()];
        if self.math.era.fork == ForkRule::GiveBack {
            if c.rq_time_slice > 0 {
                c.rq_time_slice /= 2;
            }
            // If a lone hog is past its slice, the child copies the negative value and is refilled at its first
            // deschedule.
            let slice = c.rq_time_slice;
            let deadline = self.tasks[parent.index()].deadline;
            let t = &mut self.tasks[child.index()];
            t.deadline = deadline;
            t.time_slice = slice;
            t.first_time_slice = slice > 0;
            self.explain_shared(cx, child, slice);
        } else {
            // The slice is shared once the child is queued.
            let t = &mut self.tasks[child.index()];
            t.deadline = c.rq_deadline;
            t.time_slice = c.rq_time_slice;
        }
    }

    /// Shares a running parent's slice with the child that it has just queued. `false` if the slice is too short for
    /// two (later releases): then the parent's slice ends and the child gets a fresh one.
    fn share_slice(&mut self, cx: &mut Cx<'_>, child: TaskId, cpu: CpuId) -> bool {
        let enough = 2 * self.math.era.used_up_below;
        let c = &mut self.cpus[cpu.index()];
        if self.math.era.fork == ForkRule::GiveBack || c.rq_policy == Policy::Fifo {
            return true;
        }
        let shared = c.rq_time_slice >= enough;
        c.rq_time_slice = if shared { c.rq_time_slice / 2 } else { 0 };
        let half = c.rq_time_slice;
        if shared {
            self.tasks[child.index()].time_slice = half;
            self.explain_shared(cx, child, half);
        } else {
            let now = self.math.clock(cx.now.0);
            self.refill(child, cx.task(child).nice, now);
        }
        shared
    }

    fn explain_shared(&self, cx: &mut Cx<'_>, child: TaskId, parents: i64) {
        let t = &self.tasks[child.index()];
        let [own, its] = [t.time_slice, parents].map(|slice| self.math.slice_ns(slice));
        let operands = [own, its, self.shown(t.deadline), 0];
        cx.explain(Some(t.cpu), Some(child), reasons::SLICE_SHARED, operands);
    }

    /// `sched_exit`: the rest of the first slice goes back to the parent.
    ///
    /// The code reads only the parent's CPU: a child that ran elsewhere gives back its whole half.
    pub(super) fn give_back_slice(&mut self, cx: &mut Cx<'_>, child: TaskId) {
        if !self.tasks[child.index()].first_time_slice {
            return;
        }
        let Some(parent) = cx.task(child).parent else {
            return;
        };
        let cpu = cx.task(parent).last_cpu;
        let running = cx.curr[cpu.index()];
        let full = self.math.full_slice();
        let rest = if running == Some(child) {
            self.cpus[cpu.index()].rq_time_slice
        } else {
            self.tasks[child.index()].time_slice
        };
        let c = &mut self.cpus[cpu.index()];
        if running == Some(parent) {
            c.rq_time_slice = (c.rq_time_slice + rest).min(full);
            if c.rq_time_slice > 0 {
                // Q2 ends: the next ticks only count.
                c.exhausted = false;
                self.exhausted.remove(cpu);
            }
            cx.requery(cpu);
        } else {
            let slice = &mut self.tasks[parent.index()].time_slice;
            *slice = (*slice + rest).min(full);
        }
        let now = match running == Some(parent) {
            true => self.cpus[cpu.index()].rq_time_slice,
            false => self.tasks[parent.index()].time_slice,
        };
        let operands = [self.math.slice_ns(rest), self.math.slice_ns(now), 0, 0];
        cx.explain(Some(cpu), Some(parent), reasons::SLICE_RETURNED, operands);
    }

    /// `set_user_nice` and `adjust_deadline`.
    pub(super) fn change_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        let info = cx.task(task);
        let (new, cpu) = (info.nice, info.last_cpu);
        let shift = clamp(self.math.offset(new)) - clamp(self.math.offset(old));
        let t = &mut self.tasks[task.index()];
        let before = t.deadline;
        t.deadline = before.saturating_add_signed(shift);
        let after = t.deadline;
        let running = cx.curr[cpu.index()] == Some(task);
        let operands = [
            i64::from(new),
            i64::from(old),
            self.shown(after),
            self.shown(before),
        ];
        let reason = if running {
            reasons::ADJUSTED_IN_VAIN
        } else {
            reasons::ADJUST_DEADLINE
        };
        let why = cx.explain(None, Some(task), reason, operands);
        if queued {
            self.grq.remove(task);
            self.queue_task(cx, task);
            if new < old {
                let target = self.try_preempt(cx, task);
                if let Some(cpu) = target.value {
                    cx.kick(cpu, target.why);
                }
            }
        } else if new > old && running {
            // The CPU's own copy of the deadline stays: the new nice value counts from the next refill.
            cx.kick(cpu, why);
        }
    }

    /// Copies the task's values to the CPU (`schedule()`, only when the task changes: quirk Q2).
    pub(super) fn load_copies(&mut self, cx: &Cx<'_>, cpu: CpuId, next: Option<TaskId>) {
        let c = &mut self.cpus[cpu.index()];
        c.curr = next;
        match next {
            None => {
                c.rq_prio = PRIO_IDLE_CPU;
                c.rq_policy = Policy::Normal;
                c.rq_time_slice = 0;
                c.rq_deadline = 0;
                c.rq_smt_bias = 0;
            }
            Some(task) => {
                let t = &mut self.tasks[task.index()];
                if self.math.era.charge == Charge::SinceAccounting {
                    t.last_ran = cx.now.0;
                }
                c.rq_time_slice = t.time_slice;
                c.rq_deadline = t.deadline;
                // Quirk Q1 of 0.318: the time is not "now".
                c.rq_last_ran = t.last_ran;
                c.rq_policy = cx.task(task).policy;
                c.rq_prio = t.prio;
                // Kernel threads have no address space and publish nothing.
                let user = !cx.task(task).kernel_thread;
                c.rq_smt_bias = if user { t.smt_bias } else { 0 };
            }
        }
    }
}
