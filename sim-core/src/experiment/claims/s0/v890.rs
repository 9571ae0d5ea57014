//! What the source says of the V890: 16 cores without SMT.

use super::super::{Results, Value};
use super::curve::{Curve, Machine, Pair, Set, What, largest, mean, of_means, peak, smallest};
use super::xeon::highest;
use crate::experiment::stats::Estimate;
use Machine::V890;
use What::{Cpu, Efficiency, Elapsed, Finish};

pub(super) fn values(claim: &str, results: &Results) -> Vec<Value> {
    let pair = |set| Pair::new(results, V890, set);
    match claim {
        "J1" => depends(results),
        "J3" | "J4" | "J7" | "J8" | "J10" | "J11" | "J12" | "J15" => small(claim, pair(Set::K1)),
        "J16" | "J17" | "J18" | "J19" | "J21" | "J22" => middle(claim, pair(Set::M4)),
        "J20" => [V890, Machine::Xeon]
            .into_iter()
            .flat_map(|machine| departs(Pair::new(results, machine, Set::M4)))
            .collect(),
        _ => large(claim, pair(Set::M32)),
    }
}

/// A value for each of several numbers of processes.
fn each(
    measure: &'static str,
    counts: &[u32],
    of: &str,
    estimate: impl Fn(u32) -> Estimate,
) -> Vec<Value> {
    let value = |n: &u32| Value::new(measure, estimate(*n)).of(of).at(*n);
    counts.iter().map(value).collect()
}

/// The values of 4BSD, then those of ULE.
fn of_both(pair: Pair<'_>, values: impl Fn(Curve) -> Vec<Value>) -> Vec<Value> {
    pair.both().into_iter().flat_map(values).collect()
}

fn depends(results: &Results) -> Vec<Value> {
    let of = |name: &'static str, what: What| {
        let samples = |curve: Curve| {
            let counts = curve.counts(17, 64).into_iter();
            counts.map(move |n| curve.samples(results, what, n))
        };
        let pairs = Set::ALL.map(|set| Pair::new(results, V890, set));
        let ule = pairs.iter().flat_map(|p| samples(p.ule));
        let all: Vec<Vec<f64>> = ule
            .chain(pairs.iter().flat_map(|p| samples(p.bsd)))
            .collect();
        let over = |f: fn(&[f64]) -> f64| {
            of_means(&all, |means| {
                let (ule, bsd) = means.split_at(means.len() / 2);
                let ratios: Vec<f64> = ule.iter().zip(bsd).map(|(u, b)| u / b).collect();
                f(&ratios)
            })
        };
        [
            Value::new("leastRatio", over(smallest)).of(name),
            Value::new("mostRatio", over(largest)).of(name),
        ]
    };
    [of("T", Elapsed), of("CPU time", Cpu)].concat()
}

fn small(claim: &str, pair: Pair<'_>) -> Vec<Value> {
    let Pair { results, bsd, ule } = pair;
    let (within, beyond) = (bsd.counts(1, 16), bsd.counts(17, 64));
    match claim {
        "J3" => {
            let all = bsd.counts(1, 64);
            let less = pair.ratios(Cpu, &all, |r| 1.0 - mean(r));
            vec![Value::new("cpuLess", less.times(100.0))]
        }
        "J4" => of_both(pair, |c| {
            let spread = |cpu: &[f64]| largest(cpu) / smallest(cpu);
            let spread = c.over(results, Cpu, &c.counts(1, 64), spread);
            vec![Value::new("cpuSpread", spread).of(c.lane.name())]
        }),
        "J7" => of_both(pair, |c| {
            let growth = |n| c.growth(results, Elapsed, n);
            each("elapsedGrowth", &within[1..], c.lane.name(), growth)
        }),
        "J8" => {
            let mut all = each("lineOfOne", &beyond, "4BSD", |n| line(results, bsd, 1, n));
            all.push(Value::new("elapsedRatio", pair.ratio(Elapsed, 18)).at(18));
            all
        }
        "J10" => of_both(pair, |c| flat(results, c, 16)),
        "J11" => {
            let step = bsd.over(results, Efficiency, &[16, 17], |e| e[1] - e[0]);
            let most = bsd.over(results, Efficiency, &beyond, largest);
            vec![
                Value::new("step", step).of("4BSD"),
                Value::new("largestAfter", most).of("4BSD"),
            ]
        }
        "J12" => {
            let mut all = sawtooth(results, ule);
            let over = ule.over(results, Efficiency, &[17, 18], |e| e[1] - e[0]);
            all.push(Value::new("overSeventeen", over).of(ule.name()));
            all.extend(each("efficiency", &[24], &ule.name(), |n| {
                ule.mean(results, Efficiency, n)
            }));
            all
        }
        _ => of_both(pair, |c| {
            let finish = c.mean(results, Finish, 18);
            vec![Value::new("finish", finish).of(c.lane.name())]
        }),
    }
}

/// T / what it would be if all CPUs shared the work evenly: T of `base` processes × N / CPUs, `base` being one or as many
/// as there are CPUs.
fn line(results: &Results, curve: Curve, base: u32, n: u32) -> Estimate {
    let share = f64::from(n) / f64::from(curve.machine.cpus());
    let t = |n| curve.samples(results, Elapsed, n);
    Estimate::ratio(&t(n), &t(base)).times(1.0 / share)
}

/// Efficiency with each number of processes.
fn flat(results: &Results, curve: Curve, to: u32) -> Vec<Value> {
    let at = |n| curve.mean(results, Efficiency, n);
    each("efficiency", &curve.counts(1, to), &curve.name(), at)
}

fn sawtooth(results: &Results, ule: Curve) -> Vec<Value> {
    let counts = ule.counts(1, 64);
    let place = |n: u32| counts.iter().position(|m| *m == n).unwrap_or_default();
    let of = |measure, f: &dyn Fn(&[f64]) -> f64| {
        Value::new(measure, ule.over(results, Efficiency, &counts, f)).of(ule.name())
    };
    let second = |e: &[f64]| e[place(33)].max(e[place(36)]);
    let rise = |e: &[f64]| {
        let top = peak(&counts, e);
        let slope = counts.iter().zip(e);
        let slope = slope.filter(|(n, _)| f64::from(**n) >= top && **n <= 32);
        let slope: Vec<f64> = slope.map(|(_, e)| *e).collect();
        let rises: Vec<f64> = slope.windows(2).map(|w| w[1] - w[0]).collect();
        largest(&rises)
    };
    let mut all = vec![
        // The source: "peaks at about 18".
        of("peakAt", &|e| peak(&counts, e)).published(18.0),
        of("peak", &largest),
        of("rise", &rise),
        of("secondTooth", &second),
        of("overForty", &|e| second(e) - e[place(40)]),
    ];
    // The source: "slopes back to 1 at 32", and at 48.
    all.extend([32, 48].map(|n| {
        let e = ule.mean(results, Efficiency, n);
        Value::new("efficiency", e)
            .of(ule.name())
            .at(n)
            .published(1.0)
    }));
    all
}

fn middle(claim: &str, pair: Pair<'_>) -> Vec<Value> {
    let Pair { results, bsd, ule } = pair;
    let cpu = |counts: &[u32]| each("cpuRatio", counts, "", |n| pair.ratio(Cpu, n));
    match claim {
        "J16" => cpu(&[1, 2, 10, 12, 14, 15, 16]),
        "J17" => {
            let less = pair.ratios(Cpu, &[6, 8], |r| 1.0 - mean(&[1.0 / r[0], 1.0 / r[1]]));
            vec![Value::new("cpuSaved", less.times(100.0))]
        }
        "J18" => vec![Value::new(
            "cpuMiddle",
            pair.ratios(Cpu, &bsd.counts(17, 36), mean),
        )],
        "J19" => cpu(&[56, 64]),
        "J21" => {
            let counts = bsd.counts(1, 64);
            let bump = |e: &[f64]| {
                let of = |numbers: fn(u32) -> bool| {
                    let those = counts.iter().zip(e).filter(|(n, _)| numbers(**n));
                    largest(&those.map(|(_, e)| *e).collect::<Vec<_>>())
                };
                of(|n| (4..=12).contains(&n)) - of(|n| n <= 2 || (14..=16).contains(&n))
            };
            let spread = |e: &[f64]| largest(e) - smallest(e);
            let of = |f: &dyn Fn(&[f64]) -> f64| bsd.over(results, Efficiency, &counts, f);
            vec![
                Value::new("bump", of(&bump)).of("4BSD"),
                Value::new("spread", of(&spread)).of("4BSD"),
            ]
        }
        _ => [flat(results, ule, 16), sawtooth(results, ule)].concat(),
    }
}

/// Elapsed time up to one process for each core, and beyond one for each CPU.
fn departs(pair: Pair<'_>) -> Vec<Value> {
    let (results, machine) = (pair.results, pair.bsd.machine);
    let name = |c: Curve| format!("{}, {}", machine.name(), c.lane.name());
    let mut all = of_both(pair, |c| {
        let per_cpu = |n| {
            let of = |what| c.samples(results, what, n);
            Estimate::ratio(&of(Elapsed), &of(Cpu))
        };
        let counts = c.counts(1, machine.cores());
        each("elapsedPerCpu", &counts, &name(c), per_cpu)
    });
    let beyond = pair.bsd.counts(machine.cpus() + 1, 64);
    let of_line = |n| line(results, pair.bsd, machine.cpus(), n);
    all.extend(each("lineOfAll", &beyond, &name(pair.bsd), of_line));
    let least = pair.ratios(Elapsed, &beyond, smallest);
    let most = pair.ratios(Elapsed, &beyond, largest);
    let of = format!("{}, T", machine.name());
    all.push(Value::new("leastRatio", least).of(of.clone()));
    all.push(Value::new("mostRatio", most).of(of));
    all
}

fn large(claim: &str, pair: Pair<'_>) -> Vec<Value> {
    let Pair { results, bsd, ule } = pair;
    let outside = |from, to| [bsd.counts(1, from), bsd.counts(to, 64)].concat();
    match claim {
        "J23" => {
            let no_more = |r: &[f64]| {
                let each = r.iter().map(|r| f64::from(u8::from(*r <= 1.0)));
                mean(&each.collect::<Vec<_>>())
            };
            let no_more = pair.ratios(Cpu, &outside(11, 17), no_more);
            let mut all = vec![Value::new("noMore", no_more.times(100.0))];
            let inside = bsd.counts(12, 16);
            all.extend(each("cpuRatio", &inside, "", |n| pair.ratio(Cpu, n)));
            all
        }
        "J24" => of_both(pair, |c| {
            let growth = |n| c.growth(results, Cpu, n);
            each("cpuGrowth", &c.counts(20, 64), c.lane.name(), growth)
        }),
        "J25" => {
            let counts = outside(15, 31);
            let mut all = each("elapsedRatio", &counts, "", |n| pair.ratio(Elapsed, n));
            let least = pair.ratios(Elapsed, &bsd.counts(17, 28), smallest);
            all.push(Value::new("leastElapsed", least));
            all
        }
        "J26" => highest(results, bsd),
        _ => [flat(results, ule, 14), sawtooth(results, ule)].concat(),
    }
}
