//! Statements of the source about the V890: 16 cores without SMT.

use super::super::{Results, Value};
use super::curve::{
    Curve, Machine, Pair, Set, Values, What, largest_of, of_ratios, peak, place, spread,
};
use super::xeon::highest;
use crate::experiment::numbers::{largest, mean, smallest};
use crate::experiment::stats::Estimate;
use Machine::V890;
use What::{Cpu, Efficiency, Elapsed, Finish};

pub(super) fn values(claim: &str, results: &Results) -> Vec<Value> {
    let mut values = Values::default();
    let out = &mut values;
    match claim {
        "J1" => {
            depends(out, "T", results, Elapsed);
            depends(out, "CPU time", results, Cpu);
        }
        "J3" | "J4" | "J7" | "J8" | "J10" | "J11" | "J12" | "J15" => {
            small(out, claim, Pair::new(results, V890, Set::K1));
        }
        "J16" | "J17" | "J18" | "J19" | "J21" | "J22" => {
            middle(out, claim, Pair::new(results, V890, Set::M4));
        }
        "J20" => {
            for machine in [V890, Machine::Xeon] {
                departs(out, Pair::new(results, machine, Set::M4));
            }
        }
        _ => large(out, claim, Pair::new(results, V890, Set::M32)),
    }
    values.all
}

/// ULE / 4BSD for all sets with more processes than CPUs.
fn depends(out: &mut Values, name: &str, results: &Results, what: What) {
    let pairs = Set::ALL.map(|set| Pair::new(results, V890, set));
    let of = |curve: Curve| curve.samples_of(results, what, &curve.counts(17, 64));
    let ule = pairs.iter().flat_map(|pair| of(pair.ule));
    let bsd = pairs.iter().flat_map(|pair| of(pair.bsd));
    let all: Vec<_> = ule.chain(bsd).collect();
    out.add("leastRatio", name, of_ratios(&all, smallest));
    out.add("mostRatio", name, of_ratios(&all, largest));
}

fn small(out: &mut Values, claim: &str, pair: Pair<'_>) {
    let Pair { results, bsd, ule } = pair;
    let (within, beyond) = (bsd.counts(1, 16), bsd.counts(17, 64));
    let all = bsd.counts(1, 64);
    match claim {
        "J3" => {
            let less = pair.ratios(Cpu, &all, |r| 1.0 - mean(r));
            out.add("cpuLess", "", less.times(100.0));
        }
        "J4" => {
            for c in pair.both() {
                let spread = |cpu: &[f64]| largest(cpu) / smallest(cpu);
                let spread = c.over(results, Cpu, &all, spread);
                out.add("cpuSpread", c.lane.name(), spread);
            }
        }
        "J7" => {
            for c in pair.both() {
                out.add_growth("elapsedGrowth", results, c, Elapsed, &within[1..]);
            }
        }
        "J8" => {
            for n in beyond {
                out.add_at("lineOfOne", "4BSD", n, line(results, bsd, 1, n));
            }
            out.add_ratios("elapsedRatio", "", pair, Elapsed, &[18]);
        }
        "J10" => {
            for c in pair.both() {
                efficiency(out, results, c, &within);
            }
        }
        "J11" => {
            let step = bsd.over(results, Efficiency, &[16, 17], |e| e[1] - e[0]);
            out.add("step", "4BSD", step);
            let most = bsd.over(results, Efficiency, &beyond, largest);
            out.add("largestAfter", "4BSD", most);
        }
        "J12" => {
            sawtooth(out, results, ule);
            let over = ule.over(results, Efficiency, &[17, 18], |e| e[1] - e[0]);
            out.add("overSeventeen", &ule.name(), over);
            efficiency(out, results, ule, &[24]);
        }
        _ => {
            for c in pair.both() {
                out.add("finish", c.lane.name(), c.mean(results, Finish, 18));
            }
        }
    }
}

/// T divided by its value if all CPUs shared the work evenly: T of `base` processes × N / CPUs, where `base` is 1 or
/// the number of CPUs.
fn line(results: &Results, curve: Curve, base: u32, n: u32) -> Estimate {
    let share = f64::from(n) / f64::from(curve.machine.cpus());
    let (t, even) = (
        curve.samples(results, Elapsed, n),
        curve.samples(results, Elapsed, base),
    );
    Estimate::ratio(&t, &even).times(1.0 / share)
}

/// Efficiency for each number of processes.
fn efficiency(out: &mut Values, results: &Results, curve: Curve, counts: &[u32]) {
    for n in counts {
        let at = curve.mean(results, Efficiency, *n);
        out.add_at("efficiency", &curve.name(), *n, at);
    }
}

fn sawtooth(out: &mut Values, results: &Results, ule: Curve) {
    let counts = ule.counts(1, 64);
    let name = ule.name();
    let of = |f: &dyn Fn(&[f64]) -> f64| ule.over(results, Efficiency, &counts, f);
    let at = |e: &[f64], n: u32| e[place(&counts, n)];
    let second = |e: &[f64]| at(e, 33).max(at(e, 36));
    let rise = |e: &[f64]| {
        let top = peak(&counts, e);
        let mut most = f64::NEG_INFINITY;
        for i in 1..counts.len() {
            if f64::from(counts[i - 1]) >= top && counts[i] <= 32 {
                most = most.max(e[i] - e[i - 1]);
            }
        }
        most
    };
    // The source: "peaks at about 18".
    let peak_at = Value::new("peakAt", of(&|e| peak(&counts, e)));
    out.all.push(peak_at.of(name.as_str()).published(18.0));
    out.add("peak", &name, of(&largest));
    out.add("rise", &name, of(&rise));
    out.add("secondTooth", &name, of(&second));
    out.add("overForty", &name, of(&|e| second(e) - at(e, 40)));
    // The source: "slopes back to 1 at 32", and at 48.
    for n in [32, 48] {
        efficiency(out, results, ule, &[n]);
        if let Some(value) = out.all.last_mut() {
            value.published = Some(1.0);
        }
    }
}

fn middle(out: &mut Values, claim: &str, pair: Pair<'_>) {
    let Pair { results, bsd, ule } = pair;
    match claim {
        "J16" => out.add_ratios("cpuRatio", "", pair, Cpu, &[1, 2, 10, 12, 14, 15, 16]),
        "J17" => {
            let less = |r: &[f64]| 1.0 - mean(&[1.0 / r[0], 1.0 / r[1]]);
            let less = pair.ratios(Cpu, &[6, 8], less);
            out.add("cpuSaved", "", less.times(100.0));
        }
        "J18" => {
            let middle = pair.ratios(Cpu, &bsd.counts(17, 36), mean);
            out.add("cpuMiddle", "", middle);
        }
        "J19" => out.add_ratios("cpuRatio", "", pair, Cpu, &[56, 64]),
        "J21" => {
            let counts = bsd.counts(1, 64);
            let bump = |e: &[f64]| {
                largest_of(&counts, e, |n| (4..=12).contains(&n))
                    - largest_of(&counts, e, |n| n <= 2 || (14..=16).contains(&n))
            };
            let bump = bsd.over(results, Efficiency, &counts, bump);
            out.add("bump", "4BSD", bump);
            let spread = bsd.over(results, Efficiency, &counts, spread);
            out.add("spread", "4BSD", spread);
        }
        _ => {
            efficiency(out, results, ule, &ule.counts(1, 16));
            sawtooth(out, results, ule);
        }
    }
}

/// Elapsed time up to one process for each core, and beyond one for each CPU.
fn departs(out: &mut Values, pair: Pair<'_>) {
    let (results, machine) = (pair.results, pair.bsd.machine);
    let name = |of: &str| format!("{}, {of}", machine.name());
    for c in pair.both() {
        for n in c.counts(1, machine.cores()) {
            let (t, cpu) = (c.samples(results, Elapsed, n), c.samples(results, Cpu, n));
            let per_cpu = Estimate::ratio(&t, &cpu);
            out.add_at("elapsedPerCpu", &name(c.lane.name()), n, per_cpu);
        }
    }
    let beyond = pair.bsd.counts(machine.cpus() + 1, 64);
    for n in &beyond {
        let bsd = pair.bsd;
        let of_line = line(results, bsd, machine.cpus(), *n);
        out.add_at("lineOfAll", &name(bsd.lane.name()), *n, of_line);
        if machine != V890 {
            continue;
        }
        let with_bus = |n| {
            let key = |seed| bsd.key_with_bus(n, seed);
            results.samples(key, |seen| seen.column("lastExitNs"))
        };
        let other = Estimate::ratio(&with_bus(*n), &with_bus(machine.cpus()));
        let other = other.times(f64::from(machine.cpus()) / f64::from(*n));
        if let Some(value) = out.all.last_mut() {
            let what = "memory as fast as the whole bus".to_owned();
            value.band.push((what, other));
        }
    }
    let least = pair.ratios(Elapsed, &beyond, smallest);
    let most = pair.ratios(Elapsed, &beyond, largest);
    out.add("leastRatio", &name("T"), least);
    out.add("mostRatio", &name("T"), most);
}

fn large(out: &mut Values, claim: &str, pair: Pair<'_>) {
    let Pair { results, bsd, ule } = pair;
    match claim {
        "J23" => {
            let no_more = |r: &[f64]| {
                let each = r.iter().map(|ratio| f64::from(u8::from(*ratio <= 1.0)));
                mean(&each.collect::<Vec<_>>())
            };
            let no_more = pair.ratios(Cpu, &outside(bsd, 11, 17), no_more);
            out.add("noMore", "", no_more.times(100.0));
            out.add_ratios("cpuRatio", "", pair, Cpu, &bsd.counts(12, 16));
        }
        "J24" => {
            for c in pair.both() {
                out.add_growth("cpuGrowth", results, c, Cpu, &c.counts(20, 64));
            }
        }
        "J25" => {
            out.add_ratios("elapsedRatio", "", pair, Elapsed, &outside(bsd, 15, 31));
            let least = pair.ratios(Elapsed, &bsd.counts(17, 28), smallest);
            out.add("leastElapsed", "", least);
        }
        "J26" => highest(out, results, bsd),
        _ => {
            efficiency(out, results, ule, &ule.counts(1, 14));
            sawtooth(out, results, ule);
        }
    }
}

/// The numbers of processes up to one number and from another on.
fn outside(curve: Curve, to: u32, from: u32) -> Vec<u32> {
    let mut counts = curve.counts(1, to);
    counts.extend_from_slice(&curve.counts(from, 64));
    counts
}
