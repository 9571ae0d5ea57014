//! The contract between the engine and a scheduler.
//!
//! The engine owns tasks, CPUs, clocks, work and cost. It calls these hooks at the points where a kernel would, in the
//! kernel's order, and obeys the answers. A hook never reschedules by itself: it asks through [`Cx::kick`]. A hook
//! explains every choice through [`Cx::explain`]. The [`Answer`] carries the decision that led to it, so that each
//! record of the engine names its own.
//!
//! | sequence | hooks, in order |
//! |---|---|
//! | wake-up | [`waking`](Scheduler::waking), [`select_cpu`](Scheduler::select_cpu), [`enqueue`](Scheduler::enqueue), [`check_preempt`](Scheduler::check_preempt), then the engine signals the CPU named |
//! | reschedule | [`dequeue`](Scheduler::dequeue) if the running task blocks or ends, [`put_prev`](Scheduler::put_prev), [`pick_next`](Scheduler::pick_next), if none [`idle`](Scheduler::idle) and again [`pick_next`](Scheduler::pick_next) |
//! | tick | [`tick`](Scheduler::tick), then timers that expire in this tick, then one check of `need_resched`; [`tick_turns`](QuietTicks::tick_turns) says what comes first when CPUs tick at one instant |
//! | fork | [`task_new`](Scheduler::task_new), then as for a wake-up |
//! | exec | [`exec`](Scheduler::exec), and a reschedule if it asked for one |
//! | memory | the running thread touches pages that are marked: [`hinting_fault`](Scheduler::hinting_fault) for all that are alike, and a reschedule if it asked for one |
//! | exit | [`dequeue`](Scheduler::dequeue), [`task_exit`](Scheduler::task_exit), reschedule |
//! | a lock that lends priority | a task blocks at it, or hands it over: [`waiter_rank`](Kernel::waiter_rank) of those that wait, then [`lend`](Scheduler::lend) to the holder, before the block or the wake-up |
//! | a recorded run | [`charge`](Scheduler::charge) where the recording kernel charged, [`pick_given`](Scheduler::pick_given) in place of [`pick_next`](Scheduler::pick_next) |
//!
//! A new scheduler writes five hooks ([`select_cpu`](Scheduler::select_cpu), [`enqueue`](Scheduler::enqueue),
//! [`dequeue`](Scheduler::dequeue), [`put_prev`](Scheduler::put_prev), [`pick_next`](Scheduler::pick_next)) and reports
//! the waiting tasks ([`Observe::queues`]). Everything else has a default, in the traits of [`parts`].
//!
//! The engine checks answers. An answer that cannot be carried out (a task picked twice, a CPU that is not allowed)
//! ends the lane with a sentence that names hook, task and CPU.

pub mod answer;
pub mod cgroup;
pub mod cx;
pub mod decision;
pub mod flags;
pub mod idle;
pub mod lending;
pub mod memory;
pub mod parts;
pub mod prelude;
pub mod recorded;
pub mod shape;
pub mod state_bytes;
pub mod tally;
pub mod turns;
pub mod weight;

pub use answer::{Answer, Pick};
pub use parts::{Kernel, Observe, Occasion, Persist, QuietTicks, SliceView};
pub use recorded::Asked;
pub use shape::QueueRow;
pub use turns::TickTurns;

use cgroup::{CgroupChange, CgroupSupport, Cgroups};
use cx::Cx;
use flags::{ClockId, DequeueFlags, EnqueueFlags, Placement, SwitchReason, TimerId};
use lending::Loan;
use memory::{PageFate, Touched};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::{ColumnEntry, ReasonEntry};
use sim_ground::params::{ParamSpec, Params};
use std::sync::OnceLock;

/// A scheduler as the registry lists it.
#[derive(Debug)]
pub struct SchedulerInfo {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// `freebsd`, `linux`, `baseline`, or [`RECORDED`].
    pub family: &'static str,
    /// Largest nice value of its system.
    pub nice_max: i8,
    /// Shape of its queue on the stage.
    pub queue_shape: &'static str,
    /// Its eras; the first is the default.
    pub eras: &'static [EraInfo],
    /// What its eras make of control groups, by id; an era that is not listed ignores them.
    pub cgroups: &'static [(&'static str, CgroupSupport)],
    /// The eras that give each thread the slice for which it asks, by id; the others ignore it.
    pub slices: &'static [&'static str],
    /// Its reasons for decisions.
    pub reasons: &'static [ReasonEntry],
    /// Columns that it shows for each task.
    pub task_columns: &'static [ColumnEntry],
    /// Columns that it shows for each CPU.
    pub cpu_columns: &'static [ColumnEntry],
    /// Makes a scheduler.
    pub make: fn(&Setup) -> Box<dyn Scheduler>,
    /// Reads its programs, if it is one that runs what its user wrote.
    pub check_program: Option<CheckProgram>,
}

/// Reads programs of a scheduler that runs what its user wrote.
#[derive(Clone, Copy, Debug)]
pub struct CheckProgram {
    /// Reads the program of a lane, or that of an era if the lane has none. The answer describes the scheduler with this
    /// program: its columns are the program's. With a program of its own it has one era, which says so.
    pub first: fn(&'static EraInfo, Option<&str>) -> Result<&'static SchedulerInfo, ProgramError>,
    /// Reads a program that takes over during the run; `None` if none may.
    pub later: Option<CheckLater>,
}

/// Reads a program that takes over from the one with which its lane begins, which comes before it.
pub type CheckLater = fn(&'static EraInfo, Option<&str>, &str) -> Result<(), ProgramError>;

/// What is wrong with a program, in a teacher's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong, in a sentence, with a suggestion if there is one.
    pub sentence: String,
}

impl std::fmt::Display for ProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = (self.line, self.column);
        write!(f, "line {line}, column {column}: {}", self.sentence)
    }
}

/// An era of a scheduler.
#[derive(Debug)]
pub struct EraInfo {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What distinguishes it, in a line.
    pub summary: &'static str,
    /// Year.
    pub year: u16,
    /// Its tunables.
    pub tunables: &'static [ParamSpec],
}

impl SchedulerInfo {
    /// A scheduler with one era, no tunables and no columns, whose queues are lists.
    #[must_use]
    pub const fn new(
        id: &'static str,
        name: &'static str,
        summary: &'static str,
        reasons: &'static [ReasonEntry],
        make: fn(&Setup) -> Box<dyn Scheduler>,
    ) -> Self {
        Self {
            id,
            name,
            summary,
            family: "baseline",
            nice_max: 19,
            queue_shape: "perCpuFifo",
            eras: &[EraInfo {
                id: "1",
                name: "the only one",
                summary: "It has no history.",
                year: 2026,
                tunables: &[],
            }],
            cgroups: &[],
            slices: &[],
            reasons,
            task_columns: &[],
            cpu_columns: &[],
            make,
            check_program: None,
        }
    }

    /// What an era makes of control groups; nothing if it ignores them.
    #[must_use]
    pub fn cgroup_support(&self, era: &str) -> Option<CgroupSupport> {
        let listed = self.cgroups.iter().find(|(id, _)| *id == era);
        listed.map(|(_, support)| *support)
    }

    /// One of its eras; the first if `id` is `None`.
    #[must_use]
    pub fn era(&self, id: Option<&str>) -> Option<&'static EraInfo> {
        match id {
            None => self.eras.first(),
            Some(id) => self.eras.iter().find(|e| e.id == id),
        }
    }

    /// The era of an id, or of a word with a digit in the name of one era alone: `10.4` is `2017 · 10.4`.
    ///
    /// # Errors
    /// What there is, if there is no such era.
    pub fn era_said(&self, said: &str) -> Result<&'static EraInfo, String> {
        let is_named = |era: &&EraInfo| {
            let mut words = era.name.split([' ', ',', ';']);
            said.contains(|c: char| c.is_ascii_digit()) && words.any(|word| word == said)
        };
        let mut named = self.eras.iter().filter(is_named);
        let first = named.next().filter(|_| named.next().is_none());
        self.era(Some(said)).or(first).ok_or_else(|| {
            let (id, eras) = (self.id, self.eras.iter().map(|e| e.id));
            let eras: Vec<&str> = eras.collect();
            let eras = eras.join(", ");
            format!("the era of {id} must be one of {eras}, got \"{said}\"")
        })
    }

    /// The code of a reason.
    #[must_use]
    pub fn reason(&self, id: &str) -> Option<decision::Reason> {
        let position = self.reasons.iter().position(|r| r.id == id)?;
        decision::Reason::try_from(position).ok()
    }
}

/// The family of what is no scheduler: it follows the recording that its lane has as its program.
pub const RECORDED: &str = "recorded";

/// The schedulers that scenarios may name.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// In the order of the picker; ids are unique.
    pub schedulers: &'static [&'static SchedulerInfo],
    /// Those that nobody chooses: they come with a trace.
    pub of_traces: &'static [&'static SchedulerInfo],
    /// What the program around the core adds before its first run, because it alone can run it.
    pub added: &'static OnceLock<&'static SchedulerInfo>,
}

impl Registry {
    /// A registry of these alone.
    #[must_use]
    pub const fn of(schedulers: &'static [&'static SchedulerInfo]) -> Self {
        static NONE: OnceLock<&'static SchedulerInfo> = OnceLock::new();
        Self {
            schedulers,
            of_traces: &[],
            added: &NONE,
        }
    }

    /// Those that somebody may choose.
    fn chosen(&self) -> impl Iterator<Item = &'static SchedulerInfo> {
        let known = self.schedulers.iter().copied();
        let added = self.added.get().copied();
        let is_new = |s: &&SchedulerInfo| self.schedulers.iter().all(|k| k.id != s.id);
        known.chain(added.filter(is_new))
    }

    /// The scheduler of an id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&'static SchedulerInfo> {
        let mut all = self.chosen().chain(self.of_traces.iter().copied());
        all.find(|s| s.id == id)
    }

    /// A scheduler as people write it: `eevdf`, or with its era `eevdf:6.18`. The era is its id or a word of its name
    /// that no other era has, such as `4bsd:10.4`.
    ///
    /// # Errors
    /// What there is, if there is no such scheduler or era.
    pub fn said(
        &self,
        said: &str,
    ) -> Result<(&'static SchedulerInfo, Option<&'static EraInfo>), String> {
        let (id, era) = said
            .split_once(':')
            .map_or((said, None), |(id, era)| (id, Some(era)));
        let info = self
            .find(id)
            .ok_or_else(|| format!("must be one of {}, got \"{id}\"", self.ids()))?;
        let Some(era) = era else {
            return Ok((info, None));
        };
        Ok((info, Some(info.era_said(era)?)))
    }

    /// All ids, separated by commas.
    #[must_use]
    pub fn ids(&self) -> String {
        let ids: Vec<_> = self.chosen().map(|s| s.id).collect();
        ids.join(", ")
    }
}

/// What a scheduler is built from.
#[derive(Debug)]
pub struct Setup {
    /// Id of the era.
    pub era: &'static str,
    /// Tunables.
    pub params: Params,
    /// Number of CPUs.
    pub cpus: usize,
    /// Number of NUMA nodes.
    pub nodes: usize,
    /// The program that a user wrote for the lane; `None` for that of the era. Only schedulers with
    /// [`check_program`](SchedulerInfo::check_program) read it, and it has been checked.
    pub program: Option<String>,
    /// The control groups. Schedulers without them ignore the tree.
    pub cgroups: Cgroups,
}

/// A CPU scheduler: the hooks that choose. Its other parts have traits of their own.
pub trait Scheduler: QuietTicks + Kernel + Observe + Persist + Send {
    /// Chooses where a task that becomes runnable waits.
    fn select_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Placement>;

    /// Puts a runnable task into the queue that `place` names.
    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, flags: EnqueueFlags);

    /// A queued or running task ceases to be runnable.
    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags);

    /// A CPU enters the scheduler: the outgoing task returns to the scheduler (`None`: the CPU was idle).
    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason);

    /// Chooses what the CPU runs next; the task leaves the queue. If no task can run, the answer carries the search
    /// that found nothing, if there was one.
    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>>;

    /// Of a recorded run: its kernel charged the running task at this moment. By default nothing is charged, and the
    /// scheduler cannot follow a recorded run.
    fn charge(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let _ = (cx, cpu);
    }

    /// Of a recorded run: as [`pick_next`](Self::pick_next), but the CPU gets `given`, which its kernel chose. The answer
    /// is whom the rules choose from the same queue. `None` if `given` does not wait there; then nothing has changed.
    fn pick_given(&mut self, cx: &mut Cx<'_>, cpu: CpuId, given: TaskId) -> Answer<Option<Asked>> {
        let _ = (cx, cpu, given);
        Answer::undecided(None)
    }

    /// Places a runnable task that is in no queue again, as for a wake-up. Other hooks call it.
    fn place_again(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let Answer { value: place, why } = self.select_cpu(cx, task, EnqueueFlags::Change);
        self.enqueue(cx, place, task, EnqueueFlags::Change);
        if let (Placement::Cpu(cpu), Some(why)) = (place, why) {
            cx.moved(task, Some(cpu), why);
        }
        let preempt = self.check_preempt(cx, place, task, EnqueueFlags::Change);
        if let Some(cpu) = preempt.value {
            cx.kick(cpu, preempt.why);
        }
    }

    /// The machine starts: the scheduler arms its timers.
    fn start(&mut self, cx: &mut Cx<'_>) {
        let _ = cx;
    }

    /// One of the scheduler's timers expired.
    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        let _ = (cx, timer);
    }

    /// A task was created (`sched_fork`). `parent` is set if the creating task is simulated and running.
    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let _ = (cx, task, parent);
    }

    /// A task has ended (`sched_exit`). The hook may also change what the scheduler keeps about the parent on the
    /// parent's CPU.
    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let _ = (cx, task);
    }

    /// A task is about to be woken: the scheduler charges its sleep.
    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let _ = (cx, task);
    }

    /// Names the CPU that must reschedule for the task just enqueued, if any, with the preemption or its refusal. By
    /// default an idle CPU takes the task, and no running task is preempted.
    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        let _ = flags;
        let idle = |cpu: &CpuId| cx.curr[cpu.index()].is_none();
        Answer::undecided(match place {
            Placement::Cpu(cpu) => Some(cpu).filter(idle),
            Placement::Shared => {
                let allowed = |cpu: &CpuId| cx.task(task).allowed.contains(*cpu);
                cx.machine.cpu_ids().filter(allowed).find(idle)
            }
        })
    }

    /// The CPU found no task. The answer is whether to ask `pick_next` again; if not, it carries the search that found
    /// nothing.
    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        let _ = (cx, cpu);
        Answer::undecided(false)
    }

    /// A tick. The answer is whether the CPU must reschedule.
    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId) -> bool {
        let _ = (cx, cpu, clock);
        false
    }

    /// The running task calls `sched_yield()`; a reschedule follows.
    fn yield_task(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let _ = (cx, cpu, task);
    }

    /// The running task replaces its program (`execve`). To move the task, the scheduler asks for a reschedule of its
    /// CPU.
    fn exec(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let _ = (cx, cpu, task);
    }

    /// The running task touches pages that the scheduler had marked ([`Cx::mark_pages`]). The answer is whether they
    /// move to the node of its CPU; they move only as far as that node has room. By default they stay.
    fn hinting_fault(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        touched: &Touched,
    ) -> PageFate {
        let _ = (cx, cpu, task, touched);
        PageFate::Stay
    }

    /// The nice value changed from `old`. `queued`: the task waits.
    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        let _ = (cx, task, old, queued);
    }

    /// A task holds locks that lend priority. `loan` is the first of those that wait for them; `None` if nobody does any
    /// more. By default nothing is lent.
    fn lend(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let _ = (cx, task, loan);
    }

    /// A slice was asked for a task ([`TaskInfo::slice_ns`](cx::TaskInfo::slice_ns)), perhaps the same as before.
    fn set_slice(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let _ = (cx, task);
    }

    /// The allowed CPUs changed. `queued`: the task waits. By default a waiting task is placed again. A CPU that runs a
    /// task which it may not run any more reschedules: [`put_prev`](Self::put_prev) puts the task elsewhere.
    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let info = cx.task(task);
        let (last, allowed) = (info.last_cpu, info.allowed);
        if queued {
            self.dequeue(cx, task, DequeueFlags::Sleep);
            self.place_again(cx, task);
        } else if cx.curr[last.index()] == Some(task) && !allowed.contains(last) {
            cx.kick(last, None);
        }
    }

    /// A control group, by its number, was changed. Schedulers without control groups ignore it.
    fn set_cgroup(&mut self, cx: &mut Cx<'_>, group: u32, change: CgroupChange) {
        let _ = (cx, group, change);
    }

    /// Another program takes over; only schedulers with [`CheckProgram::later`] are told. It has been checked.
    fn set_program(&mut self, cx: &mut Cx<'_>, program: &str) {
        let _ = (cx, program);
    }

    /// A tunable changed.
    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        let _ = (cx, params);
    }
}
