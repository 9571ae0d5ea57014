//! Jeremy 2013: N copies of an array loop under 4BSD and ULE, on a Sun Fire V890 and a Xeon E3, with three working sets.
//!
//! The source shows plots and describes them; it gives almost no numbers. It does not say how long one copy runs alone.
//! On the V890 that follows from the increments and the preset's cycles for one (18.1 s with 1 KiB); on the Xeon it is
//! 10 s, a choice. The other sets have the published ratio of increments (1.6 : 1.2 : 0.5 on the V890, 5 : 1.2 : 0.5 on
//! the Xeon).

mod curve;
mod figures;
mod v890;
mod xeon;

use super::{Effort, Experiment, Measure, Page, Results, Value};
use crate::experiment::run::Run;
use curve::{Curve, Lane, Machine, Set};
use figures::{v890_figures, v890_what_ifs, xeon_figures, xeon_what_ifs};

/// The experiment.
pub(super) const S0: Experiment = Experiment {
    id: "S0",
    pages: &[
        Page {
            id: "s0-v890",
            more: |_| Vec::new(),
            figures: v890_figures,
            what_ifs: v890_what_ifs,
        },
        Page {
            id: "s0-xeon",
            more: |_| Vec::new(),
            figures: xeon_figures,
            what_ifs: xeon_what_ifs,
        },
    ],
    measures: MEASURES,
    runs,
    values,
};

/// T is the time until the last exit, E the efficiency: T × CPUs that can be busy / CPU time of all processes.
const MEASURES: &[Measure] = &[
    Measure::at("elapsedRatio", "T of ULE / 4BSD", "# processes"),
    Measure::at("cpuRatio", "CPU time of ULE / 4BSD", "# processes"),
    Measure::new(
        "leastRatio",
        "ULE / 4BSD with more processes than CPUs, smallest",
    ),
    Measure::new(
        "mostRatio",
        "ULE / 4BSD with more processes than CPUs, largest",
    ),
    Measure::new(
        "cpuLess",
        "CPU time that ULE uses less, mean over the numbers of processes, %",
    ),
    Measure::new(
        "cpuSaved",
        "CPU time that 4BSD uses less, mean of 6 and 8 processes, %",
    ),
    Measure::new("cpuMiddle", "CPU time of ULE / 4BSD, mean of 17 to 36"),
    Measure::new(
        "noMore",
        "numbers of processes, but for 12 to 16, with which ULE uses no more CPU time, %",
    ),
    Measure::new("cpuSpread", "largest / smallest CPU time of a process"),
    Measure::at("cpuGrowth", "CPU time / that of one process", "# processes"),
    Measure::new(
        "scatter",
        "scatter of CPU time with 2 to 6 processes / elsewhere",
    ),
    Measure::at("elapsedGrowth", "T / that of one process", "# processes"),
    Measure::new("worstElapsed", "largest T of 2 to 4 processes / of one"),
    Measure::at("elapsedPerCpu", "T / CPU time of a process", "# processes"),
    Measure::at(
        "lineOfOne",
        "T / (T of one process × processes / CPUs)",
        "# processes",
    ),
    Measure::at(
        "lineOfAll",
        "T / (T of a process for each CPU × processes / CPUs)",
        "# processes",
    ),
    Measure::new(
        "leastElapsed",
        "T of ULE / 4BSD, smallest of 17 to 28 processes",
    ),
    Measure::at("efficiency", "E", "# processes"),
    Measure::new("worstEarly", "largest E of 2 to 4 processes"),
    Measure::new("step", "E with 17 - with 16 processes"),
    Measure::new("largestAfter", "largest E from 17 processes on"),
    Measure::new("spread", "largest - smallest E"),
    Measure::new(
        "bump",
        "largest E of 4 to 12 - largest of 1, 2 and 14 to 16 processes",
    ),
    Measure::new("peakAt", "processes with the largest E"),
    Measure::new("peak", "largest E"),
    Measure::new("peakBeyond", "processes with the largest E, of 8 and more"),
    Measure::new("largestMiddle", "largest E of 16 to 32 processes"),
    Measure::new("rise", "largest rise of E from the peak to 32 processes"),
    Measure::new(
        "secondTooth",
        "larger E of 33 and 36 processes, the second tooth",
    ),
    Measure::new("overForty", "second tooth - E with 40 processes"),
    Measure::new("overSeventeen", "E with 18 - with 17 processes"),
    Measure::at(
        "valley",
        "E - the smaller of its neighbours'",
        "# processes",
    ),
    Measure::new("tooth", "highest tooth above 1 / that of the V890"),
    Measure::new("finish", "latest / earliest finish of 18 processes"),
];

/// The machines and working sets that a claim is about.
fn needs(claim: &str) -> &'static [(Machine, Set)] {
    use Machine::{V890, Xeon};
    use Set::{K1, M4, M32};
    match claim {
        "J1" => &[(V890, K1), (V890, M4), (V890, M32)],
        "J2" => &[(Xeon, K1), (Xeon, M4), (Xeon, M32)],
        "J5" | "J6" | "J9" | "J14" => &[(Xeon, K1)],
        "J13" => &[(V890, K1), (Xeon, K1)],
        "J16" | "J17" | "J18" | "J19" | "J21" | "J22" => &[(V890, M4)],
        "J20" => &[(V890, M4), (Xeon, M4)],
        "J23" | "J24" | "J25" | "J26" | "J27" => &[(V890, M32)],
        "X4-T" | "X4-C" | "X4-E" => &[(Xeon, M4)],
        "X32-T" | "X32-C" | "X32-E" => &[(Xeon, M32)],
        _ => &[(V890, K1)],
    }
}

/// Whether J20 shows the effect of the V890's memory on 4BSD's line: from one process per CPU on.
fn is_banded(curve: Curve, n: u32) -> bool {
    curve.machine == Machine::V890 && matches!(curve.lane, Lane::Bsd) && n >= curve.machine.cpus()
}

/// The runs that a claim needs. The longest come first, so that the end does not wait for one of them.
fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for (machine, set) in needs(claim) {
        for n in machine.counts().iter().rev() {
            for lane in Lane::ALL {
                let curve = Curve::new(*machine, lane, *set);
                for seed in 1..=effort.seeds {
                    all.push(curve.run(*n, seed));
                    if claim == "J20" && is_banded(curve, *n) {
                        all.push(curve.run_with_bus(*n, seed));
                    }
                }
            }
        }
    }
    all
}

fn values(claim: &str, results: &Results) -> Vec<Value> {
    match claim {
        "J2" | "J5" | "J6" | "J9" | "J13" | "J14" => xeon::values(claim, results),
        c if c.starts_with("X") => xeon::values(claim, results),
        _ => v890::values(claim, results),
    }
}
