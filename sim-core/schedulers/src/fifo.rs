//! Baselines: a queue per CPU, round robin, and a placement that decides each thread's home.
//!
//! Not a model of any kernel. Threads of the workload stay on their home CPU. A background thread takes an idle CPU if
//! there is one (an idle core first); otherwise it runs at once on its last CPU.
//!
//! | hook | what it does |
//! |---|---|
//! | `select_cpu` | the home CPU; for background threads an idle CPU |
//! | `check_preempt` | signals the CPU if it is idle, or if the thread is a background thread and the running one is not |
//! | `tick` | ends a slice when others wait |
//! | `timer` | `random`: draws all homes again |

use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{ClockId, DequeueFlags, EnqueueFlags, Placement, SwitchReason, TimerId};
use sim_contract::{Answer, Kernel, Observe, Pick, QueueRow, QuietTicks, Scheduler, Setup};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::{ParamSpec, Params};
use sim_ground::time::{SimSpan, SimTime};
use std::collections::VecDeque;

pub(super) mod reasons {
    sim_contract::reasons!("fifo");
}

/// Tunables of the baselines.
pub(super) const SLICE_MS: ParamSpec = ParamSpec::int("sliceMs", 1, 1_000, 10)
    .label("slice")
    .unit("ms")
    .summary("How long a thread runs while others wait for its CPU.")
    .assumed("a choice");

/// How home CPUs are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Homes {
    /// One thread per core first, then the siblings.
    CoresFirst,
    /// A random CPU among those with the fewest threads.
    Random,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct BaselineState {
    slice_ns: u64,
    reshuffle_ns: u64,
    queues: Vec<VecDeque<TaskId>>,
    started: Vec<u64>,
    /// Home of each task; its last CPU for background tasks.
    home: Vec<CpuId>,
    /// Whether the task counts in the placement of other tasks.
    counted: Vec<bool>,
    reshuffled: bool,
}

/// A baseline.
pub(super) struct Baseline {
    homes: Homes,
    st: BaselineState,
}

const RESHUFFLE_TIMER: TimerId = 0;

impl Baseline {
    pub(super) fn new(homes: Homes, setup: &Setup) -> Self {
        Self {
            homes,
            st: BaselineState {
                slice_ns: setup.params.get_u64("sliceMs") * 1_000_000,
                reshuffle_ns: reshuffle_ns(homes, &setup.params),
                queues: vec![VecDeque::new(); setup.cpus],
                started: vec![0; setup.cpus],
                home: Vec::new(),
                counted: Vec::new(),
                reshuffled: false,
            },
        }
    }

    /// Number of counted tasks whose home each CPU is.
    fn residents(&self) -> Vec<u32> {
        let mut n = vec![0; self.st.queues.len()];
        for (home, counted) in self.st.home.iter().zip(&self.st.counted) {
            if *counted {
                n[home.index()] += 1;
            }
        }
        n
    }

    fn choose_home(&self, cx: &mut Cx<'_>, allowed: &CpuMask) -> CpuId {
        let residents = self.residents();
        let candidates: Vec<CpuId> = cx
            .machine
            .cpu_ids()
            .filter(|c| allowed.contains(*c))
            .collect();
        let fewest = candidates.iter().map(|c| residents[c.index()]).min();
        let open: Vec<CpuId> = candidates
            .into_iter()
            .filter(|c| Some(residents[c.index()]) == fewest)
            .collect();
        match self.homes {
            Homes::Random => {
                let i = cx.rng.below(u32::try_from(open.len()).unwrap_or(1));
                open.get(i as usize).copied().unwrap_or_default()
            }
            Homes::CoresFirst => {
                let on_core = |c: &CpuId| -> u32 {
                    let siblings = cx.machine.siblings(*c);
                    siblings.iter().map(|s| residents[s.index()]).sum()
                };
                open.iter()
                    .copied()
                    .min_by_key(|c| (on_core(c), c.0))
                    .unwrap_or_default()
            }
        }
    }

    /// An idle CPU for a background task, an idle core first; its last CPU if none is idle.
    fn idle_cpu(cx: &Cx<'_>, task: TaskId) -> CpuId {
        let info = cx.task(task);
        let idle = |c: CpuId| cx.curr[c.index()].is_none() && !cx.flagged.contains(c);
        let rank = |c: &CpuId| {
            let sibling_busy = cx.machine.siblings(*c).iter().any(|s| !idle(s));
            (sibling_busy, *c != info.last_cpu, c.0)
        };
        cx.machine
            .cpu_ids()
            .filter(|c| info.allowed.contains(*c) && idle(*c))
            .min_by_key(rank)
            .unwrap_or(info.last_cpu)
    }

    fn residents_of(&self, home: CpuId) -> i64 {
        i64::from(self.residents()[home.index()])
    }

    fn explain_home(&self, cx: &mut Cx<'_>, task: TaskId, home: CpuId) -> DecisionId {
        let operands = [self.residents_of(home), 0, 0, 0];
        cx.explain(Some(home), Some(task), reasons::HOME_CPU, operands)
    }

    /// Records that the task has a new home.
    fn explain_new_home(&self, cx: &mut Cx<'_>, task: TaskId, old: CpuId) -> DecisionId {
        let home = self.st.home[task.index()];
        let operands = [self.residents_of(home), i64::from(old.0), 0, 0];
        cx.explain(Some(home), Some(task), reasons::NEW_HOME, operands)
    }

    fn push(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, front: bool) {
        let queue = &mut self.st.queues[cpu.index()];
        if front {
            queue.push_front(task);
        } else {
            queue.push_back(task);
        }
        cx.requery(cpu);
    }
}

fn reshuffle_ns(homes: Homes, params: &Params) -> u64 {
    match homes {
        Homes::CoresFirst => 0,
        Homes::Random => params.get_u64("reshuffleMs") * 1_000_000,
    }
}

impl Scheduler for Baseline {
    fn start(&mut self, cx: &mut Cx<'_>) {
        if self.st.reshuffle_ns > 0 {
            cx.arm(RESHUFFLE_TIMER, cx.now + SimSpan(self.st.reshuffle_ns));
        }
    }

    fn timer(&mut self, cx: &mut Cx<'_>, _: TimerId) {
        self.st.reshuffled = true;
        let moving: Vec<TaskId> = (0..self.st.home.len())
            .map(TaskId::new)
            .filter(|t| self.st.counted[t.index()])
            .collect();
        for task in &moving {
            self.st.counted[task.index()] = false;
        }
        for task in moving {
            let allowed = cx.task(task).allowed;
            let home = self.choose_home(cx, &allowed);
            self.st.counted[task.index()] = true;
            let old = std::mem::replace(&mut self.st.home[task.index()], home);
            if old == home {
                continue;
            }
            let why = self.explain_new_home(cx, task, old);
            let queue = &mut self.st.queues[old.index()];
            if let Some(at) = queue.iter().position(|t| *t == task) {
                queue.remove(at);
                self.push(cx, home, task, false);
                cx.moved(task, Some(home), why);
                cx.kick(home, why);
            } else if cx.curr[old.index()] == Some(task) {
                cx.kick(old, why);
            }
        }
        if self.st.reshuffle_ns > 0 {
            cx.arm(RESHUFFLE_TIMER, cx.now + SimSpan(self.st.reshuffle_ns));
        }
    }

    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, _: Option<TaskId>) {
        let info = cx.task(task);
        let (allowed, background, last) = (info.allowed, info.background, info.last_cpu);
        let home = if background {
            last
        } else {
            self.choose_home(cx, &allowed)
        };
        // Tasks start in any order: lower numbers may start later.
        if self.st.home.len() <= task.index() {
            self.st.home.resize(task.index() + 1, home);
            self.st.counted.resize(task.index() + 1, false);
        }
        self.st.home[task.index()] = home;
        self.st.counted[task.index()] = !background;
    }

    fn task_exit(&mut self, _: &mut Cx<'_>, task: TaskId) {
        self.st.counted[task.index()] = false;
    }

    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        if cx.task(task).background {
            let cpu = Self::idle_cpu(cx, task);
            let why = cx.explain(Some(cpu), Some(task), reasons::IDLE_CPU, [0; 4]);
            return Answer::new(Placement::Cpu(cpu), why);
        }
        let home = self.st.home[task.index()];
        let why = self.explain_home(cx, task, home);
        Answer::new(Placement::Cpu(home), why)
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, _: EnqueueFlags) {
        let cpu = match place {
            Placement::Cpu(cpu) => cpu,
            Placement::Shared => self.st.home[task.index()],
        };
        let front = cx.task(task).background;
        self.push(cx, cpu, task, front);
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        _: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        let Placement::Cpu(cpu) = place else {
            return Answer::undecided(None);
        };
        Answer::undecided(match cx.curr[cpu.index()] {
            None => Some(cpu),
            Some(curr) => (cx.task(task).background && !cx.task(curr).background).then_some(cpu),
        })
    }

    fn dequeue(&mut self, _: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        for queue in &mut self.st.queues {
            queue.retain(|t| *t != task);
        }
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let Some(prev) = prev else { return };
        if !matches!(why, SwitchReason::Resched | SwitchReason::Yield) {
            return;
        }
        let info = cx.task(prev);
        let target = if info.background {
            cpu
        } else {
            self.st.home[prev.index()]
        };
        let target = if cx.task(prev).allowed.contains(target) {
            target
        } else {
            cx.task(prev).allowed.lowest().unwrap_or(cpu)
        };
        let ran = cx.now.since(SimTime(self.st.started[cpu.index()])).0;
        if target == cpu && ran >= self.st.slice_ns {
            let ns = |x: u64| i64::try_from(x).unwrap_or(i64::MAX);
            cx.explain(
                Some(cpu),
                Some(prev),
                reasons::SLICE_EXPIRED,
                [ns(ran), ns(self.st.slice_ns), 0, 0],
            );
        }
        self.push(cx, target, prev, false);
        if target != cpu {
            let why = self.explain_home(cx, prev, target);
            cx.moved(prev, Some(target), why);
            cx.kick(target, why);
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let queue = &mut self.st.queues[cpu.index()];
        let waiting = i64::try_from(queue.len()).unwrap_or(i64::MAX);
        let Some(task) = queue.pop_front() else {
            return Answer::undecided(None);
        };
        self.st.started[cpu.index()] = cx.now.0;
        let why = cx.explain(
            Some(cpu),
            Some(task),
            reasons::NEXT_IN_LINE,
            [waiting, 0, 0, 0],
        );
        let cause = if self.st.reshuffled && !cx.task(task).background {
            reasons::RESHUFFLE
        } else {
            reasons::FIXED_PLACEMENT
        };
        let pick = Pick {
            task,
            cause: Some(cause),
        };
        Answer::new(Some(pick), why)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        cx.curr[cpu.index()].is_some()
            && !self.st.queues[cpu.index()].is_empty()
            && cx.now.0 >= self.st.started[cpu.index()] + self.st.slice_ns
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let (allowed, background) = (cx.task(task).allowed, cx.task(task).background);
        let old = self.st.home[task.index()];
        if !background && !allowed.contains(old) {
            self.st.counted[task.index()] = false;
            self.st.home[task.index()] = self.choose_home(cx, &allowed);
            self.st.counted[task.index()] = true;
        }
        let home = self.st.home[task.index()];
        if queued {
            self.dequeue(cx, task, DequeueFlags::Sleep);
            self.push(cx, home, task, false);
            let why = self.explain_new_home(cx, task, old);
            cx.moved(task, Some(home), why);
            cx.kick(home, why);
        } else if let Some(cpu) = cx.curr.iter().position(|c| *c == Some(task)) {
            let cpu = CpuId::new(cpu);
            if !allowed.contains(cpu) || (!background && cpu != home) {
                let why = self.explain_new_home(cx, task, old);
                cx.kick(cpu, why);
            }
        }
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        self.st.slice_ns = params.get_u64("sliceMs") * 1_000_000;
        let was = self.st.reshuffle_ns;
        self.st.reshuffle_ns = reshuffle_ns(self.homes, params);
        if was == 0 {
            self.start(cx);
        }
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
    }
}

// A tick only compares times: quiet ticks need no catching up.
impl QuietTicks for Baseline {
    fn quiet_until(&self, cx: &Cx<'_>, cpu: CpuId, _: ClockId, _: SimTime, _: u64) -> SimTime {
        if cx.curr[cpu.index()].is_none() || self.st.queues[cpu.index()].is_empty() {
            SimTime::NEVER
        } else {
            SimTime(self.st.started[cpu.index()] + self.st.slice_ns)
        }
    }
}

impl Kernel for Baseline {}

impl Observe for Baseline {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for (cpu, queue) in self.st.queues.iter().enumerate() {
            out.extend(QueueRow::list(CpuId::new(cpu), queue));
        }
    }
}

sim_contract::keeps_state!(Baseline, st);
