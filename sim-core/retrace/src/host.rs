//! What an engine is to a scheduler, for a run whose times and choices are given.
//!
//! Each CPU has its own clock, which only moves by what the trace says: by each accounting, exactly, and to the time of an
//! event when the CPU comes back from others. So the scheduler charges what the kernel charged, to the ns.
//!
//! Whatever else has a CPU (other groups, other classes, idleness) is one stand-in of the real-time class: its arrival puts
//! what runs back into its queue, and its end is a fresh pick.

use sim_contract::cx::{Cx, Requests, TaskInfo};
use sim_contract::decision::{Decision, DecisionId, DecisionLog, Level};
use sim_contract::flags::{DequeueFlags, EnqueueFlags, Placement, Policy, SwitchReason};
use sim_contract::shape::{QueueDetail, QueueDetailContext};
use sim_contract::{Answer, Asked, Scheduler, SchedulerInfo, Setup};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::params::Params;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::{Machine, registry};

/// Decisions that are kept until they are read.
const KEPT: usize = 64;
/// Real-time priority of the stand-ins.
const STAND_IN: u8 = 50;

/// A scheduler and all that it sees.
pub(crate) struct Host {
    sched: Box<dyn Scheduler>,
    machine: Machine,
    tasks: Vec<TaskInfo>,
    curr: Vec<Option<TaskId>>,
    clocks: Vec<u64>,
    /// The stand-in of each CPU.
    others: Vec<TaskId>,
    flagged: CpuMask,
    rng: Rng,
    log: DecisionLog,
}

/// What a hook asked for.
pub(crate) struct Hooked<T> {
    pub(crate) value: T,
    /// The CPUs that must reschedule.
    pub(crate) kicks: Vec<CpuId>,
}

impl Host {
    /// A scheduler in an era on so many CPUs; all of them have something else to do.
    pub(crate) fn new(
        info: &'static SchedulerInfo,
        era: &'static str,
        params: Params,
        cpus: usize,
    ) -> Option<Self> {
        let mut spec = registry::spec("ideal")?;
        let cores = spec.topology.packages.first_mut()?;
        let cores = cores.nodes.first_mut()?.llcs.first_mut()?;
        cores.cores.first_mut()?.count = u16::try_from(cpus).ok()?;
        let setup = Setup {
            era,
            params,
            cpus,
            nodes: 1,
            program: None,
            cgroups: sim_contract::cgroup::Cgroups::default(),
        };
        let mut host = Self {
            sched: (info.make)(&setup),
            machine: Machine::new(&spec).ok()?,
            tasks: Vec::new(),
            curr: vec![None; cpus],
            clocks: vec![0; cpus],
            others: Vec::new(),
            flagged: CpuMask::EMPTY,
            rng: Rng::stream(1, "scheduler", 0),
            log: DecisionLog::new(KEPT, info.reasons.len(), cpus),
        };
        host.log.level = Level::Full;
        for cpu in (0..cpus).map(CpuId::new) {
            let task = host.add(TaskInfo {
                policy: Policy::Fifo,
                rt_priority: STAND_IN,
                allowed: CpuMask::only(cpu),
                ..host.ordinary(cpu, 0)
            });
            host.others.push(task);
            host.hook(cpu, |s, cx| {
                s.task_new(cx, task, None);
                s.enqueue(cx, Placement::Cpu(cpu), task, EnqueueFlags::New);
                s.put_prev(cx, cpu, None, SwitchReason::Resched);
                s.pick_next(cx, cpu)
            });
            host.curr[cpu.index()] = Some(task);
        }
        Some(host)
    }

    /// A thread of the fair class that last ran on a CPU.
    pub(crate) fn ordinary(&self, cpu: CpuId, nice: i8) -> TaskInfo {
        TaskInfo {
            group: GroupId(0),
            process: 0,
            nice,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            allowed: CpuMask::first(self.curr.len()),
            last_cpu: cpu,
            parent: None,
            background: false,
            kernel_thread: false,
        }
    }

    fn add(&mut self, info: TaskInfo) -> TaskId {
        let task = TaskId::new(self.tasks.len());
        self.tasks.push(info);
        task
    }

    fn hook<T>(
        &mut self,
        cpu: CpuId,
        call: impl FnOnce(&mut dyn Scheduler, &mut Cx<'_>) -> T,
    ) -> Hooked<T> {
        let mut requests = Requests::default();
        let mut cx = Cx {
            now: SimTime(self.clocks[cpu.index()]),
            cpu: Some(cpu),
            turn: None,
            interrupt: false,
            machine: &self.machine,
            tasks: &self.tasks,
            memory: &[],
            curr: &self.curr,
            flagged: &self.flagged,
            idle_exits: &[],
            rng: &mut self.rng,
            requests: &mut requests,
            log: &mut self.log,
        };
        let value = call(self.sched.as_mut(), &mut cx);
        let kicks = requests.kicks.into_iter().map(|(cpu, _)| cpu).collect();
        Hooked { value, kicks }
    }

    /// The thread of interest that runs on a CPU.
    pub(crate) fn running(&self, cpu: CpuId) -> Option<TaskId> {
        let curr = self.curr[cpu.index()];
        curr.filter(|task| *task != self.others[cpu.index()])
    }

    /// A CPU had this much more time.
    pub(crate) fn advance(&mut self, cpu: CpuId, ns: u64) {
        self.clocks[cpu.index()] += ns;
    }

    /// It is at least this late on a CPU that others have.
    pub(crate) fn wait_until(&mut self, cpu: CpuId, at: u64) {
        if self.running(cpu).is_none() {
            let clock = &mut self.clocks[cpu.index()];
            *clock = at.max(*clock);
        }
    }

    /// The kernel charged what runs. The answer is whether that asks for a reschedule.
    pub(crate) fn charge(&mut self, cpu: CpuId) -> bool {
        let hooked = self.hook(cpu, |s, cx| s.charge(cx, cpu));
        hooked.kicks.contains(&cpu)
    }

    /// A thread begins; it is not yet queued.
    pub(crate) fn begin(&mut self, cpu: CpuId, nice: i8, parent: Option<TaskId>) -> TaskId {
        let info = TaskInfo {
            parent,
            ..self.ordinary(cpu, nice)
        };
        let task = self.add(info);
        self.hook(cpu, |s, cx| s.task_new(cx, task, parent));
        task
    }

    /// A thread is queued. The answer is whether what runs there must leave, and why.
    pub(crate) fn enqueue(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<bool> {
        let place = Placement::Cpu(cpu);
        let hooked = self.hook(cpu, |s, cx| {
            if flags == EnqueueFlags::Wakeup {
                s.waking(cx, task);
            }
            s.enqueue(cx, place, task, flags);
            s.check_preempt(cx, place, task, flags)
        });
        let asks = hooked.value.value == Some(cpu) || hooked.kicks.contains(&cpu);
        Answer::new(asks, hooked.value.why)
    }

    /// The thread that runs on a CPU blocks or ends.
    pub(crate) fn dequeue(&mut self, cpu: CpuId, task: TaskId, flags: DequeueFlags) {
        self.hook(cpu, |s, cx| s.dequeue(cx, task, flags));
    }

    /// A thread has ended.
    pub(crate) fn end(&mut self, cpu: CpuId, task: TaskId) {
        self.hook(cpu, |s, cx| s.task_exit(cx, task));
    }

    /// Others get the CPU.
    pub(crate) fn give_away(&mut self, cpu: CpuId, why: SwitchReason) {
        let (other, prev) = (self.others[cpu.index()], self.curr[cpu.index()]);
        if prev == Some(other) {
            return;
        }
        self.hook(cpu, |s, cx| {
            s.enqueue(cx, Placement::Cpu(cpu), other, EnqueueFlags::Wakeup);
            s.put_prev(cx, cpu, prev, why);
            s.pick_next(cx, cpu)
        });
        self.left(cpu, prev);
        self.curr[cpu.index()] = Some(other);
    }

    /// Nobody of interest waits on a CPU that others have: a pick among those who sleep and still count lets them leave.
    pub(crate) fn empty(&mut self, cpu: CpuId) {
        let other = self.others[cpu.index()];
        self.hook(cpu, |s, cx| {
            s.dequeue(cx, other, DequeueFlags::Sleep);
            s.put_prev(cx, cpu, Some(other), SwitchReason::Block);
            s.pick_next(cx, cpu)
        });
        self.curr[cpu.index()] = None;
        self.give_away(cpu, SwitchReason::Resched);
    }

    /// The CPU gets the thread that the kernel chose. The answer is what the rules choose; `None` if they know nothing of
    /// this thread on this CPU. Then the CPU is still in between, and this is called again.
    pub(crate) fn take(
        &mut self,
        cpu: CpuId,
        given: TaskId,
        why: SwitchReason,
    ) -> Option<(Asked, Decision)> {
        let (other, prev) = (self.others[cpu.index()], self.curr[cpu.index()]);
        let hooked = self.hook(cpu, |s, cx| {
            if prev == Some(other) {
                s.dequeue(cx, other, DequeueFlags::Sleep);
                s.put_prev(cx, cpu, prev, SwitchReason::Block);
            } else if prev.is_some() {
                s.put_prev(cx, cpu, prev, why);
            }
            s.pick_given(cx, cpu, given)
        });
        self.left(cpu, prev);
        let Answer { value, why } = hooked.value;
        self.curr[cpu.index()] = value.is_some().then_some(given);
        Some((value?, self.decision(why?)?))
    }

    fn left(&mut self, cpu: CpuId, prev: Option<TaskId>) {
        if let Some(prev) = prev {
            self.tasks[prev.index()].last_cpu = cpu;
        }
    }

    /// A decision that has just been made.
    pub(crate) fn decision(&self, why: DecisionId) -> Option<Decision> {
        self.log.get(why.number()).cloned()
    }

    /// The queue of a CPU as it stands, with whom a pick would choose now.
    pub(crate) fn queue(&self, cpu: CpuId) -> QueueDetail {
        let around = QueueDetailContext {
            machine: &self.machine,
            tasks: &self.tasks,
        };
        self.sched.queue_detail(&around, cpu)
    }

    /// A thread has another nice value.
    pub(crate) fn renice(&mut self, cpu: CpuId, task: TaskId, nice: i8, queued: bool) {
        let old = std::mem::replace(&mut self.tasks[task.index()].nice, nice);
        self.hook(cpu, |s, cx| s.set_nice(cx, task, old, queued));
    }

    /// The thread that runs on a CPU gives way of itself.
    pub(crate) fn yields(&mut self, cpu: CpuId, task: TaskId) {
        self.hook(cpu, |s, cx| s.yield_task(cx, cpu, task));
    }

    /// A thread asks for a slice.
    pub(crate) fn ask_slice(&mut self, cpu: CpuId, task: TaskId, ns: u64) {
        self.tasks[task.index()].slice_ns = ns;
        self.hook(cpu, |s, cx| s.set_slice(cx, task));
    }

    /// A thread that does not run goes to the queue of another CPU, if it is in one.
    pub(crate) fn move_to(&mut self, from: CpuId, to: CpuId, task: TaskId) {
        let all = CpuMask::first(self.curr.len());
        self.tasks[task.index()].allowed = CpuMask::only(to);
        self.hook(from, |s, cx| s.set_allowed(cx, task, true));
        self.tasks[task.index()].allowed = all;
    }
}
