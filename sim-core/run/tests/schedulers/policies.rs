//! Programs of own policies in runs: what stops a lane is told, random programs end, a snapshot changes nothing, and stride as
//! a program picks as in Rust.

use crate::properties::config;
use crate::support::{MS, checked, is_nightly, plan, start, unchecked};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim_contract::prelude::*;
use sim_contract::shape::PartKind;
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::engine::replay::Replay;
use sim_run::engine::{Options, Sim, UpToDate};
use sim_run::report;
use sim_run::rng::Rng;
use sim_run::sched::Registry;
use sim_run::time::SimTime;
use sim_run::trace::TraceKind;
use std::collections::VecDeque;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Two nodes of two cores, hogs, typists and a fork: a bit of everything, under programs.
fn scenario(programs: &[&str]) -> Value {
    let lanes: Vec<Value> = programs
        .iter()
        .map(|p| json!({ "id": "own", "program": p }))
        .collect();
    json!({
        "version": 2, "name": "programs", "machine": crate::conformance::machine_without_costs("2x2x1"),
        "schedulers": lanes,
        "groups": [
            { "name": "hog", "count": 6, "behaviour": { "kind": "loop" } },
            { "name": "typist", "count": 3, "behaviour": { "kind": "interactive" } },
            { "name": "nicer", "count": 2, "behaviour": { "kind": "loop" }, "nice": 5 },
            { "name": "short", "count": 2, "behaviour": { "kind": "dhrystone", "params": { "workMs": 20 } } },
        ],
        "edits": [
            { "atNs": 60 * MS, "set": { "threads.hog-2.allowed": [3] } },
            { "atNs": 90 * MS, "set": { "groups.hog.nice": 3 } },
            { "atNs": 120 * MS, "set": { "threads.hog-2.allowed": [0, 1, 2, 3] } },
            { "atNs": 150 * MS, "set": { "groups.hog.count": 4 } },
        ],
        "end": { "atNs": 200 * MS },
    })
}

/// A program whose `pick` is the first in line, if it has none.
fn whole(source: &str) -> String {
    let pick = "\ndef pick(cpu):\n    return cpu.waiting[0]\n";
    let has_one = source.contains("def pick");
    format!("{source}{}", if has_one { "" } else { pick })
}

#[test]
fn what_stops_a_lane_is_told_with_line_function_thread_and_cpu() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policy/tests/policies/stopped.txt");
    let text = std::fs::read_to_string(path).expect("readable");
    let mut differ = String::new();
    for case in text.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name");
        let (source, told) = rest.split_once("--- ").expect("what is told");
        let plan = plan(&scenario(&[&whole(source)]));
        let mut sim = start(&plan, checked());
        sim.run_until(sim.end());
        let found = sim
            .fault()
            .map_or("nothing stops it", |f| f.message.as_str());
        if found != told.trim() {
            writeln!(differ, "{name}\n  told {found}\n  wanted {told}").expect("a text");
        }
    }
    assert!(differ.is_empty(), "\n{differ}");
}

#[test]
fn a_lane_that_is_stopped_leaves_the_others_alone() {
    let good = whole("");
    let bad = whole("def slice(t):\n    return 1 if now() > 40 * ms else 5 * ms\n");
    let alone = digests(&plan(&scenario(&[&good])));
    let both = plan(&scenario(&[&good, &bad]));
    let mut lanes = [0, 1].map(|lane| Sim::new(&both, lane, checked()));
    for sim in &mut lanes {
        sim.run_until(sim.end());
    }
    assert_eq!(report::digest_text(&mut lanes[0]), alone);
    assert_eq!(lanes[0].fault(), None);
    let fault = lanes[1].fault().expect("stopped");
    assert!(fault.at_ns > 40 * MS && fault.at_ns < 60 * MS, "{fault:?}");
    assert_eq!(fault.hook, "slice");
}

fn digests(plan: &Arc<Plan>) -> String {
    let mut sim = start(plan, checked());
    sim.run_until(sim.end());
    report::digest_text(&mut sim)
}

/// Writes a random program: sense is rare, and each ends.
struct Writer {
    rng: Rng,
    text: String,
}

const OF_THREADS: &[&str] = &[
    "nice",
    "weight",
    "group",
    "waits",
    "runs",
    "credit",
    "last_cpu.id",
    "last_cpu.node",
];
const OF_CPUS: &[&str] = &[
    "id",
    "nr_running",
    "ran_for",
    "core",
    "llc",
    "node",
    "floor",
];

impl Writer {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let n = u32::try_from(of.len()).expect("few");
        of[self.rng.below(n) as usize]
    }

    /// A whole number, of the names that are there.
    fn number(&mut self, names: &[&str], depth: u32) -> String {
        let leaf = depth == 0 || self.rng.percent(30);
        if leaf {
            let name = self.one(names);
            return match self.rng.below(6) {
                0 => self.rng.below(1_000).to_string(),
                1 => "now()".to_owned(),
                2 => "get(\"turn\")".to_owned(),
                3 => format!("random({})", 1 + self.rng.below(9)),
                _ if name.starts_with('t') => format!("{name}.{}", self.one(OF_THREADS)),
                _ if name.starts_with("cpu") => format!("{name}.{}", self.one(OF_CPUS)),
                _ => name.to_owned(),
            };
        }
        let (a, b) = (self.number(names, depth - 1), self.number(names, depth - 1));
        match self.rng.below(8) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b} % 1000003)"),
            3 => format!("({a} // max(1, abs({b})))"),
            4 => format!("min({a}, {b})"),
            5 => format!("max({a}, {b})"),
            6 => format!("clamp({a}, 0, 1000000)"),
            _ => format!("({a} if {b} > 3 else {b})"),
        }
    }

    fn statements(&mut self, names: &[&str], indent: &str) {
        for _ in 0..self.rng.below(3) {
            let number = self.number(names, 2);
            let line = match self.rng.below(6) {
                0 => format!("put(\"turn\", ({number}) % 1000)"),
                1 => format!("note({number})"),
                2 => format!(
                    "for i in range(({number}) % 7):\n{indent}    put(\"turn\", get(\"turn\") + i)"
                ),
                3 if names.contains(&"t") => format!("t.credit = {number}"),
                3 => format!("cpu.floor = {number}"),
                4 if names.contains(&"cpu") => {
                    format!("for x in cpu.waiting:\n{indent}    x.runs += 1")
                }
                _ => format!("if ({number}) % 2 == 0:\n{indent}    put(\"turn\", 1)"),
            };
            writeln!(self.text, "{indent}{line}").expect("a text");
        }
    }

    fn function(&mut self, head: &str, names: &[&str], answer: &str) {
        writeln!(self.text, "\ndef {head}:").expect("a text");
        self.statements(names, "    ");
        writeln!(self.text, "    return {answer}").expect("a text");
    }

    fn program(seed: u64) -> String {
        let mut w = Self {
            rng: Rng::stream(seed, "program", 0),
            text: "thread_state(\"runs\", 0)\nthread_state(\"credit\", 0)\ncpu_state(\"floor\", 0)\nstate(\"turn\", 0)\n".to_owned(),
        };
        let key = w.number(&["t"], 3);
        let best = w.one(&["min", "max"]);
        w.function(
            "pick(cpu)",
            &["cpu"],
            &format!("{best}(cpu.waiting, key=lambda t: {key})"),
        );
        if w.rng.percent(60) {
            let slice = w.number(&["t"], 2);
            w.function(
                "slice(t)",
                &["t"],
                &format!("clamp({slice}, 1, 40) * 100 * us"),
            );
        }
        if w.rng.percent(40) {
            let key = w.number(&["cpu"], 2);
            let place = match w.rng.below(5) {
                0 => "EVERYONE".to_owned(),
                // Now and then one that the thread may not use.
                1 => "cpus()[0]".to_owned(),
                _ => format!("min(t.allowed, key=lambda cpu: {key})"),
            };
            w.function("place(t)", &["t"], &place);
        }
        if w.rng.percent(40) {
            let condition = w.number(&["t", "cpu"], 2);
            w.function(
                "preempt(t, cpu)",
                &["t", "cpu"],
                &format!("({condition}) % 3 == 0"),
            );
        }
        if w.rng.percent(40) {
            let condition = w.number(&["cpu"], 2);
            w.function("tick(cpu)", &["cpu"], &format!("({condition}) % 5 == 0"));
        }
        if w.rng.percent(50) {
            w.function("ran(t, time)", &["t"], "None");
        }
        if w.rng.percent(30) {
            w.function("enqueue(t, cpu)", &["t"], "None");
        }
        if w.rng.percent(40) {
            let found = "([x for c in cpus() if c != cpu for x in c.waiting if cpu in x.allowed] + [None])[0]";
            w.function("idle(cpu)", &["cpu"], found);
        }
        if w.rng.percent(30) {
            w.text.push_str("\ndef balance():\n    for c in cpus():\n        for t in c.waiting:\n            if random(4) == 0:\n                move(t, t.allowed[random(len(t.allowed))])\n");
        }
        w.text
    }
}

/// The end of a run, and what stopped it: straight, with every tick an event, and from a snapshot after some events. Only
/// the first is checked after each eleventh event: the others are that run again.
fn same_in_three_ways(program: &str, later: &str, events: u64) -> Result<bool, String> {
    let plan = plan_with_later(program, later);
    let end = |sim: &mut Sim| {
        sim.run_until(sim.end());
        let fault = sim.fault().map(|f| f.message.clone());
        (report::digest_text(sim), fault)
    };
    let looked_at = Options {
        check_every: 11,
        ..unchecked()
    };
    let straight = end(&mut start(&plan, looked_at));
    let every_tick = Options {
        fast_forward: false,
        ..unchecked()
    };
    let ticking = end(&mut start(&plan, every_tick));
    if straight != ticking {
        return Err(format!("{straight:?}, with every tick {ticking:?}"));
    }
    let mut sim = start(&plan, unchecked());
    sim.advance(sim.end(), events);
    let mut restored = start(&plan, unchecked());
    let taken = restored.restore(&sim.snapshot());
    taken.map_err(|e| e.to_string())?;
    let saved = end(&mut restored);
    if straight != saved {
        return Err(format!("{straight:?}, from a snapshot {saved:?}"));
    }
    Ok(straight.1.is_none())
}

/// A lane whose program another one takes over, if that one may.
fn plan_with_later(program: &str, later: &str) -> Arc<Plan> {
    let mut value = scenario(&[program]);
    let edits = value["edits"].as_array_mut().expect("a list");
    edits.push(json!({ "atNs": 70 * MS, "set": { "lanes.1.program": later } }));
    let read = validate::parse(&value.to_string()).expect("JSON");
    validate::plan(&read).map_or_else(|_| plan(&scenario(&[program])), Arc::new)
}

/// Whoever has run more goes first, and then whoever has run less; both count.
const MOST: &str = "thread_state(\"turns\", 0)\ncpu_state(\"picks\", 5)\nstate(\"all\", 0)\n\ndef pick(cpu):\n    put(\"all\", get(\"all\") + 1)\n    cpu.picks += 1\n    t = max(cpu.waiting, key=lambda t: t.turns)\n    t.turns += 1\n    return t\n\ndef slice(t):\n    return 3 * ms\n";

const LEAST: &str = "state(\"since\", 7)\nthread_state(\"turns\", 0)\nBALANCE_EVERY = 5 * ms\n\ndef ran(t, time):\n    put(\"since\", max(get(\"since\"), time))\n\ndef pick(cpu):\n    t = min(cpu.waiting, key=lambda t: t.turns)\n    t.turns += 1\n    return t\n\ndef slice(t):\n    return 2 * ms\n\ndef tick(cpu):\n    return cpu.ran_for > 1500 * us\n\ndef balance():\n    note(now())\n";

#[test]
fn a_program_that_takes_over_keeps_the_numbers_that_both_have() {
    let plan = plan_with_later(MOST, LEAST);
    let mut sim = start(&plan, checked());
    sim.advance(SimTime(70 * MS - 1), u64::MAX);
    let row = |sim: UpToDate<'_>, task: usize| {
        let mut row = [f64::NAN];
        sim.scheduler().observe_task(TaskId::new(task), &mut row);
        row[0]
    };
    let turns = |sim: &mut Sim| {
        let sim = sim.refresh();
        (0..6).map(|task| row(sim, task)).collect::<Vec<_>>()
    };
    let before = turns(&mut sim);
    assert!(before.iter().sum::<f64>() > 20.0, "{before:?}");
    sim.run_until(SimTime(70 * MS));
    let after = turns(&mut sim);
    let more: f64 = after.iter().sum::<f64>() - before.iter().sum::<f64>();
    assert!((0.0..4.0).contains(&more), "{before:?} {after:?}");
    let numbers = |sim: &mut Sim| sim.refresh().queue_detail(CpuId(0)).numbers;
    assert_eq!(numbers(&mut sim), [("since".to_owned(), 7.0)]);
    let mut of_cpu = [f64::NAN];
    sim.refresh().scheduler().observe_cpu(CpuId(0), &mut of_cpu);
    assert!(
        of_cpu[0].is_nan(),
        "the program that runs keeps nothing of CPUs: {of_cpu:?}"
    );
    // It is told of the time since it took over, and balances and ticks from then on.
    sim.run_until(SimTime(130 * MS));
    let since = numbers(&mut sim)[0].1;
    assert!((500_000.0..=2_000_000.0).contains(&since), "{since}");
    // Under the first program some never had a turn.
    assert!(
        before.contains(&0.0) && !turns(&mut sim).contains(&0.0),
        "{before:?} {:?}",
        turns(&mut sim)
    );
}

#[test]
fn going_back_to_before_a_program_took_over_runs_the_one_before() {
    let plan = plan(&scenario(&[MOST]));
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    replay.seek(SimTime(50 * MS), u64::MAX);
    let early = replay.sim_mut().digest();
    replay.seek(SimTime(100 * MS), u64::MAX);
    let edit = |program: &str| {
        let value = Value::from(program);
        sim_run::config::edit::Edit::set("lanes.1.program", &value).expect("may be set")
    };
    replay.edit(edit(LEAST), None).expect("fits");
    replay.seek(SimTime(160 * MS), u64::MAX);
    let late = replay.sim_mut().digest();
    replay.seek(SimTime(50 * MS), u64::MAX);
    assert_eq!(replay.sim_mut().digest(), early);
    replay.seek(SimTime(160 * MS), u64::MAX);
    assert_eq!(replay.sim_mut().digest(), late);
    // What a live edit did is what its log says.
    let mut logged = plan.scenario.clone();
    logged.edits = replay.edits().to_vec();
    let logged = Arc::new(validate::plan(&logged).expect("as it was made"));
    let mut again = start(&logged, checked());
    again.run_until(SimTime(160 * MS));
    assert_eq!(again.digest(), late);
}

#[test]
fn what_was_settled_when_the_run_began_a_later_program_leaves_alone() {
    let told = |lane: &str, first: &str, later: &str| {
        let mut value = scenario(&[&whole(first)]);
        let schedulers = value["schedulers"].as_array_mut().expect("a list");
        schedulers.push(json!({ "id": "ule" }));
        value["edits"] =
            json!([{ "atNs": MS, "set": { (format!("lanes.{lane}.program")): later } }]);
        let read = validate::parse(&value.to_string()).expect("JSON");
        let errors = validate::plan(&read).err().unwrap_or_default();
        let all: Vec<String> = errors
            .iter()
            .map(|e| format!("{}: {}", e.path, e.message))
            .collect();
        all.join("; ")
    };
    assert_eq!(told("1", "", &whole("")), "");
    let ticks = "HZ = 100\n\ndef tick(cpu):\n    return False\n";
    assert_eq!(told("1", ticks, &whole("")), "");
    assert_eq!(told("*", "", &whole("")), "");
    let cases = [
        (
            "HZ = 100\n\ndef tick(cpu):\n    return False\n",
            "line 1, column 1: `HZ` is 1000 since the run began, and stays so",
        ),
        (
            "\nthread_state(\"more\", 0)\n",
            "line 2, column 15: `more` is new: what threads keep is settled when the run begins",
        ),
        (
            "cpu_state(\"more\", 0)\n",
            "line 1, column 12: `more` is new: what CPUs keep is settled when the run begins",
        ),
        (
            "def place(t):\n    return EVERYONE\n",
            "line 2, column 12: `EVERYONE` is new: whether all CPUs take from one list is settled when the run begins",
        ),
    ];
    for (later, sentence) in cases {
        assert_eq!(
            told("1", "", &whole(later)),
            format!("edits[0].set: {sentence}")
        );
    }
    assert_eq!(
        told("1", "", "def pik(cpu):\n    return 1\n"),
        "edits[0].set: line 1, column 5: a policy needs a function `pick(cpu)`; `pik` is close"
    );
    assert_eq!(
        told("2", "", &whole("")),
        "edits[0].set: no lane here runs a program of its user"
    );
    assert_eq!(
        told("3", "", &whole("")),
        "edits[0].set: must name a lane from 1 to 2"
    );
}

#[test]
fn numbers_of_the_lane_are_shown_by_name_with_each_queue() {
    let counts = "state(\"picks\", 3)\n\ndef pick(cpu):\n    put(\"picks\", get(\"picks\") + 1)\n    return cpu.waiting[0]\n";
    let mut sim = start(&plan(&scenario(&[counts])), checked());
    let shown = |sim: &mut Sim| sim.refresh().queue_detail(CpuId(1)).numbers;
    assert_eq!(shown(&mut sim), [("picks".to_owned(), 3.0)]);
    sim.run_until(SimTime(50 * MS));
    assert!(shown(&mut sim)[0].1 > 3.0, "{:?}", shown(&mut sim));
}

#[test]
fn random_programs_end_and_a_snapshot_at_any_event_changes_nothing() {
    let cases = if is_nightly() { 10_000 } else { 60 };
    let whole = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(config(cases));
    let result = runner.run(&(any::<u64>(), 0_u64..900), |(seed, events)| {
        let program = Writer::program(seed);
        let later = Writer::program(seed.wrapping_add(1));
        let same = same_in_three_ways(&program, &later, events);
        whole.set(whole.get() + u32::from(same == Ok(true)));
        prop_assert!(
            same.is_ok(),
            "{}\n{program}\n# later\n{later}",
            same.err().unwrap_or_default()
        );
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    assert!(
        whole.get() > cases / 4,
        "{} of {cases} ran to the end",
        whole.get()
    );
}

#[test]
fn programs_are_properties_and_are_checked_with_the_scenario() {
    let mut value = scenario(&["def pik(cpu):\n    return 1\n"]);
    let told = |value: &Value| {
        let read = validate::parse(&value.to_string()).expect("JSON");
        let errors = validate::plan(&read).expect_err("wrong");
        errors
            .iter()
            .map(|e| format!("{}: {}", e.path, e.message))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told(&value),
        [
            "schedulers[0].program: line 1, column 5: a policy needs a function `pick(cpu)`; `pik` is close"
        ]
    );
    value["schedulers"] = json!([{ "id": "ule", "program": "def pick(cpu): return 1" }]);
    assert_eq!(
        told(&value),
        ["schedulers[0].program: ULE runs no program of its user"]
    );
    value["schedulers"] = json!([{ "id": "own", "era": "fifo", "program": whole("") }]);
    assert_eq!(
        told(&value),
        ["schedulers[0].program: stands instead of an era: leave one of the two out"]
    );
    value["schedulers"] = json!([{ "id": "own", "program": "# \u{1b}[31m" }]);
    assert!(
        told(&value)[0].contains("must not hold control characters"),
        "{:?}",
        told(&value)
    );
    value["schedulers"] = json!([{ "id": "own", "program": "x".repeat(20_000) }]);
    assert_eq!(
        told(&value),
        ["schedulers[0].program: length must be from 1 to 16384 bytes, got 20000"]
    );
}

/// Stride in Rust, by the same rule as the template, for one CPU.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Passes {
    waiting: VecDeque<TaskId>,
    pass: Vec<i64>,
    running: Option<(TaskId, u64)>,
    floor: i64,
}

struct Stride(Passes);

const SLICE: u64 = 3 * MS;

sim_contract::decision::reasons! {
    SMALLEST = "smallest_pass", "pickNext", "stride";
}

impl Stride {
    fn charge(&mut self, cx: &Cx<'_>) {
        if let Some((task, since)) = &mut self.0.running {
            let ran = i64::try_from(cx.now.0 - *since).expect("short");
            *since = cx.now.0;
            let weight = sim_contract::weight::weight_of_nice(cx.task(*task).nice);
            self.0.pass[task.index()] += ran * 1024 / i64::try_from(weight).expect("small");
        }
    }
}

impl Scheduler for Stride {
    fn task_new(&mut self, _: &mut Cx<'_>, task: TaskId, _: Option<TaskId>) {
        let n = self.0.pass.len().max(task.index() + 1);
        self.0.pass.resize(n, 0);
    }

    fn select_cpu(&mut self, _: &mut Cx<'_>, _: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        Answer::undecided(Placement::Cpu(CpuId(0)))
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, _: Placement, task: TaskId, _: EnqueueFlags) {
        self.charge(cx);
        let pass = &mut self.0.pass[task.index()];
        *pass = (*pass).max(self.0.floor);
        self.0.waiting.push_back(task);
    }

    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        self.charge(cx);
        self.0.running = self.0.running.filter(|r| r.0 != task);
        self.0.waiting.retain(|t| *t != task);
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, _: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        self.charge(cx);
        self.0.running = None;
        if why.stays_runnable() {
            self.0.waiting.extend(prev);
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let best = self
            .0
            .waiting
            .iter()
            .min_by_key(|t| self.0.pass[t.index()])
            .copied();
        let Some(task) = best else {
            return Answer::undecided(None);
        };
        self.0.waiting.retain(|t| *t != task);
        self.0.floor = self.0.floor.max(self.0.pass[task.index()]);
        self.0.running = Some((task, cx.now.0));
        cx.arm(
            sim_contract::flags::cpu_timer(cpu),
            SimTime(cx.now.0 + SLICE),
        );
        let why = cx.explain(Some(cpu), Some(task), SMALLEST, [0; 4]);
        Answer::new(Some(Pick { task, cause: None }), why)
    }

    fn timer(&mut self, cx: &mut Cx<'_>, _: sim_contract::flags::TimerId) {
        if self.0.running.is_some() {
            cx.kick(CpuId(0), None);
        }
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, _: TaskId, _: i8, _: bool) {
        self.charge(cx);
    }
}

impl QuietTicks for Stride {
    fn quiet_until(&self, _: &Cx<'_>, _: CpuId, _: ClockId, _: SimTime, _: u64) -> SimTime {
        SimTime::NEVER
    }
}

impl Kernel for Stride {
    fn locks(&self) -> sim_contract::flags::LockScope {
        sim_contract::flags::LockScope::PerCpu
    }
}

impl Observe for Stride {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        out.extend(QueueRow::list(CpuId(0), &self.0.waiting));
    }
}

sim_contract::keeps_state!(Stride, 0);

static IN_RUST: SchedulerInfo =
    SchedulerInfo::new("rust", "Stride in Rust", "As the template.", TABLE, |_| {
        Box::new(Stride(Passes::default()))
    });

#[test]
fn stride_as_a_program_picks_as_in_rust() {
    let own = sim_run::sched::registry::ALL.find("own").expect("there");
    let scenario = json!({
        "version": 2, "name": "two prices", "machine": "ideal",
        "schedulers": [{ "id": "own", "era": "stride" }, { "id": "rust" }],
        "groups": [
            { "name": "dear", "count": 2, "behaviour": { "kind": "compute" }, "allowed": [0] },
            { "name": "cheap", "count": 3, "behaviour": { "kind": "compute" }, "nice": 10, "allowed": [0] },
            { "name": "typist", "count": 3, "behaviour": { "kind": "interactive" }, "allowed": [0] },
        ],
        "end": { "atNs": 40_000 * MS },
    });
    let read = validate::parse(&scenario.to_string()).expect("JSON");
    let registry = Registry::of(vec![own, &IN_RUST].leak());
    let plan = Arc::new(validate::plan_with(&read, registry).expect("valid"));
    let picks = |lane: usize| {
        let options = Options {
            trace_limit: 1_000_000,
            ..checked()
        };
        let mut sim = Sim::new(&plan, lane, options);
        sim.run_until(sim.end());
        assert_eq!(sim.fault(), None);
        let records = sim.trace().from_seq(0);
        let switches = records.into_iter().filter(|r| r.kind == TraceKind::Switch);
        switches.map(|r| (r.at, r.task)).collect::<Vec<_>>()
    };
    let (program, rust) = (picks(0), picks(1));
    assert!(program.len() > 10_000, "{} picks", program.len());
    let first = program.iter().zip(&rust).position(|(a, b)| a != b);
    assert_eq!(
        first,
        None,
        "{:?} {:?}",
        first.map(|i| program[i]),
        first.map(|i| rust[i])
    );
    assert_eq!(program.len(), rust.len());
}

/// A program with a helper, a loop, a function within a call, and columns that it sets.
const STEPPED: &str = r#"thread_state("turns", 0)
cpu_state("floor", 0)

def least(t):
    turns = t.turns
    return turns

def pick(cpu):
    best = min(cpu.waiting, key=lambda t: t.turns)
    total = 0
    for t in cpu.waiting[:2]:
        total += t.turns
    best.turns += 1
    cpu.floor = total + 7
    return best

def slice(t):
    long = least(t) + 1
    return long * ms
"#;

#[test]
fn an_explained_pick_has_the_lines_that_led_to_it_with_their_values() {
    let plan = plan(&scenario(&[STEPPED]));
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    replay.advance(SimTime(30 * MS), u64::MAX);
    let picks: Vec<u64> = {
        let all = replay.sim().decisions().iter();
        all.filter(|d| d.task.is_some() && d.cpu == Some(CpuId(0)))
            .map(|d| d.id)
            .collect()
    };
    let explained = picks.iter().rev().find_map(|id| {
        let found = replay.explain(*id)?;
        let mut calls = found.explained.iter().flat_map(|e| &e.calls);
        calls.any(|c| c.call.starts_with("pick(")).then_some(found)
    });
    let view = report::decision_view(replay.sim(), &explained.expect("a pick"));
    let [.., pick, slice] = &view.calls[..] else {
        panic!("{:?}", view.calls);
    };
    assert_eq!(pick.call, "pick(cpu 0)");
    let lines: Vec<u32> = pick.steps.iter().map(|s| s.line).collect();
    let waiting = lines.iter().filter(|l| **l == 9).count() - 1;
    assert!(
        waiting >= 2,
        "{lines:?}: `lambda` is called for each that waits"
    );
    assert_eq!(
        lines[waiting + 1..],
        [10, 11, 12, 12, 13, 14, 15],
        "{lines:?}"
    );
    let value = |line: u32, name: &str| {
        let of = pick.steps.iter().rev().filter(|s| s.line == line);
        let mut values = of.flat_map(|s| &s.values);
        values.find(|v| v.0 == name).map(|v| v.1.as_str())
    };
    let best = value(9, "best").expect("the line that set it");
    assert_eq!(view.task_name.as_deref(), Some(best));
    assert_eq!(pick.answer.as_deref(), Some(best));
    let turns = value(13, &format!("{best}.turns")).expect("what it set");
    let total: i64 = value(12, "total")
        .or(value(13, "total"))
        .expect("a sum")
        .parse()
        .expect("a number");
    assert_eq!(
        value(14, "cpu 0.floor"),
        Some((total + 7).to_string().as_str())
    );
    // How long it may run is asked after the pick, and belongs to it.
    assert_eq!(slice.call, format!("slice({best})"));
    let of_slice: Vec<u32> = slice.steps.iter().map(|s| s.line).collect();
    // After the call the line goes on, and sets its name.
    assert_eq!(of_slice, [18, 5, 6, 18, 19]);
    let long: i64 = turns.parse::<i64>().expect("a number") + 1;
    assert_eq!(
        slice.steps[3].values.last(),
        Some(&("long".to_owned(), long.to_string()))
    );
    assert_eq!(slice.answer, Some((long * 1_000_000).to_string()));
}

#[test]
fn a_queue_is_in_the_order_of_the_column_by_which_a_program_chooses() {
    let plan = plan(&scenario(&[STEPPED]));
    let mut sim = start(&plan, checked());
    sim.run_until(SimTime(70 * MS));
    let shape = sim.shape();
    assert_eq!(shape.per_cpu[0].kind, PartKind::Column);
    assert_eq!(shape.per_cpu[0].label, "turns");
    let mut rows = Vec::new();
    sim.queue_rows(&mut rows);
    let keys: Vec<(Option<CpuId>, f64)> = rows.iter().map(|r| (r.queue, r.key)).collect();
    assert!(
        keys.windows(2)
            .all(|w| w[0].0 != w[1].0 || w[0].1 <= w[1].1),
        "{keys:?}"
    );
    assert!(keys.iter().any(|k| k.1 > 1.0), "{keys:?}");
    let plain = crate::support::plan(&scenario(&[&whole("")]));
    assert_eq!(
        start(&plain, checked()).shape().per_cpu[0].kind,
        PartKind::List
    );
}
