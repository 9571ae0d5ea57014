//! Choices whose real answer shows only afterwards: whether a tick ends a turn, and whether a woken thread preempts.

use crate::follow::{ALONGSIDE, Doing, Follow, Thread};
use crate::verdict::{About, Disagreement, Standing};
use sim_contract::decision::Decision;
use sim_contract::shape::QueueDetail;
use sim_ground::ids::{CpuId, TaskId};
use sim_import::{Event, Kind, Pid};
use std::collections::BTreeSet;

/// A running thread that leaves its CPU so soon after a wake-up was preempted by it. A kernel of any preemption model
/// reschedules at the end of the interrupt or of the call.
const AT_ONCE_NS: u64 = 100_000;

/// A wake-up whose consequence is still open.
pub(crate) struct Pending {
    pub(crate) woken: Pid,
    pub(crate) cpu: CpuId,
    pub(crate) at: u64,
    pub(crate) running: TaskId,
    pub(crate) asks: bool,
    /// Whether a pick would choose what runs once more: also a request that was used up asks for one. No switch follows.
    pub(crate) again: bool,
    /// The queue right after the wake-up.
    pub(crate) queue: QueueDetail,
    pub(crate) decision: Option<Decision>,
}

/// A tick whose consequence is still open: others waited, and what the rules said.
pub(crate) struct Ticked {
    pub(crate) cpu: CpuId,
    pub(crate) at: u64,
    pub(crate) running: TaskId,
    /// Whether the rules let it go on.
    pub(crate) goes_on: bool,
    pub(crate) queue: QueueDetail,
}

impl Follow<'_> {
    /// A tick charged what runs. Whether the rules let it go on: they do not ask for a pick, or it would win it.
    pub(crate) fn tick(&mut self, event: &Event, asks: bool) {
        let cpu = CpuId(event.cpu);
        let waits = |t: &Thread| t.cpu == cpu && t.doing == Doing::Waits;
        let Some(running) = self.host.running(cpu) else {
            return;
        };
        if !self.threads.values().any(waits) {
            return;
        }
        let queue = self.host.queue(cpu);
        let entities = queue.lines.iter().take(1).flat_map(|l| &l.entities);
        let next = entities.clone().find(|e| e.next);
        // One that sleeps would leave, and the pick would go on.
        if next.is_some_and(|e| e.delayed) {
            return;
        }
        let wins = next.is_some_and(|e| e.task == Some(running.0));
        self.ticked.push(Ticked {
            cpu,
            at: event.at,
            running,
            goes_on: !asks || wins,
            queue,
        });
    }

    /// Decides ticks. Only threads that went on are judged: one that left may have left for another group.
    pub(crate) fn settle_ticks(&mut self, event: &Event) {
        let switched = match event.kind {
            Kind::Switch { .. } => Some(CpuId(event.cpu)),
            _ => None,
        };
        let ticked = std::mem::take(&mut self.ticked);
        for tick in ticked {
            if event.at > tick.at + AT_ONCE_NS {
                self.judge_tick(event, tick);
            } else if switched != Some(tick.cpu) {
                self.ticked.push(tick);
            }
        }
    }

    fn judge_tick(&mut self, event: &Event, tick: Ticked) {
        if self.out.settling.all() < self.settles {
            return;
        }
        self.out.goes_on.add((!tick.goes_on).then_some(u64::MAX));
        for (right, control) in self.out.controls.iter_mut().zip(ALONGSIDE) {
            right[1] += u64::from(control.choice(&tick.queue) == Some(tick.running));
        }
        if tick.goes_on {
            return;
        }
        let at = self.record.events.partition_point(|e| e.at <= event.at);
        let names = self.names(at);
        let mut entities = tick.queue.lines.iter().flat_map(|l| &l.entities);
        let rules = entities.find(|e| e.next).and_then(|e| e.task).map(TaskId);
        let name = |task: Option<TaskId>| task.and_then(|t| names.get(t.index()).cloned());
        self.out.disagreements.push(Disagreement {
            at_ns: tick.at,
            cpu: tick.cpu.0,
            about: About::GoesOn,
            took: name(Some(tick.running)).unwrap_or_default(),
            rules: name(rules).unwrap_or_default(),
            off_by_ns: None,
            near: false,
            queue: standings(&tick.queue, &names),
            decision: None,
            names,
        });
    }

    /// Decides wake-ups: what ran has left at once, or it has not.
    pub(crate) fn settle_wakeups(&mut self, event: &Event) {
        let leaves = |p: &Pending| match event.kind {
            Kind::Switch {
                prev, prev_state, ..
            } if CpuId(event.cpu) == p.cpu => Some((prev, prev_state.waits())),
            _ => None,
        };
        let due = |p: &Pending| leaves(p).is_some() || event.at > p.at + AT_ONCE_NS;
        let (over, open) = std::mem::take(&mut self.pending).into_iter().partition(due);
        self.pending = open;
        let over: Vec<Pending> = over;
        let mut seen = BTreeSet::new();
        for p in over {
            let real = match leaves(&p) {
                Some((_, waits)) if event.at <= p.at + AT_ONCE_NS => {
                    if !waits {
                        continue;
                    }
                    true
                }
                _ => false,
            };
            // Of several wake-ups within the time one preempts.
            if real && !p.asks && !seen.insert(p.cpu) {
                continue;
            }
            self.judge(&p, real);
        }
    }

    fn judge(&mut self, p: &Pending, real: bool) {
        let right = if real { p.asks } else { !p.asks || p.again };
        let off = (!right).then_some(u64::MAX);
        if self.out.settling.all() < self.settles {
            return;
        }
        self.out.preempts.add(off);
        if off.is_none() {
            return;
        }
        let at = self.record.events.partition_point(|e| e.at <= p.at);
        let names = self.names(at);
        let running = names.get(p.running.index()).cloned().unwrap_or_default();
        let woken = self.record.name(p.woken, at).to_owned();
        let [took, rules] = if real {
            [woken, running]
        } else {
            [running, woken]
        };
        self.out.disagreements.push(Disagreement {
            at_ns: p.at,
            cpu: p.cpu.0,
            about: About::Preempts,
            took,
            rules,
            off_by_ns: None,
            near: false,
            queue: standings(&p.queue, &names),
            decision: p.decision.clone(),
            names,
        });
    }
}

/// A queue as it is told.
pub(crate) fn standings(queue: &QueueDetail, names: &[String]) -> Vec<Standing> {
    let line = queue.lines.first();
    let entities = line.into_iter().flat_map(|l| &l.entities);
    let name = |task: Option<u32>| {
        let name = task.and_then(|t| names.get(usize::try_from(t).ok()?));
        name.cloned().unwrap_or_default()
    };
    let standing = entities.map(|e| Standing {
        thread: name(e.task),
        lag_ns: -e.ahead_ns,
        deadline_ns: e.deadline_ns,
        slice_ns: e.slice_ns,
        runs: e.running,
        protected: e.protected,
        delayed: e.delayed,
    });
    standing.collect()
}
