//! A scheduler to start from: a queue on each CPU, first come first served, turns of one tick.
use sim_contract::prelude::*;
use std::collections::VecDeque;

sim_contract::reasons!("skeleton");

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo::new(
    "skeleton",
    "Skeleton",
    "First come first.",
    TABLE,
    |setup| Box::new(Skeleton(vec![VecDeque::new(); setup.cpus])),
);

/// The waiting tasks of each CPU.
struct Skeleton(Vec<VecDeque<TaskId>>);
sim_contract::keeps_state!(Skeleton, 0);
impl QuietTicks for Skeleton {}
impl Kernel for Skeleton {}
impl Observe for Skeleton {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for (cpu, queue) in (0..).map(CpuId).zip(&self.0) {
            out.extend(QueueRow::list(cpu, queue));
        }
    }
}
impl Scheduler for Skeleton {
    fn select_cpu(&mut self, cx: &mut Cx<'_>, t: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        let busy = |c: &CpuId| cx.curr[c.index()].is_some_and(|running| running != t);
        let load = |c: &CpuId| self.0[c.index()].len() as i64 + i64::from(busy(c));
        let cpu = cx.task(t).allowed.iter().min_by_key(load);
        let cpu = cpu.expect("invariant: a thread may use a CPU");
        let why = cx.explain(Some(cpu), Some(t), SHORTEST_QUEUE, [load(&cpu), 0, 0, 0]);
        Answer::new(Placement::Cpu(cpu), why)
    }
    fn enqueue(&mut self, _: &mut Cx<'_>, place: Placement, t: TaskId, _: EnqueueFlags) {
        self.0[place.cpu().index()].push_back(t);
    }
    fn dequeue(&mut self, _: &mut Cx<'_>, t: TaskId, _: DequeueFlags) {
        self.0
            .iter_mut()
            .for_each(|q| q.retain(|other| *other != t));
    }
    fn put_prev(&mut self, cx: &mut Cx<'_>, _: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        if let Some(t) = prev.filter(|_| why.stays_runnable()) {
            self.place_again(cx, t);
        }
    }
    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let waiting = self.0[cpu.index()].len() as i64;
        let next = self.0[cpu.index()].pop_front();
        let why = next.map(|t| cx.explain(Some(cpu), Some(t), FIRST_COME, [waiting, 0, 0, 0]));
        Answer::new(next.map(|task| Pick { task, cause: None }), why)
    }
    fn tick(&mut self, _: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        !self.0[cpu.index()].is_empty()
    }
}
