//! Direct calls of hooks, for cases that no scenario produces.

use super::pick::Search;
use super::{Bfs, INFO};
use sim_contract::cx::{Cx, Requests, TaskInfo};
use sim_contract::decision::{DecisionLog, Level};
use sim_contract::flags::{EnqueueFlags, Placement, Policy, SwitchReason};
use sim_contract::{Scheduler, Setup};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::params::Params;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::{Machine, registry};

/// The scheduler on a machine. The engine is reduced to what the hooks see.
struct Bench {
    machine: Machine,
    tasks: Vec<TaskInfo>,
    curr: Vec<Option<TaskId>>,
    sched: Bfs,
}

impl Bench {
    fn new() -> Self {
        Self::on("i7860")
    }

    fn on(preset: &str) -> Self {
        let machine = registry::preset(preset).expect("a preset");
        let cpus = machine.cpu_count();
        Self {
            tasks: Vec::new(),
            curr: vec![None; cpus],
            sched: Bfs::new(&Setup {
                era: INFO.eras[0].id,
                params: Params::defaults(INFO.eras[0].tunables),
                cpus,
                nodes: machine.node_count(),
                program: None,
                cgroups: sim_contract::cgroup::Cgroups::default(),
            }),
            machine,
        }
    }

    fn hook<T>(&mut self, call: impl FnOnce(&mut Bfs, &mut Cx<'_>) -> T) -> T {
        let mut cx = Cx {
            now: SimTime::ZERO,
            cpu: None,
            turn: None,
            interrupt: false,
            machine: &self.machine,
            tasks: &self.tasks,
            memory: &[],
            curr: &self.curr,
            flagged: &CpuMask::EMPTY,
            idle_exits: &[],
            rng: &mut Rng::stream(1, "scheduler", 0),
            requests: &mut Requests::default(),
            log: &mut DecisionLog::new(0, INFO.reasons.len(), 256),
        };
        call(&mut self.sched, &mut cx)
    }

    /// A task in the queue.
    fn queued(&mut self, nice: i8) -> TaskId {
        let task = TaskId::new(self.tasks.len());
        self.tasks.push(TaskInfo {
            group: GroupId(0),
            process: task.0,
            nice,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            allowed: CpuMask::first(self.curr.len()),
            last_cpu: CpuId(0),
            parent: None,
            background: false,
            kernel_thread: false,
        });
        self.hook(|sched, cx| {
            sched.task_new(cx, task, None);
            sched.enqueue(cx, Placement::Shared, task, EnqueueFlags::New);
        });
        task
    }

    /// A CPU enters the scheduler.
    fn schedule(&mut self, cpu: CpuId, why: SwitchReason) {
        let prev = self.curr[cpu.index()];
        let next = self.hook(|sched, cx| {
            sched.put_prev(cx, cpu, prev, why);
            sched.pick_next(cx, cpu)
        });
        self.curr[cpu.index()] = next.value.map(|p| p.task);
    }

    fn target(&mut self, task: TaskId, flags: EnqueueFlags) -> Option<CpuId> {
        self.hook(|sched, cx| sched.check_preempt(cx, Placement::Shared, task, flags))
            .value
    }
}

/// `try_to_wake_up` @ 0.318; confirmed by running the real code.
#[test]
fn a_synchronous_wakeup_preempts_nobody_but_takes_an_idle_cpu() {
    let mut bench = Bench::new();
    for cpu in 0..bench.curr.len() {
        bench.queued(0);
        bench.schedule(CpuId::new(cpu), SwitchReason::Resched);
    }
    assert!(bench.curr.iter().all(Option::is_some), "every CPU is busy");
    let woken = bench.queued(-20);
    assert_eq!(bench.target(woken, EnqueueFlags::SyncWakeup), None);
    assert!(
        bench.target(woken, EnqueueFlags::Wakeup).is_some(),
        "its deadline is early enough to preempt"
    );
    bench.sched.st.grq.remove(woken);
    bench.schedule(CpuId(3), SwitchReason::Exit);
    assert_eq!(bench.curr[3], None, "nothing waits");
    bench.sched.st.grq.push_back(woken, 101, 0);
    let idle = bench.target(woken, EnqueueFlags::SyncWakeup);
    assert_eq!(idle, Some(CpuId(3)));
}

/// After long walks a list is searched by deadline. The result must be the same.
#[test]
fn a_search_by_deadline_finds_whom_a_walk_along_the_list_finds() {
    let mut bench = Bench::on("epyc9654");
    let mut rng = Rng::stream(4, "order test", 0);
    let cpus = u32::try_from(bench.curr.len()).expect("few");
    let any_cpu = |rng: &mut Rng| CpuId::new(rng.below(cpus) as usize);
    for i in 0..300 {
        let nice = [0, 0, 5, -20][rng.below(4) as usize];
        let task = bench.queued(nice);
        let last = any_cpu(&mut rng);
        if i % 7 == 0 {
            bench.tasks[task.index()].allowed = CpuMask::only(any_cpu(&mut rng));
        }
        let st = &mut bench.sched.st;
        let t = &mut st.tasks[task.index()];
        (t.cpu, t.deadline) = (last, t.deadline + rng.below_u64(900));
        st.grq.remove(task);
        bench.hook(|sched, cx| sched.st.queue_task(cx, task));
    }
    let mut searched = 0;
    for _ in 0..3_000 {
        let cpu = any_cpu(&mut rng);
        let task = TaskId(rng.below(300));
        let deadline = bench.sched.st.tasks[task.index()].deadline / 2 + rng.below_u64(600);
        let st = &mut bench.sched.st;
        st.tasks[task.index()].deadline = deadline;
        st.grq.set_deadline(task, deadline);
        let search = |bench: &mut Bench, level| {
            bench.hook(|sched, cx| {
                cx.log.level = level;
                let now = sched.st.math.clock(cx.now.0);
                let Search { found, looked, .. } = sched.st.earliest_deadline_task(cx, cpu, now);
                found.map(|f| (f.task, f.reason, f.key, looked))
            })
        };
        let walked = search(&mut bench, Level::Full);
        assert_eq!(search(&mut bench, Level::Code), walked);
        searched += u32::from(bench.sched.st.grq.order(101).is_some());
        // The task is taken, and comes back at the end of the list as one that last ran on this CPU.
        let picked = bench.hook(|sched, cx| sched.st.take_next(cx, cpu).value);
        if let Some(task) = picked {
            let deadline = rng.below_u64(900);
            bench.sched.st.tasks[task.index()].deadline = deadline;
            bench.hook(|sched, cx| sched.st.queue_task(cx, task));
        }
    }
    assert!(searched > 2_000, "{searched}: the order is kept");
}
