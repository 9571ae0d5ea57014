//! `loop`: cycles through an array and increments each element, as in the 4BSD/ULE comparison.

use super::hog::{Hog, WORK_MS};
use super::{Behaviour, BehaviourInfo, PRESSURE};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::rate::{DataUse, WorkClass};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "loop",
    name: "Array loop",
    summary: "Sweeps an array of its working set again and again; never sleeps.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: SET,
    class: WorkClass {
        smt_pair_milli: PAIR,
        pressure_milli: PRESSURE,
        data: DataUse::Sweep,
    },
    params: PARAMS,
    make,
};

sim_ground::constants! {
    /// Throughput of two array loops on a core, relative to one alone.
    PAIR: u16 = 1050, "thousandths", Assumed,
        "Jeremy 2013: CPU time \"nearly twice\" with two on a core, hence 1.00 to 1.10; the middle is inferred.";
    /// Working set if the scenario gives none.
    SET: u64 = 1024, "bytes", Assumed, "A choice: within every first-level cache.";
}

const PARAMS: &[ParamSpec] = &[WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}
