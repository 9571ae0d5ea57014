//! Direct calls of hooks, for choices that no scenario produces exactly. The numbers in the names are those of the
//! facts in `tests/conformance`; all were confirmed by running the real code.

use super::add::End;
use super::{FourBsd, INFO, ThreadActivity, reasons};
use sim_contract::cx::{Cx, Requests, TaskInfo};
use sim_contract::decision::DecisionLog;
use sim_contract::flags::{DequeueFlags, Policy};
use sim_contract::{Scheduler, Setup};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::params::{ParamValue, Params};
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::{Machine, registry};

/// The scheduler on a machine of eight CPUs. The engine is reduced to what the hooks see.
struct Bench {
    machine: Machine,
    tasks: Vec<TaskInfo>,
    curr: Vec<Option<TaskId>>,
    requests: Requests,
    sched: FourBsd,
}

impl Bench {
    fn new(era_id: &str, fuzz: i64) -> Self {
        let machine = registry::preset("i7860").expect("a preset");
        let cpus = machine.cpu_count();
        let era = INFO.era(Some(era_id)).expect("an era");
        let mut params = Params::defaults(era.tunables);
        params
            .set("runqFuzz", &ParamValue::Int(fuzz))
            .expect("in range");
        Self {
            tasks: Vec::new(),
            curr: vec![None; cpus],
            requests: Requests::default(),
            sched: FourBsd::new(&Setup {
                era: era.id,
                params,
                cpus,
                nodes: machine.node_count(),
                program: None,
                cgroups: sim_contract::cgroup::Cgroups::default(),
            }),
            machine,
        }
    }

    fn hook<T>(&mut self, call: impl FnOnce(&mut FourBsd, &mut Cx<'_>) -> T) -> T {
        let mut cx = Cx {
            now: SimTime::ZERO,
            cpu: Some(CpuId(0)),
            turn: None,
            interrupt: false,
            machine: &self.machine,
            tasks: &self.tasks,
            memory: &[],
            curr: &self.curr,
            flagged: &CpuMask::EMPTY,
            idle_exits: &[],
            rng: &mut Rng::stream(1, "scheduler", 0),
            requests: &mut self.requests,
            log: &mut DecisionLog::new(0, INFO.reasons.len(), 256),
        };
        call(&mut self.sched, &mut cx)
    }

    /// A sleeping thread, limited to the given CPUs if there are any.
    fn thread(&mut self, allowed: &[u16], last: Option<u16>) -> TaskId {
        let task = TaskId::new(self.tasks.len());
        let all = CpuMask::first(self.curr.len());
        let some: CpuMask = allowed.iter().map(|c| CpuId(*c)).collect();
        self.tasks.push(TaskInfo {
            group: GroupId(0),
            process: task.0,
            nice: 0,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            allowed: if some.is_empty() { all } else { some },
            last_cpu: CpuId(0),
            parent: None,
            background: false,
            kernel_thread: false,
        });
        self.hook(|sched, cx| sched.task_new(cx, task, None));
        self.sched.thread_mut(task).last_cpu = last.map(CpuId);
        task
    }

    /// A thread of a priority at the tail of the global queue or of a CPU's queue.
    fn queued(&mut self, priority: u8, home: Option<u16>, last: Option<u16>) -> TaskId {
        let allowed: Vec<u16> = home.into_iter().collect();
        let task = self.thread(&allowed, last);
        self.sched.thread_mut(task).priority = priority;
        self.hook(|sched, cx| sched.queue(cx, task, home.map(CpuId), End::Tail));
        task
    }

    fn choice(&mut self, cpu: u16) -> Option<TaskId> {
        let found = self.hook(|sched, cx| sched.sched_choose(cx, CpuId(cpu)));
        found.map(|(pick, _)| pick.task)
    }

    /// The CPU for a thread that last ran on `last` and is limited to CPUs 1, 2 and 3, whose queues have these lengths.
    fn picked(lengths: [usize; 3], last: u16) -> CpuId {
        let mut bench = Self::new("2013-06", 1);
        for (cpu, length) in (1..).zip(lengths) {
            for _ in 0..length {
                bench.queued(140, Some(cpu), None);
            }
        }
        let task = bench.thread(&[1, 2, 3], Some(last));
        let home = bench.hook(|sched, cx| sched.home(cx, task));
        home.expect("it is limited").0
    }
}

#[test]
fn fact_37_a_tie_goes_to_the_global_queue() {
    for (own, global_first) in [(140, true), (139, false)] {
        let mut bench = Bench::new("2007-10", 1);
        let global = bench.queued(140, None, None);
        let own = bench.queued(own, Some(2), None);
        assert_eq!(
            bench.choice(2),
            Some(if global_first { global } else { own })
        );
        assert_eq!(bench.choice(3), Some(global), "that queue is not CPU 3's");
    }
}

#[test]
fn fact_55_priorities_are_compared_not_lists() {
    let mut bench = Bench::new("2013-06", 1);
    bench.queued(143, None, None);
    let own = bench.queued(141, Some(2), None);
    assert_eq!(bench.choice(2), Some(own));
}

#[test]
fn fact_38_runq_fuzz_looks_for_a_thread_of_this_cpu() {
    for (fuzz, place) in [(0, 0), (1, 0), (2, 0), (3, 2)] {
        let mut bench = Bench::new("2013-06", fuzz);
        let list = [3, 5, 2].map(|last| bench.queued(140, None, Some(last)));
        assert_eq!(bench.choice(2), Some(list[place]), "fuzz {fuzz}");
    }
}

#[test]
fn runq_fuzz_applies_to_the_queue_of_the_cpu_only_in_2007() {
    for (era, second) in [("2007-10", true), ("2010", false)] {
        let mut bench = Bench::new(era, 2);
        let list = [0, 2].map(|last| bench.queued(140, Some(2), Some(last)));
        assert_eq!(bench.choice(2), Some(list[usize::from(second)]), "{era}");
    }
}

#[test]
fn facts_39_and_56_a_limited_thread_goes_to_the_shortest_queue() {
    for (lengths, last, cpu) in [
        ([1, 1, 0], 2, 3),
        ([1, 1, 1], 2, 2),
        ([0, 1, 0], 2, 1),
        ([0, 1, 0], 0, 1),
        ([1, 0, 0], 0, 2),
    ] {
        assert_eq!(
            Bench::picked(lengths, last),
            CpuId(cpu),
            "{lengths:?}, last on {last}"
        );
    }
}

fn reprioritised(bench: &mut Bench, task: TaskId, priority: u8) {
    bench.sched.thread_mut(task).user_priority = priority;
    bench.hook(|sched, cx| sched.resetpriority_thread(cx, task, CpuId(0), true));
    assert_eq!(bench.sched.thread(task).doing, ThreadActivity::Queued);
}

#[test]
fn fact_41_a_new_priority_moves_a_thread_only_to_another_list() {
    for (era, stays) in [("2013-06", true), ("16", false)] {
        let mut bench = Bench::new(era, 1);
        let first = bench.queued(140, None, None);
        let other = bench.queued(if stays { 140 } else { 143 }, None, None);
        reprioritised(&mut bench, first, 143);
        let waiting: Vec<TaskId> = {
            let queues = &bench.sched.st.queues;
            queues.iter(0, 0, queues.levels()).collect()
        };
        let expected = if stays {
            [first, other]
        } else {
            [other, first]
        };
        assert_eq!(waiting, expected, "{era}");
    }
}

#[test]
fn fact_57_a_thread_that_leaves_its_list_and_returns_is_last() {
    let mut bench = Bench::new("2013-06", 1);
    let a = bench.queued(143, None, None);
    let b = bench.queued(140, None, None);
    assert_eq!(bench.choice(0), Some(a), "within a list the order counts");
    reprioritised(&mut bench, a, 139);
    assert_eq!(bench.choice(0), Some(a));
    reprioritised(&mut bench, a, 141);
    assert_eq!(bench.choice(0), Some(b));
}

#[test]
fn htt2_and_onecpu_choose_among_the_idle_cpus_of_2007() {
    for (id, wanted) in [
        ("ipiwakeupHtt2", [2, 4, 6].as_slice()),
        ("ipiwakeupOneCpu", &[1]),
    ] {
        let mut bench = Bench::new("2007-10", 1);
        bench.sched.st.settings.htt2 = id == "ipiwakeupHtt2";
        bench.sched.st.settings.one_cpu = id == "ipiwakeupOneCpu";
        let task = bench.queued(180, None, None);
        // CPU 0 runs the thread that forks.
        bench.sched.st.idle.remove(CpuId(0));
        assert!(bench.hook(|sched, cx| sched.forward_wakeup(cx, task, CpuId(0)).value));
        assert_eq!(bench.sched.st.counters.signals, wanted.len() as u64);
        let (winner, _) = bench.requests.kicks[0];
        assert!(wanted.contains(&winner.0), "{id}: {winner:?}");
    }
}

#[test]
fn whoever_is_not_woken_is_found_at_the_next_clock_interrupt() {
    let mut bench = Bench::new("2007-10", 1);
    bench.sched.st.settings.wakeup = false;
    let task = bench.queued(180, None, None);
    bench.sched.st.idle.remove(CpuId(0));
    assert!(!bench.hook(|sched, cx| sched.forward_wakeup(cx, task, CpuId(0)).value));
    assert_eq!(bench.sched.st.counters.requested, 0);
    assert!(bench.requests.kicks.is_empty());
    let timers: Vec<u64> = bench.requests.timers.iter().map(|(_, at)| at.0).collect();
    assert_eq!(timers, [500_000; 7], "2000 clock interrupts a second");
    bench.hook(|sched, cx| sched.notice(cx, CpuId(3)));
    assert!(bench.requests.kicks.is_empty(), "that is still to come");
    bench.sched.st.cpus[3].notices_at = SimTime::ZERO;
    bench.hook(|sched, cx| sched.notice(cx, CpuId(3)));
    assert_eq!(bench.requests.kicks[0].0, CpuId(3));
}

/// `thread_suspend_switch` calls `sched_sleep` without a priority; read in the source of 7.3 to 16-CURRENT.
#[test]
fn a_sleeper_gets_a_kernel_priority_and_a_stopped_thread_keeps_its_own() {
    for era in INFO.eras {
        for flags in [DequeueFlags::Sleep, DequeueFlags::Stop] {
            let mut bench = Bench::new(era.id, 1);
            let task = bench.thread(&[], None);
            bench.sched.st.load = 1;
            let user = bench.sched.thread(task).priority;
            bench.hook(|sched, cx| sched.dequeue(cx, task, flags));
            let pwait = bench.sched.era.ranges.pwait;
            let expected = if flags == DequeueFlags::Stop {
                user
            } else {
                pwait
            };
            assert_eq!(bench.sched.thread(task).priority, expected, "{}", era.id);
        }
    }
}

#[test]
fn every_reason_is_in_the_table_once() {
    let mut ids: Vec<&str> = reasons::TABLE.iter().map(|r| r.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), reasons::TABLE.len());
}
