//! Wong 2011: k instances of Dhrystone on a Core i7 860 under BFS, CFS and manual affinity, and on a Core i7 980X that gets
//! too hot.
//!
//! Not known from the source: release and tick rate of BFS, and the background load. Both tick rates in
//! use at the time are evaluated; the background is that of the scenario.

use super::{Effort, Experiment, Measure, Page, Results, Value};
use crate::config::SchedulerChoice;
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Series};
use crate::experiment::published;
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use crate::params::ParamValue;

use Variant::{
    Bfs100, Bfs1000, Bfs1000Quiet, Bsd, Cfs100, Cfs1000, Gain, HotCfs, HotManual, Manual, Ule,
};

/// The experiment.
pub(super) const S4: Experiment = Experiment {
    id: "S4",
    pages: &[Page {
        id: "s4",
        more: |_| Vec::new(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at(
            "toManual",
            "throughput / under manual affinity",
            "# instances",
        ),
        Measure::at("scaling", "throughput / of one instance", "# instances"),
        Measure::new(
            "moves",
            "migrations with 2 to 6 instances / under CFS with that tick rate",
        ),
        Measure::new(
            "deficit",
            "(ideal - throughput) / (ideal - random), sums over 2 to 6 instances",
        ),
        Measure::new(
            "position",
            "cores in use between random (0) and ideal (1), sums over 2 to 6 instances",
        ),
        Measure::at(
            "each",
            "throughput of each instance / of one alone",
            "# instances",
        ),
        Measure::new(
            "gain",
            "throughput of 8 / of 4 instances of an ordinary program",
        ),
    ],
    runs,
    values,
};

/// Physical cores of the machine, as the closed forms of the source use them.
const CORES: u64 = 4;

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Bfs100,
    Bfs1000,
    Bfs1000Quiet,
    Cfs100,
    Cfs1000,
    Ule,
    Bsd,
    Manual,
    /// On the 980X.
    HotManual,
    HotCfs,
    /// An ordinary program in the place of Dhrystone.
    Gain,
}

impl Variant {
    /// Word in the key.
    fn id(self) -> &'static str {
        match self {
            Bfs100 => "bfs-100",
            Bfs1000 => "bfs-1000",
            Bfs1000Quiet => "bfs-1000-quiet",
            Cfs100 => "cfs-100",
            Cfs1000 => "cfs-1000",
            Ule => "ule",
            Bsd => "4bsd",
            Manual => "manual",
            HotManual => "980x-manual",
            HotCfs => "980x-cfs",
            Gain => "gain",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Bfs100 => "BFS, 100 Hz",
            Bfs1000 => "BFS, 1000 Hz",
            Bfs1000Quiet => "BFS, 1000 Hz, no background",
            Cfs100 => "CFS, 100 Hz",
            Cfs1000 => "CFS, 1000 Hz",
            Ule => "ULE",
            Bsd => "4BSD",
            Manual | Gain => "manual affinity",
            HotManual => "980X, manual affinity",
            HotCfs => "980X, CFS",
        }
    }

    fn choice(self) -> SchedulerChoice {
        let at = |id, era, hz: i64| {
            let mut choice = super::choice(id, era);
            let tunables = &mut choice.tunables;
            tunables.insert("hz".to_owned(), ParamValue::Int(hz));
            choice
        };
        match self {
            Bfs100 => at("bfs", "0.318", 100),
            Bfs1000 | Bfs1000Quiet => at("bfs", "0.318", 1000),
            Cfs100 => at("cfs", "2.6.34", 100),
            Cfs1000 => at("cfs", "2.6.34", 1000),
            // Ubuntu 10.10 had Linux 2.6.35.
            HotCfs => super::choice("cfs", "2.6.34"),
            // FreeBSD of the year of the source.
            Ule => super::choice("ule", "2011-11"),
            Bsd => super::choice("4bsd", "2011-11"),
            Manual | HotManual | Gain => super::choice("manual", None),
        }
    }

    /// Simulated seconds before measuring begins: on the 980X four times the lag of its heat.
    fn settle_s(self) -> u64 {
        match self {
            HotManual | HotCfs => 60,
            _ => 5,
        }
    }
}

/// All numbers of instances on the i7 860, and those on the 980X.
const ALL: [u32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const HOT: [u32; 9] = [1, 2, 3, 4, 5, 6, 8, 10, 12];
/// Where placement matters.
const MIDDLE: [u32; 5] = [2, 3, 4, 5, 6];

/// What a claim needs: variants and numbers of instances.
fn needs(id: &str) -> Vec<(Variant, Vec<u32>)> {
    let of = |variants: &[Variant], instances: &[u32]| -> Vec<(Variant, Vec<u32>)> {
        let all = variants.iter();
        all.map(|v| (*v, instances.to_vec())).collect()
    };
    match id {
        "W1" => of(&[Cfs100, Cfs1000, Manual], &ALL),
        "W2" => of(&[Manual], &ALL[..4]),
        "W3" => of(&[Manual], &ALL),
        "W4" => of(&[Bfs100, Bfs1000, Cfs100, Cfs1000, Manual], &MIDDLE),
        "W5" => of(&[Bfs100, Bfs1000, Bfs1000Quiet], &ALL[..6]),
        "W6" => of(
            &[Bfs100, Bfs1000, Cfs100, Cfs1000, Ule, Bsd, Manual],
            &[1, 7, 8],
        ),
        "S4-980x" => of(&[HotManual, HotCfs], &HOT),
        "S4-gain" => of(&[Gain], &[4, 8]),
        _ => Vec::new(),
    }
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for (variant, instances) in needs(claim) {
        for k in instances {
            all.extend((1..=effort.seeds).map(|seed| run(variant, k, seed, effort.seconds)));
        }
    }
    all
}

fn key(variant: Variant, k: u32, seed: u64) -> String {
    format!("S4/{}/{k}/{seed}", variant.id())
}

fn run(variant: Variant, k: u32, seed: u64, seconds: u64) -> Run {
    let settle = variant.settle_s();
    let mut run = Run::new(
        key(variant, k, seed),
        "s4-dhrystone",
        variant.choice(),
        "totals",
    )
    .seed(seed)
    .group("dhry", "count", k)
    .end((settle + seconds) * 1_000_000_000);
    run.at = vec![settle * 1_000_000_000];
    match variant {
        Bfs1000Quiet => run.with(Change::no_background()),
        HotManual | HotCfs => run.machine("i7980x"),
        Gain => run.with(Change::Behaviour {
            group: "dhry".to_owned(),
            kind: "compute".to_owned(),
            params: serde_json::Map::new(),
        }),
        _ => run,
    }
}

/// Work per time of all instances together, since measuring began.
fn throughput(seen: &Seen) -> f64 {
    seen.grown("workNs") / seen.grown("elapsedNs")
}

/// Cores with at least one instance, on average.
fn cores(seen: &Seen) -> f64 {
    seen.grown("coreNs") / seen.grown("elapsedNs")
}

/// Moves of instances from CPU to CPU in a second.
fn migrations(seen: &Seen) -> f64 {
    seen.grown("moves") / (seen.grown("elapsedNs") / 1e9)
}

fn values(id: &str, results: &Results) -> Vec<Value> {
    let runs = Runs { results };
    match id {
        "W1" => runs.beside_manual(&[Cfs100, Cfs1000], &ALL),
        "W2" => ALL[..4].iter().map(|k| runs.scaling(Manual, *k)).collect(),
        "W3" => ALL[4..].iter().map(|k| runs.scaling(Manual, *k)).collect(),
        "W4" => {
            let mut values = runs.beside_manual(&[Bfs100, Bfs1000], &[3, 4, 5]);
            values.extend([runs.moves(Bfs100, Cfs100), runs.moves(Bfs1000, Cfs1000)]);
            values
        }
        "W5" => {
            let mut values = vec![runs.deficit(Bfs100), runs.deficit(Bfs1000)];
            values.extend([Bfs100, Bfs1000, Bfs1000Quiet].map(|v| runs.position(v)));
            values
        }
        "W6" => runs.beside_manual(&[Bfs100, Bfs1000, Cfs100, Cfs1000, Ule, Bsd], &[1, 7, 8]),
        "S4-980x" => {
            let of = |variant| {
                let linear = HOT[..4].iter().map(move |k| runs.scaling(variant, *k));
                linear.chain(HOT[4..].iter().map(move |k| runs.each(variant, *k)))
            };
            [HotManual, HotCfs].into_iter().flat_map(of).collect()
        }
        "S4-gain" => vec![runs.gain()],
        _ => Vec::new(),
    }
}

/// What the runs gave.
#[derive(Clone, Copy)]
struct Runs<'a> {
    results: &'a Results,
}

impl Runs<'_> {
    fn samples(&self, variant: Variant, k: u32, value: fn(&Seen) -> f64) -> Vec<f64> {
        self.results.samples(|seed| key(variant, k, seed), value)
    }

    /// Throughput relative to that of another variant or number of instances.
    fn relative(&self, (variant, k): (Variant, u32), to: (Variant, u32)) -> Estimate {
        let above = self.samples(variant, k, throughput);
        Estimate::ratio(&above, &self.samples(to.0, to.1, throughput))
    }

    fn beside_manual(&self, variants: &[Variant], instances: &[u32]) -> Vec<Value> {
        let value = |variant: Variant, k: u32| {
            Value::new("toManual", self.relative((variant, k), (Manual, k)))
                .of(variant.name())
                .at(k)
        };
        let all = variants
            .iter()
            .flat_map(|v| instances.iter().map(|k| value(*v, *k)));
        all.collect()
    }

    fn scaling(&self, variant: Variant, k: u32) -> Value {
        let value = Value::new("scaling", self.relative((variant, k), (variant, 1)));
        // What the source says of the 980X is the same: linear up to four.
        value.of(variant.name()).at(k).published(stated(k))
    }

    fn each(&self, variant: Variant, k: u32) -> Value {
        let all = self.relative((variant, k), (variant, 1));
        Value::new("each", all.times(1.0 / f64::from(k)))
            .of(variant.name())
            .at(k)
    }

    fn gain(&self) -> Value {
        Value::new("gain", self.relative((Gain, 8), (Gain, 4)))
    }

    fn moves(&self, bfs: Variant, cfs: Variant) -> Value {
        let of = |variant| MIDDLE.map(|k| self.samples(variant, k, migrations));
        let (above, below) = (of(bfs), of(cfs));
        let all: Vec<&[f64]> = above.iter().chain(&below).map(Vec::as_slice).collect();
        let ratio = Estimate::of_means(&all, |means| {
            let (above, below) = means.split_at(MIDDLE.len());
            above.iter().sum::<f64>() / below.iter().sum::<f64>()
        });
        Value::new("moves", ratio).of(bfs.name())
    }

    /// A function of the means over all numbers of instances where placement matters, and of that of one instance (last).
    fn of_middle(
        &self,
        variant: Variant,
        value: fn(&Seen) -> f64,
        f: impl Fn(&[f64]) -> f64,
    ) -> Estimate {
        let samples = MIDDLE.iter().chain(&[1]);
        let samples: Vec<Vec<f64>> = samples.map(|k| self.samples(variant, *k, value)).collect();
        let samples: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
        Estimate::of_means(&samples, f)
    }

    /// Throughput below the ideal, relative to what random placement loses.
    fn deficit(&self, variant: Variant) -> Value {
        let f = self.of_middle(variant, throughput, |means| {
            let one = means[MIDDLE.len()];
            let lost = MIDDLE.iter().zip(means).map(|(k, x)| ideal(*k) - x / one);
            lost.sum::<f64>() / span()
        });
        Value::new("deficit", f).of(variant.name())
    }

    /// Position between random (0) and ideal (1) in cores in use.
    fn position(&self, variant: Variant) -> Value {
        let position = self.of_middle(variant, cores, |means| {
            let gained = MIDDLE.iter().zip(means).map(|(k, x)| x - random(*k));
            gained.sum::<f64>() / span()
        });
        Value::new("position", position).of(variant.name())
    }
}

/// What random placement loses over all numbers of instances where placement matters.
fn span() -> f64 {
    MIDDLE.iter().map(|k| ideal(*k) - random(*k)).sum()
}

/// One instance per core as long as there are cores.
fn ideal(k: u32) -> f64 {
    f64::from(k).min(real(CORES))
}

/// Uniform over distinct contexts: c (1 - (2c-k)(2c-k-1) / (2c (2c-1))).
fn random(k: u32) -> f64 {
    let (c, k) = (real(CORES), f64::from(k));
    let empty = (2.0 * c - k) * (2.0 * c - k - 1.0) / (2.0 * c * (2.0 * c - 1.0));
    c * (1.0 - empty)
}

/// Instances; throughput with ideal and with random placement (closed forms) and under manual affinity (stated), relative
/// to one.
fn table() -> Vec<Vec<f64>> {
    published::rows("s4-smt", "/rows")
}

/// Under manual affinity, as stated.
fn stated(k: u32) -> f64 {
    let table = table();
    let row = table.iter().find(|row| (row[0] - f64::from(k)).abs() < 0.5);
    row.map_or(f64::NAN, |row| row[3])
}

/// The lines of the figures on the i7 860.
const LINES: [Variant; 6] = [Manual, Cfs1000, Bfs1000, Bfs100, Cfs100, Bfs1000Quiet];

fn figures(results: &Results) -> Vec<Figure> {
    let table = table();
    let stated = |id: &str, label: &str, column: usize| Series {
        id: id.to_owned(),
        label: label.to_owned(),
        unit: "×".to_owned(),
        published: table.iter().map(|row| (row[0], row[column])).collect(),
        provenance: "stated",
        ..Series::default()
    };
    let mut relative = vec![
        stated("ideal", "ideal, closed form", 1),
        stated("random", "random, closed form", 2),
        stated("stated", "manual affinity, stated", 3),
    ];
    relative.extend(LINES.map(|v| to_one(results, v, &ALL)));
    vec![
        Figure {
            id: "throughput".to_owned(),
            title: "Throughput of all instances".to_owned(),
            definition: "Work of all instances per time, relative to one instance.".to_owned(),
            kind: Kind::Curves,
            x: Axis::new("instances", ""),
            y: Axis::new("throughput, relative to one", "×"),
            series: relative,
            moment: Some(measured_from(Manual)),
            ..Figure::default()
        },
        Figure {
            id: "migrations".to_owned(),
            title: "Migrations".to_owned(),
            definition: "Moves of instances between CPUs in a second.".to_owned(),
            kind: Kind::Curves,
            x: Axis::new("instances", ""),
            y: Axis::new("migrations per second", "/s"),
            series: LINES.map(|v| moved(results, v)).into(),
            moment: Some(measured_from(Manual)),
            ..Figure::default()
        },
        Figure {
            id: "hot".to_owned(),
            title: "Throughput on the 980X, which gets too hot".to_owned(),
            definition: "Work of all instances per time after a minute, relative to one instance."
                .to_owned(),
            kind: Kind::Curves,
            x: Axis::new("instances", ""),
            y: Axis::new("throughput, relative to one", "×"),
            series: [HotManual, HotCfs].map(|v| to_one(results, v, &HOT)).into(),
            moment: Some(measured_from(HotManual)),
            ..Figure::default()
        },
    ]
}

/// A point opens its run when measuring begins.
fn measured_from(variant: Variant) -> Moment {
    Moment {
        origin_ns: real(variant.settle_s()) * 1e9,
        per_x_ns: 0.0,
    }
}

fn line(variant: Variant, unit: &str, points: Vec<Point>) -> Series {
    Series {
        id: variant.id().to_owned(),
        label: variant.name().to_owned(),
        scheduler: variant.choice().id,
        unit: unit.to_owned(),
        points,
        ..Series::default()
    }
}

fn to_one(results: &Results, variant: Variant, instances: &[u32]) -> Series {
    let point = |k: &u32| {
        let (above, below) = results.paired(
            |seed| key(variant, *k, seed),
            |seed| key(variant, 1, seed),
            throughput,
        );
        let estimate = Estimate::ratio(&above, &below);
        point(results, variant, *k, estimate)
    };
    line(variant, "×", instances.iter().filter_map(point).collect())
}

fn moved(results: &Results, variant: Variant) -> Series {
    let each = |k: &u32| {
        let estimate = results.mean(|seed| key(variant, *k, seed), migrations);
        point(results, variant, *k, estimate)
    };
    line(variant, "/s", ALL.iter().filter_map(each).collect())
}

/// A point, if there is a run behind it.
fn point(results: &Results, variant: Variant, k: u32, estimate: Estimate) -> Option<Point> {
    let keys = results.known(results.seeds().map(|seed| key(variant, k, seed)));
    (estimate.n > 0 && !keys.is_empty()).then(|| Point {
        x: f64::from(k),
        estimate,
        keys,
    })
}

fn what_ifs() -> Vec<WhatIf> {
    let what = |id, label, change| WhatIf {
        id,
        label,
        changes: vec![change],
    };
    vec![
        what(
            "blind",
            "CFS knows nothing of SMT",
            Change::tunable("cfs", "schedSmt", false),
        ),
        what("quiet", "no background", Change::no_background()),
        what(
            "bfs-250",
            "BFS with HZ = 250",
            Change::tunable("bfs", "hz", 250),
        ),
        what("980x", "on 6 cores (i7 980X)", Change::machine("i7980x")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_forms_are_those_of_the_source() {
        // Wong 2011; reference values 1, 1.857, 2.571, 3.143, 3.571, 3.857, 4, 4.
        let expected = [1.0, 1.857, 2.571, 3.143, 3.571, 3.857, 4.0, 4.0];
        for (k, e) in (1..=8).zip(expected) {
            assert!((random(k) - e).abs() < 0.001, "{k}");
        }
    }
}
