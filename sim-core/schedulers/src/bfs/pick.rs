//! `earliest_deadline_task`: which waiting task a CPU takes. Before 0.512 it never reads SMT siblings.

use super::era::PickRule;
use super::order::Order;
use super::tunables::ISO_PRIO;
use super::{BfsState, clamp, reasons};
use sim_contract::cx::Cx;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::{CpuPlace, Machine};

/// The task that a CPU takes.
pub(super) struct PickedTask {
    /// The task.
    pub(super) task: TaskId,
    /// The reason.
    pub(super) reason: Reason,
    /// The deadline or priority that decided, as shown.
    pub(super) key: i64,
}

/// The result of a search.
pub(super) struct Search {
    /// The task or the reason why there is none.
    pub(super) found: Result<PickedTask, Reason>,
    /// Number of entries that the kernel reads.
    pub(super) looked: u64,
    /// Number of entries of the last list that this search read, or that a walk along the list would have read.
    pub(super) walked: u64,
}

impl BfsState {
    /// `cache_distance`: what the deadline of a task that last ran on `from` grows by on `to`, in jiffies (0.318).
    #[inline]
    pub(super) fn distance(&self, cx: &Cx<'_>, from: CpuId, to: CpuId, nice: i8) -> u64 {
        self.distance_on(cx.machine, from, to, nice)
    }

    /// The same on a given machine, for reading from outside a hook.
    #[inline]
    pub(super) fn distance_on(&self, on: &Machine, from: CpuId, to: CpuId, nice: i8) -> u64 {
        match self.steps(&on.place(from), &on.place(to)) {
            0 => 0,
            steps => steps * self.math.distance_step(nice),
        }
    }

    /// How many steps of distance lie between two CPUs (`cpu_locality`, 0.318).
    #[inline]
    pub(super) fn steps(&self, from: &CpuPlace, to: &CpuPlace) -> u64 {
        if from.llc == to.llc {
            0
        } else if from.node == to.node || !self.distant {
            1
        } else {
            3
        }
    }

    /// What a CPU adds to the deadline of a waiting task because the task last ran elsewhere.
    pub(super) fn offset_on(&self, on: &Machine, task: TaskId, nice: i8, cpu: CpuId) -> u64 {
        let t = &self.tasks[task.index()];
        let doubled = match self.math.era.pick {
            PickRule::Distance => return self.distance_on(on, t.cpu, cpu, nice),
            PickRule::Sticky => t.sticky,
            PickRule::Sorted => !self.settings.interactive,
        };
        if doubled && t.cpu != cpu {
            (t.deadline << self.locality(on, t.cpu, cpu)) - t.deadline
        } else {
            0
        }
    }

    /// The task that `cpu` runs next. `now` is what the counter of deadlines reads.
    pub(super) fn earliest_deadline_task(&self, cx: &mut Cx<'_>, cpu: CpuId, now: u64) -> Search {
        match self.math.era.pick {
            PickRule::Distance | PickRule::Sticky => self.search_lists(cx, cpu, now),
            PickRule::Sorted => self.search_sorted(cx, cpu),
        }
    }

    /// The best task for a CPU on a list whose order by deadline is kept (0.318): the same that a walk along the list finds.
    /// Outer `None`: some deadline has passed, so the order of the list decides and a walk is necessary.
    #[inline(never)]
    fn search_order(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        now: u64,
        order: &Order,
    ) -> Option<Option<(TaskId, u64)>> {
        if order.earliest().is_some_and(|deadline| deadline < now) {
            return None;
        }
        let here = cx.machine.place(cpu);
        let mut best: Option<(u64, u64, TaskId)> = None;
        for (nice, alike) in order.classes() {
            let steps = self.steps(&cx.machine.place(alike.from), &here);
            let away = steps * self.math.distance_step(nice);
            let found = alike
                .iter()
                .take_while(|(own, ..)| best.is_none_or(|(earliest, ..)| own + away <= earliest))
                .find(|(.., task)| cx.task(*task).allowed.contains(cpu));
            if let Some((own, place, task)) = found {
                let seen = (own + away, place, task);
                best = Some(best.map_or(seen, |b| b.min(seen)));
            }
        }
        Some(best.map(|(dl, _, task)| (task, dl)))
    }

    /// Searches list by list.
    fn search_lists(&self, cx: &mut Cx<'_>, cpu: CpuId, now: u64) -> Search {
        let (mut looked, mut nothing) = (0, reasons::NOTHING_ALLOWED);
        let mut list = self.grq.next_list(0);
        while let Some(prio) = list {
            let search = self.search_list(cx, cpu, now, prio);
            looked += search.looked;
            match search.found {
                Ok(_) => return Search { looked, ..search },
                Err(reasons::NOTHING_ALLOWED) => {}
                Err(reason) => nothing = reason,
            }
            list = self.grq.next_list(prio + 1);
        }
        Search {
            found: Err(nothing),
            looked,
            walked: 0,
        }
    }

    /// Searches a list: by deadline if that order is kept, otherwise along the list.
    // Not inlined: what a search may need would be prepared for before the loop over lists.
    #[inline(never)]
    fn search_list(&self, cx: &mut Cx<'_>, cpu: CpuId, now: u64, prio: u8) -> Search {
        let order = self.grq.order(prio).filter(|_| !cx.explaining());
        let Some(best) = order.and_then(|order| self.search_order(cx, cpu, now, order)) else {
            return self.walk(cx, cpu, now, prio);
        };
        let picked = best.map(|(task, dl)| PickedTask {
            task,
            reason: reasons::EARLIEST_DEADLINE,
            key: self.shown(dl),
        });
        Search {
            found: picked.ok_or(reasons::NOTHING_ALLOWED),
            // The kernel reads the whole list, and the counter includes all of it.
            looked: self.grq.len(prio),
            walked: best.map_or(0, |(_, dl)| self.grq.walk_to(prio, dl)),
        }
    }

    /// Walks along a list to its end, unless deadlines have passed (0.318).
    fn walk(&self, cx: &mut Cx<'_>, cpu: CpuId, now: u64, prio: u8) -> Search {
        let here = cx.machine.place(cpu);
        // The cost of a step depends only on nice, and most waiting tasks have the nice value of the one before.
        let mut step = (0, self.math.distance_step(0));
        let (mut looked, mut walked) = (0, 0);
        let mut nothing = reasons::NOTHING_ALLOWED;
        let explaining = cx.explaining();
        let ascends = self.grq.ascends(prio);
        let mut best: Option<(TaskId, u64)> = None;
        let mut reason = reasons::EARLIEST_DEADLINE;
        let mut earliest_of_all = u64::MAX;
        for (task, own) in self.grq.list_with_deadlines(prio) {
            looked += 1;
            // The distance only adds to a deadline, so a task whose own deadline is later cannot win. With long queues
            // this is the usual case.
            if best.is_some_and(|(_, earliest)| own >= earliest) && !explaining {
                if ascends {
                    // No later task of this list can win either. The kernel still reads all of them, and the counter
                    // includes them.
                    walked = looked;
                    looked = self.grq.len(prio);
                    break;
                }
                continue;
            }
            if !cx.task(task).allowed.contains(cpu) {
                cx.candidate(None, Some(task), i64::MAX, "not allowed on this CPU");
                continue;
            }
            if prio < ISO_PRIO {
                return Search {
                    found: Ok(realtime(task, prio)),
                    looked,
                    walked: 0,
                };
            }
            earliest_of_all = earliest_of_all.min(own);
            let seen = if self.math.era.pick == PickRule::Distance {
                let nice = cx.task(task).nice;
                if nice != step.0 {
                    step = (nice, self.math.distance_step(nice));
                }
                let from = cx.machine.place(self.tasks[task.index()].cpu);
                Some(own + self.steps(&from, &here) * step.1)
            } else {
                self.sticky_deadline(cx, task, cpu)
            };
            let Some(dl) = seen else {
                nothing = reasons::STICKY_ELSEWHERE;
                cx.candidate(None, Some(task), i64::MAX, "sticks to another CPU");
                continue;
            };
            // The test is made here, because the call would be made for each waiting task at each pick.
            if explaining {
                self.note_candidate(cx, task, dl);
            }
            if self.math.era.pick == PickRule::Distance && dl < now {
                best = Some((task, dl));
                reason = reasons::DEADLINE_PASSED_FIFO;
                break;
            }
            if best.is_none_or(|(_, earliest)| dl < earliest) {
                best = Some((task, dl));
            }
        }
        let picked = best.map(|(task, dl)| {
            let own = self.tasks[task.index()].deadline;
            if self.math.era.pick == PickRule::Sticky && own > earliest_of_all {
                reason = reasons::EARLIEST_NOT_STICKY;
            }
            let key = self.shown(dl);
            PickedTask { task, reason, key }
        });
        Search {
            found: picked.ok_or(nothing),
            looked,
            walked: if walked > 0 { walked } else { looked },
        }
    }

    /// A deadline as a CPU sees it where tasks are sticky; `None` if the CPU leaves the task alone.
    // Not inlined, like the rest that a walk along a list seldom needs: each walk would prepare for it.
    #[inline(never)]
    fn sticky_deadline(&self, cx: &Cx<'_>, task: TaskId, cpu: CpuId) -> Option<u64> {
        let t = &self.tasks[task.index()];
        if t.sticky && t.cpu != cpu {
            // Deadlines count from the start of the machine, so doubling one moves it far away.
            let away = t.deadline << self.locality(cx.machine, t.cpu, cpu);
            (!self.settings.scaling).then_some(away)
        } else {
            Some(t.deadline)
        }
    }

    #[cold]
    fn note_candidate(&self, cx: &mut Cx<'_>, task: TaskId, deadline: u64) {
        let note = match self.math.era.pick {
            PickRule::Distance => "deadline + distance",
            PickRule::Sticky => "deadline, doubled with each step to where it sticks",
            PickRule::Sorted => "deadline",
        };
        cx.candidate(None, Some(task), self.shown(deadline), note);
    }

    /// The queue in order (0.512).
    fn search_sorted(&self, cx: &mut Cx<'_>, cpu: CpuId) -> Search {
        let mut looked = 0;
        let mut nothing = reasons::NOTHING_ALLOWED;
        // Without `interactive`: the best task among those that last ran elsewhere.
        let mut away: Option<(TaskId, u64)> = None;
        for task in self.grq.iter() {
            looked += 1;
            let t = &self.tasks[task.index()];
            if !cx.task(task).allowed.contains(cpu) {
                cx.candidate(None, Some(task), i64::MAX, "not allowed on this CPU");
                continue;
            }
            if !self.smt_should_schedule(cx, task, cpu) {
                nothing = reasons::SMT_NICE_IDLE;
                cx.candidate(None, Some(task), i64::MAX, "would slow a better sibling");
                continue;
            }
            if !self.settings.interactive && t.cpu != cpu {
                let dl = t.deadline << self.locality(cx.machine, t.cpu, cpu);
                cx.candidate(
                    None,
                    Some(task),
                    clamp(dl),
                    "deadline, doubled with each step",
                );
                if away.is_none_or(|(_, earliest)| dl < earliest) {
                    away = Some((task, dl));
                }
                continue;
            }
            cx.candidate(None, Some(task), clamp(t.deadline), "deadline");
            if t.prio < ISO_PRIO {
                return sorted(Ok(realtime(task, t.prio)), looked);
            }
            let reason = if nothing == reasons::SMT_NICE_IDLE {
                reasons::EARLIEST_BESIDE_SIBLING
            } else {
                reasons::EARLIEST_DEADLINE
            };
            let key = clamp(t.deadline);
            return sorted(Ok(PickedTask { task, reason, key }), looked);
        }
        let found = away.map(|(task, dl)| PickedTask {
            task,
            reason: reasons::EARLIEST_DEADLINE,
            key: clamp(dl),
        });
        sorted(found.ok_or(nothing), looked)
    }
}

/// What was found in a queue that is in order.
fn sorted(found: Result<PickedTask, Reason>, looked: u64) -> Search {
    Search {
        found,
        looked,
        walked: 0,
    }
}

fn realtime(task: TaskId, prio: u8) -> PickedTask {
    PickedTask {
        task,
        reason: reasons::REALTIME_QUEUE_FIRST,
        key: i64::from(prio),
    }
}
