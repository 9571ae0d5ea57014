//! CFS and EEVDF, 2023 to 2025: what kernel developers published about the change, if the workload is defined; and the
//! bound from the theory of EEVDF.
//!
//! The sources do not say how long the half-idle threads compute between two sleeps (Zijlstra 2023). They also do not
//! say which threads wake which in the browser that plays a clip beside cyclictest and massive_intr (Galbraith 2024).
//!
//! Measurements of data bases and web servers are not run (`notRun` in `scenarios/published/eevdf.json`).

mod half;
mod lag;
mod short;
mod tick;

use super::{Effort, Experiment, Measure, Page, Results};
use crate::experiment::claims::WhatIf;
use crate::experiment::collect::{self, Setting};
use crate::experiment::figure::Figure;
use crate::experiment::run::{Run, RunScheduler};
use crate::property::Set;

/// The experiment.
pub(super) const EEVDF: Experiment = Experiment {
    id: "EEVDF",
    pages: &[Page {
        id: "eevdf",
        more: |_| half::of_the_figure(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at(
            "share",
            "share of the thread that always computes, %",
            "# ms bursts",
        ),
        Measure::at("turn", "mean turn of a hog, ms", "a request of # ms"),
        Measure::new("wait", "mean wait of cyclictest, with / without the rule"),
        Measure::new("turns", "turns of massive_intr, with / without the rule"),
        Measure::at(
            "owed",
            "most service that a thread is owed / its longest request",
            "# threads",
        ),
        Measure::at(
            "ahead",
            "most service that a thread is ahead / its longest request",
            "# threads",
        ),
        Measure::at(
            "aheadOfAsked",
            "most service that a thread is ahead / the slice that it asks for",
            "# threads",
        ),
    ],
    runs,
    values,
};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;
/// The scenario that the runs change.
const SCENARIO: &str = "cfs-eevdf";
/// The file of published numbers.
const TABLE: &str = "eevdf";

/// A scheduler without groups: all programs were started from one terminal.
fn without_groups(id: &'static str, era: &'static str) -> RunScheduler {
    RunScheduler {
        tunable: Some(("groupPerApplication", false.into())),
        ..super::choice(id, era)
    }
}

/// Linux 6.12.
fn now() -> RunScheduler {
    without_groups("eevdf", "6.12")
}

/// Removes the thread that sleeps half of the time.
fn hogs_alone(run: &mut Run) {
    run.set("groups.half", serde_json::Value::Null);
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    match claim {
        "E-half" => half::runs(),
        "E-tick" => tick::runs(),
        "E-short" | "E-short-size" => short::runs(effort),
        _ => lag::runs(),
    }
}

fn values(claim: &str, results: &Results) -> Vec<super::Value> {
    match claim {
        "E-half" => half::values(results),
        "E-tick" => tick::values(results),
        "E-short" | "E-short-size" => short::values(results),
        _ => lag::values(claim, results),
    }
}

fn figures(results: &Results) -> Vec<Figure> {
    vec![half::figure(results), short::figure(results)]
}

fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
    let mut on = |id, label, tunable| {
        all.push(collect::what_if(
            id,
            label,
            Set::new(format!("lanes.eevdf.{tunable}"), false),
        ));
    };
    on("no-delay", "without delayed dequeue", "delayDequeue");
    on("no-lag", "without the lag of sleepers", "placeLag");
    on("no-parity", "without protection of a turn", "runToParity");
    collect::tunables(
        &mut all,
        &[(
            "hz-1000",
            "EEVDF at 1000 Hz",
            "eevdf",
            "hz",
            Setting::Int(1_000),
        )],
    );
    all
}
