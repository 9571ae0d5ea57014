//! What idle CPUs do: the choices of the menu governor, as facts (`sim-core/tests/idle-states`), and what leaving a state
//! costs in a run.

use crate::support::{MS, every_tick, plan, start, straight, unchecked};
use serde::Deserialize;
use serde_json::{Value, json};
use sim_run::engine::idle::{IdleRules, Inputs, Menu, Release, Rest, State};
use sim_run::machine::spec::{IdleSpec, IdleState, IdleWake};
use sim_run::sched::idle::{BusyRule, IdleGovernor};
use sim_run::time::{SimSpan, SimTime, TickGrid};
use std::collections::BTreeMap;

const US: u64 = 1_000;
const TICK: u64 = 4 * MS;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    tables: BTreeMap<String, Vec<(String, u32, u32)>>,
    choice: Vec<Choice>,
    run: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    id: String,
    #[serde(default)]
    table: Option<String>,
    lengths: Option<[u32; 8]>,
    /// In us.
    timer: Option<u64>,
    timer_ns: Option<u64>,
    /// In us.
    next: Option<u64>,
    #[serde(default)]
    stopped: bool,
    #[serde(default)]
    io_waits: u32,
    by: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    id: String,
    release: String,
    table: Option<String>,
    /// A signal after so many us, a timer after so many, or a partner that works for so many.
    signal: Option<u64>,
    timer: Option<u64>,
    hop: Option<u64>,
    /// The next timer where no timer wakes, in us.
    far: Option<u64>,
    times: u32,
    states: Vec<(String, u32)>,
}

fn facts() -> Facts {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/idle-states/choices.toml"
    );
    toml::from_str(&std::fs::read_to_string(file).expect("there")).expect("facts")
}

fn release(id: &str) -> (Release, IdleGovernor) {
    match id {
        "2.6.34" => (Release::V26, IdleGovernor::Menu26),
        "4.9" => (Release::V49, IdleGovernor::Menu49),
        "6.1" => (Release::V61, IdleGovernor::Menu61),
        "6.12" => (Release::V612, IdleGovernor::Menu612),
        "6.18" => (Release::V618, IdleGovernor::Menu618),
        _ => panic!("no release {id}"),
    }
}

impl Facts {
    fn listed(&self, table: Option<&str>) -> Vec<IdleState> {
        let rows = self.tables[table.unwrap_or("skx")].iter();
        rows.map(|(name, exit, residency)| IdleState {
            name: name.clone(),
            exit_ns: exit * 1_000,
            residency_ns: residency * 1_000,
            wake: IdleWake::Store,
        })
        .collect()
    }
}

#[test]
fn the_menu_governor_chooses_as_the_kernels_own_code() {
    let facts = facts();
    let mut wrong = Vec::new();
    for c in &facts.choice {
        let listed = facts.listed(c.table.as_deref());
        let states: Vec<State> = listed
            .iter()
            .map(|s| State {
                exit_ns: u64::from(s.exit_ns),
                residency_ns: u64::from(s.residency_ns),
                polls: s.exit_ns == 0,
                measured: true,
            })
            .collect();
        for (id, wanted) in &c.by {
            let (release, _) = release(id);
            let mut menu = c.lengths.map_or_else(Menu::default, Menu::remembering);
            let timer_ns = c.timer_ns.or(c.timer.map(|us| us * US));
            let chosen = menu.select(
                release,
                &states,
                &Inputs {
                    timer_ns: timer_ns.unwrap_or(1_000 * MS),
                    next_ns: c.next.map_or(2 * MS, |us| us * US),
                    tick_ns: TICK,
                    stopped: c.stopped,
                    io_waits: c.io_waits,
                    load: 0,
                },
            );
            let mut found = listed[chosen.state].name.clone();
            if release.decides_tick() {
                let stopped = chosen.stops_tick || c.stopped;
                found += if stopped { " stopped" } else { " kept" };
            }
            if found != *wanted {
                wrong.push(format!("{} @ {id}: {found}, not {wanted}", c.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_menu_governor_learns_as_the_kernels_own_code() {
    let facts = facts();
    let mut wrong = Vec::new();
    for run in &facts.run {
        let found = left_states(&facts, run);
        if found != run.states {
            wrong.push(format!("{}: {found:?}, not {:?}", run.id, run.states));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The states that are left, with how often in a row; in a ping-pong those of one of the two CPUs.
fn left_states(facts: &Facts, run: &Run) -> Vec<(String, u32)> {
    let spec = IdleSpec {
        states: facts.listed(run.table.as_deref()),
        firmware_states: None,
        free_bsd_states: None,
    };
    let rules = IdleRules::new(&spec, release(&run.release).1, TICK);
    let grid = TickGrid::new(0, 250);
    let mut cpus = [Rest::default(), Rest::default()];
    let mut found: Vec<(String, u32)> = Vec::new();
    let mut now = SimTime(MS);
    // Both CPUs of a ping-pong fall idle a little apart.
    let mut next = 0;
    let far = |now| run.far.map_or(SimTime::NEVER, |us| now + SimSpan(us * US));
    if run.hop.is_some() {
        cpus[0].enter(&rules, now, far(now), (&grid, false), 0);
    }
    let times = run.times * if run.hop.is_some() { 2 } else { 1 };
    for _ in 0..times {
        let work = run.hop.or(run.signal).or(run.timer).unwrap_or(0) * US;
        let counts = next == 0;
        let cpu = &mut cpus[next];
        if run.hop.is_none() {
            let timer = run.timer.map_or(far(now), |us| now + SimSpan(us * US));
            cpu.begin();
            cpu.enter(&rules, now, timer, (&grid, false), 0);
        }
        now = now + SimSpan(work);
        cpu.catch_up(&rules, now, &grid);
        let state = cpu.state().expect("idle");
        cpu.leave(&rules, now, rules.exit_ns(state));
        let waker = now;
        if run.hop.is_some() {
            next = 1 - next;
            cpus[next].begin();
            cpus[next].enter(&rules, waker, far(waker), (&grid, false), 0);
        }
        now = now + SimSpan(rules.exit_ns(state));
        if run.hop.is_none() {
            now = now + SimSpan(US);
        }
        let name = rules.name(state);
        if !counts {
            continue;
        }
        match found.last_mut() {
            Some((last, n)) if last == name => *n += 1,
            _ => found.push((name.to_owned(), 1)),
        }
    }
    found
}

fn pair(machine: &str, lane: &Value, program: [&str; 2], cpu: u16) -> Value {
    let group = |name, program, cpu| {
        json!({
            "name": name, "count": 1, "process": "p", "allowed": [cpu],
            "behaviour": { "kind": "script", "params": { "program": program } }
        })
    };
    json!({
        "version": 1, "name": "pair", "machine": machine, "schedulers": [lane],
        "groups": [group("a", program[0], 0), group("b", program[1], cpu)],
        "end": { "atNs": 200 * MS }
    })
}

/// Mean time of a hop of a pipe between two CPUs, in units of 0.1 us, after 100 ms.
fn hop(machine: &str, lane: &Value, cpu: u16) -> u64 {
    let programs = [
        "run 5us; post 1 sync; take 2; repeat",
        "take 1; run 5us; post 2 sync; repeat",
    ];
    let plan = plan(&pair(machine, lane, programs, cpu));
    let mut sim = start(&plan, unchecked());
    let switches = |sim: &mut sim_run::engine::Sim| -> u64 {
        let sim = sim.refresh();
        (0..2)
            .map(|t| sim.account(sim_run::ids::TaskId(t)).switches)
            .sum()
    };
    sim.run_until(SimTime(100 * MS));
    let before = switches(&mut sim);
    sim.run_until(SimTime(200 * MS));
    let hops = switches(&mut sim) - before;
    (100 * MS / hops + 50) / 100
}

/// Exit of the shallow state, switch and 5 us of work; where an interrupt wakes, also the signal.
#[test]
fn a_pipe_between_two_cpus_settles_in_a_shallow_state() {
    let eevdf = json!({ "id": "eevdf" });
    let v49 = json!({ "id": "cfs", "era": "4.9" });
    for (machine, lane, cpu, wanted) in [
        ("xeon2s", &v49, 1, 82),
        ("xeon2s", &eevdf, 1, 82),
        ("i7860", &v49, 1, 95),
        ("i7860", &eevdf, 1, 95),
        ("r7840u", &eevdf, 1, 72),
        ("adl12900k", &eevdf, 2, 78),
        ("epyc9654", &eevdf, 1, 71),
        ("e3", &json!({ "id": "ule", "era": "11.1" }), 2, 82),
        ("ideal", &eevdf, 1, 50),
    ] {
        assert_eq!(hop(machine, lane, cpu), wanted, "{machine} {lane}");
    }
}

#[test]
fn an_idle_cpu_tells_its_state_and_a_busy_one_has_none() {
    let hog = json!({
        "version": 1, "name": "hog", "machine": "r7840u", "schedulers": [{ "id": "eevdf" }],
        "groups": [{ "name": "hog", "count": 1, "allowed": [0], "behaviour": { "kind": "loop" } }],
        "end": { "atNs": 200 * MS }
    });
    let plan = plan(&hog);
    let mut sim = start(&plan, unchecked());
    sim.run_until(SimTime(100 * MS));
    let sim = sim.refresh();
    let idle = |cpu| sim.queue_detail(sim_run::ids::CpuId(cpu)).idle;
    assert_eq!(idle(0), None);
    let told = idle(5).expect("a state");
    assert_eq!((told.state.as_str(), told.exit_ns), ("C3", 350_000.0));
    assert!(told.since_ns < 100e6);
    // Beside the busy context its core has nothing to leave.
    let sibling = plan.machine.sibling_list(sim_run::ids::CpuId(0));
    let beside = sibling.iter().find(|c| c.0 != 0).expect("a sibling");
    assert_eq!(idle(beside.0).expect("a state").exit_ns, 1_000.0);
}

/// A fixed time of the scenario means what it meant before there were states.
#[test]
fn a_fixed_time_holds_for_every_state() {
    let programs = [
        "run 5us; post 1 sync; take 2; repeat",
        "take 1; run 5us; post 2 sync; repeat",
    ];
    let mut scenario = pair("r7840u", &json!({ "id": "eevdf" }), programs, 1);
    scenario["timing"] = json!({ "idleExitDeepNs": 350_000 });
    let plan = plan(&scenario);
    let mut sim = straight(&plan, unchecked());
    let account = sim.refresh().account(sim_run::ids::TaskId(0));
    // 200 ms in hops of 356.2 us, every other of them here.
    assert_eq!(account.switches, 281);
    let _ = sim.digest();
}

/// Kept ticks, sleeps by timers and forks: the same run with and without skipped ticks, and after going back.
#[test]
fn states_do_not_depend_on_skipped_ticks_or_on_snapshots() {
    for lane in [
        json!({ "id": "eevdf" }),
        json!({ "id": "cfs", "era": "4.9" }),
        json!({ "id": "cfs", "era": "2.6.34" }),
        json!({ "id": "bfs", "era": "0.318" }),
        json!({ "id": "ule", "era": "11.1" }),
    ] {
        let group = |name: &str, count: u32, compute: u32, sleep: u32| {
            json!({
                "name": name, "count": count,
                "behaviour": { "kind": "interactive", "params": {
                    "computeUs": compute, "sleepUs": sleep, "computeShape": "exponential", "sleepShape": "exponential"
                } }
            })
        };
        let plan = plan(&json!({
            "version": 1, "name": "sleepers", "machine": "i7860", "schedulers": [lane],
            "groups": [group("s", 5, 30, 700), group("l", 3, 300, 9_000)],
            "background": { "daemons": { "count": 4 } },
            "end": { "atNs": 400 * MS }
        }));
        let wanted = straight(&plan, unchecked()).digest();
        assert_eq!(straight(&plan, every_tick()).digest(), wanted, "{lane}");
        let mut sim = start(&plan, unchecked());
        sim.run_until(SimTime(133 * MS));
        let bytes = sim.snapshot();
        let mut other = start(&plan, unchecked());
        other.restore(&bytes).expect("fits");
        assert_eq!(other.snapshot(), bytes, "{lane}");
        other.run_until(SimTime(400 * MS));
        assert_eq!(other.digest(), wanted, "{lane}");
    }
}

/// FreeBSD: 40 switches within two periods of the statistics clock make a CPU busy; it then waits for a store.
#[test]
fn a_freebsd_cpu_that_switches_often_waits_for_a_store() {
    let state = |wake| IdleState {
        name: "C1".to_owned(),
        exit_ns: 2_000,
        residency_ns: 0,
        wake,
    };
    let spec = IdleSpec {
        states: vec![state(IdleWake::Ipi)],
        firmware_states: None,
        free_bsd_states: Some(vec![state(IdleWake::Ipi), state(IdleWake::Store)]),
    };
    let rule = BusyRule {
        above: 157 / 4,
        clock: 1,
        switches: true,
    };
    let rules = IdleRules::new(&spec, IdleGovernor::FreeBsd(rule), MS);
    let grid = TickGrid::new(0, 1_000);
    for (switches, ipi) in [(39, true), (40, false)] {
        let mut rest = Rest::default();
        for i in 0..switches {
            rest.count(7 + u64::from(i >= 20));
        }
        rest.enter(&rules, SimTime(MS), SimTime::NEVER, (&grid, false), 0);
        assert_eq!(rules.needs_ipi(rest.state().expect("idle")), ipi);
    }
}
