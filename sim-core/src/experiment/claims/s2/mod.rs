//! Bouron et al. 2018, The Battle of the Schedulers: FreeBSD 11.1's ULE moved into Linux 4.9, beside that kernel's CFS.
//!
//! The source does not give the exact machine, its nodes and caches, HZ, the kernel's options (above all whether each
//! application was a group), the CPU work of a request and its division, and all lengths of time in the workloads. Only
//! one number is calibrated, on ULE alone: the CPU work of a request (S2b).

mod classes;
mod creation;
mod lanes;
mod overall;
mod queues;
mod release;
mod requests;
mod sharing;

use super::{Code, Effort, Measure, Page, Results, Value};
use crate::experiment::run::Run;

/// The experiment.
pub(super) static S2: Code = Code {
    id: "S2",
    file: "s2",
    pages: &[
        Page {
            id: "s2a",
            more: |_| Vec::new(),
            figures: |results| {
                let mut figures = sharing::figures(results);
                figures.push(classes::figure(results));
                figures
            },
            what_ifs: sharing::what_ifs,
        },
        Page {
            id: "s2b",
            more: |_| Vec::new(),
            figures: requests::figures,
            what_ifs: requests::what_ifs,
        },
        Page {
            id: "s2c",
            more: release::other_layouts,
            figures: release::figures,
            what_ifs: release::what_ifs,
        },
        Page {
            id: "s2d",
            more: |_| Vec::new(),
            figures: creation::figures,
            what_ifs: creation::what_ifs,
        },
        Page {
            id: "s2e",
            more: |_| Vec::new(),
            figures: overall::figures,
            what_ifs: overall::what_ifs,
        },
    ],
    measures: &[
        // S2a
        Measure::new("batchShare", "share of the batch thread"),
        Measure::new(
            "aloneShare",
            "share of the batch thread when the others have ended",
        ),
        Measure::new(
            "interactiveTime",
            "time of the interactive application, ULE / CFS",
        ),
        Measure::new("bothTime", "time of both applications, ULE / CFS"),
        Measure::new("longestWait", "longest wait of an interactive thread, s"),
        // S2b
        Measure::new("preempted", "preemptions of the injector for each request"),
        Measure::new("rate", "requests in a second, ULE / CFS"),
        Measure::new("requestTime", "time for a request, µs"),
        // S2c
        Measure::at("moves", "moves in the first 0.2 s", "seed #"),
        Measure::new("least", "least difference of the queues in the 10 s after"),
        Measure::new("even", "looks in these 10 s at which all queues have 16"),
        Measure::new("seconds", "time until all queues have 16, s"),
        Measure::new("balances", "runs of the balancer until then"),
        Measure::new(
            "byOne",
            "part of these that take exactly one thread from core 0",
        ),
        Measure::new("later", "difference of the queues a minute later or more"),
        // S2d
        Measure::new("largest", "largest difference of the queues"),
        Measure::new(
            "evenTime",
            "part of the time with a difference of at most 1",
        ),
        Measure::new(
            "last",
            "difference of the queues when all threads run, CFS - ULE",
        ),
        Measure::new("slower", "time until all threads run, ULE / CFS"),
        // S2e, S2g; S2h
        Measure::new("ratio", "time of ULE / CFS"),
        Measure::new("same", "programs of seven within 3 %"),
        Measure::new("gain", "mean gain of ULE over seven programs, %"),
        Measure::new("gap", "difference in requests in a second, %"),
        // S2f
        Measure::new("leastShare", "least share of a thread, ULE / CFS"),
        Measure::new("mostShare", "largest share of a thread, ULE / CFS"),
    ],
    runs,
    values,
};

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    match claim {
        "S2a" => sharing::runs(effort),
        "S2b" | "S2h" => requests::runs(),
        "S2c" => release::runs(effort),
        "S2d" => creation::runs(effort),
        "S2e" | "S2g" => overall::runs(effort),
        "S2f" => classes::runs(effort),
        _ => Vec::new(),
    }
}

fn values(claim: &str, results: &Results) -> Vec<Value> {
    match claim {
        "S2a" => sharing::values(results),
        "S2b" => requests::values(results),
        "S2c" => release::values(results),
        "S2d" => creation::values(results),
        "S2e" => overall::ratios(results),
        "S2f" => classes::values(results),
        "S2g" => overall::gain(results),
        "S2h" => requests::gap(results),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::experiment::claims::{self, Effort, Results};
    use crate::experiment::run;

    const PAGES: [&str; 6] = ["s1", "s2a", "s2b", "s2c", "s2d", "s2e"];
    const EFFORT: Effort = Effort {
        seeds: 1,
        seconds: 1,
    };

    #[test]
    fn what_can_be_tried_fits_all_runs_of_its_page() {
        for page in PAGES {
            for what in claims::what_ifs(page).expect("a page") {
                let runs = claims::page_runs(page, what.id, EFFORT).expect(what.id);
                for run in runs {
                    run::scenario(&run).expect(&run.key);
                }
            }
        }
    }

    #[test]
    #[ignore = "carries out all runs of six pages: `npm run nightly -- rust`"]
    fn every_line_has_points_once_all_runs_are_there() {
        for page in PAGES {
            let mut results = Results::new(EFFORT);
            let before = claims::figures(page, &results).expect("a page");
            for run in claims::page_runs(page, "", EFFORT).expect("a page") {
                let scenario = run::scenario(&run).expect(&run.key);
                let seen = run::execute(&scenario, run.columns, &run.at).expect(&run.key);
                results.add(run.key, seen);
            }
            let after = claims::figures(page, &results).expect("a page");
            assert_eq!(before.len(), after.len(), "{page}");
            for (empty, figure) in before.iter().zip(&after) {
                for (nothing, line) in empty.series.iter().zip(&figure.series) {
                    let name = format!("{page} {} {}", figure.id, line.id);
                    assert!(nothing.points.is_empty(), "{name}");
                    assert!(!line.points.is_empty(), "{name}");
                    assert!(!line.points[0].keys.is_empty(), "{name}");
                    assert!(
                        line.rows.is_empty() || line.rows.len() == line.points.len(),
                        "{name}"
                    );
                }
            }
        }
    }
}
