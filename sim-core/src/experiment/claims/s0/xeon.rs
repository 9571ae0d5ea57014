//! What the source says of the Xeon: 4 cores of 2 threads.

use super::super::{Results, Value};
use super::curve::{
    Curve, Lane, Machine, Pair, Set, What, largest, mean, of_means, peak, smallest,
};
use What::{Cpu, Efficiency, Elapsed};

pub(super) fn values(claim: &str, results: &Results) -> Vec<Value> {
    let small = Pair::new(results, Machine::Xeon, Set::K1);
    let middle = Pair::new(results, Machine::Xeon, Set::M4);
    let large = Pair::new(results, Machine::Xeon, Set::M32);
    match claim {
        "J2" => Set::ALL
            .into_iter()
            .flat_map(|set| {
                let pair = Pair::new(results, Machine::Xeon, set);
                let both = [
                    ratios(pair, "elapsedRatio", Elapsed),
                    ratios(pair, "cpuRatio", Cpu),
                ];
                both.concat().into_iter().map(move |v| v.of(set.name()))
            })
            .collect(),
        "X4-T" => ratios(middle, "elapsedRatio", Elapsed),
        "X32-T" => ratios(large, "elapsedRatio", Elapsed),
        "X4-C" => ratios(middle, "cpuRatio", Cpu),
        "X32-C" => ratios(large, "cpuRatio", Cpu),
        "J5" => grown(small),
        "J6" => vec![scatter(results, small.bsd)],
        "J9" => small
            .both()
            .map(|c| {
                let worst = |t: &[f64]| largest(&t[1..]) / t[0];
                let worst = c.over(results, Elapsed, &[1, 2, 3, 4], worst);
                Value::new("worstElapsed", worst).of(c.lane.name())
            })
            .into(),
        "J14" => small
            .both()
            .map(|c| {
                let worst = c.over(results, Efficiency, &[2, 3, 4], largest);
                Value::new("worstEarly", worst).of(c.lane.name())
            })
            .into(),
        "J13" => {
            let mut all = valleys(results, small.ule, &[8, 16, 24, 32]);
            all.push(tooth(results, small.ule));
            all
        }
        "X4-E" => {
            let counts = middle.bsd.counts(1, 32);
            let spread = |e: &[f64]| largest(e) - smallest(e);
            let spread = middle.bsd.over(results, Efficiency, &counts, spread);
            let mut all = vec![Value::new("spread", spread).of("4BSD")];
            all.extend(valleys(results, middle.ule, &[8, 16, 24]));
            all
        }
        "X32-E" => slight(results, large.bsd),
        _ => Vec::new(),
    }
}

/// ULE / 4BSD with each number of processes.
fn ratios(pair: Pair<'_>, measure: &'static str, what: What) -> Vec<Value> {
    let each = pair.bsd.machine.counts().iter();
    each.map(|n| Value::new(measure, pair.ratio(what, *n)).at(*n))
        .collect()
}

fn grown(pair: Pair<'_>) -> Vec<Value> {
    let of = |c: Curve| {
        let value = move |n: u32| {
            let growth = c.growth(pair.results, Cpu, n);
            Value::new("cpuGrowth", growth).of(c.lane.name()).at(n)
        };
        c.counts(11, 32).into_iter().map(value)
    };
    pair.both().into_iter().flat_map(of).collect()
}

/// How far the seeds are apart: (largest - smallest) / mean of the CPU time.
fn scatter(results: &Results, curve: Curve) -> Value {
    let at = |n: &u32| {
        let cpu = curve.samples(results, Cpu, *n);
        (largest(&cpu) - smallest(&cpu)) / mean(&cpu)
    };
    let over = |counts: Vec<u32>| mean(&counts.iter().map(at).collect::<Vec<_>>());
    let (wide, calm) = (over(curve.counts(2, 6)), over(curve.counts(11, 32)));
    let value = wide / calm.max(at(&1)).max(1e-9);
    Value::exact("scatter", value).of(curve.lane.name())
}

/// Neighbours of each number of processes at which the curve comes back to 1.
fn valleys(results: &Results, curve: Curve, at: &[u32]) -> Vec<Value> {
    let counts = curve.machine.counts();
    let value = |n: &u32| {
        let i = counts.iter().position(|m| m == n).unwrap_or_default();
        let near = &counts[i - 1..(i + 2).min(counts.len())];
        let above = curve.over(results, Efficiency, near, |e| {
            e[1] - e.get(2).map_or(e[0], |right| right.min(e[0]))
        });
        Value::new("valley", above).of(curve.lane.name()).at(*n)
    };
    at.iter().map(value).collect()
}

/// The highest tooth beyond the hardware threads, above 1, as a part of the V890's.
fn tooth(results: &Results, xeon: Curve) -> Value {
    let v890 = Curve::new(Machine::V890, Lane::Ule, Set::K1);
    let counts = [xeon.counts(9, 32), v890.counts(1, 64)];
    let of = |curve: Curve, counts: &[u32]| -> Vec<Vec<f64>> {
        let each = counts.iter();
        each.map(|n| curve.samples(results, Efficiency, *n))
            .collect()
    };
    let samples = [of(xeon, &counts[0]), of(v890, &counts[1])].concat();
    let part = of_means(&samples, |e| {
        let (here, there) = e.split_at(counts[0].len());
        (largest(here) - 1.0) / (largest(there) - 1.0)
    });
    Value::new("tooth", part).of("ULE")
}

/// Where efficiency is worst once each hardware thread has a process (with fewer, who shares a core decides), and how bad
/// it gets from 16 to 32.
fn slight(results: &Results, curve: Curve) -> Vec<Value> {
    let counts = curve.counts(curve.machine.cpus(), 32);
    let at = curve.over(results, Efficiency, &counts, |e| peak(&counts, e));
    let most = curve.over(results, Efficiency, &curve.counts(16, 32), largest);
    vec![
        Value::new("peakBeyond", at).of(curve.lane.name()),
        Value::new("largestMiddle", most).of(curve.lane.name()),
    ]
}

/// Where efficiency is worst, and how bad.
pub(super) fn highest(results: &Results, curve: Curve) -> Vec<Value> {
    let counts = curve.machine.counts();
    let of = |measure, f: &dyn Fn(&[f64]) -> f64| {
        let found = curve.over(results, Efficiency, counts, f);
        Value::new(measure, found).of(curve.lane.name())
    };
    vec![of("peakAt", &|e| peak(counts, e)), of("peak", &largest)]
}
