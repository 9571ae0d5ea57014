//! `chase`: follows pointers through its working set in random order.

use super::hog::{Hog, WORK_MS};
use super::{Behaviour, BehaviourInfo};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::rate::{DataUse, WorkClass};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "chase",
    name: "Pointer chase",
    summary: "Reads one line after the other at random: waits for caches and memory nearly always; never sleeps.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: 1 << 20,
    // Inferred: two threads overlap their misses.
    class: WorkClass {
        smt_pair_milli: 1800,
        pressure_milli: 1000,
        data: DataUse::Chase,
    },
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}
