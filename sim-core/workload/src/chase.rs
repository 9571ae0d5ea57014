//! `chase`: follows pointers through its working set in random order.

use super::hog::{Hog, WORK_MS};
use super::{Behaviour, BehaviourInfo, PRESSURE};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::rate::{DataUse, WorkClass};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "chase",
    name: "Pointer chase",
    summary: "Reads one line after the other at random: waits for caches and memory nearly always; never sleeps.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: SET,
    class: WorkClass {
        smt_pair_milli: PAIR,
        pressure_milli: PRESSURE,
        data: DataUse::Chase,
    },
    params: PARAMS,
    make,
};

sim_ground::constants! {
    /// Throughput of two pointer chases on a core, relative to one alone.
    PAIR: u16 = 1800, "thousandths", Assumed, "Inferred: two threads overlap their misses.";
    /// Working set if the scenario gives none.
    SET: u64 = 1 << 20, "bytes", Assumed,
        "A choice: as much as or more than the second-level cache of most x86 presets holds.";
}

const PARAMS: &[ParamSpec] = &[WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}
