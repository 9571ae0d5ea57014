//! Compares the machine model with its formulas. The formulas of the design are written again with real numbers
//! ([`formulas`], [`simulate`]). There are also the tables that were calculated from them by hand ([`tables`]), and
//! runs of the engine ([`engine`]).

mod engine;
mod formulas;
mod runs;
mod simulate;
mod tables;

use engine::Placed;
use formulas::{Class, Pattern, Running, distance, hit_share, path, speeds, warm_up};
use sim_run::ids::CpuId;
use sim_run::machine::spec::Replacement;
use sim_run::machine::{Machine, registry};
use simulate::{Queues, Run};
use tables::{MIB, fills, printed, spread};

#[test]
fn the_formulas_give_the_table_of_speeds() {
    let mut wrong = Vec::new();
    for row in tables::speeds().machine {
        let machine = row.machine();
        let class = Class::array_loop(&machine);
        for (set, n, wanted) in row.points() {
            let all: Vec<Running> = spread(&machine, n)
                .into_iter()
                .map(|c| Running::local(&machine, c, class, formulas::real(set)))
                .collect();
            for speed in speeds(&machine, &all) {
                if !printed(speed.alone, row.alone_ns, 0.005) {
                    wrong.push(format!("{}: alone {:.4} ns", row.id, speed.alone));
                }
                let found = speed.relative();
                if !printed(found, wanted, 0.000_6) {
                    let line = format!("{} {set} x{n}: {found:.4}, not {wanted}", row.id);
                    if wrong.last() != Some(&line) {
                        wrong.push(line);
                    }
                }
            }
        }
    }
    for row in tables::speeds().remote {
        let machine = registry::preset(&row.id).expect("a preset");
        let memory = &machine.spec().memory;
        let far = memory.distances[0].iter().position(|d| *d == row.distance);
        let mut r = Running::local(
            &machine,
            CpuId(0),
            Class::array_loop(&machine),
            33_554_432.0,
        );
        r.memory.fill(0.0);
        r.memory[far.expect("a node so far away")] = 1.0;
        let found = speeds(&machine, &[r])[0].relative();
        if !printed(found, row.speed, 0.000_6) {
            wrong.push(format!("{} remote: {found:.4}, not {}", row.id, row.speed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_formulas_give_the_table_of_warm_ups() {
    let mut wrong = Vec::new();
    for row in fills() {
        let machine = registry::preset(&row.id).expect("a preset");
        let class = Class::array_loop(&machine);
        let last = path(&machine, CpuId(0)).len() - 1;
        for (set, shared, wanted) in row.points() {
            let found = warm_up(&machine, class, formulas::real(set), shared.then_some(last)) / 1e3;
            // As many digits as are printed, and a tolerance of a thousandth.
            let tenths = wanted < 10.0 || wanted.fract() > 0.0;
            let half: f64 = if tenths { 0.051 } else { 0.51 };
            if !printed(found, wanted, half.max(wanted * 0.001)) {
                wrong.push(format!(
                    "{} {set} shared {shared}: {found:.3} us, not {wanted}",
                    row.id
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn distances_follow_the_table_of_the_firmware() {
    let mc32 = registry::preset("mc32").expect("a preset");
    let near = |a, b| (distance(&mc32, a, b) - 1.5).abs() < 1e-9;
    assert!(near(0, 1) && near(0, 2) && near(1, 3));
    assert!((distance(&mc32, 0, 3) - 2.0).abs() < 1e-9);
}

#[test]
fn the_formulas_give_the_table_of_queues() {
    let machine = registry::preset("v890").expect("a preset");
    let table = tables::queued();
    let mut wrong = Vec::new();
    for sweep in &table.sweep {
        let run = |threads, queues| Run {
            machine: &machine,
            class: Class::array_loop(&machine),
            set: formulas::real(sweep.set_mib * MIB),
            iterations: formulas::real(sweep.iterations),
            threads,
            queues,
            slice: formulas::real(table.slice_ms * 1_000_000),
        };
        let one = run(1, Queues::Pinned).go();
        for (queues, column) in [
            (Queues::One, &sweep.one_queue),
            (Queues::Pinned, &sweep.pinned),
        ] {
            for (n, wanted) in column {
                let out = run(n.parse().expect("a number"), queues).go();
                let found = [out.cpu / one.cpu, out.elapsed / one.elapsed];
                for (found, wanted) in found.iter().zip(wanted) {
                    if !printed(*found, *wanted, 0.005_5) {
                        wrong.push(format!(
                            "{} MiB x{n} {queues:?}: {found:.4}, not {wanted}",
                            sweep.set_mib
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_shares_of_a_sweep_that_hit_are_those_of_the_sources() {
    for (fill, wanted) in [
        (0.5, 1.0),
        (1.25, 0.63),
        (1.5, 0.42),
        (2.0, 0.20),
        (3.0, 0.06),
        (4.0, 0.02),
    ] {
        let found = hit_share(Replacement::Random, 0.3, Pattern::Cyclic, fill);
        assert!(printed(found, wanted, 0.005_5), "{fill}: {found}");
    }
    for (fill, wanted) in [(1.0, 1.0), (1.15, 0.5), (1.3, 0.0), (9.0, 0.0)] {
        let found = hit_share(Replacement::Lru, 0.3, Pattern::Cyclic, fill);
        assert!(printed(found, wanted, 1e-9), "{fill}: {found}");
    }
    let chased = hit_share(Replacement::Lru, 0.3, Pattern::Random, 4.0);
    assert!(printed(chased, 0.25, 1e-9));
}

/// All placements of n threads on the eight contexts of four cores, and the mean of their throughput. It is C (P1 + s2
/// P2), where P1 and P2 are the shares of the cores with one thread and with two.
#[test]
fn all_placements_together_give_the_closed_form_of_a_random_one() {
    let spec = registry::spec("i7860").expect("a preset");
    let machine = Machine::new(&spec).expect("possible");
    // The pair throughput of the class, and the printed means (n, C (P1 + s2 P2)).
    let table = [
        (1, 1.0),
        (2, 1.851),
        (3, 2.554),
        (4, 3.109),
        (5, 3.514),
        (6, 3.771),
        (7, 3.880),
        (8, 3.840),
    ];
    for (n, wanted) in table {
        let mut sum = 0.0;
        let mut best = 0.0_f64;
        let placements: Vec<u32> = (0_u32..256).filter(|m| m.count_ones() == n).collect();
        for mask in &placements {
            let cpus = machine.cpu_ids().filter(|c| mask >> c.index() & 1 == 1);
            let all: Vec<Placed> = cpus.map(Placed::dhrystone).collect();
            let throughput: f64 = engine::speeds(&spec, &all, 20_000_000, 40_000_000)
                .iter()
                .sum();
            best = best.max(throughput);
            sum += throughput;
        }
        let mean = sum / f64::from(u32::try_from(placements.len()).expect("few"));
        assert!(printed(mean, wanted, 0.000_6), "{n}: {mean}");
        // The best placement is one thread per core first.
        let n = f64::from(n);
        let ideal = if n <= 4.0 {
            n
        } else {
            8.0 - n + 0.96 * (n - 4.0)
        };
        assert!(printed(best, ideal, 0.000_1), "{n}: {best}");
    }
}

#[test]
fn heat_holds_the_980x_at_four_and_a_third_cores() {
    let spec = registry::spec("i7980x").expect("a preset");
    let machine = Machine::new(&spec).expect("possible");
    for n in 1..=12_usize {
        let all: Vec<Placed> = spread(&machine, n)
            .into_iter()
            .map(Placed::dhrystone)
            .collect();
        // Long after the package has warmed up, for any time constant.
        let found: f64 = engine::speeds(&spec, &all, 200_000_000_000, 201_000_000_000)
            .iter()
            .sum();
        let pairs = formulas::real(n.saturating_sub(6) as u64);
        let cores = formulas::real(n.min(6) as u64);
        let cool = cores - pairs * (1.0 - 0.96);
        let wanted = cool * (13.0 / 3.0 / cores).min(1.0);
        assert!(printed(found, wanted, 0.002), "{n}: {found}, not {wanted}");
    }
}
