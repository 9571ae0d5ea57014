//! Direct calls of hooks, for cases that no scenario produces.

use super::mean::SCALE_BITS;
use super::queue::{Entry, Leave};
use super::state::NONE;
use super::{Eevdf, INFO};
use crate::linux::bench;
use crate::linux::machine::Machine;
use crate::linux::machine::load::LoadTracking;
use crate::linux::machine::select::{Idlest, Selects};
use crate::linux::numa::Host;
use sim_contract::Scheduler;
use sim_contract::cx::{Cx, NO_EXIT, TaskInfo};
use sim_contract::flags::{DequeueFlags, EnqueueFlags, Placement, SwitchReason};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::ParamValue;
use sim_ground::rng::Rng;

const MS: u64 = 1_000_000;

type Bench = bench::Bench<Eevdf>;

/// A tick of the first CPU that matters.
fn tick(sched: &mut Eevdf, cx: &mut Cx<'_>) -> bool {
    let fair = sched.fair_running(CpuId(0));
    sched.scheduler_tick(cx, CpuId(0), fair)
}

impl Bench {
    fn new(tunables: &[(&str, ParamValue)]) -> Self {
        Self::of(&INFO, 0, tunables, MS, Eevdf::new)
    }

    /// A new task in the queue of CPU 0.
    fn queued(&mut self, application: u32, nice: i8, background: bool) -> TaskId {
        self.queue(TaskInfo {
            nice,
            background,
            allowed: CpuMask::only(CpuId(0)),
            ..self.ordinary(0, application)
        })
    }

    /// CPU 0 enters the scheduler.
    fn schedule(&mut self, why: SwitchReason) {
        if why == SwitchReason::Block
            && let Some(prev) = self.curr[0]
        {
            self.hook(|sched, cx| sched.dequeue(cx, prev, DequeueFlags::Sleep));
        }
        self.enter(0, why);
    }

    fn wake(&mut self, task: TaskId) {
        let flags = EnqueueFlags::Wakeup;
        let place = Placement::Cpu(CpuId(0));
        let preempts = self.hook(|sched, cx| {
            sched.waking(cx, task);
            sched.enqueue(cx, place, task, flags);
            sched.check_preempt(cx, place, task, flags).value
        });
        if preempts.is_some() {
            self.schedule(SwitchReason::Resched);
        }
    }

    /// Lets time go on, with ticks of 4 ms.
    fn run(&mut self, ns: u64) {
        let end = self.now + ns;
        while self.now < end {
            self.now = (self.now / (4 * MS) + 1) * (4 * MS);
            if self.now > end {
                self.now = end;
                return;
            }
            if let Some(curr) = self.curr[0] {
                let need = self.hook(|sched, cx| {
                    sched.ticks.enter(CpuId(0));
                    let need = tick(sched, cx);
                    sched.ticks.leave();
                    need
                });
                let _ = curr;
                if need {
                    self.schedule(SwitchReason::Resched);
                }
            }
        }
    }

    fn ran(&self, task: TaskId) -> u64 {
        self.sched.st.se(task).sum_exec
    }

    /// Sum of weight × lag over a queue, its weight, and the sums that the tree keeps.
    fn lags(&self, q: u32) -> (i64, i64) {
        let st = &self.sched.st;
        let queue = st.queue(q);
        let curr = Some(queue.curr).filter(|c| *c != NONE && st.ent(*c).on_rq);
        let all: Vec<u32> = st.arena.iter(queue.tree).chain(curr).collect();
        let mean = self.sched.mean(q);
        let weight: i64 = all.iter().map(|e| st.ent(*e).w()).sum();
        let sum = all
            .iter()
            .map(|e| st.ent(*e).w() * (mean - st.ent(*e).v))
            .sum();
        assert_eq!(weight, self.sched.total_load(q), "sum of weights");
        assert_eq!(all.len(), queue.nr as usize, "number of entities");
        (sum, weight)
    }
}

/// `avg_vruntime` (found by running the code of Linux 6.12.117): fact 8. Also: a search of the tree gives the same
/// result as a search of all entities.
#[test]
fn lags_weigh_nothing_together_and_the_pick_is_the_earliest_of_the_eligible() {
    let mut rng = Rng::stream(5, "eevdf", 0);
    let mut bench = Bench::new(&[("groupPerApplication", ParamValue::Flag(false))]);
    let nices = [0, 0, 0, 5, -5, 19, -20, 1];
    let mut asleep: Vec<TaskId> = Vec::new();
    for n in 0..40 {
        bench.queued(n, nices[n as usize % nices.len()], false);
    }
    bench.schedule(SwitchReason::Resched);
    for step in 0..20_000 {
        bench.now += u64::from(rng.below(3_000_000));
        match rng.below(4) {
            0 if bench.curr[0].is_some() => {
                let curr = bench.curr[0].expect("some");
                asleep.push(curr);
                bench.schedule(SwitchReason::Block);
            }
            1 if !asleep.is_empty() => {
                let which = rng.below(u32::try_from(asleep.len()).expect("few"));
                let task = asleep.swap_remove(which as usize);
                bench.wake(task);
            }
            2 => bench.schedule(SwitchReason::Resched),
            _ => {
                bench.hook(tick);
            }
        }
        let (sum, weight) = bench.lags(0);
        assert!(
            (-weight..=0).contains(&sum),
            "step {step}: {sum} of {weight}"
        );
        let st = &bench.sched.st;
        let queue = st.queue(0);
        if queue.nr > 1 {
            let limit = bench.sched.mean(0);
            let able = |e: &u32| st.ent(*e).v <= limit;
            let first = st.arena.iter(queue.tree).find(able);
            let found = st
                .arena
                .first(queue.tree, |s| s.least <= limit, |s| s.own <= limit);
            assert_eq!(found, first.unwrap_or(NONE), "step {step}");
        }
    }
}

/// Found by running the code of Linux 6.12.117: fact 59.
#[test]
fn groups_share_by_their_shares() {
    let mut bench = Bench::new(&[]);
    let (a, b) = (bench.queued(1, 0, false), bench.queued(2, 0, false));
    bench.sched.st.groups[1].shares = 2_048 << SCALE_BITS;
    bench.schedule(SwitchReason::Resched);
    bench.run(6_000 * MS);
    let share = |t| bench.ran(t) * 10_000 / 6_000 / MS;
    let (a, b) = (share(a), share(b));
    assert!(a.abs_diff(6_667) < 12 && b.abs_diff(3_333) < 12, "{a} {b}");
}

/// Found by running the code of Linux 6.12.117: fact 60.
#[test]
fn a_hog_of_the_root_is_worth_a_group() {
    let mut bench = Bench::new(&[]);
    let root = bench.queued(1, 0, true);
    let two = [bench.queued(2, 0, false), bench.queued(2, 0, false)];
    bench.schedule(SwitchReason::Resched);
    bench.run(6_000 * MS);
    let share = |t| bench.ran(t) * 10_000 / 6_000 / MS;
    assert!(share(root).abs_diff(5_000) < 12, "{}", share(root));
    for t in two {
        assert!(share(t).abs_diff(2_500) < 12, "{}", share(t));
    }
}

/// Found by running the code of Linux 6.12.117: fact 83. The test reads the values after the last tick of 1 ms. The
/// fact does not say at which point of a period the queue began; at one of the points all values agree.
#[test]
fn averages_of_a_lone_new_hog() {
    let expected = [
        (1, 522),
        (2, 532),
        (4, 552),
        (8, 590),
        (16, 656),
        (32, 754),
        (64, 890),
        (100, 962),
        (200, 1_016),
    ];
    let mut matches = Vec::new();
    for begin in 0..1_024 {
        let mut bench = Bench::new(&[("groupPerApplication", ParamValue::Flag(false))]);
        bench.now = 64 << 20;
        let queue = &mut bench.sched.st.queues[0].loads.avg;
        queue.last_update = crate::linux::machine::load::clock(bench.now);
        queue.period_contrib = begin;
        let task = bench.queued(1, 0, false);
        bench.schedule(SwitchReason::Resched);
        let (start, e) = (bench.now, bench.sched.st.task(task).se);
        let mut seen = Vec::new();
        let mut sampled = expected.iter().map(|(n, _)| n * 1_024_000).peekable();
        for tick in 1..=206 {
            let next = tick * MS;
            if sampled.next_if(|t| *t < next).is_some() {
                seen.push(bench.sched.st.ent(e).avg.util_avg);
            }
            bench.sched.update_avg(e, start + next, true);
            let load = bench.sched.st.ent(e).avg.load_avg;
            assert!((1_023..=1_024).contains(&load), "{load}");
        }
        if seen
            .iter()
            .copied()
            .eq(expected.iter().map(|(_, util)| *util))
        {
            matches.push(begin);
        }
    }
    assert!(!matches.is_empty());
}

/// `__sched_fork` @ 6.12.91: before this release a child inherited the flag that its parent's deadline is relative.
#[test]
fn a_child_of_a_parent_whose_deadline_is_a_distance() {
    for (clears, relative) in [(true, false), (false, true)] {
        let flag = ("forkClearsRelDeadline", ParamValue::Flag(clears));
        let mut bench = Bench::new(&[flag]);
        let parent = bench.queued(1, 0, false);
        let e = bench.sched.st.task(parent).se;
        (
            bench.sched.st.ent_mut(e).relative,
            bench.sched.st.ent_mut(e).deadline,
        ) = (true, 77);
        let child = TaskId::new(bench.tasks.len());
        bench.tasks.push(bench.tasks[0].clone());
        bench.hook(|sched, cx| sched.task_new(cx, child, Some(parent)));
        assert_eq!(bench.sched.st.se(child).relative, relative);
    }
}

/// `enqueue_task_fair`, `dequeue_entities` @ 6.12.23.
#[test]
fn a_group_asks_for_the_smallest_slice_of_its_threads() {
    for (always, asked) in [(true, 1_000_000), (false, 2_800_000)] {
        let mut bench = Bench::new(&[("groupSliceAlways", ParamValue::Flag(always))]);
        bench.queued(1, 0, false);
        bench.queued(2, 0, false);
        let short = bench.queued(1, 0, false);
        bench.tasks[short.index()].slice_ns = MS;
        bench.hook(|sched, cx| sched.set_slice(cx, short));
        let (_, group) = bench.sched.st.group_on(1, CpuId(0));
        assert_eq!(bench.sched.st.ent(group).slice, asked, "always {always}");
    }
}

/// `dequeue_entities`, `requeue_delayed_entity` @ 6.12.117.
#[test]
fn a_delayed_group_starts_again_with_the_smallest_slice_around_it() {
    let mut bench = Bench::new(&[]);
    let queue = |bench: &mut Bench, application, slice_ns| {
        let ordinary = bench.ordinary(0, application);
        bench.queue(TaskInfo {
            slice_ns,
            ..ordinary
        })
    };
    let a = queue(&mut bench, 1, 20 * MS);
    bench.schedule(SwitchReason::Resched);
    queue(&mut bench, 2, 100 * MS);
    queue(&mut bench, 3, 300_000);
    bench.now += MS;
    bench.schedule(SwitchReason::Block);
    let (_, group) = bench.sched.st.group_on(1, CpuId(0));
    let ent = |bench: &Bench| bench.sched.st.ent(group).clone();
    assert!(ent(&bench).delayed);
    bench.now += 3 * MS;
    bench.hook(tick);
    bench.wake(a);
    let ent = ent(&bench);
    assert_eq!((ent.delayed, ent.deadline - ent.v), (false, 300_000));
    assert_eq!(ent.slice, 20 * MS, "from its next request on");
}

/// `h_nr_runnable` @ 6.14: what balancing counts of a CPU, of a node, and of a CPU where a new task is placed.
#[test]
fn balancing_counts_no_sleepers_since_6_14() {
    for (release, switch, counted) in [(0, None, 2), (1, Some(true), 1), (1, Some(false), 2)] {
        let switch = switch.map(|on| ("balanceCountsRunnable", ParamValue::Flag(on)));
        let tunables: Vec<_> = [("groupPerApplication", ParamValue::Flag(false))]
            .into_iter()
            .chain(switch)
            .collect();
        let mut bench = Bench::of(&INFO, release, &tunables, MS, Eevdf::new);
        bench.queued(1, 0, false);
        bench.queued(2, 0, false);
        bench.schedule(SwitchReason::Resched);
        let sleeper = bench.curr[0].expect("one of them runs");
        bench.now += MS;
        bench.schedule(SwitchReason::Block);
        let sched = &bench.sched;
        assert!(sched.is_delayed(sleeper));
        assert_eq!(sched.fair_tasks(CpuId(0)), counted, "{release}");
        assert_eq!(u64::from(sched.threads(CpuId(0))), counted, "{release}");
        assert_eq!(sched.st.rq(CpuId(0)).nr_running, 2, "of a group's threads");
    }
}

/// `dequeue_task_fair`, `enqueue_task_fair`: lag and the rest of the request move with the task.
#[test]
fn a_migration_keeps_lag_and_request() {
    let mut bench = Bench::new(&[("groupPerApplication", ParamValue::Flag(false))]);
    let all: Vec<TaskId> = (0..3).map(|n| bench.queued(n, 0, false)).collect();
    bench.schedule(SwitchReason::Resched);
    bench.now += MS;
    bench.hook(tick);
    let task = all
        .into_iter()
        .find(|t| bench.curr[0] != Some(*t))
        .expect("one waits");
    let seen = |bench: &Bench| {
        let ent = bench.sched.st.se(task);
        (bench.sched.mean(ent.queue) - ent.v, ent.deadline - ent.v)
    };
    let before = seen(&bench);
    let now = bench.now;
    bench.sched.dequeue_task(task, Leave::Moves, now);
    bench.sched.attach_to(task, CpuId(0));
    bench.sched.enqueue_task(task, Entry::Other, now);
    let after = seen(&bench);
    assert!(before.0.abs_diff(after.0) <= 1, "{before:?} {after:?}");
    assert_eq!(before.1, after.1);
}

/// `sched_balance_find_dst_group_cpu`: the least exit latency wins, however long the CPU is idle; then the latest idleness.
#[test]
fn a_new_thread_goes_to_the_cpu_in_the_shallowest_idle_state() {
    let (c1, c6) = (3_000, 200_000);
    for (exits, since, wanted) in [
        ([c1, c6], [2 * MS, 1_000 * MS], 0),
        ([c6, c1], [2 * MS, 1_000 * MS], 1),
        ([c6, c6], [2 * MS, 1_000 * MS], 1),
        ([c6, c6], [1_000 * MS, 2 * MS], 0),
        // Nothing is known of a CPU that has just woken.
        ([NO_EXIT, NO_EXIT], [1_000 * MS, 2 * MS], 0),
    ] {
        let mut bench = Bench::new(&[]);
        bench.now = 1_001 * MS;
        let core = bench.machine.sibling_list(CpuId(2)).to_vec();
        bench.idle_exits = vec![NO_EXIT; bench.curr.len()];
        let mut allowed = CpuMask::EMPTY;
        for (i, cpu) in core.iter().copied().enumerate() {
            bench.idle_exits[cpu.index()] = exits[i];
            bench.sched.st.rq_mut(cpu).side.idle_stamp = since[i];
            allowed.insert(cpu);
        }
        let info = TaskInfo {
            allowed,
            ..bench.ordinary(0, 1)
        };
        let task = TaskId::new(bench.tasks.len());
        bench.tasks.push(info);
        let chosen = bench.hook(|sched, cx| {
            sched.task_new(cx, task, None);
            sched.select_at_fork(cx, task, CpuId(0)).0
        });
        assert_eq!(chosen, core[wanted], "{exits:?} {since:?}");
    }
}

/// `reweight_entity` @ 6.18.44 and before, 6.18.38, 6.18.45; computed from the rules. Two groups, of which the one that runs
/// is far ahead: its lag is beyond the limit, so placing it again moves V of the whole queue, and keeps that of the others.
#[test]
fn a_group_with_a_new_weight_keeps_v_or_is_placed_again() {
    let reweighed = |again: bool, scales: bool| {
        let flag = |id, is| (id, ParamValue::Flag(is));
        let tunables = [
            flag("reweightByPlacement", again),
            flag("reweightScalesProtection", scales),
        ];
        let mut bench = Bench::of(&INFO, 1, &tunables, MS, Eevdf::new);
        bench.queued(1, 0, false);
        bench.queued(2, 0, false);
        bench.schedule(SwitchReason::Resched);
        let root = bench.sched.st.queue(0);
        let e = root.curr;
        assert!(e != NONE && root.nr == 2);
        let now = bench.now;
        let ent = bench.sched.st.ent_mut(e);
        ent.exec_start = now;
        (ent.deadline, ent.mark) = (ent.v + 21_000_000, ent.v + 22_000_000);
        ent.v += 20_000_000;
        let weight = ent.weight;
        let v_of_others = bench.sched.st.queue(0).mean(None);
        let before = bench.sched.mean(0);
        bench.sched.reweight(e, weight / 2, now);
        let st = &bench.sched.st;
        assert_eq!(st.queue(0).mean(None), v_of_others);
        let ent = st.ent(e);
        let seen = [
            before - ent.v,
            bench.sched.mean(0) - before,
            ent.deadline - ent.v,
            ent.mark - ent.v,
        ];
        bench.lags(0);
        seen
    };
    // 10 ms behind V, of which 6.8 ms count (a request and a tick): at half the weight 13.6 ms behind a V that stays.
    // The request's rest is counted from V, which is 3.2 ms less behind than the entity.
    assert_eq!(
        reweighed(false, true),
        [-13_600_000, -2_133_334, 8_400_000, 10_400_000]
    );
    // Among others that are at 0: at 20.4 ms, so that V of all is as far from it as the lag says.
    assert_eq!(
        reweighed(true, true),
        [-10_400_000, -3_200_000, 2_000_000, 4_000_000]
    );
    // Protection ends at the same virtual runtime, 22 ms after the others'.
    assert_eq!(reweighed(false, false)[3], -1_600_000);
    assert_eq!(reweighed(true, false)[3], 1_600_000);
}

/// The position of an era in the list.
fn era(id: &str) -> usize {
    let at = INFO.eras.iter().position(|e| e.id == id);
    at.expect("an era")
}

/// `update_entity_lag` @ 6.18.38, `__calc_delta` @ 7.2; fact 3 of 7.3, computed from the rules. Eight CPUs.
#[test]
fn the_largest_slice_and_a_tick_limit_lags() {
    for (hz, ordinary, lighter) in [(250, 6_800_000, 20_785_671), (1_000, 3_800_000, 11_615_522)] {
        let tunables = [
            ("hz", ParamValue::Int(hz)),
            ("groupPerApplication", ParamValue::Flag(false)),
        ];
        for id in ["7.2", "7.3"] {
            let mut bench = Bench::of(&INFO, era(id), &tunables, MS, Eevdf::new);
            let [a, b] = [0, 5].map(|nice| bench.queued(1, nice, false));
            let limit = |task| bench.sched.lag_limit(bench.sched.st.task(task).se);
            assert_eq!([a, b].map(limit), [ordinary, lighter], "{id}, {hz} Hz");
            // One that asks for much raises the limit of all.
            bench.tasks[b.index()].slice_ns = 100 * MS;
            bench.hook(|sched, cx| sched.set_slice(cx, b));
            let tick = 1_000_000_000 / hz;
            let limit = bench.sched.lag_limit(bench.sched.st.task(a).se);
            assert_eq!(limit, 100_000_000 + tick, "{id}, {hz} Hz");
        }
    }
}

/// `update_rq_avg_idle` @ 7.2; `ttwu_do_activate` @ 6.18: the idle time before a new task.
#[test]
fn what_a_new_task_ends_counts_as_idleness_since_7_2() {
    for (id, average) in [("6.18", 1_000_000), ("7.2", 900_000), ("7.3", 900_000)] {
        let mut bench = Bench::of(&INFO, era(id), &[], 200_001, Eevdf::new);
        bench.queued(1, 0, false);
        bench.enter(0, SwitchReason::Resched);
        assert_eq!(bench.sched.st.rq(CpuId(0)).side.avg_idle, average, "{id}");
    }
}
