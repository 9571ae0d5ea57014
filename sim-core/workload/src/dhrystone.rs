//! Dhrystone 2.1: integer work, tiny footprint, no input or output, never sleeps.

use super::hog::{Hog, WORK_MS};
use super::{Behaviour, BehaviourInfo, PRESSURE};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::rate::{DataUse, WorkClass};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "dhrystone",
    name: "Dhrystone",
    summary: "Integer arithmetic in a tiny footprint; never sleeps. Two on one core do 4 % less than one.",
    uses_working_set: false,
    offered: true,
    working_set_bytes: 0,
    class: WorkClass {
        smt_pair_milli: PAIR,
        pressure_milli: PRESSURE,
        data: DataUse::Footprint,
    },
    params: PARAMS,
    make,
};

sim_ground::constants! {
    /// Throughput of two Dhrystones on a core, relative to one alone.
    PAIR: u16 = 960, "thousandths", Published,
        "Wong 2011: throughput falls by roughly 4 % with two threads on a core.";
}

const PARAMS: &[ParamSpec] = &[WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}
