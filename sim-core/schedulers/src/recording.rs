//! No scheduler: it follows what a machine did. The program of its lane is the recording, as numbers
//! ([`sim_ground::packed`]): how many threads begin asleep and which, then the visits of all CPUs in the order of time.
//! A visit is the ns since the one before, the CPU, and the thread that has it from then on (0: none, else its number
//! and 1).
//!
//! Threads run, sleep and wake by themselves, as everywhere; all of it falls on the recorded times, because each has its
//! CPU when it had it.
//!
//! | hook | what it does |
//! |---|---|
//! | `select_cpu`, `put_prev` | the CPU of the thread's next visit |
//! | `timer` | the time of the next visits: the CPUs reschedule |
//! | `pick_next` | whoever visits the CPU now, if it can run |

use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{ClockId, DequeueFlags, EnqueueFlags, Placement, SwitchReason, TimerId};
use sim_contract::{
    Answer, CheckProgram, EraInfo, Kernel, Observe, Pick, ProgramError, QueueRow, QuietTicks,
    RECORDED, Scheduler, SchedulerInfo, Setup,
};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::packed;
use sim_ground::time::SimTime;
use std::collections::{BTreeSet, VecDeque};

mod reasons {
    sim_contract::reasons!("recording");
}

const fn era(id: &'static str, name: &'static str) -> EraInfo {
    EraInfo {
        id,
        name,
        summary: "What the machine did.",
        year: 2026,
        tunables: &[],
    }
}

const fn entry(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    eras: &'static [EraInfo],
) -> SchedulerInfo {
    SchedulerInfo {
        id,
        name,
        summary,
        family: RECORDED,
        nice_max: 19,
        queue_shape: "perCpuFifo",
        eras,
        cgroups: &[],
        slices: &[],
        reasons: reasons::TABLE,
        task_columns: &[],
        cpu_columns: &[],
        make: |setup| Box::new(Recorded::new(setup)),
        check_program: Some(CheckProgram {
            first: check,
            later: None,
        }),
    }
}

const OF_TRACES: &[EraInfo] = &[era("trace", "a trace")];
const OF_RUNS: &[EraInfo] = &[era("run", "a run for real")];

/// The registry's entry for traces.
pub static OF_TRACE: SchedulerInfo = entry(
    "recorded",
    "Recorded",
    "What a real machine did, from a trace of it. Nothing decides here.",
    OF_TRACES,
);

/// The registry's entry for what threads saw of their own turns.
pub static OF_RUN: SchedulerInfo = entry(
    "thisMachine",
    "This machine",
    "What a machine did with the threads of the scenario, from a file of `timeslice real`. Nothing decides here.",
    OF_RUNS,
);

/// A CPU has another thread, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// When, in ns from the beginning.
    pub at: u64,
    /// Where.
    pub cpu: CpuId,
    /// Who.
    pub task: Option<TaskId>,
}

/// What a lane follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Threads whose first step is a sleep, until the trace first tells of them.
    pub asleep: Vec<TaskId>,
    /// All visits in the order of time.
    pub visits: Vec<Visit>,
}

impl Recording {
    /// The recording as the program of a lane.
    #[must_use]
    pub fn write(&self) -> String {
        let mut numbers = vec![self.asleep.len() as u64];
        numbers.extend(self.asleep.iter().map(|task| u64::from(task.0)));
        let mut before = 0;
        for visit in &self.visits {
            let task = visit.task.map_or(0, |task| u64::from(task.0) + 1);
            numbers.extend([visit.at - before, visit.cpu.0.into(), task]);
            before = visit.at;
        }
        packed::write(numbers)
    }

    /// Reads the program of a lane.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let numbers = packed::read(text)
            .map_err(|at| format!("the character at {at} belongs to no recording"))?;
        let mut numbers = numbers.into_iter();
        let task = |number: u64| u32::try_from(number).map(TaskId).ok();
        let mut recording = Self::default();
        for _ in 0..numbers.next().unwrap_or(0) {
            let asleep = numbers.next().and_then(task);
            let asleep = asleep.ok_or("the list of threads that begin asleep is not whole")?;
            recording.asleep.push(asleep);
        }
        let mut at = 0_u64;
        while let Some(after) = numbers.next() {
            at = at.saturating_add(after);
            let cpu = numbers.next().and_then(|cpu| u16::try_from(cpu).ok());
            let who = numbers.next();
            let (Some(cpu), Some(who)) = (cpu, who) else {
                let number = recording.visits.len();
                return Err(format!("visit {number} has no CPU or no thread"));
            };
            let who = match who {
                0 => None,
                who => Some(task(who - 1).ok_or("a thread's number is too large")?),
            };
            recording.visits.push(Visit {
                at,
                cpu: CpuId(cpu),
                task: who,
            });
        }
        Ok(recording)
    }
}

fn check(
    era: &'static EraInfo,
    program: Option<&str>,
) -> Result<&'static SchedulerInfo, ProgramError> {
    let told = |sentence: String| ProgramError {
        line: 1,
        column: 1,
        sentence,
    };
    let Some(text) = program else {
        let sentence = "a recorded lane needs its recording; `timeslice import TRACE --scenario FILE.json` writes one";
        return Err(told(sentence.to_owned()));
    };
    Recording::read(text).map_err(told)?;
    let is_run = era.id == OF_RUN.eras[0].id;
    Ok(if is_run { &OF_RUN } else { &OF_TRACE })
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    /// The next visit.
    next: usize,
    /// Who visits each CPU.
    here: Vec<Option<TaskId>>,
    queues: Vec<VecDeque<TaskId>>,
    /// Threads that have yet to go to sleep.
    fresh: BTreeSet<TaskId>,
}

struct Recorded {
    visits: Vec<Visit>,
    /// The visits of each thread: when and where.
    of: Vec<Vec<(u64, CpuId)>>,
    st: State,
}

const NEXT: TimerId = 0;

impl Recorded {
    fn new(setup: &Setup) -> Self {
        let text = setup.program.as_deref().unwrap_or_default();
        let mut recording = Recording::read(text).unwrap_or_default();
        recording.visits.retain(|v| v.cpu.index() < setup.cpus);
        let mut of: Vec<Vec<(u64, CpuId)>> = Vec::new();
        for visit in &recording.visits {
            let Some(task) = visit.task else { continue };
            if of.len() <= task.index() {
                of.resize(task.index() + 1, Vec::new());
            }
            of[task.index()].push((visit.at, visit.cpu));
        }
        Self {
            visits: recording.visits,
            of,
            st: State {
                next: 0,
                here: vec![None; setup.cpus],
                queues: vec![VecDeque::new(); setup.cpus],
                fresh: recording.asleep.into_iter().collect(),
            },
        }
    }

    /// The CPU of a thread's next visit; its last one if it has none any more.
    fn next_cpu(&self, cx: &Cx<'_>, task: TaskId) -> CpuId {
        let info = cx.task(task);
        let visits = self.of.get(task.index()).map_or(&[][..], Vec::as_slice);
        let next = visits.get(visits.partition_point(|(at, _)| *at < cx.now.0));
        let cpu = next.map_or(info.last_cpu, |(_, cpu)| *cpu);
        if info.allowed.contains(cpu) {
            return cpu;
        }
        info.allowed.lowest().unwrap_or(cpu)
    }

    /// Takes a waiting thread out of its queue; whether it waited.
    fn take(&mut self, task: TaskId) -> bool {
        for queue in &mut self.st.queues {
            if let Some(at) = queue.iter().position(|t| *t == task) {
                queue.remove(at);
                return true;
            }
        }
        false
    }

    /// Whether a thread has its turn on a CPU now.
    fn is_due(&self, cpu: CpuId, task: TaskId) -> bool {
        self.st.here[cpu.index()] == Some(task) || self.st.fresh.contains(&task)
    }

    /// All visits up to now begin.
    fn arrive(&mut self, cx: &mut Cx<'_>) {
        while let Some(visit) = self.visits.get(self.st.next) {
            if visit.at > cx.now.0 {
                cx.arm(NEXT, SimTime(visit.at));
                return;
            }
            self.st.here[visit.cpu.index()] = visit.task;
            self.st.next += 1;
            if cx.curr[visit.cpu.index()] != visit.task {
                cx.kick(visit.cpu, None);
            }
        }
    }

    fn explain_place(cx: &mut Cx<'_>, task: TaskId, cpu: CpuId) -> DecisionId {
        cx.explain(Some(cpu), Some(task), reasons::NEXT_VISIT, [0; 4])
    }
}

impl Scheduler for Recorded {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.arrive(cx);
    }

    fn timer(&mut self, cx: &mut Cx<'_>, _: TimerId) {
        self.arrive(cx);
    }

    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        let cpu = self.next_cpu(cx, task);
        let why = Self::explain_place(cx, task, cpu);
        Answer::new(Placement::Cpu(cpu), why)
    }

    fn enqueue(&mut self, _: &mut Cx<'_>, place: Placement, task: TaskId, _: EnqueueFlags) {
        self.st.queues[place.cpu().index()].push_back(task);
    }

    fn check_preempt(
        &mut self,
        _: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        _: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        let cpu = place.cpu();
        Answer::undecided(self.is_due(cpu, task).then_some(cpu))
    }

    fn dequeue(&mut self, _: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        self.take(task);
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let Some(prev) = prev.filter(|_| why.stays_runnable()) else {
            return;
        };
        let to = self.next_cpu(cx, prev);
        self.st.queues[to.index()].push_back(prev);
        if to != cpu {
            let why = Self::explain_place(cx, prev, to);
            cx.moved(prev, Some(to), why);
            if self.is_due(to, prev) {
                cx.kick(to, why);
            }
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let queue = &self.st.queues[cpu.index()];
        let fresh = queue.iter().copied().find(|t| self.st.fresh.contains(t));
        let Some(task) = fresh.or(self.st.here[cpu.index()]) else {
            return Answer::undecided(None);
        };
        if !cx.task(task).allowed.contains(cpu) || !self.take(task) {
            return Answer::undecided(None);
        }
        self.st.fresh.remove(&task);
        let why = cx.explain(Some(cpu), Some(task), reasons::VISIT, [0; 4]);
        let pick = Pick {
            task,
            cause: Some(reasons::OTHER_CPU),
        };
        Answer::new(Some(pick), why)
    }
}

// Ticks do nothing.
impl QuietTicks for Recorded {
    fn quiet_until(&self, _: &Cx<'_>, _: CpuId, _: ClockId, _: SimTime, _: u64) -> SimTime {
        SimTime::NEVER
    }
}

impl Kernel for Recorded {}

impl Observe for Recorded {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for (cpu, queue) in self.st.queues.iter().enumerate() {
            out.extend(QueueRow::list(CpuId::new(cpu), queue));
        }
    }
}

sim_contract::keeps_state!(Recorded, st);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_comes_back_from_its_text() {
        let visit = |at, cpu, task: Option<u32>| Visit {
            at,
            cpu: CpuId(cpu),
            task: task.map(TaskId),
        };
        let recording = Recording {
            asleep: vec![TaskId(1), TaskId(4)],
            visits: vec![
                visit(0, 0, Some(0)),
                visit(0, 3, Some(7)),
                visit(90, 0, None),
            ],
        };
        assert_eq!(Recording::read(&recording.write()), Ok(recording));
        let told = |numbers: &[u64]| Recording::read(&packed::write(numbers.iter().copied()));
        assert!(told(&[3, 1]).unwrap_err().contains("asleep"));
        assert!(told(&[0, 1, 1, 1, 5]).unwrap_err().starts_with("visit 1 "));
        assert!(Recording::read("?").is_err());
    }
}
