//! The host: a scheduler of the ordinary contract that owns all that a program must not be able to get wrong.
//!
//! | hook of the contract | function of the program | if the program has none |
//! |---|---|---|
//! | `task_new`, `task_exit`, `set_nice` | `start`, `exit`, `renice` | |
//! | `waking` | `wake` | |
//! | `select_cpu` | `place` | an idle CPU, the last one first, else the one with the fewest threads |
//! | `enqueue`, `dequeue` | `enqueue`, `dequeue` | |
//! | `check_preempt` | `preempt` | nobody is preempted; an idle CPU is signalled |
//! | `pick_next` | `pick`, `slice` | `pick` is required; no slice |
//! | `tick` | `tick` | ticks are quiet |
//! | `idle` | `idle` | nothing is fetched |
//! | `timer` | `balance`; ends of slices | |
//! | `yield_task` | `yielded` | |
//! | before each of these | `ran`, for who has run since | |
//!
//! An answer that cannot be carried out, an error and too many steps stop the lane ([`Cx::stop`]). Until it ends, the first
//! in line runs, so that the engine finds what it expects.

use crate::hook::Hook;
use crate::moment::{Moved, Place, first};
use crate::program::{Argument, Program, Reply, shown};
use crate::reasons;
use crate::state::{State, Thread, Whereabouts};
use sim_contract::cx::Stop;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::flags::{TimerId, cpu_timer, timer_cpu};
use sim_contract::prelude::*;
use sim_contract::{Persist, state_bytes};
use sim_ground::info::ColumnEntry;
use sim_ground::params::Params;
use sim_ground::time::{SimSpan, SimTime};

/// Steps of a call, and how many more for each waiting thread.
const FUEL: u64 = 20_000;
const FUEL_EACH: u64 = 200;

/// Shortest and longest slices, in ns.
const SLICES: std::ops::RangeInclusive<i64> = 10_000..=14_400_000_000_000;

/// The timer of `balance`.
const BALANCE: TimerId = 0;

/// Time between two calls of `balance` if the program does not say, in ns.
const BALANCE_EVERY: i64 = 10_000_000;

/// A lane with a program.
pub(crate) struct Own {
    program: Box<dyn Program>,
    /// Columns of threads as the lane declares them.
    columns: &'static [ColumnEntry],
    pub(crate) st: State,
    cpus: usize,
}

/// What a call of the program left behind.
struct Called {
    reply: Reply,
    said: Option<String>,
    notes: Vec<String>,
    numbers: [i64; 3],
    read: Option<usize>,
    moves: Vec<Moved>,
}

impl Called {
    /// Decisions by a rule of the host.
    fn nothing() -> Self {
        Self {
            reply: Reply::None,
            said: None,
            notes: Vec::new(),
            numbers: [0; 3],
            read: None,
            moves: Vec::new(),
        }
    }
}

impl Own {
    pub(crate) fn new(
        program: Box<dyn Program>,
        columns: &'static [ColumnEntry],
        cpus: usize,
    ) -> Self {
        let declared = program.declared();
        let cpu = || crate::state::Cpu {
            slice_end: u64::MAX,
            columns: first(&declared.cpu),
            ..crate::state::Cpu::default()
        };
        let st = State {
            cpus: (0..cpus).map(|_| cpu()).collect(),
            variables: first(&declared.lane),
            ..State::default()
        };
        Self {
            program,
            columns,
            st,
            cpus,
        }
    }

    /// Calls a function, if the program has it. An error stops the lane.
    fn call(&mut self, cx: &mut Cx<'_>, hook: Hook, arguments: &[Argument]) -> Option<Called> {
        if self.st.stopped || !self.program.has(hook) {
            return None;
        }
        let fuel = FUEL + FUEL_EACH * self.st.nr_waiting() as u64;
        let moment = self.program.moment().clone();
        {
            let mut m = moment.lock();
            std::mem::swap(&mut m.st, &mut self.st);
            m.rng = cx.rng.clone();
            m.now = cx.now.0;
            m.hook = Some(hook);
            m.said = None;
            m.read = None;
            m.notes.clear();
            m.numbers.clear();
            m.moves.clear();
        }
        let answer = self.program.call(hook, arguments, fuel);
        let mut m = moment.lock();
        std::mem::swap(&mut m.st, &mut self.st);
        *cx.rng = m.rng.clone();
        m.hook = None;
        let mut numbers = [0; 3];
        for (place, number) in numbers.iter_mut().zip(&m.numbers) {
            *place = *number;
        }
        let called = Called {
            reply: Reply::None,
            said: m.said.take(),
            notes: std::mem::take(&mut m.notes),
            numbers,
            read: m.read,
            moves: std::mem::take(&mut m.moves),
        };
        drop(m);
        match answer {
            Ok(reply) => Some(Called { reply, ..called }),
            Err(e) => {
                let at = shown(hook, arguments);
                let sentence = format!(
                    "line {}, column {}, in {at}: {}",
                    e.line, e.column, e.sentence
                );
                self.stop(cx, hook, arguments, sentence);
                None
            }
        }
    }

    fn stop(&mut self, cx: &mut Cx<'_>, hook: Hook, arguments: &[Argument], sentence: String) {
        self.st.stopped = true;
        let task = arguments.iter().find_map(|a| match a {
            Argument::Thread(task) => Some(*task),
            _ => None,
        });
        let cpu = arguments.iter().find_map(|a| match a {
            Argument::Cpu(cpu) => Some(*cpu),
            _ => None,
        });
        cx.stop(Stop {
            hook: hook.name(),
            task,
            cpu: cpu.or(cx.cpu),
            sentence,
        });
    }

    /// Stops the lane because of an answer that cannot be carried out.
    fn refuse(
        &mut self,
        cx: &mut Cx<'_>,
        hook: Hook,
        arguments: &[Argument],
        reply: &Reply,
        why: &str,
    ) {
        let line = self.program.line(hook);
        let (at, reply) = (shown(hook, arguments), reply.shown());
        let sentence = format!("line {line}: {at} answered {reply}, {why}");
        self.stop(cx, hook, arguments, sentence);
    }

    /// Records a decision with what the program said of it. `task` is who was chosen among those who wait for `cpu`.
    fn explain(
        &self,
        cx: &mut Cx<'_>,
        cpu: Option<CpuId>,
        task: Option<TaskId>,
        reason: Reason,
        called: &Called,
    ) -> DecisionId {
        if cx.explaining() {
            let mut parts: Vec<&str> = called.said.as_deref().into_iter().collect();
            parts.extend(called.notes.iter().map(String::as_str));
            if !parts.is_empty() {
                let said = parts.join("; ");
                cx.say(|| said);
            }
        }
        let waiting = cpu.map_or(0, |c| self.st.candidates(c).count());
        let waiting = i64::try_from(waiting).unwrap_or(i64::MAX);
        let [a, b, c] = called.numbers;
        cx.explain(cpu, task, reason, [waiting, a, b, c])
    }

    /// Records who else might have been picked, by the column that the program read first.
    fn compare(&self, cx: &mut Cx<'_>, cpu: CpuId, called: &Called) {
        if !cx.explaining() {
            return;
        }
        let all: Vec<TaskId> = self.st.candidates(cpu).collect();
        for task in all {
            let column = called.read.and_then(|at| Some((at, self.columns.get(at)?)));
            let (score, note) = match column {
                Some((at, entry)) => (self.st.thread(task).columns[at], entry.id),
                None => (0, "waits"),
            };
            cx.candidate(None, Some(task), score, note);
        }
    }

    /// Tells the program for how long the running thread of a CPU has run since it was told last.
    fn charge(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let c = &mut self.st.cpus[cpu.index()];
        let Some(task) = c.running.filter(|_| c.charged < cx.now.0) else {
            return;
        };
        let time = cx.now.0 - std::mem::replace(&mut c.charged, cx.now.0);
        let time = Argument::Number(i64::try_from(time).unwrap_or(i64::MAX));
        self.call(cx, Hook::Ran, &[Argument::Thread(task), time]);
    }

    /// The same for all CPUs, before functions that may look at all.
    fn charge_all(&mut self, cx: &mut Cx<'_>) {
        if self.program.has(Hook::Ran) {
            for cpu in (0..self.cpus).map(CpuId::new) {
                self.charge(cx, cpu);
            }
        }
    }

    /// The same for the CPU of a thread.
    fn charge_of(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        if let Some(Whereabouts::Runs(cpu)) = self.st.threads.get(task.index()).map(|t| t.at) {
            self.charge(cx, cpu);
        }
    }

    /// Where a thread waits if the program does not say: an idle CPU, the last one first, else the one with the fewest.
    fn default_place(&self, cx: &Cx<'_>, task: TaskId) -> CpuId {
        let info = cx.task(task);
        let last = info.last_cpu;
        if info.allowed.contains(last) && self.st.is_idle(last) {
            return last;
        }
        let allowed = info.allowed.among(self.cpus);
        let least = allowed.min_by_key(|c| (self.st.nr_running(*c), *c != last, c.0));
        least.unwrap_or(last)
    }

    /// Makes room for a thread, and copies what the engine knows of it.
    fn know(&mut self, cx: &Cx<'_>, task: TaskId) {
        if self.st.threads.len() <= task.index() {
            self.st.threads.resize(task.index() + 1, Thread::default());
        }
        let columns = first(&self.program.declared().thread);
        let info = cx.task(task);
        self.st.threads[task.index()] = Thread {
            known: true,
            nice: info.nice,
            group: info.group.0,
            background: info.background,
            allowed: info.allowed,
            last_cpu: info.last_cpu,
            columns,
            ..Thread::default()
        };
    }

    /// An idle CPU for a thread in the list of all CPUs that nobody has signalled yet.
    fn idle_for(&self, cx: &Cx<'_>, task: TaskId) -> Option<CpuId> {
        let t = self.st.thread(task);
        let open = |cpu: &CpuId| {
            t.allowed.contains(*cpu)
                && cx.curr[cpu.index()].is_none()
                && self.st.cpu(*cpu).running.is_none()
                && !cx.flagged.contains(*cpu)
        };
        Some(t.last_cpu)
            .filter(open)
            .or_else(|| cx.machine.cpu_ids().find(open))
    }

    /// Signals an idle CPU for the first in the list of all CPUs whom one may take.
    fn tell_idle(&self, cx: &mut Cx<'_>) {
        if self.st.shared.is_empty() || cx.curr.iter().all(Option::is_some) {
            return;
        }
        let found = self.st.shared.iter().find_map(|t| self.idle_for(cx, *t));
        if let Some(cpu) = found {
            cx.kick(cpu, None);
        }
    }

    /// Carries out the moves that a program asked for. They are in the lists already.
    fn carry_out(&mut self, cx: &mut Cx<'_>, called: &Called) {
        for Moved { task, from, to } in &called.moves {
            let why = self.explain(cx, Some(*to), Some(*task), reasons::MOVE, called);
            cx.moved(*task, Some(*to), why);
            if let Some(from) = from {
                cx.lock(*from);
            }
            cx.lock(*to);
            if cx.curr[to.index()].is_none() {
                cx.kick(*to, why);
            }
        }
    }

    /// Whether the program lets a thread that joined a list go before the one that runs on a CPU.
    fn preempts(
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
            reasons::PREEMPT
        } else {
            reasons::NO_PREEMPT
        };
        Some((
            yes,
            self.explain(cx, Some(cpu), Some(task), reason, &called),
        ))
    }

    /// How long the thread that was picked may run.
    fn begin_slice(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
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
    fn pick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<(TaskId, DecisionId)> {
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
        let why = self.explain(cx, Some(cpu), Some(picked), reasons::PICK, &called);
        Some((picked, why))
    }

    /// The place that the program names.
    fn place(&mut self, cx: &mut Cx<'_>, task: TaskId) -> Option<Answer<Placement>> {
        let arguments = [Argument::Thread(task)];
        let called = self.call(cx, Hook::Place, &arguments)?;
        let allowed = cx.task(task).allowed;
        match called.reply {
            Reply::Cpu(cpu) if allowed.contains(cpu) => {
                let why = self.explain(cx, Some(cpu), Some(task), reasons::PLACE, &called);
                Some(Answer::new(Placement::Cpu(cpu), why))
            }
            Reply::Everyone => {
                let why = self.explain(cx, None, Some(task), reasons::PLACE, &called);
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
        self.program.moment().lock().places = cx.machine.cpu_ids().map(place).collect();
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
            let why = cx.explain(Some(cpu), Some(task), reasons::SLICE, operands);
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
        if self.program.has(Hook::Place) {
            self.charge_all(cx);
        }
        if let Some(answer) = self.place(cx, task) {
            return answer;
        }
        let cpu = self.default_place(cx, task);
        let by_rule = Called::nothing();
        let why = self.explain(cx, Some(cpu), Some(task), reasons::DEFAULT_PLACE, &by_rule);
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
                let why = self.explain(cx, Some(cpu), Some(in_line), reasons::STOPPED, &by_rule);
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
        if !self.program.has(Hook::Idle) {
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
        let why = self.explain(cx, Some(cpu), Some(task), reasons::IDLE, &called);
        self.st.remove(task);
        self.st.insert(task, Some(cpu), false);
        cx.lock(from);
        cx.moved(task, Some(cpu), why);
        Answer::new(true, why)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        if !self.program.has(Hook::Tick) || self.st.cpu(cpu).running.is_none() {
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
                self.explain(cx, Some(cpu), running, reasons::TICK, &called);
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
}

impl Own {
    fn arm_balance(&self, cx: &mut Cx<'_>) {
        if self.program.has(Hook::Balance) && !self.st.stopped {
            let every = self
                .program
                .constant("BALANCE_EVERY")
                .unwrap_or(BALANCE_EVERY);
            cx.arm(BALANCE, cx.now + SimSpan(every.unsigned_abs()));
        }
    }

    /// The program.
    pub(crate) fn program(&self) -> &dyn Program {
        &*self.program
    }
}

impl Persist for Own {
    fn save(&self) -> Vec<u8> {
        state_bytes::save_state(&self.st)
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some(st) = state_bytes::load_state::<State>(bytes) else {
            return false;
        };
        let fits = st.fits(self.cpus, self.program.declared().counts());
        if fits {
            self.st = st;
        }
        fits
    }
}
