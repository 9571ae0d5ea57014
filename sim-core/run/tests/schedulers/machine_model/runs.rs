//! Runs of the engine, compared with the tables and the formulas.

use super::engine::{self, Pinned, Placed, groups};
use super::formulas::{self, Class, Running, path, real};
use super::tables::{self, KIB, MIB, printed, spread};
use crate::properties::config;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::json;
use sim_run::ids::CpuId;
use sim_run::machine::{Machine, registry};

const MS: u64 = 1_000_000;

#[test]
fn the_engine_gives_the_table_of_speeds() {
    let mut wrong = Vec::new();
    for row in tables::speeds().machine {
        let machine = row.machine();
        for (set, n, wanted) in row.points() {
            let cpus = spread(&machine, n).into_iter();
            let all: Vec<Placed> = cpus.map(|c| Placed::array_loop(c, set)).collect();
            let found = engine::speeds(machine.spec(), &all, 600 * MS, 650 * MS);
            if let Some(found) = found.iter().find(|f| !printed(**f, wanted, 0.001)) {
                wrong.push(format!("{} {set} x{n}: {found:.4}, not {wanted}", row.id));
            }
        }
    }
    for row in tables::speeds().remote {
        let machine = registry::preset(&row.id).expect("a preset");
        let row_of = &machine.spec().memory.distances[0];
        let far = row_of.iter().position(|d| *d == row.distance);
        let there = machine
            .cpu_ids()
            .find(|c| Some(machine.place(*c).node.index()) == far)
            .expect("a CPU so far away");
        let edits = json!([{
            "atNs": MS,
            "edit": { "kind": "pin", "target": { "group": "t0" }, "cpus": [there.0] },
        }]);
        let all = [Placed::array_loop(CpuId(0), 32 * MIB)];
        let found = engine::speeds_after(machine.spec(), &all, &edits, 600 * MS, 650 * MS)[0];
        if !printed(found, row.speed, 0.001) {
            wrong.push(format!("{} remote: {found:.4}, not {}", row.id, row.speed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The time that a thread lost until a time, relative to its speed afterwards, in us.
fn lost(run: &mut Pinned, from: u64, until: u64, later: u64) -> f64 {
    let marks = [run.at(from)[0], run.at(until)[0], run.at(later)[0]];
    let speed = (marks[2].work - marks[1].work) / (marks[2].run - marks[1].run);
    let span = (marks[1].run - marks[0].run, marks[1].work - marks[0].work);
    (span.0 - span.1 / speed) / 1e3
}

/// From memory at the first dispatch; from the shared level after a move to another core of the group.
#[test]
fn the_engine_gives_the_table_of_warm_ups() {
    let mut wrong = Vec::new();
    for row in tables::fills().iter().filter(|r| r.id != "mc1") {
        let machine = registry::preset(&row.id).expect("a preset");
        let other = machine.cpu_ids().find(|c| {
            let (a, b) = (machine.place(CpuId(0)), machine.place(*c));
            a.core != b.core && a.llc == b.llc
        });
        for (set, shared, wanted) in row.points() {
            let threads = groups(&[Placed::array_loop(CpuId(0), set)], |_| 0);
            let edits = if shared {
                json!([{
                    "atNs": 100 * MS,
                    "edit": { "kind": "pin", "cpus": [other.expect("a neighbour").0] },
                }])
            } else {
                json!([])
            };
            let mut run = Pinned::new(machine.spec(), &threads, 100, &edits, 300 * MS);
            let from = if shared { 99 * MS } else { 0 };
            let found = lost(&mut run, from, 200 * MS, 300 * MS);
            let tenths = wanted < 10.0 || wanted.fract() > 0.0;
            let half: f64 = if tenths { 0.06 } else { 0.6 };
            if !printed(found, wanted, half.max(wanted * 0.001)) {
                let line = format!("{} {set} shared {shared}: {found:.3} us", row.id);
                wrong.push(format!("{line}, not {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A server thread of 64 KiB and a client whose set evicts it from the private levels take turns: each switch to the
/// server refills its footprint from the shared level.
#[test]
fn a_preempted_server_refills_its_footprint_from_the_shared_level() {
    let wanted = tables::fills()
        .iter()
        .find(|r| r.id == "mc1")
        .expect("a row")
        .points()[0]
        .2;
    let spec = registry::spec("mc1").expect("a preset");
    let all = [
        Placed::array_loop(CpuId(0), 64 * KIB),
        Placed::array_loop(CpuId(0), 2 * MIB),
    ];
    let mut run = Pinned::new(&spec, &groups(&all, |_| 0), 10, &json!([]), 2_000 * MS);
    let (before, after) = (run.at(500 * MS)[0], run.at(2_000 * MS)[0]);
    let lost = (after.run - before.run) - (after.work - before.work);
    let each = lost / 1e3 / real(after.switches - before.switches);
    assert!(printed(each, wanted, 0.2), "{each} us, not {wanted}");
}

#[test]
fn fixed_queues_give_the_table_of_queues() {
    let spec = registry::spec("v890").expect("a preset");
    let machine = Machine::new(&spec).expect("possible");
    let cores = machine.core_count();
    let table = tables::queued();
    let mut wrong = Vec::new();
    for sweep in &table.sweep {
        // 15.3 cycles at 1.35 GHz are 11.33 ns.
        let (cycles, mhz) = (
            u64::from(spec.work.loop_milli_cycles),
            u64::from(spec.clock_mhz),
        );
        let work_ms = sweep.iterations * cycles / mhz / 1_000_000;
        let run = |n: usize| {
            let place = |i: usize| Placed {
                work_ms,
                ..Placed::array_loop(CpuId::new(i % cores), sweep.set_mib * MIB)
            };
            let all: Vec<Placed> = (0..n).map(place).collect();
            // The slices of the cores end one after the other.
            let slice = table.slice_ms * MS;
            let start = |i: usize| (i % cores) as u64 * slice / cores as u64;
            let threads = groups(&all, start);
            let mut run = Pinned::new(&spec, &threads, table.slice_ms, &json!([]), 120_000 * MS);
            let done = run.at(120_000 * MS);
            let cpu = done.iter().map(|d| d.run).sum::<f64>() / real(n as u64);
            (cpu, real(run.now_ns()))
        };
        let one = run(1);
        for (n, wanted) in &sweep.pinned {
            let (cpu, elapsed) = run(n.parse().expect("a number"));
            for (found, wanted) in [cpu / one.0, elapsed / one.1].iter().zip(wanted) {
                if !printed(*found, *wanted, 0.012) {
                    wrong.push(format!(
                        "{} MiB x{n}: {found:.4}, not {wanted}",
                        sweep.set_mib
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A thread of a random case: its CPU, its kind of work, and its size (between two powers of two).
type Draw = (u16, u8, u32, u64);

fn draws() -> impl Strategy<Value = (usize, Vec<Draw>)> {
    let draw = (any::<u16>(), 0_u8..8, 10_u32..26, 0_u64..64);
    (
        0..registry::PRESETS.len(),
        prop::collection::vec(draw, 1..9),
    )
}

/// Threads on different CPUs of a preset without its heat.
fn case(preset: usize, draws: &[Draw]) -> (Machine, Vec<Placed>) {
    let mut spec = registry::spec(registry::PRESETS[preset].0).expect("a preset");
    spec.thermal = None;
    let machine = Machine::new(&spec).expect("possible");
    let mut all: Vec<Placed> = Vec::new();
    for (cpu, kind, power, part) in draws {
        let cpu = CpuId::new(usize::from(*cpu) % machine.cpu_count());
        if all.iter().any(|p| p.cpu == cpu) {
            continue;
        }
        let set = (1_u64 << power) + (part << power) / 64;
        all.push(match kind {
            0 => Placed::dhrystone(cpu),
            1 | 2 => Placed::chase(cpu, set),
            _ => Placed::array_loop(cpu, set),
        });
    }
    (machine, all)
}

fn reference(machine: &Machine, all: &[Placed]) -> Vec<f64> {
    let running = |p: &Placed| {
        let class = match p.kind {
            "loop" => Class::array_loop(machine),
            "chase" => Class::chase(machine),
            _ => Class::dhrystone(),
        };
        Running::local(machine, p.cpu, class, real(p.set.unwrap_or(0)))
    };
    let all: Vec<Running> = all.iter().map(running).collect();
    let speeds = formulas::speeds(machine, &all);
    speeds
        .iter()
        .zip(&all)
        .map(|(s, r)| s.relative() * core_speed(machine, r.cpu))
        .collect()
}

/// Speed of a core relative to the nominal one.
fn core_speed(machine: &Machine, cpu: CpuId) -> f64 {
    f64::from(machine.place(cpu).speed_milli) / 1e3
}

fn run_cases(cases: u32, test: impl Fn(&Machine, &[Placed]) -> Result<(), String>) {
    let mut runner = TestRunner::new(config(cases));
    let result = runner.run(&draws(), |(preset, draws)| {
        let (machine, all) = case(preset, &draws);
        test(&machine, &all).map_err(TestCaseError::fail)
    });
    if let Err(e) = result {
        panic!("{e}");
    }
}

/// Long enough to fill every cache.
fn steady(machine: &Machine, all: &[Placed]) -> Vec<f64> {
    engine::speeds(machine.spec(), all, 900 * MS, 950 * MS)
}

#[test]
fn the_engine_agrees_with_the_formulas() {
    run_cases(300, |machine, all| {
        let (found, wanted) = (steady(machine, all), reference(machine, all));
        for (i, (f, w)) in found.iter().zip(&wanted).enumerate() {
            if (f / w - 1.0).abs() > 0.002 {
                return Err(format!(
                    "{}: thread {i} of {all:?}: {f:.5}, not {w:.5}",
                    machine.spec().id
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn a_thread_on_an_idle_core_speeds_nobody_up() {
    run_cases(100, |machine, all| {
        let Some((new, before)) = all.split_last() else {
            return Ok(());
        };
        // On a sibling it may slow down the thread that crowds the others.
        let core = |p: &Placed| machine.place(p.cpu).core;
        if before.is_empty() || before.iter().any(|p| core(p) == core(new)) {
            return Ok(());
        }
        let (alone, beside) = (steady(machine, before), steady(machine, all));
        for (i, (a, b)) in alone.iter().zip(&beside).enumerate() {
            if b / a > 1.001 {
                return Err(format!(
                    "{}: thread {i} of {all:?}: {a:.5}, then {b:.5}",
                    machine.spec().id
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn a_larger_set_is_never_faster() {
    for id in registry::ids() {
        let machine = registry::preset(id).expect("a preset");
        let mut last = f64::INFINITY;
        for power in 9..27 {
            for part in [4, 5, 6, 7] {
                let set = (part << power) / 4;
                let now = steady(&machine, &[Placed::array_loop(CpuId(0), set)])[0];
                assert!(
                    now <= last * 1.000_01,
                    "{id}: {set} bytes: {now}, before {last}"
                );
                last = now;
            }
        }
        // On the ideal machine it costs nothing.
        let is_free = machine.spec().memory.line_ps == 0;
        assert_eq!(last < 0.99, !is_free, "{id}: {last}");
    }
}

/// Two threads whose sets stay in the cache together: slices of any length give the same CPU time.
#[test]
fn the_same_work_costs_the_same_however_it_is_cut() {
    for (id, set) in [("v890", 3 * MIB), ("v890", 200 * KIB), ("i7860", 100 * KIB)] {
        let spec = registry::spec(id).expect("a preset");
        let machine = Machine::new(&spec).expect("possible");
        assert!(
            path(&machine, CpuId(0))[1].bytes >= 2.0 * real(set),
            "both fit"
        );
        let run = |slice_ms| {
            let place = Placed {
                work_ms: 1_500,
                ..Placed::array_loop(CpuId(0), set)
            };
            let threads = groups(&[place.clone(), place], |_| 0);
            let mut run = Pinned::new(&spec, &threads, slice_ms, &json!([]), 60_000 * MS);
            run.at(60_000 * MS)[0].run
        };
        let long = run(1_000);
        for slice_ms in [1, 7, 94] {
            let short = run(slice_ms);
            assert!(
                (short / long - 1.0).abs() < 1e-6,
                "{id} {set}: {short} ns at {slice_ms} ms, {long}"
            );
        }
    }
}
