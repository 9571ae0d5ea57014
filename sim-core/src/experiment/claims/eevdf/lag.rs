//! How far a thread may be from its share while no thread arrives or leaves (Stoica and Abdel-Wahab 1995).

use super::{SCENARIO, SECOND, hogs_alone, now};
use crate::experiment::claims::{Results, Value};
use crate::experiment::collect::{Values, json};
use crate::experiment::numbers::{largest, sum};
use crate::experiment::run::Run;
use crate::metrics::real;

/// Runs in which no thread arrives or leaves: nice values of the hogs on one CPU, and ticks per second.
const LAGS: [(&[i8], u64, &str); 6] = [
    (&[0, 0], 1_000, "1000 Hz"),
    (&[0, 0, 0, 0, 0], 1_000, "1000 Hz"),
    (&[-5, 0, 5], 1_000, "1000 Hz, nice -5, 0 and 5"),
    (&[0, 0], 250, "250 Hz"),
    (&[0, 0, 0, 0, 0], 250, "250 Hz"),
    (&[-5, 0, 5], 250, "250 Hz, nice -5, 0 and 5"),
];
/// Weights of nice -5, 0 and 5 (`sched_prio_to_weight`).
const WEIGHTS: [(i8, f64); 3] = [(-5, 3_121.0), (0, 1_024.0), (5, 335.0)];
/// The default request on eight CPUs and more, in ns.
const REQUEST: u64 = 2_800_000;
/// Number of ticks at which the probe reads.
const LOOKS: u64 = 400;

fn key_of(nice: &[i8], hz: u64) -> String {
    let mut text = format!("EEVDF/lag/{hz}");
    for value in nice {
        text = text + "/" + &value.to_string();
    }
    text
}

fn run(nice: &[i8], hz: u64) -> Run {
    let mut run = Run::new(key_of(nice, hz), SCENARIO, now(), "threads");
    hogs_alone(&mut run);
    run.set("groups.hog.nice", nice[0]);
    run.set("groups.hog.startSpacingNs", 0);
    for (i, value) in nice[1..].iter().enumerate() {
        let text = format!(
            r#"{{"count":1,"nice":{value},"allowed":[0],"startSpacingNs":0,"behaviour":{{"kind":"dhrystone"}}}}"#
        );
        run.set(format!("groups.hog-{}", i + 2), json(&text));
    }
    run.set("lanes.eevdf.hz", hz);
    let tick = SECOND / hz;
    run.at = (1..LOOKS).map(|n| n * tick).collect();
    run.set("end.atNs", LOOKS * tick);
    run
}

/// The length of a request as the kernel serves it: the kernel checks only at ticks, so a turn is a whole number of
/// ticks.
fn served(hz: u64) -> u64 {
    let tick = SECOND / hz;
    REQUEST.div_ceil(tick) * tick
}

/// The largest amounts that a thread of the run is owed and is ahead, in requests: the part of the elapsed time that
/// its weight gives it, minus its CPU time.
fn extremes(results: &Results, nice: &[i8], hz: u64) -> [f64; 2] {
    let seen = results.find(&key_of(nice, hz));
    let seen = seen.expect("invariant: all runs are there");
    let mut weights = Vec::new();
    for value in nice {
        for (known, weight) in &WEIGHTS {
            if known == value {
                weights.push(*weight);
            }
        }
    }
    let mut had = Vec::new();
    for thread in 0..nice.len() {
        had.push(seen.looks(&format!("thread/{thread}/cpuNs")));
    }
    let (mut owed, mut ahead) = (Vec::new(), Vec::new());
    for look in 0..had[0].len() {
        let mut all = 0.0;
        for thread in &had {
            all += thread[look];
        }
        for (thread, weight) in weights.iter().enumerate() {
            let lag = all * weight / sum(&weights) - had[thread][look];
            owed.push(lag.max(0.0));
            ahead.push((-lag).max(0.0));
        }
    }
    let request = real(served(hz));
    [largest(&owed) / request, largest(&ahead) / request]
}

pub(super) fn runs() -> Vec<Run> {
    let mut all = Vec::new();
    for &(nice, hz, _) in &LAGS {
        all.push(run(nice, hz));
    }
    all
}

pub(super) fn values(claim: &str, results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    for &(nice, hz, what) in &LAGS {
        let [owed, ahead] = extremes(results, nice, hz);
        let threads = real(nice.len() as u64);
        if claim == "E-lag-asked" {
            let asked = ahead * real(served(hz)) / real(REQUEST);
            values.exact("aheadOfAsked", asked).of(what).at(threads);
            continue;
        }
        for (measure, value) in [("owed", owed), ("ahead", ahead)] {
            values.exact(measure, value).of(what).at(threads);
        }
    }
    values.all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_served_in_whole_ticks() {
        assert_eq!(
            [served(1_000), served(250)],
            [3 * super::super::MS, 4 * super::super::MS]
        );
        assert_eq!(served(10_000), REQUEST);
    }
}
