//! Questions to the program whose answers are checked: where, who, for how long, whether.

use super::Own;
use crate::hook::Hook;
use crate::program::{Argument, Reply};
use crate::reasons;
use sim_contract::decision::DecisionId;
use sim_contract::flags::cpu_timer;
use sim_contract::prelude::*;
use sim_ground::time::SimTime;

/// Shortest and longest slices, in ns.
const SLICES: std::ops::RangeInclusive<i64> = 10_000..=14_400_000_000_000;

impl Own {
    /// Whether the program lets a thread that joined a list go before the one that runs on a CPU.
    pub(super) fn preempts(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
    ) -> Option<(bool, DecisionId)> {
        self.charge(cx, cpu);
        let arguments = [Argument::Thread(task), Argument::Cpu(cpu)];
        let called = self.call(cx, Hook::Preempt, &arguments)?;
        let Reply::Flag(yes) = called.reply else {
            let why = "and it answers True or False";
            self.refuse(cx, Hook::Preempt, &arguments, &called.reply, why);
            return None;
        };
        let reason = if yes {
            self.st.cpus[cpu.index()].turn_ended = true;
            reasons::POLICY_PREEMPT
        } else {
            reasons::POLICY_NO_PREEMPT
        };
        Some((
            yes,
            self.explain(cx, Some(cpu), Some(task), reason, &called),
        ))
    }

    /// How long the thread that was picked may run.
    pub(super) fn begin_slice(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let arguments = [Argument::Thread(task)];
        let slice = match self.call(cx, Hook::Slice, &arguments).map(|c| c.reply) {
            None | Some(Reply::None) => 0,
            Some(Reply::Number(ns)) if SLICES.contains(&ns) => ns.unsigned_abs(),
            Some(reply) => {
                let why = "and it answers None or at least 10 us, in ns";
                self.refuse(cx, Hook::Slice, &arguments, &reply, why);
                0
            }
        };
        let c = &mut self.st.cpus[cpu.index()];
        c.slice = slice;
        c.slice_end = u64::MAX;
        if slice > 0 {
            c.slice_end = cx.now.0.saturating_add(slice);
            let end = SimTime(c.slice_end);
            cx.arm(cpu_timer(cpu), end);
        }
    }

    /// Who runs next on a CPU, by the program.
    pub(super) fn pick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<(TaskId, DecisionId)> {
        let arguments = [Argument::Cpu(cpu)];
        let called = self.call(cx, Hook::Pick, &arguments)?;
        let picked = match called.reply {
            Reply::Thread(task) if self.st.may_pick(cpu, task) => task,
            Reply::Thread(task) => {
                let at = self.st.whereabouts(task);
                let why = format!("which is not waiting on cpu {} ({at})", cpu.0);
                self.refuse(cx, Hook::Pick, &arguments, &called.reply, &why);
                return None;
            }
            Reply::None => {
                let n = self.st.candidates(cpu).count();
                let they = match n {
                    1 => "a thread waits".to_owned(),
                    n => format!("{n} threads wait"),
                };
                let why = format!("but {they} for cpu {}", cpu.0);
                self.refuse(cx, Hook::Pick, &arguments, &called.reply, &why);
                return None;
            }
            ref reply => {
                let why = "and it answers one of cpu.waiting";
                let reply = reply.clone();
                self.refuse(cx, Hook::Pick, &arguments, &reply, why);
                return None;
            }
        };
        self.compare(cx, cpu, &called);
        let why = self.explain(cx, Some(cpu), Some(picked), reasons::POLICY_PICK, &called);
        Some((picked, why))
    }

    /// The place that the program names.
    pub(super) fn place(&mut self, cx: &mut Cx<'_>, task: TaskId) -> Option<Answer<Placement>> {
        let arguments = [Argument::Thread(task)];
        let called = self.call(cx, Hook::Place, &arguments)?;
        let allowed = cx.task(task).allowed;
        match called.reply {
            Reply::Cpu(cpu) if allowed.contains(cpu) => {
                let why = self.explain(cx, Some(cpu), Some(task), reasons::POLICY_PLACE, &called);
                Some(Answer::new(Placement::Cpu(cpu), why))
            }
            Reply::Everyone => {
                let why = self.explain(cx, None, Some(task), reasons::POLICY_PLACE, &called);
                Some(Answer::new(Placement::Shared, why))
            }
            Reply::Cpu(cpu) => {
                let why = format!("which {{task {}}} may not use", task.0);
                self.refuse(cx, Hook::Place, &arguments, &Reply::Cpu(cpu), &why);
                None
            }
            ref reply => {
                let reply = reply.clone();
                let why = "and it answers a cpu or EVERYONE";
                self.refuse(cx, Hook::Place, &arguments, &reply, why);
                None
            }
        }
    }
}
