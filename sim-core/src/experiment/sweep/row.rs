//! The result of a point: a row for each of its lanes, whatever the outcome.

use super::measure::{expressions, value};
use super::space::{Point, Space};
use crate::config::Scenario;
use crate::config::plan::Plan;
use crate::engine::{Options, Sim};
use crate::error::ConfigError;
use crate::report::{self, RunReport};
use crate::time::SimTime;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// It reached its end.
    Ok,
    /// The values do not form a scenario that can be run.
    Invalid,
    /// The simulator or the scheduler failed during the run.
    Failed,
    /// It reached the largest allowed number of events before its end.
    Limit,
    /// The process that carried it out was killed more than once.
    Killed,
}

impl Status {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Invalid => "invalid",
            Self::Failed => "failed",
            Self::Limit => "limit",
            Self::Killed => "killed",
        }
    }
}

/// The result of one lane of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the point, from 0.
    pub point: usize,
    /// Number of the lane, from 0.
    pub lane: usize,
    /// Values by heading, in the order of the axes.
    pub at: Vec<(String, Value)>,
    /// Id of the machine.
    pub machine: String,
    /// Id of the scheduler.
    pub scheduler: String,
    /// Id of its era; empty if none was named and there was no run.
    pub era: String,
    /// Seed of the run; `None` if the scenario has no valid seed.
    pub run_seed: Option<u64>,
    /// Its outcome.
    pub status: Status,
    /// The error; empty if there is none.
    pub message: String,
    /// Events of the run, if it reached its end.
    pub events: Option<u64>,
    /// Digest of the run, if it reached its end.
    pub digest: String,
    /// Measures in the order of [`Space::measures`]; `None` where one is not defined.
    pub values: Vec<Option<f64>>,
}

/// A run that reached its end.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// Its result.
    pub report: RunReport,
    /// Its events.
    pub events: u64,
}

/// Why a run has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The simulator or the scheduler failed, with the message.
    Failed(String),
    /// It reached this number of events, which is more than allowed.
    Limit(u64),
    /// The caller did not want to go on. Such a run has no row.
    Stopped,
}

impl From<String> for Unfinished {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// Number of events between two questions whether a run should go on: some 10 to 100 ms.
pub const SLICE: u64 = 100_000;

/// Runs a lane to its end.
///
/// # Errors
/// The fault of the scheduler that ended the run.
pub fn run(plan: &Arc<Plan>, lane: usize) -> Result<FinishedRun, Unfinished> {
    run_while(plan, lane, 0, u64::MAX, &|| true)
}

/// Runs a lane to its end with fewer than `max_events` events, and measures it from a time in ns on. After every [`SLICE`]
/// of them `goes_on` is called, which changes no result.
///
/// # Errors
/// The fault of the scheduler, too many events, or that `goes_on` returned false.
pub fn run_while(
    plan: &Arc<Plan>,
    lane: usize,
    from_ns: u64,
    max_events: u64,
    goes_on: &dyn Fn() -> bool,
) -> Result<FinishedRun, Unfinished> {
    let options = Options {
        check_every: 0,
        ..Options::default()
    };
    let mut sim = Sim::new(plan, lane, options);
    let mut until = SimTime(from_ns);
    loop {
        let before = sim.handled();
        let most = SLICE.min(max_events - before);
        sim.advance(until, most);
        if sim.handled() - before < most {
            if until == sim.end() {
                break;
            }
            if from_ns > 0 {
                sim.measure_from_now();
            }
            until = sim.end();
            continue;
        }
        if sim.handled() == max_events {
            return Err(Unfinished::Limit(max_events));
        }
        if !goes_on() {
            return Err(Unfinished::Stopped);
        }
    }
    let report = report::report(&mut sim);
    let events = sim.handled();
    match report.fault {
        Some(fault) => Err(Unfinished::Failed(fault.message)),
        None => Ok(FinishedRun { report, events }),
    }
}

/// What a warm-up must be.
#[must_use]
pub fn before_end(end_ns: u64) -> String {
    format!("must be before the end of the run ({end_ns} ns)")
}

impl Space {
    /// The rows of a point, one for each lane. `run` carries out a lane and returns the reason if it has no result.
    pub fn rows(
        &self,
        point: &Point,
        run: impl Fn(&Arc<Plan>, usize) -> Result<FinishedRun, Unfinished>,
    ) -> Vec<Row> {
        let lanes = 0..point.lanes();
        lanes
            .filter_map(|lane| self.row_of(point, lane, &run))
            .collect()
    }

    /// The row of one lane of a point, carried out by `run`; `None` if the run was stopped.
    pub fn row_of(
        &self,
        point: &Point,
        lane: usize,
        run: impl Fn(&Arc<Plan>, usize) -> Result<FinishedRun, Unfinished>,
    ) -> Option<Row> {
        let row = self.row(point, lane);
        match &point.plan {
            Err(errors) => Some(Row {
                status: Status::Invalid,
                message: told(errors),
                ..row
            }),
            Ok(plan) if self.from_ns() > 0 && self.from_ns() >= plan.end_ns => Some(Row {
                status: Status::Invalid,
                message: format!("from: {}", before_end(plan.end_ns)),
                ..row
            }),
            Ok(plan) => self.ran(row, run(plan, lane), &plan.scenario),
        }
    }

    /// The row of a lane whose run ended the process that carried it out.
    #[must_use]
    pub fn killed(&self, point: &Point, lane: usize, message: String) -> Row {
        Row {
            status: Status::Killed,
            message,
            ..self.row(point, lane)
        }
    }

    /// The row of a point whose scenario could not be made.
    #[must_use]
    pub fn lost(&self, number: usize, message: String) -> Row {
        Row {
            point: number,
            lane: 0,
            at: Vec::new(),
            machine: String::new(),
            scheduler: String::new(),
            era: String::new(),
            run_seed: None,
            status: Status::Failed,
            message,
            events: None,
            digest: String::new(),
            values: vec![None; self.measures().len()],
        }
    }

    /// A row with the scenario as written, without a result.
    fn row(&self, point: &Point, lane: usize) -> Row {
        let written = &point.written;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let machine = &written["machine"];
        let choice = &written["schedulers"][lane];
        Row {
            lane,
            at: point.at.clone(),
            machine: text(if machine.is_string() {
                machine
            } else {
                &machine["id"]
            }),
            scheduler: text(&choice["id"]),
            era: text(&choice["era"]),
            run_seed: written["seed"].as_u64(),
            ..self.lost(point.number, String::new())
        }
    }

    fn ran(
        &self,
        row: Row,
        result: Result<FinishedRun, Unfinished>,
        scenario: &Scenario,
    ) -> Option<Row> {
        let told = if result.is_ok() {
            expressions(self.measures(), scenario, row.lane, self.from_ns())
        } else {
            Ok(Vec::new())
        };
        Some(match result {
            Err(Unfinished::Stopped) => return None,
            Err(Unfinished::Failed(message)) => Row { message, ..row },
            Err(Unfinished::Limit(events)) => Row {
                status: Status::Limit,
                message: format!("not at its end after {events} events"),
                ..row
            },
            Ok(FinishedRun { report, events }) => Row {
                message: told.as_ref().err().cloned().unwrap_or_default(),
                machine: report.machine.clone(),
                scheduler: report.scheduler.clone(),
                era: report.era.clone(),
                run_seed: Some(report.seed),
                status: if told.is_ok() {
                    Status::Ok
                } else {
                    Status::Failed
                },
                events: Some(events),
                digest: report.digest.clone(),
                values: {
                    let all = self.measures().iter().map(|id| value(id, &report));
                    let mut all: Vec<Option<f64>> = all.collect();
                    for (i, number) in told.into_iter().flatten() {
                        all[i] = number;
                    }
                    all
                },
                ..row
            },
        })
    }
}

fn told(errors: &[ConfigError]) -> String {
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    told.join("; ")
}
