//! 32 cores: one thread for each (S2e), and ULE's gain over these programs (S2g).

use super::lanes::{Lane, SECOND, line, published, run, runs_of};
use crate::experiment::claims::WhatIf;
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::collect::{self, Setting, Values};
use crate::experiment::figure::{Figure, Frame, Kind, RowLabel, Scale, Series, TimeOfX};
use crate::experiment::numbers::{all_seeds, count, keys, of_means, samples};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;

/// A program of one thread for each core that never sleeps: name, behaviour, working set in bytes.
type Program = (&'static str, &'static str, u64);

const PROGRAMS: [Program; 7] = [
    ("ordinary program", "compute", 65_536),
    ("Dhrystone", "dhrystone", 1),
    ("array loop, 16 KiB", "loop", 16 << 10),
    ("array loop, 1 MiB", "loop", 1 << 20),
    ("array loop, 16 MiB", "loop", 16 << 20),
    ("pointer chase, 256 KiB", "chase", 256 << 10),
    ("pointer chase, 8 MiB", "chase", 8 << 20),
];
/// Work of each thread in ms.
const WORK_MS: u64 = 10_000;
const LANES: [(Lane, &str); 2] = [(Lane::Cfs, "CFS"), (Lane::Port, "ULE")];
/// Shown beside them: CFS without memory that follows its thread.
const STILL: (Lane, &str) = (Lane::CfsStill, "CFS, NUMA balancing off");
/// Tolerance of "the same": 1 % would not be visible; this is three, because of the chance in a program.
const SAME: f64 = 0.03;

/// The part of the key that distinguishes the runs of a program.
fn what((_, kind, bytes): Program) -> String {
    format!("e/{kind}-{bytes}")
}

/// The longest runs come first: large sets wait for memory.
pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for program in PROGRAMS.iter().rev() {
        for &(lane, _) in LANES.iter().chain([&STILL]) {
            for seed in all_seeds(effort.seeds) {
                let what = what(*program);
                let mut run = run(&what, "s2e-one-thread-per-core", lane, "exits", seed);
                run.set("groups.work.behaviour", program.1);
                run.set("groups.work.behaviour.workMs", WORK_MS);
                run.set("groups.work.workingSetBytes", program.2);
                run.set("end.atNs", 3_600 * SECOND);
                all.push(run);
            }
        }
    }
    all
}

fn time_s(seen: &Seen) -> f64 {
    seen.column("lastExitNs") / 1e9
}

/// Times of a program under CFS and under ULE over the seeds, in s.
fn times(results: &Results, program: Program) -> [Vec<f64>; 2] {
    LANES.map(|(lane, _)| times_of(results, program, lane))
}

fn times_of(results: &Results, program: Program, lane: Lane) -> Vec<f64> {
    let runs = runs_of(&what(program), lane);
    samples(results, &runs, results.effort().seeds, time_s)
}

pub(super) fn ratios(results: &Results) -> Vec<Value> {
    let (mut values, mut same) = (Values::new(), 0);
    for &program in &PROGRAMS {
        let [cfs, ule] = times(results, program);
        let ratio = Estimate::ratio(&ule, &cfs);
        if (ratio.mean - 1.0).abs() <= SAME {
            same += 1;
        }
        values.add("ratio", ratio).of(program.0);
    }
    values.exact("same", count(same));
    values.all()
}

pub(super) fn gain(results: &Results) -> Vec<Value> {
    let all = PROGRAMS.map(|program| times(results, program)).concat();
    let gain = of_means(&all, |means| {
        let pairs = means.chunks_exact(2);
        let gains: f64 = pairs.map(|pair| pair[0] / pair[1] - 1.0).sum();
        100.0 * gains / count(PROGRAMS.len())
    });
    let mut values = Values::new();
    let there = published().overall.ule_ahead_percent;
    values.add("gain", gain).published(there);
    values.all()
}

const TIMES: Frame = Frame {
    id: "times",
    title: "Time of seven programs",
    definition: "From the start of the first thread to the end of the last, in seconds; for CFS with memory that follows its \
                 thread and without. The source gives one number: over all its programs, which it does not list, ULE is \
                 ahead by 2.75 % on average.",
    kind: Kind::Table,
    x: Scale::NONE,
    y: Scale::NONE,
    moment: Some(TimeOfX {
        origin_ns: 1e9,
        per_x_ns: 0.0,
    }),
};

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let mut figure = Figure::new(&TIMES);
    let columns = [LANES[0], STILL, LANES[1]];
    let mut ratios = [
        Series::new("ratio", "ULE ÷ CFS", "", ""),
        Series::new("ratio-still", "ULE ÷ CFS, NUMA balancing off", "", ""),
    ];
    for (lane, name) in columns {
        figure.series.push(line(lane, name, "s"));
    }
    for (row, program) in PROGRAMS.iter().enumerate() {
        figure.row_labels.push(RowLabel::new(program.0, "s"));
        let x = count(row);
        let mut all = Vec::new();
        for (column, (lane, _)) in figure.series.iter_mut().zip(columns) {
            let times = times_of(results, *program, lane);
            let runs = runs_of(&what(*program), lane);
            let keys = keys(results, &runs, results.effort().seeds);
            if !times.is_empty() {
                column.add(x, Estimate::mean(&times), keys.clone());
            }
            all.push((times, keys));
        }
        let (ule, of_ule) = &all[2];
        for (ratio, (cfs, of_cfs)) in ratios.iter_mut().zip(&all) {
            if !cfs.is_empty() && !ule.is_empty() {
                let mut of_both = of_cfs.clone();
                of_both.extend_from_slice(of_ule);
                ratio.add(x, Estimate::ratio(ule, cfs), of_both);
            }
        }
    }
    figure.series.extend(ratios);
    vec![figure]
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
    collect::tunables(
        &mut all,
        &[
            (
                "no-numa-balancing",
                "CFS’s memory stays where it was taken",
                "cfs",
                "numaBalancing",
                Setting::Off,
            ),
            (
                "no-groups",
                "CFS without groups",
                "cfs",
                "groupPerApplication",
                Setting::Off,
            ),
            (
                "no-balancer",
                "ULE’s balancer off",
                "ule",
                "balance",
                Setting::Off,
            ),
        ],
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition is a constant, so it holds the number as text.
    #[test]
    fn the_definition_has_the_published_number() {
        let ahead = published().overall.ule_ahead_percent;
        let words = format!("ahead by {ahead} % on average");
        assert!(TIMES.definition.contains(&words), "{words}");
    }
}
