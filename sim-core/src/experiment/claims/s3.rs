//! Certner 2024: the share of a CPU that a process of nice -20 to 20 gets beside one of nice 20, under ULE before and
//! after its three arrays of 64 queues became one of 256. Two machines, and an earlier series of patches; and latencies of
//! two copies of a simulated browser.
//!
//! Not known from the source: how long its browsers compute and sleep.

use super::{Effort, Experiment, Measure, Page, Results, Value};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Series};
use crate::experiment::published;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

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
/// Nice values at which the change is clearly up or down in the table.
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

/// The published tables.
struct Published {
    /// Nice value, then percent before and after on the Ryzen 9 3900X, before and after in a virtual machine.
    rows: Vec<(i8, f64, f64, f64, f64)>,
    first: First,
}

/// The first series of the review.
struct First {
    /// Nice value and percent, before and with the patches of then.
    current: Vec<(i8, f64)>,
    series: Vec<(i8, f64)>,
    /// What the source says of the change.
    mean_change: f64,
    largest_change: f64,
}

/// The two machines of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Ryzen,
    Virtual,
}

const TABLE: &str = "s3-nice";

/// A nice value as the table has it.
#[allow(clippy::cast_possible_truncation)] // whole numbers from -20 to 20
fn nice(x: f64) -> i8 {
    x as i8
}

impl Published {
    fn read() -> Self {
        let pairs = |path: &str| {
            let rows = published::rows(TABLE, path);
            rows.iter().map(|r| (nice(r[0]), r[1])).collect()
        };
        let rows = published::rows(TABLE, "/rows");
        let row = |r: &Vec<f64>| (nice(r[0]), r[1], r[2], r[3], r[4]);
        Self {
            rows: rows.iter().map(row).collect(),
            first: First {
                current: pairs("/first/current"),
                series: pairs("/first/series"),
                mean_change: published::number(TABLE, "/first/meanChange"),
                largest_change: published::number(TABLE, "/first/largestChange"),
            },
        }
    }

    fn column(&self, machine: Machine, era: Era) -> Vec<(i8, f64)> {
        let pick = |row: &(i8, f64, f64, f64, f64)| match (machine, era) {
            (Machine::Ryzen, Before) => row.1,
            (Machine::Ryzen, After) => row.2,
            (Machine::Virtual, Before) => row.3,
            (Machine::Virtual, After) => row.4,
        };
        self.rows.iter().map(|row| (row.0, pick(row))).collect()
    }
}

fn key(era: Era, nice: i8) -> String {
    format!("S3/{}/{nice}", era.id())
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let published = Published::read();
    let of = |column: &[(i8, f64)], eras: &[Era]| -> Vec<Run> {
        let each = column
            .iter()
            .flat_map(|row| eras.iter().map(|era| (*era, row.0)));
        each.map(|(era, nice)| nice_run(era, nice)).collect()
    };
    match claim {
        "S3-first" => of(&published.first.current, &[Before]),
        "S3-series" => of(&published.first.series, &[After]),
        "S3-diff" => of(&published.first.series, &ERAS),
        "S3-web" => browser_runs(effort),
        _ => of(&published.column(Machine::Ryzen, Before), &ERAS),
    }
}

fn nice_run(era: Era, nice: i8) -> Run {
    let lane = super::choice("ule", era.id());
    Run::new(key(era, nice), "s3-nice", lane, "threads")
        .group("first", "nice", nice)
        .end(SECONDS * 1_000_000_000)
}

/// Share of process 1 in percent, if the run was made.
fn share(results: &Results, era: Era, nice: i8) -> Option<f64> {
    let seen = results.find(&key(era, nice))?;
    let (first, second) = (seen.column("thread/0/cpuNs"), seen.column("thread/1/cpuNs"));
    Some(100.0 * first / (first + second))
}

/// What the runs of a claim gave.
struct Runs<'a> {
    results: &'a Results,
    published: Published,
}

fn values(claim: &str, results: &Results) -> Vec<Value> {
    let runs = Runs {
        results,
        published: Published::read(),
    };
    let first = &runs.published.first;
    match claim {
        "S3-before" => {
            let column = runs.published.column(Machine::Ryzen, Before);
            let mut values = runs.shares(Before, &column);
            values.extend([runs.mean_error(Before, &column), runs.rise(Before, &column)]);
            values
        }
        "S3-after" => {
            let column = runs.published.column(Machine::Ryzen, After);
            let mut values = runs.shares(After, &column);
            values.extend([runs.mean_error(After, &column), runs.rise(After, &column)]);
            values.extend(SIGNS.map(|nice| runs.change(nice)));
            values
        }
        "S3-vbox" => {
            let of = |era| {
                let column = runs.published.column(Machine::Virtual, era);
                let mut values = runs.shares(era, &column);
                values.push(runs.mean_error(era, &column));
                values
            };
            ERAS.map(of).concat()
        }
        "S3-first" => runs.shares(Before, &first.current),
        "S3-series" => runs.shares(After, &first.series),
        "S3-diff" => runs.changes(),
        "S3-web" => latencies(results),
        _ => Vec::new(),
    }
}

impl Runs<'_> {
    fn share(&self, era: Era, nice: i8) -> f64 {
        share(self.results, era, nice).expect("invariant: all runs are there")
    }

    fn shares(&self, era: Era, column: &[(i8, f64)]) -> Vec<Value> {
        let value = |(nice, there): &(i8, f64)| {
            Value::exact("share", self.share(era, *nice))
                .of(era.name())
                .at(*nice)
                .published(*there)
        };
        column.iter().map(value).collect()
    }

    fn mean_error(&self, era: Era, column: &[(i8, f64)]) -> Value {
        let off = column
            .iter()
            .map(|(n, there)| (self.share(era, *n) - there).abs());
        Value::exact("meanError", mean(off)).of(era.name())
    }

    fn rise(&self, era: Era, column: &[(i8, f64)]) -> Value {
        let shares: Vec<f64> = column.iter().map(|(n, _)| self.share(era, *n)).collect();
        let rises = shares.windows(2).map(|pair| pair[1] - pair[0]);
        Value::exact("rise", rises.fold(f64::NEG_INFINITY, f64::max)).of(era.name())
    }

    fn change(&self, nice: i8) -> Value {
        let of = |era| {
            let column = self.published.column(Machine::Ryzen, era);
            let row = column.into_iter().find(|row| row.0 == nice);
            row.map_or(f64::NAN, |row| row.1)
        };
        let change = self.share(After, nice) - self.share(Before, nice);
        Value::exact("change", change)
            .at(nice)
            .published(of(After) - of(Before))
    }

    fn changes(&self) -> Vec<Value> {
        let first = &self.published.first;
        let change =
            |(nice, _): &(i8, f64)| (self.share(After, *nice) - self.share(Before, *nice)).abs();
        let all: Vec<f64> = first.series.iter().map(change).collect();
        let largest = all.iter().copied().fold(0.0, f64::max);
        vec![
            Value::exact("meanChange", mean(all.into_iter())).published(first.mean_change),
            Value::exact("largestChange", largest).published(first.largest_change),
        ]
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u64), |(sum, n), v| (sum + v, n + 1));
    sum / real(n)
}

/// The two copies of the browser.
const COPIES: [&str; 2] = ["firefox1", "firefox2"];

fn browser_key(era: Era, seed: u64) -> String {
    format!("S3/web/{}/{seed}", era.id())
}

fn browser_runs(effort: Effort) -> Vec<Run> {
    let seeds = (1..=effort.seeds).flat_map(|seed| ERAS.map(|era| (era, seed)));
    let run = |(era, seed): (Era, u64)| {
        let lane = super::choice("ule", era.id());
        Run::new(browser_key(era, seed), "s3-browsers", lane, "latency").seed(seed)
    };
    seeds.map(run).collect()
}

/// How far the change moves a latency, beside how far two copies that run at the same time are apart.
fn latencies(results: &Results) -> Vec<Value> {
    let value = |measure, column: &str| {
        let of = |era: Era, copy: &str| {
            let name = format!("{copy}/{column}");
            results.samples(|seed| browser_key(era, seed), |seen| seen.column(&name))
        };
        let [[before1, before2], [after1, after2]] =
            ERAS.map(|era| COPIES.map(|copy| of(era, copy)));
        let apart = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect()
        };
        let copies = [apart(&before1, &before2), apart(&after1, &after2)];
        let samples = [&before1, &before2, &after1, &after2, &copies[0], &copies[1]];
        let more = Estimate::of_means(&samples.map(Vec::as_slice), |m| {
            ((m[2] + m[3] - m[0] - m[1]).abs() - (m[4] + m[5])) / 2.0 / 1e3
        });
        Value::new(measure, more)
    };
    vec![
        value("meanLatency", "meanWaitNs"),
        value("longestLatency", "longestWaitNs"),
    ]
}

/// A point opens its run when both shares have settled.
const MOMENT: Moment = Moment {
    origin_ns: 10e9,
    per_x_ns: 0.0,
};

fn figures(results: &Results) -> Vec<Figure> {
    let table = Published::read();
    let columns = ERAS.map(|era| (era, table.column(Machine::Ryzen, era)));
    let x = || Axis::new("nice value of process 1", "");
    let series = |(era, column): &(Era, Vec<(i8, f64)>), is_difference: bool| {
        let point = |(nice, there): &(i8, f64)| {
            let here = share(results, *era, *nice)?;
            Some(Point {
                x: f64::from(*nice),
                estimate: Estimate::exact(if is_difference { here - there } else { here }),
                keys: vec![key(*era, *nice)],
            })
        };
        let rings = column
            .iter()
            .map(|(nice, there)| (f64::from(*nice), *there));
        Series {
            id: era.id().to_owned(),
            label: era.name().to_owned(),
            scheduler: "ule".to_owned(),
            unit: if is_difference { "points" } else { "%" }.to_owned(),
            points: column.iter().filter_map(point).collect(),
            published: if is_difference {
                Vec::new()
            } else {
                rings.collect()
            },
            provenance: if is_difference { "" } else { "measured" },
            ..Series::default()
        }
    };
    vec![
        Figure {
            id: "share".to_owned(),
            title: "Share of process 1 by its nice value".to_owned(),
            definition: "CPU time of process 1 ÷ CPU time of both, over ten simulated minutes. Process 2 has nice 20.".to_owned(),
            kind: Kind::Curves,
            x: x(),
            y: Axis::new("share of process 1", "%"),
            series: columns.iter().map(|c| series(c, false)).collect(),
            moment: Some(MOMENT),
            ..Figure::default()
        },
        Figure {
            id: "difference".to_owned(),
            title: "Simulated minus published (Ryzen)".to_owned(),
            definition: "In points of a percent. The source’s own two machines differ by 0.03 on average.".to_owned(),
            kind: Kind::Curves,
            x: x(),
            y: Axis::new("difference", "points"),
            series: columns.iter().map(|c| series(c, true)).collect(),
            moment: Some(MOMENT),
            ..Figure::default()
        },
    ]
}

fn what_ifs() -> Vec<WhatIf> {
    let tunable = |id, label, tunable: &str, value: serde_json::Value| WhatIf {
        id,
        label,
        changes: vec![Change::tunable("ule", tunable, value)],
    };
    vec![
        tunable(
            "frozen",
            "the calendar frozen",
            "calendarTurns",
            false.into(),
        ),
        tunable("slice-1", "slices of one tick", "slice", 1.into()),
        tunable(
            "stathz-128",
            "statistics clock of 128 Hz",
            "stathz",
            128.into(),
        ),
        tunable("hz-100", "hz = 100", "hz", 100.into()),
    ]
}
