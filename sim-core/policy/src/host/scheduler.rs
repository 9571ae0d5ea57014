//! The hooks of the contract.

use super::{BALANCE, Called, Own};
use crate::hook::Hook;
use crate::moment::Place;
use crate::program::{Argument, Reply};
use crate::reasons;
use crate::state::Whereabouts;
use sim_contract::Persist;
use sim_contract::flags::{TimerId, timer_cpu};
use sim_contract::prelude::*;
use sim_ground::params::Params;

impl Scheduler for Own {
    fn start(&mut self, cx: &mut Cx<'_>) {
        let place = |cpu: CpuId| {
            let place = cx.machine.place(cpu);
            let small = |i: usize| u16::try_from(i).unwrap_or(u16::MAX);
            Place {
                core: small(place.core.index()),
                llc: small(place.llc.index()),
                node: small(place.node.index()),
            }
        };
        self.known().moment.lock().places = cx.machine.cpu_ids().map(place).collect();
        self.arm_balance(cx);
    }

    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        if let Some(cpu) = timer_cpu(timer) {
            let c = &mut self.st.cpus[cpu.index()];
            let Some(task) = c.running.filter(|_| cx.now.0 >= c.slice_end) else {
                return;
            };
            c.slice_end = u64::MAX;
            c.turn_ended = true;
            let ran = cx.now.0 - c.started;
            let slice = c.slice;
            let ns = |x: u64| i64::try_from(x).unwrap_or(i64::MAX);
            let operands = [ns(ran), ns(slice), 0, 0];
            let why = cx.explain(Some(cpu), Some(task), reasons::POLICY_SLICE, operands);
            cx.kick(cpu, why);
        } else if timer == BALANCE {
            self.charge_all(cx);
            if let Some(called) = self.call(cx, Hook::Balance, &[]) {
                self.carry_out(cx, &called);
            }
            self.arm_balance(cx);
        }
    }

    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, _: Option<TaskId>) {
        self.know(cx, task);
        self.call(cx, Hook::Start, &[Argument::Thread(task)]);
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.call(cx, Hook::Exit, &[Argument::Thread(task)]);
        if let Some(t) = self.st.threads.get_mut(task.index()) {
            t.ended = true;
        }
    }

    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.call(cx, Hook::Wake, &[Argument::Thread(task)]);
    }

    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        self.st.threads[task.index()].allowed = cx.task(task).allowed;
        if self.known().has(Hook::Place) {
            self.charge_all(cx);
        }
        if let Some(answer) = self.place(cx, task) {
            return answer;
        }
        let cpu = self.default_place(cx, task);
        let by_rule = Called::nothing();
        let why = self.explain(
            cx,
            Some(cpu),
            Some(task),
            reasons::POLICY_DEFAULT_PLACE,
            &by_rule,
        );
        Answer::new(Placement::Cpu(cpu), why)
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, _: EnqueueFlags) {
        let (cpu, argument) = match place {
            Placement::Cpu(cpu) => (Some(cpu), Argument::Cpu(cpu)),
            Placement::Shared => (None, Argument::Everyone),
        };
        if let Some(cpu) = cpu {
            self.charge(cx, cpu);
        }
        self.call(cx, Hook::Enqueue, &[Argument::Thread(task), argument]);
        self.st.threads[task.index()].since = cx.now.0;
        self.st.insert(task, cpu, false);
    }

    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        self.charge_of(cx, task);
        if let Whereabouts::Runs(cpu) = self.st.thread(task).at {
            self.st.cpus[cpu.index()].running = None;
            self.st.threads[task.index()].at = Whereabouts::Nowhere;
        } else {
            self.st.remove(task);
        }
        self.call(cx, Hook::Dequeue, &[Argument::Thread(task)]);
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        _: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        match place {
            Placement::Cpu(cpu) => {
                if cx.curr[cpu.index()].is_none() {
                    return Answer::undecided(Some(cpu));
                }
                match self.preempts(cx, cpu, task) {
                    Some((yes, why)) => Answer::new(yes.then_some(cpu), why),
                    None => Answer::undecided(None),
                }
            }
            Placement::Shared => {
                if let Some(cpu) = self.idle_for(cx, task) {
                    return Answer::undecided(Some(cpu));
                }
                let t = self.st.thread(task);
                let (allowed, last) = (t.allowed, t.last_cpu);
                let mut refusal = None;
                let others = allowed.among(self.cpus).filter(|c| *c != last);
                for cpu in Some(last)
                    .filter(|c| allowed.contains(*c))
                    .into_iter()
                    .chain(others)
                {
                    if self.st.cpu(cpu).running.is_none() {
                        continue;
                    }
                    match self.preempts(cx, cpu, task) {
                        Some((true, why)) => return Answer::new(Some(cpu), why),
                        Some((false, why)) => refusal = Some(why),
                        None => break,
                    }
                }
                Answer::new(None, refusal)
            }
        }
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let Some(prev) = prev.filter(|_| why.stays_runnable()) else {
            return;
        };
        self.charge(cx, cpu);
        let c = &mut self.st.cpus[cpu.index()];
        c.running = None;
        let ended = std::mem::take(&mut c.turn_ended) || why == SwitchReason::Yield;
        let t = &mut self.st.threads[prev.index()];
        t.at = Whereabouts::Nowhere;
        t.since = cx.now.0;
        if cx.task(prev).allowed.contains(cpu) {
            let to = Some(cpu).filter(|_| !t.shared);
            self.st.insert(prev, to, !ended);
        } else {
            self.place_again(cx, prev);
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let Some(in_line) = self.st.candidates(cpu).next() else {
            return Answer::undecided(None);
        };
        let (task, why) = match self.pick(cx, cpu) {
            Some(picked) => picked,
            None => {
                let by_rule = Called::nothing();
                let why = self.explain(
                    cx,
                    Some(cpu),
                    Some(in_line),
                    reasons::POLICY_STOPPED,
                    &by_rule,
                );
                (in_line, why)
            }
        };
        self.st.remove(task);
        let t = &mut self.st.threads[task.index()];
        t.at = Whereabouts::Runs(cpu);
        t.last_cpu = cpu;
        let c = &mut self.st.cpus[cpu.index()];
        c.running = Some(task);
        c.started = cx.now.0;
        c.charged = cx.now.0;
        c.turn_ended = false;
        self.begin_slice(cx, cpu, task);
        self.tell_idle(cx);
        Answer::new(Some(Pick { task, cause: None }), why)
    }

    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        if !self.known().has(Hook::Idle) {
            return Answer::undecided(false);
        }
        self.charge_all(cx);
        let arguments = [Argument::Cpu(cpu)];
        let Some(called) = self.call(cx, Hook::Idle, &arguments) else {
            return Answer::undecided(false);
        };
        self.carry_out(cx, &called);
        let task = match &called.reply {
            Reply::None => return Answer::undecided(self.st.candidates(cpu).next().is_some()),
            Reply::Thread(task) => *task,
            reply => {
                let why = "and it answers a waiting thread or None";
                self.refuse(cx, Hook::Idle, &arguments, reply, why);
                return Answer::undecided(false);
            }
        };
        let from = match self.st.threads.get(task.index()).map(|t| t.at) {
            Some(Whereabouts::Waits(from)) => from,
            _ => {
                let why = format!(
                    "which does not wait on another cpu ({})",
                    self.st.whereabouts(task)
                );
                self.refuse(cx, Hook::Idle, &arguments, &called.reply, &why);
                return Answer::undecided(false);
            }
        };
        if !cx.task(task).allowed.contains(cpu) {
            let why = format!("which may not use cpu {}", cpu.0);
            self.refuse(cx, Hook::Idle, &arguments, &called.reply, &why);
            return Answer::undecided(false);
        }
        self.compare(cx, from, &called);
        let why = self.explain(cx, Some(cpu), Some(task), reasons::POLICY_IDLE, &called);
        self.st.remove(task);
        self.st.insert(task, Some(cpu), false);
        cx.lock(from);
        cx.moved(task, Some(cpu), why);
        Answer::new(true, why)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        if !self.known().has(Hook::Tick) || self.st.cpu(cpu).running.is_none() {
            return false;
        }
        self.charge(cx, cpu);
        let arguments = [Argument::Cpu(cpu)];
        let Some(called) = self.call(cx, Hook::Tick, &arguments) else {
            return false;
        };
        self.carry_out(cx, &called);
        match called.reply {
            Reply::Flag(true) => {
                let running = self.st.cpu(cpu).running;
                self.st.cpus[cpu.index()].turn_ended = true;
                self.explain(cx, Some(cpu), running, reasons::POLICY_TICK, &called);
                true
            }
            Reply::Flag(false) | Reply::None => false,
            ref reply => {
                let why = "and it answers True or False";
                self.refuse(cx, Hook::Tick, &arguments, reply, why);
                false
            }
        }
    }

    fn yield_task(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        self.charge(cx, cpu);
        self.call(cx, Hook::Yielded, &[Argument::Thread(task)]);
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, _: bool) {
        self.charge_of(cx, task);
        self.st.threads[task.index()].nice = cx.task(task).nice;
        let old = Argument::Number(i64::from(old));
        self.call(cx, Hook::Renice, &[Argument::Thread(task), old]);
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let info = cx.task(task);
        let (last, allowed) = (info.last_cpu, info.allowed);
        self.st.threads[task.index()].allowed = allowed;
        if queued {
            self.dequeue(cx, task, DequeueFlags::Sleep);
            self.place_again(cx, task);
        } else if cx.curr[last.index()] == Some(task) && !allowed.contains(last) {
            cx.kick(last, None);
        }
    }

    fn set_params(&mut self, _: &mut Cx<'_>, _: &Params) {}

    fn set_program(&mut self, cx: &mut Cx<'_>, program: &str) {
        // Time until now is the business of the program that goes.
        self.charge_all(cx);
        let before = self.known().declared.clone();
        self.load_program(Some(program));
        let now = self.known().declared.clone();
        self.st.renew(&before, &now);
        for c in &mut self.st.cpus {
            c.charged = cx.now.0;
        }
        self.arm_balance(cx);
    }
}
