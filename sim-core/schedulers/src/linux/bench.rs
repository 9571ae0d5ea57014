//! Direct calls of hooks in tests, for cases that no scenario produces. The engine is reduced to what the hooks see.

use sim_contract::cx::{Cx, Requests, TaskInfo};
use sim_contract::decision::DecisionLog;
use sim_contract::flags::{EnqueueFlags, Placement, Policy, SwitchReason};
use sim_contract::{Scheduler, SchedulerInfo, Setup};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::params::{ParamMap, ParamValue, Params};
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::{Machine, registry};

/// A scheduler on an i7 860.
pub(crate) struct Bench<S> {
    pub(crate) machine: Machine,
    pub(crate) tasks: Vec<TaskInfo>,
    /// The running task of each CPU.
    pub(crate) curr: Vec<Option<TaskId>>,
    /// Exit latency of the idle state of each CPU in ns; none is known if it is empty.
    pub(crate) idle_exits: Vec<u32>,
    /// The time in ns.
    pub(crate) now: u64,
    pub(crate) sched: S,
    reasons: usize,
}

impl<S: Scheduler> Bench<S> {
    /// The scheduler after its start. `now` is the time of the first hooks.
    pub(crate) fn of(
        info: &SchedulerInfo,
        era: usize,
        tunables: &[(&str, ParamValue)],
        now: u64,
        make: impl FnOnce(&Setup) -> S,
    ) -> Self {
        let machine = registry::preset("i7860").expect("a preset");
        let cpus = machine.cpu_count();
        let named = tunables.iter();
        let map: ParamMap = named
            .map(|(id, value)| ((*id).to_owned(), value.clone()))
            .collect();
        let era = &info.eras[era];
        let sched = make(&Setup {
            era: era.id,
            params: Params::from_map(era.tunables, &map).expect("tunables"),
            cpus,
            nodes: machine.node_count(),
            program: None,
            cgroups: sim_contract::cgroup::Cgroups::default(),
        });
        let mut bench = Self {
            tasks: Vec::new(),
            curr: vec![None; cpus],
            idle_exits: Vec::new(),
            now,
            sched,
            reasons: info.reasons.len(),
            machine,
        };
        bench.hook(|sched, cx| sched.start(cx));
        bench
    }

    /// Calls hooks on CPU 0.
    pub(crate) fn hook<T>(&mut self, call: impl FnOnce(&mut S, &mut Cx<'_>) -> T) -> T {
        let mut cx = Cx {
            now: SimTime(self.now),
            cpu: Some(CpuId(0)),
            turn: None,
            interrupt: false,
            machine: &self.machine,
            tasks: &self.tasks,
            memory: &[],
            curr: &self.curr,
            flagged: &CpuMask::EMPTY,
            idle_exits: &self.idle_exits,
            rng: &mut Rng::stream(1, "scheduler", 0),
            requests: &mut Requests::default(),
            log: &mut DecisionLog::new(0, self.reasons, 256),
        };
        call(&mut self.sched, &mut cx)
    }

    /// A task of nice 0 that may run on any CPU and has run on the given one.
    pub(crate) fn ordinary(&self, cpu: u16, process: u32) -> TaskInfo {
        TaskInfo {
            group: GroupId(0),
            process,
            nice: 0,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            allowed: CpuMask::first(self.curr.len()),
            last_cpu: CpuId(cpu),
            parent: None,
            background: false,
            kernel_thread: false,
        }
    }

    /// Adds a new task to the queue of the CPU on which it has run.
    pub(crate) fn queue(&mut self, info: TaskInfo) -> TaskId {
        let task = TaskId::new(self.tasks.len());
        let place = Placement::Cpu(info.last_cpu);
        self.tasks.push(info);
        self.hook(|sched, cx| {
            sched.task_new(cx, task, None);
            sched.enqueue(cx, place, task, EnqueueFlags::New);
        });
        task
    }

    /// A CPU enters the scheduler.
    pub(crate) fn enter(&mut self, cpu: u16, why: SwitchReason) {
        let prev = self.curr[usize::from(cpu)];
        let next = self.hook(|sched, cx| {
            sched.put_prev(cx, CpuId(cpu), prev, why);
            sched.pick_next(cx, CpuId(cpu))
        });
        self.curr[usize::from(cpu)] = next.value.map(|p| p.task);
    }
}
