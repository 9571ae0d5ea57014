//! Statements of the source about the Xeon: 4 cores of 2 threads.

use super::super::{Results, Value};
use super::curve::{Curve, Lane, Machine, Pair, Set, Values, What, peak, place, spread};
use crate::experiment::numbers::{largest, mean, of_means};
use What::{Cpu, Efficiency, Elapsed};

pub(super) fn values(claim: &str, results: &Results) -> Vec<Value> {
    let small = Pair::new(results, Machine::Xeon, Set::K1);
    let middle = Pair::new(results, Machine::Xeon, Set::M4);
    let large = Pair::new(results, Machine::Xeon, Set::M32);
    let mut values = Values::default();
    let out = &mut values;
    match claim {
        "J2" => {
            for set in Set::ALL {
                let pair = Pair::new(results, Machine::Xeon, set);
                ratios(out, set.name(), pair, "elapsedRatio", Elapsed);
                ratios(out, set.name(), pair, "cpuRatio", Cpu);
            }
        }
        "X4-T" => ratios(out, "", middle, "elapsedRatio", Elapsed),
        "X32-T" => ratios(out, "", large, "elapsedRatio", Elapsed),
        "X4-C" => ratios(out, "", middle, "cpuRatio", Cpu),
        "X32-C" => ratios(out, "", large, "cpuRatio", Cpu),
        "J5" => {
            for c in small.both() {
                out.add_growth("cpuGrowth", results, c, Cpu, &c.counts(11, 32));
            }
        }
        "J6" => out.all.push(scatter(results, small.bsd)),
        "J9" => {
            for c in small.both() {
                let worst = |t: &[f64]| largest(&t[1..]) / t[0];
                let worst = c.over(results, Elapsed, &[1, 2, 3, 4], worst);
                out.add("worstElapsed", c.lane.name(), worst);
            }
        }
        "J14" => {
            for c in small.both() {
                let worst = c.over(results, Efficiency, &[2, 3, 4], largest);
                out.add("worstEarly", c.lane.name(), worst);
            }
        }
        "J13" => {
            valleys(out, results, small.ule, &[8, 16, 24, 32]);
            tooth(out, results, small.ule);
        }
        "X4-E" => {
            let counts = middle.bsd.counts(1, 32);
            let spread = middle.bsd.over(results, Efficiency, &counts, spread);
            out.add("spread", "4BSD", spread);
            valleys(out, results, middle.ule, &[8, 16, 24]);
        }
        "X32-E" => slight(out, results, large.bsd),
        _ => {}
    }
    values.all
}

/// ULE / 4BSD for each number of processes.
fn ratios(out: &mut Values, of: &str, pair: Pair<'_>, measure: &'static str, what: What) {
    out.add_ratios(measure, of, pair, what, pair.bsd.machine.counts());
}

/// Spread of the seeds: (largest - smallest) / mean of the CPU time.
fn scatter(results: &Results, curve: Curve) -> Value {
    let at = |n: u32| {
        let cpu = curve.samples(results, Cpu, n);
        spread(&cpu) / mean(&cpu)
    };
    let over = |from: u32, to: u32| {
        let all: Vec<f64> = curve.counts(from, to).into_iter().map(at).collect();
        mean(&all)
    };
    let (wide, calm) = (over(2, 6), over(11, 32));
    let value = wide / calm.max(at(1)).max(1e-9);
    Value::exact("scatter", value).of(curve.lane.name())
}

/// Adds the neighbours of each number of processes at which the curve returns to 1.
fn valleys(out: &mut Values, results: &Results, curve: Curve, at: &[u32]) {
    let counts = curve.machine.counts();
    for n in at {
        let i = place(counts, *n);
        let near = &counts[i - 1..(i + 2).min(counts.len())];
        let above = |e: &[f64]| {
            let beside = match e.get(2) {
                Some(right) => right.min(e[0]),
                None => e[0],
            };
            e[1] - beside
        };
        let above = curve.over(results, Efficiency, near, above);
        out.add_at("valley", curve.lane.name(), *n, above);
    }
}

/// Adds the highest tooth beyond the hardware threads, above 1, as a part of the V890's.
fn tooth(out: &mut Values, results: &Results, xeon: Curve) {
    let v890 = Curve::new(Machine::V890, Lane::Ule, Set::K1);
    let here = xeon.counts(9, 32);
    let samples = [
        xeon.samples_of(results, Efficiency, &here),
        v890.samples_of(results, Efficiency, &v890.counts(1, 64)),
    ]
    .concat();
    let part = |e: &[f64]| (largest(&e[..here.len()]) - 1.0) / (largest(&e[here.len()..]) - 1.0);
    out.add("tooth", "ULE", of_means(&samples, part));
}

/// Adds where efficiency is worst once each hardware thread has a process, and how bad it is from 16 to 32. With fewer
/// processes the result depends on which threads share a core.
fn slight(out: &mut Values, results: &Results, curve: Curve) {
    let counts = curve.counts(curve.machine.cpus(), 32);
    let at = curve.over(results, Efficiency, &counts, |e| peak(&counts, e));
    out.add("peakBeyond", curve.lane.name(), at);
    let most = curve.over(results, Efficiency, &curve.counts(16, 32), largest);
    out.add("largestMiddle", curve.lane.name(), most);
}

/// Adds where efficiency is worst, and how bad it is.
pub(super) fn highest(out: &mut Values, results: &Results, curve: Curve) {
    let counts = curve.machine.counts();
    let at = curve.over(results, Efficiency, counts, |e| peak(counts, e));
    out.add("peakAt", curve.lane.name(), at);
    let most = curve.over(results, Efficiency, counts, largest);
    out.add("peak", curve.lane.name(), most);
}
