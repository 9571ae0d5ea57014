//! Direct calls of hooks, for cases that no scenario produces.

use super::{Cfs, INFO};
use crate::linux::bench;
use crate::linux::stopper::Stopper;
use sim_contract::flags::{EnqueueFlags, Placement, Policy, SwitchReason};
use sim_contract::{Persist, QuietTicks, Scheduler};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::params::ParamValue;
use sim_ground::time::TickGrid;

type Bench = bench::Bench<Cfs>;

impl Bench {
    fn new(era: usize, groups: bool) -> Self {
        let tunables = [("groupPerApplication", ParamValue::Flag(groups))];
        Self::of(&INFO, era, &tunables, 0, Cfs::new)
    }

    /// A new task in the queue of a CPU.
    fn queued(&mut self, cpu: u16) -> TaskId {
        let process = u32::from(u16::MAX) + 1 + u32::try_from(self.tasks.len()).unwrap_or(0);
        self.queue(self.ordinary(cpu, process))
    }

    /// A CPU enters the scheduler.
    fn schedule(&mut self, cpu: u16) {
        self.enter(cpu, SwitchReason::Resched);
    }

    fn woken(&mut self, task: TaskId, flags: EnqueueFlags) -> CpuId {
        self.hook(|sched, cx| {
            sched.waking(cx, task);
            match sched.select_cpu(cx, task, flags).value {
                Placement::Cpu(cpu) => cpu,
                Placement::Shared => panic!("CFS has queues of CPUs"),
            }
        })
    }
}

/// `update_cpu_load` @ 2.6.34.
#[test]
fn averages_of_the_load_after_a_thread_appears() {
    let expected = [
        (1, [512, 256, 128, 64]),
        (2, [768, 448, 240, 124]),
        (4, [960, 700, 424, 234]),
        (8, [1_020, 922, 674, 416]),
    ];
    for (ticks, loads) in expected {
        let mut bench = Bench::new(0, false);
        bench.queued(0);
        bench.sched.count_ticks(CpuId(0), ticks);
        assert_eq!(bench.sched.st.rqs[0].cpu_load[1..], loads, "{ticks} ticks");
    }
}

/// `adaptive_gran` @ 2.6.34: two tasks are on the queue, and the running one has run 0.5 ms.
#[test]
fn the_granularity_follows_how_long_a_thread_runs_between_its_wakeups_of_others() {
    let mut bench = Bench::new(0, false);
    let (a, b) = (bench.queued(0), bench.queued(0));
    bench.schedule(0);
    let curr = bench.curr[0].expect("one runs");
    let other = if curr == a { b } else { a };
    let (curr, other) = (bench.sched.st.task(curr).se, bench.sched.st.task(other).se);
    bench.sched.st.ent_mut(curr).sum_exec += 500_000;
    bench.sched.st.ent_mut(other).avg_wakeup = 100_000;
    assert_eq!(bench.sched.granularity(curr, other), 0);
    bench.sched.st.ent_mut(other).avg_wakeup = 4_000_000;
    assert_eq!(bench.sched.granularity(curr, other), 4_000_000);
}

/// `calc_cfs_shares` @ 4.9: three hogs on a CPU, one on another.
#[test]
fn a_group_s_weight_follows_its_threads() {
    let mut bench = Bench::new(1, true);
    for cpu in [0, 0, 0, 1] {
        bench.queued(cpu);
    }
    for cpu in [0, 1] {
        let (q, _) = bench.sched.st.group_on(1, CpuId(cpu));
        bench.sched.update_group_load(q, true);
        bench.sched.update_shares_of(q, 0);
    }
    let weight = |cpu| {
        let (_, e) = bench.sched.st.group_on(1, CpuId(cpu));
        bench.sched.st.ent(e).weight >> 10
    };
    assert_eq!((weight(0), weight(1)), (768, 256));
}

/// `tg_shares_up` @ 2.6.34: a thread runs on one of two CPUs of a core; the other CPU is idle.
#[test]
fn shares_of_a_domain_below_the_top_are_no_more_than_the_group_s() {
    let mut bench = Bench::new(0, true);
    bench.queued(0);
    for now in 1..4 {
        bench.sched.spread_shares(CpuId(0), 0, now * 1_000_000);
        for cpu in [0, 4] {
            let (_, e) = bench.sched.st.group_on(1, CpuId(cpu));
            let weight = bench.sched.st.ent(e).weight;
            assert_eq!(weight, 1_024, "CPU {cpu}, time {now}");
        }
    }
}

/// `select_task_rq_fair`, `wake_affine`: the waker runs on CPU 0, the woken task last ran on CPU 2, and the siblings of
/// both are idle.
#[test]
fn where_a_woken_thread_goes() {
    for (era, flags, expected) in [
        (0, EnqueueFlags::SyncWakeup, 4),
        (0, EnqueueFlags::Wakeup, 2),
        (1, EnqueueFlags::Wakeup, 2),
    ] {
        let mut bench = Bench::new(era, false);
        bench.queued(0);
        bench.schedule(0);
        let woken = bench.queued(2);
        bench.hook(|sched, cx| {
            sched.dequeue(cx, woken, sim_contract::flags::DequeueFlags::Sleep);
        });
        let seen = bench.woken(woken, flags);
        assert_eq!(seen, CpuId(expected), "era {era}, {flags:?}");
    }
}

/// `enqueue_entity`, `dequeue_entity`.
#[test]
fn a_migration_keeps_the_distance_from_min_vruntime() {
    for era in [0, 1] {
        let mut bench = Bench::new(era, false);
        let both = [bench.queued(0), bench.queued(0)];
        bench.schedule(0);
        let waits = |t: &TaskId| bench.curr[0] != Some(*t);
        let task = both.into_iter().find(waits).expect("one waits");
        bench.queued(1);
        bench.schedule(1);
        bench.sched.update_min_vruntime(0);
        bench.sched.update_min_vruntime(1);
        let ahead = |bench: &Bench| {
            let ent = bench.sched.st.se(task);
            let queue = bench.sched.st.queue(ent.queue);
            ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed()
        };
        let before = ahead(&bench);
        let cause = super::reasons::PERIODIC_BALANCE;
        bench.hook(|sched, cx| {
            let why = cx.explain(
                Some(CpuId(1)),
                Some(task),
                super::reasons::TASK_TAKEN,
                [0; 4],
            );
            sched.migrate(cx, task, CpuId(1), cause, why);
        });
        assert_eq!(ahead(&bench), before, "era {era}");
        assert_eq!(bench.sched.st.task(task).cpu, CpuId(1));
    }
}

/// C1 of the corrections to the CFS specification (calculated from the rules of 4.9): a queue at the start of a period,
/// a new task at the end of its own period, ticks of 4 ms, and a sleep at 21 ms.
#[test]
fn loads_are_what_the_last_event_left() {
    const MS: u64 = 1_000_000;
    let mut bench = Bench::new(1, false);
    let queue = &mut bench.sched.st.queues[0].avg;
    (queue.last_update, queue.period_contrib) = (1 << 30, 0);
    let task = bench.queued(0);
    bench.schedule(0);
    let se = bench.sched.st.task(task).se;
    let seen = |bench: &Bench| {
        let st = &bench.sched.st;
        (st.queues[0].runnable_load_avg, st.ent(se).avg.load_avg)
    };
    assert_eq!(seen(&bench).0, 1_024);
    let ticks = [
        (1_040, 1_019),
        (1_034, 1_015),
        (1_029, 1_011),
        (1_023, 1_007),
        (1_018, 1_003),
    ];
    for (i, loads) in (1..).zip(ticks) {
        bench.now = i * 4 * MS;
        bench.sched.fair_tick(CpuId(0), se, bench.now);
        assert_eq!(seen(&bench), loads, "tick {i}");
    }
    bench.now = 21 * MS;
    bench.hook(|sched, cx| sched.put_prev(cx, CpuId(0), Some(task), SwitchReason::Block));
    bench.sched.dequeue_avg(0, se, bench.now, false);
    assert_eq!(bench.sched.st.ent(se).avg.load_avg, 1_002);
    let queue = &bench.sched.st.queues[0];
    assert_eq!(
        (queue.runnable_load_avg, queue.runnable_load_sum),
        (15, 680_042)
    );
}

/// CPU 0 runs one of some fair tasks, and has 1000 ticks per second.
fn ticking(groups: bool) -> Bench {
    let mut bench = Bench::new(1, groups);
    let grids = vec![TickGrid::new(0, 1_000); bench.curr.len()];
    bench.sched.tick_grids(&grids, false);
    for on in [0, 0, 0, 1] {
        bench.queued(on);
    }
    bench.schedule(0);
    bench
}

impl Bench {
    /// CPU 0 takes the tick of a time in ms. Returns whether it must reschedule.
    fn tick(&mut self, ms: u64) -> bool {
        let cpu = CpuId(0);
        self.now = ms * 1_000_000;
        self.hook(|sched, cx| {
            sched.ticks.begin(Some(cpu));
            sched.ticks.enter(cpu);
            let need = sched.scheduler_tick(cx, cpu, sched.fair_running(cpu));
            sched.ticks.leave();
            need
        })
    }

    fn owes(&self) -> bool {
        !self.sched.is_settled(CpuId(0))
    }
}

/// What is saved after each of some ticks, with averages that owe ticks, or that are read after each of them.
fn saved_at_ticks(groups: bool, read: bool) -> Vec<Vec<u8>> {
    let mut bench = ticking(groups);
    let mut owed = 0;
    let mut saved = Vec::new();
    // Some ticks are skipped.
    for ms in (1..400).filter(|ms| ms % 5 > 1) {
        let need = bench.tick(ms);
        owed += u32::from(bench.owes());
        if read {
            bench.sched.settle_averages(CpuId(0));
        }
        if need {
            bench.schedule(0);
        }
        saved.push(bench.sched.save());
    }
    assert!(owed > 200, "{owed} ticks were owed");
    saved
}

#[test]
fn averages_that_owe_ticks_are_saved_as_if_they_did_not() {
    for groups in [false, true] {
        let [late, at_once] = [false, true].map(|read| saved_at_ticks(groups, read));
        assert!(late == at_once, "groups: {groups}");
    }
}

/// The thread's ticks count in the averages of the load, but not in those of the queue.
#[test]
fn nothing_is_owed_when_a_real_time_thread_follows() {
    for groups in [false, true] {
        let mut bench = ticking(groups);
        let mut first = bench.ordinary(0, 9);
        (first.policy, first.rt_priority) = (Policy::Fifo, 9);
        let first = bench.queue(first);
        // The first tick balances, so it owes nothing.
        bench.tick(1);
        bench.tick(2);
        assert!(bench.owes(), "groups: {groups}");
        bench.schedule(0);
        assert_eq!(bench.curr[0], Some(first));
        assert!(!bench.owes(), "groups: {groups}");
    }
}

/// `place_entity`, `entity_is_long_sleeper` @ 6.1; confirmed by running the kernel's own code.
#[test]
fn the_vruntime_of_who_slept_for_104_days_is_forgotten_after_a_quarter_day_more() {
    const DAY: u64 = 24 * 3_600 * 1_000_000_000;
    for (days, stays) in [(104, true), (105, false)] {
        let mut bench = Bench::new(2, false);
        let task = bench.queued(0);
        let se = bench.sched.st.task(task).se;
        let right = 5_000_000_000;
        let base = bench
            .sched
            .st
            .queue(0)
            .min_vruntime
            .wrapping_sub(12_000_000);
        let ent = bench.sched.st.ent_mut(se);
        (ent.vruntime, ent.exec_start) = (base.wrapping_add(right), 1);
        let now = 1 + days * DAY;
        bench.sched.place(0, se, false, Policy::Normal, now);
        let expected = if stays {
            base.wrapping_add(right)
        } else {
            base
        };
        assert_eq!(bench.sched.st.ent(se).vruntime, expected, "{days} days");
    }
}

/// `util_est_update` @ 6.1; confirmed by running the kernel's own code: fact 40.
#[test]
fn estimates_of_utilisation_follow_downward_by_a_quarter_whoever_waited() {
    use crate::linux::machine::load::LoadTracking;
    // Estimate and last value; utilisation and runnable average at the sleep; both afterwards.
    let facts = [
        ((400, 400), (200, 200), (350, 200)),
        ((400, 400), (395, 395), (400, 400)),
        ((400, 200), (395, 395), (400, 395)),
        ((400, 400), (500, 500), (500, 500)),
        ((400, 400), (200, 400), (350, 200)),
    ];
    for (before, (util, runnable), after) in facts {
        let mut bench = Bench::new(2, false);
        let task = bench.queued(0);
        let se = bench.sched.st.task(task).se;
        let avg = bench.sched.avg_mut(se);
        (avg.util_avg, avg.runnable_avg) = (util, runnable);
        bench.sched.set_estimates(task, before);
        bench.sched.util_est_update(task);
        assert_eq!(bench.sched.estimates_of(task), after, "{util} {runnable}");
    }
}

#[test]
#[should_panic(expected = "ticks were missed")]
fn a_rule_takes_no_task_off_a_queue_whose_ticks_were_missed() {
    let mut bench = ticking(false);
    bench.now = 10_000_000;
    let task = bench.curr[0].expect("a task runs");
    // The rule of a hook without the hook, which takes the ticks.
    bench.hook(|sched, cx| sched.deactivate(cx, task, sim_contract::flags::DequeueFlags::Stop));
}
