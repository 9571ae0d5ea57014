//! Certner 2024: the share of a CPU that a process of nice -20 to 20 gets beside one of nice 20, under ULE before and
//! after its three arrays of 64 queues became one of 256. There are two machines, an earlier series of patches, and
//! latencies of two copies of a simulated browser.
//!
//! The source does not say how long its browsers compute and sleep.

use super::{Effort, Experiment, Measure, Page, Results};
use crate::experiment::claims::WhatIf;
use crate::experiment::collect::{self, Setting, Values};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::{self, all_seeds, largest, mean, of_means, samples};
use crate::experiment::published;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;

use Era::{After, Before};

/// The experiment.
pub(super) const S3: Experiment = Experiment {
    id: "S3",
    pages: &[Page {
        id: "s3",
        more: |_| Vec::new(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at("share", "share of process 1, %", "nice #"),
        Measure::new("meanError", "mean absolute difference to the table, points"),
        Measure::new("rise", "largest rise from a nice value to the next, points"),
        Measure::at("change", "share after - before, points", "nice #"),
        Measure::new(
            "meanChange",
            "mean absolute change over eight nice values, points",
        ),
        Measure::new(
            "largestChange",
            "largest absolute change over eight nice values, points",
        ),
        Measure::new(
            "meanLatency",
            "mean latency, change - difference of the parallel copies, µs",
        ),
        Measure::new(
            "longestLatency",
            "longest latency, change - difference of the parallel copies, µs",
        ),
    ],
    runs,
    values,
};

/// Simulated seconds of a run: the published ones took ten minutes.
const SECONDS: u64 = 600;
/// Nice values at which the table shows a clear increase or decrease.
const SIGNS: [i8; 6] = [-11, -9, -8, -6, -5, 0];

/// ULE before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    Before,
    After,
}

const ERAS: [Era; 2] = [Before, After];

impl Era {
    fn id(self) -> &'static str {
        match self {
            Before => "15-2024",
            After => "16-2025",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Before => "before",
            After => "after",
        }
    }
}

/// A column of a published table: nice values and percent.
type Column = Vec<(i8, f64)>;

/// The two machines of the tables, by the columns of the eras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Ryzen = 1,
    Virtual = 3,
}

const TABLE: &str = "s3-nice";

/// A nice value as in the table.
#[allow(clippy::cast_possible_truncation)] // whole numbers from -20 to 20
fn nice(x: f64) -> i8 {
    x as i8
}

/// The table of a machine.
fn column(machine: Machine, era: Era) -> Column {
    read("/rows", machine as usize + era as usize)
}

/// The first series of the review, before and with the patches of that time.
fn first(era: Era) -> Column {
    match era {
        Before => read("/first/current", 1),
        After => read("/first/series", 1),
    }
}

fn read(path: &str, column: usize) -> Column {
    let mut all = Vec::new();
    for row in published::rows(TABLE, path) {
        all.push((nice(row[0]), row[column]));
    }
    all
}

fn key(era: Era, nice: i8) -> String {
    format!("S3/{}/{nice}", era.id())
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let (rows, eras): (Column, &[Era]) = match claim {
        "S3-first" => (first(Before), &[Before]),
        "S3-series" => (first(After), &[After]),
        "S3-diff" => (first(After), &ERAS),
        "S3-web" => return browser_runs(effort),
        _ => (column(Machine::Ryzen, Before), &ERAS),
    };
    let mut all = Vec::new();
    for (nice, _) in rows {
        for era in eras {
            all.push(nice_run(*era, nice));
        }
    }
    all
}

fn nice_run(era: Era, nice: i8) -> Run {
    let lane = super::choice("ule", era.id());
    let mut run = Run::new(key(era, nice), "s3-nice", lane, "threads");
    run.set("groups.first.nice", nice);
    run.set("end.atNs", SECONDS * 1_000_000_000);
    run
}

/// Share of process 1 in percent, if the run was made.
fn share(results: &Results, era: Era, nice: i8) -> Option<f64> {
    let seen = results.find(&key(era, nice))?;
    let (first, second) = (seen.column("thread/0/cpuNs"), seen.column("thread/1/cpuNs"));
    Some(100.0 * first / (first + second))
}

/// The results of a claim's runs, and the values that are computed from them.
struct Runs<'a> {
    results: &'a Results,
    values: Values,
}

fn values(claim: &str, results: &Results) -> Vec<super::Value> {
    let values = Values::new();
    let mut runs = Runs { results, values };
    match claim {
        "S3-before" => runs.table(Before),
        "S3-after" => {
            runs.table(After);
            for &nice in &SIGNS {
                runs.change(nice);
            }
        }
        "S3-vbox" => {
            for &era in &ERAS {
                let column = column(Machine::Virtual, era);
                let of = format!("{}, virtual machine", era.name());
                runs.shares(&of, era, &column);
                runs.mean_error(&of, era, &column);
            }
        }
        "S3-first" => runs.first(Before),
        "S3-series" => runs.first(After),
        "S3-diff" => runs.changes(),
        "S3-web" => {
            runs.latency("meanLatency", "meanWaitNs");
            runs.latency("longestLatency", "longestWaitNs");
        }
        _ => {}
    }
    runs.values.all()
}

impl Runs<'_> {
    fn share(&self, era: Era, nice: i8) -> f64 {
        share(self.results, era, nice).expect("invariant: all runs are there")
    }

    /// Adds all of the Ryzen's table.
    fn table(&mut self, era: Era) {
        let column = column(Machine::Ryzen, era);
        self.shares(era.name(), era, &column);
        self.mean_error(era.name(), era, &column);
        self.rise(era, &column);
    }

    /// Adds the first series of the review.
    fn first(&mut self, era: Era) {
        let of = format!("{}, first series", era.name());
        self.shares(&of, era, &first(era));
    }

    /// `of` names the table, because the same number in another table is another value.
    fn shares(&mut self, of: &str, era: Era, column: &[(i8, f64)]) {
        for (nice, there) in column {
            let share = self.share(era, *nice);
            let value = self.values.exact("share", share);
            value.of(of).at(f64::from(*nice)).published(*there);
        }
    }

    fn mean_error(&mut self, of: &str, era: Era, column: &[(i8, f64)]) {
        let mut off = Vec::new();
        for (nice, there) in column {
            off.push((self.share(era, *nice) - there).abs());
        }
        self.values.exact("meanError", mean(&off)).of(of);
    }

    fn rise(&mut self, era: Era, column: &[(i8, f64)]) {
        let mut rise = f64::NEG_INFINITY;
        for pair in column.windows(2) {
            rise = rise.max(self.share(era, pair[1].0) - self.share(era, pair[0].0));
        }
        self.values.exact("rise", rise).of(era.name());
    }

    /// By how much the share after the change exceeds the share before.
    fn more(&self, nice: i8) -> f64 {
        self.share(After, nice) - self.share(Before, nice)
    }

    fn change(&mut self, nice: i8) {
        let of = |era| {
            let mut there = f64::NAN;
            for row in column(Machine::Ryzen, era) {
                if row.0 == nice {
                    there = row.1;
                }
            }
            there
        };
        let value = self.values.exact("change", self.more(nice));
        value.at(f64::from(nice)).published(of(After) - of(Before));
    }

    fn changes(&mut self) {
        let mut all = Vec::new();
        for (nice, _) in first(After) {
            all.push(self.more(nice).abs());
        }
        for (measure, here, path) in [
            ("meanChange", mean(&all), "/first/meanChange"),
            ("largestChange", largest(&all), "/first/largestChange"),
        ] {
            let value = self.values.exact(measure, here);
            value.published(published::number(TABLE, path));
        }
    }

    /// Adds how far the change moves a latency, compared with the difference between two copies that run at the same
    /// time.
    fn latency(&mut self, measure: &'static str, column: &str) {
        let mut all = Vec::new();
        for &era in &ERAS {
            for &copy in &COPIES {
                let name = format!("{copy}/{column}");
                let seeds = self.results.effort().seeds;
                let of_copy = |seen: &super::Seen| seen.column(&name);
                all.push(samples(self.results, &browser_runs_of(era), seeds, of_copy));
            }
        }
        for &era in &[0, 2] {
            let mut apart = Vec::new();
            for (i, value) in all[era].iter().enumerate() {
                apart.push((value - all[era + 1][i]).abs());
            }
            all.push(apart);
        }
        let more = of_means(&all, |m| {
            ((m[2] + m[3] - m[0] - m[1]).abs() - (m[4] + m[5])) / 2.0 / 1e3
        });
        self.values.add(measure, more);
    }
}

/// The two copies of the browser.
const COPIES: [&str; 2] = ["firefox1", "firefox2"];

fn browser_runs_of(era: Era) -> String {
    format!("S3/web/{}", era.id())
}

fn browser_runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for seed in all_seeds(effort.seeds) {
        for &era in &ERAS {
            let key = numbers::key(&browser_runs_of(era), seed);
            let lane = super::choice("ule", era.id());
            all.push(collect::run(key, "s3-browsers", lane, "latency", seed));
        }
    }
    all
}

/// A point opens its run at the time when both shares have settled.
const MOMENT: TimeOfX = TimeOfX {
    origin_ns: 10e9,
    per_x_ns: 0.0,
};
const NICE: Scale = Scale::new("nice value of process 1", "");

const SHARE: Frame = Frame {
    id: "share",
    title: "Share of process 1 by its nice value",
    definition: "CPU time of process 1 ÷ CPU time of both, over ten simulated minutes. Process 2 has nice 20.",
    kind: Kind::Curves,
    x: NICE,
    y: Scale::new("share of process 1", "%"),
    moment: Some(MOMENT),
};
const DIFFERENCE: Frame = Frame {
    id: "difference",
    title: "Simulated minus published (Ryzen)",
    definition: "In points of a percent. The source’s own two machines differ by 0.03 on average.",
    kind: Kind::Curves,
    x: NICE,
    y: Scale::new("difference", "points"),
    moment: Some(MOMENT),
};

fn figures(results: &Results) -> Vec<Figure> {
    let mut shares = Figure::new(&SHARE);
    let mut differences = Figure::new(&DIFFERENCE);
    for &era in &ERAS {
        let line = |unit| Series::new(era.id(), era.name(), "ule", unit);
        let (mut share_line, mut difference) = (line("%"), line("points"));
        for (nice, there) in column(Machine::Ryzen, era) {
            let x = f64::from(nice);
            share_line.published.push((x, there));
            if let Some(here) = share(results, era, nice) {
                for (line, y) in [(&mut share_line, here), (&mut difference, here - there)] {
                    line.add(x, Estimate::exact(y), vec![key(era, nice)]);
                }
            }
        }
        share_line.provenance = "measured";
        shares.series.push(share_line);
        differences.series.push(difference);
    }
    vec![shares, differences]
}

fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
    collect::tunables(
        &mut all,
        &[
            (
                "frozen",
                "the calendar frozen",
                "ule",
                "calendarTurns",
                Setting::Off,
            ),
            (
                "slice-1",
                "slices of one tick",
                "ule",
                "slice",
                Setting::Int(1),
            ),
            (
                "stathz-128",
                "statistics clock of 128 Hz",
                "ule",
                "stathz",
                Setting::Int(128),
            ),
            ("hz-100", "hz = 100", "ule", "hz", Setting::Int(100)),
        ],
    );
    all
}
