//! Direct calls of hooks, for searches, steals and idle passes that no scenario produces exactly. The expected results
//! were confirmed by running the real code, unless a test says otherwise.

use super::runqs::Insert;
use super::search::CpuSearch;
use super::{INFO, Ule, reasons};
use sim_contract::cx::{Cx, Requests, TaskInfo};
use sim_contract::decision::{DecisionId, DecisionLog};
use sim_contract::flags::{Policy, cpu_timer};
use sim_contract::{Scheduler, Setup};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::params::Params;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::{Machine, registry};

/// The scheduler on a preset machine. The engine is reduced to what the hooks see.
struct Bench {
    machine: Machine,
    tasks: Vec<TaskInfo>,
    curr: Vec<Option<TaskId>>,
    requests: Requests,
    now: SimTime,
    rng: Rng,
    sched: Ule,
}

/// Sixteen CPUs without groups.
const FLAT: &str = "v890";
/// Four cores of two threads; siblings are 0 and 4, 1 and 5, and so on.
const CORES: &str = "i7860";

impl Bench {
    fn new(era_id: &str, preset: &str) -> Self {
        let machine = registry::preset(preset).expect("a preset");
        let cpus = machine.cpu_count();
        let era = INFO.era(Some(era_id)).expect("an era");
        let sched = Ule::new(&Setup {
            era: era.id,
            params: Params::defaults(era.tunables),
            cpus,
            nodes: machine.node_count(),
            program: None,
            cgroups: sim_contract::cgroup::Cgroups::default(),
        });
        let mut bench = Self {
            tasks: Vec::new(),
            curr: vec![None; cpus],
            requests: Requests::default(),
            now: SimTime::ZERO,
            rng: Rng::stream(1, "scheduler", 0),
            sched,
            machine,
        };
        bench.hook(None, Ule::start);
        bench
    }

    fn hook<T>(&mut self, cpu: Option<u16>, call: impl FnOnce(&mut Ule, &mut Cx<'_>) -> T) -> T {
        let mut cx = Cx {
            now: self.now,
            cpu: cpu.map(CpuId),
            turn: None,
            interrupt: false,
            machine: &self.machine,
            tasks: &self.tasks,
            memory: &[],
            curr: &self.curr,
            flagged: &CpuMask::EMPTY,
            idle_exits: &[],
            rng: &mut self.rng,
            requests: &mut self.requests,
            log: &mut DecisionLog::new(0, INFO.reasons.len(), 256),
        };
        call(&mut self.sched, &mut cx)
    }

    fn cpus(&self) -> CpuMask {
        CpuMask::first(self.curr.len())
    }

    /// A new thread, limited to the given CPUs if there are any.
    fn thread(&mut self, allowed: &[u16]) -> TaskId {
        let task = TaskId::new(self.tasks.len());
        let some: CpuMask = allowed.iter().map(|c| CpuId(*c)).collect();
        self.tasks.push(TaskInfo {
            group: GroupId(0),
            process: task.0,
            nice: 0,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            allowed: if some.is_empty() { self.cpus() } else { some },
            last_cpu: CpuId(0),
            parent: None,
            background: false,
            kernel_thread: false,
        });
        self.hook(None, |sched, cx| sched.task_new(cx, task, None));
        task
    }

    /// A thread of a priority that waits for a CPU.
    fn waits(&mut self, cpu: u16, pri: u8, allowed: &[u16]) -> TaskId {
        let task = self.thread(allowed);
        self.sched.st.threads[task.index()].pri = pri;
        self.sched.move_to(task, CpuId(cpu), reasons::PLACED);
        self.sched.tdq_add(CpuId(cpu), task, Insert::Normal);
        task
    }

    /// A thread of a priority that runs on a CPU.
    fn runs(&mut self, cpu: u16, pri: u8) -> TaskId {
        let task = self.thread(&[]);
        let t = &mut self.sched.st.threads[task.index()];
        (t.pri, t.user_pri) = (pri, pri);
        self.sched.move_to(task, CpuId(cpu), reasons::PLACED);
        self.sched.load_add(CpuId(cpu), task);
        let tdq = &mut self.sched.st.tdqs[usize::from(cpu)];
        (tdq.curr, tdq.lowpri) = (Some(task), tdq.lowpri.min(pri));
        self.sched.st.idle.remove(CpuId(cpu));
        task
    }

    /// Gives CPUs these loads, with best priority 180 on each CPU that has threads.
    fn loads(&mut self, loads: &[u32]) {
        for (tdq, load) in self.sched.st.tdqs.iter_mut().zip(loads) {
            tdq.load = *load;
            tdq.transferable = load.saturating_sub(1);
            tdq.lowpri = if *load > 0 { 180 } else { 255 };
        }
    }

    fn lowest(&mut self, want: &CpuSearch) -> u16 {
        let found = self.hook(Some(0), |sched, cx| {
            sched.find_lowest(cx, CpuId(0), 0, want)
        });
        found.expect("a CPU").0
    }

    fn highest(&mut self, want: &CpuSearch) -> u16 {
        let found = self.hook(Some(0), |sched, cx| {
            sched.find_highest(cx, CpuId(0), 0, want)
        });
        found.expect("a CPU").0
    }

    /// How often a search finds each CPU.
    fn spread(&mut self, want: &CpuSearch, low: bool) -> Vec<u32> {
        let mut counts = vec![0; self.curr.len()];
        for _ in 0..1_600 {
            let cpu = if low {
                self.lowest(want)
            } else {
                self.highest(want)
            };
            counts[usize::from(cpu)] += 1;
        }
        counts
    }

    fn stolen(&mut self, from: u16, to: u16) -> Option<TaskId> {
        self.hook(Some(to), |sched, cx| {
            sched.thread_to_steal(cx, CpuId(from), CpuId(to))
        })
    }

    /// A pass of a CPU's idle loop at a time. Returns whether it got a thread.
    fn idle_pass(&mut self, cpu: u16, at_ms: u64) -> bool {
        self.now = SimTime(at_ms * 1_000_000);
        self.requests = Requests::default();
        self.hook(Some(cpu), |sched, cx| sched.idle_pass(cx, CpuId(cpu)));
        self.sched.st.tdqs[usize::from(cpu)].load > 0
    }
}

#[test]
fn fact_31_the_lowest_index_wins_ties_in_2011() {
    let mut bench = Bench::new("2011-11", FLAT);
    bench.loads(&[2; 16]);
    let all = bench.cpus();
    assert_eq!(bench.lowest(&CpuSearch::lowest(all)), 0);
    assert_eq!(bench.highest(&CpuSearch::highest(all, 1)), 0);
    bench.loads(&[2, 3, 1, 3, 1, 2]);
    assert_eq!(bench.highest(&CpuSearch::highest(all, 1)), 1);
    let some: CpuMask = (0..6).map(CpuId).collect();
    assert_eq!(bench.lowest(&CpuSearch::lowest(some)), 2);
}

#[test]
fn fact_31_ties_are_random_from_2012_on_but_the_last_cpu_is_preferred() {
    for era in ["2013-06", "11.1", "15-2024", "16-2025"] {
        let mut bench = Bench::new(era, FLAT);
        bench.loads(&[2; 16]);
        let all = bench.cpus();
        for low in [true, false] {
            let want = if low {
                CpuSearch::lowest(all)
            } else {
                CpuSearch::highest(all, 1)
            };
            let counts = bench.spread(&want, low);
            // About 100 each. With 64 random values two CPUs often tie, and then the first of them wins.
            let even = counts.iter().all(|n| (40..240).contains(n));
            assert!(even, "{era}, lowest {low}: {counts:?}");
        }
        let prefer = CpuSearch {
            prefer: Some(CpuId(5)),
            ..CpuSearch::lowest(all)
        };
        assert_eq!(bench.spread(&prefer, true)[5], 1_600, "{era}");
    }
}

#[test]
fn in_2007_the_last_of_equals_wins() {
    // From the text of the file; its code was not run.
    let mut bench = Bench::new("2007-10", FLAT);
    bench.loads(&[2; 16]);
    for cpu in 0..16 {
        bench.sched.st.idle.remove(CpuId(cpu));
    }
    let task = bench.thread(&[]);
    bench.sched.st.threads[task.index()].pri = 180;
    let (cpu, _) = bench.hook(None, |sched, cx| sched.pick_cpu(cx, task));
    assert_eq!(cpu, CpuId(15));
    bench.sched.st.tdqs[3].lowpri = 200;
    let (cpu, _) = bench.hook(None, |sched, cx| sched.pick_cpu(cx, task));
    assert_eq!(cpu, CpuId(3), "the worst running priority");
}

/// The id of a decision's reason.
fn id(why: DecisionId) -> &'static str {
    reasons::TABLE[usize::from(why.reason())].id
}

#[test]
fn in_2007_a_choice_by_priority_says_what_it_found() {
    let mut bench = Bench::new("2007-10", CORES);
    let task = bench.thread(&[]);
    bench.sched.st.threads[task.index()].pri = 190;
    let choice = |bench: &mut Bench| {
        let (cpu, why) = bench.hook(None, |sched, cx| sched.pick_cpu(cx, task));
        (cpu.0, id(why))
    };
    // Each core has one thread.
    for cpu in 0..4 {
        bench.runs(cpu, 180);
    }
    assert_eq!(choice(&mut bench), (7, "pick_idle"));
    for cpu in 4..8 {
        bench.runs(cpu, 185);
    }
    assert_eq!(choice(&mut bench), (7, "pick_pri"));
    bench.sched.st.tune.pick_pri = false;
    assert_eq!(choice(&mut bench), (7, "pick_load"));
}

#[test]
fn a_thread_added_here_says_what_it_found_here() {
    for (runs, pri, reason) in [
        (None, 180, "local_idle"),
        (Some(224), 180, "owe_idle_class"),
        (Some(180), 80, "owe_preempt"),
        (Some(180), 130, "local_resched"),
        (Some(180), 180, "not_better"),
    ] {
        let mut bench = Bench::new("11.1", FLAT);
        if let Some(pri) = runs {
            bench.runs(1, pri);
        }
        let task = bench.waits(1, pri, &[]);
        let answer = bench.hook(Some(1), |sched, cx| sched.preempt_for(cx, CpuId(1), task));
        assert_eq!(answer.why.map(id), Some(reason));
    }
}

#[test]
fn cores_with_idle_siblings_come_first() {
    for era in ["2011-11", "2013-06", "11.1", "15-2024"] {
        let mut bench = Bench::new(era, CORES);
        bench.loads(&[1, 0, 1, 0, 0, 1, 0, 0]);
        let all = bench.cpus();
        for _ in 0..50 {
            let cpu = bench.lowest(&CpuSearch::lowest(all));
            assert!([3, 7].contains(&cpu), "{era}: {cpu}");
        }
    }
}

#[test]
fn a_lone_thread_that_is_told_to_choose_again_does_not_count_itself() {
    let mut bench = Bench::new("15-2024", CORES);
    // Six threads on four cores: two cores have both siblings busy.
    bench.loads(&[1, 1, 1, 1, 1, 0, 1, 0]);
    let all = bench.cpus();
    let want = CpuSearch {
        prefer: Some(CpuId(0)),
        running: true,
        ..CpuSearch::lowest(all)
    };
    let counts = bench.spread(&want, true);
    let chosen: Vec<usize> = (0..8).filter(|c| counts[*c] > 0).collect();
    assert_eq!(
        chosen,
        [0, 5, 7],
        "stays, or joins a core with an idle sibling"
    );
}

#[test]
fn fact_29_until_2011_the_only_waiting_thread_is_often_out_of_reach() {
    // Remove hand, slot of the thread, and whether 8.0 finds it. The scan skips the thread first, and meets it again
    // only if it wraps past it.
    for (ridx, slot, found) in [
        (0, 20, false),
        (10, 20, true),
        (30, 20, false),
        (20, 20, true),
    ] {
        for (era, later) in [
            ("2011-11", false),
            ("2007-10", false),
            ("2013-06", true),
            ("15-2024", true),
        ] {
            let mut bench = Bench::new(era, FLAT);
            bench.runs(1, 180);
            let base = bench.sched.era.min_batch;
            let tdq = &mut bench.sched.st.tdqs[1];
            (tdq.hands.idx, tdq.hands.ridx) = (slot, ridx);
            // The best batch priority has offset 0. The slot under the remove hand is kept free while the hands are
            // apart.
            let task = bench.waits(1, base, &[]);
            if ridx != slot {
                assert_eq!(bench.sched.st.queues.slot(task), Some(slot));
            }
            let stolen = bench.stolen(1, 2);
            assert_eq!(
                stolen.is_some(),
                found || later,
                "{era}, ridx {ridx}, slot {slot}"
            );
        }
    }
}

#[test]
fn a_thief_takes_interactive_threads_first_and_leaves_who_runs_next() {
    for era in ["2011-11", "2013-06", "11.1", "15-2024"] {
        let mut bench = Bench::new(era, FLAT);
        bench.runs(1, 180);
        let first = bench.waits(1, 180, &[]);
        let second = bench.waits(1, 180, &[]);
        assert_ne!(first, second);
        assert_eq!(bench.stolen(1, 2), Some(second), "{era}");
        let interactive = bench.waits(1, bench.sched.era.min_interact, &[]);
        assert_eq!(bench.stolen(1, 2), Some(interactive), "{era}");
    }
}

/// `runq_steal` @ 8.0, 10.4 and October 2007, read in the source.
#[test]
fn every_level_of_the_queues_by_priority_is_searched() {
    for era in ["2007-10", "2011-11", "2013-06", "11.1", "15-2024"] {
        let ranges = |bench: &Bench| {
            let era = bench.sched.era;
            [(era.min_interact, era.max_interact), (224, 255)]
        };
        for part in 0..2 {
            let mut bench = Bench::new(era, FLAT);
            bench.runs(1, 20);
            let (best, worst) = ranges(&bench)[part];
            bench.waits(1, best, &[1]);
            let further = bench.waits(1, worst, &[]);
            assert_eq!(bench.stolen(1, 2), Some(further), "{era}, {best}");
        }
    }
}

impl Bench {
    /// A thread of the best batch priority in a slot of CPU 1's calendar.
    fn in_slot(&mut self, slot: u8, allowed: &[u16]) -> TaskId {
        let (base, hands) = (self.sched.era.min_batch, &mut self.sched.st.tdqs[1].hands);
        (hands.idx, hands.ridx) = (slot, slot);
        let task = self.waits(1, base, allowed);
        assert_eq!(self.sched.st.queues.slot(task), Some(slot));
        task
    }

    /// Whom CPU 2 takes from CPU 1, whose remove hand stands at a slot.
    fn stolen_at(&mut self, ridx: u8) -> Option<TaskId> {
        self.sched.st.tdqs[1].hands.ridx = ridx;
        self.stolen(1, 2)
    }
}

#[test]
fn only_the_first_slot_of_the_calendars_word_was_searched_until_2018() {
    for (era, found) in [("2013-06", false), ("11.1", false), ("15-2024", true)] {
        let mut bench = Bench::new(era, FLAT);
        bench.runs(1, 20);
        bench.in_slot(20, &[1]);
        let further = bench.in_slot(30, &[]);
        assert_eq!(bench.stolen_at(10), found.then_some(further), "{era}");
    }
}

/// `runq_steal_from` @ 9.3, 10.4, read in the source: `first` is every thread met, one after the other.
#[test]
fn the_last_thread_met_in_the_calendar_is_the_last_resort_until_2018() {
    for (era, found) in [("2013-06", false), ("11.1", false), ("15-2024", true)] {
        let mut bench = Bench::new(era, FLAT);
        bench.runs(1, 20);
        let movable = bench.in_slot(61, &[]);
        bench.in_slot(5, &[1]);
        assert_eq!(bench.stolen_at(40), found.then_some(movable), "{era}");
    }
}

#[test]
fn fact_26_whom_an_idle_cpu_robs() {
    // Era, machine, waiting threads on CPU 1, the stealing CPU, and whether it gets a thread.
    for (era, preset, waiting, thief, gets) in [
        ("2007-10", FLAT, 1, 2, false),
        ("2007-10", FLAT, 2, 2, true),
        ("2011-11", FLAT, 1, 2, false),
        ("2011-11", FLAT, 2, 2, true),
        ("2013-06", FLAT, 1, 2, true),
        ("11.1", FLAT, 1, 2, true),
        ("15-2024", FLAT, 1, 2, true),
        // A sibling needs two threads where other CPUs need three.
        ("2011-11", CORES, 1, 5, true),
        ("2011-11", CORES, 1, 2, false),
    ] {
        let mut bench = Bench::new(era, preset);
        bench.runs(1, 180);
        // Within the scan of 8.0.
        bench.sched.st.tdqs[1].hands.idx = 10;
        bench.sched.st.tdqs[1].hands.ridx = 5;
        for _ in 0..waiting {
            bench.waits(1, 190, &[]);
        }
        let got = bench.hook(Some(thief), |sched, cx| sched.steal_for(cx, CpuId(thief)));
        assert_eq!(
            got.value, gets,
            "{era}, {preset}, {waiting} wait, CPU {thief}"
        );
    }
}

#[test]
fn idle_loops_look_at_each_tick_until_2011_and_every_second_wake_later() {
    let rob = |bench: &mut Bench| {
        bench.runs(1, 180);
        bench.sched.st.tdqs[1].hands.ridx = 5;
        bench.sched.st.tdqs[1].hands.idx = 10;
        for _ in 0..3 {
            bench.waits(1, 190, &[]);
        }
    };
    let mut bench = Bench::new("2011-11", FLAT);
    rob(&mut bench);
    assert!(bench.idle_pass(2, 7));
    for (era, wakes) in [
        ("2013-06", [false, true, false, true]),
        ("11.1", [false, true, false, true]),
    ] {
        // The CPU wakes every half second; a pass that does not search counts as a switch for the next pass.
        let mut looks = Vec::new();
        for until in 1..=4 {
            let mut bench = Bench::new(era, FLAT);
            let mut got = false;
            for wake in 1..=until {
                if wake == until {
                    rob(&mut bench);
                }
                got = bench.idle_pass(2, 500 * wake);
                let armed = bench
                    .requests
                    .timers
                    .iter()
                    .any(|(t, _)| *t == cpu_timer(CpuId(2)));
                assert!(armed || got, "it looks again");
            }
            looks.push(got);
        }
        let shifted: Vec<bool> = wakes.iter().map(|w| !w).collect();
        assert!(looks == wakes || looks == shifted, "{era}: {looks:?}");
    }
}
