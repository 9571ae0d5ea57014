//! Wong 2011: k instances of Dhrystone on a Core i7 860 under BFS, CFS and manual affinity, and on a Core i7 980X that
//! gets too hot.
//!
//! The source does not give the release and tick rate of BFS, or the background load. Both tick rates of the time are
//! evaluated; the background is that of the scenario.

use super::{Effort, Experiment, Measure, Page, Results};
use crate::experiment::claims::WhatIf;
use crate::experiment::collect::{self, Setting, Values, what_if};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::{self, all_seeds, key, of_means, sum};
use crate::experiment::published;
use crate::experiment::results::Seen;
use crate::experiment::run::{Run, RunScheduler};
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use crate::property::Set;

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

/// The variants that are run.
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
    /// Manual affinity on the 980X.
    HotManual,
    HotCfs,
    /// An ordinary program in place of Dhrystone.
    Gain,
}

/// The properties of a variant.
struct Row {
    /// Word in the key, and name for people.
    id: &'static str,
    name: &'static str,
    scheduler: &'static str,
    era: Option<&'static str>,
    /// Its tick rate, if not that of the era.
    hz: Option<i64>,
}

const fn row(
    id: &'static str,
    name: &'static str,
    scheduler: &'static str,
    era: Option<&'static str>,
    hz: Option<i64>,
) -> Row {
    Row {
        id,
        name,
        scheduler,
        era,
        hz,
    }
}

const BFS: Option<&str> = Some("0.318");
/// Ubuntu 10.10, on the 980X, had Linux 2.6.35.
const CFS: Option<&str> = Some("2.6.34");
/// FreeBSD of the year of the source.
const FREEBSD: Option<&str> = Some("2011-11");

/// In the order of [`Variant`].
static ROWS: [Row; 11] = [
    row("bfs-100", "BFS, 100 Hz", "bfs", BFS, Some(100)),
    row("bfs-1000", "BFS, 1000 Hz", "bfs", BFS, Some(1000)),
    row(
        "bfs-1000-quiet",
        "BFS, 1000 Hz, no background",
        "bfs",
        BFS,
        Some(1000),
    ),
    row("cfs-100", "CFS, 100 Hz", "cfs", CFS, Some(100)),
    row("cfs-1000", "CFS, 1000 Hz", "cfs", CFS, Some(1000)),
    row("ule", "ULE", "ule", FREEBSD, None),
    row("4bsd", "4BSD", "4bsd", FREEBSD, None),
    row("manual", "manual affinity", "manual", None, None),
    row("980x-manual", "980X, manual affinity", "manual", None, None),
    row("980x-cfs", "980X, CFS", "cfs", CFS, None),
    row("gain", "manual affinity", "manual", None, None),
];

impl Variant {
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Word in the key.
    fn id(self) -> &'static str {
        self.row().id
    }

    fn name(self) -> &'static str {
        self.row().name
    }

    fn choice(self) -> RunScheduler {
        let row = self.row();
        let mut choice = super::choice(row.scheduler, row.era);
        if let Some(hz) = row.hz {
            choice.tunable = Some(("hz", hz.into()));
        }
        choice
    }

    /// Simulated seconds before measuring begins: on the 980X four times the lag of its heat.
    const fn settle_s(self) -> u64 {
        match self {
            HotManual | HotCfs => 60,
            _ => 5,
        }
    }
}

/// All numbers of instances on the i7 860, and those on the 980X.
const ALL: [u32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const HOT: [u32; 9] = [1, 2, 3, 4, 5, 6, 8, 10, 12];
/// Numbers of instances for which placement matters.
const MIDDLE: [u32; 5] = [2, 3, 4, 5, 6];

/// The variants that a claim needs, each with these numbers of instances.
fn needs(id: &str) -> (&'static [Variant], &'static [u32]) {
    match id {
        "W1" => (&[Cfs100, Cfs1000, Manual], &ALL),
        "W2" => (&[Manual], &[1, 2, 3, 4]),
        "W3" => (&[Manual], &ALL),
        "W4" => (&[Bfs100, Bfs1000, Cfs100, Cfs1000, Manual], &MIDDLE),
        "W5" => (&[Bfs100, Bfs1000, Bfs1000Quiet], &[1, 2, 3, 4, 5, 6]),
        "W6" => (
            &[Bfs100, Bfs1000, Cfs100, Cfs1000, Ule, Bsd, Manual],
            &[1, 7, 8],
        ),
        "S4-980x" => (&[HotManual, HotCfs], &HOT),
        "S4-gain" => (&[Gain], &[4, 8]),
        _ => (&[], &[]),
    }
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    let (variants, instances) = needs(claim);
    for variant in variants {
        for k in instances {
            for seed in all_seeds(effort.seeds) {
                all.push(run(*variant, *k, seed, effort.seconds));
            }
        }
    }
    all
}

/// The common part of the keys of a variant's runs.
fn runs_of(variant: Variant, k: u32) -> String {
    key(&format!("S4/{}", variant.id()), u64::from(k))
}

fn run(variant: Variant, k: u32, seed: u64, seconds: u64) -> Run {
    let settle = variant.settle_s();
    let mut run = collect::run(
        key(&runs_of(variant, k), seed),
        "s4-dhrystone",
        variant.choice(),
        "totals",
        seed,
    );
    run.set("groups.dhry.count", k);
    run.set("end.atNs", (settle + seconds) * 1_000_000_000);
    run.at = vec![settle * 1_000_000_000];
    match variant {
        Bfs1000Quiet => run.set("background", serde_json::Value::Null),
        HotManual | HotCfs => run.set("machine", "i7980x"),
        Gain => run.set("groups.dhry.behaviour", "compute"),
        _ => {}
    }
    run
}

/// Work per time of all instances together, since measuring began.
fn throughput(seen: &Seen) -> f64 {
    seen.grown("workNs") / seen.grown("elapsedNs")
}

/// Cores with at least one instance, on average.
fn cores(seen: &Seen) -> f64 {
    seen.grown("coreNs") / seen.grown("elapsedNs")
}

/// Migrations of instances per second.
fn migrations(seen: &Seen) -> f64 {
    seen.grown("moves") / (seen.grown("elapsedNs") / 1e9)
}

fn values(id: &str, results: &Results) -> Vec<super::Value> {
    let values = Values::new();
    let mut runs = Runs { results, values };
    match id {
        "W1" => runs.beside_manual(&[Cfs100, Cfs1000], &ALL),
        "W2" => runs.scaling(Manual, &ALL[..4]),
        "W3" => runs.scaling(Manual, &ALL[4..]),
        "W4" => {
            runs.beside_manual(&[Bfs100, Bfs1000], &[3, 4, 5]);
            runs.moves(Bfs100, Cfs100);
            runs.moves(Bfs1000, Cfs1000);
        }
        "W5" => {
            runs.deficit(Bfs100);
            runs.deficit(Bfs1000);
            for &variant in &[Bfs100, Bfs1000, Bfs1000Quiet] {
                runs.position(variant);
            }
        }
        "W6" => runs.beside_manual(&[Bfs100, Bfs1000, Cfs100, Cfs1000, Ule, Bsd], &[1, 7, 8]),
        "S4-980x" => {
            for &variant in &[HotManual, HotCfs] {
                runs.scaling(variant, &HOT[..4]);
                runs.each(variant, &HOT[4..]);
            }
        }
        "S4-gain" => {
            let gain = runs.relative((Gain, 8), (Gain, 4));
            runs.values.add("gain", gain);
        }
        _ => {}
    }
    runs.values.all()
}

/// The results of the runs, and the values that are computed from them.
struct Runs<'a> {
    results: &'a Results,
    values: Values,
}

impl Runs<'_> {
    fn samples(&self, variant: Variant, k: u32, value: fn(&Seen) -> f64) -> Vec<f64> {
        let seeds = self.results.effort().seeds;
        numbers::samples(self.results, &runs_of(variant, k), seeds, value)
    }

    /// Throughput relative to that of another variant or number of instances.
    fn relative(&self, (variant, k): (Variant, u32), to: (Variant, u32)) -> Estimate {
        let above = self.samples(variant, k, throughput);
        Estimate::ratio(&above, &self.samples(to.0, to.1, throughput))
    }

    fn beside_manual(&mut self, variants: &[Variant], instances: &[u32]) {
        for variant in variants {
            for k in instances {
                let ratio = self.relative((*variant, *k), (Manual, *k));
                let value = self.values.add("toManual", ratio);
                value.of(variant.name()).at(f64::from(*k));
            }
        }
    }

    fn scaling(&mut self, variant: Variant, instances: &[u32]) {
        let table = table();
        for k in instances {
            let (ratio, k) = (self.relative((variant, *k), (variant, 1)), f64::from(*k));
            // The source says the same about the 980X: linear up to four.
            let mut stated = f64::NAN;
            for row in &table {
                if (row[0] - k).abs() < 0.5 {
                    stated = row[3];
                }
            }
            let value = self.values.add("scaling", ratio);
            value.of(variant.name()).at(k).published(stated);
        }
    }

    fn each(&mut self, variant: Variant, instances: &[u32]) {
        for k in instances {
            let (all, k) = (self.relative((variant, *k), (variant, 1)), f64::from(*k));
            let value = self.values.add("each", all.times(1.0 / k));
            value.of(variant.name()).at(k);
        }
    }

    fn moves(&mut self, bfs: Variant, cfs: Variant) {
        let mut all = Vec::new();
        for &variant in &[bfs, cfs] {
            for &k in &MIDDLE {
                all.push(self.samples(variant, k, migrations));
            }
        }
        let ratio = of_means(&all, |means| {
            let (above, below) = means.split_at(MIDDLE.len());
            sum(above) / sum(below)
        });
        self.values.add("moves", ratio).of(bfs.name());
    }

    /// A function of the means for all numbers of instances where placement matters, and of the mean for one instance
    /// (last).
    fn of_middle(
        &self,
        variant: Variant,
        value: fn(&Seen) -> f64,
        f: impl Fn(&[f64]) -> f64,
    ) -> Estimate {
        let mut all = Vec::new();
        for &k in &[2, 3, 4, 5, 6, 1] {
            all.push(self.samples(variant, k, value));
        }
        of_means(&all, f)
    }

    /// Adds throughput below the ideal, relative to the loss of random placement.
    fn deficit(&mut self, variant: Variant) {
        let deficit = self.of_middle(variant, throughput, |means| {
            let one = means[MIDDLE.len()];
            over_middle(&|i, k| ideal(k) - means[i] / one) / span()
        });
        self.values.add("deficit", deficit).of(variant.name());
    }

    /// Position between random (0) and ideal (1) in cores in use.
    fn position(&mut self, variant: Variant) {
        let position = self.of_middle(variant, cores, |means| {
            over_middle(&|i, k| means[i] - random(k)) / span()
        });
        self.values.add("position", position).of(variant.name());
    }
}

/// A sum over all numbers of instances where placement matters.
fn over_middle(of: &dyn Fn(usize, u32) -> f64) -> f64 {
    let mut sum = 0.0;
    for (i, k) in MIDDLE.iter().enumerate() {
        sum += of(i, *k);
    }
    sum
}

/// The loss of random placement over all numbers of instances where placement matters.
fn span() -> f64 {
    over_middle(&|_, k| ideal(k) - random(k))
}

/// Ideal placement: one instance per core as long as there are cores.
fn ideal(k: u32) -> f64 {
    f64::from(k).min(real(CORES))
}

/// Random placement, uniform over distinct contexts: c (1 - (2c-k)(2c-k-1) / (2c (2c-1))).
fn random(k: u32) -> f64 {
    let (c, k) = (real(CORES), f64::from(k));
    let empty = (2.0 * c - k) * (2.0 * c - k - 1.0) / (2.0 * c * (2.0 * c - 1.0));
    c * (1.0 - empty)
}

/// Number of instances; throughput with ideal and with random placement (closed forms) and under manual affinity
/// (stated), relative to one instance.
fn table() -> Vec<Vec<f64>> {
    published::rows("s4-smt", "/rows")
}

/// The lines of the figures on the i7 860.
const LINES: [Variant; 6] = [Manual, Cfs1000, Bfs1000, Bfs100, Cfs100, Bfs1000Quiet];
/// The closed forms and the stated numbers: word, name for people, column of the table.
const STATED: [(&str, &str, usize); 3] = [
    ("ideal", "ideal, closed form", 1),
    ("random", "random, closed form", 2),
    ("stated", "manual affinity, stated", 3),
];
const INSTANCES: Scale = Scale::new("instances", "");
const RELATIVE: Scale = Scale::new("throughput, relative to one", "×");

const THROUGHPUT: Frame = Frame {
    id: "throughput",
    title: "Throughput of all instances",
    definition: "Work of all instances per time, relative to one instance.",
    kind: Kind::Curves,
    x: INSTANCES,
    y: RELATIVE,
    moment: Some(measured_from(Manual)),
};
const MIGRATIONS: Frame = Frame {
    id: "migrations",
    title: "Migrations",
    definition: "Moves of instances between CPUs in a second.",
    kind: Kind::Curves,
    x: INSTANCES,
    y: Scale::new("migrations per second", "/s"),
    moment: Some(measured_from(Manual)),
};
const OF_HOT: Frame = Frame {
    id: "hot",
    title: "Throughput on the 980X, which gets too hot",
    definition: "Work of all instances per time after a minute, relative to one instance.",
    kind: Kind::Curves,
    x: INSTANCES,
    y: RELATIVE,
    moment: Some(measured_from(HotManual)),
};

/// A point opens its run at the time when measuring begins.
const fn measured_from(variant: Variant) -> TimeOfX {
    TimeOfX {
        origin_ns: variant.settle_s() as f64 * 1e9,
        per_x_ns: 0.0,
    }
}

fn figures(results: &Results) -> Vec<Figure> {
    let table = table();
    let mut all = Figure::new(&THROUGHPUT);
    for &(id, label, column) in &STATED {
        let mut series = Series::new(id, label, "", "×");
        for row in &table {
            series.published.push((row[0], row[column]));
        }
        series.provenance = "stated";
        all.series.push(series);
    }
    let mut moves = Figure::new(&MIGRATIONS);
    for &variant in &LINES {
        all.series.push(to_one(results, variant, &ALL));
        moves.series.push(moved(results, variant));
    }
    let mut hot = Figure::new(&OF_HOT);
    for &variant in &[HotManual, HotCfs] {
        hot.series.push(to_one(results, variant, &HOT));
    }
    vec![all, moves, hot]
}

fn line(variant: Variant, unit: &str) -> Series {
    let row = variant.row();
    Series::new(row.id, row.name, row.scheduler, unit)
}

/// Throughput relative to that of one instance, for each seed with both runs.
fn to_one(results: &Results, variant: Variant, instances: &[u32]) -> Series {
    let (mut line, ones) = (line(variant, "×"), runs_of(variant, 1));
    for k in instances {
        let all = runs_of(variant, *k);
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for seed in all_seeds(results.effort().seeds) {
            let found = results.find(&key(&all, seed));
            if let (Some(seen), Some(one)) = (found, results.find(&key(&ones, seed))) {
                above.push(throughput(seen));
                below.push(throughput(one));
            }
        }
        add(
            results,
            &mut line,
            (*k, &all),
            Estimate::ratio(&above, &below),
        );
    }
    line
}

fn moved(results: &Results, variant: Variant) -> Series {
    let mut line = line(variant, "/s");
    for &k in &ALL {
        let all = runs_of(variant, k);
        let moves = numbers::mean_of(results, &all, results.effort().seeds, migrations);
        add(results, &mut line, (k, &all), moves);
    }
    line
}

/// Adds a point, if its run was made.
fn add(results: &Results, line: &mut Series, (k, runs): (u32, &str), estimate: Estimate) {
    if estimate.n > 0 {
        let keys = numbers::keys(results, runs, results.effort().seeds);
        line.add(f64::from(k), estimate, keys);
    }
}

fn what_ifs() -> Vec<WhatIf> {
    let blind = "CFS knows nothing of SMT";
    let mut all = Vec::new();
    collect::tunables(
        &mut all,
        &[("blind", blind, "cfs", "schedSmt", Setting::Off)],
    );
    all.push(what_if(
        "quiet",
        "no background",
        Set::new("background", serde_json::Value::Null),
    ));
    let hz = (
        "bfs-250",
        "BFS with HZ = 250",
        "bfs",
        "hz",
        Setting::Int(250),
    );
    collect::tunables(&mut all, &[hz]);
    let hot = Set::new("machine", "i7980x");
    all.push(what_if("980x", "on 6 cores (i7 980X)", hot));
    all
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
