//! Wong 2011: k instances of Dhrystone on a Core i7 860 under BFS, CFS and manual affinity.
//!
//! Not known from the source: release and tick rate of BFS, and the background load. Both tick rates in
//! use at the time are evaluated; the background is that of the scenario.

use super::old::{Old as Measure, raw};
use super::{Effort, Experiment, Page, Results};
use crate::experiment::change::Change;
use crate::experiment::run::Run;
use crate::metrics::real;
use crate::params::ParamValue;

use Variant::{Bfs100, Bfs1000, Bfs1000Quiet, Cfs100, Cfs1000, Manual};

/// The experiment.
pub(super) const S4: Experiment = Experiment {
    id: "S4",
    runs,
    pages: &[Page {
        id: "s4",
        more: |_| Vec::new(),
        figures: |_| Vec::new(),
        what_ifs: Vec::new,
    }],
    measures: &[],
    values: |_, _| Vec::new(),
    old: Some(judge),
};

/// Physical cores of the machine, as the closed forms of the source use them.
const CORES: u64 = 4;
/// Simulated seconds before measuring begins.
const SETTLE_S: u64 = 5;
/// Values that the probe gives each time it looks.
const PER_LOOK: usize = 5;

/// What is run.
#[derive(Clone, Copy, Debug)]
enum Variant {
    Bfs100,
    Bfs1000,
    Bfs1000Quiet,
    Cfs100,
    Cfs1000,
    Manual,
}

impl Variant {
    /// Word in the key, scheduler, era and tick rate.
    fn parts(
        self,
    ) -> (
        &'static str,
        &'static str,
        Option<&'static str>,
        Option<i64>,
    ) {
        let (bfs, cfs) = (Some("0.318"), Some("2.6.34"));
        match self {
            Bfs100 => ("bfs-100", "bfs", bfs, Some(100)),
            Bfs1000 => ("bfs-1000", "bfs", bfs, Some(1000)),
            Bfs1000Quiet => ("bfs-1000-quiet", "bfs", bfs, Some(1000)),
            Cfs100 => ("cfs-100", "cfs", cfs, Some(100)),
            Cfs1000 => ("cfs-1000", "cfs", cfs, Some(1000)),
            Manual => ("manual", "manual", None, None),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Bfs100 => "BFS, 100 Hz",
            Bfs1000 => "BFS, 1000 Hz",
            Bfs1000Quiet => "BFS, 1000 Hz, no background",
            Cfs100 => "CFS, 100 Hz",
            Cfs1000 => "CFS, 1000 Hz",
            Manual => "manual affinity",
        }
    }
}

/// Means over the seeds for one number of instances.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Work per time of all instances together.
    throughput: f64,
    /// Cores with at least one instance, on average.
    cores: f64,
    /// Moves of instances from CPU to CPU, in a second.
    migrations: f64,
}

/// What a claim needs: variants and numbers of instances.
fn needs(id: &str) -> Vec<(Variant, Vec<u32>)> {
    let of = |variants: &[Variant], instances: &[u32]| -> Vec<(Variant, Vec<u32>)> {
        let all = variants.iter();
        all.map(|v| (*v, instances.to_vec())).collect()
    };
    match id {
        "W1" => of(&[Cfs100, Cfs1000, Manual], &[1, 2, 3, 4, 5, 6, 7, 8]),
        "W2" | "W3" => of(&[Manual], &[1, 2, 3, 4, 5, 6, 7, 8]),
        "W4" => of(
            &[Bfs100, Bfs1000, Cfs100, Cfs1000, Manual],
            &[2, 3, 4, 5, 6],
        ),
        "W5" => of(&[Bfs100, Bfs1000, Bfs1000Quiet], &[1, 2, 3, 4, 5, 6]),
        _ => of(&[Bfs100, Bfs1000, Manual], &[1, 7, 8]),
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

fn judge(id: &str, results: &Results) -> Vec<Measure> {
    let runs = Runs { results };
    match id {
        "W1" => runs.w1(),
        "W2" => (1..=4).map(|k| runs.scaling(k, f64::from(k))).collect(),
        "W3" => [(5, 3.96), (6, 3.92), (7, 3.88), (8, 3.84)]
            .into_iter()
            .map(|(k, expected)| runs.scaling(k, expected))
            .collect(),
        "W4" => runs.w4(),
        "W5" => runs.w5(),
        "W6" => runs.w6(),
        _ => Vec::new(),
    }
}

/// What the runs gave.
struct Runs<'a> {
    results: &'a Results,
}

impl Runs<'_> {
    /// Throughput of manual affinity relative to one instance, within 1 %.
    fn scaling(&self, k: u32, expected: f64) -> Measure {
        let x = self.relative(Manual, k);
        Measure::about(
            format!("manual affinity, {k}"),
            x,
            expected,
            expected * 0.01,
        )
    }

    fn w4(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        for variant in [Bfs100, Bfs1000] {
            for k in 3..=5 {
                let bfs = self.point(variant, k).throughput;
                let manual = self.point(Manual, k).throughput;
                let name = format!("{} / manual affinity, {k}", variant.name());
                measures.push(Measure::within(name, bfs / manual, 0.95, 0.0, 0.985));
            }
        }
        for (bfs, cfs) in [(Bfs100, Cfs100), (Bfs1000, Cfs1000)] {
            let moves = |variant| -> f64 {
                let points = (2..=6).map(|k| self.point(variant, k).migrations);
                points.sum()
            };
            let ratio = moves(bfs) / moves(cfs);
            let name = format!("migrations, {} / {}, 2 to 6", bfs.name(), cfs.name());
            measures.push(Measure::within(name, ratio, 10.0, 10.0, f64::INFINITY));
        }
        measures
    }

    fn w1(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        for variant in [Cfs100, Cfs1000] {
            for k in 1..=8 {
                let cfs = self.point(variant, k).throughput;
                let manual = self.point(Manual, k).throughput;
                let name = format!("{} / manual affinity, {k}", variant.name());
                measures.push(Measure::about(name, cfs / manual, 1.0, 0.02));
            }
        }
        measures
    }

    fn w5(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        for variant in [Bfs100, Bfs1000] {
            let f = self.deficit(variant);
            let name = format!("f, {}", variant.name());
            measures.push(Measure::within(name, f, 0.5, 0.25, 0.65));
        }
        // The real 0.318 code, run under a driver with this background, in cores in use.
        for (variant, expected, tolerance) in [
            (Bfs100, 0.66, 0.06),
            (Bfs1000, 0.61, 0.05),
            (Bfs1000Quiet, 1.00, 0.01),
        ] {
            let position = self.position(variant);
            let name = format!("position of the 0.318 code, {}", variant.name());
            measures.push(Measure::about(name, position, expected, tolerance));
        }
        measures
    }

    fn w6(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        for k in [1, 7, 8] {
            for variant in [Bfs100, Bfs1000] {
                let bfs = self.point(variant, k).throughput;
                let manual = self.point(Manual, k).throughput;
                let name = format!("{} / manual affinity, {k}", variant.name());
                measures.push(Measure::about(name, bfs / manual, 1.0, 0.02));
            }
        }
        measures
    }

    /// f of the acceptance: throughput below the ideal, relative to what random placement loses.
    fn deficit(&self, variant: Variant) -> f64 {
        let (mut lost, mut span) = (0.0, 0.0);
        for k in 2..=6 {
            lost += ideal(k) - self.relative(variant, k);
            span += ideal(k) - random(k);
        }
        lost / span
    }

    /// Position between random (0) and ideal (1) in cores in use.
    fn position(&self, variant: Variant) -> f64 {
        let (mut gained, mut span) = (0.0, 0.0);
        for k in 2..=6 {
            gained += self.point(variant, k).cores - random(k);
            span += ideal(k) - random(k);
        }
        gained / span
    }

    fn relative(&self, variant: Variant, k: u32) -> f64 {
        let one = self.point(variant, 1).throughput;
        self.point(variant, k).throughput / one
    }

    fn point(&self, variant: Variant, k: u32) -> Point {
        let effort = self.results.effort();
        let span = real(effort.seconds) * 1e9;
        // What there was when measuring began, then what there was at the end.
        let mean = |value: usize| -> f64 {
            let runs = (1..=effort.seeds).map(|seed| raw(self.results, &key(variant, k, seed)));
            let grown = runs.map(|seen| seen[PER_LOOK + value] - seen[value]);
            grown.sum::<f64>() / real(effort.seeds)
        };
        Point {
            throughput: mean(2) / span,
            cores: mean(3) / span,
            migrations: mean(4) / real(effort.seconds),
        }
    }
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

fn key(variant: Variant, k: u32, seed: u64) -> String {
    format!("S4/{}/{k}/{seed}", variant.parts().0)
}

fn run(variant: Variant, k: u32, seed: u64, seconds: u64) -> Run {
    let (_, id, era, hz) = variant.parts();
    let mut scheduler = super::choice(id, era);
    if let Some(hz) = hz {
        let hz = ParamValue::Int(hz);
        scheduler.tunables.insert("hz".to_owned(), hz);
    }
    let mut run = Run::new(key(variant, k, seed), "s4-dhrystone", scheduler, "totals")
        .seed(seed)
        .group("dhry", "count", k)
        .end((SETTLE_S + seconds) * 1_000_000_000);
    run.at = vec![SETTLE_S * 1_000_000_000];
    match variant {
        Bfs1000Quiet => run.with(Change::no_background()),
        _ => run,
    }
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
