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

mod ask;
mod scheduler;

use crate::hook::Hook;
use crate::moment::{Column, Moved, NUMBERS, Steps, first, position};
use crate::program::{Argument, Described, Program, Reply, shown, written};
use crate::reasons;
use crate::state::{State, Thread, Whereabouts};
use sim_contract::cx::Stop;
use sim_contract::decision::{DecisionId, ProgramCall, Reason};
use sim_contract::flags::TimerId;
use sim_contract::prelude::*;
use sim_contract::{Persist, state_bytes};
use sim_ground::info::ColumnEntry;
use sim_ground::time::SimSpan;

/// Steps of a call, and how many more for each waiting thread.
const FUEL: u64 = 20_000;
const FUEL_EACH: u64 = 200;

/// The timer of `balance`.
const BALANCE: TimerId = 0;

/// Time between two calls of `balance` if the program does not say, in ns.
const BALANCE_EVERY: i64 = 10_000_000;

/// A lane with a program.
pub(crate) struct Own {
    /// The program with which the lane begins.
    first: Box<dyn Program>,
    /// The one that has taken over, with its text.
    later: Option<(String, Box<dyn Program>)>,
    /// Columns of threads as the lane declares them: those of the first program.
    columns: &'static [ColumnEntry],
    pub(crate) places: Places,
    pub(crate) st: State,
    cpus: usize,
}

/// Where the numbers of the present program stand among those of the lane.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) threads: Vec<usize>,
    pub(crate) cpus: Vec<usize>,
}

/// What a call of the program left behind.
struct Called {
    reply: Reply,
    said: Option<String>,
    notes: Vec<String>,
    numbers: [i64; NUMBERS],
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
            numbers: [0; NUMBERS],
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
        let declared = &program.described().declared;
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
        let mut own = Self {
            first: program,
            later: None,
            columns,
            places: Places::default(),
            st,
            cpus,
        };
        own.find_places();
        own
    }

    /// The program that runs now.
    fn program(&self) -> &dyn Program {
        let later = self.later.as_ref().map(|(_, program)| program);
        &**later.unwrap_or(&self.first)
    }

    fn find_places(&mut self) {
        let (first, now) = (&self.first.described().declared, &self.known().declared);
        let places = |of: &[Column], among: &[Column]| {
            let place = |c: &Column| position(among, &c.name).unwrap_or(usize::MAX);
            of.iter().map(place).collect()
        };
        self.places = Places {
            threads: places(&now.thread, &first.thread),
            cpus: places(&now.cpu, &first.cpu),
        };
    }

    /// The lane's column for a column of threads of the program.
    fn column(&self, at: usize) -> Option<&'static ColumnEntry> {
        self.columns.get(*self.places.threads.get(at)?)
    }

    /// Calls a function, if the program has it. An error stops the lane.
    fn call(&mut self, cx: &mut Cx<'_>, hook: Hook, arguments: &[Argument]) -> Option<Called> {
        if self.st.stopped || !self.known().has(hook) {
            return None;
        }
        let fuel = FUEL + FUEL_EACH * self.st.nr_waiting() as u64;
        let moment = self.known().moment.clone();
        {
            let mut m = moment.lock();
            std::mem::swap(&mut m.st, &mut self.st);
            m.rng = cx.rng.clone();
            m.now = cx.now.0;
            m.hook = Some(hook);
            m.looked = false;
            m.said = None;
            m.read = None;
            m.notes.clear();
            m.noted = 0;
            m.numbers = [0; NUMBERS];
            m.moves.clear();
            m.steps = cx.explaining().then(Steps::default);
        }
        let answer = self.program().call(hook, arguments, fuel);
        let mut m = moment.lock();
        std::mem::swap(&mut m.st, &mut self.st);
        *cx.rng = m.rng.clone();
        m.hook = None;
        let called = Called {
            reply: Reply::None,
            said: m.said.take(),
            notes: std::mem::take(&mut m.notes),
            numbers: m.numbers,
            read: m.read,
            moves: std::mem::take(&mut m.moves),
        };
        let steps = m.steps.take();
        drop(m);
        if let Some(steps) = steps.filter(|s| !s.all.is_empty()) {
            let call = ProgramCall {
                call: written(hook, arguments),
                answer: answer.as_ref().ok().map(Reply::shown),
                steps: steps.all,
            };
            // How long it may run is asked once it has been picked.
            if hook == Hook::Slice {
                cx.called_after(call);
            } else {
                cx.called(call);
            }
        }
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
        let line = self.known().line(hook);
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
            let column = called.read.and_then(|at| Some((at, self.column(at)?)));
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
        if self.known().has(Hook::Ran) {
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
        let columns = first(&self.known().declared.thread);
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
            let why = self.explain(cx, Some(*to), Some(*task), reasons::POLICY_MOVE, called);
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
}

impl Own {
    fn arm_balance(&self, cx: &mut Cx<'_>) {
        if self.known().has(Hook::Balance) && !self.st.stopped {
            let every = self
                .known()
                .constant("BALANCE_EVERY")
                .unwrap_or(BALANCE_EVERY);
            cx.arm(BALANCE, cx.now + SimSpan(every.unsigned_abs()));
        }
    }

    /// The column by which the program chooses.
    pub(crate) fn order(&self) -> Option<(usize, &'static ColumnEntry)> {
        let at = self.known().order?;
        Some((at, self.column(at)?))
    }

    /// What is known of the program.
    pub(crate) fn known(&self) -> &Described {
        self.program().described()
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
        let fits = st.fits(self.cpus, self.known().declared.counts());
        if fits {
            self.st = st;
        }
        fits
    }

    fn load_program(&mut self, program: Option<&str>) {
        if self.later.as_ref().map(|(text, _)| text.as_str()) == program {
            return;
        }
        let places = self.known().moment.lock().places.clone();
        self.later = program.map(|text| {
            let read = crate::program(text);
            let read = read.expect("invariant: programs are checked with the plan and its edits");
            (text.to_owned(), read)
        });
        self.known().moment.lock().places = places;
        self.find_places();
    }
}
