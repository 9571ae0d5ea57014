//! `manual`: the ideal placement, one thread per core first, then the siblings. No thread moves.

use super::fifo::{Baseline, Homes, SLICE_MS, reasons};
use sim_contract::{EraInfo, SchedulerInfo};

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "manual",
    name: "Manual affinity",
    summary: "The ideal placement: one thread per core first, then the second contexts; nothing moves.",
    family: "baseline",
    nice_max: 20,
    queue_shape: "perCpuFifo",
    eras: &[EraInfo {
        id: "fixed",
        name: "one per core first",
        summary: "What a careful person does with taskset.",
        year: 2011,
        tunables: &[SLICE_MS],
    }],
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: &[],
    cpu_columns: &[],
    make: |setup| Box::new(Baseline::new(Homes::CoresFirst, setup)),
    check_program: None,
};
