//! `random`: each thread on a random CPU, drawn again at intervals.

use super::fifo::{Baseline, Homes, SLICE_MS, reasons};
use sim_contract::{EraInfo, SchedulerInfo};
use sim_ground::params::ParamSpec;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "random",
    name: "Random placement",
    summary: "Each thread on a random context, drawn again every second: the cost of knowing nothing.",
    family: "baseline",
    nice_max: 20,
    queue_shape: "perCpuFifo",
    eras: &[EraInfo {
        id: "uniform",
        name: "uniform",
        summary: "Uniform over the contexts with the fewest threads.",
        year: 2011,
        tunables: &[
            SLICE_MS,
            ParamSpec::int("reshuffleMs", 0, 600_000, 1_000)
                .label("draw again every")
                .unit("ms")
                .summary("How often all places are drawn again; 0 never.")
                .assumed("a choice; over a minute the mean comes near the closed form")
                .log(),
        ],
    }],
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: &[],
    cpu_columns: &[],
    make: |setup| Box::new(Baseline::new(Homes::Random, setup)),
    check_program: None,
};
