//! One core: threads of one class only (S2f).

use super::lanes::{Lane, SECOND, run, runs_of};
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::collect::{Values, json};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::{all_seeds, count, keys, samples, sum, worst};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

const THREADS: u64 = 80;
/// The time that is not measured, until CFS and ULE have settled.
const WARM_UP: u64 = 10 * SECOND;
const LANES: [(Lane, &str); 2] = [(Lane::CfsPlain, "CFS"), (Lane::Port, "ULE")];

/// The behaviour of all threads.
#[derive(Clone, Copy, Debug)]
enum Class {
    /// They only compute.
    Hogs,
    /// They mostly sleep, and the core is idle for a fifth of the time.
    Sleepers,
    /// They mostly sleep, and would need four cores.
    ManySleepers,
}

const CLASSES: [Class; 3] = [Class::Hogs, Class::Sleepers, Class::ManySleepers];

impl Class {
    fn id(self) -> &'static str {
        match self {
            Self::Hogs => "hogs",
            Self::Sleepers => "sleepers",
            Self::ManySleepers => "many-sleepers",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Hogs => "80 batch threads",
            Self::Sleepers => "80 sleepers that need 0.8 cores",
            Self::ManySleepers => "80 sleepers that need 4 cores",
        }
    }

    /// The group: 80 threads. Lengths of time are constant, so that all threads want the same; a sleeper computes as in
    /// S2a.
    fn group(self) -> &'static str {
        match self {
            Self::Hogs => {
                r#"{"name":"alike","process":"alike","count":80,"behaviour":{"kind":"compute"}}"#
            }
            Self::Sleepers => {
                r#"{"name":"alike","process":"alike","count":80,"behaviour":{"kind":"interactive",
                    "params":{"computeUs":2000,"sleepUs":198000,"sleepShape":"constant"}}}"#
            }
            Self::ManySleepers => {
                r#"{"name":"alike","process":"alike","count":80,"behaviour":{"kind":"interactive",
                    "params":{"computeUs":2000,"sleepUs":38000,"sleepShape":"constant"}}}"#
            }
        }
    }

    /// The part of the key that distinguishes its runs.
    fn what(self) -> String {
        format!("f/{}", self.id())
    }
}

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for &class in &CLASSES {
        for &(lane, _) in &LANES {
            for seed in all_seeds(effort.seeds) {
                let what = class.what();
                let mut run = run(&what, "s2a-interactive-batch", lane, "threads", seed);
                run.at = vec![WARM_UP];
                run.set("groups", json(&format!("[{}]", class.group())));
                run.set("end.atNs", WARM_UP + effort.seconds * SECOND);
                all.push(run);
            }
        }
    }
    all
}

/// Each thread's share of all CPU time after the warm-up, over the seeds.
fn shares(results: &Results, runs: &str) -> Vec<f64> {
    let time_s = |thread| {
        let column = format!("thread/{thread}/cpuNs");
        let seconds = |seen: &Seen| seen.grown(&column) / 1e9;
        sum(&samples(results, runs, results.effort().seeds, seconds))
    };
    let all: Vec<f64> = (0..THREADS).map(time_s).collect();
    let sum = sum(&all);
    all.into_iter().map(|time| time / sum).collect()
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    for &class in &CLASSES {
        let of = |(lane, _)| shares(results, &runs_of(&class.what(), lane));
        let (cfs, ule) = (of(LANES[0]), of(LANES[1]));
        let ratios: Vec<f64> = ule.iter().zip(&cfs).map(|(u, c)| u / c).collect();
        let least = values.exact("leastShare", worst(&ratios, f64::min));
        least.of(class.name());
        let most = values.exact("mostShare", worst(&ratios, f64::max));
        most.of(class.name());
    }
    values.all()
}

const ALIKE: Frame = Frame {
    id: "alike",
    title: "Threads of one class only",
    definition: "CPU time of each of 80 threads that do the same, relative to their mean, smallest first; the source says that \
                 both schedulers then operate the same way.",
    kind: Kind::Curves,
    x: Scale::new("thread, by its share", ""),
    y: Scale::new("share, relative to the mean", "×"),
    moment: Some(TimeOfX {
        origin_ns: WARM_UP as f64,
        per_x_ns: 0.0,
    }),
};

/// The threads of each class in the order of their shares.
pub(super) fn figure(results: &Results) -> Figure {
    let mut figure = Figure::new(&ALIKE);
    for &class in &CLASSES {
        for &(lane, name) in &LANES {
            let id = format!("{}-{}", class.id(), lane.id());
            let label = format!("{name}: {}", class.name());
            let mut line = Series::new(&id, &label, lane.scheduler(), "");
            let runs = runs_of(&class.what(), lane);
            let mut keys = keys(results, &runs, results.effort().seeds);
            if !keys.is_empty() {
                let mut shares = shares(results, &runs);
                shares.sort_unstable_by(f64::total_cmp);
                for (i, share) in shares.iter().enumerate() {
                    let of_fair = Estimate::exact(share * real(THREADS));
                    line.add(count(i + 1), of_fair, std::mem::take(&mut keys));
                }
            }
            figure.series.push(line);
        }
    }
    figure
}
